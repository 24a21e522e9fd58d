"""What is too large to compute exactly: 2^E for an E that somebody sets to a million, a sum of a billion terms.

Exact arithmetic spells every digit of a power and adds a sum term by term where
it has no closed form, so their size is bounded before they are computed.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy

_BITS = 8192
_ROOT_BITS = 1024
_SMALL = 16
_TERMS = 100_000
_DIGITS = 40
_ROOT = 6


def oversized(
    formula: sympy.Basic, values: Mapping[sympy.Symbol, sympy.Expr], *, exactly: bool = False
) -> sympy.Pow | None:
    """The innermost power with letters in its exponent that takes over 8192 bits at these values, or None.

    exactly: whether the power is to be written out; for the exponent p/q that is a root of the power p,
    which SymPy factors, so that it has 1024 bits at most.
    """
    for node in sympy.postorder_traversal(formula):
        if isinstance(node, sympy.Pow) and (node.exp.free_symbols or abs(node.exp) > _SMALL):
            base, exponent = (value(part, values) for part in node.args)
            if not exponent.is_Rational:
                continue
            root = exactly and not exponent.is_Integer
            if abs(exponent.p if root else exponent) * _bits(base) > (_ROOT_BITS if root else _BITS):
                return node
    return None


def value(formula: sympy.Expr, values: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """A formula at these values: exactly, or to 40 digits where a letter's exponent is a fraction there.

    SymPy would write 7^0.3478 as a root of 7^1739: no number that anybody reads.
    """
    if fractional(formula, values):
        return formula.evalf(_DIGITS, subs=dict(values))
    return formula.xreplace(values).doit()


def fractional(formula: sympy.Basic, values: Mapping[sympy.Symbol, sympy.Expr]) -> bool:
    """Whether an exponent is a fraction at these values: one that a letter made, or a root above the sixth."""
    powers = ((node.exp, node.exp.xreplace(values).doit()) for node in formula.atoms(sympy.Pow))
    return any(
        there.is_Rational and not there.is_Integer and (bool(exponent.free_symbols) or there.q > _ROOT)
        for exponent, there in powers
    )


def refused_sum(formula: sympy.Basic, values: Mapping[sympy.Symbol, sympy.Expr]) -> str | None:
    """Why a sum has no value at these values: it runs backwards, or over too many terms. None where all do."""
    for one in formula.atoms(sympy.Sum, sympy.Product):
        for index, *ends in one.limits:
            first, last = (end.xreplace(values).doit() for end in ends)
            if not (first.is_Rational and last.is_Rational):
                continue
            where = f"the sum over {index.name} from {first} to {last}"
            if last < first - 1:
                return f"{where} runs backwards"
            if not (last - first).is_Integer:
                return f"{where} has no whole number of terms"
            closed = one.doit()  # with a function in it (harmonic numbers) it is no shorter
            if oversized(closed, values) or (
                last - first > _TERMS
                and (closed.has(sympy.Sum, sympy.Product) or closed.atoms(sympy.Function))
            ):
                return f"{where} is too long to add up"
    return None


def _bits(base: sympy.Expr) -> int:
    return max(int(base.p).bit_length(), int(base.q).bit_length()) if base.is_Rational else 64
