"""Numbers as people print them: an interval around each, several readings of its unit."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from derive.checking.words import Dimension, Reading

_EXACT = 100
_HUGE = 1e300
_CONVERTING = (1440, 3600, 86_400, 8760)
_POWER_OF_TEN = re.compile(r"10*(?:,000)*(?:[eE]\+?\d+)?")


class Interval(NamedTuple):
    """A value between two bounds in base units, with its dimension; mid as the digits say."""

    low: float
    mid: float
    high: float
    dimension: Dimension = ()


@lru_cache(maxsize=4096)
def half_unit(text: str, loose: bool = True) -> float:
    """Half a unit of the last printed digit; loose: zeros at the end of a whole number count as not printed."""
    body = text.replace(",", "").replace("_", "")
    mantissa, _, exponent = body.lower().partition("e")
    scale = 10.0 ** max(-300, min(300, int(exponent))) if exponent else 1.0
    if "." in mantissa:
        return 0.5 * 10.0 ** -len(mantissa.partition(".")[2]) * scale
    if exponent:
        return 0.5 * scale
    zeros = len(mantissa) - len(mantissa.rstrip("0")) if loose else 0
    return 0.5 * 10.0 ** max(0, min(zeros, len(mantissa) - 2))


def reaches(text: str, about: bool, loose: bool = True) -> tuple[float, float]:
    """How far below and above a printed number the value may lie: rounded half up or down, or cut off.

    A lone digit is rounded, never cut off. about: the text says that it is rough, so
    that one digit less counts, 3 % at least.
    """
    half = half_unit(text, loose)
    if about:
        body, value = half_unit(text, loose=False), abs(float(text.replace(",", "").replace("_", "")))
        slack = min(max(10 * body, 2 * half, 0.03 * value), 0.34 * value)
        return slack, slack
    lone = len(text.lower().partition("e")[0]) == 1
    return half, half if lone else 2 * half


_PARTS = ("0.5", "0.25", "0.125")
"""Bytes of elements of four, two and one bits."""


class Literal(NamedTuple):
    """A number with what stands behind it. unit: as written; digits: the number as written."""

    digits: str
    value: float
    unit: str
    options: tuple[Reading, ...]
    start: int
    end: int
    about: bool = False

    @property
    def slack(self) -> float:
        """Half a unit of the last digit; exact are whole numbers below 100, and bare 1e6 or 3600, which convert."""
        whole = self.digits.replace(",", "").isdigit()
        if (whole and self.value < _EXACT) or (self.digits in _PARTS and self.unit.startswith("byte")):
            return 0.0
        bare = not self.unit and "." not in self.digits
        converts = bare and (self.value in _CONVERTING or _POWER_OF_TEN.fullmatch(self.digits))
        return 0.0 if converts else half_unit(self.digits)

    def at(self, chosen: dict[str, int], exact: bool = False) -> Interval:
        """Its interval under a choice of each doubt."""
        reading = self.reading(chosen)
        slack = 0.0 if exact else self.slack
        factor = reading.factor
        return Interval(
            (self.value - slack) * factor,
            self.value * factor,
            (self.value + slack) * factor,
            reading.dimension,
        )

    def reading(self, chosen: dict[str, int]) -> Reading:
        """The reading of its unit under a choice."""
        for option in self.options:
            if option.choice is None or chosen.get(option.choice[0], 0) == option.choice[1]:
                return option
        return self.options[0]

    @property
    def doubts(self) -> set[str]:
        """The kinds of doubt that its unit leaves."""
        return {option.choice[0] for option in self.options if option.choice}


def times(one: Interval, other: Interval) -> Interval:
    """The product."""
    ends = [one.low * other.low, one.low * other.high, one.high * other.low, one.high * other.high]
    return Interval(min(ends), one.mid * other.mid, max(ends), joined(one.dimension, other.dimension, 1))


def over(one: Interval, other: Interval) -> Interval | None:
    """The quotient; None where the divisor may be zero."""
    if other.low <= 0 <= other.high:
        return None
    turned = Interval(1 / other.high, 1 / other.mid, 1 / other.low, joined((), other.dimension, -1))
    return times(one, turned)


def plus(one: Interval, other: Interval, sign: int) -> Interval | None:
    """The sum or difference; None for different dimensions."""
    if one.dimension != other.dimension:
        return None
    low, high = (other.low, other.high) if sign > 0 else (-other.high, -other.low)
    return Interval(one.low + low, one.mid + sign * other.mid, one.high + high, one.dimension)


def power(one: Interval, other: Interval) -> Interval | None:
    """A power with a plain exponent; None beyond what floats hold."""
    exponent = other.mid
    if other.dimension or abs(exponent) > 400 or (one.mid < 0 and exponent != int(exponent)):
        return None
    dimension = one.dimension
    if dimension:
        if exponent != int(exponent):
            return None
        dimension = tuple((base, count * int(exponent)) for base, count in dimension if exponent)
    try:
        ends = [one.low**exponent, one.mid**exponent, one.high**exponent]
    except (OverflowError, ZeroDivisionError):
        return None
    if any(isinstance(end, complex) or not math.isfinite(end) for end in ends):
        return None
    return Interval(min(ends), ends[1], max(ends), dimension)


def usable(found: Interval | None) -> Interval | None:
    """The interval where it is a number that floats hold."""
    if found is None or not all(
        math.isfinite(end) and abs(end) < _HUGE for end in (found.low, found.mid, found.high)
    ):
        return None
    return found


def joined(one: Dimension, other: Dimension, sign: int) -> Dimension:
    """The dimension of a product (sign 1) or quotient (sign -1)."""
    if not other:
        return one
    powers = dict(one)
    for base, count in other:
        powers[base] = powers.get(base, 0) + sign * count
    return tuple(sorted((base, count) for base, count in powers.items() if count))
