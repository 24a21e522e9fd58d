"""Quantities that the text states again in another unit: 59.5 h, or 214,200 s.

What agrees is true. What does not is false only where a plain slip leads from the right
number to the printed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from derive.checking.blocks import TEXT
from derive.checking.causes import UNKNOWN, slip
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.gates import AMOUNT_BEFORE
from derive.checking.grammar import Operation
from derive.checking.judging import judge, value_in
from derive.checking.quantities import Quantity
from derive.checking.statements import BYTES
from derive.checking.values import Interval, half_unit, times
from derive.checking.worded import ABOUT, MOST, claim, gap, options
from derive.checking.words import is_binary, readings

_AGAIN = re.compile(
    r"\s*(?:(?:of [a-z-]+ (?:[a-z-]+ )?)?,\s*|of [a-z-]+(?: [a-z-]+)?,\s*)?(?:(or)|(i\.e\.,?|that is,?|which is)|"
    rf"((?:[a-z-]+ ){{0,2}}\()(?:or |i\.e\.,? |that is,? )?|,)\s*{ABOUT}"
)
_ENTRY = re.compile(
    r"\bor\b|i\.e\.|that is|(?<![*/×+=-] )(?<![*/×+=-])\((?:or |i\.e\.,? |that is,? )?\W?\d|"
    r",\s(?:about\s|roughly\s|some\s|nearly\s)?[~≈$]?\d"
)
_MORE = re.compile(
    r"\s*(?:per|each|a|an|every|more|less|of|larger|smaller|faster|slower|to|and|with|for|on|/)\b|\s*[-–+*/×^‥]"
)
_OF = re.compile(r"\s*of [a-z]+")
_PART_OF = re.compile(r"\d (?:out )?of (?:the |its |their )?[~≈]?$")
"""What stands before a whole of which a part is told: 72.8 of 80 GB, i.e. 67.8 GiB."""
_BOUND = re.compile(r"\b(?:at least|at most|over|under|up to|more than|less than)\s+[~≈]?$")
_PREFIX = re.compile(r"^(?:[kKMGTPE]i?|[mµun])(?=[A-Za-z])")
_ROUGHLY = re.compile(r",\s*(?:or(?: about)?|about|roughly|nearly|almost|some|just (?:over|under))\s+$")
_OR = re.compile(r",\s*or\b")
_MANY_OF = re.compile(r"(?<![×*x] )(?<![\w.,])(\d{1,4}) ?(?:[x×] ?|(?:[A-Za-z-]+ ){1,3}(?:of|at|with) )$")
"""How many of a quantity are told again together: 2 × 25 Gb/s (6.25 GB/s)."""
_BEFORE = 48
_SECONDS, _MANY, _DIGITS = (("second", 1),), 99, 3
_OF_DIGITS = ("digits swapped", "power of ten")
_STEPS = (24.0, 60.0, 3600.0, 7.0, 1000.0, 1024.0, 8.0)
"""What lies between two units of one kind."""


def claims(clause: Clause) -> Iterator[Claim]:
    """The claims of a sentence that restate its quantities."""
    if clause.row or len(clause.quantities) < 2 or not _ENTRY.search(clause.text):
        return
    for one, other in pairwise(clause.quantities[:MOST]):
        yield from _in_another_unit(clause, one, other)


def _in_another_unit(clause: Clause, one: Quantity, other: Quantity) -> Iterator[Claim]:
    """`59.5 h, or 214,200 s`, `80 GB (74.5 GiB)`."""
    if not one.literal.unit or not other.literal.unit:
        return
    link = _AGAIN.fullmatch(gap(clause, one, other))
    if link is None or _PART_OF.search(clause.text, 0, one.start):
        return
    if _counted(one) != _counted(other):
        return  # so much in all, and for each of them
    if _same_unit(one, other):
        yield from _in_the_same_unit(clause, one, other, link)
        return
    behind = clause.text[other.end :].lstrip(TEXT)
    timed = one.has(_SECONDS) and other.has(_SECONDS)  # so many days of running
    if (link[3] and not behind.startswith(")")) or (
        _MORE.match(behind) and not (timed and _OF.match(behind))
    ):
        return
    many = _MANY_OF.search(clause.text, max(0, one.start - _BEFORE), one.start)
    lefts = [
        (chosen, times(value, _exactly(float(many[1]))) if many else value) for chosen, value in options(one)
    ]
    rights = options(other)
    if not any(a.dimension == b.dimension != () for _, a in lefts for _, b in rights):
        return
    left = Operation("×", (one.literal, one.literal)) if many else one.literal
    judged = judge(left, lefts, other.literal, rights, "≈", other.about)
    dimension = rights[0][1].dimension
    expected = value_in(judged.expected, other.literal, dimension)
    if judged.verdict == "true":
        yield claim(clause, one, other, "true", expected, "", "conversion", clause.piece(one))
    elif link[1] and AMOUNT_BEFORE.search(clause.text, max(0, one.start - 16), one.start):
        return  # a list of amounts
    elif judged.verdict == "false" and not _BOUND.search(link[0]):
        cause = slip(other.literal, judged.expected / other.factor(dimension))
        if cause == UNKNOWN and (link[1] or link[3]) and _is_turned(one, other, judged.expected):
            turned = "GB and GiB: converted in the wrong direction"
            yield claim(clause, one, other, "false", expected, turned, "conversion", clause.piece(one))
            return
        listed = not (link[1] or link[2] or link[3])
        restated = "i.e" in link[0] and dimension in (BYTES, _SECONDS)
        if cause == UNKNOWN and (
            restated or ((listed or link[1]) and _is_rounded(link[0], behind, one, other))
        ):
            yield claim(clause, one, other, "false", expected, cause, "conversion", clause.piece(one))
            return
        if listed and not (_in_brackets(clause, one, behind) and cause.startswith(_OF_DIGITS)):
            return
        alike = _base(one) == _base(other) or dimension == BYTES
        moved = cause.startswith("prefix") and not link[2] and alike
        if cause != UNKNOWN and not moved:
            yield claim(clause, one, other, "false", expected, cause, "conversion", clause.piece(one))


def _is_turned(one: Quantity, other: Quantity, expected: float) -> bool:
    """Whether bytes were converted between decimal and binary units in the wrong direction: 141.2 GB (151.6 GiB)."""
    units = [quantity.literal.unit for quantity in (one, other)]
    if is_binary(units[0]) == is_binary(units[1]) or len(re.sub(r"\D", "", other.literal.digits)) < _DIGITS:
        return False
    factor = (other.factor(BYTES) / one.factor(BYTES)) ** 2
    return abs(factor - 1) > 0.01 and other.agrees(expected * factor, BYTES)


def _exactly(value: float) -> Interval:
    return Interval(value, value, value)


def _is_rounded(link: str, behind: str, one: Quantity, other: Quantity) -> bool:
    """Whether a time is told again, roughly and in a larger unit: 61,600 s, about 1.7 days."""
    ends = not behind or behind[0] in ".;)" or (behind[0] == "," and _OR.match(link) is not None)
    again = _ROUGHLY.search(link) is not None and ends
    units = [quantity.literal.options[0] for quantity in (one, other)]
    timed = all(unit.dimension == _SECONDS for unit in units)
    return (
        again
        and timed
        and units[0].factor < units[1].factor
        and one.literal.value * (10 if "." in one.literal.digits else 1) > _MANY
    )


def _in_brackets(clause: Clause, one: Quantity, behind: str) -> bool:
    """Whether two quantities stand alone in brackets: the link (25 Gb/s, 3.125 GB/s)."""
    return clause.text[: one.start].rstrip(TEXT).endswith("(") and behind.startswith(")")


def _in_the_same_unit(clause: Clause, one: Quantity, other: Quantity, link: re.Match[str]) -> Iterator[Claim]:
    """`88 hours, i.e. 3.7 hours`: one amount told twice in one unit, where only another one can have been meant."""
    if (
        not link[2]
        or not one.literal.options[0].dimension
        or not one.literal.value
        or not other.literal.value
        or _MORE.match(clause.text[other.end :])
    ):
        return
    times = one.literal.value / other.literal.value
    near = half_unit(other.literal.digits) / other.literal.value + 0.002
    for step in _STEPS:
        if abs(max(times, 1 / times) / step - 1) <= near:
            cause = f"unit: it is {step:g} times {'smaller' if times > 1 else 'larger'} in the same unit"
            yield claim(
                clause, one, other, "false", clause.piece(one), cause, "conversion", clause.piece(one)
            )
            return


def _base(quantity: Quantity) -> str:
    """The unit of a quantity without its prefix: J of MJ."""
    return _PREFIX.sub("", quantity.literal.unit)


def _counted(quantity: Quantity) -> set[str]:
    """The words of a unit that are no unit: the tray of GB/s per tray."""
    words = re.findall(r"[^\W\d]+", quantity.literal.unit)
    return {word for word in words if not any(option.dimension for option in readings(word))}


def _same_unit(one: Quantity, other: Quantity) -> bool:
    first, second = one.literal.options[0], other.literal.options[0]
    return (first.factor, first.dimension) == (second.factor, second.dimension)
