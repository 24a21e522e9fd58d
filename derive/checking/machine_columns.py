"""Columns that rows of machines fill from the catalogue: their numbers, their ridge points, their utilizations.

A row is called false only where the others of its column agree with the catalogue, so
that what the column means is beyond doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from derive.checking.cells import claim, held
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.inline import unmarked
from derive.checking.published import MEMORIES
from derive.checking.statements import BANDWIDTH, BYTES, FLOPS, agreeing_with, constants_of
from derive.checking.subjects import Mention, machines, precisions
from derive.checking.words import Dimension

_OTHER = re.compile(
    r"L[12]\b|cache|SRAM|shared|link|PCI|network|NIC|each way|direction|measur|achiev|effective|observ|usable|free|"
    r"used|need|model|weight|KV|per (?:token|layer|core|SM)|cost|price|load",
    re.IGNORECASE,
)
_RIDGE = re.compile(r"\bridge|critical intensity|machine balance|FLOPs?(?:/| per )bytes?\b", re.IGNORECASE)
_SHARE = re.compile(r"\bMFU\b|utili[sz]ation|of (?:the )?peak", re.IGNORECASE)
_SHARE_OF_OTHER = re.compile(r"bandwidth|memory|\bMBU\b|HFU|link|network", re.IGNORECASE)
_SPARSE, _DENSE = re.compile(r"spars|2:4", re.IGNORECASE), re.compile(r"\bdense\b", re.IGNORECASE)
_WATTS: Dimension = (("joule", 1), ("second", -1))
_ROLES: tuple[tuple[Dimension, tuple[str, ...]], ...] = (
    (BANDWIDTH, ("bandwidth",)), (BYTES, ("capacity",)), (FLOPS, ("peak",)), (_WATTS, ("power",)),
)  # fmt: skip
_CEILING = re.compile(r"\bceiling|\btheor(?:etical|y)\b|upper (?:bound|limit)|speed of light", re.IGNORECASE)
_NO_CEILING = re.compile(r"\bof\b|%|share|fraction|estimate|model", re.IGNORECASE)
_REACHED = re.compile(r"^(?:measured|achieved|observed|sustained|reached)\b", re.IGNORECASE)
_OVER = 1.05
_VARIANT = 0.08
_WIDE = 0.03


def claims(grid: Grid) -> Iterator[Claim]:
    """The claims of a table whose rows are machines, and the measured cells above the limit of their row."""
    yield from _over_limit(grid)
    named = [machine_of(grid, row) for row in range(len(grid.labels))]
    if sum(one is not None for one in named) < 2:
        return
    for column in grid.columns[1:]:
        if _RIDGE.search(column.heading or grid.table.before):
            yield from _ridges(grid, column, named)
        elif _SHARE.search(column.heading) and not _SHARE_OF_OTHER.search(column.heading):
            yield from _shares(grid, column, named)
        else:
            yield from _specified(column, named, grid.table.before)


def _over_limit(grid: Grid) -> Iterator[Claim]:
    """The one measured cell above the ceiling that its row gives, where all other rows stay below theirs."""
    limits = [
        one for one in grid.columns if _CEILING.search(one.heading) and not _NO_CEILING.search(one.heading)
    ]
    reached = [one for one in grid.columns if _REACHED.search(one.heading)]
    if len(limits) != 1 or len(reached) != 1 or limits[0].dimension is None or limits[0] is reached[0]:
        return
    if limits[0].dimension != reached[0].dimension:
        return
    pairs = [
        (own, most)
        for own, most in zip(reached[0].numbers, limits[0].numbers, strict=True)
        if own is not None and most is not None and most.value > 0
    ]
    above = [(own, most) for own, most in pairs if own.value - own.slack > _OVER * most.value]
    if len(above) != 1 or len(pairs) < 4:
        return
    own, most = above[0]
    cause = "more than the limit of its row: the number is another's, or one of the two is wrong"
    yield claim(own, most.value, 0.0, most.value, "impossible", f"the row has at most {most.text}", cause)


def machine_of(grid: Grid, row: int) -> Mention | None:
    """The one machine that a row names in its cells; of a turned table in its label."""
    text = (
        grid.labels[row] if grid.turned else " ¦ ".join(unmarked(cell.text) for cell in grid.table.rows[row])
    )
    found = machines(f"{text} GPU")  # short names, too: the other rows are machines
    return found[0] if len({one.names for one in found}) == 1 and found[0].names else None


def _specified(column: Column, named: Sequence[Mention | None], caption: str) -> Iterator[Claim]:
    """A number of the catalogue in each row, times the machines that the row counts.

    caption: what leads to the table, which may say for all of it what its peaks are: dense bf16.
    """
    dimension = column.dimension
    roles = next((roles for own, roles in _ROLES if own == dimension), None)
    if roles is None or dimension is None or _OTHER.search(column.heading):
        return
    wanted = _wanted(column.heading)
    captioned = (
        not wanted and bool(_DENSE.search(caption)) and not _SPARSE.search(f"{caption} {column.heading}")
    )
    wanted = _wanted(caption) if captioned and dimension == FLOPS else wanted

    def expected(row: int, number: Number, sparse: bool = True) -> list[tuple[float, str]]:
        mention = named[row]
        if mention is None:
            return []
        found = [
            constant
            for constant in constants_of(mention, roles, dimension)
            if (not wanted or constant.tags.get("precision") in (None, *wanted))
            and (sparse or constant.tags.get("sparsity") != "2:4")
        ]
        count = mention.count
        for sold in (value * 1e9 for name in mention.names for value in MEMORIES.get(name, ())):
            if dimension == BYTES and number.quantity.agrees(sold * count, BYTES):
                return [(sold * count, f"{count} × {sold / 1e9:g} GB" if count > 1 else f"{sold / 1e9:g} GB")]
        right = agreeing_with(number.quantity, found, dimension, count)
        chosen = [right] if right is not None else [one for one in found if one.tags.get("sparsity") != "2:4"]
        times = 1 if right is not None and agreeing_with(number.quantity, found, dimension) else count
        return [
            (float(one.base) * times, f"{times} × {one.described}" if times > 1 else one.described)
            for one in chosen
        ]

    several = all(mention is None or mention.count > 1 for mention in named)
    band = _WIDE if several else _VARIANT
    dense = (
        []
        if _SPARSE.search(column.heading)
        else list(held(column, partial(expected, sparse=False), "hardware", band))
    )
    if dense or _DENSE.search(column.heading) or captioned:
        yield from dense
        return
    yield from held(column, expected, "hardware", band)


def _ridges(grid: Grid, column: Column, named: Sequence[Mention | None]) -> Iterator[Claim]:
    """Peak over bandwidth where the table has neither."""
    if any(other.dimension in (FLOPS, BANDWIDTH) for other in grid.columns) or column.dimension not in (
        (), (("FLOP", 1), ("byte", -1)), (("byte", -1), ("FLOP", 1)),
    ):  # fmt: skip
        return
    wanted = _wanted(column.heading) or _wanted(grid.table.before) or ("bf16", "fp16")

    def expected(row: int, _: Number) -> list[tuple[float, str]]:
        mention = named[row]
        if mention is None:
            return []
        found = []
        for name in mention.names:
            one = Mention((name,), 0, 0)
            for rate in constants_of(one, ("bandwidth",), BANDWIDTH):
                found += [
                    (float(peak.base / rate.base), f"{peak.text} / ({rate.text})")
                    for peak in constants_of(one, ("peak",), FLOPS)
                    if peak.tags.get("precision") in wanted and peak.tags.get("sparsity") == "dense"
                ]
        return found

    yield from held(column, expected, "table-formula", _WIDE)


def _shares(grid: Grid, column: Column, named: Sequence[Mention | None]) -> Iterator[Claim]:
    """Achieved operations a second over the dense peak of the row's machine."""
    rates = [
        other
        for other in grid.columns
        if other.dimension == FLOPS and not re.search(r"peak|theor|spec", other.heading, re.IGNORECASE)
    ]
    if (
        column.dimension != ()
        or len(rates) != 1
        or any("peak" in one.heading.lower() for one in grid.columns)
    ):
        return
    wanted = _wanted(f"{column.heading} {rates[0].heading}") or _wanted(grid.table.before) or ("bf16", "fp16")

    def expected(row: int, _: Number) -> list[tuple[float, str]]:
        mention, rate = named[row], rates[0].numbers[row]
        if mention is None or rate is None:
            return []
        return [
            (rate.value / float(peak.base), f"{rate.text} / ({peak.text})")
            for peak in constants_of(mention, ("peak",), FLOPS)
            if peak.tags.get("precision") in wanted and peak.tags.get("sparsity") == "dense"
        ]

    yield from held(column, expected, "table-formula", _WIDE, least=2)


def _wanted(text: str) -> tuple[str, ...]:
    """The precisions that a text names, the two of 16 bits for either."""
    found = {name for name, _ in precisions(text)}
    return tuple(sorted(found | ({"bf16", "fp16"} if found & {"bf16", "fp16"} else set())))
