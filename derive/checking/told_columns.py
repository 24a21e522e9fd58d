"""Columns that follow from another one and from what the text tells beside the table.

GPUs of so many nodes, the cost of hours on so many GPUs, what each of so many GPUs holds of one whole, and the states
of a model under the stages of ZeRO.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.cells import claim, reach
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import slip_bits
from derive.checking.nouns import NUMBERS
from derive.checking.row_notes import noted
from derive.checking.statements import BYTES

_MACHINES = r"(?:GPU|accelerator|device|card|chip|TPU|A100|H100|H200|H800|B200|MI300X|V100|L40S)s?"
_GPUS = re.compile(
    r"^\W*(?:#|n_|no\. of |number of |total )?(?:GPU|accelerator|device|card|chip|TPU)s?\W*$", re.IGNORECASE
)
_NODES = re.compile(
    r"^\W*(?:#|n_|no\. of |number of )?(?:node|server|machine|host|board|tray)s?\W*$", re.IGNORECASE
)
_WORDS = "|".join(NUMBERS)
_PER_NODE = re.compile(
    rf"\b(?:each|every|a|one|per) (?:node|server|machine|host)\W+(?:has|have|holds|carries|with|of|is)?\s*"
    rf"(?P<a>\d{{1,2}}|{_WORDS})\b(?!\.\d)(?! ?(?:%|[GT]i?B\b|k\b))|"
    rf"\b(?P<b>\d{{1,2}}|{_WORDS}) (?:[\w-]+ ){{0,3}}?{_MACHINES} (?:per|in each|each|a|in every) "
    r"(?:node|server|machine|host)|"
    rf"\b(?:nodes|servers|machines|hosts) (?:of|with) (?P<c>\d{{1,2}}|{_WORDS})\b(?!\.\d)(?! ?(?:%|[GT]i?B\b|k\b))",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"(?:\$|USD ?)(?P<n>\d{1,3}(?:\.\d{1,3})?)\s?(?:per|/|an?|for (?:an?|each|one))\s?"
    r"(?:GPU|card|device|accelerator)[- ]?h(?:ou)?r?\b",
    re.IGNORECASE,
)
_COST = re.compile(r"\bcost|\bprice|\bspend|\bbill|\bdollars|\$|\bUSD", re.IGNORECASE)
_TIME = re.compile(r"\bdays?\b|\bhours?\b|\btime\b|\bduration|\bruntime|\bweeks?\b|\bh\b", re.IGNORECASE)
_GPU_TIME = re.compile(r"(?:GPU|card|device|node)[- ]?(?:hour|day|h\b)", re.IGNORECASE)
_WAYS = re.compile(
    r"^\W*(?:TP|PP|FSDP|shards?|tensor[ -]parallel\w*|(?:TP|PP) (?:size|degree)|ways|GPUs?|ranks?)\W*$",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:per|each|on each|on every) (?:GPU|card|rank|device|shard|accelerator|chip)\b|/ ?GPU", re.IGNORECASE
)
_STAGES = re.compile(r"\bZeRO\b|\bstage\b", re.IGNORECASE)
_STAGE = re.compile(
    r"^\W*(?:(?:ZeRO|stage)\W*)*(?P<n>[0-3])\b|^\W*(?P<none>none|baseline|DDP|DP)\b", re.IGNORECASE
)
_PARAMETERS = re.compile(
    r"\b(?P<n>\d{1,3}(?:\.\d{1,2})?) ?(?P<unit>B|billion)[ -](?:parameter|param|model)", re.IGNORECASE
)
_RANKS = re.compile(
    rf"\b(?P<n>\d{{1,4}}) (?:data[- ]parallel )?(?:{_MACHINES}|ranks|replicas)\b", re.IGNORECASE
)
_SIXTEEN = re.compile(r"\b16 (?:B|bytes)\b|\bAdam", re.IGNORECASE)
_FEWEST, _MANY = 2, 3
_ROUNDED, _CLEAR = 0.006, 0.03
_STATES = {0: (16.0, 0.0), 1: (4.0, 12.0), 2: (2.0, 14.0), 3: (0.0, 16.0)}
"""By the stage of ZeRO: the bytes a parameter that each rank holds whole, and those that the ranks share."""

_Expected = Callable[[int], tuple[float, str] | None]
"""What the number of a row should be, with the calculation; None where nobody knows."""


_Found = Iterator[tuple[Number, Claim]]


def claims(grid: Grid, around: Sequence[str]) -> Iterator[Claim]:
    """The claims of columns that follow from another one and from the text; around: the texts beside the table."""
    if len(grid.labels) <= _FEWEST:
        return
    for rule in (_of_nodes, _of_costs, _of_ways, _of_stages):
        for number, one in rule(grid, around):
            if one.verdict != "false" or not noted(grid, number, around):
                yield one


def _only(columns: Sequence[Column]) -> Column | None:
    return columns[0] if len(columns) == 1 else None


def _of_nodes(grid: Grid, around: Sequence[str]) -> _Found:
    """GPUs of so many nodes, of which the text tells how many each has."""
    nodes = _only([one for one in grid.columns if _NODES.match(one.heading) and one.dimension == ()])
    gpus = _only([one for one in grid.columns if _GPUS.match(one.heading) and one.dimension == ()])
    if nodes is None or gpus is None:
        return
    told = {_number(one["a"] or one["b"] or one["c"]) for text in around for one in _PER_NODE.finditer(text)}
    for each in told if len(told) == 1 else ():

        def expected(row: int, each: float = each) -> tuple[float, str] | None:
            many = nodes.numbers[row]
            return None if many is None else (many.value * each, f"{many.text} nodes × {each:g}")

        yield from _held(gpus, expected)


def _number(text: str) -> float:
    return float(text) if text.isdigit() else NUMBERS[text.lower()]


def _of_costs(grid: Grid, around: Sequence[str]) -> _Found:
    """The cost of a time on so many GPUs, at the one price for each hour of a GPU that the text tells."""
    gpus = _only([one for one in grid.columns if _GPUS.match(one.heading) and one.dimension == ()])
    time = _only(
        [
            one
            for one in grid.columns
            if one.dimension == (("second", 1),)
            and _TIME.search(one.heading)
            and not _GPU_TIME.search(one.heading)
        ]
    )
    cost = _only(
        [one for one in grid.columns if one.dimension == (("dollar", 1),) and _COST.search(one.heading)]
    )
    prices = {one["n"] for text in (*around, grid.table.before) for one in _PRICE.finditer(text)}
    if gpus is None or time is None or cost is None or len(prices) != 1:
        return
    price = prices.pop()

    def expected(row: int) -> tuple[float, str] | None:
        many, long = gpus.numbers[row], time.numbers[row]
        if many is None or long is None:
            return None
        return many.value * long.value / 3600 * float(
            price
        ), f"{many.text} GPUs × {long.text} × ${price}/GPU-hour"

    yield from _held(cost, expected)


def _of_ways(grid: Grid, _: Sequence[str]) -> _Found:
    """What each of so many GPUs holds of one whole, which the rows agree on."""
    ways = _only([one for one in grid.columns if _WAYS.match(one.heading) and one.dimension == ()])
    if ways is None:
        return
    for column in grid.columns:
        if column.dimension != BYTES or not _EACH.search(column.heading) or column.filled <= _MANY:
            continue
        wholes = [
            own.value * many.value
            for own, many in zip(column.numbers, ways.numbers, strict=True)
            if own is not None and many is not None and own.value * many.value > 0
        ]
        whole = next(
            (one for one in wholes if sum(abs(one / other - 1) < _ROUNDED for other in wholes) >= _MANY), 0.0
        )

        def expected(row: int, whole: float = whole, column: Column = column) -> tuple[float, str] | None:
            own, many = column.numbers[row], ways.numbers[row]
            if own is None or many is None or not whole or many.value <= 0:
                return None
            shown = f"{whole / own.quantity.factor(own.dimension):.4g} {own.quantity.literal.unit}"
            return whole / many.value, f"{shown} / {many.text}"

        yield from _held(column, expected, _MANY)


def _of_stages(grid: Grid, around: Sequence[str]) -> _Found:
    """The states of a model that each rank holds under the stages of ZeRO."""
    if not _STAGES.search(grid.columns[0].heading if grid.columns else "") and not any(
        "zero" in label.lower() for label in grid.labels
    ):
        return
    text = " ".join((*around, grid.table.before))
    sizes = {float(one["n"]) for one in _PARAMETERS.finditer(text)}
    ranks = {int(one["n"]) for one in _RANKS.finditer(text)}
    if len(sizes) != 1 or len(ranks) != 1 or not _SIXTEEN.search(text):
        return
    size, many = sizes.pop() * 1e9, ranks.pop()

    def expected(row: int) -> tuple[float, str] | None:
        stage = _STAGE.match(grid.labels[row])
        if stage is None or not many:
            return None
        whole, shared = _STATES[int(stage["n"] or 0)]
        return size * (whole + shared / many), f"{size / 1e9:g}B × ({whole:g} + {shared:g} / {many}) bytes"

    for column in grid.columns[1:]:
        if column.dimension == BYTES:
            yield from _held(column, expected, beyond=_CLEAR)


def _held(column: Column, expected: _Expected, least: int = _FEWEST, beyond: float = 0.0) -> _Found:
    """The numbers of a column where all agree with what they should be but one at most."""
    rows = [
        (number, *given)
        for row, number in enumerate(column.numbers)
        if number is not None and number.value > 0 and (given := expected(row)) is not None and given[0] > 0
    ]
    right = [abs(number.value - value) <= max(number.slack, _ROUNDED * value) for number, value, _ in rows]
    agreeing = {value for (_, value, _), agrees in zip(rows, right, strict=True) if agrees}
    if len(agreeing) < least or right.count(False) > 1:
        return
    every = [number for number, _, _ in rows]
    for (number, value, because), agrees in zip(rows, right, strict=True):
        cause = "" if agrees else _cause(number, value, every)
        low, high = (number.value, number.value) if agrees else (value, value)
        if agrees or (cause and abs(number.value / value - 1) > beyond):
            yield number, claim(number, value, low, high, "table-formula", because, cause, 0.0)


def _cause(number: Number, value: float, every: Sequence[Number]) -> str:
    """The slip that leads to the one number that does not follow; "" where there is none."""
    named, _ = slip_bits(number.quantity.literal, value / number.quantity.factor(number.dimension))
    if not named:
        named = by_ratio(number.value / value, reach(number))
    if named != UNKNOWN and not named.startswith("GB and GiB"):
        return f"{named}; the other rows are right"
    if any(one is not number and one.value == number.value for one in every):
        return "it is the number of another row; the other rows are right"
    return ""
