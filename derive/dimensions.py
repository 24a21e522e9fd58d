"""The unit of an expression, read off its tree in one walk.

Sums, Max and Min need one dimension in all their terms; products and powers
combine dimensions; functions take and give plain numbers. Zero fits anywhere.
SymPy cancels before anyone can look (F − F is 0), so the walk runs where a row
or link is declared, on what was declared, and not only on results.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

import units
from derive.errors import DimensionError
from derive.symbols import Letter, UnitSymbol, without_units
from derive.total import Total
from units import Dimension

PLAIN: Dimension = ()
_KEEPS = (sympy.Max, sympy.Min, sympy.Abs)
_PLAIN_ONLY = (sympy.floor, sympy.ceiling, sympy.exp, sympy.log)


def dimension_of(expression: sympy.Basic) -> Dimension:
    """The dimension of an expression.

    Raises DimensionError where two terms of a sum clash, an exponent bears a
    unit, or a symbol is neither a letter nor a unit.
    """
    found = _walk(expression)
    return PLAIN if found is None else found


def require(expression: sympy.Basic, unit: str, where: str) -> None:
    """Raise DimensionError unless the expression has the dimension of `unit`; `where` names it for the reader."""
    try:
        found = _walk(expression)
    except DimensionError as error:
        raise DimensionError(f"{where}: {error}") from error
    if found is not None and found != units.dimension_of(unit):
        raise DimensionError(f"{where}: {_show(expression)} is {dimension_text(found)}, where {unit} is due")


def dimension_text(dimension: Dimension) -> str:
    """A dimension as a reader writes it: "FLOP/byte", "byte/s"; "a plain number" for none."""
    if not dimension:
        return "a plain number"
    short = {"second": "s", "dollar": "USD"}
    above = [_powered(short.get(base, base), power) for base, power in dimension if power > 0]
    below = [_powered(short.get(base, base), -power) for base, power in dimension if power < 0]
    text = "·".join(above) or "1"
    if below:
        text += "/" + ("·".join(below) if len(below) == 1 else f"({'·'.join(below)})")
    return text


def _powered(base: str, power: Fraction) -> str:
    return base if power == 1 else f"{base}^{power}"


def _walk(node: sympy.Basic) -> Dimension | None:
    """The dimension, or None for zero, infinity and nan, which fit any."""
    if isinstance(node, Letter | UnitSymbol):
        return units.dimension_of(node.unit)
    if node.is_Number or isinstance(node, sympy.NumberSymbol):
        return None if node in (sympy.S.Zero, sympy.oo, -sympy.oo, sympy.nan) else PLAIN
    if isinstance(node, sympy.Symbol):
        return PLAIN  # the index of a sum
    if isinstance(node, sympy.Mul):
        return _product(node)
    if isinstance(node, sympy.Pow):
        return _power(node)
    if isinstance(node, (sympy.Add, Relational, Total, *_KEEPS)):
        return _same(node.args, node)
    if isinstance(node, _PLAIN_ONLY):
        for argument in node.args:
            if _walk(argument):
                raise DimensionError(
                    f"{node.func.__name__}({_show(argument)}): its argument must be a plain number"
                )
        return PLAIN
    if isinstance(node, sympy.Sum | sympy.Product):
        return _series(node)
    if isinstance(node, sympy.Piecewise):
        for branch in node.args:
            if isinstance(branch.cond, Relational):
                _walk(branch.cond)
        return _same([branch.expr for branch in node.args], node)
    name = node.func.__name__ if isinstance(node, AppliedUndef) else type(node).__name__
    raise DimensionError(
        f"{name} has no rule for its unit: write it with +, ×, powers, Max, Min, floor or Sum"
    )


def _product(node: sympy.Mul) -> Dimension | None:
    powers: dict[str, Fraction] = {}
    open_powers = [one for one in node.args if isinstance(one, sympy.Pow) and not one.exp.is_Rational]
    if len(open_powers) > 1:  # SymPy writes (C/FLOP)^β as C^β·FLOP^(−β)
        powers |= _open_powers(open_powers)
    else:
        open_powers = []
    for argument in (one for one in node.args if one not in open_powers):
        found = _walk(argument)
        if found is None:
            return None
        for base, power in found:
            powers[base] = powers.get(base, Fraction(0)) + power
    return tuple(sorted((base, power) for base, power in powers.items() if power))


def _open_powers(factors: list[sympy.Pow]) -> dict[str, Fraction]:
    """The dimension of a product of powers with letters in their exponents, where those leave numbers."""
    totals: dict[str, sympy.Expr] = {}
    for factor in factors:
        if _walk(factor.exp):
            _power(factor)  # says what is wrong
        for base, power in _walk(factor.base) or ():
            totals[base] = (
                totals.get(base, 0) + sympy.Rational(power.numerator, power.denominator) * factor.exp
            )
    left = {base: sympy.cancel(sympy.together(total)) for base, total in totals.items()}
    if not all(total.is_Rational for total in left.values()):
        for factor in factors:
            _power(factor)
    return {base: Fraction(int(total.p), int(total.q)) for base, total in left.items()}


def _power(node: sympy.Pow) -> Dimension | None:
    base, exponent = node.args
    if _walk(exponent):
        raise DimensionError(
            f"the exponent {_show(exponent)} bears a unit; an exponent must be a plain number"
        )
    found = _walk(base)
    if not found:
        return found
    if not exponent.is_Rational:
        raise DimensionError(
            f"{_show(base)} bears a unit and is raised to {_show(exponent)}, which is no number"
        )
    power = Fraction(int(exponent.p), int(exponent.q))
    return tuple((name, old * power) for name, old in found)


def _series(node: sympy.Sum | sympy.Product) -> Dimension | None:
    """A sum has the unit of its terms; a product takes plain numbers only; both run over plain numbers."""
    for bound in (end for limits in node.limits for end in limits[1:]):
        if _walk(bound):
            raise DimensionError(f"{_show(bound)} bears a unit; a sum must run over plain numbers")
    found = _walk(node.function)
    if found and isinstance(node, sympy.Product):
        raise DimensionError(f"{_show(node.function)} bears a unit; a Product takes plain numbers")
    return found


def _same(terms: list[sympy.Basic] | tuple[sympy.Basic, ...], whole: sympy.Basic) -> Dimension | None:
    first: tuple[sympy.Basic, Dimension] | None = None
    for term in terms:
        found = _walk(term)
        if found is None:
            continue
        if first is None:
            first = term, found
        elif found != first[1]:
            verb = {"Max": "compared", "Min": "compared"}.get(type(whole).__name__, "added")
            if isinstance(whole, Relational):
                verb = "compared"
            raise DimensionError(
                f"{_show(first[0])} is {dimension_text(first[1])} and {_show(term)} is {dimension_text(found)}: "
                f"they cannot be {verb}"
            )
    return first[1] if first else None


def _show(expression: sympy.Basic) -> str:
    shown = without_units(expression) if isinstance(expression, sympy.Expr) else expression
    text: str = sympy.sstr(shown)
    return text if len(text) <= 80 else text[:77] + "…"
