"""Columns that go on from the row before: running sums, and changes against the row before.

The heading names them. All rows but one must bear it out; a running sum that is wrong may go on into the rows below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from derive.checking.cells import claim
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import slip_bits
from derive.checking.row_notes import noted

_RUNNING = re.compile(
    r"\bcumul|\brunning (?:sum|total)|\bcum\.|\bso far\b|\bto date\b|\bYTD\b", re.IGNORECASE
)
_CHANGE = re.compile(
    r"^(?:%? ?change|growth|Δ|delta|QoQ|MoM|YoY|WoW|increase|decrease)\W*(?:[(\[%].*)?$|"
    r"\b(?:vs\.?|over|against|from|to|relative to|on) (?:the )?(?:prev(?:\.|ious)?|prior|last|preceding)\b|"
    r"\b(?:row|step|quarter|month|year|version|generation)[- ](?:over|on|to)[- ](?:row|step|quarter|month|year|"
    r"version|generation)\b",
    re.IGNORECASE,
)
_RATIO = re.compile(r"%|\bper\b|/|share|utili|MFU|change|growth|latenc|price|rate", re.IGNORECASE)
_UNIT = re.compile(r"[(\[][A-Za-z]{1,6}[)\]]\s*$")
_FEWEST, _CLEAR, _PLAIN = 2, 0.005, 4.0
_FIRST = "wrong base: it is counted from the first row"
_FORMS: Mapping[str, Callable[[float, float], float]] = {
    "{own} / {last} - 1": lambda own, last: own / last - 1,
    "{own} / {last}": lambda own, last: own / last,
    "{last} / {own}": lambda own, last: last / own,
}


@dataclass(frozen=True)
class _Row:
    """A number, what it should be in base units, how far its parts leave that open, and the calculation.

    printed: the other rows follow to the last digit that is printed.
    """

    told: Number
    value: float
    slack: float
    because: str
    printed: bool = False

    @property
    def agrees(self) -> bool:
        if self.printed:
            return self.is_exact
        off = min(abs(self.told.value - self.value), abs(abs(self.told.value) - abs(self.value)))
        return off <= self.told.slack + self.slack

    @property
    def is_exact(self) -> bool:
        """Whether a number follows from others as they are printed, by its own last digit."""
        return abs(abs(self.told.value) - abs(self.value)) <= self.told.tight / 2 + 1e-9 * abs(self.value)


def _tightened(rows: list[_Row]) -> list[_Row]:
    """Rows of which all but one follow as they are printed, so that zeros at the end of their parts are digits."""
    exact = sum(row.is_exact for row in rows)
    if exact < max(_FEWEST, len(rows) - 1):
        return rows
    return [replace(row, printed=True) for row in rows]


def claims(grid: Grid, around: Sequence[str] = ()) -> Iterator[Claim]:
    """The claims of columns that go on from row to row; around: the texts beside the table."""
    for number, one in _every(grid):
        if not noted(grid, number, around):
            yield one


def _every(grid: Grid) -> Iterator[tuple[Number, Claim]]:
    for column in grid.columns[1:]:
        if _RUNNING.search(column.heading):
            sources = [
                in_its_unit
                for one in grid.columns
                if one is not column and not _RATIO.search(one.heading)
                if (in_its_unit := _in_unit_of(column, one)) is not None
            ]
            for source in sources:
                found = list(_running(column, source))
                if found:
                    yield from found
                    break
        elif _CHANGE.search(column.heading) and column.dimension == ():
            others = [one for one in grid.columns[1:] if one is not column and one.filled == len(grid.labels)]
            if len(others) == 1:
                yield from _changes(column, others[0])


def _in_unit_of(column: Column, source: Column) -> Column | None:
    """A column in the unit of another one: as it is, or where the headings name the same unit, read as there: (B)."""
    if source.dimension == column.dimension:
        return source
    own, other = _UNIT.search(column.heading), _UNIT.search(source.heading)
    like = next((one for one in column.numbers if one is not None), None)
    if own is None or other is None or own[0] != other[0] or like is None:
        return None
    numbers = []
    for one in source.numbers:
        if one is not None:
            literal = one.quantity.literal._replace(
                unit=like.quantity.literal.unit, options=like.quantity.literal.options
            )
            one = replace(one, quantity=one.quantity._replace(literal=literal))
        numbers.append(one)
    return replace(source, numbers=tuple(numbers))


def _running(column: Column, source: Column) -> Iterator[tuple[Number, Claim]]:
    """A running sum: each row is the one before and what its own row adds."""
    pairs = list(zip(column.numbers, source.numbers, strict=True))
    told = [one for one, own in pairs if one is not None and own is not None]
    added = [own for one, own in pairs if one is not None and own is not None]
    if len(told) < len(pairs) or len(told) <= _FEWEST or abs(told[0].value - added[0].value) > told[0].slack:
        return
    rows: list[_Row] = []
    total = slack = 0.0
    for one, own in zip(told, added, strict=True):
        total += own.value
        slack += own.slack / 2
        rows.append(_Row(one, total, slack, " + ".join(part.text for part in added[: len(rows) + 1][-4:])))
    rows = [
        row if at < 4 else _Row(row.told, row.value, row.slack, f"{told[at - 1].text} + {added[at].text}")
        for at, row in enumerate(rows)
    ]
    rows = _tightened(rows)
    wrong = [row for row in rows if not row.agrees]
    if len(wrong) != 1 or len(rows) - len(wrong) < _FEWEST:
        return
    (off,) = wrong
    last = off is rows[-1]
    cause = (
        _slip(off)
        or _of_row(off, rows)
        or ("" if last and len(rows) < 4 else "the rows below go on without it")
    )
    if last and cause.startswith("the rows"):
        cause = "the rows above are right"
    if cause and abs(off.told.value / off.value - 1) > (0.0 if _slip(off) else _CLEAR):
        yield (
            off.told,
            claim(off.told, off.value, off.value, off.value, "table-formula", off.because, cause, 0.0),
        )


def _of_row(row: _Row, rows: Sequence[_Row]) -> str:
    """Whether a number is that of another row."""
    same = any(one is not row and one.told.value == row.told.value for one in rows)
    return "it is the number of another row" if same else ""


def _changes(column: Column, other: Column) -> Iterator[tuple[Number, Claim]]:
    """The change of each row against the one before."""
    first = other.numbers[0]
    for says, form in _FORMS.items():
        rows: list[_Row] = []
        bases = []
        for at in range(1, len(column.numbers)):
            told, own, last = column.numbers[at], other.numbers[at], other.numbers[at - 1]
            if told is None or own is None or last is None or own.value <= 0 or last.value <= 0:
                continue
            value = form(own.value, last.value)
            slack = (own.slack / own.value + last.slack / last.value) / 2 * (abs(value) + 1)
            rows.append(_Row(told, value, slack, says.format(own=own.text, last=last.text)))
            bases.append(form(own.value, first.value) if first is not None and first.value > 0 else 0.0)
        rows = _tightened(rows)
        wrong = [at for at, row in enumerate(rows) if not row.agrees]
        if len(wrong) > 1 or len(rows) - len(wrong) < _FEWEST or len({row.value for row in rows}) < len(rows):
            continue
        for at in wrong:
            row, base = rows[at], bases[at]
            from_first = _is_near(row, base)
            turned = _is_near(row, 1 - 1 / (1 + row.value))
            cause = _slip(row) or (_FIRST if from_first else "")
            if turned and not cause and says.endswith("- 1"):
                cause = "wrong base: it is taken of the other number"
            cause = cause or _of_row(row, rows)
            if cause and row.value:
                yield (
                    row.told,
                    claim(
                        row.told, row.value, row.value, row.value, "table-formula", row.because, cause, 0.0
                    ),
                )
        return


def _is_near(row: _Row, value: float) -> bool:
    """Whether another value rounds to the number of a row, with its sign or without."""
    return abs(abs(row.told.value) - abs(value)) <= row.told.slack


def _slip(row: _Row) -> str:
    """The slip that leads to a number; "" where there is none."""
    literal = row.told.quantity.literal
    name, bits = slip_bits(literal, abs(row.value) / row.told.quantity.factor(row.told.dimension))
    return name if name and bits >= _PLAIN else ""
