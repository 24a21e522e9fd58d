"""Tables of two rows: a column that is the product of others in one of them, and off by a plain slip in the other.

`40 nodes, 8 GPUs, 80 GB: 25.6 TB` above `24 nodes, 4 GPUs, 48 GB: 9.2 TB`. One row alone bears the product out, so its
units must fit without a constant, no other product may make both rows, and the slip must be a factor that is one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from derive.checking.cells import claim
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.excuses import RATIO
from derive.checking.terms import joined, noted
from derive.checking.words import Dimension

_SLIPS = {
    2.0: "counted twice",
    0.5: "half of it is counted",
    4.0: "counted four times",
    0.25: "a quarter of it is counted",
    8.0: "bit and byte",
    0.125: "bit and byte",
    10.0: "power of ten",
    0.1: "power of ten",
    1000.0: "prefix",
    0.001: "prefix",
}
_FIRM = 2  # digits of the row that bears the product out
_NEAR, _COLUMNS = 0.006, 8


def claims(grid: Grid) -> Iterator[Claim]:
    """The number of the row that does not follow."""
    columns = [one for one in grid.columns if one.filled == 2 and one.dimension is not None]
    if grid.turned or len(grid.labels) != 2 or not 3 <= len(columns) <= _COLUMNS:
        return
    for target in columns:
        if target.dimension and not RATIO.search(target.heading):
            yield from _of_column(target, [one for one in columns if one.place < target.place])


def _of_column(target: Column, sources: Sequence[Column]) -> Iterator[Claim]:
    told = _numbers(target)
    found: list[tuple[int, float, str, str]] = []
    for many in (2, 3):
        for used in combinations(sources, many):
            for powers in product((1, -1), repeat=many):
                if not _fits(target.dimension or (), used, powers) or len(set(map(_values, used))) < many:
                    continue
                made = [_made(used, powers, row) for row in (0, 1)]
                right = [_agrees(number, value) for number, value in zip(told, made, strict=True)]
                if all(right):
                    return
                if any(right):
                    row = right.index(False)
                    name = _slip(told[row], made[row]) if _firm(told[1 - row]) else ""
                    found += [(row, made[row], name, _shown(used, powers, row))] if name else []
    if len(found) == 1 and not any(map(noted, told)):
        row, value, name, because = found[0]
        cause = f"{name}; the other row follows"
        yield claim(told[row], value, value, value, "table-formula", because, cause)


def _numbers(column: Column) -> list[Number]:
    return [one for one in column.numbers if one is not None]


def _values(column: Column) -> tuple[float, ...]:
    return tuple(one.value for one in _numbers(column))


def _fits(dimension: Dimension, used: Sequence[Column], powers: Sequence[int]) -> bool:
    """Whether the units of a product are those of the column, and both rows have their own numbers."""
    made: Dimension = ()
    for one, power in zip(used, powers, strict=True):
        made = joined(made, one.dimension or (), power)
    return made == dimension and all(value > 0 for one in used for value in _values(one))


def _made(used: Sequence[Column], powers: Sequence[int], row: int) -> float:
    return math.prod(_values(one)[row] ** power for one, power in zip(used, powers, strict=True))


def _agrees(number: Number, value: float) -> bool:
    return abs(number.value - value) <= number.slack + _NEAR * value


def _firm(number: Number) -> bool:
    """Whether a number has digits enough to bear a product out."""
    return len(number.quantity.literal.digits.replace(",", "").replace(".", "").strip("0")) > _FIRM - 1


def _slip(number: Number, value: float) -> str:
    return next((name for factor, name in _SLIPS.items() if _agrees(number, value * factor)), "")


def _shown(used: Sequence[Column], powers: Sequence[int], row: int) -> str:
    above = [one for one, power in zip(used, powers, strict=True) if power > 0]
    below = [one for one, power in zip(used, powers, strict=True) if power < 0]
    text = " × ".join(_numbers(one)[row].text for one in above) or "1"
    return " / ".join((text, *(_numbers(one)[row].text for one in below)))
