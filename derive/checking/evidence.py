"""Evidence in bits: how much the rows of a table say for a relation, and how much the search for it has spent.

A printed number of three digits agrees by accident with an unrelated one about once in three hundred times: agreeing
it says some eight bits for the relation. A relation that was found among a hundred has spent seven of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from derive.checking.causes import UNKNOWN, by_ratio, slip
from derive.checking.values import Literal, half_unit

Span = tuple[float, float]
"""The lower and the upper end of what a row leaves open."""

_ROUND = 4.0  # bits for the power of two, and of ten, that a number is a multiple of
_MOST, _TWO_SWAPPED = 13.0, 5.0
_FACTORS = (
    2.0, 8.0, 10.0, 24.0, 60.0, 100.0, 1e3, 1024.0, 3600.0, 1e6, 1024.0**2, 1e9, 1024.0**3,
    1.024, 1.024**2, 1.024**3, 1.024**4,
)  # fmt: skip
_EPSILON = 1e-9


@dataclass(frozen=True)
class Fit:
    """Where the spans of the rows meet: all of them, or all but the one that is wrong (by its index)."""

    span: Span
    wrong: int | None = None


def fits(spans: Sequence[Span], wide: Sequence[Span]) -> list[Fit]:
    """Where the spans of rounded numbers meet, all of them or all but one; wide: of numbers cut off, too.

    Two fits leave open which row is wrong. A row that is out of place by its rounding alone is none that is wrong.
    """
    for own in (spans, wide):
        found = meeting(own)
        for one in found:
            if one.wrong is not None and _touch(wide[one.wrong], one.span):
                return [Fit(one.span)]
        if found:
            return found
    return []


def _touch(one: Span, other: Span) -> bool:
    return one[0] <= other[1] + _EPSILON and other[0] <= one[1] + _EPSILON


def meeting(spans: Sequence[Span]) -> list[Fit]:
    """Where spans meet, all or all but one: the two highest lower ends and two lowest upper ends say it."""
    first = second = -math.inf
    least = lesser = math.inf
    at_first = at_least = -1
    for at, (low, high) in enumerate(spans):
        if low > first:
            first, second, at_first = low, first, at
        elif low > second:
            second = low
        if high < least:
            least, lesser, at_least = high, least, at
        elif high < lesser:
            lesser = high
    if first <= least + _EPSILON:
        return [Fit((first, least))]
    found = []
    for index in (at_first, at_least):
        low = second if index == at_first else first
        high = lesser if index == at_least else least
        if low <= high + _EPSILON:
            found.append(Fit((low, high), index))
    return found


def held_to(spans: Sequence[Span], value: float) -> Fit | None:
    """The same where the value at which they should meet is known."""
    off = [at for at, (low, high) in enumerate(spans) if not low - _EPSILON <= value <= high + _EPSILON]
    if len(off) > 1:
        return None
    return Fit((value, value), off[0] if off else None)


def agreement(width: float) -> float:
    """The bits that an agreement within so much of itself says."""
    return min(_MOST, max(0.0, -math.log2(width + 1e-5)))


@lru_cache(maxsize=4096)
def information(digits: str) -> float:
    """The bits that a printed number can say: few for a round one, or a power of two."""
    mantissa = digits.lower().partition("e")[0].replace(",", "").replace("_", "").replace(".", "").strip("0")
    whole = int(mantissa or 0)
    if whole == 0:
        return 0.0
    odd = whole // (whole & -whole)
    return min(_MOST, math.log2(whole) + 2.0, math.log2(odd) + _ROUND)


def _are_two_swapped(literal: Literal, expected: float) -> bool:
    """Whether a number of two digits stands the other way round: 0.94 for 0.49."""
    digits = literal.digits.lower().partition("e")[0].replace(",", "").replace(".", "").lstrip("0")
    if len(digits) != 2 or digits[0] == digits[1] or "0" in digits or not expected or not literal.value:
        return False
    turned = abs(literal.value) / int(digits) * int(digits[::-1])
    return abs(turned - abs(expected)) <= half_unit(literal.digits)


def slip_bits(literal: Literal, expected: float) -> tuple[str, float]:
    """The slip that leads from a value to a number, and the bits that finding one says; expected: in its unit."""
    name = slip(literal, expected)
    many = len(literal.digits.lower().partition("e")[0].replace(",", "").replace(".", "").strip("0"))
    if name != "digits swapped" and _are_two_swapped(literal, expected):
        return "digits swapped", _TWO_SWAPPED
    if name == "digits swapped":
        return name, 3.3 * many - math.log2(max(1, many - 1)) - 1.0
    if name == "one digit is another":
        return name, 3.3 * many - math.log2(9 * many) - 1.0
    if not literal.value or not expected:
        return "", 0.0
    reach = half_unit(literal.digits) / literal.value
    name = by_ratio(literal.value / expected, reach)
    if name == UNKNOWN:
        return "", 0.0
    ratio = max(literal.value / expected, expected / literal.value)
    off = min(abs(ratio / factor - 1) for factor in _FACTORS)
    return name, max(0.0, -math.log2(2 * len(_FACTORS) * max(off, reach, _EPSILON)))
