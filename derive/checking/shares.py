"""Shares of a table's total that the text tells beside it: "the web app makes 45 % of all requests, agents 19 %".

A percentage belongs to the row whose label stands before it. It is held against that row's share of a total, in the
column that another percentage of the same paragraph bears out: only that says of what they are shares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.columns import Column, Grid
from derive.checking.quantities import Quantity
from derive.checking.row_labels import rows_by_word, words_of
from derive.checking.slips import cause_of, held

_TOTAL = re.compile(
    r"\W*(?:(?:grand |overall )?total|sum|all(?: of them)?|together|in all|everything)\b", re.IGNORECASE
)
_SUMMED = re.compile(r"%|\bper\b|/|price|rate|mean|average|latenc|utili", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:more|less|fewer|faster|slower|higher|lower|longer|cheaper|up|down|grow\w*|grew|by|MFU|utili\w*|"
    r"than|increase\w*|decrease\w*|saves?|saved|reduc\w*|below|above|under|over)\b"
)
_NEAR, _MOST, _LEAST = 90, 60, 3


@dataclass(frozen=True)
class _Share:
    """A percentage of a sentence with the row that it is told of."""

    clause: Clause
    told: Quantity
    row: int


def claims(every_grid: Sequence[Grid], every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences that tell the shares of rows."""
    sentences = [clause for clause in every if not clause.row and "%" in clause.text]
    if not sentences:
        return
    for grid in every_grid[:_MOST]:
        total = next((row for row, label in enumerate(grid.labels) if _TOTAL.match(label)), None)
        if grid.turned or total is None or total < _LEAST:
            continue
        labels = rows_by_word(grid.labels[:total])
        near = [clause for clause in sentences if clause.section == grid.table.section]
        yield from _of_grid(grid, total, [one for clause in near for one in _shares(clause, labels)])


def _shares(clause: Clause, labels: dict[str, int]) -> Iterator[_Share]:
    begin = 0
    for told in clause.quantities:
        if told.literal.unit != "%":
            continue
        before = clause.text[max(begin, told.start - _NEAR) : told.start].lower()
        rows = [labels[word] for word in words_of(before) if word in labels]
        begin = told.end
        compared = _OTHER.search(before) or _OTHER.match(clause.text[told.end :].strip())
        if len(set(rows)) == 1 and not compared and not told.about:
            yield _Share(clause, told, rows[-1])


def _of_grid(grid: Grid, total: int, shares: Sequence[_Share]) -> Iterator[Claim]:
    """The shares that do not hold where others of the same column do."""
    columns = [column for column in grid.columns[1:] if _is_summed(column, total)]
    for place in {id(one.clause.block) for one in shares}:
        here = [one for one in shares if id(one.clause.block) == place]
        right = [(one, [column for column in columns if _agrees(one, column, total)]) for one in here]
        borne = [column for _, found in right for column in found]
        wrong = [one for one, found in right if not found]
        if borne and len(wrong) == 1 and len(here) > 1:
            yield from _told(wrong[0], borne[0], total)


def _is_summed(column: Column, total: int) -> bool:
    """Whether the last row is the sum of the others."""
    parts = [one for one in column.numbers[:total] if one is not None]
    whole = column.numbers[total]
    if whole is None or len(parts) < total or not whole.value or _SUMMED.search(column.heading):
        return False
    return abs(sum(one.value for one in parts) - whole.value) <= whole.slack + sum(one.slack for one in parts)


def _value(one: _Share, column: Column, total: int) -> float:
    part, whole = column.numbers[one.row], column.numbers[total]
    return part.value / whole.value if part is not None and whole is not None else 0.0


def _agrees(one: _Share, column: Column, total: int) -> bool:
    return one.told.agrees(_value(one, column, total), ())


def _told(one: _Share, column: Column, total: int) -> Iterator[Claim]:
    right = _value(one, column, total)
    part, whole = column.numbers[one.row], column.numbers[total]
    if part is None or whole is None or not right:
        return
    cause = cause_of(one.told, right / one.told.factor(()))
    yield held(one.clause, one.told, "false", right, cause, f"{part.text} / {whole.text}")
