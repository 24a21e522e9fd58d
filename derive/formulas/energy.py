"""Energy: power times time, so that whatever makes a machine wait costs energy as well.

A device under load draws about the power it is limited to, whether its units
compute or wait for memory. Divided by a rate that is energy a token; times the
time of a run it is the energy of the run, in which the number of devices cancels.
What a building spends on cooling and conversion comes on top as a factor, the
power usage effectiveness, at least 1 and 1 unless given.
"""

from __future__ import annotations

from derive import (
    FLOP,
    PARAMETER,
    TOKEN,
    Column,
    Derivation,
    Equal,
    Example,
    Ledger,
    Limit,
    Put,
    Rational,
    Row,
    SpecialCase,
    Table,
    Use,
    count,
    get,
    letters,
    number,
    oo,
    quantity,
)

P = letters.P
power = quantity("power", "power that a device draws", "watt", role="hardware.power")
PUE = number("PUE", "power of the whole building over that of its machines", at_least=1)
rate = quantity("rate", "tokens a second of one device", "token/s", filled_by="decode.tokens_per_second")
n = count("n", "devices")
t = quantity("t", "time of the run", "s", filled_by="training.time")
N = quantity("N", "parameters that take part in matmuls", "parameter", filled_by="parameters.matmul")
D = quantity("D", "tokens trained on", "token")
MFU = number("MFU", "share of the peak that is reached (model FLOPs utilization)", at_most=1)
E_run = quantity("E", "energy of the run", "kWh", filled_by="energy.per_run")
tariff = quantity("tariff", "price of energy", "USD/kWh")

_RUN = 6 * N * D * FLOP / (PARAMETER * TOKEN)
_ALONE = "the machines alone, without cooling and conversion"

_drawn = Ledger(
    ("machines", n * power * t),
    ("cooling and conversion", "PUE − 1 of that", (PUE - 1) * n * power * t),
)

per_token = Derivation(
    "E",
    "Energy of a token",
    unit="joule/token",
    about="""One device at its power limit, all sequences of its batch together. Decoding is bound by memory and draws
    less than the limit on many machines: an upper estimate. Prompts are another matter (energy.per_flop).""",
    start=power * PUE / rate,
    steps=[
        Put(PUE, 1, because=_ALONE),
    ],
    facts=[
        Limit(rate, oo, 0, because="a machine that does more for its power spends less on each"),
    ],
    examples=[
        Example({"power": "700 W", "rate": "2000 token/s"}, "0.35 joule/token"),
        Example({"B": 1, "T": 8192}, "3.580294 joule/token", on="h100-sxm", model="llama-3-8b"),
        Example(
            {"B": 32, "T": 8192, "PUE": "1.2"}, "0.395084 joule/token", on="h100-sxm", model="llama-3-8b"
        ),
    ],
    sources=["The Green Grid, PUE: A Comprehensive Examination of the Metric, white paper 49, 2012"],
)

per_flop = Derivation(
    "E",
    "Energy of an operation",
    unit="joule/FLOP",
    about="A device at its power limit that reaches a share MFU of its peak: what waits draws power too.",
    start=power / (P * MFU),
    steps=[Put(MFU, 1, because="at the peak: the least that the machine can do")],
    facts=[
        SpecialCase(
            {MFU: Rational(1, 2)},
            2 * power / P,
            of=power / (P * MFU),
            because="half of the operations in the same time cost twice as much each",
        ),
    ],
    examples=[
        Example({}, "0.70779 pJ/FLOP", on="h100-sxm"),
        Example({"MFU": "0.4"}, "1.76946 pJ/FLOP", on="h100-sxm"),
    ],
)

per_run = Derivation(
    "E",
    "Energy of a training run",
    unit="kWh",
    about="""n devices at their power limit for as long as the run takes. Hosts and network, some hundred watts a
    device, come on top unless power includes them.""",
    start=_drawn,
    steps=[
        Equal(PUE * n * power * t, because="1 + (PUE − 1) times what the machines draw"),
        Use(
            t, get("training.time"), because="6ND operations; n cancels: twice the devices for half the time"
        ),
        Put(PUE, 1, because=_ALONE),
    ],
    facts=[
        SpecialCase({MFU: 1}, power * _RUN / P, because="at its peak a machine spends least on a run"),
    ],
    examples=[
        Example({"N": "70e9 parameter", "D": "1.4e12 token", "MFU": "0.4"}, "289012.47 kWh", on="h100-sxm"),
        Example(
            {"D": "15e12 token", "MFU": "0.4", "PUE": "1.1"},
            "365178.65 kWh",
            on="h100-sxm",
            model="llama-3-8b",
        ),
    ],
    sources=[
        "Patterson et al., Carbon Emissions and Large Neural Network Training, arXiv:2104.10350, section 2"
    ],
)

cost = Derivation(
    "c",
    "Cost of the energy of a run",
    unit="USD",
    about="Small beside the price of the machines: compare training.cost.",
    start=E_run * tariff,
    steps=[
        Use(E_run, per_run),
        Equal(PUE * power * _RUN * tariff / (P * MFU), because="every kilowatt-hour costs the same"),
        Put(PUE, 1, because=_ALONE),
    ],
    examples=[
        Example(
            {"N": "70e9 parameter", "D": "1.4e12 token", "MFU": "0.4", "tariff": "0.1 USD/kWh"},
            "28901.25 USD",
            on="h100-sxm",
        )
    ],
)

by_machine = Table(
    "Energy by machine",
    heading="machine",
    about="At the power limit: an operation at the bf16 peak, and a token of Llama-3-8B, 32 sequences of 8192.",
    columns=[
        Column("power", "", "watt", constant={"role": "power"}),
        Column("an operation", "energy.per_flop", "pJ/FLOP", digits=3),
        Column("a token", "energy.per_token", "joule/token", digits=3, given={"B": 32, "T": 8192}),
    ],
    rows=[
        Row(name, on=name, model="llama-3-8b")
        for name in ("a100-80gb-sxm", "h100-sxm", "h200-sxm", "b200-sxm")
    ],
)
