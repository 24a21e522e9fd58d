"""The columns of a table as terms of a relation: what each row has with its bounds, and constants beside the table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from derive.checking.cells import bounds
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import Span
from derive.checking.inline import unmarked
from derive.checking.quantities import quantities
from derive.checking.words import Dimension

_GATHERED = re.compile(
    r"^\W*(?:(?:grand |overall |sub-?)?totals?\b|sum\b|Σ|averages?\b|avg\b|mean\b|median\b|geo-?mean\b|max(?:imum)?\b|"
    r"min(?:imum)?\b|overall\b|all together|altogether|together|in (?:all|total)\b|combined\b)",
    re.IGNORECASE,
)
_NOTED = re.compile(r"[*†‡§]|\([^()]*[A-Za-z*][^()]*\)\s*$|\^|[a-z]{4}")
_MOST = 40

Bound = tuple[float, float, float]
"""What a row has: the least that it may be, what is printed, and the most."""


@dataclass(frozen=True)
class Term:
    """What stands in each row for one letter of a relation.

    says: its heading. bounds: of each row, None where it has none. numbers: the cells, where they are of the table.
    """

    says: str
    bounds: tuple[Bound | None, ...]
    dimension: Dimension
    numbers: tuple[Number | None, ...] = ()
    column: Column | None = None

    @cached_property
    def claimed(self) -> tuple[Bound | None, ...]:
        """The same for a column that follows from others: its numbers are rounded, or cut off behind the last digit."""
        return tuple(
            None if one is None else (one.value - one.slack, one.value, one.value + one.slack)
            for one in self.numbers
        )

    @cached_property
    def logs(self) -> tuple[Bound | None, ...]:
        """The same as logarithms, None where it is not above zero."""
        return tuple(
            None if one is None or one[0] <= 0 else (math.log(one[0]), math.log(one[1]), math.log(one[2]))
            for one in self.bounds
        )

    @cached_property
    def distinct(self) -> int:
        """How many different values it has."""
        return len({one[1] for one in self.bounds if one is not None})

    def text(self, row: int) -> str:
        """What a row has, as it is written."""
        number = self.numbers[row] if self.numbers else None
        if number is not None:
            return number.text
        one = self.bounds[row]
        return "" if one is None else f"{one[1]:.5g}"


@dataclass(frozen=True)
class Constant:
    """A number that a relation may hold besides its columns: its logarithm with bounds, and what it is."""

    span: Span
    dimension: Dimension
    says: str


def unit_of(term: Term) -> str:
    """The unit of its first number as it was written."""
    return next((one.quantity.literal.unit for one in term.numbers if one is not None), "")


def of_column(column: Column, rows: Sequence[bool]) -> Term | None:
    """A column as a term, if its numbers are all of one kind; rows: which ones count."""
    if column.dimension is None:
        return None
    numbers = tuple(
        number if number is not None and use else None
        for number, use in zip(column.numbers, rows, strict=True)
    )
    held = tuple(None if number is None else bounds(number) for number in numbers)
    return Term(column.heading or "a column", held, column.dimension, numbers, column)


def counting(grid: Grid) -> list[bool]:
    """Which rows hold what the headings say, and no total or mean of other rows."""
    return [not _GATHERED.match(label) for label in grid.labels]


def gathered(label: str) -> bool:
    """Whether a label is that of a row that sums up others."""
    return bool(_GATHERED.match(label))


def noted(number: Number) -> bool:
    """Whether a cell has a footnote or a remark beside its number."""
    literal = number.quantity.literal
    text = unmarked(number.cell.text)
    behind = unmarked(number.cell.text[literal.end :])
    return bool(_NOTED.search(behind)) or text.startswith(("*", "†"))


def told(texts: Sequence[str]) -> list[Constant]:
    """The quantities of texts as constants, each once."""
    found: dict[tuple[float, Dimension], Constant] = {}
    for text in texts:
        for one in quantities(text)[:_MOST]:
            literal = one.literal
            option = literal.options[0]
            value = literal.value * option.factor
            if value <= 0 or (value, option.dimension) in found:
                continue
            slack = literal.slack * option.factor
            low = max(value - slack, value * 0.5)
            span = math.log(low), math.log(value + slack)
            found[value, option.dimension] = Constant(
                span, option.dimension, f"{literal.digits} {literal.unit}".strip()
            )
    return list(found.values())[:_MOST]


def running(term: Term) -> Iterator[Term]:
    """The sums of a column up to each row, and what stands in the row before."""
    sums: list[Bound | None] = []
    low = mid = high = 0.0
    for one in term.bounds:
        if one is None:
            return
        low, mid, high = low + one[0], mid + one[1], high + one[2]
        sums.append((low, mid, high))
    yield Term(f"the running sum of {term.says}", tuple(sums), term.dimension)
