"""Parallelism: what each of n devices keeps, and what they pay each other for it.

A training state can be kept once for all devices instead of once a device, at
the price of fetching parameters that live elsewhere. A layer can be cut across
devices, which then sum their parts four times a layer and step. Layers can be
handed out like the stations of an assembly line, which idles while it fills and
empties. And a feed-forward block can be replaced by many experts of which each
token visits a few: operations follow the few, memory follows all.
"""

from __future__ import annotations

from sympy import Dummy, Product

from derive import (
    PARAMETER,
    TOKEN,
    Column,
    Derivation,
    Difference,
    Equal,
    Example,
    Identity,
    Ledger,
    Limit,
    Put,
    Row,
    SpecialCase,
    Table,
    count,
    letters,
    number,
    oo,
    quantity,
)
from derive.formulas import _parallel_layers as _layers
from derive.formulas import _parallel_state as _state
from derive.formulas._memory_rows import L, h

e = letters.e
p = count("p", "stages of the pipeline")
m = count("m", "micro-batches in a step")
v = count("v", "pieces of the model that a stage holds, interleaved")
t_m = quantity("t_m", "time of a micro-batch on one stage, forward and backward", "s")
n = count("n", "devices that the experts are spread over")
k = count("k", "experts that a token visits", role="model.experts_per_token")
E = count("E", "experts a layer", role="model.experts")
B = count("B", "tokens in the batch")
x = number("x", "experts that a token leaves out")
N = quantity("N", "all parameters, those of every expert included", "parameter", filled_by="parameters.total")
N_x = quantity(
    "N_x", "parameters of one expert, in all layers together", "parameter", filled_by="parallelism.expert"
)
f = count("f", "inner width of an expert", role="model.ffn")
_i = Dummy("i", positive=True)

_working = Ledger(("micro-batches, one behind the other", m * t_m), title="work")
_stepping = Ledger(
    ("micro-batches, one behind the other", m * t_m),
    ("filling and emptying", "p − 1 stages wait for a piece of a micro-batch each", (p - 1) * t_m / v),
    title="a step",
)
_waiting = Ledger(("filling and emptying", (p - 1) * t_m / v), title="waiting")
_sent = Ledger(
    ("dispatch", "a token to each of its k experts", k * h * e / TOKEN),
    ("combine", "a result back from each", k * h * e / TOKEN),
)
_met = Ledger(
    ("all parameters", N),
    ("experts left out", "E − k of E, in every layer", -(E - k) * N_x),
    title="met by a token",
)
_stored = Ledger(("all parameters", N), title="stored")
_touched = Ledger(
    ("all experts", E),
    (
        "visited by no token",
        "each token passes one by with the chance 1 − k/E",
        -E * Product(1 - k / E, (_i, 1, B)),
    ),
)

zero_state = _state.zero_state
zero_state_0, zero_state_1, zero_state_2 = _state.zero_state_0, _state.zero_state_1, _state.zero_state_2
zero_traffic, zero_traffic_plain = _state.zero_traffic, _state.zero_traffic_plain

tensor_buffer, tensor_all_reduce = _layers.tensor_buffer, _layers.tensor_all_reduce
activations_tp, activations_tp_sp = _layers.activations_tp, _layers.activations_tp_sp
activations_tp_sp_selective = _layers.activations_tp_sp_selective

pipeline_bubble = Derivation(
    "q",
    "Share of a step that a pipeline waits",
    unit="dimensionless",
    about="""A share of the whole step. Stages of equal time, transfers hidden; forward and backward pass together.
    With v pieces a stage the line fills and empties in pieces v times as short.""",
    start=_waiting.total / _stepping.total,
    steps=[
        Equal((p - 1) / (v * m + p - 1), because="the time of a micro-batch cancels"),
        Put(v, 1, because="each stage holds one run of layers"),
    ],
    facts=[
        Limit(m, oo, 0, because="a long line is filled and emptied once all the same"),
        SpecialCase({p: 1}, 0, because="a single stage waits for nobody"),
        SpecialCase({m: 1}, (p - 1) / p, because="one micro-batch keeps one stage busy at a time"),
    ],
    examples=[
        Example({"p": 8, "m": 32}, "17.949 percent"),
        Example({"p": 8, "m": 32, "v": 4}, "5.1852 percent"),
    ],
    sources=[
        "Narayanan et al., Efficient Large-Scale Language Model Training, arXiv:2104.04473, section 2.2"
    ],
)

pipeline_overhead = Derivation(
    "q",
    "Waiting of a pipeline over its ideal time",
    unit="dimensionless",
    about="A share of the other part: waiting over work. The papers' bubble fraction; it can exceed 1.",
    start=_waiting.total / _working.total,
    steps=[
        Equal((p - 1) / (v * m), because="the time of a micro-batch cancels"),
        Put(v, 1, because="each stage holds one run of layers"),
    ],
    facts=[
        Limit(m, oo, 0, because="a long line is filled and emptied once all the same"),
        Identity(
            (p - 1) / (v * m),
            ((p - 1) / (v * m + p - 1)) / (1 - (p - 1) / (v * m + p - 1)),
            because="a share q of the whole is q/(1 − q) of the rest",
        ),
    ],
    examples=[
        Example({"p": 8, "m": 32}, "21.875 percent"),
        Example({"p": 8, "m": 32, "v": 4}, "5.46875 percent"),
    ],
    sources=[
        "Narayanan et al., Efficient Large-Scale Language Model Training, arXiv:2104.04473, section 2.2"
    ],
)

expert_all_to_all = Derivation(
    "Q",
    "Bytes that a token sends for its experts",
    unit="byte/token",
    about="""Forward, L layers: the token's h numbers go to each of its k experts, and as many come back, which the
    device of the token adds up. Experts are spread evenly and visited alike, so that one of n is at home. The
    backward pass sends as much again.""",
    start=L * _sent.total * (n - 1) / n,
    steps=[Equal(2 * L * k * h * e * (n - 1) / (n * TOKEN), because="there and back")],
    facts=[
        Limit(n, oo, 2 * L * k * h * e / TOKEN, because="hardly any expert is at home"),
        SpecialCase({n: 1}, 0, because="all experts are at home"),
    ],
    examples=[
        Example({"k": 2, "h": 4096, "n": 8}, "28672 byte/token"),
        Example({"n": 8}, "917504 byte/token", model="mixtral-8x7b"),
    ],
    sources=["Lepikhin et al., GShard, arXiv:2006.16668, section 2.2"],
)

expert = Derivation(
    "N",
    "Parameters of one expert",
    unit="parameter",
    about="A gated block of three matrices, h × f each, in all L layers together.",
    start=3 * L * h * f * PARAMETER,
    examples=[Example({}, "5637144576 parameter", model="mixtral-8x7b")],
)

moe_active = Derivation(
    "N",
    "Parameters of a mixture of experts that a token meets",
    unit="parameter",
    about="""Operations follow these: two a parameter and token, as if the others were not there. Attention, norms
    and embeddings are met by all tokens.""",
    start=_met,
    steps=[Equal(N - (E - k) * N_x, because="in every layer E − k experts are passed by")],
    facts=[
        Difference(_met, _stored, -(E - k) * N_x, because="what is stored and not met"),
        SpecialCase({k: E}, N, because="a token that visits all meets all"),
    ],
    examples=[Example({}, "12879925248 parameter", model="mixtral-8x7b")],
    sources=["Jiang et al., Mixtral of Experts, arXiv:2401.04088, section 2"],
)

moe = Derivation(
    "q",
    "Share of its parameters that a token meets",
    unit="dimensionless",
    about="""A share of the whole. Operations shrink with it, memory does not: all experts are kept, and a batch large
    enough reads them all (parallelism.expected_experts).""",
    start=_met.total / _stored.total,
    steps=[Equal(1 - (E - k) * N_x / N, because="the share passed by is taken off")],
    facts=[
        SpecialCase({k: E}, 1, because="without choice it is a plain model"),
        SpecialCase({N: E * N_x}, k / E, because="a model of nothing but experts meets k of E"),
    ],
    examples=[Example({}, "27.5785 percent", model="mixtral-8x7b")],
)

expected_experts = Derivation(
    "E_B",
    "Experts that a batch visits",
    unit="dimensionless",
    about="""The mean of a layer, when every token chooses k of E experts at random, all alike. Real routers favour
    some, so that fewer are visited. A decode step reads the weights of these and of no others.""",
    start=_touched,
    steps=[Equal(E * (1 - (1 - k / E) ** B), because="B equal factors: the tokens choose by themselves")],
    facts=[
        SpecialCase({B: 1}, k, because="one token visits its own"),
        Limit(B, oo, k + x, put={E: k + x}, because="in the end every expert is visited: E, x more than k"),
    ],
    examples=[
        Example({"B": 1}, "2", model="mixtral-8x7b"),
        Example({"B": 8}, "7.1991", model="mixtral-8x7b"),
        Example(
            {"B": 32, "E": 256, "k": 8},
            "163.3",
        ),
    ],
)

by_stages = Table(
    "Waiting of a pipeline of 8 stages",
    heading="micro-batches",
    about="Left the share of the step, right the overhead over the ideal time.",
    columns=[
        Column("share, v = 1", "parallelism.pipeline_bubble", "percent", digits=3),
        Column("share, v = 4", "parallelism.pipeline_bubble", "percent", digits=3, given={"v": 4}),
        Column("over the work, v = 1", "parallelism.pipeline_overhead", "percent", digits=3),
    ],
    rows=[Row(str(batches), {"m": batches}) for batches in (1, 8, 32, 128)],
    given={"p": 8},
)
by_link, by_stage = _layers.by_link, _state.by_stage
