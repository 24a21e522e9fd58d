"""Tables whose rows or columns are machines: rates of links, rates of ports, and columns that bear no unit.

What a column means is told by its heading, and by the rows that agree with the catalogue: a number is false only
where at least one other row is right, and where it is another number of the catalogue, taken wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from derive.checking.causes import UNKNOWN
from derive.checking.cells import claim, swapped
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.inline import unmarked
from derive.checking.machine_links import EACH, NVLINK, both_ways
from derive.checking.machine_subjects import WIRES
from derive.checking.published import MEMORIES, PORT_NAME, PORTS
from derive.checking.statements import BANDWIDTH, BYTES, FLOPS, constants_of, mistaken_for
from derive.checking.subjects import Mention, entry, machines, precisions
from derive.checking.words import Dimension
from derive.constants import catalogue
from derive.entries import Constant

_NO_LINK = re.compile(
    r"\blinks\b|per link|lane|\bnodes?\b|server|system|aggregate|measur|achiev|effective|reach|bus ?bw|algo|"
    r"\bcount|number|generation|needed|used|share|time|all-?reduce|bisection|domain|switch",
    re.IGNORECASE,
)
_OF_A_PORT = re.compile(r"\b(?:rate|speed|bandwidth|port|line|link|Gb/s|Gbit/s|Gbps)\b", re.IGNORECASE)
_NO_PORT = re.compile(
    r"\bnodes?\b|server|system|total|aggregate|all\b|GPU|measur|achiev|effective|lane|4x|2x|12x|usable",
    re.IGNORECASE,
)
_BARE = (
    (FLOPS, "peak", (1e12,), re.compile(r"(?:dense |BF16 |FP16 )*peak(?: rate)?", re.IGNORECASE)),
    (BANDWIDTH, "bandwidth", (1e9, 1e12), re.compile(r"(?:memory |mem\.? |HBM )?(?:bandwidth|BW)", re.IGNORECASE)),
    (BYTES, "capacity", (1e9,), re.compile(r"(?:GPU |device )?(?:memory|HBM|VRAM|capacity)", re.IGNORECASE)),
)  # fmt: skip
"""Columns that many tables leave without a unit: what they hold, in which units, under which headings."""
_FORMATS = ("bf16", "fp16")
_GB = re.compile(r"\bGB/s")
_SPARSE = re.compile(r"spars|2:4", re.IGNORECASE)
_SAME, _ROUNDED = 0.004, 0.015
_RIGHT, _UNLIKE = 4, 3
_CELLS = 12


@dataclass(frozen=True)
class _Told:
    """What a row should have, how that is called, and the cause of another number; no cause where it is right."""

    number: Number
    right: float
    because: str
    cause: str


def claims(grid: Grid, beside: Sequence[str]) -> Iterator[Claim]:
    """The links and ports of a table, and its machines' numbers under headings without a unit.

    beside: the texts next to the table, which may say that some of its peaks are of another kind.
    """
    linked = [
        one for one in grid.columns[1:] if NVLINK.search(one.heading) and not _NO_LINK.search(one.heading)
    ]
    if linked or PORT_NAME.search(_text(grid)):
        described = [_described(grid, row) for row in range(len(grid.labels))]
        for column in linked:
            yield from _judged(_links(column, described))
        for column in grid.columns[1:]:
            if _OF_A_PORT.search(column.heading) and not _NO_PORT.search(column.heading):
                yield from _judged(_ports(column, described))
    if not grid.turned:
        yield from _without_units(grid, " ".join(beside))


def _text(grid: Grid) -> str:
    return " ".join((*grid.labels, *(cell.text for row in grid.table.rows[:_CELLS] for cell in row)))


def _described(grid: Grid, row: int) -> str:
    """All that a table says of a row in words; of a turned table, of a column."""
    if not grid.turned:
        cells = grid.table.rows[row]
    else:
        cells = tuple(one[row + 1] for one in grid.table.rows if row + 1 < len(one))
    return " ¦ ".join((grid.labels[row], *(unmarked(cell.text) for cell in cells[: 2 * _CELLS])))


def _machine(text: str) -> Mention | None:
    """The one machine of a description, cables aside."""
    found = [one for one in machines(f"{text} GPU") if not (one.names and one.names[0].startswith(WIRES))]
    return found[0] if len({one.names for one in found}) == 1 and found[0].names else None


def _links(column: Column, described: Sequence[str]) -> list[_Told]:
    """The rates of NVLink of each machine, the way that the heading tells, or else two rows or more."""
    unit = 1.0 if column.dimension == BANDWIDTH else 1e9 if _GB.search(column.heading) else 0.0
    each, both = EACH.search(column.heading), both_ways(column.heading)
    if column.dimension not in (BANDWIDTH, ()) or not unit or (each and both):
        return []
    ways = ("each-way",) if each else ("both-ways",) if both else ("both-ways", "each-way")
    for way in ways:
        rows = list(_one_way(column, described, way, unit))
        if len(ways) == 1 or len({one.right for one in rows if not one.cause}) > 1:
            return rows
    return []


def _one_way(column: Column, described: Sequence[str], way: str, unit: float) -> Iterator[_Told]:
    for number, text in zip(column.numbers, described, strict=True):
        mention = _machine(text) if number is not None else None
        every = constants_of(mention, ("link",), BANDWIDTH) if mention is not None else []
        meant = next((one for one in every if one.tags.get("direction") == way), None)
        if number is None or meant is None or mention is None or not _alike(every, way):
            continue
        other = next((one for one in every if _is(number, float(one.base) / unit) and one is not meant), None)
        cause = mistaken_for(other, meant) if other is not None else _another(number, meant, mention, unit)
        yield _told(number, meant, unit, cause)


def _alike(links: Sequence[Constant], way: str) -> bool:
    """Whether all boards that a name may mean have links of one rate."""
    return len({one.base for one in links if one.tags.get("direction") == way}) == 1


def _ports(column: Column, described: Sequence[str]) -> Iterator[_Told]:
    """The rate of a port of each row that names one generation."""
    for number, text in zip(column.numbers, described, strict=True):
        names = {one[0] for one in PORT_NAME.finditer(text)}
        if number is None or len(names) != 1 or number.dimension != BANDWIDTH or "b" not in number.text:
            continue
        name = names.pop()
        rate = number.value * 8 / 1e9
        cause = "another machine: a port of another generation" if rate in PORTS.values() else UNKNOWN
        right = PORTS[name] * 1e9 / 8
        yield _Told(number, right, f"a port of {name}", "" if rate == PORTS[name] else cause)


def _judged(rows: Iterable[_Told]) -> Iterator[Claim]:
    """The rows of a column of which all are right, or all but one and at least one."""
    every = list(rows)
    wrong = [one for one in every if one.cause]
    if len(wrong) > 1 or len(every) - len(wrong) < 1 or any(one.cause == UNKNOWN for one in wrong):
        return
    for one in every:
        yield claim(
            one.number,
            one.right,
            one.right,
            one.right,
            "hardware",
            one.because,
            one.cause,
            0.0,
            strict=bool(one.cause),
        )


def _without_units(grid: Grid, beside: str) -> Iterator[Claim]:
    """Peaks, bandwidths and memories of machines in columns of plain numbers, whose unit the other rows tell."""
    wanted = [
        (column, kind)
        for column in grid.columns[1:]
        for kind in _BARE
        if column.dimension == () and kind[3].fullmatch(column.heading.strip())
    ]
    named = [_plainly(_described(grid, row)) for row in range(len(grid.labels))] if wanted else []
    for column, (dimension, role, units, _) in wanted:
        if role == "peak" and _of_other_kinds(beside):
            continue
        for unit in units:
            found = list(_in_unit(column, named, dimension, role, unit))
            right = {one.right for one in found if not one.cause}
            if len([one for one in found if not one.cause]) >= _RIGHT and len(right) >= _UNLIKE:
                yield from _judged(found)


def _of_other_kinds(text: str) -> bool:
    """Whether a text speaks of peaks in narrow formats, or of sparse ones without those that are dense."""
    other = {name for name, _ in precisions(text)} - set(_FORMATS)
    return bool(other) or (_SPARSE.search(text) is not None and "dense" not in text.lower())


def _plainly(text: str) -> Mention | None:
    """The one machine of a description that tells of no format but those of 16 bits."""
    formats = {name for name, _ in precisions(text)}
    return None if formats - set(_FORMATS) or _SPARSE.search(text) else _machine(text)


def _in_unit(
    column: Column, named: Sequence[Mention | None], dimension: Dimension, role: str, unit: float
) -> Iterator[_Told]:
    for number, mention in zip(column.numbers, named, strict=True):
        if number is None or mention is None or mention.count > 1:
            continue
        every = constants_of(mention, (role,), dimension)
        usual = [one for one in every if role != "peak" or _is_usual(one)]
        if not usual:
            continue
        agreeing = next((one for one in usual if _is(number, float(one.base) / unit, _ROUNDED)), None)
        if agreeing is not None or (
            role == "capacity" and any(number.value in MEMORIES.get(name, ()) for name in mention.names)
        ):
            if agreeing is not None:
                yield _told(number, agreeing, unit, "")
            continue
        if len({one.base for one in usual}) > 1:
            continue  # a name of several boards
        other = next((one for one in every if _is(number, float(one.base) / unit)), None)
        cause = (
            mistaken_for(other, usual[0]) if other is not None else _another(number, usual[0], mention, unit)
        )
        yield _told(number, usual[0], unit, cause)


def _is_usual(constant: Constant) -> bool:
    """Whether a peak is that of 16 bits without sparsity."""
    return constant.tags.get("precision") in _FORMATS and constant.tags.get("sparsity") == "dense"


def _told(number: Number, meant: Constant, unit: float, cause: str) -> _Told:
    right = float(meant.base) / unit
    because = f"{entry('hardware', meant.entry).title}, {meant.source.document}"
    return _Told(number, right, because, "" if _is(number, right, _ROUNDED) else cause)


def _another(number: Number, meant: Constant, mention: Mention, unit: float) -> str:
    """The other machine that has the number in the same role, or digits that are swapped; UNKNOWN for none."""
    if swapped(number, float(meant.base) / unit):
        return "digits swapped"
    for name, other in catalogue("hardware").items():
        for one in other.constants if name not in mention.names else ():
            alike = one.role == meant.role and all(
                one.tags.get(tag) == meant.tags.get(tag) for tag in ("precision", "sparsity", "direction")
            )
            if alike and _is(number, float(one.base) / unit):
                return f"another machine: {one.text} is the {one.role} of {other.title}"
    return UNKNOWN


def _is(number: Number, value: float, near: float = _SAME) -> bool:
    return abs(number.value - value) <= near * value
