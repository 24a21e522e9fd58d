"""Decoding: a step reads all weights and every sequence's cache to make one token a sequence.

The arithmetic of a step is small (a multiply-add for each weight and sequence),
so that for moderate batches the bytes decide and a step takes their time at full
bandwidth. A larger batch shares the reading of the weights and not that of the
caches: tokens a second rise, at first in proportion, towards a ceiling that the
caches set.
"""

from __future__ import annotations

from derive import (
    PARAMETER,
    TOKEN,
    Approx,
    Bound,
    Choice,
    Column,
    Derivation,
    Difference,
    Equal,
    Example,
    Ledger,
    Limit,
    NoSolution,
    Rational,
    Row,
    Solve,
    SpecialCase,
    Table,
    Use,
    count,
    floor,
    letters,
    number,
    oo,
    quantity,
)

W, e = letters.W, letters.e
B = count("B", "sequences decoded together")
N = quantity("N", "parameters stored", "parameter", filled_by="parameters.total")
N_t = quantity(
    "N_t",
    "parameters of tables that are only looked up",
    "parameter",
    filled_by="parameters.looked_up",
    nonnegative=True,
)
weights = quantity("weights", "bytes of weights that a step reads", "byte", filled_by="decode.weights_read")
B_any = number("B", "sequences, whole or not")
stored = quantity("weights", "bytes of all weights", "byte", filled_by="memory.weights")
KV = quantity("KV", "bytes of the cache of one sequence", "byte", filled_by="memory.kv_cache_sequence")
capacity = quantity("capacity", "memory of the device", "byte", role="hardware.capacity")
t = quantity("t", "time of a step", "s", filled_by="decode.step_time")

whole = Ledger(("all parameters", N * e / PARAMETER), title="every weight")
looked_up = Ledger(
    ("all parameters", N * e / PARAMETER),
    ("tables that are only looked up", "a row of each a token is next to nothing", -N_t * e / PARAMETER),
    title="every weight but the tables",
)
moved = Ledger(
    ("read the weights", "once for the whole batch", weights),
    ("read the caches", "every sequence has its own", B * KV),
)
cached = Ledger(("read the caches", B * KV))
filled = Ledger(
    ("weights", "kept once", stored),
    ("caches", "every sequence has its own", B_any * KV),
)

weights_read_lookup = Derivation(
    "Q",
    "Weights that a step reads, embedding looked up",
    unit="byte",
    about="The row of each token, h·e bytes, is left out: 8 kB beside 15 GB.",
    start=looked_up,
    steps=[Equal((N - N_t) * e / PARAMETER, because="every parameter has e bytes")],
    facts=[
        Difference(looked_up, whole, -N_t * e / PARAMETER, because="the tables stay where they are"),
    ],
    examples=[
        Example({}, "15009849344 byte", model="llama-3-8b"),
        Example({}, "247306752 byte", model="gpt2-small"),
    ],
)

weights_read = Derivation(
    "Q",
    "Weights that a step reads",
    unit="byte",
    about="""Every weight once. The embedding table is counted whole although a token needs one row of it: that is
    the size on disk, and 7 % more than is read of Llama-3-8B. Of a mixture of experts all are counted, as a
    large batch visits all.""",
    start=whole,
    steps=[Equal(N * e / PARAMETER, because="every parameter has e bytes")],
    choice=Choice("embedding", "whole", {"lookup": weights_read_lookup}),
    examples=[
        Example({}, "16060522496 byte", model="llama-3-8b"),
        Example({"N": "7e9 parameter"}, "14 GB"),
    ],
)

step_traffic = Derivation(
    "Q",
    "Memory traffic of a decode step",
    unit="byte",
    about="""Weights and caches are read; the new key and value, activations and logits are left out. T is the
    length that the sequences have reached, not the longest that the model allows.""",
    start=moved,
    steps=[Equal(weights + B * KV, because="the weights are shared, the caches are not")],
    facts=[
        Approx(
            weights,
            error_at_most=B * KV / (weights + B * KV),
            because="drop the caches: few or short sequences",
        ),
        SpecialCase({B: 1}, weights + KV, because="one sequence"),
    ],
    examples=[
        Example({"B": 1, "T": 8192}, "17134264320 byte", model="llama-3-8b"),
        Example({"B": 64, "T": 8192}, "84779999232 byte", model="llama-3-8b"),
    ],
)

step_time = Derivation(
    "t",
    "Time of a decode step",
    unit="s",
    about="""Memory time: all bytes at the full bandwidth. It holds while the batch is below the one at which the
    arithmetic takes as long (matmul.critical_batch); launches and attention's own loss are left out.""",
    start=moved.total / W,
    steps=[Equal((weights + B * KV) / W, because="the weights are shared, the caches are not")],
    facts=[SpecialCase({B: 1}, (weights + KV) / W, because="one sequence")],
    examples=[
        Example({"B": 1, "T": 8192}, "5.115 ms", on="h100-sxm", model="llama-3-8b"),
        Example({"B": 32, "T": 8192}, "15.05 ms", on="h100-sxm", model="llama-3-8b"),
    ],
)

tokens_per_second = Derivation(
    "r",
    "Tokens a second of decoding",
    unit="token/s",
    about="All sequences together: a step gives each of B sequences one token.",
    start=B * TOKEN / t,
    steps=[
        Use(t, step_time, because="a step takes the time of its bytes"),
        Equal(B * W * TOKEN / (weights + B * KV), because="a quotient of a quotient"),
    ],
    facts=[
        Limit(
            B,
            oo,
            W * TOKEN / KV,
            because="the weights amortise, the caches do not: each token reads one cache",
        ),
        Approx(
            B * W * TOKEN / weights,
            error_at_most=B * KV / weights,
            because="drop the caches: at first each further sequence is free",
        ),
        SpecialCase(
            {B: weights / KV},
            W * TOKEN / (2 * KV),
            because="where caches and weights weigh the same, a half of the ceiling is reached",
        ),
    ],
    examples=[
        Example({"B": 1, "T": 8192}, "195.5 token/s", on="h100-sxm", model="llama-3-8b"),
        Example({"B": 64, "T": 8192}, "2529 token/s", on="h100-sxm", model="llama-3-8b"),
    ],
)

kv_share = Derivation(
    "q",
    "Share of the caches in the traffic of a decode step",
    unit="dimensionless",
    about="A share of the whole: the bytes of all caches over all bytes that the step reads.",
    start=cached.total / moved.total,
    steps=[Equal(B * KV / (weights + B * KV), because="the rows of both ledgers added up")],
    facts=[
        SpecialCase({B: weights / KV}, Rational(1, 2), because="as many bytes of caches as of weights"),
        Limit(B, oo, 1, because="the weights are read once however large the batch"),
    ],
    examples=[
        Example({"B": 8, "T": 8192}, "34.85 percent", model="llama-3-8b"),
        Example({"B": 64, "T": 8192}, "81.06 percent", model="llama-3-8b"),
    ],
)

even_batch = Derivation(
    "B",
    "Batch at which the caches weigh as much as the weights",
    unit="dimensionless",
    about="Beyond it a step is mostly cache, and a smaller cache is worth more than smaller weights.",
    start=B,
    steps=[
        Solve(
            B,
            B * KV,
            weights,
            gives=weights / KV,
            because="the bytes of the caches are set equal to the weights",
        ),
    ],
    examples=[Example({"T": 8192}, "14.96", model="llama-3-8b")],
)

fits = Derivation(
    "B",
    "Sequences that fit into memory",
    unit="dimensionless",
    about="""All weights are kept, embedding included, and the caches of B sequences of T tokens. Activations and
    what the framework keeps for itself come on top, so that in practice fewer fit.""",
    start=B_any,
    steps=[
        Solve(
            B_any,
            filled.total,
            capacity,
            gives=(capacity - stored) / KV,
            where=capacity > stored,
            because="weights and caches fill the memory",
        ),
        Bound(
            floor((capacity - stored) / KV),
            relation="≥",
            because="sequences come whole: the largest whole number that is not above",
        ),
    ],
    facts=[
        NoSolution(
            when=capacity < stored,
            says="the weights do not fit",
            because="without a single cache the weights are above the memory",
        ),
        SpecialCase({capacity: stored}, 0, because="the weights leave no room"),
    ],
    examples=[
        Example({"T": 8192}, "59", on="h100-sxm", model="llama-3-8b"),
        Example({"capacity": "80 GB", "weights": "16 GB", "KV": "100 GB"}, "0"),
        Example({"T": 8192}, "65", on="h100-sxm", model="llama-3-8b", conventions={"capacity": "binary"}),
    ],
)

by_batch = Table(
    "Llama-3-8B on an H100, 8192 tokens of context, by batch",
    heading="batch",
    about="""An upper bound: every weight and every cached key and value is read once a step at full bandwidth.
    The share is that of the cache in the whole traffic. The weights amortise over the batch, the cache does not.""",
    columns=[
        Column("bytes a step", "decode.step_traffic", "GB", digits=3),
        Column("step time", "decode.step_time", "ms", digits=3),
        Column("rate", "decode.tokens_per_second", "token/s"),
        Column("cache", "decode.kv_share", "percent", digits=2),
    ],
    rows=[Row(str(batch), {"B": batch}) for batch in (1, 8, 32, 64)],
    given={"T": 8192},
    on="h100-sxm",
    model="llama-3-8b",
)
