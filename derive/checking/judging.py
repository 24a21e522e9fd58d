"""Two sides held against each other: true, false or unsure, and what was expected.

True: some usual reading of both sides agrees within the printed digits. False: no
reading at all comes near. Everything else is unsure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from derive.checking.causes import ONE_DIGIT, SWAPPED, base_text, misprint
from derive.checking.claims import Verdict
from derive.checking.grammar import Node, Operation, leaves
from derive.checking.values import Interval, Literal, reaches
from derive.checking.words import Dimension, is_binary, magnitude

Options = Sequence[tuple[dict[str, int], Interval]]

_BANDS = {"=": 0.012, "≈": 0.05, "~": 0.08}
_EXACT_BAND = 0.004
_LENIENT = ("binary", "small", "mega")
_SHARED = ("binary", "mega", "kilo")  # an author reads GB one way throughout a line
_TINY = 1e-9
_BYTES: Dimension = (("byte", 1),)
_FACTORS, _WIDTHS = 4, {"1", "2", "4"}
_NEAR = 0.55
_SURE = 3
_PREFIXED = 0.004
_DOUBLE = 0.012
_COUNTS = (*range(1, 17), 3.6, 10, 24, 32, 60, 64, 86.4, 100, 128, 256, 512, 1000)
"""Factors that a calculation may leave out: how many there are of something, seconds of an hour or a day."""
_LEFT_OUT = 0.08


@dataclass(frozen=True)
class Judgement:
    """A verdict with the value expected, in base units, and whether only one side bore a unit."""

    verdict: Verdict
    expected: float
    one_sided: bool = False
    lenient: bool = False


def judge(left: Node, lefts: Options, right: Node, rights: Options, relation: str, about: bool) -> Judgement:
    """The right side held against the left one. relation: = ≈ or ~; about: a word says roughly."""
    binary = any(is_binary(word) for leaf in _literals(left, right) for word in leaf.unit.split("/"))
    if isinstance(left, Literal) and isinstance(right, Literal):  # a conversion starts from an exact amount
        lefts = [(chosen, left.at(chosen, exact=True)) for chosen, _ in lefts]
    about = about or relation == "~"
    band = _BANDS["~" if about else relation]
    if relation == "=" and not about and _is_exact(left) and _is_precise(right):
        band = _EXACT_BAND
    counts = relation == "=" and _is_of_whole_numbers(left)
    adds = counts and isinstance(left, Operation) and left.sign in "+-"
    nearest, judged = None, Judgement("unsure", 0.0)
    exact, swapped = False, None
    for one_choice, one in lefts:
        for other_choice, other in rights:
            if any(
                one_choice.get(doubt, side) != side
                for doubt, side in other_choice.items()
                if doubt in _SHARED
            ):
                continue
            lenient = any(choice.get(doubt) for choice in (one_choice, other_choice) for doubt in _LENIENT)
            if lenient and binary:
                continue
            if one.dimension != other.dimension:
                if one.dimension and not _leaves_out(one.dimension, other.dimension):
                    continue
                found = _one_sided(one, other, right, _scale(right, other_choice), about)
                judged = _better(judged, found)
                continue
            scale = _scale(right, other_choice)
            gap, agrees = _apart(one, other, _reach(right, about, scale))
            exact = exact or (agrees and _apart(_point(one), other, _reach(right, about, scale))[1])
            slipped = _is_swapped(right, one.mid / scale) or (
                counts and _is_one_digit_off(right, one.mid / scale)
            )
            if swapped is None and not lenient and not exact and slipped:
                swapped = one.mid
            if not agrees and not one.dimension and _cancels(right, scale):
                judged = _better(judged, _one_sided(one, other, right, scale, about))
                continue
            if not agrees and _is_carried(one, other, right, about):
                judged = _better(judged, Judgement("true", other.mid))
            elif agrees:
                judged = _better(judged, Judgement("unsure" if lenient else "true", one.mid, lenient=lenient))
            elif nearest is None or gap < nearest[0]:
                nearest = gap, one.mid
    if swapped is not None and not exact and not about:
        return Judgement("false", swapped)
    if adds and not exact and judged.verdict == "true" and not judged.one_sided:
        return replace(judged, verdict="unsure")  # true only of numbers that are rounded without a word
    if judged.verdict == "true" or judged.lenient:
        return judged
    if judged.one_sided and nearest is None and isinstance(right, Literal):
        whole = isinstance(left, Operation) and (left.sign in "+-" or _counts_operations(left, rights))
        missed = _missed(left, lefts, right, band, about) if whole else _slipped(left, lefts, right, about)
        if missed is not None:
            return Judgement("false", missed, one_sided=True)
    if nearest is None or all(not value.mid for _, value in rights):
        return judged
    if _is_bare(lefts, right, rights):
        return Judgement("unsure", nearest[1], one_sided=True)
    verdict: Verdict = "false" if nearest[0] > band and not judged.one_sided else "unsure"
    first = next(
        (one.mid for _, one in lefts for _, other in rights if one.dimension == other.dimension), nearest[1]
    )
    return Judgement(verdict, first)


def _is_exact(left: Node) -> bool:
    """Whether a calculation has exact numbers alone, so that nothing can have been rounded on the way."""
    return isinstance(left, Operation) and all(
        isinstance(leaf, Literal) and not leaf.unit and not leaf.slack and not leaf.about
        for leaf in leaves(left)
    )


def _is_of_whole_numbers(left: Node) -> bool:
    """Whether a side is a sum, product or power of whole numbers in units of one, which are meant as they stand."""
    if not isinstance(left, Operation) or left.sign not in "+-×^":
        return False
    return all(
        isinstance(leaf, Literal)
        and _is_of_one(leaf)
        and not leaf.about
        and leaf.digits.replace(",", "").isdigit()
        for leaf in leaves(left)
    )


def _is_of_one(one: Literal) -> bool:
    """Whether a number has no unit, or one that is neither so many nor a part of another."""
    return not one.unit or all(option.factor == 1.0 for option in one.options)


def _is_precise(right: Node) -> bool:
    """Whether a bare number has digits enough to be held to them."""
    return isinstance(right, Literal) and not right.unit and _digits(right) >= _SURE


def _better(old: Judgement, new: Judgement) -> Judgement:
    if old.verdict == "true" or (old.lenient and new.verdict != "true"):
        return old
    return new


def _literals(*sides: Node) -> list[Literal]:
    return [leaf for side in sides for leaf in leaves(side) if isinstance(leaf, Literal)]


def _reach(right: Node, about: bool, scale: float) -> tuple[float, float]:
    """How far the digits of the claimed number reach below and above it; not at all for an expression."""
    below, above = reaches(right.digits, about) if isinstance(right, Literal) else (0.0, 0.0)
    return below * scale, above * scale


def _scale(right: Node, chosen: dict[str, int]) -> float:
    return right.reading(chosen).factor if isinstance(right, Literal) else 1.0


def _apart(one: Interval, other: Interval, reach: tuple[float, float]) -> tuple[float, bool]:
    """The relative gap between a computed and a claimed value, and whether they agree.

    A claimed number that is a whole unit too large does not agree, and is no clear error yet.
    """
    size = abs(other.mid) or abs(one.mid) or 1.0
    below, above = (max(side, _TINY * size) for side in reach)
    high = max(other.high, other.mid + above)
    agrees = max(one.low - high, min(other.low, other.mid - below) - one.high) <= _TINY * size
    if above > below and one.low == one.high and abs(one.low - other.mid - above) <= _TINY * size:
        agrees, high = False, other.mid + below  # what is cut off is less than a unit of the last digit
    gap = max(one.low - high, min(other.low, other.mid - above) - one.high, 0.0)
    return gap / size, agrees


def _one_sided(one: Interval, other: Interval, right: Node, scale: float, about: bool) -> Judgement:
    """Only one side has a unit: the numbers may agree in base units or as they are printed."""
    candidates = [(other, scale)]
    if isinstance(right, Literal):
        for factor in {1.0, magnitude(right.unit)}:
            printed = right.value * factor
            candidates.append((Interval(printed, printed, printed), factor))
    for candidate, factor in candidates:
        reach = _reach(right, about, factor)
        if _apart(one, candidate, reach)[1] and (
            _apart(_point(one), candidate, reach)[1] or not _is_swapped(right, one.mid / factor)
        ):
            return Judgement("true", one.mid * scale / factor, one_sided=True)
    return Judgement("unsure", one.mid * (1.0 if one.dimension else scale), one_sided=True)


def _cancels(right: Node, scale: float) -> bool:
    """Whether the unit of a number is a ratio of two of one kind, whose numerator may be left out: ms per second."""
    return isinstance(right, Literal) and "/" in right.unit and scale != 1.0 and magnitude(right.unit) == 1.0


def _counts_operations(left: Operation, rights: Options) -> bool:
    """Whether a product of FLOPs has its 2, 4 or 6 a parameter, so that no factor is left out."""
    work = any(dict(value.dimension) == {"FLOP": 1} for _, value in rights)
    return work and any(one.digits in ("2", "4", "6", "8") and not one.unit for one in _literals(left))


def _missed(left: Node, lefts: Options, right: Literal, band: float, about: bool) -> float | None:
    """What the right number should be where its unit stands for the whole of a sum or count; else None.

    `72.0 - 16.1 = 57.9 GB` leaves no unit out on the left. Beside thousands, which a magnitude may
    hide, the ratio must be near 1, or ten, or the result half of what is written out.
    """
    if "%" in right.unit or not right.value:
        return None
    magnitudes = any(magnitude(one.unit) > 1 for one in _literals(left))  # billion parameters make GFLOP
    expected = None
    for _, one in lefts:
        ratio = one.mid / right.value
        if ratio <= 0:
            return None
        if magnitudes and _digits(right) >= _SURE and _is_prefix(one.mid / (right.value * _scale(right, {}))):
            return one.mid
        thousands = 1000.0 ** round(math.log10(ratio) / 3)
        ratio /= thousands
        printed = right.value * thousands
        plain = any(_agrees(one, printed * by, right, about, thousands * by) for by in (10.0, 0.1, 2.0))
        if not (plain and len(right.digits.strip("0.")) > 1):
            if not (_NEAR < ratio < 1 / _NEAR or thousands == 1.0):
                return None
            near = Interval(printed, printed, printed)
            if _apart(one, near, _reach(right, about, thousands))[0] <= band:
                return None
        if expected is None:
            expected = one.mid / thousands * _scale(right, {})
    return expected


def _slipped(left: Node, lefts: Options, right: Literal, about: bool) -> float | None:
    """What the right number should be where no factor left out leads to it: ten times off, or two digits exchanged.

    `1307e12 / 5.3e12 = 274 FLOP/byte`: a size of an element or a unit is no factor of ten.
    """
    if "%" in right.unit or about or not right.value or not isinstance(left, Operation):
        return None
    expected = None
    for _, one in lefts:
        ratio = one.mid / right.value
        if _is_double(left, ratio) and _digits(right) > 1:
            return one.mid * _scale(right, {})
        if is_turned(left, one.mid, right) or _leaves_nothing_out(left, right, ratio):
            return one.mid * _scale(right, {})
        if _is_of_elements(left, right) and _is_prefix(one.mid / (right.value * _scale(right, {}))):
            return one.mid if _digits(right) >= _SURE else None
        if ratio <= 0 or (_digits(right) < _SURE and not _has_powers(left, right)):
            return None
        if abs(round(math.log10(ratio))) % 3 == 2:  # a hundred may be percent or cents
            return None
        thousands = 1000.0 ** round(math.log10(ratio) / 3)
        printed = right.value * thousands
        tens = any(_agrees(one, printed * ten, right, about, thousands * ten) for ten in (10.0, 0.1))
        if not tens and not _is_swapped(right, one.mid / thousands):
            if expected is None:
                return None
            continue  # the usual reading of a prefix has the slip, and none is right
        if expected is None:
            expected = one.mid / thousands * _scale(right, {})
    return expected


def _has_powers(left: Operation, right: Literal) -> bool:
    """Whether both sides are written with powers of ten, so that ten times off is seen in two digits."""
    return "e" in right.digits and _digits(right) > 1 and any("e" in one.digits for one in _literals(left))


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
    if not isinstance(left, Operation) or left.sign != "/" or _digits(right) < _SURE or value <= 0:
        return False
    if not all(isinstance(leaf, Literal) and not leaf.unit for leaf in left.arguments):
        return False
    turned = Interval(1 / value, 1 / value, 1 / value)
    return _agrees(turned, right.value, right, about=False, scale=1.0)


def _leaves_nothing_out(left: Operation, right: Literal, ratio: float) -> bool:
    """Whether operations written with powers of ten are no count and no prefix away from their result."""
    work = any(dict(option.dimension).get("FLOP") == 1 for option in right.options)
    if not work or ratio <= 0 or _digits(right) < _SURE or not _has_powers(left, right):
        return False
    for turned in (ratio, 1 / ratio):
        off = turned / 1000.0 ** math.floor(math.log10(turned) / 3)
        if any(abs(off / one - 1) < _LEFT_OUT for one in _COUNTS):
            return False
    return True


def _is_of_elements(left: Operation, right: Literal) -> bool:
    """Whether a product of whole numbers, the bytes of an element among them, is told in bytes: 2·2048·5120·2."""
    factors = [
        leaf.digits.replace(",", "") for leaf in leaves(left) if isinstance(leaf, Literal) and not leaf.unit
    ]
    whole = len(factors) == len(list(leaves(left))) and all(one.isdigit() for one in factors)
    bytes_ = any(option.dimension == _BYTES for option in right.options)
    return whole and bytes_ and len(factors) >= _FACTORS and bool({factors[0], factors[-1]} & _WIDTHS)


def _digits(right: Literal) -> int:
    """How many digits of a printed number say something."""
    mantissa = right.digits.lower().partition("e")[0].replace(",", "")
    return len(mantissa.replace(".", "").lstrip("0") if "." in mantissa else mantissa.strip("0"))


def _is_swapped(right: Node, value: float) -> bool:
    """Whether two neighbouring digits of a number of three or more stand the other way round."""
    if not isinstance(right, Literal):
        return False
    whole = right.digits.replace(",", "")
    many = len(whole) if whole.isdigit() else _digits(right)
    return many >= _SURE and misprint(right, value) == SWAPPED


def _is_one_digit_off(right: Node, value: float) -> bool:
    """Whether one digit of a whole number of four or more is another than in an exact calculation."""
    if not isinstance(right, Literal) or not right.digits.replace(",", "").isdigit() or not _is_of_one(right):
        return False
    return _digits(right) > _SURE and misprint(right, value) == ONE_DIGIT


def _point(one: Interval) -> Interval:
    return Interval(one.mid, one.mid, one.mid, one.dimension)


def _agrees(one: Interval, printed: float, right: Literal, about: bool, scale: float) -> bool:
    return _apart(one, Interval(printed, printed, printed), _reach(right, about, scale))[1]


def _is_carried(one: Interval, other: Interval, right: Node, about: bool) -> bool:
    """Whether the numbers agree as printed and only the right one says of which magnitude: 70.6 / 32 = 2.2 billion."""
    if one.dimension or not isinstance(right, Literal) or magnitude(right.unit) == 1.0:
        return False
    return _apart(one, Interval(right.value, right.value, right.value), _reach(right, about, 1.0))[1]


def _leaves_out(one: Dimension, other: Dimension) -> bool:
    """Whether a side has all the units of another one but those of its operations: 6e12 / (2 s) = 3 TFLOP/s."""
    return one == tuple((base, power) for base, power in other if base not in ("FLOP", "OP")) or not other


def _is_bare(lefts: Options, right: Node, rights: Options) -> bool:
    """Whether only the right side says of which magnitude its number is."""
    size = magnitude(right.unit) if isinstance(right, Literal) else 1.0
    one, other = lefts[0][1], rights[0][1]
    return size > 1 and not one.dimension and 10 * abs(one.mid) < abs(other.mid) / size**0.5


def value_in(expected: float, right: Node, dimension: Dimension) -> str:
    """A value in base units as text in the unit of the claimed side, with a digit more than was printed."""
    if isinstance(right, Literal):
        reading = next(
            (option for option in right.options if option.dimension == dimension), right.options[0]
        )
        digits = len(right.digits.lower().partition("e")[0].replace(".", "").replace(",", "").lstrip("0"))
        number = expected / reading.factor
        shown = f"{number:.{min(max(digits + 1, 3), 8)}g}"
        if "e" in shown and "e" not in right.digits and abs(number) < 1e15:
            shown = f"{number:.0f}" if abs(number) >= 1 else shown
        return with_unit(shown, right.unit)
    return f"{expected:.5g} {base_text(dimension, 1.0)}" if dimension else f"{expected:.5g}"


def with_unit(number: str, unit: str) -> str:
    """A number's text with the unit as it was written."""
    if unit.startswith("USD"):
        spaced = len(unit) > 5 and unit[3].isalpha()  # $3 million, $3M, $3/h
        return f"${number}{' ' * spaced}{unit[3:]}"
    return number + ("" if unit in ("", "%") else " ") + unit
