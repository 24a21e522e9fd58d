"""Operations of a transformer, a token: twice the weights forward, six times in training.

Every weight of a matmul meets every token once, for one multiplication and one
addition. The backward pass of Y = XW is two matmuls of the same size, so training
costs three times the forward pass. Attention is the one part that grows with the
length: on average a token meets half of the context, and the operations of its
scores stand beside those of the weights as LTd beside N.
"""

from __future__ import annotations

from sympy import Dummy

from derive import (
    FLOP,
    PARAMETER,
    TOKEN,
    Approx,
    Choice,
    Column,
    Derivation,
    Difference,
    Equal,
    Example,
    Identity,
    Inequality,
    Ledger,
    Put,
    Rational,
    Row,
    Solve,
    Sum,
    Table,
    count,
    letters,
    number,
    quantity,
)

T = letters.T
N = quantity("N", "parameters that take part in matmuls", "parameter", filled_by="parameters.matmul")
L = count("L", "layers", role="model.layers", default=1)
L_all = count("L", "layers of the whole model", role="model.layers")
d = count("d", "query heads times head dimension", filled_by="parameters.attention_width")
t = number("t", "tokens, the rows of X")
r = number("r", "columns of X, rows of W")
c = number("c", "columns of W")
x = number("x", "any ratio")
i = Dummy("i", positive=True)

_A_WEIGHT = FLOP / (PARAMETER * TOKEN)

_forward = Ledger(
    ("multiplications", "a token meets every weight once", N * _A_WEIGHT),
    ("additions", "each product joins its sum", N * _A_WEIGHT),
)
_training = Ledger(
    ("forward: Y = XW", "t×r times r×c", 2 * t * r * c * FLOP),
    ("backward: gradient of X = (gradient of Y) Wᵀ", "t×c times c×r", 2 * t * c * r * FLOP),
    ("backward: gradient of W = Xᵀ (gradient of Y)", "r×t times t×c", 2 * r * t * c * FLOP),
    title="one matmul in training",
)
_checkpointed = Ledger(
    ("forward: Y = XW", "t×r times r×c", 2 * t * r * c * FLOP),
    ("recomputed before the backward pass: Y = XW", "t×r times r×c", 2 * t * r * c * FLOP),
    ("backward: gradient of X = (gradient of Y) Wᵀ", "t×c times c×r", 2 * t * c * r * FLOP),
    ("backward: gradient of W = Xᵀ (gradient of Y)", "r×t times t×c", 2 * r * t * c * FLOP),
    title="one matmul in training with checkpointing",
)
_causal = Ledger(
    (
        "q·K",
        "query i meets i keys; the mean over T queries",
        L * Sum(2 * i * d * FLOP, (i, 1, T)) / (T * TOKEN),
    ),
    ("p·V", "and mixes i values", L * Sum(2 * i * d * FLOP, (i, 1, T)) / (T * TOKEN)),
)
_full = Ledger(
    ("q·K", "every query meets all T keys", 2 * L * T * d * FLOP / TOKEN),
    ("p·V", "and mixes all T values", 2 * L * T * d * FLOP / TOKEN),
)
_three = Ledger(
    ("forward: S = QKᵀ and O = PV", 2 * L * T * d * FLOP / TOKEN),
    ("backward: gradients of Q and K", "two matmuls of the size of S = QKᵀ", 2 * L * T * d * FLOP / TOKEN),
    ("backward: gradients of P and V", "two matmuls of the size of O = PV", 2 * L * T * d * FLOP / TOKEN),
)

forward = Derivation(
    "F",
    "Operations of the forward pass, a token",
    unit="FLOP/token",
    about="""Weights only: N counts those that take part in matmuls, LM head included, embedding lookup not.
    Attention scores, norms and activations are left out.""",
    start=_forward,
    steps=[Equal(2 * N * _A_WEIGHT, because="one multiplication and one addition a weight")],
    examples=[
        Example({}, "247.1 MFLOP/token", model="gpt2-small"),
        Example({}, "15.01 GFLOP/token", model="llama-3-8b"),
    ],
    sources=["Kaplan et al., Scaling Laws for Neural Language Models, arXiv:2001.08361, table 1"],
)

training = Derivation(
    "F",
    "Operations of training, a token",
    unit="FLOP/token",
    about="""Forward and backward pass through the weights; the optimizer's few operations a parameter and a step
    are shared by all tokens of the batch and left out, and so are the attention scores.""",
    start=_training.total / (t * TOKEN),
    steps=[
        Equal(6 * r * c * FLOP / TOKEN, because="three matmuls of one size, shared by t tokens"),
        Put(
            r,
            N / (c * PARAMETER),
            because="W holds r·c of the N weights, and what holds for each holds for all",
        ),
        Equal(6 * N * _A_WEIGHT, because="c cancels"),
    ],
    facts=[
        Identity(
            6 * N * _A_WEIGHT,
            3 * forward.result,
            because="the backward pass is two more matmuls of the forward's size",
        ),
    ],
    examples=[Example({}, "45.03 GFLOP/token", model="llama-3-8b")],
    sources=["Kaplan et al., Scaling Laws for Neural Language Models, arXiv:2001.08361, section 2.1"],
)

training_checkpointed = Derivation(
    "F",
    "Operations of training with activation checkpointing, a token",
    unit="FLOP/token",
    about="Every layer keeps only its input, so the backward pass first runs the layer's forward pass again.",
    start=_checkpointed.total / (t * TOKEN),
    steps=[
        Equal(8 * r * c * FLOP / TOKEN, because="four matmuls of one size, shared by t tokens"),
        Put(
            r,
            N / (c * PARAMETER),
            because="W holds r·c of the N weights, and what holds for each holds for all",
        ),
        Equal(8 * N * _A_WEIGHT, because="c cancels"),
    ],
    facts=[
        Difference(_checkpointed, _training, 2 * t * r * c * FLOP, because="one forward pass more"),
        Identity(
            8 * N * _A_WEIGHT,
            Rational(4, 3) * training.result,
            because="a third more operations for the memory saved",
        ),
    ],
    examples=[Example({}, "60.04 GFLOP/token", model="llama-3-8b")],
)

attention_full = Derivation(
    "F",
    "Operations of attention without a mask, a token",
    unit="FLOP/token",
    about="What a counter that ignores causality sees, and what an encoder does.",
    start=_full,
    steps=[Equal(4 * L * T * d * FLOP / TOKEN, because="two matmuls of equal size")],
    examples=[Example({"T": 8192}, "4.295 GFLOP/token", model="llama-3-8b")],
)

attention = Derivation(
    "F",
    "Operations of causal attention, a token",
    unit="FLOP/token",
    about="""Scores and mixing in the forward pass, averaged over the T positions of a sequence; L layers, d is the
    width of all query heads together. The projections are weights and counted in 2N; the softmax is left out.""",
    start=_causal,
    steps=[
        Equal(2 * L * (T + 1) * d * FLOP / TOKEN, because="1 + 2 + … + T = T(T + 1)/2, over T positions"),
        Approx(2 * L * T * d * FLOP / TOKEN, error_at_most=1 / T, because="drop 1 beside T"),
    ],
    facts=[
        Identity(
            2 * (2 * L * T * d * FLOP / TOKEN),
            attention_full.result,
            because="the mask leaves half of the full square",
        ),
    ],
    choice=Choice("mask", "causal", {"full": attention_full}),
    examples=[
        Example({"T": 1024}, "18.87 MFLOP/token", model="gpt2-small"),
        Example({"T": 8192}, "2.147 GFLOP/token", model="llama-3-8b"),
        Example({"T": 8192, "d": 4096}, "67.11 MFLOP/token"),
    ],
)

attention_training = Derivation(
    "F",
    "Operations of causal attention in training, a token",
    unit="FLOP/token",
    about="Each of the two matmuls has two in the backward pass. Kernels that recompute S there do more.",
    start=_three,
    steps=[Equal(6 * L * T * d * FLOP / TOKEN, because="three equal parts")],
    facts=[
        Identity(6 * L * T * d * FLOP / TOKEN, 3 * attention.result, because="three times the forward pass"),
    ],
    examples=[Example({"T": 8192}, "6.442 GFLOP/token", model="llama-3-8b")],
)

_SHARE = L_all * T * d * PARAMETER / N

attention_share = Derivation(
    "q",
    "Operations of attention over those of the weights",
    unit="dimensionless",
    about="A share of the other part, not of the whole: causal attention beside the weights. The same in training.",
    start=attention.result.xreplace({L: L_all}) / forward.result,
    steps=[Equal(_SHARE, because="the 2 cancels")],
    facts=[
        Inequality(
            _SHARE,
            ">",
            x,
            where=x * N / (L_all * d * PARAMETER) < T,
            because="it grows without bound: long enough contexts exceed any x, for the weights cost the same",
        ),
        Identity(
            _SHARE,
            attention_training.result.xreplace({L: L_all}) / training.result,
            because="in training both are three times as large",
        ),
    ],
    examples=[
        Example({"T": 1024}, "7.639 percent", model="gpt2-small"),
        Example({"T": 131072}, "228.9 percent", model="llama-3-8b"),
    ],
)

attention_crossover = Derivation(
    "T",
    "Length at which attention costs as much as the weights",
    unit="dimensionless",
    start=T,
    steps=[
        Solve(
            T,
            attention_share.whole,
            1,
            gives=N / (L_all * d * PARAMETER),
            because="the share is set equal to 1",
        ),
    ],
    facts=[
        Inequality(
            attention_share.whole,
            ">",
            1,
            where=N / (L_all * d * PARAMETER) < T,
            because="beyond it attention is the larger part",
        ),
    ],
    examples=[Example({}, "57256", model="llama-3-8b")],
)

by_context = Table(
    "Operations a token by context",
    heading="model and context",
    about="Attention is causal. Its share is that of the other part: attention over weights.",
    columns=[
        Column("weights", "flops.forward", "GFLOP/token"),
        Column("attention", "flops.attention", "GFLOP/token"),
        Column("share", "flops.attention_share", "percent", digits=3),
    ],
    rows=[
        Row("GPT-2 small, T = 1024", {"T": 1024}, model="gpt2-small"),
        Row("Llama-3-8B, T = 2048", {"T": 2048}, model="llama-3-8b"),
        Row("Llama-3-8B, T = 8192", {"T": 8192}, model="llama-3-8b"),
        Row("Llama-3-8B, T = 131072", {"T": 131072}, model="llama-3-8b"),
    ],
)
