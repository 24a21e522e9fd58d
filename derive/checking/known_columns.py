"""Columns whose rule is known: the KV cache of a token, bytes in proportion to tokens, a formula over the table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from statistics import median_low

from derive.checking.cells import held
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.statements import BYTES

_EXTENTS = (
    re.compile(r"^(?:#|n_|no\. of |number of )?layers?$|^L$", re.IGNORECASE),
    re.compile(r"^(?:#|n_|number of )?(?:KV|key-?value)[ _-]heads?$", re.IGNORECASE),
    re.compile(r"^head[ _-]?(?:dim(?:ension)?|size)$|^d_?head$", re.IGNORECASE),
)
_PER_TOKEN = re.compile(r"per token|/ ?tok(?:en)?\b", re.IGNORECASE)
_LENGTH = re.compile(r"context|tokens?\b|sequence|length|positions?\b", re.IGNORECASE)
_CACHE = re.compile(r"\bKV\b|cache", re.IGNORECASE)
_FORMULA = re.compile(r"(?<![\w.])([A-Z])\s*=\s*(\d{1,2})?\s*[·×*]?\s*([A-Z])\s*[·×*]?\s*([A-Z])(?![\w^])")
_WIDTHS = (2.0, 1.0, 4.0, 0.5)
_OFF = 0.03


def claims(grid: Grid) -> Iterator[Claim]:
    """The claims of a table that says by its headings how a column follows."""
    yield from _of_token(grid)
    yield from _of_length(grid)
    yield from _of_formula(grid)


def _of_token(grid: Grid) -> Iterator[Claim]:
    """2 × layers × KV heads × head dimension × bytes, of which one width holds for the whole column."""
    sources = [[one for one in grid.columns if pattern.search(one.heading)] for pattern in _EXTENTS]
    if any(len(found) != 1 for found in sources):
        return
    layers, heads, size = (found[0].numbers for found in sources)
    for column in grid.columns:
        if column.dimension != BYTES or not _PER_TOKEN.search(column.heading):
            continue
        for width in _WIDTHS:

            def expected(row: int, _: Number, width: float = width) -> list[tuple[float, str]]:
                parts = [numbers[row] for numbers in (layers, heads, size)]
                values = [part.value for part in parts if part is not None]
                if len(values) != len(parts):
                    return []
                shown = " × ".join(f"{value:g}" for value in values)
                return [(2 * math.prod(values) * width, f"2 × {shown} × {width:g} bytes")]

            found = list(held(column, expected, "kv-cache", _OFF, least=2))
            if found:
                yield from found
                break


def _of_length(grid: Grid) -> Iterator[Claim]:
    """A cache that grows with the context in proportion."""
    lengths = [one for one in grid.columns if one.dimension == () and _LENGTH.search(one.heading)]
    if len(lengths) != 1:
        return
    for column in grid.columns:
        if column.dimension == BYTES and _CACHE.search(f"{column.heading} {grid.table.before}"):
            tokens = [None if one is None else one.value for one in lengths[0].numbers]
            yield from _in_proportion(column, tokens, "bytes in proportion to tokens", None)


def _of_formula(grid: Grid) -> Iterator[Claim]:
    """A product that the caption gives in letters, C = 6ND, over columns with these letters as headings."""
    headings = " ".join(column.heading for column in grid.columns)
    for found in _FORMULA.finditer(f"{grid.table.before} {headings}"):
        letters = [found[1], found[3], found[4]]
        columns = [
            [one for one in grid.columns if re.match(rf"{letter}(?![\w])", one.heading)] for letter in letters
        ]
        if len(set(letters)) != 3 or any(len(one) != 1 for one in columns):
            continue
        target, first, second = (one[0] for one in columns)
        products = [
            one.value * other.value if one is not None and other is not None else None
            for one, other in zip(first.numbers, second.numbers, strict=True)
        ]
        yield from _in_proportion(target, products, f"{found[0]}", float(found[2] or 1))


def _in_proportion(
    target: Column, sources: Sequence[float | None], says: str, factor: float | None
) -> Iterator[Claim]:
    """A column in proportion to others; factor: what it is times, but for a power of ten of the headings' units."""
    ratios = [
        number.value / source
        for number, source in zip(target.numbers, sources, strict=True)
        if number is not None and source and number.value > 0 and source > 0
    ]
    if len(ratios) < 4:
        return
    each = median_low(ratios)
    if factor is not None:
        each = factor * 10.0 ** round(math.log10(each / factor))

    def expected(row: int, _: Number) -> list[tuple[float, str]]:
        source = sources[row]
        return [] if source is None else [(source * each, says)]

    yield from held(target, expected, "table-formula", _OFF)
