"""Widths of a table's columns in LaTeX, shared out by what stands in them.

Every column gets what its longest unbreakable piece needs; what is left of the
line goes to columns whose texts would otherwise wrap, in proportion to how much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reports.view import Formula, Grid, Link
from reports.widths import width_of

_LINE = 90.0  # letters on a line: 160 mm at 10 pt
_BETWEEN = 2.373  # letters between two columns: twice \tabcolsep
_SPARE = 0.02  # so that rounding never makes a table wider than the line
_MATH = 1.15  # a letter of a formula beside one of a text
_LONGEST_WORD = 30
_BREAKS = re.compile(r"[ \n]+")


def columns(rows: Iterable[object], **attributes: str) -> str:
    """The column definitions of a table: heads, each with the attribute of a row that stands below it.

    An attribute may name several, joined by +: their texts share a cell.
    """
    rows = list(rows)
    needed, wanted = [], []
    for head, attribute in attributes.items():
        cells = [
            cell for row in rows for name in attribute.split("+") if (cell := getattr(row, name)) is not None
        ]
        joined = [_wanted([getattr(row, name) for name in attribute.split("+")]) for row in rows]
        needed.append(max([_needed(cell) for cell in cells] + [_needed(head)]))
        wanted.append(max([*joined, needed[-1]]))
    return _definitions("Y" * len(needed), _filling(_shared(needed, wanted)))


def grid_columns(grid: Grid) -> str:
    """The column definitions of a worked table: words flush left, numbers flush right."""
    needed, wanted = [], []
    for place, head in enumerate(grid.heads):
        cells = [row[place] for row in grid.rows]
        needed.append(max(_needed(cell) for cell in (head, *cells)))
        wanted.append(max(needed[-1], *(_wanted([cell]) for cell in (head, *cells))))
    kinds = "".join("Y" if place in grid.texts else "Z" for place in range(len(needed)))
    return _definitions(kinds, _shared(needed, wanted))


def _definitions(kinds: str, shares: list[float]) -> str:
    made = (rf"{kind}{{{(share + _BETWEEN) / _LINE:.5f}}}" for kind, share in zip(kinds, shares, strict=True))
    return f"@{{}}{''.join(made)}@{{}}"


def _needed(cell: object) -> float:
    if isinstance(cell, Formula):
        return width_of(cell.latex) * _MATH
    return max(min(len(word), _LONGEST_WORD) + 1.5 for word in _BREAKS.split(_text(cell)))


def _wanted(cells: Sequence[object]) -> float:
    return sum(_needed(cell) if isinstance(cell, Formula) else len(_text(cell)) + 1.0 for cell in cells)


def _text(cell: object) -> str:
    """A cell's text; of a proof its reason with the verdict."""
    if isinstance(cell, Link):
        return cell.text
    return (
        f"{outcome}: {getattr(cell, 'reason', '')}"
        if (outcome := getattr(cell, "outcome", ""))
        else str(cell or "")
    )


def _shared(needed: list[float], wanted: list[float]) -> list[float]:
    """What each column gets of the line, none of them more than it wants."""
    line = _line(len(needed))
    left = line - sum(needed)
    if left <= 0:
        return [one * line / sum(needed) for one in needed]
    more = [want - need for need, want in zip(needed, wanted, strict=True)]
    scale = min(1.0, left / sum(more)) if sum(more) else 0.0
    return [need + extra * scale for need, extra in zip(needed, more, strict=True)]


def _filling(shares: list[float]) -> list[float]:
    """The same columns, widened alike to fill the line."""
    rest = (_line(len(shares)) - sum(shares)) / len(shares)
    return [share + rest for share in shares]


def _line(count: int) -> float:
    """The room for the texts of so many columns."""
    return _LINE - _SPARE - _BETWEEN * (count - 1)
