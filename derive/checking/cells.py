"""Cells held against what they should be, and columns put together with their bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from derive.checking.causes import UNKNOWN, by_ratio, slip
from derive.checking.claims import Claim, Verdict
from derive.checking.columns import Column, Number
from derive.checking.gates import of_text
from derive.checking.judging import value_in

_BAND = 0.03
_TIGHT = 0.006
_BIT = 0.125

Expected = Callable[[int, Number], Sequence[tuple[float, str]]]
"""What the number of a row may be, each with the calculation that gives it."""


def claim(
    number: Number,
    expected: float,
    low: float,
    high: float,
    rule: str,
    because: str,
    cause: str,
    band: float = _BAND,
    strict: bool = False,
) -> Claim:
    """A cell held against what it should be; strict: to the last digit, zeros at the end too."""
    value, slack = number.value, 0.0 if strict else number.slack
    gap = max(low - value - slack, value - slack - high, 0.0) / (abs(value) or 1.0)
    verdict: Verdict = "true" if gap <= 1e-9 else "unsure"
    if gap > band:
        verdict = "false"
        reason = of_text(number.cell, 0)
        if reason:
            verdict, cause = "unsure", reason
    return Claim(
        line=number.cell.line(0),
        text=number.text,
        verdict=verdict,
        expected=value_in(expected, number.quantity.literal, number.dimension),
        claimed=number.text,
        cause="" if verdict == "true" else cause,
        rule=rule,
        because=because,
        cell=number.cell.cell,
        place=number.place,
    )


def reach(number: Number) -> float:
    return number.slack / abs(number.value) if number.value else 0.0


def swapped(number: Number, value: float) -> bool:
    """Whether two neighbouring digits of a number stand the other way round in what it should be."""
    return slip(number.quantity.literal, value / number.quantity.factor(number.dimension)) == "digits swapped"


def bounds(number: Number) -> tuple[float, float, float]:
    half = 0.0 if is_count(number) else number.slack / 2
    return number.value - half, number.value, number.value + half


def is_count(number: Number) -> bool:
    """Whether a number counts things and so is exact: a whole one of few digits, bare, in bytes or bits."""
    digits = number.quantity.literal.digits
    plain = number.dimension in ((), (("byte", 1),)) and number.quantity.factor(number.dimension) in (1, _BIT)
    return plain and digits.isdigit() and len(digits) < 3 and not number.quantity.about


def quotient(sources: Sequence[Number]) -> tuple[float, float, float]:
    (a, b, c), (x, y, z) = bounds(sources[0]), bounds(sources[1])
    return (a / z, b / y, c / x) if x > 0 else (0.0, 0.0, 0.0)


def product(sources: Sequence[Number]) -> tuple[float, float, float]:
    (a, b, c), (x, y, z) = bounds(sources[0]), bounds(sources[1])
    return a * x, b * y, c * z


def total(sources: Sequence[Number]) -> tuple[float, float, float]:
    low, mid, high = (sum(ends) for ends in zip(*map(bounds, sources), strict=True))
    return low, mid, high


def same(sources: Sequence[Number]) -> tuple[float, float, float]:
    return bounds(sources[0])


def held(
    column: Column, expected: Expected, rule: str, band: float, least: int = 3, distinct: int = 2
) -> Iterator[Claim]:
    """The rows of a column if all of them, or all but one, are what they should be.

    expected: what a row's number may be, each with the calculation; none where nobody knows.
    least: how many rows must be right. distinct: how many different values they must have.
    """
    right: list[tuple[Number, float, str]] = []
    wrong: list[tuple[Number, float, str]] = []
    for row, number in enumerate(column.numbers):
        if number is None or number.value <= 0:
            continue
        options = [one for one in expected(row, number) if one[0] > 0]
        if not options:
            continue
        gaps = [abs(value - number.value) for value, _ in options]
        best = options[gaps.index(min(gaps))]
        if min(gaps) <= max(number.slack, _TIGHT * number.value):
            right.append((number, *best))
        elif min(gaps) > band * number.value or swapped(number, best[0]):
            wrong.append((number, *best))  # nearer ones may be rounded on the way, or a variant's
    if len(right) < least or len(wrong) > 1 or len({one[1] for one in right}) < distinct:
        return
    for number, value, because in right:
        yield replace(claim(number, value, value, value, rule, because, "", band), verdict="true")
    for number, value, because in wrong:
        named = by_ratio(number.value / value, reach(number))
        if swapped(number, value):
            named, band = "digits swapped", 0.0
        cause = "the other rows are right" if named == UNKNOWN else f"{named}; the other rows are right"
        yield claim(number, value, value, value, rule, because, cause, band)
