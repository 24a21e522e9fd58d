"""Worked tables: each cell an evaluation, made when the document is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import units
from derive.entries import Constant
from derive.result import Evaluation
from derive.tables import Cell, Table
from reports.quantities import Amount, asked_digits
from reports.view import Entry, Formula, Grid
from reports.worked import inner_first

_ROUNDED = "Rounded to the digits shown."


def grid(table: Table, hardware: str | Path | None) -> Grid:
    """A worked table with its cells computed. hardware: a file of machines laid over the catalogue's.

    Raises DeriveError where a cell cannot be computed.
    """
    computed = table.cells(hardware, asked_digits())
    rows = tuple((row.label, *map(_entry, cells)) for row, cells in zip(table.rows, computed, strict=True))
    evaluated = [
        (cell, column.unit) for cells in computed for cell, column in zip(cells, table.columns, strict=True)
    ]
    constants = [one for cell, _ in evaluated for one in constants_of(cell.evaluation)]
    rounded = any(_is_rounded(cell, unit) for cell, unit in evaluated)
    about = (table.about,) if table.about else ()
    return Grid(
        table.title,
        (*about, _ROUNDED) if rounded else about,
        tuple(table.headings),
        rows,
        tuple(dict.fromkeys((one.source.document, one.source.date.isoformat()) for one in constants)),
    )


def constants_of(evaluation: Evaluation | None) -> list[Constant]:
    """The constants behind an evaluation, those of the evaluations within it first."""
    if evaluation is None:
        return []
    filled = [one for inner in inner_first(evaluation) for one in inner.inputs]
    return [one.constant for one in filled if one.constant is not None]


def _entry(cell: Cell) -> Entry:
    """A number as a formula, so that 1.8e308 is set as a power of ten; words as they are."""
    if cell.evaluation is not None and not isinstance(cell.evaluation.value, Fraction):
        return cell.text
    return Formula(Amount(cell.text, "dimensionless", exact=True).latex) if cell.text else None


def _is_rounded(cell: Cell, unit: str | None) -> bool:
    found = cell.evaluation
    if found is None or not isinstance(found.value, Fraction):
        return False
    return (
        Fraction(cell.text) * units.factor(unit or found.unit)[0]
        != found.exact() * units.factor(found.unit)[0]
    )
