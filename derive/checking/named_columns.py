"""Columns whose headings name how they are made: left of a memory, energy of a power, a global batch, a bubble.

The headings alone say which column follows from which others. All rows but one must bear it out; the one that does not
is false where a slip leads to its number, or where many rows agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.cells import claim, reach
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.evidence import slip_bits
from derive.checking.row_notes import noted
from derive.checking.statements import BYTES, FLOPS
from derive.checking.words import Dimension

_JOULE: Dimension = (("joule", 1),)
_WATT: Dimension = (("joule", 1), ("second", -1))
_SECOND: Dimension = (("second", 1),)
_DOLLAR: Dimension = (("dollar", 1),)
_HOURLY: Dimension = (("dollar", 1), ("second", -1))
_A_SECOND: Dimension = (("second", -1),)
_ANY = None

_COUNT = (
    r"^(?:#|n_|no\. of |number of |num )?(?:GPU|node|server|card|device|accelerator|machine|rack|unit|chip|count|"
    r"quantity|qty)s?$"
)
_LAYERS = r"^(?:#|n_|no\. of |number of |num )?(?:layer|block|repeat|copie|instance|expert)s?$|^(?:count|repeats|×|x)$"
_MEASURED = re.compile(r"measur|observ|actual|achiev|avg|average|mean\b|peak|max|p\d\d", re.IGNORECASE)
_OF_TOTAL = re.compile(
    r"^\W*(?:share|%|percent|fraction|part)(?: ?\(?%\)?)?"
    r"(?: of (?:the )?(?:total|whole|sum|all|step|time|budget)\b.*)?\W*$",
    re.IGNORECASE,
)
_GATHERS = re.compile(r"\W*(?:total|sum|all|sub-?total|together|overall|of which|thereof)\b", re.IGNORECASE)
_FEWEST, _MANY, _PLAIN = 2, 4, 4.0
_ROUNDED = 0.006
_BY_MORE = 0.02


@dataclass(frozen=True)
class _Part:
    """A column that a rule needs: what its heading says, and its dimension; optional: it may be missing."""

    heading: re.Pattern[str]
    dimension: Dimension | None = _ANY
    optional: bool = False


def _part(heading: str, dimension: Dimension | None = _ANY, optional: bool = False) -> _Part:
    return _Part(re.compile(heading, re.IGNORECASE), dimension, optional)


@dataclass(frozen=True)
class _Rule:
    """A column that others make: its heading and dimension, its parts, the calculation and how it is told."""

    target: _Part
    parts: tuple[_Part, ...]
    value: Callable[[Sequence[float]], float]
    says: str


def _bubble(parts: Sequence[float]) -> float:
    stages, batches = parts
    return (stages - 1) / (batches + stages - 1) if batches + stages > 1 else 0.0


_RULES = (
    _Rule(
        _part(r"^(?:left|free|remaining|available|headroom|spare)\b|\b(?:left|remaining|headroom)\b", BYTES),
        (
            _part(
                r"^(?!.*(?:left|free|remain|headroom|weight|model|used)).*(?:memory|HBM|VRAM|capacity|total)",
                BYTES,
            ),
            _part(
                r"^(?!.*(?:left|free|remain|headroom|memory|HBM|VRAM|capacity)).*(?:weight|model|used)", BYTES
            ),
        ),
        lambda parts: parts[0] - parts[1],
        "{} - {}",
    ),
    _Rule(
        _part(r"energy|kWh|MWh|joule", _JOULE),
        (
            _part(r"power|\bk?W\b|watt|draw|TDP", _WATT),
            _part(r"hours?|days?|time|duration|runtime|\bh\b", _SECOND),
            _part(_COUNT, (), True),
            _part(r"^PUE$", (), True),
        ),
        math.prod,
        "",
    ),
    _Rule(
        _part(r"facility|site|total|at the meter|wall|incl", _WATT),
        (_part(r"\bIT\b|load|cluster|servers?|compute", _WATT), _part(r"^PUE$", ())),
        math.prod,
        "",
    ),
    _Rule(
        _part(r"facility|site|total|at the meter|wall|incl", _JOULE),
        (_part(r"\bIT\b|load|cluster|servers?|compute", _JOULE), _part(r"^PUE$", ())),
        math.prod,
        "",
    ),
    _Rule(
        _part(r"^(?:global|effective|total)[ -]batch(?: size)?$|^GBS$", ()),
        (
            _part(r"micro[ -]?batch|^MBS$|per[ -](?:GPU|device|rank)|batch (?:per|/)", ()),
            _part(r"accum|^GA(?:S)?$", (), True),
            _part(
                r"^(?:DP|data[ -]parallel.*|DP (?:size|degree|ranks?)|replicas?|GPUs|ranks?|devices)$",
                (),
                True,
            ),
        ),
        math.prod,
        "",
    ),
    _Rule(
        _part(r"^(?:total|sum|all (?:layers|blocks)|model)\b|^(?:total|all)$"),
        (_part(r"\bper (?:layer|block|expert|copy|instance)\b|^each$|/ ?layer"), _part(_LAYERS, ())),
        math.prod,
        "",
    ),
    _Rule(
        _part(r"bubble|idle"),
        (
            _part(r"^(?:(?:pipeline )?stages?|PP|p)$|^PP (?:size|degree|stages)$", ()),
            _part(r"^(?:# ?|n_|num(?:ber of)? )?(?:micro[ -]?batches|m)\b", ()),
        ),
        _bubble,
        "({0} - 1) / ({1} + {0} - 1)",
    ),
    _Rule(
        _part(r"(?:\$|USD|cost|price).*(?:per|/) ?(?:1 ?)?(?:M\b|million) ?(?:output )?tok"),
        (
            _part(r"\$|USD|price|cost|rate", _HOURLY),
            _part(r"tok(?:en)?s?(?: ?/ ?s| per second| a second)|throughput", _A_SECOND),
        ),
        lambda parts: 1e6 * parts[0] / parts[1] if parts[1] else 0.0,
        "1e6 × {} / ({})",
    ),
    _Rule(
        _part(r"balance|ridge|knee|break-?even|critical|arithmetic intensity|FLOPs? ?(?:/|per) ?B"),
        (
            _part(r"peak|compute|FLOP", FLOPS),
            _part(r"bandwidth|HBM|memory|\bBW\b|B/s", (("byte", 1), ("second", -1))),
        ),
        lambda parts: parts[0] / parts[1] if parts[1] else 0.0,
        "{} / ({})",
    ),
)


def claims(grid: Grid, around: Sequence[str] = ()) -> Iterator[Claim]:
    """The claims of columns that follow from others as their headings say; around: the texts beside the table."""
    for number, one in _every(grid):
        if one.verdict != "false" or not noted(grid, number, around):
            yield one


def _every(grid: Grid) -> Iterator[tuple[Number, Claim]]:
    if not grid.turned:
        yield from _shares(grid)
    for rule in _RULES:
        targets = [one for one in grid.columns[1:] if _is(one, rule.target)]
        if len(targets) != 1 or _MEASURED.search(targets[0].heading):
            continue
        parts = _parts(grid, rule, targets[0])
        if parts:
            yield from _held(_rows(targets[0], parts, rule), rule.value is math.prod)


def _shares(grid: Grid) -> Iterator[tuple[Number, Claim]]:
    """Shares of the sum of the one column beside them, where no row is their total."""
    shares = [one for one in grid.columns[1:] if one.dimension == () and _OF_TOTAL.match(one.heading)]
    parts = [
        one
        for one in grid.columns[1:]
        if one.dimension is not None and one not in shares and one.filled == len(grid.labels)
    ]
    if (
        len(shares) != 1
        or len(parts) != 1
        or shares[0].filled < len(grid.labels)
        or _MEASURED.search(parts[0].heading)
    ):
        return
    if any(_GATHERS.match(label) for label in grid.labels):
        return
    numbers = [one for one in parts[0].numbers if one is not None]
    whole = sum(one.value for one in numbers)
    rows = []
    for told, part in zip(shares[0].numbers, numbers, strict=True):
        if told is not None and whole > 0:
            shown = f"{whole / part.quantity.factor(part.dimension):.6g}"
            rows.append(_Row(told, part.value / whole, f"{part.text} / {shown}", (part,)))
    yield from _held(rows, False)


def _is(column: Column, part: _Part) -> bool:
    fitting = part.dimension is _ANY or column.dimension == part.dimension
    return fitting and column.filled > _FEWEST and part.heading.search(column.heading) is not None


def _parts(grid: Grid, rule: _Rule, target: Column) -> list[Column]:
    """The columns that a rule names, each of them once; [] where one is missing or there are two."""
    found: list[Column] = []
    for part in rule.parts:
        named = [one for one in grid.columns if one is not target and one not in found and _is(one, part)]
        if len(named) == 1:
            found.append(named[0])
        elif named or not part.optional:
            return []
    return found if len(found) > 1 else []


@dataclass(frozen=True)
class _Row:
    """A number, what it should be in base units, the calculation, and the numbers that it is made of."""

    told: Number
    value: float
    because: str
    parts: tuple[Number, ...]

    @property
    def agrees(self) -> bool:
        return abs(self.told.value - self.value) <= max(self.told.slack, _ROUNDED * self.value)


def _rows(target: Column, parts: Sequence[Column], rule: _Rule) -> list[_Row]:
    rows = []
    for told, *given in zip(target.numbers, *(one.numbers for one in parts), strict=True):
        known = [one for one in given if one is not None]
        if told is None or len(known) < len(given) or told.value <= 0:
            continue
        value = rule.value([one.value for one in known])
        texts = [one.text for one in known]
        if value > 0:
            because = rule.says.format(*texts) if rule.says else " × ".join(texts)
            rows.append(_Row(told, value, because, tuple(known)))
    return rows


def _held(rows: Sequence[_Row], product: bool) -> Iterator[tuple[Number, Claim]]:
    """The numbers of rows where all agree but one at most."""
    right = [row.because for row in rows if row.agrees]
    if len(rows) - len(right) > 1 or len(set(right)) < _FEWEST:
        return
    for row in rows:
        told, value = row.told, row.value
        cause = "" if row.agrees else _cause(row, rows, product)
        low, high = (told.value, told.value) if row.agrees else (value, value)
        if row.agrees or cause:
            yield told, claim(told, value, low, high, "table-formula", row.because, cause, 0.0)


def _cause(row: _Row, rows: Sequence[_Row], product: bool) -> str:
    """The slip that leads to the one number that does not follow; "" where there is none and few rows speak."""
    told, value = row.told, row.value
    name, bits = slip_bits(told.quantity.literal, value / told.quantity.factor(told.dimension))
    if name and bits >= _PLAIN and not name.startswith("GB and GiB"):
        return f"{name}; the other rows are right"
    for part in row.parts if product else ():
        if part.value > 0 and part.value != 1:
            for power, how in (
                (1, f"{part.text} is left out"),
                (2, f"divided by {part.text}, not multiplied"),
            ):
                if abs(told.value - value / part.value**power) <= told.slack:
                    return f"{how}; the other rows are right"
    if any(part.value == told.value for part in row.parts):
        return "it is the number of the column beside it; the other rows are right"
    if any(other is not row and other.told.value == told.value for other in rows):
        return "it is the number of another row; the other rows are right"
    named = by_ratio(told.value / value, reach(told))
    if named != UNKNOWN and not named.startswith("GB and GiB"):
        return f"{named}; the other rows are right"
    if len(rows) >= _MANY and abs(told.value / value - 1) > _BY_MORE:
        return "the other rows are right"
    return ""
