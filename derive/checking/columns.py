"""Tables as columns of numbers, with units from headers, cells and row labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from derive.checking.blocks import Block, Document, Table
from derive.checking.grammar import Parser
from derive.checking.inline import unmarked
from derive.checking.judging import with_unit
from derive.checking.lexer import tokens
from derive.checking.lined_up import text_tables, totalled
from derive.checking.quantities import Quantity, quantities
from derive.checking.values import Literal, half_unit
from derive.checking.words import Dimension, Reading

_IN_BRACKETS = re.compile(r"[(\[]\s*(?:in |[a-z]+, )?([^()\[\]]{1,24})[)\]]")
_BEHIND_COMMA = re.compile(r"(?:,| in) ([^\s,]{1,14})\s*$")
_AT_END = re.compile(
    r"(?:(?<![\d.,])|(?<=[A-Za-z]\d)|(?<=[A-Za-z]\d\d))\s((?:[kKMGTP]i?B|[kMGTPE]FLOPS?)(?:/s)?|[mnuµ]s|[kM]?Wh?)$"
)
_AT_START = re.compile(
    r"^((?:[kKMGTP]i?B|[kMGTPE]FLOPS?)(?:/s)?|[KMGT]b/s|[mnuµ]s|kWh?)\s(?:[A-Za-z\d]{2,}\s){0,3}"
    r"(?:per|each|a|in|to|for|at|of|sent|moved|read|written|needed|used|free|left|total)\b"
)
_RATIO = re.compile(
    r"\bfactor|\bratio|speed-?up|\bchange|\bshare|\bgain|\brel(?:ative|\.)|\bvs\b|\btimes\b", re.IGNORECASE
)  # what stands under it has no unit, whatever the label of the row says
_PERIOD = re.compile(r"\W*(?:(?i:year|quarter|month|week|day)s?|us|min|[a-z])\W*")
"""Labels that give no unit: periods, the region of the US, a minimum, letters."""
_PERCENT_IN_BRACKETS = re.compile(r"[(\[](?:in )?(?:%|percent) of\b")
_PERCENT = re.compile(r"\s*(?:%|percent) of\b")
_POWER_OF_TEN = re.compile(r"(?<=\d)\s?[×*]\s?10\s?\^\s?\(?([-+]?\d{1,3})\)?")
_SHAPE = re.compile(r"\s*\d{1,6}(?:\s?[x×]\s?\d{1,6}){1,3}\s*")
_EXTENT, _LARGEST = re.compile(r"\d+"), 10**12
_CELLS, _ROWS, _COLUMNS = 40_000, 400, 12
_COUNTED = re.compile(r"\b(?:[Pp]aram(?:eter)?s?|[Tt]okens?|N|D)\b")
_MANY = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "B": 1e9,
    "bn": 1e9,
    "T": 1e12,
}
_MAGNITUDE = re.compile(r"thousands|millions|billions", re.IGNORECASE)
_IN_MANY = re.compile(
    r"(?:(?P<many>thousand|million|billion|[kKM])s?\s(?:of )?(?P<what>[A-Za-z]+[- ](?:hour|day)s?)|"
    r"(?P<that>[A-Za-z]+[- ](?:hour|day)s?)\s?[,(\[]\s?(?:in )?(?P<much>thousand|million|billion|[kKM])s?[)\]]?)",
    re.IGNORECASE,
)
"""Thousands of what is a unit in itself: k chip-hours, GPU-hours (millions)."""
_CARBON = re.compile(r"\b(g|kg|t|[Tt]onnes?)\s(?:of )?CO_?2(?:[ -]?eq?)?(?!\w)(?:(?: per |/)(kWh|MWh))?")
"""A mass of carbon dioxide, which is a mass."""
_MONEY = re.compile(r"[$€£]|\bUSD\b|\bEUR\b|\bdollars?\b")
_IN_MUCH_MONEY = re.compile(
    r"[(\[](?:(?:USD|EUR|dollars|[$€£]) ?(?P<many>thousand|million|billion|[kKMB])|"
    r"(?P<much>thousand|million|billion|[kKMB]) ?(?:USD|EUR|dollars|[$€£]))[)\]]"
)
_IN_MONEY = re.compile(r"[(\[](?:[$€£]|USD|EUR|dollars)[)\]]|^(?:USD|EUR|[$€£])$")
_HOURLY = re.compile(
    r"(?:/|\bper|\ban?) ?(?:(?:GPU|card|node|instance|device)[- ]?)?(?:hours?|hr?)\b", re.IGNORECASE
)
_DOLLARS_AN_HOUR = Reading(1 / 3600, (("dollar", 1), ("second", -1)))
_LABEL_ONLY = re.compile(r"[\s~≈$+(]*$")


@dataclass(frozen=True)
class Number:
    """A cell that holds one quantity, with the cell. place: which cell of its row it is, from 0."""

    quantity: Quantity
    cell: Block
    place: int = 0

    @cached_property
    def dimension(self) -> Dimension:
        """The dimension under its first reading."""
        return self.quantity.literal.options[0].dimension

    @cached_property
    def value(self) -> float:
        """The value in base units."""
        return self.quantity.base(self.dimension) or 0.0

    @cached_property
    def slack(self) -> float:
        """How far its printed digits reach."""
        return self.quantity.slack(self.dimension)

    @property
    def is_shape(self) -> bool:
        """Whether the cell has extents, whose product counts: 4x4x8."""
        return _SHAPE.fullmatch(self.cell.text) is not None

    @cached_property
    def tight(self) -> float:
        """One unit of its last printed digit, though the text says that it is rough."""
        return 2 * half_unit(self.quantity.literal.digits) * self.quantity.factor(self.dimension)

    @cached_property
    def text(self) -> str:
        """As it was written, with its unit."""
        literal = self.quantity.literal
        sign = ("~" if self.quantity.about else "") + ("-" if literal.value < 0 else "")
        return with_unit(f"{sign}{literal.digits}", literal.unit)


@dataclass(frozen=True)
class Column:
    """A heading and the number of each row, None where a row has none; line up with the table's rows.

    place: which column it is, from 0.
    """

    heading: str
    numbers: tuple[Number | None, ...]
    place: int = 0

    @cached_property
    def dimension(self) -> Dimension | None:
        """The one dimension of its numbers, or None where they differ."""
        found = {number.dimension for number in self.numbers if number is not None}
        return found.pop() if len(found) == 1 else None

    @cached_property
    def filled(self) -> int:
        """How many rows have a number."""
        return sum(number is not None for number in self.numbers)


@dataclass(frozen=True)
class Grid:
    """A table as columns of numbers; labels: the first cell of each row; turned: rows and columns are swapped."""

    table: Table
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    turned: bool = False


def grids(document: Document) -> Iterator[Grid]:
    """The document's tables, each also turned round; rows of text that line up count as tables."""
    for table in (*map(_stacked, document.tables), *text_tables(document), *totalled(document)):
        rows = table.rows[:_ROWS]
        if not rows or sum(len(row) for row in rows) > _CELLS:
            continue
        width = min(max(len(row) for row in rows), _COLUMNS + 1)
        headings = [_text(table.header[i]) if i < len(table.header) else "" for i in range(width)]
        labels = tuple(_text(row[0]) if row else "" for row in rows)
        columns = tuple(
            Column(
                headings[i],
                tuple(
                    _number(
                        row,
                        i,
                        headings[i],
                        row[0].text if i and row and not _no_unit(headings[i], labels[at]) else "",
                    )
                    for at, row in enumerate(rows)
                ),
                i,
            )
            for i in range(width)
        )
        yield Grid(table, labels, tuple(map(_in_billions, columns)))
        if table.header and width >= 3 and len(rows) >= 2:
            yield _turned(table, rows, headings, width)


def _in_billions(column: Column) -> Column:
    """A column with M or T in other rows, so that the B of its numbers stands for billions and not for bytes."""
    units = {one.quantity.literal.unit for one in column.numbers if one is not None}
    if "B" not in units or not units & {"M", "T"}:
        return column
    return replace(column, numbers=tuple(map(_billions, column.numbers)))


def _billions(number: Number | None) -> Number | None:
    if number is None or number.quantity.literal.unit != "B":
        return number
    literal = number.quantity.literal
    in_billions = literal._replace(options=(Reading(1e9, ()),))
    return replace(number, quantity=number.quantity._replace(literal=in_billions))


def _no_unit(heading: str, label: str) -> bool:
    """Whether the label of a row gives no unit to what stands under a heading: a ratio has none, a year is a sum."""
    return bool(_RATIO.search(heading) or _PERIOD.fullmatch(label))


def _stacked(table: Table) -> Table:
    """A table whose rows hold two labels with a number each, as one of twice the rows."""
    rows = (table.header, *table.rows)
    if len(rows) < 3 or any(len(row) != 4 for row in rows):
        return table
    if not all(_is_number(row[at]) and not _is_number(row[at - 1]) for row in rows for at in (1, 3)):
        return table
    halves = [row[at : at + 2] for at in (0, 2) for row in rows]
    return replace(table, header=(), rows=tuple(halves), set_off=frozenset())


def _is_number(cell: Block) -> bool:
    return bool(re.fullmatch(r"[\s~≈$]*\d[\d.,]*\s?[%×x]?\s*", unmarked(cell.text)))


def _turned(table: Table, rows: Sequence[tuple[Block, ...]], headings: list[str], width: int) -> Grid:
    top = Column(
        headings[0],
        tuple(_one(table.header[i], "", "", i) if i < len(table.header) else None for i in range(1, width)),
    )
    others = tuple(
        Column(
            _text(row[0]),
            tuple(
                _number(row, i, "", "" if _no_unit(headings[i], _text(row[0])) else row[0].text)
                if i < len(row) and not _SHAPE.fullmatch(row[i].text)
                else None
                for i in range(1, width)
            ),
            place,
        )
        for place, row in enumerate(rows[:_COLUMNS], 1)
        if row
    )
    return Grid(table, tuple(headings[1:]), (top, *others), turned=True)


def _text(cell: Block) -> str:
    return unmarked(cell.text)


def _number(row: Sequence[Block], index: int, heading: str, label: str) -> Number | None:
    return _one(row[index], heading, label, index) if index < len(row) else None


def _one(cell: Block, heading: str, label: str, place: int) -> Number | None:
    """The quantity of a cell that begins with one and has no other."""
    if len(cell.text) > 120:
        return None
    if _SHAPE.fullmatch(cell.text):  # the chips of a slice of 4x4x8
        value = math.prod(map(int, _EXTENT.findall(cell.text)))
        literal = Literal(str(value), float(value), "", (Reading(1.0, ()),), 0, len(cell.text))
        return Number(Quantity(literal, False), cell, place) if value < _LARGEST else None
    text = _POWER_OF_TEN.sub(r"e\1", cell.text) if "10" in cell.text else cell.text
    found = quantities(text)
    before = unmarked(text[: found[0].start]).lstrip("=") if found else ""
    if not found or not _LABEL_ONLY.match(before.removesuffix("-")):
        return None
    first = found[0]
    if before.endswith("-"):  # a number below zero
        literal = first.literal
        first = first._replace(literal=literal._replace(value=-literal.value))
    behind = unmarked(text[first.end :])
    if behind in ("×", "x", "X") and not first.literal.unit:
        return Number(first, cell, place)  # so many times as much
    if behind[:1] in ("-", "/", "×", "+", "*", "^", "‥", "x", ":") or (
        len(found) > 1 and not behind.startswith("(")
    ):
        return None
    if not first.literal.unit and behind[:1].isalpha():
        return None
    return Number(with_heading(first, heading, unmarked(label)), cell, place)


def with_heading(quantity: Quantity, *headings: str) -> Quantity:
    """A bare number with the unit that the first of the headings to name one gives it, a price with its hour."""
    priced = quantity.literal.unit == "USD" and any(_HOURLY.search(heading) for heading in headings)
    if priced:
        literal = quantity.literal._replace(unit="USD/hour", options=(_DOLLARS_AN_HOUR,))
        return quantity._replace(literal=literal)
    if any(option.dimension for option in quantity.literal.options) or quantity.literal.unit not in (
        "",
        "k",
        "K",
        "M",
        "B",
    ):
        return quantity
    unit = next(
        (found for heading in headings if heading and (found := heading_unit(heading)) is not None), None
    )
    return quantity if unit is None else _with_unit(quantity, *unit)


def _with_unit(quantity: Quantity, text: str, options: tuple[Reading, ...]) -> Quantity:
    literal = quantity.literal
    scale = literal.options[0].factor
    joined = tuple(Reading(option.factor * scale, option.dimension, option.choice) for option in options)
    return quantity._replace(literal=literal._replace(unit=f"{literal.unit} {text}".strip(), options=joined))


def _mass(found: re.Match[str]) -> str:
    """A mass of carbon dioxide in one word: gCO2/kWh."""
    return f"{'t' if found[1].lower().startswith('t') else found[1]}CO2{'/' + found[2] if found[2] else ''}"


@lru_cache(maxsize=256)  # the rows of a table ask for the same headings
def heading_unit(heading: str) -> tuple[str, tuple[Reading, ...]] | None:
    """The unit that a heading gives to its column: "size (GB)", "time [ms]", "memory, GiB", "tokens/s", "cost ($)"."""
    if _HOURLY.search(heading) and _MONEY.search(heading):
        return "USD/hour", (_DOLLARS_AN_HOUR,)
    if _IN_MONEY.search(heading):
        return "USD", (Reading(1.0, (("dollar", 1),)),)
    if _CARBON.search(heading):
        return heading_unit(_CARBON.sub(_mass, heading))
    scaled = _IN_MANY.fullmatch(heading.strip())
    each = heading_unit(scaled["what"] or scaled["that"]) if scaled is not None else None
    if scaled is not None and each is not None:
        name = scaled["many"] or scaled["much"]
        size = _MANY.get(name.lower()) or _MANY[name.upper()]
        return f"{name} {each[0]}", tuple(one._replace(factor=one.factor * size) for one in each[1])
    much = _IN_MUCH_MONEY.search(heading)
    if much is not None:
        return "USD", (Reading(_MANY[much["many"] or much["much"]], (("dollar", 1),)),)
    if _PERCENT.match(heading) or _PERCENT_IN_BRACKETS.search(heading):
        return "%", (Reading(0.01, ()),)
    for candidate in (
        *_IN_BRACKETS.findall(heading),
        *_BEHIND_COMMA.findall(heading),
        *_AT_END.findall(heading),
        *_AT_START.findall(heading),
        heading,
    ):
        if len(candidate) > 30 or len(heading.strip()) == 1:
            continue  # a lone letter names a row or an extent
        found = tokens(candidate, 0, len(candidate))
        if not found:
            continue
        many = _MANY.get(candidate.strip())
        if candidate is heading and _MAGNITUDE.fullmatch(candidate.strip()):
            return candidate.strip(), (Reading(_MANY[candidate.strip().lower().rstrip("s")], ()),)
        if many and _COUNTED.search(heading):
            return candidate.strip(), (Reading(many, ()),)
        if candidate.strip() in ("%", "percent"):
            return "%", (Reading(0.01, ()),)
        unit = Parser(found, lambda _: False).unit_at(0)
        if (
            unit is not None
            and unit[2] == len(found)
            and (any(o.dimension for o in unit[1]) or candidate is not heading)
        ):
            return unit[0], unit[1]
    return None
