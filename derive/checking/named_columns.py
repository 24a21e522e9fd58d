"""Columns whose headings name how they are made: left of a memory, energy of a power, a global batch, a bubble.

The headings alone say which column follows from which others. All rows but one must bear it out; the one that does not
is false where a slip leads to its number, or where many rows agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median_low

from derive.checking.causes import SWAPPED, UNKNOWN, by_ratio
from derive.checking.cells import claim, reach
from derive.checking.claims import Claim
from derive.checking.column_rules import ANY, RULES, Part, Rule
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import slip_bits
from derive.checking.row_notes import noted

_MEASURED = re.compile(r"measur|observ|actual|achiev|avg|average|mean\b|peak|max|p\d\d", re.IGNORECASE)
_OF_TOTAL = re.compile(
    r"^\W*(?:share|%|percent|fraction|part|weight|proportion)(?: ?\(?%\)?)?"
    r"(?: of (?:the )?(?:total|whole|sum|all|step|time|budget)\b.*)?\W*$",
    re.IGNORECASE,
)
_GATHERS = re.compile(r"\W*(?:total|sum|all|sub-?total|together|overall|of which|thereof)\b", re.IGNORECASE)
_FEWEST, _MANY, _PLAIN = 2, 4, 4.0
_ROUNDED = 0.006
_BY_MORE, _WHOLE_OFF = 0.02, 0.006
_CARRIES = (10.0, 100.0, 1000.0, 10000.0)
_SUM = re.compile(r"^\W*(?:total|sum|all(?: in)?|combined|together|overall)\b(?!.*\bper\b)", re.IGNORECASE)
_NOT_SUMMED = re.compile(
    r"\bper\b|/|%|share|rate|utili|MFU|mean|average|latenc|price|speed|peak|loss|size", re.IGNORECASE
)


def claims(grid: Grid, around: Sequence[str] = ()) -> Iterator[Claim]:
    """The claims of columns that follow from others as their headings say; around: the texts beside the table."""
    for number, one in _every(grid):
        if one.verdict != "false" or not noted(grid, number, around):
            yield one


def _every(grid: Grid) -> Iterator[tuple[Number, Claim]]:
    if not grid.turned:
        yield from _shares(grid)
        yield from _sums(grid)
    for rule in RULES:
        targets = [one for one in grid.columns[1:] if _is(one, rule.target)]
        if len(targets) != 1 or _MEASURED.search(targets[0].heading):
            continue
        parts = _parts(grid, rule, targets[0])
        if parts and all(
            one.place < targets[0].place for one in parts
        ):  # what is computed stands to the right
            for number, one in held_rows(_rows(targets[0], parts, rule), rule.value is math.prod):
                if not rule.swapped or one.verdict == "true" or one.cause.startswith(SWAPPED):
                    yield number, one


def _shares(grid: Grid) -> Iterator[tuple[Number, Claim]]:
    """Shares of the sum of the one column beside them, where no row is their total."""
    shares = [one for one in grid.columns[1:] if one.dimension == () and _OF_TOTAL.match(one.heading)]
    parts = [
        one
        for one in grid.columns[1:]
        if one.dimension is not None and one not in shares and one.filled == len(grid.labels)
    ]
    if (
        len(shares) != 1
        or len(parts) != 1
        or shares[0].filled < len(grid.labels)
        or _MEASURED.search(parts[0].heading)
    ):
        return
    if any(_GATHERS.match(label) for label in grid.labels):
        return
    numbers = [one for one in parts[0].numbers if one is not None]
    whole = sum(one.value for one in numbers)
    rows = []
    for told, part in zip(shares[0].numbers, numbers, strict=True):
        if told is not None and whole > 0:
            shown = f"{whole / part.quantity.factor(part.dimension):.6g}"
            rows.append(Row(told, part.value / whole, f"{part.text} / {shown}", (part,)))
    wrong = [row for row in rows if not row.agrees]
    if len(wrong) > 1:
        yield from _of_shares(rows)
        return
    all_told = sum(row.told.value for row in rows)
    if len(rows) > _FEWEST and len(wrong) == 1 and abs(all_told - 1) > _WHOLE_OFF * len(rows):
        (odd,) = wrong
        if abs(all_told - odd.told.value + odd.value - 1) <= _WHOLE_OFF * len(rows):
            cause = f"the shares add up to {100 * all_told:.4g} %; the other rows are right"
            value = odd.value
            yield odd.told, claim(odd.told, value, value, value, "table-formula", odd.because, cause, 0.0)
            return
    yield from held_rows(rows, False)


def _of_shares(rows: Sequence[Row]) -> Iterator[tuple[Number, Claim]]:
    """The one amount that its share does not make, where the shares add up to the whole and the others agree."""
    if abs(sum(row.told.value for row in rows) - 1) > 1e-6 or any(row.told.value <= 0 for row in rows):
        return
    whole = median_low([row.parts[0].value / row.told.value for row in rows])
    made = []
    for row in rows:
        (part,) = row.parts
        shown = f"{whole / part.quantity.factor(part.dimension):.6g}"
        made.append(Row(part, whole * row.told.value, f"{row.told.text} × {shown}", (row.told,)))
    if len(made) >= _MANY:
        yield from held_rows(made, False)


def _sums(grid: Grid) -> Iterator[tuple[Number, Claim]]:
    """A total of all columns of its kind to its left."""
    for column in grid.columns[3:]:
        if not _SUM.match(column.heading) or column.dimension is None:
            continue
        parts = [one for one in grid.columns[1 : column.place] if one.dimension == column.dimension]
        bare = any(_NOT_SUMMED.search(one.heading) for one in (column, *parts))
        if len(parts) < 2 or bare or len(parts) != column.place - 1:
            continue
        rows = []
        for told, *given in zip(column.numbers, *(one.numbers for one in parts), strict=True):
            known = tuple(one for one in given if one is not None)
            if told is not None and len(known) == len(given):
                because = " + ".join(one.text for one in known)
                rows.append(Row(told, sum(one.value for one in known), because, known))
        yield from held_rows(rows, False, True)


def _is(column: Column, part: Part) -> bool:
    fitting = part.dimension is ANY or column.dimension == part.dimension
    return fitting and column.filled > _FEWEST and part.heading.search(column.heading) is not None


def _parts(grid: Grid, rule: Rule, target: Column) -> list[Column]:
    """The columns that a rule names, each of them once; [] where one is missing or there are two."""
    found: list[Column] = []
    for part in rule.parts:
        named = [one for one in grid.columns if one is not target and one not in found and _is(one, part)]
        if len(named) == 1:
            found.append(named[0])
        elif named or not part.optional:
            return []
    return found if len(found) > 1 or len(rule.parts) == 1 else []


@dataclass(frozen=True)
class Row:
    """A number, what it should be in base units, the calculation, and the numbers that it is made of."""

    told: Number
    value: float
    because: str
    parts: tuple[Number, ...]

    @property
    def agrees(self) -> bool:
        return abs(self.told.value - self.value) <= max(self.told.slack, _ROUNDED * self.value)


def _rows(target: Column, parts: Sequence[Column], rule: Rule) -> list[Row]:
    rows = []
    for told, *given in zip(target.numbers, *(one.numbers for one in parts), strict=True):
        known = [one for one in given if one is not None]
        if told is None or len(known) < len(given) or told.value <= 0:
            continue
        value = rule.value([one.value for one in known])
        texts = [one.text for one in known]
        if value > 0:
            because = rule.says.format(*texts) if rule.says else " × ".join(texts)
            rows.append(Row(told, value, because, tuple(known)))
    return rows


def held_rows(rows: Sequence[Row], product: bool, sums: bool = False) -> Iterator[tuple[Number, Claim]]:
    """The numbers of rows where all agree but one at most.

    product: they are products of their parts. sums: they are the sums.
    """
    right = [row.because for row in rows if row.agrees]
    if len(rows) - len(right) > 1 or len(set(right)) < _FEWEST:
        return
    for row in rows:
        told, value = row.told, row.value
        cause = "" if row.agrees else _cause(row, rows, product, sums)
        low, high = (told.value, told.value) if row.agrees else (value, value)
        if row.agrees or cause:
            yield told, claim(told, value, low, high, "table-formula", row.because, cause, 0.0)


def _cause(row: Row, rows: Sequence[Row], product: bool, sums: bool) -> str:
    """The slip that leads to the one number that does not follow; "" where there is none and few rows speak."""
    told, value = row.told, row.value
    if not value:
        return ""
    name, bits = slip_bits(told.quantity.literal, value / told.quantity.factor(told.dimension))
    if name and bits >= _PLAIN and not name.startswith("GB and GiB"):
        return f"{name}; the other rows are right"
    carried = abs(told.value - value) / told.tight if sums and told.tight else 0.0
    if any(abs(carried - power) < _ROUNDED for power in _CARRIES):
        return "a carry of the sum is missed; the other rows are right"
    made = [part.value for part in row.parts]
    factor = told.quantity.factor(told.dimension)
    if len(made) == 2 and not product and not sums:
        for other, how in ((sum(made), "added"), (factor**2 / value, "turned over")):
            if abs(told.value - other) <= told.slack and abs(other / value - 1) > _BY_MORE:
                return f"{how}; the other rows are right"
    for part in row.parts if product else ():
        if part.value > 0 and part.value != 1:
            for power, how in (
                (1, f"{part.text} is left out"),
                (2, f"divided by {part.text}, not multiplied"),
            ):
                if abs(told.value - value / part.value**power) <= told.slack:
                    return f"{how}; the other rows are right"
    if any(part.value == told.value for part in row.parts):
        return "it is the number of the column beside it; the other rows are right"
    if any(other is not row and other.told.value == told.value for other in rows):
        return "it is the number of another row; the other rows are right"
    named = by_ratio(told.value / value, reach(told))
    if named != UNKNOWN and not named.startswith("GB and GiB"):
        return f"{named}; the other rows are right"
    if len(rows) >= _MANY and abs(told.value / value - 1) > _BY_MORE:
        return "the other rows are right"
    return ""
