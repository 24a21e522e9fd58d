"""Ledgers: what is counted, row by row.

A ledger's total is the sum of its rows and stays recognisable inside a formula
(`work.total / traffic.total`), so that a report can show the rows and the first
link of the chain can be proved from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from derive.dimensions import dimension_of, dimension_text
from derive.errors import DeclarationError, DimensionError
from derive.symbols import expression
from derive.total import Total
from units import Dimension


@dataclass(frozen=True)
class Row:
    """One line of a ledger: what is counted, how much, and why (may be empty)."""

    what: str
    amount: sympy.Expr
    why: str = ""


class Ledger:
    """Rows of one unit and their sum.

    Each row is (what, amount) or (what, why, amount). Raises DimensionError,
    naming the row, where a row's unit clashes with that of the first.
    """

    def __init__(self, *rows: tuple[Any, ...], title: str = "") -> None:
        if not rows:
            raise DeclarationError("a ledger without rows counts nothing: give at least one (what, amount)")
        self.title = title
        self.rows = tuple(self._row(row) for row in rows)
        self.dimension = self._common()
        self.total = Total(*(row.amount for row in self.rows))
        self.total.ledger = self

    @staticmethod
    def _row(row: tuple[Any, ...]) -> Row:
        if not (isinstance(row, tuple) and len(row) in (2, 3) and all(isinstance(t, str) for t in row[:-1])):
            raise DeclarationError(f"ledger row {row!r}: give (what, amount) or (what, why, amount)")
        return Row(row[0], expression(row[-1], f"ledger row {row[0]!r}"), row[1] if len(row) == 3 else "")

    def rows_beyond(self, other: Ledger) -> tuple[Row, ...]:
        """The rows that the other ledger does not have."""
        there = {(row.what, row.amount) for row in other.rows}
        return tuple(row for row in self.rows if (row.what, row.amount) not in there)

    def _common(self) -> Dimension:
        first: Row | None = None
        dimension: Dimension = ()
        for row in self.rows:
            try:
                found = dimension_of(row.amount)
            except DimensionError as error:
                raise DimensionError(f"ledger row {row.what!r}: {error}") from error
            if first is None:
                first, dimension = row, found
            elif found != dimension:
                raise DimensionError(
                    f"ledger row {row.what!r} is {dimension_text(found)}, but {first.what!r} is "
                    f"{dimension_text(dimension)}: one ledger counts one unit"
                )
        return dimension


def ledgers_in(formula: sympy.Basic) -> list[Ledger]:
    """The ledgers whose totals stand in a formula, each once, those above a fraction's line first."""
    found: list[Ledger] = []

    def walk(node: sympy.Basic) -> None:
        if isinstance(node, Total) and node.ledger is not None and node.ledger not in found:
            found.append(node.ledger)
        for argument in sorted(node.args, key=_is_below):
            walk(argument)

    walk(formula)
    return found


def _is_below(factor: sympy.Basic) -> bool:
    """Whether a factor stands below the fraction's line."""
    return isinstance(factor, sympy.Pow) and bool(factor.exp.is_negative)
