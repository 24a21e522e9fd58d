"""Columns whose heading names the row that they are counted from: change vs BF16, speed-up over A100.

Each number is then a change or a ratio of its row to that one, in another column. All other rows must bear it out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from derive.checking.cells import claim
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import slip_bits
from derive.checking.row_labels import words_of

_AGAINST = re.compile(
    r"\b(?:vs\.?|versus|over|against|relative to|rel\. to|compared (?:to|with)|from|of)\s+(?:the )?"
    r"(?P<row>[^()\[\]]+?)\s*"
    r"(?:[(\[].*)?$",
    re.IGNORECASE,
)
_FORMS: Mapping[str, Callable[[float, float], float]] = {
    "{own} / {base} - 1": lambda own, base: own / base - 1,
    "1 - {own} / {base}": lambda own, base: 1 - own / base,
    "{own} / {base}": lambda own, base: own / base,
    "{base} / {own}": lambda own, base: base / own,
}
_WRONG_BASE = {
    "{own} / {base} - 1": lambda own, base: 1 - base / own,
    "1 - {own} / {base}": lambda own, base: base / own - 1,
}
_FEWEST, _BITS = 2, 4.0
_OF_ANOTHER = "wrong base: it is counted from the row before"


def claims(grid: Grid) -> Iterator[Claim]:
    """The claims of the columns that are counted from a row which their heading names."""
    for column in grid.columns[1:]:
        base = _base(grid, column)
        if base is None or column.dimension != () or column.filled <= _FEWEST:
            continue
        for other in grid.columns[1:]:
            if other is not column and other.numbers[base] is not None and other.dimension is not None:
                yield from _held(column, other, base)


def _base(grid: Grid, column: Column) -> int | None:
    """The one row that a heading names."""
    named = _AGAINST.search(column.heading)
    words = set(words_of(named["row"])) if named else set()
    rows = [row for row, label in enumerate(grid.labels) if words and words <= set(words_of(label))]
    if named and not words:  # short names: v1
        rows = [row for row, label in enumerate(grid.labels) if label.strip().lower() == named["row"].lower()]
        return rows[0] if len(rows) == 1 else None
    exact = [row for row in rows if set(words_of(grid.labels[row])) == words]
    found = exact or rows
    return found[0] if len(found) == 1 else None


def _held(column: Column, other: Column, base: int) -> Iterator[Claim]:
    """The numbers of a column under the form that all of them have but one at most."""
    start = other.numbers[base]
    rows = [
        (told, own)
        for row, (told, own) in enumerate(zip(column.numbers, other.numbers, strict=True))
        if row != base and told is not None and own is not None and own.value > 0
    ]
    if start is None or start.value <= 0 or len({own.value for _, own in rows}) < len(rows):
        return
    for says, form in _FORMS.items():
        right = [_agrees(told, form(own.value, start.value), own, start) for told, own in rows]
        if sum(right) < _FEWEST or right.count(False) > 1:
            continue
        before = [start, *(own for _, own in rows)]
        for (told, own), last, agrees in zip(rows, before, right, strict=False):
            expected = form(own.value, start.value)
            because = says.format(own=own.text, base=start.text)
            cause = "" if agrees else _cause(told, expected, says, own, start)
            if not agrees and not cause and _agrees(told, form(own.value, last.value), own, last):
                cause = _OF_ANOTHER
            low, high = (told.value, told.value) if agrees else (expected, expected)
            if agrees or cause:
                yield claim(told, expected, low, high, "table-formula", because, cause, 0.0)
        return


def _agrees(told: Number, value: float, own: Number, start: Number) -> bool:
    """Whether a value rounds to a number, by what its parts leave open; a change may be told without its sign."""
    reach = (own.slack / own.value + start.slack / start.value) / 2 * (abs(value) + 1)
    return min(abs(abs(told.value) - abs(value)), abs(told.value - value)) <= told.slack + reach


def _cause(told: Number, expected: float, says: str, own: Number, start: Number) -> str:
    """The slip that leads to the one number that does not follow."""
    turned = _WRONG_BASE.get(says)
    if turned is not None and _agrees(told, turned(own.value, start.value), own, start):
        return "wrong base: it is taken of the other number"
    name, bits = slip_bits(told.quantity.literal, expected / told.quantity.factor(told.dimension))
    return name if bits >= _BITS else ""
