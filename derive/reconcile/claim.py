"""Somebody's number: its value, its unit, and how far its printed digits reach."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import units
from derive.errors import DeriveError
from derive.examples import half_digit
from derive.rounding import with_unit

_INTEGER = 10**6


@dataclass(frozen=True)
class Claim:
    """A claimed quantity in base units, with the half-width that its digits leave open.

    A whole number that ends in zeros may have been rounded there: the loosest
    reading holds, down to two digits. A longer one is exact.
    """

    text: str
    unit: str
    value: Fraction
    half: Fraction
    dimension: units.Dimension

    def fits(self, value: float) -> bool:
        """Whether a value in base units rounds to the claim."""
        slack = float(self.half) + abs(float(self.value)) * 1e-12
        return abs(value - float(self.value)) <= slack

    def shown(self, value: float) -> str:
        """A value in base units as text in the claim's unit, to one digit more than the claim prints."""
        inside = value / float(units.factor(self.unit)[0])
        if float(inside).is_integer() and abs(inside) >= _INTEGER:
            return with_unit(f"{int(inside)}", self.unit)
        return with_unit(f"{inside:.6g}", self.unit)


def read_claim(text: str) -> Claim:
    """Read "6.82 GiB", "~55 ms", "12 %". Raises DeriveError for what is no quantity."""
    stripped = text.strip().lstrip("~≈").strip()
    try:
        number, unit = units.split(stripped)
        scale, dimension = units.factor(unit)
    except units.UnitError as error:
        raise DeriveError(f"claimed value: {error}") from error
    if number == 0:
        raise DeriveError("claimed value: 0 is off by no factor: give a number above it")
    half = _half(stripped, number)
    if text.strip()[:1] in "~≈":
        half = max(half * 10, abs(number) * Fraction(3, 100))
    return Claim(stripped, unit, number * scale, half * scale, dimension)


def _half(text: str, number: Fraction) -> Fraction:
    half = half_digit(text)
    digits = text.split(maxsplit=1)[0].replace(",", "")
    if "." in digits or "e" in digits.lower() or not digits.lstrip("+-").isdigit():
        return half
    zeros = len(digits) - len(digits.rstrip("0"))
    loose = max(0, min(zeros, len(digits.lstrip("+-")) - 2))
    return half if abs(number) >= _INTEGER * 100 and not zeros else half * 10**loose
