"""Somebody's number: its value, its unit, and how far its printed digits reach."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import units
from derive.calc import CalcError, parse
from derive.errors import DeriveError
from derive.examples import half_digit
from derive.rounding import with_unit
from units import kinds

_INTEGER = 10**6
_EXACT = 10**8
_MOST = 200
_ABOUT = re.compile(r"(?:[~≈]|about\b|around\b|roughly\b|approximately\b|circa\b|ca\.)\s*", re.IGNORECASE)
_TAGS = re.compile(r"\s*\[(?P<tags>[^\[\]]*)\]")
_SHARE = re.compile(r"(?P<rest>.*\S)\s+(?:MFU|HFU|utili[sz]ation|efficiency)", re.DOTALL)
_GLUED = re.compile(r"[\d.,]+B")
_DIGITS = re.compile(r"[+-]?(?:\d[\d,_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


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

    @property
    def width(self) -> float:
        """The share of the claim that its digits leave open on both sides together."""
        return 2 * float(self.half / abs(self.value)) if self.value else 1.0

    def shown(self, value: float) -> str:
        """A value in base units as text in the claim's unit, to six digits; a large whole number in full."""
        inside = value / float(units.factor(self.unit)[0])
        if float(inside).is_integer() and abs(inside) >= _INTEGER:
            return with_unit(f"{int(inside)}", self.unit)
        return with_unit(f"{inside:.6g}", self.unit)


def read_claim(text: str) -> Claim:
    """Read "6.82 GiB", "~55 ms", "12 % MFU", "900 GB/s [both-ways]", "7B params".

    Tags and the word for a utilization say what the number is of and leave it as it is.
    Raises DeriveError for what is no quantity.
    """
    if len(text) > _MOST:
        raise DeriveError("claimed value: give a number with its unit, such as 6.82 GiB")
    stripped = text.strip()
    about = _ABOUT.match(stripped)
    stripped = stripped[about.end() :] if about else stripped
    body = _untagged(stripped)
    number, unit, scale, dimension = _quantity(body)
    half = _half(body, number)
    if about:
        half = max(half * 10, abs(number) * Fraction(3, 100))
    return Claim(stripped, unit, number * scale, half * scale, dimension)


def _untagged(text: str) -> str:
    for found in _TAGS.finditer(text):
        try:
            kinds.parse(found["tags"])
        except units.UnitError as error:
            raise DeriveError(f"claimed value: {error}") from error
    bare = _TAGS.sub("", text).strip()
    share = _SHARE.fullmatch(bare)
    return share["rest"] if share else bare


def _quantity(body: str) -> tuple[Fraction, str, Fraction, units.Dimension]:
    """The number, its unit, the unit's factor and dimension."""
    if _GLUED.fullmatch(body):
        raise DeriveError(
            f"claimed value: {body} can be bytes or billions: write {body[:-1]} B or {body[:-1]}e9"
        )
    try:
        number, unit = units.split(body)
        return number, unit, *units.factor(unit)
    except units.UnitError as error:
        try:
            written = parse(body).answer()
        except CalcError:
            raise DeriveError(f"claimed value: {error}") from error
        if not _DIGITS.match(body) or not isinstance(written.value, int | Fraction):
            raise DeriveError(f"claimed value: {error}") from error
        return Fraction(written.value), written.unit, *units.factor(written.unit)


def _half(text: str, number: Fraction) -> Fraction:
    """Half a unit of the last digit written, in the unit of `number`: 7B params is read to the billion."""
    found = _DIGITS.match(text)
    digits = (found[0] if found else text).replace(",", "").replace("_", "")
    written = Fraction(digits)
    scale = abs(number / written) if written else Fraction(1)
    half = half_digit(digits) * scale
    if not digits.lstrip("+-").isdigit():
        return half
    zeros = len(digits) - len(digits.rstrip("0")) if written else 0
    loose = max(0, min(zeros, len(digits.lstrip("+-")) - 2))
    return half if abs(written) >= _EXACT and not zeros else half * 10**loose
