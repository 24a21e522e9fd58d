"""Numbers and units as LaTeX and as text: rounded by the engine's rule, `≈` only where digits were dropped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction

import units
from derive.errors import DeriveError
from derive.filling import Filled
from derive.rounding import DIGITS, is_rounded, readable_unit, significant

_LATEX = {"us": r"\text{µs}", "dimensionless": ""}
_SHORT = {"us": "µs", "dimensionless": ""}
_COUNTED = ("dimensionless", "parameter")
_FULL_DIGITS = 10
_MOST_DIGITS = 15
_DIGITS: ContextVar[int | None] = ContextVar("_DIGITS", default=None)
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True)
class Amount:
    """A number's digits and its unit; `exact` where no digit was dropped."""

    number: str
    unit: str
    exact: bool

    @property
    def relation(self) -> str:
        """= or ≈, as LaTeX."""
        return "=" if self.exact else r"\approx"

    @property
    def text(self) -> str:
        mantissa, _, exponent = _digits(self.number).partition("e")
        number = f"{mantissa}·10{exponent.translate(_SUPERSCRIPTS)}" if exponent else mantissa
        return f"{number} {unit_text(self.unit)}".strip()

    @property
    def latex(self) -> str:
        mantissa, _, exponent = _digits(self.number).partition("e")
        number = mantissa.replace(",", "{,}") + (rf" \cdot 10^{{{exponent}}}" if exponent else "")
        unit = unit_latex(self.unit)
        return rf"{number}\ {unit}" if unit else number

    @property
    def is_plain(self) -> bool:
        """Whether it stands in a product or under an exponent without brackets."""
        return not unit_latex(self.unit) and "e" not in _digits(self.number)


@contextmanager
def rounded_to(digits: int | None) -> Iterator[None]:
    """Round results to so many significant digits, where nothing else is said; 4 for None.

    Raises DeriveError for less than 1 or more than 15.
    """
    if digits is not None and not 1 <= digits <= _MOST_DIGITS:
        raise DeriveError(f"{digits} is no number of significant digits: give 1 to {_MOST_DIGITS}")
    token = _DIGITS.set(digits)
    try:
        yield
    finally:
        _DIGITS.reset(token)


def significant_digits() -> int:
    """How many digits results are rounded to here."""
    return _DIGITS.get() or DIGITS


def asked_digits() -> int | None:
    """How many digits the reader asked for; None where each number keeps its own."""
    return _DIGITS.get()


def amount(value: Fraction, unit: str, digits: int | None = None, *, scaled: bool = True) -> Amount:
    """A value in `unit`, to so many digits, in the unit in which it reads best unless not `scaled`.

    Whole numbers of what is counted stay in full, as in `derive.rounding.quantity_text`.
    """
    digits = significant_digits() if digits is None else digits
    if unit in _COUNTED and value.denominator == 1 and abs(value) < 10**15:
        return Amount(str(value.numerator), unit, True)
    better = readable_unit(value, unit) if scaled else unit
    value = value * units.factor(unit)[0] / units.factor(better)[0]
    return Amount(significant(value, digits), better, not is_rounded(value, digits))


def input_amount(filled: Filled) -> Amount:
    """The value of a letter: a whole plain number in full, others exact where ten digits suffice, else to six."""
    unit = filled.letter.unit
    if filled.constant is not None and not isinstance(filled.constant.value, bool):
        return amount(filled.constant.value, filled.constant.unit, _FULL_DIGITS, scaled=False)
    if filled.amount.denominator == 1 and readable_unit(filled.amount, unit) == unit:
        return Amount(str(filled.amount.numerator), unit, True)
    full = amount(filled.amount, unit, _FULL_DIGITS)
    return full if full.exact else amount(filled.amount, unit, 6)


def percent_text(ratio: Fraction, digits: int = 2) -> str:
    """A share as "3.1 %", with ≈ before it where digits were dropped."""
    found = amount(ratio * 100, "dimensionless", digits)
    sign = "" if found.exact else "≈\u00a0"
    return f"{sign}{found.text}\u00a0%"


def unit_text(unit: str) -> str:
    """A unit for a reader: µs for us, nothing for a plain number."""
    return _SHORT.get(unit, unit)


def unit_latex(unit: str) -> str:
    """A unit in upright type, without backslashes before punctuation, which Markdown would swallow."""
    if unit in _LATEX:
        return _LATEX[unit]
    if unit.startswith("1/") and unit[2:].isalpha():
        return rf"\mathrm{{{unit[2:]}^{{-1}}}}"
    product = unit.replace("*", "·").replace("·", r" {\cdot} ")
    return rf"\mathrm{{{product}}}"


def _digits(number: str) -> str:
    """Digits with separators: 16,777,216; 3.9e12 for a whole number that mostly consists of zeros."""
    whole, point, rest = number.partition(".")
    sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    if not whole.isdigit() or len(whole) < 5:
        return number
    bare = whole.rstrip("0")
    if not point and len(whole) >= 9 and len(whole) - len(bare) >= 6:
        mantissa = bare[:1] + ("." + bare[1:] if bare[1:] else "")
        return f"{sign}{mantissa}e{len(whole) - 1}"
    return f"{sign}{int(whole):,}{point}{rest}"
