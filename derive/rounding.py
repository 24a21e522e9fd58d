"""Numbers as text: significant digits, engineering units, exact integers in full.

Rounding is half to even on the exact value (IEEE 754-2019, 4.3.1, the rounding
that Python's `decimal` and NIST SP 811, B.7, use), never on a float's digits.
`≈` goes before a number only where digits were dropped.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import units

DIGITS = 4
_PREFIXES = ((18, "E"), (15, "P"), (12, "T"), (9, "G"), (6, "M"), (3, "k"))
_BEYOND = 10**21  # from here on papers write powers of ten: 6.3e22 FLOP, not 63 ZFLOP
_SMALL_TIME = (
    ("s", Fraction(1)),
    ("ms", Fraction(1, 10**3)),
    ("us", Fraction(1, 10**6)),
    ("ns", Fraction(1, 10**9)),
)
_COUNTED = ("dimensionless", "parameter")
_SCALED = ("byte", "FLOP", "OP", "bit")
_SHORT = {"byte": "B", "bit": "b"}


def significant(value: Fraction, digits: int = DIGITS) -> str:
    """The value rounded half to even to so many significant digits, trailing zeros kept unless exact.

    Plain from 1e-3 up to 1e15, with an exponent (3.403e38) elsewhere.
    """
    if value == 0:
        return "0"
    if value.denominator == 1 and len(str(abs(value.numerator))) <= digits:
        return f"{value.numerator}"
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    if Fraction(rounded) == value:
        rounded = rounded.normalize(context)
    exponent = rounded.adjusted()
    if -4 < exponent < 15:
        return f"{rounded:f}"
    mantissa, _, _ = f"{rounded:.{max(digits - 1, 0)}e}".partition("e")
    if Fraction(rounded) == value:
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}e{exponent}"


def is_rounded(value: Fraction, digits: int = DIGITS) -> bool:
    """Whether `significant` drops digits of this value."""
    return Fraction(Decimal(significant(value, digits))) != value


def grouped(value: int) -> str:
    """An integer in full with separators: 8,030,261,248."""
    return f"{value:,}"


def readable_unit(value: Fraction, unit: str) -> str:
    """The engineering unit in which a value in `unit` reads best: 138412032 byte → MB, 0.00478 s → ms.

    Only amounts that begin with byte, FLOP, OP or s are scaled; others stay, and so does what is beyond exa.
    """
    head, slash, tail = unit.partition("/")
    size = abs(value)
    if size == 0 or size >= _BEYOND or "*" in unit or "(" in unit:
        return unit
    if unit == "s":
        return next((name for name, scale in _SMALL_TIME if size >= scale), "ns")
    if head in _SCALED and tail in ("", "s", "token"):
        for power, prefix in _PREFIXES:
            if size >= 10**power:
                return prefix + _SHORT.get(head, head) + slash + tail
    return unit


def quantity_text(value: Fraction, unit: str, digits: int = DIGITS) -> str:
    """A value in `unit` as text in its readable unit: "138.4 MB", "62.06 FLOP/byte", "4.775 ms".

    What is counted is told to the last digit: 124439808 parameter, 57256.
    """
    if unit in _COUNTED and value.denominator == 1 and abs(value) < 10**15:
        return with_unit(str(value.numerator), unit)
    better = readable_unit(value, unit)
    scale = units.factor(unit)[0] / units.factor(better)[0]
    return with_unit(significant(value * scale, digits), better)


def with_unit(number: str, unit: str) -> str:
    """A number's text and its unit's text; a plain number bears none."""
    if unit == "dimensionless":
        return number
    return f"{number}%" if unit == "percent" else f"{number} {unit}"
