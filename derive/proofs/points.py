"""Exact rational points at which a statement can be refuted.

The points are fixed, not random, so that a refutation is the same at every run:
small coprime values first (they make the plainest counterexamples), then mixed
magnitudes, then extremes, where a bound that is nearly right gives way. Where a
region is named, each point is also moved to the region's edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy
from sympy.core.relational import Relational

from derive.powers import oversized
from derive.symbols import Letter, UnitSymbol

Point = dict[sympy.Symbol, sympy.Rational]

_SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
_WIDE = (
    1,
    2,
    1000,
    sympy.Rational(1, 3),
    64,
    10**6,
    sympy.Rational(3, 1000),
    10**9,
    sympy.Rational(1, 10**6),
    7,
)
_MILD = tuple(sympy.Rational(*one) for one in ((1, 1), (2, 1), (1, 2), (3, 1), (2, 3), (5, 1), (3, 2)))
_ROUNDS = 160
_EDGE_ROUNDS = 60
_TERMS = 1000
_DIGITS = 60


def points(
    letters: Sequence[sympy.Symbol],
    conditions: Sequence[Relational] = (),
    of: Sequence[sympy.Basic] = (),
) -> Iterator[Point]:
    """Points of the region, each giving every symbol a rational of its domain; their number is bounded.

    of: the formulas that they are meant for. What stands in an exponent there stays small.
    """
    exponents = {
        symbol
        for one in (*of, *conditions)
        for node in one.atoms(sympy.Pow)
        for symbol in node.exp.free_symbols
    }
    symbols = [s for s in letters if not isinstance(s, UnitSymbol)]
    units_as_one = {s: sympy.Integer(1) for s in letters if isinstance(s, UnitSymbol)}
    edges = [edge for condition in conditions for edge in _edges(condition, symbols)]
    for turn in range(_ROUNDS):
        point: Point = dict(units_as_one)
        for index, symbol in enumerate(symbols):
            point[symbol] = _value(symbol, index, turn, symbol in exponents)
        if all(holds(condition, point) for condition in conditions):
            yield point
        if turn < _EDGE_ROUNDS:
            yield from _at_the_edge(point, edges, conditions)


def _edges(
    condition: Relational, symbols: Sequence[sympy.Symbol]
) -> Iterator[tuple[sympy.Symbol, sympy.Expr]]:
    """Each letter in which the condition is linear, and its value on the condition's boundary."""
    top = sympy.fraction(sympy.together(condition.lhs - condition.rhs))[0]
    for symbol in symbols:
        if (line := line_in(top, symbol)) is not None:
            slope, constant = line
            yield symbol, -constant / slope


def line_in(expression: sympy.Expr, symbol: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr] | None:
    """Slope and constant of an expression that is linear in the symbol, else None."""
    if not (expression.has(symbol) and expression.is_polynomial(symbol)):
        return None
    polynomial = sympy.Poly(expression, symbol)
    if polynomial.degree() != 1:
        return None
    slope, constant = polynomial.all_coeffs()
    return slope, constant


def _at_the_edge(
    point: Point, edges: Sequence[tuple[sympy.Symbol, sympy.Expr]], conditions: Sequence[Relational]
) -> Iterator[Point]:
    """The point with one letter moved onto, or just inside, the boundary of a condition."""
    for symbol, boundary in edges:
        root = boundary.xreplace(point)
        if not (root.is_Rational and root > 0):
            continue
        least = symbol.at_least if isinstance(symbol, Letter) else 0
        for nudge in (1, sympy.Rational(1001, 1000), sympy.Rational(999, 1000)):
            moved = {**point, symbol: root * nudge}
            if (
                moved[symbol] >= least
                and _within(symbol, moved[symbol])
                and all(holds(one, moved) for one in conditions)
            ):
                yield moved
                break


def _within(symbol: sympy.Symbol, value: sympy.Rational) -> bool:
    return not isinstance(symbol, Letter) or symbol.at_most is None or bool(value <= symbol.at_most)


def _value(symbol: sympy.Symbol, index: int, turn: int, exponent: bool) -> sympy.Rational:
    if turn < 12:
        value = sympy.Integer(_SMALL[(index * (turn // 6 * 2 + 1) + turn) % len(_SMALL)])
    elif exponent:
        value = _MILD[(turn * (index + 1) + index) % len(_MILD)]
    elif turn < 22:
        value = sympy.Integer(1) if (turn - 12) % (index + 2) else sympy.Integer(10 ** (turn - 12))
    else:
        value = sympy.Rational(
            _WIDE[(turn * (2 * index + 1) + turn // 10 * (index + 3) + index) % len(_WIDE)]
        )
    if not symbol.is_positive and turn % 4 == 3:  # a letter that may be 0 or below
        return sympy.Integer(0) if symbol.is_nonnegative or turn % 8 == 3 else -value
    least, most = (symbol.at_least, symbol.at_most) if isinstance(symbol, Letter) else (0, None)
    if most is not None and value > most:
        return sympy.Rational(most) / value  # 2, 3, 5 … of a share are its half, third, fifth
    return sympy.Max(value, least) if value < least else value


def holds(condition: Relational, point: Point) -> bool:
    """Whether a condition holds at a point; a condition that does not decide there does not hold."""
    sides = [side.xreplace(point) for side in condition.args]
    if any(side.has(sympy.zoo, sympy.nan) or side.is_real is False for side in sides):
        return False
    return bool(condition.func(*sides) == sympy.true)


def value_at(expression: sympy.Expr, point: Point) -> sympy.Expr | None:
    """The exact value at a point, or None: a zero below, a branch without value, a power too large to write."""
    if oversized(expression, point, exactly=True) is not None:
        return None
    placed = expression.xreplace(point)
    if not all(_summable(sums) for sums in placed.atoms(sympy.Sum, sympy.Product)):
        return None
    value = placed.doit()
    if value.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo) or value.free_symbols:
        return None
    return value


def _summable(sums: sympy.Sum | sympy.Product) -> bool:
    """Whether a sum runs over whole numbers, and few enough to add up."""
    return all(
        first.is_Integer and last.is_Integer and abs(last - first) <= _TERMS for _, first, last in sums.limits
    )


def sign_at(expression: sympy.Expr, point: Point) -> int | None:
    """−1, 0 or 1: the sign at a point, decided exactly or to 60 digits; None where there is none."""
    value = value_at(expression, point)
    if value is None:
        return None
    if value.is_Rational:
        return int(sympy.sign(value))
    close = value.evalf(_DIGITS)
    if not close.is_Float or not value.is_real:
        return None
    if abs(close) > sympy.Float("1e-40", _DIGITS):
        return 1 if close > 0 else -1
    return 0 if value.equals(0) else None
