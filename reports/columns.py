"""Widths of a table's columns in LaTeX, shared out by what stands in them.

Every column gets what its longest unbreakable piece needs; what is left of the
line goes to columns whose texts would otherwise wrap, in proportion to how much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reports.view import Formula
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
    shares = _shared(needed, wanted, _LINE - _SPARE - _BETWEEN * (len(attributes) - 1))
    definitions = "".join(rf"Y{{{(share + _BETWEEN) / _LINE:.5f}}}" for share in shares)
    return f"@{{}}{definitions}@{{}}"


def _needed(cell: object) -> float:
    if isinstance(cell, Formula):
        return width_of(cell.latex) * _MATH
    return max(min(len(word), _LONGEST_WORD) + 1.5 for word in _BREAKS.split(_text(cell)))


def _wanted(cells: Sequence[object]) -> float:
    return sum(_needed(cell) if isinstance(cell, Formula) else len(_text(cell)) + 1.0 for cell in cells)


def _text(cell: object) -> str:
    """A cell's text; of a proof its reason with the verdict."""
    return (
        f"{outcome}: {getattr(cell, 'reason', '')}"
        if (outcome := getattr(cell, "outcome", ""))
        else str(cell or "")
    )


def _shared(needed: list[float], wanted: list[float], line: float) -> list[float]:
    left = line - sum(needed)
    if left <= 0:
        return [one * line / sum(needed) for one in needed]
    more = [want - need for need, want in zip(needed, wanted, strict=True)]
    scale = min(1.0, left / sum(more)) if sum(more) else 0.0
    shares = [need + extra * scale for need, extra in zip(needed, more, strict=True)]
    rest = (line - sum(shares)) / len(shares)
    return [share + rest for share in shares]
