"""The mistake that leads from what amounts make to the number that is printed, and whether anything else makes it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from derive.checking.amount import Amount, Sense
from derive.checking.causes import UNKNOWN, slip
from derive.checking.factors import Part, Product, kind_of, scale_of, value_of
from derive.checking.nouns import HARD
from derive.checking.values import Interval, joined
from derive.checking.words import magnitude

_TWOS = re.compile(
    r"\b(?:half|halves|halved|halving|twice|doubl\w*|both|two|pair|each way|per direction|bidirectional|2x|second|"
    r"forward|backward|copies|copy|mirror\w*|replicat\w*|redundan\w*|quarter|third|causal)\b|½",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"(?: each)?,?(?: [a-z]+)? (?:(?:that|this|it|which) (?:is|makes|gives|needs|takes|costs)|makes?|comes? to|"
    r"needs?|takes?|uses?|holds?|costs?|draws?|gives?|sees?|process(?:es)?|reads?|are|is|"
    r"we (?:get|have)|adds? up to)\s+(?:a total of |in all |together |about |roughly )?[~≈]?\s*"
)
REST = re.compile(
    r"\s*(?:to spare|in reserve|short|left|spare|free|missing|over|too|more|less|fewer|above|below|away|off)\b"
)
"""What stands behind an amount that is over or missing."""

_FOR = re.compile(r" (?:for|at|over|through)(?: the| an?)? (?:[a-z]+ )?[~≈]?")
_AGAIN = re.compile(
    r",? ?(?:(?:or|hence|thus|so|i\.e\.,?|that is,?|which is|that's|this is|is|are|makes|carries|gives|has|"
    r"there are)\s|\(|,\s)"
    r"\s*(?:an? )?(?:steady |total of |one every )?(?:about |only |just |roughly |some |nearly |almost )?[~≈]?\s*"
)
_TOTAL = re.compile(r",? (?:in all|in total|together|altogether|all told)\b")
_ALL_OF_THEM = re.compile(r"\s*(?:Together|In all|In total|Altogether|All (?:of them )?together)\b")
_SPLIT = re.compile(
    r"\bcompress|\bparallel|\bstrip(?:e|ing)|\bof them\b|\beach\b|\bcach|\bdedup|\bonly\b", re.IGNORECASE
)
_OPEN = re.compile(
    r"\b(?:another|extra|more|plus|minus|except|share[sd]?|besides|also|overhead|instead|if|when|and|each|per|of which|"
    r"to spare)\b",
    re.IGNORECASE,
)
_FACTORS = (
    (10.0, "power of ten", 2), (100.0, "power of ten", 2), (1e3, "prefix", 2), (1e6, "prefix", 3), (1e9, "prefix", 3),
    (60.0, "seconds and minutes", 2), (3600.0, "seconds and hours", 2), (24.0, "hours and days", 2),
    (12.0, "months and years", 2), (7.0, "days and weeks", 2),
    (8.0, "bit and byte", 3), (1024.0, "prefix", 2), (4.0, "element size", 3),
    (2.0, "counted twice, or half", 3), (1.024, "powers of 1024", 3), (1.024**2, "powers of 1024", 4),
    (1.024**3, "powers of 1024", 4), (1.024**4, "powers of 1024", 4),
)  # fmt: skip
"""Factors that are slips, and how many digits must agree."""

_CLOCK = {
    "seconds and minutes": re.compile(r"min|hour|\bh\b|(?<!/)\b(?:s|sec|seconds?)\b"),
    "seconds and hours": re.compile(r"hour|h\b"),
    "hours and days": re.compile(r"hour|h\b|day|\bd\b"),
    "days and weeks": re.compile(r"day|week"),
    "months and years": re.compile(r"month|year"),
}
"""What must be told for two units of time to be mixed up."""

_PERIODIC = re.compile(r"\b(?:yearly|annual(?:ly)?|monthly|weekly|daily|hourly)\b", re.IGNORECASE)
"""What says for which time an amount is told that names none: the yearly bill of $1.2 million."""
_BITS = re.compile(r"[GMT]b(?:it|ps|/s)|\bbit")
_BINARY = re.compile(r"[KMGTP]iB")
_CODED = re.compile(r"\bcod(?:ed|ing)|\d+b/\d+b|overhead|protocol|effective", re.IGNORECASE)
_DOUBLINGS = (2.0, 4.0, 8.0)
_WIDTHS = (0.5, 1.0, 2.0, 4.0, 8.0)
_FOLLOWS = re.compile(r"\b(?:hence|thus|so)\b")
_SECONDS = (("second", 1),)
_FEWEST = 3
_REACH, _EXACT, _OFF, _TINY, _HALF, _OVERHEAD, _SHORT = 0.006, 1e-3, 0.02, 1e-9, 0.5, 2.1, 0.9
"""_OVERHEAD: so many times longer than at the rate that is told something may well take."""


def agrees(told: Amount, value: Interval, factor: float = 1.0) -> bool:
    """Whether so many times a value rounds to the told number."""
    slack = told.slack * (1 + 1e-7)
    low, high = sorted((value.low * factor, value.high * factor))
    return low - slack <= told.value.mid <= high + slack


def cause_of(told: Amount, one: Product, found: Sequence[Amount]) -> str:
    """The slip that leads from a product to the told number; "" where there is none."""
    mid = one.value.mid
    if mid <= 0 or not told.value.mid:
        return ""
    reach = min((one.value.high - one.value.low) / 2, _REACH * mid)
    value = Interval(mid - reach, mid, mid + reach)
    if len(one.parts) == 1:
        return _restated(told, one, value)
    if any(map(_is_width, one.amounts)) and any(
        dict(part.kind).get("parameter") == 1 and part.value.mid == told.value.mid for part in one.amounts
    ):
        return f"element size: the parameters are told as bytes, {told.value.mid / mid:.4g} times what it should be"
    text = told.clause.plain
    around = _blanked(text, [part for part in one.amounts if part.clause is told.clause])
    for factor, name in _slips(told, one, around):
        if agrees(told, value, factor):
            return f"{name}: it is {factor:.4g} times what it should be"
    expected = told.in_its_unit(value.mid)
    if _is_reordered(told, expected):
        return "digits swapped: the same digits in another order"
    if _is_too_fast(told, one, found):
        return "less than the time that it takes at that rate"
    cause = _of_a_number(told, one, value, found) or slip(told.literal, expected)
    sure = (
        _is_misprint(told, cause)
        or cause.startswith(("a factor", "divided"))
        or _is_tight(told, one, text, found)
    )
    return cause if sure else ""


def _is_too_fast(told: Amount, one: Product, found: Sequence[Amount]) -> bool:
    """Whether bytes are moved in a time that is too short at the only rate told, and nothing is told of several."""
    bytes_, rate = (("byte", 1),), (("byte", 1), ("second", -1))
    if told.measure != _SECONDS or sorted(part.measure for part in one.amounts) != [bytes_, rate]:
        return False
    if any(part.sentence != told.sentence or part.each for part in one.amounts):
        return False
    alone = not any(other.counts and other.value.mid > 1 for other in found)
    alone = alone and not (_TWOS.search(told.clause.plain) or _SPLIT.search(told.clause.plain))
    return alone and told.value.mid + told.slack < _SHORT * one.value.mid


def _is_misprint(told: Amount, cause: str) -> bool:
    return cause.startswith("digits swapped") or (cause.startswith("one digit") and told.digits > 3)


def _is_nominal(one: Amount) -> bool:
    """Whether a count in billions has two digits or fewer, which are its name rather than its size: a 64B model."""
    counts = one.quantity is not None and not any(base in HARD for base, _ in one.kind)
    return counts and one.digits < _FEWEST and magnitude(one.literal.unit) > 1


def _is_reordered(told: Amount, expected: float) -> bool:
    """Whether a number of two digits or more has the digits of the right one in another order."""
    many = told.digits
    if many < 2 or not 0.1 < told.literal.value / expected < 10:
        return False
    digits = [f"{abs(value):.{many - 1}e}".partition("e")[0] for value in (told.literal.value, expected)]
    return digits[0] != digits[1] and sorted(digits[0]) == sorted(digits[1])


def _slips(told: Amount, one: Product, text: str) -> Iterator[tuple[float, str]]:
    """The factors that are slips for a number of this kind with so many digits."""
    kind = dict(told.kind)
    units = " ".join(part.written_out for part in (told, *one.amounts))
    bytes_ = any(base == "byte" for part in one.amounts for base, _ in part.kind)
    exact = told.digits == 1
    periodic = _PERIODIC.search(told.clause.text) is not None
    for factor, name, least in _FACTORS:
        if name in _CLOCK and (periodic or not _CLOCK[name].search(units)):
            continue
        if factor in (4.0, 1024.0) and "byte" not in kind:
            continue
        if (factor == 8.0 or name == "powers of 1024") and not bytes_:
            continue
        if factor == 8.0 and told.counts and kind.keys() != {"token"} and not _BITS.search(units):
            continue  # what fits on eight devices
        if name == "powers of 1024" and any(map(_is_nominal, one.amounts)):
            continue
        if factor == 2.0 and (
            ("byte" not in kind and "FLOP" not in kind) or "second" in kind or _TWOS.search(text)
        ):
            continue
        if factor == 2.0 and any(_is_width(part) for part in one.amounts):
            name = "element size"
        total = factor == 2.0 and told.digits == 2 and _TOTAL.match(told.clause.plain, told.end) is not None
        bits = factor == 8.0 and _BITS.search(units)
        for turned in (factor, 1 / factor):
            near = abs(told.value.mid / (one.value.mid * turned) - 1) < _EXACT
            sure = factor not in _DOUBLINGS or name == "element size"
            if told.digits >= least or bits or (exact and near and sure) or (total and near):
                yield turned, name


def _restated(told: Amount, one: Product, value: Interval) -> str:
    """The slip of an amount that is told again in another unit: 18,000 tokens/s, or 1.56 billion an hour."""
    (only,) = one.amounts
    unit, other = (re.sub(r"^[\W\d]+", "", part.written_out) for part in (only, told))
    if unit == other:
        return ""
    if only.sentence != told.sentence or only.end > told.start:
        return ""
    text = told.clause.plain
    if _TOTAL.match(text, told.end):
        return ""  # what several have
    again = bool(_AGAIN.fullmatch(text[only.end : told.start]))
    turned = one.parts[0].sign < 0
    for factor, name in _slips(told, one, text):
        plainly = name in _CLOCK and told.digits > 2
        binary = all(_BINARY.search(part.written_out) for part in (only, told))
        if name in ("element size", "counted twice, or half") or (name == "powers of 1024" and not binary):
            continue
        if agrees(told, value, factor) and (plainly or again):
            return f"{name}: it is {factor:.4g} times what it should be"
    mixed = _BITS.search(only.written_out) and not _BITS.search(told.written_out) and not _CODED.search(text)
    if again and mixed and agrees(told, value, 0.8):
        return "bit and byte: a byte is taken for ten bits"
    if again and only.quantity is None and only.written_out[:1].isdigit():  # hours and minutes
        off = abs(told.value.mid / value.mid - 1)
        return "" if agrees(told, value) else UNKNOWN if _TINY < off < _HALF else ""
    if again and turned and only.quantity is not None and only.literal.digits == told.literal.digits:
        return "the number is the same, and not its inverse"
    cause = slip(told.literal, told.in_its_unit(value.mid))
    if cause == UNKNOWN and _FOLLOWS.search(text[only.end : told.start]) and told.digits > 2:
        off = abs(told.value.mid / value.mid - 1)
        each = any(power < 0 and base not in HARD for base, power in only.kind)
        return cause if each and again and _OFF < off < _HALF else ""
    return cause if again and (_is_misprint(told, cause) or cause.startswith("one digit")) else ""


def _of_a_number(told: Amount, one: Product, value: Interval, found: Sequence[Amount]) -> str:
    """Whether a count of the text is left out or put in, or a part stands on the wrong side of the line."""
    if told.digits < 2:
        return ""
    for other in found:
        if other.counts and other.value.mid > 2 and other is not told:
            # a count of another sentence that the number is multiplied by may well be meant: 5,120 of them a step
            near = other in one.amounts or other.sentence == told.sentence
            rest = [part for part in one.parts if part.amount is not other]
            if len(rest) == 1 and rest[0].amount.measure == _SECONDS and rest[0].sign < 0:
                continue  # 16,384 tokens of context, 4.96 ms, or 201 tokens/s: the inverse of the time alone
            each = "device" in dict(other.kind) and any(part.amount.each for part in rest)
            if other in one.amounts and not each and _are_whole(rest, told):
                continue
            for factor in (other.value.mid, 1 / other.value.mid) if near else (1 / other.value.mid,):
                if agrees(told, value, factor) and told.digits >= 3 - (other in one.amounts):
                    return f"a factor of the text ({other.shown}): it is {factor:.4g} times what it should be"
    for amount, sign in one.parts:
        factor = amount.value.mid ** (-2 * sign)
        sure = told.digits > 2 or (amount.linked and not amount.kind)  # a PUE
        if sure and abs(factor - 1) > _OFF and agrees(told, value, factor):
            return f"divided instead of multiplied, or the other way round ({amount.shown})"
    return ""


def _are_whole(rest: Sequence[Part], told: Amount) -> bool:
    """Whether amounts count and measure by themselves what a number does: 1,024 GPUs for 10.5 hours, GPU-hours."""
    made: dict[str, int] = defaultdict(int)
    for part in rest:
        for base, power in part.amount.kind:
            made[base] += power * part.sign
    return len(rest) > 1 and {base: power for base, power in made.items() if power} == dict(told.kind)


def _is_tight(told: Amount, one: Product, text: str, found: Sequence[Amount]) -> bool:
    """Whether words leave no room for anything else: so much for each, so many of them, and that is told.

    Or one amount at or for another one, as 700 kW for 5 minutes, with no third number before what is told.
    """
    if told.bare or told.each:
        return False
    if any(part.bare or part.each or not -1 <= part.sentence - told.sentence <= 0 for part in one.amounts):
        return False
    powers = [
        (base, power * sign) for part, sign in one.parts for base, power in part.kind if base not in HARD
    ]
    cancelled = any((base, -power) in powers for base, power in powers)
    inside = [part for part in one.amounts if part.sentence == told.sentence and part.end <= told.start]
    joined_by_words = len(inside) == len(one.parts) == 2 and bool(
        _FOR.fullmatch(text[min(part.end for part in inside) : max(part.start for part in inside)])
    )
    together = cancelled and not inside and _is_together(told, one, found)
    if not (cancelled or (joined_by_words and _is_alone(told, inside, found))) or not (inside or together):
        return False
    times = told.value.mid / one.value.mid
    if abs(times - 1) <= _OFF or (not cancelled and told.kind == _SECONDS and 1 < times < _OVERHEAD):
        return False
    if REST.match(text, told.end):
        return False
    if together:
        return not _OPEN.search(_blanked(text, [told]))
    between = text[max(part.end for part in inside) : told.start]
    around = _blanked(text, inside)[min(part.start for part in inside) : told.end + 30]
    total = between.replace("each", "").strip() == "," and _TOTAL.match(text, told.end)
    return bool(total or _STRONG.fullmatch(between)) and not _OPEN.search(around)


def _is_together(told: Amount, one: Product, found: Sequence[Amount]) -> bool:
    """Whether a sentence begins with what all have together, and the one before tells but so many of so much."""
    before = [part for part in found if part.sentence == told.sentence - 1]
    lone = not any(part.sentence == told.sentence and part is not told for part in found)
    return (
        lone
        and len(before) == len(one.parts) == 2
        and {id(part) for part in before} == {id(part) for part in one.amounts}
        and bool(_ALL_OF_THEM.match(told.clause.plain))
    )


def _is_alone(told: Amount, inside: Sequence[Amount], found: Sequence[Amount]) -> bool:
    """Whether a sentence has no other number up to the one that is told."""
    before = [one for one in found if one.sentence == told.sentence and one.start < told.start]
    return len(before) == len(inside) and not any(one.bare or one.opaque for one in before)


def _blanked(text: str, parts: Sequence[Amount]) -> str:
    """A sentence without the words of amounts of it."""
    for part in parts:
        end = part.end + len(" each") * text.startswith(" each", part.end)
        text = f"{text[: part.start]}{'#' * (end - part.start)}{text[end:]}"
    return text


def _is_width(one: Amount) -> bool:
    """Whether an amount is the bytes of an element."""
    return one.kind[:1] == (("byte", 1),) and one.value.mid in _WIDTHS


def is_explained(told: Amount, found: Sequence[Amount]) -> bool:
    """Whether something else of the paragraph makes the printed number."""
    named = {one.value.mid for one in found if not one.bare and one is not told}
    near = [
        other
        for one in dict.fromkeys(found)
        if one is not told
        and not (
            one.bare and one.sentence < told.sentence and one.value.mid in named
        )  # 512 × 1024 of 1,024 tokens each
        for other in _sides(one)
    ]
    if any(
        abs(one.value.mid - told.value.mid)
        <= (told.slack if one.kind == told.kind else _TINY * told.value.mid)
        for one in near
    ):
        return True
    if _TWOS.search(told.clause.plain) and any(
        one.measure == told.measure and any(agrees(told, one.value, factor) for factor in (2.0, 0.5))
        for one in near
    ):
        return True
    for many in (2, 3):
        for chosen in combinations(near, many):
            if many > 2 and any(_is_mere(one) or one.sentence > told.sentence for one in chosen):
                continue
            for signs in product((1, -1), repeat=many):
                parts = tuple(map(Part, chosen, signs))
                value = value_of(parts)
                if value is not None and any(agrees(told, value, scale) for scale in _scales(told, parts)):
                    return True
    return False


def _is_mere(one: Amount) -> bool:
    """Whether a number is one of which nothing is known."""
    return one.bare and not one.linked and not any(sense.kind for sense in one.senses)


def _sides(one: Amount) -> Iterator[Amount]:
    """An amount, and what a percentage leaves of the whole."""
    yield one
    if one.quantity is not None and one.literal.unit == "%":
        low, mid, high, _ = one.value
        yield replace(one, value=Interval(1 - high, 1 - mid, 1 - low))


def _scales(told: Amount, parts: Sequence[Part]) -> Iterator[float]:
    """The scales under which a product may be meant, what is counted taken lightly: eight users of 2 GB are 16 GB."""
    if any(part.sign < 0 and part.amount.linked and not part.amount.kind for part in parts):
        return
    signs = [sign for _, sign in parts]
    owned = {base for amount, sign in parts for base, power in amount.kind if power * sign > 0}
    for senses in product(*(part.amount.senses for part in parts)):
        kind = kind_of(senses, signs)
        free = told.each or any(
            amount.bare and not sense.kind for (amount, _), sense in zip(parts, senses, strict=True)
        )
        each = tuple((base, power) for base, power in told.kind if power > 0 or base in HARD)
        for target in (*told.senses, Sense(each, told.senses[0].factor)):
            rest = joined(kind, target.kind, -1)
            if any(base in HARD for base, _ in rest):
                continue
            hidden = [sign for amount, sign in parts if amount.each]
            if free or (
                all(power > 0 and base in owned for base, power in rest)
                and all(any(power == sign for _, power in rest) for sign in hidden)
            ):
                yield scale_of(senses, signs, target)
