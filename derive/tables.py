"""Worked tables: several ids evaluated row by row, every cell a live evaluation.

by_batch = Table(
    "Llama-3-8B on an H100, context 8192",
    columns=[Column("bytes a step", "decode.step_traffic", "GB"), …],
    rows=[Row("1", {"B": 1}), Row("8", {"B": 8})],
    heading="batch",
    given={"T": 8192}, on="h100-sxm", model="llama-3-8b",
)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import units
from derive.constants import hardware
from derive.errors import DeriveError
from derive.rounding import DIGITS, significant

if TYPE_CHECKING:
    from derive.result import Evaluation


@dataclass(frozen=True)
class Column:
    """A column: its heading, the id it evaluates, the unit of its cells and their significant digits.

    given: letters that this column alone gives. constant: in place of an id, the
    role of a machine's constant, with the tags that it must bear.
    """

    heading: str
    id: str
    unit: str | None = None
    digits: int = DIGITS
    given: Mapping[str, str | int] = field(default_factory=dict)
    constant: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A row: its label and what it gives; on, model and conventions override those of the table."""

    label: str
    given: Mapping[str, str | int] = field(default_factory=dict)
    on: str | None = None
    model: str | None = None
    conventions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """A cell: its text in the column's unit, and its evaluation (None for a constant or an empty cell)."""

    text: str
    evaluation: Evaluation | None


class Table:
    """Rows of evaluations under one heading.

    title: a line. heading: that of the labels. given, on, model: what holds for
    every row; a column takes the letters that its id has. about: what the table
    shows, in a sentence or two. optional: columns that some rows leave empty.
    """

    def __init__(
        self,
        title: str,
        *,
        heading: str,
        columns: Sequence[Column],
        rows: Sequence[Row],
        given: Mapping[str, str | int] | None = None,
        on: str | None = None,
        model: str | None = None,
        about: str = "",
        optional: Sequence[str] = (),
    ) -> None:
        self.title, self.heading, self.about = title, heading, " ".join(about.split())
        self.columns, self.rows = tuple(columns), tuple(rows)
        self.given, self.on, self.model = dict(given or {}), on, model
        self.optional = tuple(optional)

    @property
    def headings(self) -> list[str]:
        """The headings with the columns' units, the label's first."""
        return [self.heading, *(_headed(column) for column in self.columns)]

    def cells(self, extra: str | Path | None = None, digits: int | None = None) -> list[list[Cell]]:
        """The cells, row by row, evaluated now.

        digits: significant digits in place of each column's own. Raises DeriveError where a
        cell cannot be evaluated.
        """
        cell = partial(self._cell, extra=extra, digits=digits)
        return [[cell(row, column) for column in self.columns] for row in self.rows]

    def _cell(self, row: Row, column: Column, extra: str | Path | None, digits: int | None) -> Cell:
        from derive.catalogue import get
        from derive.evaluation import evaluate, known_letters

        if column.constant:
            return Cell(_constant(row.on or self.on or "", column, extra, digits), None)
        shared, known = {**self.given, **row.given}, known_letters(get(column.id), ())
        try:
            found = evaluate(
                column.id,
                given={name: value for name, value in shared.items() if name in known} | dict(column.given),
                on=row.on or self.on,
                model=row.model or self.model,
                conventions=row.conventions,
                hardware=extra,
                to=column.unit,
            )
        except DeriveError:
            if column.heading in self.optional:
                return Cell("", None)
            raise
        if found.value is None or not column.unit:
            return Cell(found.text, found)
        return Cell(significant(found.exact(), digits or column.digits), found)


def _constant(machine: str, column: Column, extra: str | Path | None, digits: int | None) -> str:
    """A constant of the row's machine in the column's unit."""
    tags = dict(column.constant)
    found = hardware(machine, Path(extra) if extra is not None else None).pick(tags.pop("role"), **tags)
    scale, _ = units.factor(column.unit or found.unit)
    return significant(found.base / scale, digits or column.digits)


def _headed(column: Column) -> str:
    if not column.unit or column.unit == "dimensionless":
        return column.heading
    return f"{column.heading} [{'%' if column.unit == 'percent' else column.unit}]"
