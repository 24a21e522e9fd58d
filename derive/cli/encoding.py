"""Output in encodings that lack letters: what cannot be written is written in ASCII, never an error."""

from __future__ import annotations

import codecs
from typing import TextIO

_ASCII = {
    "→": "->", "≈": "~", "≤": "<=", "≥": ">=", "∞": "oo", "×": "x", "⋅": "*", "·": "*", "−": "-", "–": "-", "—": "-",
    "…": "...", "√": "sqrt", "∑": "sum", "∂": "d", "λ": "lambda", "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta",
    "ε": "epsilon", "η": "eta", "μ": "mu", "µ": "u", "ρ": "rho", "σ": "sigma", "τ": "tau", "Δ": "Delta", "Σ": "Sum",
    "⁰": "^0", "¹": "^1", "²": "^2", "³": "^3", "⁴": "^4", "⁵": "^5", "⁶": "^6", "⁷": "^7", "⁸": "^8", "⁹": "^9",
    "⁺": "+", "⁻": "^-", "ᵀ": "^T", "ₖ": "_k", "ᵣ": "_r", "₀": "_0", "├": "|", "└": "`", "‘": "'", "’": "'",
    "“": '"', "”": '"', "─": "-", "━": "-", "│": "|", "\u00a0": " ",
}  # fmt: skip


def make_safe(stream: TextIO | None) -> None:
    """Let a stream write any text: → as ->, ² as ^2, and anything else that it lacks as ?."""
    codecs.register_error("derive", _readable)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="derive")


def is_unicode(stream: TextIO) -> bool:
    """Whether a stream can show any letter."""
    return (getattr(stream, "encoding", None) or "ascii").lower().startswith("utf")


def _readable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_ASCII.get(letter, "?") for letter in error.object[error.start : error.end]), error.end
