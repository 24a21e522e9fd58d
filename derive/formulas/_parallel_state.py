"""Data parallelism with a sharded state: what the stages of ZeRO keep and send."""

from __future__ import annotations

from derive import (
    BYTE,
    PARAMETER,
    Choice,
    Column,
    Derivation,
    Difference,
    Equal,
    Example,
    Identity,
    Ledger,
    Limit,
    Put,
    Rational,
    Row,
    SpecialCase,
    Table,
    count,
    get,
    letters,
    oo,
)
from derive.formulas._memory_rows import N, g

e = letters.e
n = count("n", "devices that share the state")

_A_PARAMETER = N / PARAMETER
_16_BIT = "gradients are kept in the 16 bits of the weights"
_ZERO = "Rajbhandari et al., ZeRO, arXiv:1910.02054"


def _rows(weights: int, gradients: int, optimizer: int, title: str) -> Ledger:
    """The training state, each part kept whole (0) or one of n shares (1)."""
    share = {0: 1, 1: n}
    return Ledger(
        ("16-bit weights", 2 * _A_PARAMETER * BYTE / share[weights]),
        ("gradients", _A_PARAMETER * g / share[gradients]),
        (
            "fp32 master weights",
            "small updates would round away in 16 bits",
            4 * _A_PARAMETER * BYTE / share[optimizer],
        ),
        ("Adam's first moment m", "fp32", 4 * _A_PARAMETER * BYTE / share[optimizer]),
        ("Adam's second moment v", "fp32", 4 * _A_PARAMETER * BYTE / share[optimizer]),
        title=title,
    )


_stage_0, _stage_1 = _rows(0, 0, 0, "stage 0"), _rows(0, 0, 1, "stage 1")
_stage_2, _stage_3 = _rows(0, 1, 1, "stage 2"), _rows(1, 1, 1, "stage 3")

_plain = Ledger(
    ("reduce-scatter of the gradients", e * _A_PARAMETER * (n - 1) / n),
    (
        "all-gather of the sums",
        "of the parameters, where the optimizer is shared",
        e * _A_PARAMETER * (n - 1) / n,
    ),
    title="stages 0, 1 and 2",
)
_gathered = Ledger(
    ("all-gather of the parameters, forward", "layer by layer, then dropped", e * _A_PARAMETER * (n - 1) / n),
    ("all-gather of the parameters, backward", "they were dropped", e * _A_PARAMETER * (n - 1) / n),
    ("reduce-scatter of the gradients", e * _A_PARAMETER * (n - 1) / n),
    title="stage 3",
)

zero_state_0 = Derivation(
    "M",
    "Training state of a device, nothing shared",
    unit="byte",
    about="Plain data parallelism: every device keeps all of it (memory.training_state).",
    start=_stage_0,
    steps=[
        Equal(_A_PARAMETER * (14 * BYTE + g), because="2 + 4 + 4 + 4 bytes beside the gradient"),
        Put(g, 2 * BYTE, because=_16_BIT),
    ],
    facts=[
        Identity(
            16 * _A_PARAMETER * BYTE, get("memory.training_state").result, because="the state of one device"
        ),
    ],
    examples=[Example({"N": "7.5e9 parameter"}, "120 GB")],
)

zero_state_1 = Derivation(
    "M",
    "Training state of a device, optimizer shared",
    unit="byte",
    about="Stage 1: master weights and moments are cut into n shares; weights and gradients stay whole.",
    start=_stage_1,
    steps=[
        Equal(_A_PARAMETER * (2 * BYTE + g + 12 * BYTE / n), because="4 + 4 + 4 bytes are cut into n"),
        Put(g, 2 * BYTE, because=_16_BIT),
    ],
    facts=[
        Limit(n, oo, 4 * _A_PARAMETER * BYTE, because="weights and gradients stay whole"),
        SpecialCase({n: 1}, 16 * _A_PARAMETER * BYTE, because="a single device keeps all"),
        Difference(
            _stage_1,
            _stage_0,
            -12 * _A_PARAMETER * BYTE * (n - 1) / n,
            because="all but one share of the optimizer",
        ),
    ],
    examples=[Example({"N": "7.5e9 parameter", "n": 64}, "31.40625 GB")],
    sources=[f"{_ZERO}, figure 1"],
)

zero_state_2 = Derivation(
    "M",
    "Training state of a device, optimizer and gradients shared",
    unit="byte",
    about="Stage 2: a gradient is kept only by the device that updates its parameter.",
    start=_stage_2,
    steps=[
        Equal(_A_PARAMETER * (2 * BYTE + (g + 12 * BYTE) / n), because="the gradients are cut too"),
        Put(g, 2 * BYTE, because=_16_BIT),
    ],
    facts=[
        Limit(n, oo, 2 * _A_PARAMETER * BYTE, because="the 16-bit weights stay whole"),
        SpecialCase({n: 1}, 16 * _A_PARAMETER * BYTE, because="a single device keeps all"),
        Difference(
            _stage_2, _stage_1, -_A_PARAMETER * g * (n - 1) / n, because="all but one share of the gradients"
        ),
    ],
    examples=[Example({"N": "7.5e9 parameter", "n": 64}, "16.640625 GB")],
    sources=[f"{_ZERO}, figure 1"],
)

zero_state = Derivation(
    "M",
    "Training state of a device, all of it shared",
    unit="byte",
    about="""Stage 3, also called fully sharded data parallelism: weights too are kept once for all n devices and
    fetched layer by layer. The layer at work, activations and buffers come on top.""",
    start=_stage_3,
    steps=[
        Equal(_A_PARAMETER * (14 * BYTE + g) / n, because="every row is cut into n"),
        Put(g, 2 * BYTE, because=_16_BIT),
    ],
    facts=[
        Limit(n, oo, 0, because="nothing is kept twice: enough devices hold any model"),
        SpecialCase({n: 1}, 16 * _A_PARAMETER * BYTE, because="a single device keeps all"),
        Difference(
            _stage_3,
            _stage_2,
            -2 * _A_PARAMETER * BYTE * (n - 1) / n,
            because="all but one share of the weights",
        ),
    ],
    choice=Choice("zero_stage", "3", {"0": zero_state_0, "1": zero_state_1, "2": zero_state_2}),
    examples=[
        Example({"N": "7.5e9 parameter", "n": 64}, "1.875 GB"),
        Example({"n": 8}, "16060522496 byte", model="llama-3-8b"),
        Example({"n": 8}, "44166436864 byte", model="llama-3-8b", conventions={"zero_stage": "1"}),
    ],
    sources=[f"{_ZERO}, figure 1"],
)

zero_traffic_plain = Derivation(
    "Q",
    "Bytes that a device sends a step, parameters kept whole",
    unit="byte",
    about="""Plain data parallelism all-reduces the gradients; stages 1 and 2 reduce-scatter the gradients and
    all-gather the updated parameters, which is as much. Rings; parameters and gradients of e bytes.""",
    start=_plain,
    steps=[Equal(2 * e * _A_PARAMETER * (n - 1) / n, because="two passes of n − 1 shares")],
    facts=[
        Limit(n, oo, 2 * e * _A_PARAMETER, because="the own share shrinks to nothing"),
        SpecialCase({n: 1}, 0, because="a single device has nobody to tell"),
    ],
    examples=[Example({"N": "1e9 parameter", "n": 8}, "3.5 GB")],
    sources=[f"{_ZERO}, section 7.1"],
)

zero_traffic = Derivation(
    "Q",
    "Bytes that a device sends a step, parameters shared",
    unit="byte",
    about="""Stage 3: parameters are gathered for the forward pass and again for the backward pass, and gradients are
    reduce-scattered. Rings; parameters and gradients of e bytes, one micro-batch a step.""",
    start=_gathered,
    steps=[Equal(3 * e * _A_PARAMETER * (n - 1) / n, because="three passes of n − 1 shares")],
    facts=[
        Identity(
            3 * e * _A_PARAMETER * (n - 1) / n,
            Rational(3, 2) * zero_traffic_plain.result,
            because="half as much again as plain data parallelism, for a state that is cut into n",
        ),
        Limit(n, oo, 3 * e * _A_PARAMETER, because="the own share shrinks to nothing"),
        SpecialCase({n: 1}, 0, because="a single device has nobody to tell"),
    ],
    choice=Choice(
        "zero_stage", "3", {"0": zero_traffic_plain, "1": zero_traffic_plain, "2": zero_traffic_plain}
    ),
    examples=[
        Example({"N": "1e9 parameter", "n": 8}, "5.25 GB"),
        Example({"N": "1e9 parameter", "n": 8}, "3.5 GB", conventions={"zero_stage": "2"}),
    ],
    sources=[f"{_ZERO}, section 7.2"],
)

by_stage = Table(
    "Training state of Llama-3-8B a device, by stage",
    heading="devices",
    about="Mixed-precision Adam. Each stage shares one more part of the state among the devices.",
    columns=[
        Column("nothing shared", "parallelism.zero_state_0", "GB", digits=3),
        Column("stage 1", "parallelism.zero_state_1", "GB", digits=3),
        Column("stage 2", "parallelism.zero_state_2", "GB", digits=3),
        Column("stage 3", "parallelism.zero_state", "GB", digits=3),
    ],
    rows=[Row(str(devices), {"n": devices}) for devices in (1, 8, 64, 512)],
    model="llama-3-8b",
)
