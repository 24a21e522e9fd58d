"""Columns that are powers of two, or a part that is fixed and one that grows with another column."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from derive.checking.causes import slip
from derive.checking.columns import Number
from derive.checking.evidence import agreement, information
from derive.checking.relation import Budget, Relation, Sheet
from derive.checking.terms import Bound, Term

_FEWEST, _MOST = 4, 24
_LONG = 3  # digits that a power of two must have to be none by accident


def relations(target: Term, given: Sheet, budget: Budget) -> Iterator[Relation]:
    """What a column is by itself, or by another one and two constants, if the rows bear it out."""
    found = _powers(target)
    if found is not None:
        yield found
    sources = [one for one in given.terms if one is not target and one.distinct >= _FEWEST]
    if target.distinct < _FEWEST or not budget.spend(len(sources) * _FEWEST):
        return
    for source in sources:
        found = _line(target, source, math.log2(len(sources)))
        if found is not None:
            yield found


def _powers(target: Term) -> Relation | None:
    """Powers of two, of which one has a wrong digit."""
    told = {row: number for row, number in enumerate(target.numbers) if number is not None}
    off = [row for row, number in told.items() if _power(number) is None]
    long = [
        number for number in told.values() if _power(number) is not None and len(_digits(number)) >= _LONG
    ]
    if len(off) != 1 or len(long) < _FEWEST - 1:
        return None
    wrong = told[off[0]]
    near = 2.0 ** round(math.log2(max(wrong.quantity.literal.value, 1.0)))
    if not slip(wrong.quantity.literal, near).startswith(("digits swapped", "one digit")):
        return None
    expected = near * wrong.quantity.factor(wrong.dimension)
    bits = sum(3.3 * len(_digits(number)) - 2.0 for number in long)
    return Relation(
        target,
        (),
        "a power of two",
        tuple(told),
        bits,
        off[0],
        lambda row: (expected, expected, expected),
        lambda row, index: 0.0,
        "one",
    )


def _digits(number: Number) -> str:
    return number.quantity.literal.digits.replace(",", "")


def _power(number: Number) -> int | None:
    """The exponent of a whole power of two, None for another number."""
    digits = _digits(number)
    whole = int(digits) if digits.isdigit() and len(digits) < 12 else 0
    return whole.bit_length() - 1 if whole and not whole & (whole - 1) else None


def _line(target: Term, source: Term, spent: float) -> Relation | None:
    """The straight line on which all rows lie, or all but one."""
    points = {
        row: (own[1], other[1])
        for row, (own, other) in enumerate(zip(target.rounded, source.bounds, strict=True))
        if own is not None and other is not None
    }
    if not _FEWEST <= len(points) <= _MOST:
        return None
    lines = [_through(target, source, points, *pair) for pair in combinations(list(points)[:_FEWEST], 2)]
    slope, start, right = max(lines, key=lambda one: len(one[2]))
    values = [points[row][0] for row in right]
    if len(right) < max(_FEWEST, len(points) - 1) or abs(start) < 0.05 * min(map(abs, values)):
        return None
    spread = max(values) - min(values)
    said = [
        min(agreement((own[2] - own[0]) / spread), information(number.quantity.literal.digits))
        for row in right
        if spread and (own := target.rounded[row]) is not None and (number := target.numbers[row]) is not None
    ]
    wrong = [row for row in points if row not in right]
    return Relation(
        target,
        (source,),
        "a fixed part and one that grows with {0}",
        tuple(points),
        sum(sorted(said)[:-2]) - spent,
        wrong[0] if wrong else None,
        _value(source, slope, start),
        lambda row, index: 0.0,
        "free",
    )


def _through(
    target: Term, source: Term, points: dict[int, tuple[float, float]], one: int, other: int
) -> tuple[float, float, Sequence[int]]:
    """The line through two rows: its slope, where it starts, and the rows on it within what their digits leave open."""
    (y, x), (v, u) = points[one], points[other]
    if x == u or y == v:
        return 0.0, 0.0, ()
    slope = (v - y) / (u - x)
    start = y - slope * x
    value = _value(source, slope, start)
    right = []
    for row in points:
        own, (low, _, high) = target.rounded[row], value(row)
        if own is not None and own[0] <= high and low <= own[2]:
            right.append(row)
    return slope, start, right


def _value(source: Term, slope: float, start: float) -> Callable[[int], Bound]:
    def value(row: int) -> Bound:
        low, mid, high = source.bounds[row] or (0.0, 0.0, 0.0)
        ends = start + slope * low, start + slope * high
        return min(ends), start + slope * mid, max(ends)

    return value
