"""Numbers of a table's row that the text tells beside it: alone, or times a count of the sentence.

"A row of eight GPU racks draws 326.4 kW", where the table has 40.8 kW per rack for GPUs; "per PFLOP/s the A100 costs
1.8 times as much as the H100". A sentence is about a row whose label it names alone. A number is false only where two
digits of it stand the other way round, or, told as a multiple of another row, where it is that of a third row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from derive.checking.causes import SWAPPED, misprint
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.columns import Column, Grid, Number
from derive.checking.mistakes import REST
from derive.checking.nouns import NUMBERS
from derive.checking.quantities import Quantity
from derive.checking.row_labels import rows_by_word, words_of
from derive.checking.slips import held
from derive.checking.subjects import machines
from derive.checking.words import Dimension

_TIMES = re.compile(r"\s*(?:as (?:much|many|expensive|fast|large|high|long|cheap|heavy)|more|the)\b")
_COUNTED = re.compile(
    rf"\b(\d{{1,3}}|{'|'.join(NUMBERS)})\s+(?:[A-Za-z]+\s+){{0,2}}[A-Za-z]+s\b", re.IGNORECASE
)
_SUPPOSED = re.compile(
    r"\b(?:if|would|could|half|halves|twice|doubl\w+|slow\w*|fast\w*|instead|without|other|another|only)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:if|would|could|another|other|before|earlier|old(?:er)?|previous(?:ly)?|instead|without)\b",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:takes?|needs?|makes?|gives?|costs?|draws?|moves?|lasts?|is|are|in)\b(?![^.]*\b(?:if|would|with|at)\b)"
)
_SLIPS = (2.0, 0.5, 10.0, 0.1, 1e3, 1e-3, 8.0, 0.125)
_NEAR, _EXACT, _FEW = 0.006, 1e-6, 2
_MOST, _SENTENCES, _DIGITS, _LONGEST, _FEWEST, _ASIDE = 40, 200, 3, 1500, 3, 50


def claims(every_grid: Sequence[Grid], every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences under the heading of a table that tell what its rows have."""
    grids = [grid for grid in every_grid if not grid.turned and len(grid.labels) >= _FEWEST][:_MOST]
    under: dict[int, list[tuple[Clause, list[str]]]] = {grid.table.section: [] for grid in grids}
    for clause in every:
        near = under.get(clause.section)
        if near is not None and not clause.row and len(near) < _SENTENCES and len(clause.text) < _LONGEST:
            near.append((clause, words_of(clause.plain)))
    for grid in grids:
        labels = rows_by_word(grid.labels)
        for clause, _ in under[grid.table.section]:
            yield from _beside_cell(clause, grid)
        for clause, words in under[grid.table.section]:
            named = list(dict.fromkeys(labels[word] for word in words if word in labels))
            if len(named) == 1:
                yield from _of_row(clause, grid, named[0])
            elif len(named) == 2:
                yield from _of_two(clause, grid, named)


def _of_row(clause: Clause, grid: Grid, row: int) -> Iterator[Claim]:
    """A number that is one of the row, or so many times as much, but for two digits."""
    cells = [one for column in grid.columns[1:] if (one := column.numbers[row]) is not None and one.dimension]
    counts = [1.0, *(_number(one[1]) for one in _COUNTED.finditer(clause.plain))]
    own = {one.names for one in machines(grid.labels[row])}
    others = [one.end for one in machines(clause.text) if own and one.names not in own]
    for told in clause.quantities:
        if any(end <= told.start for end in others):
            continue  # the same number of another machine
        kind = told.literal.options[0].dimension
        mine = [cell for cell in cells if cell.dimension == kind]
        digits = told.literal.digits.replace(",", "").replace(".", "").strip("0")
        if _OF_ANOTHER.search(clause.text, max(0, told.start - _ASIDE), told.end + _ASIDE):
            continue
        if not mine or len(digits) < _DIGITS or told.about or REST.match(clause.text, told.end):
            continue
        values = {many * cell.value: (many, cell) for cell in mine for many in counts}
        if any(told.agrees(value, kind) for value in values):
            continue
        factor = told.factor(kind)
        wrong = [value for value in values if misprint(told.literal, value / factor) == SWAPPED]
        if len(wrong) == 1:
            many, cell = values[wrong[0]]
            because = cell.text if many == 1 else f"{many:g} × {cell.text}"
            yield held(clause, told, "false", wrong[0], SWAPPED, because)


def _beside_cell(clause: Clause, grid: Grid) -> Iterator[Claim]:
    """A number that a sentence tells of another one, as a row has both: its 14.05 GB take 31.2 ms."""
    for told in clause.quantities[1:] if not _SUPPOSED.search(clause.text) else ():
        kind = told.literal.options[0].dimension
        if not kind or told.about or REST.match(clause.text, told.end) or len(_digits(told)) < _FEW:
            continue
        for given in clause.quantities:
            between = clause.text[given.end : told.start]
            if given.end > told.start or len(_digits(given)) < _DIGITS or not _TAKES.search(between):
                continue
            rows = [row for row in range(len(grid.labels)) if _has(grid, row, given)]
            beside = [one for row in rows if (one := _only(grid, row, kind)) is not None]
            values = {one.value for one in beside}
            if len(beside) != len(rows) or len(values) != 1 or given.literal.options[0].dimension == kind:
                continue
            right, factor = values.pop(), told.factor(kind)
            ratio = (told.base(kind) or 0.0) / right if right else 1.0
            slip = (
                any(abs(ratio / one - 1) < _NEAR for one in _SLIPS)
                or misprint(told.literal, right / factor) == SWAPPED
            )
            if (
                slip
                and not told.agrees(right, kind)
                and not any(_has(grid, row, told) for row in range(len(grid.labels)))
            ):
                yield held(
                    clause, told, "false", right, f"the table has {beside[0].text} beside it", beside[0].text
                )
                return


def _digits(one: Quantity) -> str:
    return one.literal.digits.replace(",", "").replace(".", "").strip("0")


def _has(grid: Grid, row: int, one: Quantity) -> bool:
    """Whether a row has a quantity as it is printed."""
    kind = one.literal.options[0].dimension
    cells = [column.numbers[row] for column in grid.columns[1:]]
    return bool(kind) and any(
        cell is not None
        and cell.dimension == kind
        and abs(cell.value - (one.base(kind) or 0.0)) <= _EXACT * cell.value
        for cell in cells
    )


def _only(grid: Grid, row: int, kind: Dimension) -> Number | None:
    """The one number of a kind that a row has."""
    found = [
        one
        for column in grid.columns[1:]
        if (one := column.numbers[row]) is not None and one.dimension == kind
    ]
    return found[0] if len(found) == 1 else None


def _number(word: str) -> float:
    return float(word) if word.isdigit() else NUMBERS[word.lower()]


def _of_two(clause: Clause, grid: Grid, named: Sequence[int]) -> Iterator[Claim]:
    """So many times as much as another row: false where it is what a third row makes, in the column that is named."""
    for told in clause.quantities:
        folded = told.literal.unit == "times" or clause.text[told.end : told.end + 1] in ("x", "×")
        if not folded or not _TIMES.match(clause.text, told.end):
            continue
        columns = [column for column in grid.columns[1:] if column.filled == len(grid.labels)]
        if any(
            _is_ratio(told, column, one, other) for column in columns for one, other in permutations(named)
        ):
            continue
        mine = [column for column in columns if _is_spoken_of(column, columns, clause)]
        if len(mine) == 1:
            yield from _of_third(clause, told, mine[0], named)


def _is_spoken_of(column: Column, columns: Sequence[Column], clause: Clause) -> bool:
    """Whether a sentence uses a word that only the heading of a column has."""
    others = {word for other in columns if other is not column for word in words_of(other.heading)}
    return bool((set(words_of(column.heading)) - others) & set(words_of(clause.plain)))


def _ratio(one: Number | None, other: Number | None) -> float:
    return one.value / other.value if one is not None and other is not None and other.value else 0.0


def _is_ratio(told: Quantity, column: Column, one: int, other: int) -> bool:
    return told.agrees(_ratio(column.numbers[one], column.numbers[other]), ())


def _of_third(clause: Clause, told: Quantity, column: Column, named: Sequence[int]) -> Iterator[Claim]:
    rows = range(len(column.numbers))
    thirds = [
        (one, other)
        for one in named
        for other in rows
        if other not in named and (_is_ratio(told, column, one, other) or _is_ratio(told, column, other, one))
    ]
    right = max(_ratio(column.numbers[one], column.numbers[other]) for one, other in permutations(named))
    if thirds and right > 1:
        one, other = (column.numbers[row] for row in named)
        if one is not None and other is not None:
            yield held(
                clause, told, "false", right, "it is told of another row", f"{one.text} and {other.text}"
            )
