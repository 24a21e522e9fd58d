"""Limits of formulas.

A rational function's limit at 0⁺ or ∞ is read off the leading terms of numerator
and denominator. Max and Min are continuous, so their limit is the Max or Min of
their branches' limits, and ∞ counts as a value on the way (min(P, I·W) → P).
A power with the letter in its exponent tends to 0 or ∞ where its base is shown to lie
below or above 1. Sums and products of these follow the same rule as long as no ∞ − ∞ or
0·∞ arises. Anything else goes to SymPy's Gruntz algorithm.
"""

from __future__ import annotations

import sympy

from derive.proofs.equality import is_zero, prove_equal
from derive.proofs.signs import holds_by_signs, one_sign
from derive.proofs.verdict import Verdict, proved, refuted, shown, undecided
from derive.total import expanded


def prove_limit(expression: sympy.Expr, letter: sympy.Symbol, to: sympy.Expr, claimed: sympy.Expr) -> Verdict:
    """Whether the expression tends to `claimed` as the letter tends to `to`: ∞, 0 from above, or a number."""
    found = limit_of(expression, letter, to)
    if found is None:
        return undecided(f"the limit of {shown(expression)} at {letter.name} → {_point(to)} was not found")
    if found == claimed or (found.is_finite is not False and is_zero(found - claimed)):
        return proved(f"the leading terms at {letter.name} → {_point(to)} leave {shown(claimed)}")
    if found.has(sympy.oo, -sympy.oo) or claimed.has(sympy.oo, -sympy.oo):
        return refuted(f"at {letter.name} → {_point(to)} the limit is {_point(found)}, not {_point(claimed)}")
    compared = prove_equal(found, claimed)
    if compared.outcome == "proved":
        return proved(f"the leading terms at {letter.name} → {_point(to)} leave {shown(claimed)}")
    if compared.outcome == "refuted":
        return Verdict(
            "refuted",
            f"at {letter.name} → {_point(to)} the limit is {shown(found)}, not {shown(claimed)}: they differ",
            compared.counterexample,
        )
    return undecided(f"the limit {shown(found)} was not shown to equal {shown(claimed)}")


def limit_of(expression: sympy.Expr, letter: sympy.Symbol, to: sympy.Expr) -> sympy.Expr | None:
    """The limit from the positive side, ∞ included, or None where these rules do not find it."""
    found = _limit(expression, letter, to)
    if found is None or found in (sympy.oo, -sympy.oo):
        return found
    # ∞·(a − b) or sign(log a)·∞ say only that the sign was not known
    unknown = found.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan, sympy.sign, sympy.Limit, sympy.AccumBounds)
    return None if unknown else found


def _limit(expression: sympy.Expr, letter: sympy.Symbol, to: sympy.Expr) -> sympy.Expr | None:
    flat = expanded(expression).doit()
    if not flat.has(letter):
        return flat
    if flat.is_rational_function(letter):
        return _rational(flat, letter, to)
    if isinstance(flat, sympy.Max | sympy.Min):
        branches = [limit_of(argument, letter, to) for argument in flat.args]
        return None if any(branch is None for branch in branches) else flat.func(*branches)
    if isinstance(flat, sympy.Pow) and not flat.base.has(letter):
        return _exponential(flat, letter, to)
    if isinstance(flat, sympy.Add | sympy.Mul) and (
        flat.has(sympy.Max, sympy.Min) or (to == sympy.oo and _has_exponential(flat, letter))
    ):
        parts = [limit_of(argument, letter, to) for argument in flat.args]
        if any(part is None for part in parts):
            return None
        return flat.func(*parts)
    if flat.has(sympy.Max, sympy.Min, sympy.Piecewise, sympy.floor, sympy.ceiling):
        return None
    try:
        return sympy.limit(flat, letter, to, dir="+")
    except NotImplementedError:  # Gruntz needs a sign that the letters do not have
        return None


def _has_exponential(flat: sympy.Expr, letter: sympy.Symbol) -> bool:
    return any(power.exp.has(letter) and not power.base.has(letter) for power in flat.atoms(sympy.Pow))


def _exponential(flat: sympy.Expr, letter: sympy.Symbol, to: sympy.Expr) -> sympy.Expr | None:
    """The limit of a constant to a power that depends on the letter."""
    base, power = flat.base, limit_of(flat.exp, letter, to)
    if power not in (sympy.oo, -sympy.oo):
        return None if power is None else base**power
    if holds_by_signs(base, strict=True) and holds_by_signs(1 - base, strict=True):
        return sympy.Integer(0) if power == sympy.oo else sympy.oo
    if holds_by_signs(base - 1, strict=True):
        return sympy.oo if power == sympy.oo else sympy.Integer(0)
    return None


def _rational(flat: sympy.Expr, letter: sympy.Symbol, to: sympy.Expr) -> sympy.Expr | None:
    top, bottom = (sympy.Poly(part, letter) for part in sympy.fraction(sympy.cancel(sympy.together(flat))))
    if to not in (sympy.oo, 0):
        below = bottom(to)
        return None if is_zero(below) else sympy.cancel(top(to) / below)
    pick = max if to == sympy.oo else min
    above, below = (pick(part.monoms())[0] for part in (top, bottom))
    ratio = sympy.cancel(top.coeff_monomial(letter**above) / bottom.coeff_monomial(letter**below))
    order = above - below if to == sympy.oo else below - above
    if order == 0:
        return ratio
    if order < 0:  # not where the leading term below may vanish: n/((a − b)n² + 1) at a = b
        return sympy.Integer(0) if one_sign(bottom.coeff_monomial(letter**below)) else None
    if ratio.is_positive:
        return sympy.oo
    return -sympy.oo if ratio.is_negative else None


def _point(value: sympy.Expr) -> str:
    return {sympy.oo: "∞", sympy.Integer(0): "0⁺"}.get(value) or shown(value)
