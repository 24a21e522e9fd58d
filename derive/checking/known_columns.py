"""Columns whose rule is known: the KV cache of a token by the extents of its model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from derive.checking.cells import held
from derive.checking.claims import Claim
from derive.checking.columns import Grid, Number
from derive.checking.statements import BYTES
from derive.checking.subjects import WIDTHS, precisions

_EXTENTS = (
    re.compile(r"^(?:#|n_|no\. of |number of )?layers?$|^L$", re.IGNORECASE),
    re.compile(r"^(?:#|n_|number of )?(?:KV|key-?value)[ _-]heads?$|^[hHn]_?\(?(?:kv|KV)\)?$", re.IGNORECASE),
    re.compile(r"^head[ _-]?(?:dim(?:ension)?|size)$|^d_?\(?(?:head|h)?\)?$", re.IGNORECASE),
)
_PER_TOKEN = re.compile(r"per token|/ ?tok(?:en)?\b", re.IGNORECASE)
_IN_BYTES = re.compile(r"\bbytes\b", re.IGNORECASE)
_WIDTHS = (2.0, 1.0, 4.0, 0.5)
_OFF = 0.03
_NO_SLIP = "the other rows are right"  # a row may be of a model with another cache


def widths_of_rows(grid: Grid) -> list[float | None]:
    """The bytes of an element in the one format that each row names in a cell of its own."""
    found: list[float | None] = []
    for row in grid.table.rows:
        named = {WIDTHS[name] for cell in row for name, _ in precisions(cell.text) if name in WIDTHS}
        found.append(named.pop() if len(named) == 1 else None)
    return found


def claims(grid: Grid) -> Iterator[Claim]:
    """2 × layers × KV heads × head dimension × bytes, of which one width holds for the whole column."""
    sources = [[one for one in grid.columns if pattern.search(one.heading)] for pattern in _EXTENTS]
    if any(len(found) != 1 for found in sources):
        return
    layers, heads, size = (found[0].numbers for found in sources)
    own = widths_of_rows(grid)
    for column in grid.columns:
        named = column.dimension == () and _IN_BYTES.search(column.heading)
        if not (column.dimension == BYTES or named) or not _PER_TOKEN.search(column.heading):
            continue
        for width in _WIDTHS:

            def expected(row: int, _: Number, width: float = width) -> list[tuple[float, str]]:
                parts = [numbers[row] for numbers in (layers, heads, size)]
                values = [part.value for part in parts if part is not None]
                if len(values) != len(parts):
                    return []
                shown = " × ".join(f"{value:g}" for value in values)
                each = own[row] or width
                return [(2 * math.prod(values) * each, f"2 × {shown} × {each:g} bytes")]

            found = list(held(column, expected, "kv-cache", _OFF, least=2))
            if found:
                yield from (one for one in found if one.verdict != "false" or one.cause != _NO_SLIP)
                break
