"""Two sides held against each other: true, false or unsure, and what was expected.

True: some usual reading of both sides agrees within the printed digits. False: no
reading at all comes near. Everything else is unsure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from derive.checking import one_sided
from derive.checking.agreeing import (
    SURE,
    apart,
    digits_of,
    is_swapped,
    literals,
    point,
    reach_of,
    scale_of,
)
from derive.checking.causes import ONE_DIGIT, base_text, misprint
from derive.checking.claims import Verdict
from derive.checking.grammar import Node, Operation, leaves
from derive.checking.one_sided import Options, counts_operations
from derive.checking.values import Interval, Literal
from derive.checking.words import Dimension, is_binary, magnitude

_BANDS = {"=": 0.012, "≈": 0.05, "~": 0.08}
_EXACT_BAND = 0.004
_LENIENT = ("binary", "small", "mega")
_SHARED = ("binary", "mega", "kilo")  # an author reads GB one way throughout a line
_BYTES: Dimension = (("byte", 1),)


@dataclass(frozen=True)
class Judgement:
    """A verdict with the value expected, in base units, and whether only one side bore a unit."""

    verdict: Verdict
    expected: float
    one_sided: bool = False
    lenient: bool = False


def judge(left: Node, lefts: Options, right: Node, rights: Options, relation: str, about: bool) -> Judgement:
    """The right side held against the left one. relation: = ≈ or ~; about: a word says roughly."""
    binary = any(is_binary(word) for leaf in literals(left, right) for word in leaf.unit.split("/"))
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
                found = _one_sided(one, other, right, scale_of(right, other_choice), about)
                judged = _better(judged, found)
                continue
            scale = scale_of(right, other_choice)
            gap, agrees = apart(one, other, reach_of(right, about, scale))
            exact = exact or (agrees and apart(point(one), other, reach_of(right, about, scale))[1])
            slipped = is_swapped(right, one.mid / scale) or (
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
        whole = isinstance(left, Operation) and (left.sign in "+-" or counts_operations(left, rights))
        value = (
            one_sided.missed(left, lefts, right, band, about)
            if whole
            else one_sided.slipped(left, lefts, right, about)
        )
        if value is not None:
            return Judgement("false", value, one_sided=True)
    cost = one_sided.priced(left, right) if nearest is None else None
    if cost is not None and isinstance(right, Literal):
        return _of_price(cost, right, about)
    if nearest is None or all(not value.mid for _, value in rights):
        return judged
    if _is_bare(lefts, right, rights):
        return Judgement("unsure", nearest[1], one_sided=True)
    verdict: Verdict = "false" if nearest[0] > band and not judged.one_sided else "unsure"
    first = next(
        (one.mid for _, one in lefts for _, other in rights if one.dimension == other.dimension), nearest[1]
    )
    return Judgement(verdict, first)


def _of_price(cost: float, right: Literal, about: bool) -> Judgement:
    """What is told of a cost at a price that does not say for what."""
    scale = scale_of(right, {})
    made, told = (Interval(one, one, one) for one in (cost, right.value * scale))
    if apart(made, told, reach_of(right, about, scale))[1]:
        return Judgement("true", cost, one_sided=True)
    wrong = not about and digits_of(right) >= SURE and one_sided.is_mispriced(cost, right)
    return Judgement("false" if wrong else "unsure", cost, one_sided=True)


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
    return isinstance(right, Literal) and not right.unit and digits_of(right) >= SURE


def _better(old: Judgement, new: Judgement) -> Judgement:
    if old.verdict == "true" or (old.lenient and new.verdict != "true"):
        return old
    return new


def _one_sided(one: Interval, other: Interval, right: Node, scale: float, about: bool) -> Judgement:
    """Only one side has a unit: the numbers may agree in base units or as they are printed."""
    candidates = [(other, scale)]
    if isinstance(right, Literal):
        for factor in {1.0, magnitude(right.unit)}:
            printed = right.value * factor
            candidates.append((Interval(printed, printed, printed), factor))
    for candidate, factor in candidates:
        reach = reach_of(right, about, factor)
        if apart(one, candidate, reach)[1] and (
            apart(point(one), candidate, reach)[1] or not is_swapped(right, one.mid / factor)
        ):
            return Judgement("true", one.mid * scale / factor, one_sided=True)
    return Judgement("unsure", one.mid * (1.0 if one.dimension else scale), one_sided=True)


def _cancels(right: Node, scale: float) -> bool:
    """Whether the unit of a number is a ratio of two of one kind, whose numerator may be left out: ms per second."""
    return isinstance(right, Literal) and "/" in right.unit and scale != 1.0 and magnitude(right.unit) == 1.0


def _is_one_digit_off(right: Node, value: float) -> bool:
    """Whether one digit of a whole number of four or more is another than in an exact calculation."""
    if not isinstance(right, Literal) or not right.digits.replace(",", "").isdigit() or not _is_of_one(right):
        return False
    return digits_of(right) > SURE and misprint(right, value) == ONE_DIGIT


def _is_carried(one: Interval, other: Interval, right: Node, about: bool) -> bool:
    """Whether the numbers agree as printed and only the right one says of which magnitude: 70.6 / 32 = 2.2 billion."""
    if one.dimension or not isinstance(right, Literal) or magnitude(right.unit) == 1.0:
        return False
    return apart(one, Interval(right.value, right.value, right.value), reach_of(right, about, 1.0))[1]


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
