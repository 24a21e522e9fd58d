"""Columns that follow from others in every row, or in every row but one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.cells import claim, product, quotient, reach, same, swapped, total
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.words import Dimension, is_binary

_HINT = re.compile(
    r"share|ratio|fraction|percent|%|/s\b|\bper\b|throughput|speed-?up|total|intensity|ridge|time|product|sum\b|"
    r"utili[sz]ation|MFU|efficiency|[KMGT]iB",
    re.IGNORECASE,
)
_SUMMED = re.compile(r"total|\bsum\b|combined|overall|together|\ball\b|both|end[- ]to[- ]end", re.IGNORECASE)
_TIMED = re.compile(
    r"latenc|concurren|\bp\d\d\b|\bmean\b|median|\bavg\b|average|req(?:uest)?s?\b|measured|observed|bench|TTFT|TPOT|ITL|"
    r"elapsed|wall",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"share|ratio|fraction|percent|%|speed-?up|utili[sz]|MFU|efficien|\bper\b.*GPU|total", re.IGNORECASE
)
_RATED = re.compile(r"/s\b|per second", re.IGNORECASE)
_PER_SECOND = (("second", -1),)
_NAMED = re.compile(
    r"\bper\b|/|share|ratio|%|of (?:the )?(?:peak|bound|datasheet)|ridge|intensity|\bGPU[- ]?h|cost|speed-?up|efficien|"
    r"total|\bMFU\b|utili[sz]",
    re.IGNORECASE,
)
"""Headings that name a relation, so that three rows tell it."""
_IN_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_BITS, _HINTED, _FEW = 26.0, 8.0, 11.0  # how sure the matching rows must be that a relation is no accident
_LEAST = 4
_FEWEST, _PARTS = 3, 8
_BANDS = 0.01, 0.03


@dataclass(frozen=True)
class Relation:
    """How one column follows from others: in words, and the value of a row with its bounds."""

    says: str
    value: Callable[[Sequence[Number]], tuple[float, float, float]]


def _power(dimension: Dimension, sign: int) -> Dimension:
    return tuple((base, sign * power) for base, power in dimension)


def _times(one: Dimension, other: Dimension) -> Dimension:
    powers = dict(one)
    for base, power in other:
        powers[base] = powers.get(base, 0) + power
    return tuple(sorted((base, power) for base, power in powers.items() if power))


@dataclass
class Budget:
    """How many relations are still tried in a document."""

    left: int = 30_000


def claims(grid: Grid, budget: Budget) -> Iterator[Claim]:
    """Columns that follow from others in every row, or in every row but one."""
    columns = [column for column in grid.columns if column.filled >= _FEWEST and column.dimension is not None]
    # what is computed stands to the right of what it is computed from
    columns.sort(key=lambda one: (_unit(one) != "%", not _HINT.search(one.heading), -one.place))
    told: set[frozenset[int]] = set()
    for target in columns:
        if not _varies(target) or budget.left <= 0:
            continue
        held: list[tuple[frozenset[int], list[Claim]]] = []
        for relation, sources in _candidates(target, columns, grid.table.before):
            together = frozenset(map(id, (target, *sources)))
            if together in told or budget.left <= 0:
                continue
            budget.left -= 1
            found = list(_rows(target, sources, relation, grid))
            if found:
                held.append((together, found))
            if found and all(one.verdict == "true" for one in found):
                break
        chosen = _chosen([found for _, found in held])
        if chosen is not None:
            told.add(held[chosen][0])
            yield from held[chosen][1]


def _chosen(held: Sequence[Sequence[Claim]]) -> int | None:
    """Of the relations that a column may follow the one that all rows do; else the first, if all blame one row."""
    for index, found in enumerate(held):
        if all(one.verdict == "true" for one in found):
            return index
    blamed = {one.line for found in held for one in found if one.verdict != "true"}
    return 0 if len(blamed) == 1 else None


def _candidates(
    target: Column, columns: Sequence[Column], before: str
) -> Iterator[tuple[Relation, tuple[Column, ...]]]:
    own = target.dimension or ()
    for other in columns:
        if other is not target and other.dimension == own != () and _unit(other) != _unit(target):
            yield Relation("{0} in another unit", same), (other,)
    if _SUMMED.search(target.heading):
        yield from _parts(target, columns)
    for one, other in permutations((column for column in columns if column is not target), 2):
        if not (_varies(one, 2) and _varies(other, 2)):
            continue
        first, second = one.dimension or (), other.dimension or ()
        divided = _times(first, _power(second, -1))
        if divided == own or (
            own == () and divided == _PER_SECOND and _RATED.search(target.heading or before)
        ):
            yield Relation("{0} / {1}", quotient), (one, other)
        if columns.index(one) < columns.index(other):
            if _times(first, second) == own:
                yield Relation("{0} × {1}", product), (one, other)
            if first == second == own:
                yield Relation("{0} + {1}", total), (one, other)


def _parts(target: Column, columns: Sequence[Column]) -> Iterator[tuple[Relation, tuple[Column, ...]]]:
    """Three columns or more right before a column of totals, as its parts."""
    before = sorted((one for one in columns if one.place < target.place), key=lambda one: one.place)
    alike = [one for one in before if one.dimension == target.dimension and _unit(one) == _unit(target)]
    for many in range(min(len(alike), _PARTS), 2, -1):
        parts = tuple(alike[-many:])
        yield Relation(" + ".join(f"{{{index}}}" for index in range(many)), total), parts


def _is_binary(number: Number) -> bool:
    return any(is_binary(word) for word in number.quantity.literal.unit.split("/"))


def _unit(column: Column) -> str:
    return next((number.quantity.literal.unit for number in column.numbers if number is not None), "")


def _varies(column: Column, least: int = 3) -> bool:
    values = {number.value for number in column.numbers if number is not None}
    return len(values) >= least


def _rows(target: Column, sources: tuple[Column, ...], relation: Relation, grid: Grid) -> Iterator[Claim]:
    """The claims of a column if all its rows, or all but one of at least four, follow from the sources."""
    held: list[tuple[Number, float, float, float, list[Number]]] = []
    off, bits = 0, 0.0
    met: set[tuple[float, ...]] = set()
    for row in zip(target.numbers, *(source.numbers for source in sources), strict=True):
        number, *given = row
        parts = [part for part in given if part is not None]
        if number is None or len(parts) != len(given):
            continue
        low, mid, high = relation.value(parts)
        if (
            not mid
            or high <= 0
            or not number.value
            or any(abs(part.value) <= number.slack for part in parts if relation.value is total)
        ):
            return
        size = abs(number.value)
        gap = max(low - number.value - number.slack, number.value - number.slack - high, 0.0) / size
        if gap > 1e-9:
            off += 1
        elif (
            not (relation.value is total and any(part.value == number.value for part in parts))
            and (told := (number.value, *(part.value for part in parts))) not in met
        ):
            met.add(told)  # a row told once more is no further evidence
            tight = (
                number.tight if low - number.tight <= number.value <= high + number.tight else number.slack
            )
            bits -= math.log2(min(1.0, (2 * tight + high - low) / size + 1e-4))
        if off > 1:
            return
        held.append((number, mid, low, high, parts))
    hint = _SUMMED if relation.value is total else _HINT
    needed = _HINTED if hint.search(target.heading or grid.table.before) else _BITS
    explained = relation.value in (quotient, product) and _NAMED.search(_IN_BRACKETS.sub("", target.heading))
    if len(held) < _LEAST and explained:
        needed = _FEW
    least = _FEWEST if len(sources) > 2 or explained else _LEAST
    if len(held) < least or bits < needed:
        return
    shared = _unit(target) == "%" or _SHARED.search(target.heading)
    timed = not shared and any(_TIMED.search(column.heading) for column in (target, *sources))
    for number, mid, low, high, parts in held:
        because = relation.says.format(*(part.text for part in parts))
        cause = f"every other row follows {relation.says.format(*(source.heading or 'a column' for source in sources))}"
        turned = swapped(number, mid)
        named = "digits swapped" if turned else by_ratio(number.value / mid, reach(number))
        if named.startswith("GB and GiB") and not number.dimension:
            named = UNKNOWN
        band = 0.0 if turned else min(max(_BANDS[0], 4 * (high - low) / abs(mid)), _BANDS[1])
        if named != UNKNOWN:
            cause = f"{named}; {cause}"
        found = claim(number, mid, low, high, "table-formula", because, cause, band)
        if (
            relation.value is same
            and named.startswith("GB and GiB")
            and not any(map(_is_binary, (number, *parts)))
        ):
            found = replace(
                found, verdict="unsure", cause="true only where the prefixes are read as powers of 1024"
            )
        if timed and named == UNKNOWN and found.verdict == "false":
            found = replace(found, verdict="unsure", cause="measured values need not follow from each other")
        yield found
