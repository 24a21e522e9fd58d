"""Powers that are too large to write out: 2^E for an E that somebody sets to a million.

Exact arithmetic spells every digit of a power, so its size is bounded before it
is computed.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy

_BITS = 8192


def oversized(formula: sympy.Basic, values: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Pow | None:
    """The innermost power with letters in its exponent that takes over 8192 bits at these values, or None."""
    for node in sympy.postorder_traversal(formula):
        if isinstance(node, sympy.Pow) and node.exp.free_symbols:
            base, exponent = (part.xreplace(values).doit() for part in node.args)
            if exponent.is_Rational and abs(exponent) * _bits(base) > _BITS:
                return node
    return None


def _bits(base: sympy.Expr) -> int:
    return max(int(base.p).bit_length(), int(base.q).bit_length()) if base.is_Rational else 64
