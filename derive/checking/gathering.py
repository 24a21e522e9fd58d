"""Rows that gather the others: means, means by weight, and factors that multiply; totals are in `totals`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from derive.checking.causes import UNKNOWN, slip
from derive.checking.cells import bounds, claim
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number

_MEAN = re.compile(
    r"^\W*(?P<weighted>weighted )?(?:arithmetic )?(?:mean|average|avg)\b\.?(?! (?:of|over|per)\b)",
    re.IGNORECASE,
)
_ALL = re.compile(r"^\W*(?:all\b|both\b|combined|together|total|overall|in all|everything)", re.IGNORECASE)
_SHARE = re.compile(r"share|weight|fraction|mix|percent|%|portion|part", re.IGNORECASE)
_TIMES = re.compile(r"^\W*~?\d[\d.,]*\s?[×xX]\W*$")
_BAND = 0.01

Parts = Sequence[tuple[Number, float]]
"""Numbers, each with its weight."""


def claims(grid: Grid) -> Iterator[Claim]:
    """The claims of rows that gather the rows above them."""
    if grid.turned:
        return
    for row, label in enumerate(grid.labels):
        found = _MEAN.match(label)
        if found is not None and row >= 2:
            yield from _means(grid, row, bool(found["weighted"]))
        elif _ALL.match(label) and row >= 2:
            yield from _factors(grid, row)


def _means(grid: Grid, row: int, weighted: bool) -> Iterator[Claim]:
    """A row of means: each column is the plain mean of the rows above, or the mean by their shares."""
    shares = [one for one in grid.columns if _is_share(one, row)]
    ways: list[Column | None] = [None] if not weighted else []
    ways += [one for one in shares if weighted or len(shares) == 1]
    best: tuple[int, list[Claim]] = 0, []
    for way in ways:
        told = [one for column in grid.columns if column is not way for one in _mean(column, row, way)]
        right = sum(one.verdict == "true" for one in told)
        if right > best[0]:
            best = right, told
    right, told = best
    wrong = [one for one in told if one.verdict == "false"]
    if len(wrong) <= 1 and (right >= 2 or not wrong):
        yield from told


def _is_share(column: Column, row: int) -> bool:
    """Whether the rows above have shares that make up the whole."""
    parts = [one.value for one in column.numbers[:row] if one is not None]
    if len(parts) != row or not _SHARE.search(column.heading):
        return False
    return any(abs(sum(parts) - whole) < 0.011 * whole for whole in (1.0, 100.0))


def _mean(column: Column, row: int, way: Column | None) -> Iterator[Claim]:
    number = column.numbers[row]
    weights = (
        [1.0] * row if way is None else [one.value if one is not None else 0.0 for one in way.numbers[:row]]
    )
    parts = [
        (one, weight) for one, weight in zip(column.numbers[:row], weights, strict=True) if one is not None
    ]
    if number is None or len(parts) != row or any(one.dimension != number.dimension for one, _ in parts):
        return
    whole = sum(weights)
    weighed = [(bounds(one), weight) for one, weight in parts]
    low, mid, high = (sum(end[at] * weight for end, weight in weighed) / whole for at in range(3))
    how = "mean" if way is None else f"mean by {way.heading}"
    because = f"the {how} of " + ", ".join(one.text for one, _ in parts[:8])
    yield claim(
        number, mid, low, high, "table-total", because, f"it is not the {how} of the rows above", _BAND
    )


def _factors(grid: Grid, row: int) -> Iterator[Claim]:
    """Factors of so many times, all of which together are their product and not the sum of their gains."""
    for column in grid.columns:
        number, parts = column.numbers[row], column.numbers[:row]
        told = [one for one in parts if one is not None]
        if number is None or len(told) != len(parts) or not all(_is_factor(one) for one in (number, *told)):
            continue
        whole = math.prod(one.value for one in told)
        added = 1 + sum(one.value - 1 for one in told)
        if abs(whole - number.value) <= number.slack:
            cause = ""
        elif abs(added - number.value) <= number.slack:
            cause = "the gains were added, but factors multiply"
        elif slip(number.quantity.literal, whole) != UNKNOWN:
            cause = "factors multiply"
        else:
            continue
        because = " × ".join(one.text for one in told)
        yield claim(number, whole, whole, whole, "table-total", because, cause, _BAND)


def _is_factor(number: Number) -> bool:
    return bool(_TIMES.match(number.cell.text.replace("\x02", "").replace("\x03", "")))
