"""The columns of a table as terms of a relation: what each row has with its bounds, and constants beside the table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from derive.checking.cells import bounds, is_count
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import Span
from derive.checking.inline import unmarked
from derive.checking.quantities import quantities
from derive.checking.values import reaches
from derive.checking.words import Dimension

_GATHERED = re.compile(
    r"^\W*(?:(?:grand |overall |sub-?)?totals?\b|sum\b|Σ|averages?\b|avg\b|mean\b|median\b|geo-?mean\b|max(?:imum)?\b|"
    r"min(?:imum)?\b|overall\b|all together|altogether|together|in (?:all|total)\b|combined\b)",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"^\W*(?:#|n_|no\. of |number of )?\W*"
    r"(?:GPU|TPU|card|device|chip|node|replica|rank|layer|head|expert|rack|server|link|port|user)s?\W*$",
    re.IGNORECASE,
)
_NOTED = re.compile(r"[*†‡§]|\([^()]*[A-Za-z*][^()]*\)\s*$|\^|[a-z]{4}")
_NUMBERS = {"two": 2.0, "three": 3.0, "four": 4.0, "six": 6.0, "eight": 8.0, "ten": 10.0, "sixteen": 16.0}
MIXED: Dimension = (("mixed", 1),)
_MOST, _LONGEST = 40, 800

Bound = tuple[float, float, float]
"""What a row has: the least that it may be, what is printed, and the most."""


@dataclass(frozen=True)
class Term:
    """What stands in each row for one letter of a relation.

    says: its heading. bounds: of each row, None where it has none. numbers: the cells, where they are of the table.
    is_fact: the catalogue has it.
    """

    says: str
    bounds: tuple[Bound | None, ...]
    dimension: Dimension
    numbers: tuple[Number | None, ...] = ()
    column: Column | None = None
    is_fact: bool = False

    @cached_property
    def wholes(self) -> list[Bound]:
        """What the rows that do not count have: totals and means of the others."""
        if self.column is None:
            return []
        every = zip(self.column.numbers, self.numbers, strict=True)
        return [bounds(one) for one, counts in every if one is not None and counts is None]

    @cached_property
    def claimed(self) -> tuple[Bound | None, ...]:
        """The same for a column that follows from others: its numbers are rounded, or cut off behind the last digit."""
        return self._around(True)

    @cached_property
    def rounded(self) -> tuple[Bound | None, ...]:
        """The same where they are rounded."""
        return self._around(False)

    def _around(self, cut: bool) -> tuple[Bound | None, ...]:
        counts = _THINGS.match(self.says) is not None  # eight cards are not 7.7 rounded
        return tuple(
            None if one is None else bounds(one) if counts and is_count(one) else _reach(one, cut)
            for one in self.numbers
        )

    @cached_property
    def factor(self) -> float:
        """What its unit is in base units, 0 where the rows have several; 1 for what is in none."""
        if not self.numbers:
            return 1.0
        found = {one.quantity.factor(one.dimension) for one in self.numbers if one is not None}
        return found.pop() if len(found) == 1 else 0.0

    @cached_property
    def logs(self) -> tuple[Bound | None, ...]:
        """The same as logarithms, None where it is not above zero."""
        return tuple(
            None if one is None or one[0] <= 0 else (math.log(one[0]), math.log(one[1]), math.log(one[2]))
            for one in self.bounds
        )

    @cached_property
    def above(self) -> tuple[Span | None, ...]:
        """What a row adds to the two ends of a logarithm that it is taken from."""
        return tuple(None if one is None else (-one[2], -one[0]) for one in self.logs)

    @cached_property
    def below(self) -> tuple[Span | None, ...]:
        """The same for one that it is added to."""
        return tuple(None if one is None else (one[0], one[2]) for one in self.logs)

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
    """A number that a relation may hold besides its columns: its logarithm with bounds, and what it is.

    printed: how much less the logarithm of its digits is, without the unit.
    """

    span: Span
    dimension: Dimension
    says: str
    printed: float = 0.0

    def times(self, other: Constant) -> Constant:
        """The product with another one."""
        span = self.span[0] + other.span[0], self.span[1] + other.span[1]
        return Constant(
            span,
            joined(self.dimension, other.dimension, 1),
            f"{self.says} × {other.says}",
            self.printed + other.printed,
        )

    @property
    def inverse(self) -> Constant:
        """One over it."""
        return ONE.over(self)

    def over(self, other: Constant) -> Constant:
        """The quotient by another one."""
        span = self.span[0] - other.span[1], self.span[1] - other.span[0]
        return Constant(
            span,
            joined(self.dimension, other.dimension, -1),
            f"{self.says} / ({other.says})",
            self.printed - other.printed,
        )


ONE = Constant((0.0, 0.0), (), "1")


def _reach(number: Number, cut: bool) -> Bound:
    """What a printed number may stand for: it is rounded, or cut off behind its last digit."""
    literal = number.quantity.literal
    below, above = reaches(literal.digits, number.quantity.about, loose=literal.unit != "%")
    factor = number.quantity.factor(number.dimension)
    return number.value - below * factor, number.value, number.value + (above if cut else below) * factor


def unit_of(term: Term) -> str:
    """The unit of its first number as it was written."""
    return next((one.quantity.literal.unit for one in term.numbers if one is not None), "")


def of_column(column: Column, rows: Sequence[bool]) -> Term | None:
    """A column as a term; rows: which ones count. None where it has no numbers.

    Numbers of several kinds, as those of a data sheet, count as one kind of their own: two such columns make a ratio.
    """
    if not column.filled:
        return None
    dimension = MIXED if column.dimension is None else column.dimension
    numbers = tuple(
        number if number is not None and use else None
        for number, use in zip(column.numbers, rows, strict=True)
    )
    held = tuple(None if number is None else bounds(number) for number in numbers)
    return Term(column.heading or "a column", held, dimension, numbers, column)


def counting(grid: Grid) -> list[bool]:
    """Which rows hold what the headings say, and no total or mean of other rows."""
    set_off = frozenset() if grid.turned else grid.table.set_off
    return [not _GATHERED.match(label) and row not in set_off for row, label in enumerate(grid.labels)]


def noted(number: Number) -> bool:
    """Whether a cell has a footnote or a remark beside its number."""
    literal = number.quantity.literal
    text = unmarked(number.cell.text)
    worked = "e" in literal.digits and "^" in number.cell.text  # 1.2 × 10^21 was read as 1.2e21
    behind = "" if worked else unmarked(number.cell.text[literal.end :])
    return bool(_NOTED.search(behind)) or text.startswith(("*", "†"))


@lru_cache(maxsize=4096)
def joined(one: Dimension, other: Dimension, sign: int) -> Dimension:
    """The dimension of a product, or of a quotient."""
    powers = dict(one)
    for base, power in other:
        powers[base] = powers.get(base, 0) + sign * power
    return tuple(sorted((base, power) for base, power in powers.items() if power))


def told(texts: Sequence[str]) -> list[Constant]:
    """The quantities of texts as constants, each once."""
    found: dict[tuple[float, Dimension], Constant] = {}
    for text in texts:
        worded, printed = _constants(text[-_LONGEST:])
        found |= worded
        for kind, one in printed.items():
            found.setdefault(kind, one)
    return list(found.values())[:_MOST]


_Constants = Mapping[tuple[float, Dimension], Constant]


@lru_cache(maxsize=128)  # a paragraph stands before every table that follows
def _constants(text: str) -> tuple[_Constants, _Constants]:
    """The numbers of a text in words, and those in digits, by their value and dimension."""
    lower = text.lower()
    worded: dict[tuple[float, Dimension], Constant] = {
        (value, ()): Constant((math.log(value),) * 2, (), word)
        for word, value in _NUMBERS.items()
        if word in lower and re.search(rf"\b{word}\b", text, re.IGNORECASE)
    }
    printed: dict[tuple[float, Dimension], Constant] = {}
    for one in quantities(text)[:_MOST]:
        literal = one.literal
        option = literal.options[0]
        value = literal.value * option.factor
        if value <= 0 or (value, option.dimension) in printed:
            continue
        slack = literal.slack * option.factor
        low = max(value - slack, value * 0.5)
        span = math.log(low), math.log(value + slack)
        printed[value, option.dimension] = Constant(
            span, option.dimension, f"{literal.digits} {literal.unit}".strip(), math.log(option.factor)
        )
    return worded, printed


def gathered(span: tuple[float, float], bounds: Sequence[Bound | None], signs: Sequence[int]) -> Bound:
    """Bounds added to a span, or taken off it where the sign is below 0."""
    low, high = span
    mid = (low + high) / 2
    for one, sign in zip(bounds, signs, strict=True):
        if one is not None:
            low, mid, high = (
                (low + one[0], mid + one[1], high + one[2])
                if sign > 0
                else (low - one[2], mid - one[1], high - one[0])
            )
    return low, mid, high


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
