"""Bytes that words make of a count: parameters in a format, or so many bytes each.

`405B in FP8: 405 GB`, `13 billion weights of two bytes make 26 GB`. A number is false only by a plain slip, the
size of an element among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.marks import ABOUT, MARK, THAT, VERB, Q, skeleton, words
from derive.checking.quantities import Quantity
from derive.checking.values import Interval, times
from derive.checking.worded import held
from derive.checking.words import Dimension, counted

_BYTES: Dimension = (("byte", 1),)
_SIZES = (
    (4.0, "FP32|fp32|float32|TF32"),
    (2.0, "BF16|bf16|FP16|fp16|bfloat16|float16"),
    (1.0, "FP8|fp8|INT8|int8"),
    (0.5, "INT4|int4|FP4|fp4|NF4|nf4"),
)
FORMAT = "|".join(names for _, names in _SIZES)
_COUNTS = {"half a": 0.5, "one": 1.0, "two": 2.0, "four": 4.0, "eight": 8.0, "sixteen": 16.0}
_SLIPS = (0.25, 0.5, 2.0, 4.0)
_OTHER = re.compile(
    r"train|optimi[sz]|gradient|\bgrads?\b|Adam|cache|activation|tun(?:e|ing)|overhead|LoRA|context|state|embed|expert"
)
_COUNTED = rf"(?:(?P<count>{'|'.join(_COUNTS)}) bytes?|{Q})"
_EACH = r"(?: each| apiece|(?: for each| per| a) (?:parameter|param|weight|value|element|number)| for each)?"
_LEADS = rf"(?:{THAT}| {VERB}|,|:| \() ?{ABOUT}"
_IN_FORMAT = (
    re.compile(rf"{Q}{words(2)} in (?P<format>{FORMAT})(?: precision)?{_LEADS}{Q}"),
    re.compile(rf"\b[Ii]n (?P<format>{FORMAT}),?{words(3)} {Q}{words(3)} {VERB} {ABOUT}{Q}"),
    re.compile(
        rf"{Q}{words(2)} {VERB} {ABOUT}{Q} (?:of weights |for (?:the )?weights )?in (?P<format>{FORMAT})\b"
    ),
)
_OF_BYTES = (
    re.compile(rf"{Q}{words(2)} (?:at|of|with) {_COUNTED}{_EACH},?{words(3)}{_LEADS}{Q}"),
    re.compile(rf"\b[Aa]t {_COUNTED}{_EACH},? (?:the |our |its )?{Q}{words(4)} {VERB} {ABOUT}{Q}"),
    re.compile(rf"{Q}{words(2)} and {_COUNTED}{_EACH},?{words(2)} {VERB} {ABOUT}{Q}"),
)
_ENTRY = re.compile(rf"\b(?:{FORMAT}|bytes?)\b")


def width_of(name: str) -> float:
    """The bytes of an element of a format that `FORMAT` matches."""
    return next(size for size, names in _SIZES if name in names.split("|"))


def claims(clause: Clause) -> Iterator[Claim]:
    """The sizes that a sentence tells."""
    if clause.row or len(clause.quantities) < 2 or not _ENTRY.search(clause.text):
        return
    text, marked = skeleton(clause)
    if _OTHER.search(text):
        return
    for pattern in _IN_FORMAT:
        for found in pattern.finditer(text):
            size = width_of(found["format"])
            number, told = _matched(text, marked, found)
            yield from _size(clause, number, Interval(size, size, size, _BYTES), told)
    for pattern in _OF_BYTES:
        for found in pattern.finditer(text):
            yield from _bytes_each(clause, _matched(text, marked, found), found)


def _matched(text: str, marked: Sequence[Quantity], found: re.Match[str]) -> Sequence[Quantity]:
    """The quantities whose marks a pattern matched."""
    first = len(MARK.findall(text[: found.start()]))
    return marked[first : first + len(MARK.findall(found[0]))]


def _bytes_each(clause: Clause, matched: Sequence[Quantity], found: re.Match[str]) -> Iterator[Claim]:
    told = matched[-1]
    if found["count"]:
        size = _COUNTS[found["count"]]
        yield from _size(clause, matched[0], Interval(size, size, size, _BYTES), told)
        return
    if len(matched) == 3:
        each = next((one for one in matched[:2] if one.has(_BYTES)), None)
        number = next((one for one in matched[:2] if one is not each), None)
        if each is not None and number is not None:
            yield from _size(clause, number, each.literal.at({}), told)


def _size(clause: Clause, number: Quantity, each: Interval, told: Quantity) -> Iterator[Claim]:
    """So many parameters of so many bytes each."""
    unit, counts = number.literal.unit, counted(number.literal.unit)
    large = unit[:1] in ("B", "M", "T") or unit.startswith(("billion", "million", "trillion"))
    if (
        not large
        or counts not in ((), (("parameter", 1),))
        or not told.has(_BYTES)
        or counted(told.literal.unit)
    ):
        return
    value = times(number.literal.at({}), each)
    if value.dimension == _BYTES:
        first, last = sorted((number, told), key=lambda one: one.start)
        because = f"{clause.piece(number)} × {each.mid:g} bytes"
        claim = held(clause, first, last, told, [value], because, sure=False, slips=_SLIPS)
        if claim is not None:
            yield claim
