"""Training: what a run costs, how large the model should be, and what saving it takes.

Every token costs six operations a parameter, so a run of D tokens costs 6ND, and
machines that reach a share of their peak turn that into days and money. The same
operations can train a small model on many tokens or a large one on few. A law of
the loss in N and D says which split loses least, and its minimum can be written
down. A model that will serve many tokens should be smaller than that, for every
token served costs 2N again. Long runs are interrupted: state is written out so
often that writing and repeating work cost the least together.
"""

from __future__ import annotations

from derive import (
    DEVICE,
    FLOP,
    PARAMETER,
    TOKEN,
    Column,
    Derivation,
    Difference,
    Equal,
    Example,
    Identity,
    Limit,
    Minimise,
    NoSolution,
    Put,
    Row,
    Solve,
    SpecialCase,
    Table,
    Use,
    get,
    oo,
    sqrt,
)
from derive.formulas import _training_checkpoints as _checkpoints
from derive.formulas import _training_rows as rows
from derive.formulas._training_rows import (
    A_WEIGHT,
    MFU,
    A,
    B,
    C,
    C_run,
    D,
    E,
    F,
    I,
    N,
    N_any,
    P,
    a,
    b,
    loss,
    n,
    price,
    r,
    x,
    y,
    y_loss,
    z,
)

_RUN = 6 * N * D * A_WEIGHT
_TWO = C / (6 * FLOP)
_G = (a * A / (b * B)) ** (1 / (a + b))
_PRICED = price * DEVICE

flops = Derivation(
    "C",
    "Operations of a training run",
    unit="FLOP",
    about="""Forward and backward pass of every token through the weights. Attention scores come on top
    (flops.attention_share says how much), and so does what activation checkpointing recomputes.""",
    start=F * D,
    steps=[
        Use(F, get("flops.training"), because="two operations a weight forward and four backward"),
        Equal(_RUN, because="every token costs the same"),
    ],
    examples=[
        Example({"N": "70e9 parameter", "D": "1.4e12 token"}, "5.88e23 FLOP"),
        Example({"D": "15e12 token"}, "6.7541925888e23 FLOP", model="llama-3-8b"),
    ],
    sources=["Kaplan et al., Scaling Laws for Neural Language Models, arXiv:2001.08361, section 2.1"],
)

time = Derivation(
    "t",
    "Time of a training run",
    unit="day",
    about="""n devices, each at a share MFU of its dense peak. Restarts, evaluation and the filling of a cluster
    come on top. MFU counts attention as needed work, so that a long context makes the run longer than this.""",
    start=C_run / (n * P * MFU),
    steps=[Use(C_run, flops), Equal(_RUN / (n * P * MFU), because="n devices share the operations")],
    facts=[
        Limit(n, oo, 0, because="as far as more devices keep the same share of their peak"),
        SpecialCase({MFU: 1}, _RUN / (n * P), because="the least time: every unit busy all the time"),
    ],
    examples=[
        Example(
            {"N": "70e9 parameter", "D": "1.4e12 token", "n": 1024, "MFU": "0.4"}, "16.80 day", on="h100-sxm"
        ),
        Example(
            {"D": "15e12 token", "n": 1024, "MFU": "40 percent"},
            "19.298 day",
            on="h100-sxm",
            model="llama-3-8b",
        ),
    ],
)

device_hours = Derivation(
    "H",
    "Device-hours of a training run",
    unit="device*h",
    about="How long n devices run, times n. What is paid for; the number of devices cancels.",
    start=n * DEVICE * time.whole,
    steps=[Equal(_RUN * DEVICE / (P * MFU), because="n cancels: twice the devices for half the time")],
    examples=[
        Example(
            {"N": "70e9 parameter", "D": "1.4e12 token", "MFU": "0.4"}, "412874.96 device*h", on="h100-sxm"
        )
    ],
)

cost = Derivation(
    "c",
    "Cost of a training run",
    unit="USD",
    about="Device-hours at a price. Storage, network and people are left out.",
    start=price * device_hours.whole,
    steps=[Equal(_PRICED * _RUN / (P * MFU), because="every device-hour costs the same")],
    facts=[
        SpecialCase({MFU: 1}, _PRICED * _RUN / P, because="idle units are paid for too: this is the least"),
    ],
    examples=[
        Example(
            {"N": "70e9 parameter", "D": "1.4e12 token", "MFU": "0.4", "price": "2 USD/(device*h)"},
            "825749.92 USD",
            on="h100-sxm",
        )
    ],
)

compute_optimal = Derivation(
    "N",
    "Parameters for a budget of operations, tokens in proportion",
    unit="parameter",
    about="""Tokens grow with parameters, D = rN, as Hoffmann et al. found on the runs of equal cost; r = 20 is
    the round number for their 70e9 parameters and 1.4e12 tokens.""",
    start=N_any,
    steps=[
        Solve(
            N_any,
            6 * N_any * (r * N_any) * A_WEIGHT,
            C,
            gives=sqrt(C / (6 * r * A_WEIGHT)),
            because="D = rN is put into 6ND, and that is set equal to the budget C",
        ),
        Put(r, 20 * TOKEN / PARAMETER, because="Chinchilla trained on 20 tokens a parameter"),
    ],
    examples=[
        Example({"C": "5.76e23 FLOP"}, "6.928e10 parameter"),
        Example({"C": "5.88e23 FLOP"}, "70e9 parameter"),
    ],
    sources=["Hoffmann et al., Training Compute-Optimal Large Language Models, arXiv:2203.15556, table 3"],
)

compute_optimal_tokens = Derivation(
    "D",
    "Tokens for a budget of operations, in proportion to parameters",
    unit="token",
    about="The other half of training.compute_optimal.",
    start=r * compute_optimal.general,
    steps=[
        Equal(sqrt(r * C / (6 * A_WEIGHT)), because="r under the root is r²"),
        Put(r, 20 * TOKEN / PARAMETER, because="Chinchilla trained on 20 tokens a parameter"),
    ],
    facts=[
        Identity(
            6 * compute_optimal.general * sqrt(r * C / (6 * A_WEIGHT)) * A_WEIGHT,
            C,
            because="together they use the budget up",
        )
    ],
    examples=[Example({"C": "5.76e23 FLOP"}, "1.38564e12 token")],
)

chinchilla_loss = Derivation(
    "l",
    "Loss of a model of N parameters after D tokens",
    unit="dimensionless",
    about="""A fit to training runs, in nats a token of their text, N and D as plain numbers: no law of nature, and
    for other data other numbers hold.""",
    start=rows.losing,
    steps=[Equal(E + A / x**a + B / y**b, because="three losses that do not depend on each other")],
    facts=[
        Limit(x, oo, E + B / y**b, because="an endless model still learns from D tokens only"),
        Limit(y, oo, E + A / x**a, because="endless data still meet N parameters only"),
        Limit((x, y), oo, E, because="both together leave the entropy of the text"),
    ],
    examples=[
        Example({"N": "70e9", "D": "1.4e12"}, "1.9366"),
        Example({"N": "70e9", "D": "1.4e12"}, "1.9739", conventions={"loss_fit": "besiroglu"}),
    ],
    sources=[
        "Hoffmann et al., Training Compute-Optimal Large Language Models, arXiv:2203.15556, equation 10",
        "Besiroglu et al., Chinchilla Scaling: A Replication Attempt, arXiv:2404.10102",
    ],
)

chinchilla = Derivation(
    "N",
    "Parameters of the least loss for a budget of operations",
    unit="dimensionless",
    about="""The loss of training.chinchilla_loss, least among all models of 6ND = C. N is a plain number. The two
    exponents decide how a larger budget is split: where they are equal, N and D grow alike.""",
    start=x,
    steps=[
        Minimise(
            x,
            (E + A / x**a + B / y**b).xreplace({y: _TWO / x}),
            gives=_G * _TWO ** (b / (a + b)),
            because="the budget leaves D = C/(6N) tokens: what a larger model gains, fewer tokens lose",
        ),
    ],
    facts=[
        SpecialCase(
            {b: a},
            sqrt(_TWO) * (A / B) ** (1 / (2 * a)),
            because="of equal exponents N is a root of the budget",
        ),
    ],
    examples=[
        Example({"C": "5.76e23 FLOP"}, "3.2189859e10"),
        Example({"C": "5.76e23 FLOP"}, "7.22487025e10", conventions={"loss_fit": "besiroglu"}),
    ],
    sources=["Hoffmann et al., Training Compute-Optimal Large Language Models, arXiv:2203.15556, equation 4"],
)

chinchilla_tokens = Derivation(
    "D",
    "Tokens of the least loss for a budget of operations",
    unit="dimensionless",
    about="What the budget leaves beside the best N of training.chinchilla; a plain number.",
    start=_TWO / chinchilla.whole,
    steps=[Equal(_TWO ** (a / (a + b)) / _G, because="the exponents a/(a + b) and b/(a + b) add up to 1")],
    examples=[Example({"C": "5.76e23 FLOP"}, "2.982306e12")],
)

chinchilla_ratio = Derivation(
    "q",
    "Tokens for each parameter at the least loss",
    unit="dimensionless",
    about="The r of training.compute_optimal, which is a constant only where the exponents are equal.",
    start=chinchilla_tokens.whole / chinchilla.whole,
    steps=[Equal(_TWO ** ((a - b) / (a + b)) / _G**2, because="powers of one base: exponents subtract")],
    facts=[
        SpecialCase({b: a}, (B / A) ** (1 / a), because="then the budget cancels: one ratio for all sizes"),
    ],
    examples=[
        Example({"C": "5.76e23 FLOP"}, "92.647"),
        Example({"C": "5.76e23 FLOP"}, "18.391", conventions={"loss_fit": "besiroglu"}),
    ],
)

inference_aware = Derivation(
    "C",
    "Operations of training a model and serving it",
    unit="FLOP",
    about="""Training on D tokens and a forward pass for each of I tokens served, prompt and answer alike. Operations
    only: decoding is bound by memory and costs more than they say.""",
    start=rows.life,
    steps=[Equal((6 * D + 2 * I) * N * A_WEIGHT, because="both are paid for each parameter")],
    facts=[
        Difference(rows.life, rows.only_training, 2 * N * I * A_WEIGHT, because="serving comes on top"),
        SpecialCase(
            {I: 3 * D}, 12 * N * D * A_WEIGHT, because="three tokens served cost what one trained costs"
        ),
    ],
    examples=[Example({"D": "15e12 token", "I": "45e12 token"}, "1.35083851776e24 FLOP", model="llama-3-8b")],
    sources=["Sardana et al., Beyond Chinchilla-Optimal, arXiv:2401.00448, section 2"],
)

tokens_for_loss = Derivation(
    "D",
    "Tokens that bring a model of N parameters to a loss",
    unit="dimensionless",
    about="From training.chinchilla_loss; N and D are plain numbers. A model too small never gets there.",
    start=y,
    steps=[
        Solve(
            y,
            B / y**b,
            loss - E - A / x**a,
            gives=(B / (loss - E - A / x**a)) ** (1 / b),
            where=loss > E + A / x**a,
            because="what the data may still cost is set equal to what the loss asked for leaves",
        )
    ],
    facts=[
        NoSolution(
            when=loss <= E + A / x**a,
            says="no number of tokens brings a model of this size there",
            because="with endless data the loss still is E + A/N^alpha",
        ),
    ],
    examples=[Example({"N": "70e9", "loss": "1.9366"}, "1.4014e12")],
)

inference_aware_at_loss = Derivation(
    "C",
    "Operations of training a model to a loss and serving it",
    unit="FLOP",
    about="""The same for a given loss, with N, D and I as plain numbers: a smaller model needs more tokens to reach it
    (training.tokens_for_loss) and is cheaper for every token served. Over N it has a least value, and the more is
    served, the smaller that N is.""",
    start=rows.life_to_loss,
    steps=[Equal((6 * y_loss + 2 * z) * x * FLOP, because="both are paid for each parameter")],
    facts=[
        SpecialCase({z: 0}, 6 * x * y_loss * FLOP, because="a model that nobody uses costs its training"),
        Limit(
            z,
            oo,
            2 * x * FLOP,
            of=rows.life_to_loss.total / z,
            because="in the end only the tokens served count, and they cost 2N each",
        ),
    ],
    examples=[Example({"N": "70e9", "loss": "1.9366", "I": "2e12"}, "8.685856e23 FLOP")],
    sources=["Sardana et al., Beyond Chinchilla-Optimal, arXiv:2401.00448, section 2"],
)

checkpoint_bytes, checkpoint_io = _checkpoints.checkpoint_bytes, _checkpoints.checkpoint_io
checkpoint_share, checkpoint_interval = _checkpoints.checkpoint_share, _checkpoints.checkpoint_interval
checkpoint_loss = _checkpoints.checkpoint_loss

by_budget = Table(
    "Best size and tokens by budget",
    heading="operations",
    about="""Left with 20 tokens a parameter; right from the fitted loss, whose exponents give ever more tokens to
    each parameter as the budget grows.""",
    columns=[
        Column("N at D = 20 N", "training.compute_optimal", "parameter", digits=3),
        Column("D", "training.compute_optimal_tokens", "token", digits=3),
        Column("N of the fit", "training.chinchilla", digits=3),
        Column("D of the fit", "training.chinchilla_tokens", digits=3),
        Column("D/N of the fit", "training.chinchilla_ratio", digits=3),
    ],
    rows=[Row(f"{budget} FLOP", {"C": f"{budget} FLOP"}) for budget in ("1e20", "1e22", "5.76e23", "1e25")],
)
