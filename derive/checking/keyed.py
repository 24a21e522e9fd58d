"""Cells that a sentence tells by the count in their row: at batch 64 a step takes 34.6 ms.

The first column of such a table counts one thing (batch size, GPUs, context), and the sentence names it with one of
those counts. A number of the kind of a column whose heading the sentence speaks of is false where two of its digits
stand the other way round, or one is another, and no cell of the table has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.causes import misprint
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.columns import Column, Grid
from derive.checking.mistakes import REST
from derive.checking.quantities import Quantity
from derive.checking.row_labels import words_of
from derive.checking.slips import held

_COUNT = re.compile(r"\W*(\d{1,3}(?:,\d{3})+|\d{1,9})\W*")
_NO_KEY = frozenset(
    ("size", "number", "count", "max", "total", "length", "column", "row", "table", "year", "day")
)
_SUPPOSED = re.compile(
    r"\b(?:if|would|could|half|twice|doubl\w+|instead|without|other|another|only|than|from|theor\w+|floor|bound|ideal|"
    r"ceiling|left|free|more|less|new|old|was|were|had)\b",
    re.IGNORECASE,
)
_DIGITS, _MOST, _LONGEST, _SENTENCES, _FEWEST = 3, 40, 600, 4_000, 2


def claims(every_grid: Sequence[Grid], every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences that name a count of the first column of a table."""
    grids = [grid for grid in every_grid if not grid.turned and len(grid.labels) >= _FEWEST][:_MOST]
    for grid in grids:
        counts = [
            found[1].replace(",", "") if (found := _COUNT.fullmatch(one)) else "" for one in grid.labels
        ]
        things = (
            [word for word in words_of(grid.columns[0].heading) if word not in _NO_KEY] if all(counts) else []
        )
        if not things or len(set(counts)) != len(counts):
            continue
        named = "|".join(map(re.escape, things))
        key = re.compile(
            rf"\b(?:{named})s?(?: sizes?)?(?: of |=| = | )([\d,]*\d)\b|\b([\d,]*\d)[ -](?:{named})s?\b",
            re.IGNORECASE,
        )
        for clause in every[:_SENTENCES]:
            if not clause.row and len(clause.quantities) > 1 and len(clause.text) < _LONGEST:
                told = {(one[1] or one[2]).replace(",", "") for one in key.finditer(clause.plain)}
                rows = [row for row, count in enumerate(counts) if count in told]
                if len(told) == len(rows) == 1 and not _SUPPOSED.search(clause.text):
                    yield from _of_row(clause, grid, rows[0])


def _of_row(clause: Clause, grid: Grid, row: int) -> Iterator[Claim]:
    words = set(words_of(clause.plain))
    for told in clause.quantities:
        kind = told.literal.options[0].dimension
        digits = told.literal.digits.replace(",", "").replace(".", "")
        if not kind or told.about or len(digits.lstrip("0")) < _DIGITS or REST.match(clause.text, told.end):
            continue
        columns = [one for one in grid.columns[1:] if (cell := one.numbers[row]) and cell.dimension == kind]
        cells = [cell for one in columns for cell in one.numbers if cell is not None]
        meant = [one for one in columns if words & set(words_of(one.heading))]
        if len(meant) != 1 or any(told.agrees(cell.value, kind) for cell in cells if cell.dimension == kind):
            continue
        yield from _held(clause, told, meant[0], row)


def _held(clause: Clause, told: Quantity, column: Column, row: int) -> Iterator[Claim]:
    cell = column.numbers[row]
    if cell is None:
        return
    cause = misprint(told.literal, cell.value / told.factor(cell.dimension))
    if cause:
        yield held(clause, told, "false", cell.value, f"{cause}: the table has {cell.text}", cell.text)
