"""Plain calculations whose result alone bears a unit: what it should be, where nothing left out can explain it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from derive.checking.agreeing import SURE, agrees, apart, digits_of, is_swapped, literals, reach_of, scale_of
from derive.checking.grammar import Node, Operation, leaves
from derive.checking.values import Interval, Literal
from derive.checking.words import Dimension, magnitude

Options = Sequence[tuple[dict[str, int], Interval]]

_BYTES: Dimension = (("byte", 1),)
_FACTORS, _WIDTHS = 4, {"1", "2", "4"}
_NEAR = 0.55
_PREFIXED = 0.004
_DOUBLE = 0.012
_COUNTS = (*range(1, 17), 3.6, 10, 24, 32, 60, 64, 86.4, 100, 128, 256, 512, 1000)
"""Factors that a calculation may leave out: how many there are of something, seconds of an hour or a day."""
_LEFT_OUT = 0.08
_BITS, _CONVERTS = 8.0, (7.0, 10.0, 24.0, 60.0, 100.0, 1000.0, 1024.0, 3600.0, 86400.0, 1e6, 1e9, 1e12)
"""What a number may be divided by to be in another unit, which its result need not tell."""


def counts_operations(left: Operation, rights: Options) -> bool:
    """Whether a product of FLOPs has its 2, 4 or 6 a parameter, so that no factor is left out."""
    work = any(dict(value.dimension) == {"FLOP": 1} for _, value in rights)
    return work and any(one.digits in ("2", "4", "6", "8") and not one.unit for one in literals(left))


def missed(left: Node, lefts: Options, right: Literal, band: float, about: bool) -> float | None:
    """What the right number should be where its unit stands for the whole of a sum or count; else None.

    `72.0 - 16.1 = 57.9 GB` leaves no unit out on the left. Beside thousands, which a magnitude may
    hide, the ratio must be near 1, or ten, or the result half of what is written out.
    """
    if "%" in right.unit or not right.value:
        return None
    magnitudes = any(magnitude(one.unit) > 1 for one in literals(left))  # billion parameters make GFLOP
    expected = None
    for _, one in lefts:
        ratio = one.mid / right.value
        if ratio <= 0:
            return None
        if (
            magnitudes
            and digits_of(right) >= SURE
            and _is_prefix(one.mid / (right.value * scale_of(right, {})))
        ):
            return one.mid
        thousands = 1000.0 ** round(math.log10(ratio) / 3)
        ratio /= thousands
        printed = right.value * thousands
        plain = any(agrees(one, printed * by, right, about, thousands * by) for by in (10.0, 0.1, 2.0))
        if not (plain and len(right.digits.strip("0.")) > 1):
            if not (_NEAR < ratio < 1 / _NEAR or thousands == 1.0):
                return None
            near = Interval(printed, printed, printed)
            if apart(one, near, reach_of(right, about, thousands))[0] <= band:
                return None
        if expected is None:
            expected = one.mid / thousands * scale_of(right, {})
    return expected


def slipped(left: Node, lefts: Options, right: Literal, about: bool) -> float | None:
    """What the right number should be where no factor left out leads to it: ten times off, or two digits exchanged.

    `1307e12 / 5.3e12 = 274 FLOP/byte`: a size of an element or a unit is no factor of ten.
    """
    if "%" in right.unit or about or not right.value or not isinstance(left, Operation):
        return None
    expected = None
    for _, one in lefts:
        ratio = one.mid / right.value
        if _is_double(left, ratio) and digits_of(right) > 1:
            return one.mid * scale_of(right, {})
        off = ratio * _undivided(left, one.mid, right)
        if (
            off
            or is_turned(left, one.mid, right)
            or _leaves_nothing_out(left, right, ratio)
            or _is_of_money(left, right, ratio)
        ):
            thousands = 1000.0 ** round(math.log10(off or ratio) / 3)
            return one.mid / thousands * scale_of(right, {})
        if _is_of_elements(left, right) and _is_prefix(one.mid / (right.value * scale_of(right, {}))):
            return one.mid if digits_of(right) >= SURE else None
        if ratio <= 0 or (digits_of(right) < SURE and not _has_powers(left, right)):
            return None
        if abs(round(math.log10(ratio))) % 3 == 2:  # a hundred may be percent or cents
            return None
        thousands = 1000.0 ** round(math.log10(ratio) / 3)
        printed = right.value * thousands
        tens = any(agrees(one, printed * ten, right, about, thousands * ten) for ten in (10.0, 0.1))
        if not tens and not is_swapped(right, one.mid / thousands):
            if expected is None:
                return None
            continue  # the usual reading of a prefix has the slip, and none is right
        if expected is None:
            expected = one.mid / thousands * scale_of(right, {})
    return expected


def _has_powers(left: Operation, right: Literal) -> bool:
    """Whether both sides are written with powers of ten, so that ten times off is seen in two digits."""
    return "e" in right.digits and digits_of(right) > 1 and any("e" in one.digits for one in literals(left))


def _is_prefix(ratio: float) -> bool:
    """Whether two numbers are some thousands apart and agree in their digits."""
    thousands = round(math.log10(ratio) / 3) if ratio > 0 else 0
    return thousands != 0 and abs(ratio / 1000.0**thousands - 1) < _PREFIXED


def _is_double(left: Operation, ratio: float) -> bool:
    """Whether a product of plain numbers is twice its result, or four times: no factor left out makes it larger."""
    plain = all(isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(left))
    return plain and left.sign in "×/" and any(abs(ratio / factor - 1) < _DOUBLE for factor in (2.0, 4.0))


def is_turned(left: Node, value: float, right: Literal) -> bool:
    """Whether the quotient of two plain numbers is told upside down: 700 / 989 = 1.41 pJ."""
    if not isinstance(left, Operation) or left.sign != "/" or digits_of(right) < SURE or value <= 0:
        return False
    if not all(isinstance(leaf, Literal) and not leaf.unit for leaf in left.arguments):
        return False
    turned = Interval(1 / value, 1 / value, 1 / value)
    return agrees(turned, right.value, right, about=False, scale=1.0)


def _leaves_nothing_out(left: Operation, right: Literal, ratio: float) -> bool:
    """Whether operations written with powers of ten are no count and no prefix away from their result."""
    work = any(dict(option.dimension).get("FLOP") == 1 for option in right.options)
    if not work or ratio <= 0 or digits_of(right) < SURE or not _has_powers(left, right):
        return False
    intensity = any(dict(option.dimension) == {"FLOP": 1, "byte": -1} for option in right.options)
    counts = (1, 10, 100, 1000) if intensity and left.sign == "/" else _COUNTS
    for turned in (ratio, 1 / ratio):
        off = turned / 1000.0 ** math.floor(math.log10(turned) / 3)
        if any(abs(off / one - 1) < _LEFT_OUT for one in counts):
            return False
    return True


def _is_of_money(left: Operation, right: Literal, ratio: float) -> bool:
    """Whether plain numbers are told to make an amount of money, which has no unit but thousands to hide."""
    plain = all(isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(left))
    if (
        not plain
        or not right.unit.startswith("USD")
        or "/" in right.unit
        or ratio <= 0
        or digits_of(right) < 2
    ):
        return False
    return _is_no_count(ratio)


def _is_no_count(ratio: float) -> bool:
    """Whether a ratio is that of no count, prefix or time that may be left out."""
    offs = [turned / 1000.0 ** math.floor(math.log10(turned) / 3) for turned in (ratio, 1 / ratio)]
    return not any(
        abs(off / one - 1) < _LEFT_OUT / 2 for off in offs for one in (*_COUNTS, 30.0, 365.0, 730.0, 8.76)
    )


def priced(left: Node, right: Node) -> float | None:
    """What so many of something cost at a price that does not say for what: 30,720 GB × $0.11; else None."""
    if not isinstance(left, Operation) or left.sign != "×" or not isinstance(right, Literal):
        return None
    factors = [leaf for leaf in left.arguments if isinstance(leaf, Literal)]
    prices = [one for one in factors if one.unit == "USD"]
    others = [one for one in factors if one.unit and not one.unit.startswith("USD") and one.unit != "%"]
    if len(factors) != 2 or len(prices) != 1 or len(others) != 1 or not right.unit.startswith("USD"):
        return None
    return None if "/" in right.unit else prices[0].value * others[0].value


def is_mispriced(value: float, right: Literal) -> bool:
    """Whether what is told is neither the cost nor that of another prefix or count."""
    printed = right.value * scale_of(right, {})
    return printed > 0 and (is_swapped(right, value / scale_of(right, {})) or _is_no_count(value / printed))


def _undivided(left: Operation, value: float, right: Literal) -> float:
    """The divisor that is written out and not in the result: 70e9 × 4.25 / 8 = 297.5 GB; 0 for none."""
    if left.sign != "/" or not all(isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(left)):
        return 0.0
    below = left.arguments[1]
    bytes_ = any(option.dimension == _BYTES for option in right.options) and "B" in right.unit
    if (
        not isinstance(below, Literal)
        or below.value <= 1
        or below.value in _CONVERTS
        or digits_of(right) < SURE
    ):
        return 0.0
    whole = value * below.value
    thousands = 1000.0 ** round(math.log10(whole / right.value) / 3) if right.value > 0 and whole > 0 else 1.0
    printed = right.value * thousands
    made = Interval(whole, whole, whole)
    told = below.value != _BITS or bytes_
    return below.value if told and agrees(made, printed, right, about=False, scale=thousands) else 0.0


def _is_of_elements(left: Operation, right: Literal) -> bool:
    """Whether a product of whole numbers, the bytes of an element among them, is told in bytes: 2·2048·5120·2."""
    factors = [
        leaf.digits.replace(",", "") for leaf in leaves(left) if isinstance(leaf, Literal) and not leaf.unit
    ]
    whole = len(factors) == len(list(leaves(left))) and all(one.isdigit() for one in factors)
    bytes_ = any(option.dimension == _BYTES for option in right.options)
    return whole and bytes_ and len(factors) >= _FACTORS and bool({factors[0], factors[-1]} & _WIDTHS)
