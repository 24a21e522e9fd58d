"""Columns that their headings tie by the word per: experts per GPU, GPUs, and experts; GB per request, and requests."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.named_columns import Row, held_rows
from derive.checking.nouns import TIMES, thing
from derive.checking.row_labels import words_of
from derive.checking.row_notes import noted

_PER = re.compile(
    r"^\W*(?P<what>[A-Za-z][\w ./$-]{0,30}?) ?(?:\bper\b|/) ?(?:each |one |an? )?(?P<of>[A-Za-z]{3,})\W*"
    r"(?:[(\[][^()]*[)\]])?\W*$",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"^\W*(?:total|all|sum|overall)\b", re.IGNORECASE)
_BRACKET = re.compile(r"[(\[].*$")
_LIMITED = re.compile(
    r"measur|observ|actual|achiev|mean\b|average|avg|peak|usage|used|active|min\b|max\b|p\d\d|%|latenc|"
    r"speed|util|MFU",
    re.IGNORECASE,
)
_FEWEST = 2


def claims(grid: Grid, around: Sequence[str] = ()) -> Iterator[Claim]:
    """The claims of columns that are so many times, or so many of, another one; around: the texts beside the table."""
    if grid.turned:
        return
    for each in grid.columns:
        named = _PER.match(each.heading)
        noun = thing(named["of"]) if named else ""
        if (
            named is None
            or not noun
            or noun in TIMES
            or each.filled <= _FEWEST
            or _LIMITED.search(each.heading)
        ):
            continue
        counts = [one for one in grid.columns if one is not each and _counts(one, noun)]
        if len(counts) == 1 and each.dimension is not None:
            for rows in (_whole(grid, each, counts[0], named["what"]), _many(grid, each, counts[0])):
                for number, one in held_rows(rows, False):
                    if one.verdict == "true" or not noted(grid, number, around):
                        yield one


def _counts(column: Column, noun: str) -> bool:
    """Whether a column counts things of a kind and says nothing else."""
    words = words_of(_BRACKET.sub("", column.heading))
    plain = not _PER.match(column.heading) and not _LIMITED.search(column.heading)
    return column.dimension == () and plain and bool(words) and thing(words[-1]) == noun and len(words) < 3


def _whole(grid: Grid, each: Column, count: Column, what: str) -> list[Row]:
    """What all of them have, each as much."""
    wanted = set(words_of(_BRACKET.sub("", what)))
    targets = [
        one
        for one in grid.columns[1:]
        if one not in (each, count) and one.dimension == each.dimension and one.filled > _FEWEST
        if not _PER.match(one.heading) and not _LIMITED.search(one.heading)
        if set(words_of(_BRACKET.sub("", one.heading))) in (wanted or {""}, wanted | {"total"})
        or (_TOTAL.match(one.heading) and len(words_of(_BRACKET.sub("", one.heading))) == 0)
    ]
    if len(targets) != 1:
        return []
    rows = zip(targets[0].numbers, each.numbers, count.numbers, strict=True)
    given = [
        (told, own, many)
        for told, own, many in rows
        if told is not None and own is not None and many is not None and own.value * many.value > 0
    ]
    if each.place > max(count.place, targets[0].place):  # what is computed stands to the right
        return [
            Row(own, told.value / many.value, f"{told.text} / {many.text}", (told, many))
            for told, own, many in given
        ]
    return [
        Row(told, own.value * many.value, f"{own.text} × {many.text}", (own, many))
        for told, own, many in given
    ]


def _many(grid: Grid, each: Column, count: Column) -> list[Row]:
    """How many fit: a whole number of them."""
    wholes = [
        one
        for one in grid.columns
        if one not in (each, count) and one.dimension == each.dimension != () and one.filled > _FEWEST
    ]
    if len(wholes) != 1 or count.place < max(each.place, wholes[0].place):
        return []
    rows = []
    for told, own, whole in zip(count.numbers, each.numbers, wholes[0].numbers, strict=True):
        if told is not None and own is not None and whole is not None and own.value > 0:
            value = _fitting(told, whole.value / own.value)
            if value > 0:
                rows.append(Row(told, value, f"{whole.text} / {own.text}", (whole, own)))
    return rows


def _fitting(told: Number, value: float) -> float:
    """A quotient, rounded down where that is what is told."""
    return float(math.floor(value)) if abs(told.value - math.floor(value)) < 1e-9 else value
