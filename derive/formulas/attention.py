"""Attention: the same operations, memory-bound when the scores travel, compute-bound when they stay.

One head, forward pass. S = QKᵀ and O = PV are matmuls of T×d with T×T. Written
to memory, the T×T scores dominate the traffic and hold the intensity down at
d/2. Kept on chip they cost nothing, and what remains is how often K and V are
read. In decoding there is one query, and each cached key and value is read for
it alone: the intensity is the number of query heads that share them.
"""

from sympy import Dummy

from derive import (
    BYTE,
    FLOP,
    Approx,
    Choice,
    Derivation,
    Equal,
    Example,
    Inequality,
    Ledger,
    Limit,
    Put,
    Rational,
    SpecialCase,
    Sum,
    count,
    letters,
    oo,
    quantity,
)

T, e, P = letters.T, letters.e, letters.P
d = count("d", "head dimension")
B = count("B", "sequences decoded together")
g = count("g", "query heads that share one key-value head")
B_r = count("B_r", "query rows in a tile")
c = count("c", "tiles that share one reading of K and V through the L2 cache")
X = quantity("X", "rate of the exponential unit", "1/s", role="hardware.exp_rate")
i = Dummy("i", positive=True)

work = Ledger(
    ("S = QKᵀ", "T² scores of d multiply-adds", 2 * T**2 * d * FLOP),
    ("O = PV", "Td results of T multiply-adds", 2 * T**2 * d * FLOP),
)
naive = Ledger(
    ("read Q", T * d * e),
    ("read K", T * d * e),
    ("read V", T * d * e),
    ("write S", T**2 * e),
    ("read S", "for the softmax", T**2 * e),
    ("write P", T**2 * e),
    ("read P", "for PV", T**2 * e),
    ("write O", T * d * e),
)
ideal = Ledger(
    ("read Q", T * d * e),
    ("read K", T * d * e),
    ("read V", T * d * e),
    ("write O", T * d * e),
)
tiled = Ledger(
    ("read Q", T * d * e),
    (
        "read K and V",
        "once for each of T/B_r tiles, c tiles sharing a reading",
        2 * T * d * e * T / (c * B_r),
    ),
    ("write O", T * d * e),
)
causal_work = Ledger(
    ("S = QKᵀ", "query i meets i keys", Sum(2 * i * d * FLOP, (i, 1, T))),
    ("O = PV", "and mixes i values", Sum(2 * i * d * FLOP, (i, 1, T))),
)
causal_tiled = Ledger(
    ("read Q", T * d * e),
    (
        "read K and V",
        "tile i of the queries reads i tiles of the keys",
        Sum(2 * i * B_r * d * e, (i, 1, T / B_r)),
    ),
    ("write O", T * d * e),
)
decode_work = Ledger(
    ("q·K", "each of g queries meets T keys", B * 2 * g * T * d * FLOP),
    ("p·V", "and mixes T values", B * 2 * g * T * d * FLOP),
)
decode_moved = Ledger(
    ("read K and V", "each sequence has a cache of its own", B * 2 * T * d * e),
    ("read q", B * g * d * e),
    ("write o", B * g * d * e),
)
exponentials = Ledger(("one exponential a score", T**2 / X))
matmuls = Ledger(
    ("S = QKᵀ", 2 * T**2 * d * FLOP / P),
    ("O = PV", 2 * T**2 * d * FLOP / P),
)
NAIVE = T * d * FLOP / (2 * (T + d) * BYTE)

causal_flops = Derivation(
    "F",
    "Operations of causal attention, one head",
    unit="FLOP",
    about="Query i attends to keys 1 … i. The softmax is left out.",
    start=causal_work,
    steps=[
        Equal(2 * T * (T + 1) * d * FLOP, because="1 + 2 + … + T = T(T + 1)/2"),
        Approx(2 * T**2 * d * FLOP, error_at_most=1 / T, because="drop 1 beside T: half of the full square"),
    ],
    facts=[
        Limit(
            T,
            oo,
            Rational(1, 2),
            of=causal_work.total / work.total,
            because="the triangle with its diagonal tends to half of the square",
        ),
    ],
    examples=[Example({"T": 4096, "d": 128}, "4.295 GFLOP")],
)

flops = Derivation(
    "F",
    "Operations of attention, one head",
    unit="FLOP",
    about="No mask. The handful of operations a score of the softmax is left out; its time is softmax_time_share.",
    start=work,
    steps=[Equal(4 * T**2 * d * FLOP, because="both matmuls cost the same")],
    choice=Choice("mask", "full", {"causal": causal_flops}),
    examples=[Example({"T": 4096, "d": 128}, "8.590 GFLOP")],
)

naive_traffic = Derivation(
    "Q",
    "Memory traffic of naive attention, one head",
    unit="byte",
    about="Eight transfers: Q, K, V and O once, S and P both written and read. No mask is read.",
    start=naive,
    steps=[
        Equal(4 * e * (T**2 + T * d), because="four T×d tensors and four passes over T×T"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
        Equal((8 * T**2 + 8 * T * d) * BYTE, because="4 × 2"),
    ],
    examples=[Example({"T": 4096, "d": 128}, "138.4 MB")],
)

naive_intensity = Derivation(
    "I",
    "Arithmetic intensity of naive attention",
    unit="FLOP/byte",
    about="""One head, forward pass, no causal mask. S and P both travel to memory and back. The handful of
    operations a score of the softmax is left out.""",
    start=work.total / naive.total,
    steps=[
        Equal(T * d * FLOP / (e * (T + d)), because="4T cancels above and below"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    facts=[
        Limit(T, oo, d * FLOP / (2 * BYTE), because="the T² traffic of S and P takes over"),
        Approx(d * FLOP / (2 * BYTE), error_at_most=d / T, because="drop d beside T"),
        Inequality(
            NAIVE, "<", d * FLOP / (2 * BYTE), because="the limit is approached from below and never passed"
        ),
    ],
    examples=[Example({"T": 4096, "d": 128}, "62.06 FLOP/byte")],
    sources=["Dao et al., FlashAttention, arXiv:2205.14135, section 2.2 (the traffic of standard attention)"],
)

flash_ideal_intensity = Derivation(
    "I",
    "Arithmetic intensity of attention with every tensor moved once",
    unit="FLOP/byte",
    about="The scores never leave the chip and Q, K, V and O each cross once: the best that any kernel can do.",
    start=work.total / ideal.total,
    steps=[
        Equal(T * FLOP / e, because="4Td cancels above and below"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    facts=[
        Inequality(
            T * FLOP / (2 * BYTE),
            ">",
            naive_intensity.whole,
            because="it moves a part of what naive attention moves",
        ),
    ],
    examples=[Example({"T": 4096}, "2048 FLOP/byte")],
    sources=["Dao et al., FlashAttention, arXiv:2205.14135"],
)

flash_tiled_intensity = Derivation(
    "I",
    "Arithmetic intensity of tiled attention",
    unit="FLOP/byte",
    about="""Each tile of B_r query rows streams all of K and V past itself. T is a multiple of B_r. With c
    tiles sharing a reading through the L2 cache, c·B_r stands in place of B_r.""",
    start=work.total / tiled.total,
    steps=[
        Equal(2 * c * B_r * T * FLOP / (e * (T + c * B_r)), because="2Td cancels above and below"),
        Put(c, 1, because="no sharing between tiles"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    facts=[
        Limit(T, oo, B_r * FLOP / BYTE, because="reading K and V for every tile takes over"),
        Approx(B_r * FLOP / BYTE, error_at_most=B_r / T, because="drop B_r beside T"),
        SpecialCase(
            {c: T / B_r},
            T * FLOP / e,
            of=2 * c * B_r * T * FLOP / (e * (T + c * B_r)),
            because="when all tiles share one reading, every tensor moves once",
        ),
    ],
    examples=[
        Example({"T": 4096, "B_r": 128}, "124.1 FLOP/byte"),
        Example({"T": 4096, "B_r": 128, "c": 4}, "455.1 FLOP/byte"),
    ],
)

causal_intensity = Derivation(
    "I",
    "Arithmetic intensity of causal tiled attention",
    unit="FLOP/byte",
    about="""T(T + 1)/2 scores are counted, and a tile of B_r query rows reads the tiles of K and V that are not
    fully masked. T is a multiple of B_r, and tiles of keys have B_r rows too.""",
    start=causal_work.total / causal_tiled.total,
    steps=[
        Equal(
            2 * B_r * (T + 1) * FLOP / (e * (T + 3 * B_r)),
            because="both sums are arithmetic series; Td cancels",
        ),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    facts=[
        Limit(T, oo, B_r * FLOP / BYTE, because="half of the scores, half of the traffic"),
        Limit(
            T,
            oo,
            1,
            of=(causal_work.total / causal_tiled.total) / (work.total / tiled.total.xreplace({c: 1})),
            because="beside tiled attention without a mask the intensity hardly changes",
        ),
    ],
    examples=[Example({"T": 4096, "B_r": 128}, "117.1 FLOP/byte")],
)

softmax_time_share = Derivation(
    "q",
    "Time of the exponentials over that of the matmuls",
    unit="dimensionless",
    about="""A share of the other part: the T² exponentials of the softmax at the rate X beside the matmuls of
    the forward pass at their peak. Maximum, sum and scaling are left out.""",
    start=exponentials.total / matmuls.total,
    steps=[Equal(P / (4 * d * X * FLOP), because="T² cancels: the share does not depend on the length")],
    examples=[Example({"P": "989 TFLOP/s", "d": 128, "X": "3.9e12 1/s"}, "0.4953")],
    sources=[
        "Shah et al., FlashAttention-3, arXiv:2407.08608, section 3.1 (the rate of the exponential unit)"
    ],
)

decode_intensity = Derivation(
    "I",
    "Arithmetic intensity of decode attention",
    unit="FLOP/byte",
    about="""One new query token a sequence, one key-value head with g query heads, a cache of T tokens. Writing
    the new key and value is left out.""",
    start=decode_work.total / decode_moved.total,
    steps=[
        Equal(2 * g * T * FLOP / (e * (T + g)), because="2Bd cancels: every sequence brings its own cache"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    facts=[
        Limit(T, oo, g * FLOP / BYTE, because="reading the cache takes over"),
        Approx(g * FLOP / BYTE, error_at_most=g / T, because="drop g beside T"),
    ],
    examples=[Example({"T": 8192, "g": 4}, "3.998 FLOP/byte")],
)
