"""What is kept, a row a tensor: the ledgers of the chapter `memory`."""

from __future__ import annotations

from typing import Any

from derive import BYTE, PARAMETER, Ledger, count, letters, quantity

T, e = letters.T, letters.e
N = quantity("N", "all parameters, those of every expert included", "parameter", filled_by="parameters.total")
g = quantity("g", "size of one stored gradient", "byte", role="convention.gradient")
L = count("L", "layers", role="model.layers", default=1)
H_kv = count("H_kv", "key-value heads", role="model.kv_heads")
B = count("B", "sequences")
mu = quantity("mu", "size of one element of a dropout mask", "byte", role="convention.mask_element")
s = count("s", "sequence length")
b = count("b", "sequences in a micro-batch")
h = count("h", "width of the residual stream", role="model.hidden")
a = count("a", "query heads", role="model.heads")
a_kv = count("a_kv", "key-value heads", role="model.kv_heads")
d_h = count("d_h", "head dimension", role="model.head_dim")
f = count("f", "inner width of the feed-forward block", role="model.ffn")

_Row = tuple[Any, ...]

_before_scores: list[_Row] = [
    ("attention LayerNorm output", "the input of the Q, K and V matmuls", e * s * b * h),
    ("Q and K", "for the gradient of QKᵀ", 2 * e * s * b * h),
]
_after_scores: list[_Row] = [
    ("V", "for the gradient of PV", e * s * b * h),
    ("attention output", "the input of the output projection", e * s * b * h),
    ("mask of the dropout after attention", mu * s * b * h),
    ("feed-forward LayerNorm output", "the input of the up-projection", e * s * b * h),
    ("GELU input", "4h wide", 4 * e * s * b * h),
    ("GELU output", "4h wide, the input of the down-projection", 4 * e * s * b * h),
    ("mask of the dropout after the block", mu * s * b * h),
    ("inputs of both LayerNorms", 2 * e * s * b * h),
]
_scores: list[_Row] = [
    ("softmax output P", "for the gradient of the softmax", e * a * s**2 * b),
    ("mask of the dropout on P", mu * a * s**2 * b),
    ("P after dropout", "for the gradient of PV", e * a * s**2 * b),
]
_log_sum_exp: _Row = ("log-sum-exp", "an fp32 a row of scores, to recompute P", 4 * a * b * s * BYTE)

gpt3 = Ledger(*_before_scores, *_scores, *_after_scores, title="everything kept")
flash = Ledger(*_before_scores, _log_sum_exp, *_after_scores, title="FlashAttention")
selective = Ledger(*_before_scores, *_after_scores, title="scores recomputed")
checkpoint = Ledger(("input of the layer", e * s * b * h), title="layer recomputed")

_swiglu_kept: list[_Row] = [
    ("inputs of both RMSNorms", 2 * e * s * b * h),
    ("attention RMSNorm output", "the input of the Q, K and V matmuls", e * s * b * h),
    ("Q", e * s * b * a * d_h),
    ("K", "fewer heads where queries share them", e * s * b * a_kv * d_h),
    ("V", e * s * b * a_kv * d_h),
    (
        "attention output",
        "the input of the output projection, and for the softmax's gradient",
        e * s * b * a * d_h,
    ),
    _log_sum_exp,
    ("feed-forward RMSNorm output", "the input of gate and up projection", e * s * b * h),
    ("gate g", "for the gradient of silu", e * s * b * f),
    ("up u", "for the gradient of the product", e * s * b * f),
    ("silu(g)·u", "the input of the down-projection", e * s * b * f),
]
swiglu = Ledger(*_swiglu_kept, title="SwiGLU, fused")
swiglu_plain = Ledger(
    *_swiglu_kept, ("silu(g)", "for the gradient of the product", e * s * b * f), title="SwiGLU, not fused"
)

mixed = Ledger(
    ("16-bit weights", 2 * N * BYTE / PARAMETER),
    ("gradients", N * g / PARAMETER),
    ("fp32 master weights", "small updates would round away in 16 bits", 4 * N * BYTE / PARAMETER),
    ("Adam's first moment m", "fp32", 4 * N * BYTE / PARAMETER),
    ("Adam's second moment v", "fp32", 4 * N * BYTE / PARAMETER),
    title="mixed precision",
)
autocast = Ledger(
    ("fp32 weights", 4 * N * BYTE / PARAMETER),
    ("fp32 gradients", 4 * N * BYTE / PARAMETER),
    ("Adam's m and v", "fp32", 8 * N * BYTE / PARAMETER),
    title="autocast",
)

cache = Ledger(
    ("keys", L * H_kv * d_h * T * B * e),
    ("values", L * H_kv * d_h * T * B * e),
)
