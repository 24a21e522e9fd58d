"""Columns that are so many times another one, as their headings say: per board, and five boards.

And rates in bits beside the same rates in bytes. All rows but one at most must bear it out; the one that does not is
false where a slip leads to its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.causes import ONE_DIGIT, SWAPPED
from derive.checking.cells import claim
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import slip_bits
from derive.checking.nouns import NUMBERS, thing
from derive.checking.statements import BANDWIDTH

_WORDS = "|".join(sorted(NUMBERS, key=len, reverse=True))
_ONE = re.compile(
    r"^\W*(?:[\w ]{0,20}\b)?(?:per|each|every|one|an?|1|single)\s+(?P<noun>[A-Za-z]{3,})\W*(?:[(\[][^()\[\]]*[)\]])?$",
    re.IGNORECASE,
)
_MANY = re.compile(
    rf"^\W*(?:(?:all|per|total|for|over|on)\W+)*(?P<n>\d{{1,3}}(?:,\d{{3}})*|{_WORDS})\s*[×x]?\s+(?P<noun>[A-Za-z]{{3,}}s)\W*$",
    re.IGNORECASE,
)
_MADE_OF = re.compile(
    r"^(?:per |each |one |an? |the |whole |full |total )*(?:node|server|machine|host|board|tray|rack|pod|cluster|fleet|"
    rf"system|island|total|all)\W*[(\[](?P<n>\d{{1,3}}(?:,\d{{3}})*|{_WORDS})\s*[×x]?\s+(?P<noun>[A-Za-z]{{3,}}s)[)\]]\W*$",
    re.IGNORECASE,
)
_TEN_BITS = "bit and byte: a byte is taken for ten bits"
_FEWEST, _PLAIN, _REACH = 2, 4.0, 0.004

_Row = tuple[Number, float, str]
"""A number, what it should be in base units, and the calculation."""


def claims(grid: Grid) -> Iterator[Claim]:
    """The claims of columns that follow from their headings alone."""
    for one in grid.columns:
        named = _ONE.match(one.heading)
        for other in grid.columns if named else ():
            many = _MANY.match(other.heading) or _MADE_OF.match(other.heading)
            if many and named and thing(many["noun"]) == thing(named["noun"]):
                times = NUMBERS.get(many["n"].lower()) or float(many["n"].replace(",", ""))
                yield from _held(_times(one, other, times)) if times > 1 else ()
    for one in grid.columns:
        for other in grid.columns:
            if one is not other and other.dimension == BANDWIDTH:
                yield from _held(_in_bytes(one, other))


def _times(one: Column, other: Column, times: float) -> list[_Row]:
    return [
        (told, own.value * times, f"{times:g} × {own.text}")
        for own, told in zip(one.numbers, other.numbers, strict=True)
        if own is not None and told is not None and own.value > 0 and own.dimension == told.dimension
    ]


def _in_bytes(one: Column, other: Column) -> list[_Row]:
    """The rates that one column tells in bits a second, and the other one in bytes."""
    return [
        (told, own.value, f"{own.text} / 8")
        for own, told in zip(one.numbers, other.numbers, strict=True)
        if own is not None and told is not None and own.value > 0 and own.dimension == BANDWIDTH
        if _is_in_bits(own) and not _is_in_bits(told)
    ]


def _is_in_bits(number: Number) -> bool:
    return re.match(r"[kKMGTP]?b(?:it|ps|/|$)", number.quantity.literal.unit) is not None


def _held(rows: Sequence[_Row]) -> Iterator[Claim]:
    """The numbers of rows where all agree but one at most."""
    right = [abs(told.value - value) <= told.slack + _REACH * value for told, value, _ in rows]
    if sum(right) < _FEWEST or right.count(False) > 1 or len({value for _, value, _ in rows}) < len(rows):
        return
    for (told, value, because), agrees in zip(rows, right, strict=True):
        cause = "" if agrees else _cause(told, value)
        low, high = (told.value, told.value) if agrees else (value, value)
        if agrees or cause:
            yield claim(told, value, low, high, "table-formula", because, cause, 0.0)


def _cause(told: Number, value: float) -> str:
    """The slip that leads to the one number that does not follow; "" where there is none."""
    if told.dimension == BANDWIDTH and abs(told.value / value - 0.8) <= told.slack / value:
        return _TEN_BITS
    name, bits = slip_bits(told.quantity.literal, value / told.quantity.factor(told.dimension))
    return name if bits >= _PLAIN or name in (SWAPPED, ONE_DIGIT) else ""
