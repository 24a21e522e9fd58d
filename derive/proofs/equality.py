"""Equality of two expressions.

Rational functions: a − b brought over one denominator and cancelled is 0 exactly
when they are equal, so the method is complete there. Max, Min, floor and the
like are compared argument by argument in normal form. Sums are evaluated first; the
point at which a geometric series has a form of its own is a removable one, as 0/0 is.
What is left is simplified; when that does not reach 0, it is shown that neither
side is above the other, or the statement is refuted by a point or stays
undecided. To debug: print `normal(a)` and `normal(b)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import sympy
from sympy.core.relational import Relational

from derive.proofs.points import Point, points, sign_at
from derive.proofs.signs import backward_sum, holds_by_signs
from derive.proofs.verdict import Verdict, proved, refuted, shown, undecided
from derive.total import expanded

_FIRST = 3  # points tried before the algebra, which is slower to see that a statement is false
_OPAQUE = (sympy.Max, sympy.Min, sympy.floor, sympy.ceiling, sympy.log, sympy.exp)


def prove_equal(left: sympy.Expr, right: sympy.Expr, conditions: Sequence[Relational] = ()) -> Verdict:
    """Whether left = right for all positive values of the letters (that meet the conditions)."""
    backwards = backward_sum((left, right), conditions)
    if backwards is not None:
        return backwards
    difference = without_removable(expanded(left - right).doit())
    tried = points(_ordered(left, right, *conditions), conditions, (left, right))
    first = list(islice(tried, _FIRST))
    if not first:
        region = " and ".join(map(shown, conditions))
        return undecided(f"no values of the letters were found where {region}: is it empty?")
    against = _counterexample(difference, first)
    if against is None:
        regional = (
            bool(conditions) and not difference.is_rational_function()
        )  # powers need the region's signs
        if regional and _level(difference, conditions):
            return proved("neither side is above the other")
        if is_zero(difference) or is_zero(normal(left) - normal(right)):
            return proved("both sides have the same normal form")
        if not regional and _level(difference, conditions):
            return proved("neither side is above the other")
        against = _counterexample(difference, tried)
    if against is None:
        return undecided("no normal form shows it and no sample point refutes it")
    sides = [shown(_plain(expanded(side).doit().xreplace(against))) for side in (left, right)]
    return refuted(f"{shown(left)} is {sides[0]} and {shown(right)} is {sides[1]}", _named(against))


def _level(difference: sympy.Expr, conditions: Sequence[Relational]) -> bool:
    return all(holds_by_signs(gap, conditions) for gap in (difference, -difference))


def _counterexample(difference: sympy.Expr, tried: Iterable[Point]) -> Point | None:
    """The first point at which the difference is not zero."""
    return next((point for point in tried if sign_at(difference, point) in (-1, 1)), None)


def without_removable(flat: sympy.Expr) -> sympy.Expr:
    """Each formula with one exceptional point replaced by what holds beside it, where that tends to it there.

    SymPy adds up 1 + a + … + aᵏ to k + 1 where a = 1 and (1 − aᵏ⁺¹)/(1 − a) elsewhere.
    """

    def beside(node: sympy.Piecewise) -> sympy.Expr:
        (exceptional, point), (general, rest) = node.args
        if point.lhs.is_Symbol and rest == sympy.true:
            near = sympy.limit(general, point.lhs, point.rhs)
            if sympy.simplify(near - exceptional) == 0:
                return general
        return node

    return flat.replace(
        lambda node: (
            isinstance(node, sympy.Piecewise)
            and len(node.args) == 2
            and isinstance(node.args[0].cond, sympy.Eq)
        ),
        beside,
    )


def is_zero(expression: sympy.Expr) -> bool:
    """Whether the expression is 0 by algebra alone. False means only that this did not show it."""
    flat = without_removable(expanded(expression).doit())
    if flat == 0:
        return True
    opened, hidden = _hide(flat)
    top = sympy.cancel(sympy.together(opened))
    if top == 0:
        return True
    if hidden or top.is_rational_function():
        return False
    return bool(sympy.simplify(top) == 0)


def is_multiple(expression: sympy.Expr, of: sympy.Expr) -> bool:
    """Whether the expression is the other one times a product of letters, units and a positive number."""
    if is_zero(expression - of):
        return True
    if of == 0:
        return False
    ratio = normal(expression) / normal(of)
    factors = sympy.Mul.make_args(sympy.cancel(sympy.together(ratio)))
    return all(
        factor.as_base_exp()[0].is_Symbol or (factor.is_positive and factor.is_number) for factor in factors
    )


def normal(expression: sympy.Expr) -> sympy.Expr:
    """One form for equal rational functions, with the arguments of Max, floor … in that form too."""
    flat = without_removable(expanded(expression).doit())
    if isinstance(flat, _OPAQUE):
        return flat.func(*(normal(argument) for argument in flat.args))
    opened, hidden = _hide(flat)
    return sympy.cancel(sympy.together(opened)).xreplace({mark: node for node, mark in hidden.items()})


def _hide(flat: sympy.Expr) -> tuple[sympy.Expr, dict[Any, Any]]:
    """The expression with each Max, floor … replaced by a mark, equal ones by the same mark."""
    hidden: dict[Any, Any] = {}

    def mark(node: sympy.Expr) -> sympy.Expr:
        key = node.func(*(normal(argument) for argument in node.args))
        if not isinstance(key, _OPAQUE):
            return key
        return hidden.setdefault(key, sympy.Dummy(positive=node.is_positive))

    def walk(node: Any) -> Any:
        if isinstance(node, _OPAQUE):
            return mark(node)
        if not node.args or not isinstance(node, sympy.Expr):
            return node
        return node.func(*(walk(argument) for argument in node.args))

    return walk(flat), hidden


def _ordered(*expressions: sympy.Basic) -> list[sympy.Symbol]:
    """The letters of all of them; those that cancel in a difference have a value in a counterexample too."""
    return sorted(set().union(*(one.free_symbols for one in expressions)), key=lambda s: s.name)


def _plain(value: sympy.Expr) -> sympy.Expr:
    return value if value.is_Rational else value.evalf(6)


def _named(point: dict[Any, Any]) -> dict[Any, Any]:
    from derive.symbols import UnitSymbol

    return {symbol: value for symbol, value in point.items() if not isinstance(symbol, UnitSymbol)}
