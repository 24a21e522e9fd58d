"""HTML cells that span several columns or rows, laid out so that each number stands under its heading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_MOST, _SPARE = 60, 2_000  # how far a cell goes, and how many cells a table gains by that
Cell = tuple[str, int]


class Spanning(NamedTuple):
    """A cell: its text, its line, whether it is a heading, and over how many columns and rows it goes."""

    text: str
    line: int
    heading: bool
    across: int = 1
    down: int = 1


def span(value: str | None) -> int:
    """How many columns or rows an attribute asks for: 1 where it says nothing sensible."""
    return (
        min(int(value), _MOST)
        if value is not None and value.isdecimal() and len(value) < 4 and int(value)
        else 1
    )


def laid_out(rows: Sequence[Sequence[Spanning]]) -> tuple[list[list[Cell]], int]:
    """The rows with a cell for every column, and how many rows of headings they begin with.

    A heading is repeated over all that it spans; another cell stands once, and is empty in the columns
    and rows behind, so that no number is added up twice.
    """
    made: list[list[Cell]] = []
    spare = _SPARE
    held: dict[int, tuple[int, Spanning]] = {}  # by column: for how many rows more, which cell
    for row in rows:
        cells: list[Cell] = []
        waiting = list(reversed(row))
        while waiting or any(column >= len(cells) for column in held):
            column = len(cells)
            if column in held:
                left, cell = held.pop(column)
                if left > 1:
                    held[column] = left - 1, cell
                cells.append((cell.text if cell.heading else "", cell.line))
                continue
            if not waiting:
                cells.append(("", cells[-1][1] if cells else 0))
                continue
            cell = waiting.pop()
            across = min(cell.across, spare + 1)
            spare -= across - 1
            for place in range(across):
                shown = cell.text if place == 0 or cell.heading else ""
                if cell.down > 1:
                    held[len(cells)] = cell.down - 1, cell._replace(text=shown)
                cells.append((shown, cell.line))
        made.append(cells)
    headings = next((at for at, row in enumerate(rows) if not all(cell.heading for cell in row)), len(rows))
    return made, headings


def merged(headings: Sequence[Sequence[Cell]]) -> list[Cell]:
    """Several rows of headings as one: what stands above each other, each text once."""
    width = max(map(len, headings), default=0)
    columns = [
        [row[place] for row in headings if place < len(row) and row[place][0]] for place in range(width)
    ]
    return [
        (" ".join(dict.fromkeys(text for text, _ in column)), column[-1][1] if column else headings[0][0][1])
        for column in columns
    ]
