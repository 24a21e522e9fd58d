"""Utilization: the operations that a model needs, over those that its machines could have done.

Model FLOPs utilization (MFU) counts what training needs: forward and backward
pass through weights and attention. Hardware FLOPs utilization (HFU) counts what
is done, so recomputation comes on top and HFU is never below MFU. Both compare
with the dense peak, and neither can exceed 1: a larger value says that an input
is wrong.
"""

from __future__ import annotations

from derive import (
    FLOP,
    PARAMETER,
    TOKEN,
    AtLeast,
    Ceiling,
    Choice,
    Derivation,
    Difference,
    Equal,
    Example,
    Identity,
    Ledger,
    Limit,
    Put,
    count,
    letters,
    number,
    quantity,
)

T, P = letters.T, letters.P
N = quantity("N", "parameters that take part in matmuls", "parameter", filled_by="parameters.matmul")
L = count("L", "layers of the whole model", role="model.layers")
d = count("d", "query heads times head dimension", filled_by="parameters.attention_width")
rate = quantity("rate", "tokens trained a second, on all devices together", "token/s")
n = count("n", "devices")
r = number("r", "share of the forward pass that is recomputed", nonnegative=True)

_WEIGHTS = N * FLOP / (PARAMETER * TOKEN)
_SCORES = L * T * d * FLOP / TOKEN

_needed = Ledger(
    ("weights, forward", 2 * _WEIGHTS),
    ("weights, backward", "gradients of inputs and of weights", 4 * _WEIGHTS),
    ("attention, forward", "causal, the mean over positions", 2 * _SCORES),
    ("attention, backward", "two matmuls for each of the forward pass", 4 * _SCORES),
    title="needed in training",
)
_needed_full = Ledger(
    ("weights, forward", 2 * _WEIGHTS),
    ("weights, backward", "gradients of inputs and of weights", 4 * _WEIGHTS),
    ("attention, forward", "every query meets every key", 4 * _SCORES),
    ("attention, backward", "two matmuls for each of the forward pass", 8 * _SCORES),
    title="needed in training without a mask",
)
_done = Ledger(
    ("weights, forward", 2 * _WEIGHTS),
    ("weights, backward", "gradients of inputs and of weights", 4 * _WEIGHTS),
    ("attention, forward", "causal, the mean over positions", 2 * _SCORES),
    ("attention, backward", "two matmuls for each of the forward pass", 4 * _SCORES),
    ("weights, recomputed", 2 * r * _WEIGHTS),
    ("attention, recomputed", 2 * r * _SCORES),
    title="done in training with recomputation",
)

_CAUSES = (
    "the clock stopped before the device had finished (synchronize first)",
    "total parameters given for a mixture of experts, where active ones are due",
    "a tied embedding counted twice in N",
    "the peak of another precision or machine",
    "the tokens of all devices over the peak of one (n)",
)
_DONE_AT_MOST = "n devices do at most n·P operations a second"

mfu_full = Derivation(
    "U",
    "Model FLOPs utilization, attention counted without a mask",
    unit="dimensionless",
    about="6N + 12LTd a token, as the PaLM paper counts. Flatters causal models at long contexts.",
    start=_needed_full.total * rate / (n * P),
    steps=[
        Equal((6 * _WEIGHTS + 12 * _SCORES) * rate / (n * P), because="forward and backward pass added up")
    ],
    facts=[
        Ceiling(
            1, where=(6 * _WEIGHTS + 12 * _SCORES) * rate <= n * P, because=_DONE_AT_MOST, causes=_CAUSES
        ),
        Difference(
            _needed_full, _needed, 6 * _SCORES, because="the masked half of the scores is counted as well"
        ),
    ],
    examples=[
        Example(
            {
                "N": "70e9 parameter",
                "L": 80,
                "d": 8192,
                "T": 8192,
                "rate": "1000 token/s",
                "n": 1,
                "P": "989 TFLOP/s",
            },
            "48.981 percent",
        ),
    ],
    sources=["Chowdhery et al., PaLM, arXiv:2204.02311, appendix B"],
)

mfu = Derivation(
    "U",
    "Model FLOPs utilization",
    unit="dimensionless",
    about="""Operations that training needs, attention included and causal, over the dense peak of n devices in
    the same time. Recomputation, the optimizer, norms and the softmax are left out. N counts the parameters in
    matmuls, for a mixture of experts the active ones.""",
    start=_needed.total * rate / (n * P),
    steps=[
        Equal((6 * _WEIGHTS + 6 * _SCORES) * rate / (n * P), because="forward and backward pass added up")
    ],
    facts=[
        Ceiling(1, where=(6 * _WEIGHTS + 6 * _SCORES) * rate <= n * P, because=_DONE_AT_MOST, causes=_CAUSES),
        Limit(rate, 0, 0, because="idle machines do nothing"),
    ],
    choice=Choice("mask", "causal", {"full": mfu_full}),
    examples=[
        Example(
            {"N": "70e9 parameter", "L": 80, "d": 8192, "T": 8192, "rate": "1000 token/s", "n": 1},
            "45.724191579 percent",
            on="h100-sxm",
        ),
        Example(
            {"T": 8192, "rate": "80000 token/s", "n": 8}, "52.043 percent", on="h100-sxm", model="llama-3-8b"
        ),
    ],
    sources=["Chowdhery et al., PaLM, arXiv:2204.02311, appendix B"],
)

hfu = Derivation(
    "U",
    "Hardware FLOPs utilization",
    unit="dimensionless",
    about="""Operations that are done, recomputation included, over the dense peak of n devices. r is the share of
    the forward pass that is recomputed: 1 with full activation checkpointing.""",
    start=_done.total * rate / (n * P),
    steps=[
        Equal((6 + 2 * r) * (_WEIGHTS + _SCORES) * rate / (n * P), because="the recomputed share joins"),
        Put(r, 1, because="with full checkpointing every layer runs forward twice"),
        Equal((8 * _WEIGHTS + 8 * _SCORES) * rate / (n * P), because="6 + 2"),
    ],
    facts=[
        Ceiling(1, where=(8 * _WEIGHTS + 8 * _SCORES) * rate <= n * P, because=_DONE_AT_MOST, causes=_CAUSES),
        AtLeast(mfu, because="what is recomputed comes on top of what is needed"),
        Identity(
            (6 + 2 * r) * (_WEIGHTS + _SCORES) * rate / (n * P),
            (1 + r / 3) * mfu.result,
            because="the forward pass is a third of what is needed, so HFU is MFU with r/3 of it on top",
        ),
        Difference(_done, _needed, 2 * r * (_WEIGHTS + _SCORES), because="what is recomputed"),
    ],
    examples=[
        Example(
            {"N": "70e9 parameter", "L": 80, "d": 8192, "T": 8192, "rate": "1000 token/s", "n": 1},
            "60.965588772 percent",
            on="h100-sxm",
        ),
        Example(
            {
                "N": "70e9 parameter",
                "L": 80,
                "d": 8192,
                "T": 8192,
                "rate": "1000 token/s",
                "n": 1,
                "r": "0.25",
            },
            "49.534540878 percent",
            on="h100-sxm",
        ),
    ],
    sources=["Chowdhery et al., PaLM, arXiv:2204.02311, section 4.1"],
)
