"""Layers cut across devices: what they sum, and the activations that each keeps."""

from __future__ import annotations

from derive import (
    BYTE,
    Column,
    Derivation,
    Difference,
    Equal,
    Example,
    Ledger,
    Limit,
    Put,
    Row,
    SpecialCase,
    Table,
    Use,
    count,
    get,
    letters,
    oo,
    quantity,
)
from derive.formulas import _memory_rows as rows
from derive.formulas._memory_rows import L, a, b, h, mu, s
from derive.formulas.collectives import S, alpha, beta, n, t_ar

e = letters.e
t = count("t", "devices that a layer is cut across")
buffer = quantity("S", "bytes of the full buffer", "byte", filled_by="parallelism.tensor_buffer")

_16_BIT = "bf16 and fp16 store an element in 2 bytes"
_MASK = "a fused kernel keeps a mask in one byte an element"
_KORTHIKANTI = "Korthikanti et al., Reducing Activation Recomputation, arXiv:2205.05198"
_WHOLE = (
    "attention LayerNorm output",
    "mask of the dropout after attention",
    "feed-forward LayerNorm output",
    "mask of the dropout after the block",
    "inputs of both LayerNorms",
)


def _cut(kept: Ledger, whole: tuple[str, ...], title: str) -> Ledger:
    """The rows of a layer, all but the named ones cut into t."""
    return Ledger(
        *((row.what, row.why, row.amount if row.what in whole else row.amount / t) for row in kept.rows),
        title=title,
    )


_tensor = _cut(rows.gpt3, _WHOLE, "tensor parallelism")
_sequence = _cut(rows.gpt3, (), "tensor and sequence parallelism")
_selective = _cut(rows.selective, (), "tensor and sequence parallelism, scores recomputed")
_summing = Ledger(
    ("attention, forward", "the parts of the output projection are summed", t_ar),
    ("feed-forward block, forward", "the parts of the down-projection are summed", t_ar),
    ("attention, backward", "the gradients of its input are summed", t_ar),
    ("feed-forward block, backward", "the gradients of its input are summed", t_ar),
)
_RING = 2 * s * b * h * e * (n - 1) / (n * beta) + 2 * alpha * (n - 1)

tensor_buffer = Derivation(
    "S",
    "Buffer that tensor parallelism sums",
    unit="byte",
    about="What leaves a block for the residual stream: h numbers for each of s·b tokens.",
    start=s * b * h * e,
    examples=[Example({"s": 2048, "b": 4, "h": 12288}, "201326592 byte")],
)

tensor_all_reduce = Derivation(
    "t",
    "Time of the all-reduces of tensor parallelism",
    unit="s",
    about="""Four a layer and step, two forward and two backward, each over the n devices that share the layer, not
    hidden behind anything. L layers. The link decides: within a node this is cheap, between nodes it is not.""",
    start=L * _summing.total,
    steps=[
        Use(t_ar, get("collectives.all_reduce_ring"), because="each is a ring all-reduce"),
        Put(S, s * b * h * e, because="of what leaves a block"),
        Put(alpha, 0, because="latency is left out"),
        Equal(8 * L * s * b * h * e * (n - 1) / (n * beta), because="four times two passes of n − 1 shares"),
    ],
    facts=[
        Limit(n, oo, 8 * L * s * b * h * e / beta, because="the own share shrinks to nothing"),
        SpecialCase({n: 1}, 0, because="a whole layer on one device sums nothing"),
    ],
    examples=[
        Example({"s": 2048, "b": 4, "h": 12288, "n": 8, "beta": "450 GB/s"}, "3.1317 ms"),
        Example({"s": 8192, "b": 1, "n": 8}, "33.405 ms", on="h100-sxm", model="llama-3-8b"),
    ],
    sources=["Shoeybi et al., Megatron-LM, arXiv:1909.08053, section 3"],
)

activations_tp = Derivation(
    "M",
    "Activations of a GPT-3 layer with tensor parallelism",
    unit="byte",
    about="""A device's part. What lies inside attention and the block is cut into t; norms, their outputs and the
    dropouts after each block are done by every device on all tokens. L layers.""",
    start=L * _tensor.total,
    steps=[
        Equal(
            L * (s * b * h * (4 * e + 2 * mu) + s * b * h * 12 * e / t + (2 * e + mu) * a * s**2 * b / t),
            because="four tensors and two masks whole, twelve tensors and the scores cut",
        ),
        Put(e, 2 * BYTE, because=_16_BIT),
        Put(mu, BYTE, because=_MASK),
        Equal(
            L * s * b * h * (10 + 24 / t + 5 * a * s / (h * t)) * BYTE,
            because="4 × 2 + 2, 12 × 2 and 2 × 2 + 1",
        ),
    ],
    facts=[
        SpecialCase(
            {t: 1}, get("memory.activations_gpt3").result, because="one device keeps the whole layer"
        ),
        Limit(t, oo, 10 * L * s * b * h * BYTE, because="what every device does is never cut"),
    ],
    examples=[
        Example({"s": 2048, "b": 4, "h": 12288, "a": 96, "t": 8}, "2315255808 byte"),
        Example({"s": 2048, "b": 4, "h": 12288, "a": 96, "t": 1}, "11475615744 byte"),
    ],
    sources=[f"{_KORTHIKANTI}, equation 2"],
)

activations_tp_sp = Derivation(
    "M",
    "Activations of a GPT-3 layer with tensor and sequence parallelism",
    unit="byte",
    about="""A device's part. Norms and dropouts too are cut, along the sequence, and every all-reduce becomes a
    reduce-scatter and an all-gather, which cost the same together. L layers.""",
    start=L * _sequence.total,
    steps=[
        Equal(
            L * (s * b * h * (16 * e + 2 * mu) + (2 * e + mu) * a * s**2 * b) / t,
            because="every row is cut into t",
        ),
        Put(e, 2 * BYTE, because=_16_BIT),
        Put(mu, BYTE, because=_MASK),
        Equal(L * s * b * h / t * (34 + 5 * a * s / h) * BYTE, because="16 × 2 + 2 and 2 × 2 + 1"),
    ],
    facts=[
        SpecialCase(
            {t: 1}, get("memory.activations_gpt3").result, because="one device keeps the whole layer"
        ),
        Limit(t, oo, 0, because="nothing is kept twice"),
        Difference(
            _sequence,
            _tensor,
            -s * b * h * (4 * e + 2 * mu) * (t - 1) / t,
            because="all but one share of what every device kept whole",
        ),
    ],
    examples=[Example({"s": 2048, "b": 4, "h": 12288, "a": 96, "t": 8}, "1434451968 byte")],
    sources=[f"{_KORTHIKANTI}, equation 4"],
)

activations_tp_sp_selective = Derivation(
    "M",
    "Activations with tensor and sequence parallelism, scores recomputed",
    unit="byte",
    about="A device's part, with the s×s rows dropped and computed again in the backward pass. L layers.",
    start=L * _selective.total,
    steps=[
        Equal(L * s * b * h * (16 * e + 2 * mu) / t, because="16 tensors and two masks, cut into t"),
        Put(e, 2 * BYTE, because=_16_BIT),
        Put(mu, BYTE, because=_MASK),
        Equal(34 * L * s * b * h / t * BYTE, because="16 × 2 + 2"),
    ],
    facts=[
        SpecialCase(
            {t: 1}, get("memory.activations_selective").result, because="one device keeps the whole layer"
        ),
        Limit(t, oo, 0, because="nothing is kept twice"),
        Difference(
            _selective,
            _sequence,
            -(2 * e + mu) * a * s**2 * b / t,
            because="the scores are the rows recomputed",
        ),
    ],
    examples=[Example({"s": 2048, "b": 4, "h": 12288, "t": 8}, "427819008 byte")],
    sources=[f"{_KORTHIKANTI}, equation 6"],
)

by_link = Table(
    "All-reduces of a GPT-3 layer cut across 8 devices, by link",
    heading="link",
    about="One layer and step, 2048 tokens, micro-batch 4, latency left out: within a node and between nodes.",
    columns=[Column("four all-reduces", "parallelism.tensor_all_reduce", "ms", digits=3)],
    rows=[Row(name, on=name) for name in ("h100-sxm", "pcie-5-x16", "ib-ndr")],
    given={"s": 2048, "b": 4, "h": 12288, "n": 8},
)
