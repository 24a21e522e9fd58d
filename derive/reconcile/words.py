"""What people call the choices of the conventions when they explain a difference with them."""

from __future__ import annotations

_CALLED = {
    ("sparsity", "2:4"): "2:4 sparsity",
    ("sparsity", "dense"): "dense peak",
    ("mask", "full"): "causal mask ignored",
    ("mask", "causal"): "causal mask counted",
    ("capacity", "binary"): "capacity in GiB",
    ("capacity", "decimal"): "capacity in GB",
    ("embedding", "lookup"): "embedding looked up",
    ("embedding", "whole"): "embedding counted whole",
    ("tied", "tied"): "tied embedding, counted once",
    ("tied", "untied"): "tied embedding counted twice",
    ("mask_bytes", "1"): "1-byte masks",
    ("mask_bytes", "2"): "2-byte masks",
    ("gradients", "16-bit"): "16-bit gradients",
    ("gradients", "fp32"): "fp32 gradients",
    ("swiglu", "plain"): "SwiGLU not fused",
    ("swiglu", "fused"): "SwiGLU fused",
    ("logits", "with-gradient"): "gradient of the logits counted",
    ("logits", "once"): "logits counted once",
}


def called(convention: str, choice: str) -> str:
    """A choice in words, with the convention's name behind it: "2-byte masks (mask_bytes)"."""
    words = _CALLED.get((convention, choice), choice)
    return f"{words} ({convention})"
