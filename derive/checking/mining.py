"""Columns that follow from others in every row, or in every row but one: the one that does not is false.

Which relation a column follows is found by search, and weighed in bits: see `evidence`. What is printed must carry
clearly more of them than the search has spent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from derive.checking import products, sums
from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.cells import claim, reach, swapped
from derive.checking.claims import Claim
from derive.checking.columns import Grid, Number
from derive.checking.evidence import slip_bits
from derive.checking.relation import Budget, Relation, Sheet
from derive.checking.statements import BYTES
from derive.checking.terms import Term, counting, noted, of_column, told, unit_of
from derive.checking.words import is_binary

_HINT = re.compile(
    r"share|ratio|fraction|percent|%|/s\b|\bper\b|throughput|speed-?up|total|intensity|ridge|time|product|sum\b|"
    r"utili[sz]ation|MFU|efficiency|[KMGT]iB|cost|hours?\b|combined|overall|together|end[- ]to[- ]end|of (?:the )?peak|"
    r"saved|saving|reduction|left|difference|bubble|cumulative|running",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"latenc|concurren|\bp\d\d\b|\bmean\b|median|\bavg\b|average|req(?:uest)?s?\b|measured|observed|bench|TTFT|TPOT|ITL|"
    r"elapsed|wall",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"share|ratio|fraction|percent|%|speed-?up|utili[sz]|MFU|efficien|\bper\b.*GPU|total", re.IGNORECASE
)
_PER = re.compile(r"\bper\b|/ ?[A-Za-z]")
_FEWEST = 3
_SURE, _HINTED, _EXACT = 14.0, 7.0, 10.0
"""The bits for a relation to be held, where the heading hints at it, and to count as what a column is."""
_FREE = 10.0  # and so many more where its constant is none that is known
_BANDS = 0.01, 0.03


def claims(grid: Grid, budget: Budget) -> Iterator[Claim]:
    """Columns that follow from others in every row, or in every row but one."""
    rows = counting(grid)
    terms = [
        term
        for column in grid.columns
        if column.filled >= _FEWEST and (term := of_column(column, rows)) is not None
    ]
    sheet = Sheet(tuple(terms), tuple(told([grid.table.before])))
    held = _Held(grid)
    # what is computed stands to the right of what it is computed from
    for target in sorted(terms, key=_likely):
        if target.distinct < _FEWEST:
            continue
        hinted = bool(_HINT.search(target.says))
        found = [*products.relations(target, sheet, budget, hinted), *sums.relations(target, sheet, budget)]
        held.add([one for one in found if _holds(one)])
    yield from held.claims()


def _likely(term: Term) -> tuple[bool, bool, int]:
    place = 0 if term.column is None else term.column.place
    return unit_of(term) != "%", not _HINT.search(term.says), -place


def _holds(relation: Relation) -> bool:
    """Whether the rows say enough for a relation, with the slip that leads to the one that does not follow."""
    needed = _HINTED if _HINT.search(relation.target.says) else _SURE
    needed += _FREE if relation.kind == "free" else 0.0
    return relation.bits + _slipped(relation)[1] >= needed


def _slipped(relation: Relation) -> tuple[str, float]:
    """The slip in the row that does not follow, and the bits of finding it."""
    if relation.wrong is None:
        return "", 0.0
    number = relation.target.numbers[relation.wrong]
    if number is None:
        return "", 0.0
    expected = relation.value(relation.wrong)[1] / number.quantity.factor(number.dimension)
    named, bits = slip_bits(number.quantity.literal, expected) if expected > 0 else ("", 0.0)
    if named.startswith("GB and GiB") and (number.dimension != BYTES or relation.kind == "free"):
        return "", 0.0
    return named, bits


@dataclass
class _Held:
    """The relations of a table that hold, and what they say of its cells."""

    grid: Grid

    def __post_init__(self) -> None:
        self.exact: list[Relation] = []
        self.broken: list[Relation] = []

    def add(self, found: Sequence[Relation]) -> None:
        """Note the relations that a column may follow: the one that all rows do, else the likeliest of the others."""
        exact = [one for one in found if one.wrong is None]
        if exact:
            self.exact.append(max(exact, key=lambda one: one.bits))
            return
        if len({one.wrong for one in found}) == 1:
            self.broken.append(max(found, key=lambda one: one.bits))

    def claims(self) -> Iterator[Claim]:
        """What the rows are, each relation told once."""
        met: set[frozenset[int]] = set()
        known = {id(one.target) for one in self.exact}
        for relation in (*self.exact, *self.broken):
            together = frozenset(map(id, (relation.target, *relation.sources)))
            if together in met:
                continue
            met.add(together)
            yield from self._of(relation, known)

    def _of(self, relation: Relation, known: set[int]) -> Iterator[Claim]:
        for row in relation.rows:
            number = relation.target.numbers[row]
            if number is None:
                continue
            low, mid, high = relation.value(row)
            because = relation.because(row)
            if row == relation.wrong:
                if id(relation.target) not in known:
                    yield self._wrong(relation, number, (low, mid, high), because)
            elif relation.kind != "free":
                held = claim(number, mid, low, high, "table-formula", because, "")
                yield replace(held, verdict="true", cause="")

    def _wrong(
        self, relation: Relation, number: Number, value: tuple[float, float, float], because: str
    ) -> Claim:
        low, mid, high = value
        named = _slipped(relation)[0] or by_ratio(number.value / mid if mid else 0.0, reach(number))
        if named.startswith("GB and GiB") and not number.dimension:
            named = UNKNOWN
        cause = f"every other row follows {relation.told}"
        told = cause if named == UNKNOWN else f"{named}; {cause}"
        band = 0.0 if swapped(number, mid) else min(max(_BANDS[0], 4 * (high - low) / abs(mid)), _BANDS[1])
        found = claim(number, mid, low, high, "table-formula", because, told, band)
        hindered = self._hindered(relation, named)
        if found.verdict == "false" and hindered:
            return replace(found, verdict="unsure", cause=hindered)
        return found

    def _hindered(self, relation: Relation, named: str) -> str:
        """Why the row that does not follow may be right all the same."""
        terms = (relation.target, *relation.sources)
        shared = unit_of(relation.target) == "%" or _SHARED.search(relation.target.says)
        if named == UNKNOWN:
            if relation.kind == "free" or (relation.kind == "natural" and unit_of(relation.target) != "%"):
                return f"every other row follows {relation.told}, whose constant nobody names"
            if not shared and any(_TIMED.search(term.says) for term in terms):
                return "measured values need not follow from each other"
        row = relation.wrong or 0
        numbers = [one for term in terms if term.numbers and (one := term.numbers[row]) is not None]
        binary = any(is_binary(word) for one in numbers for word in one.quantity.literal.unit.split("/"))
        if named.startswith("GB and GiB") and len(terms) == 2 and relation.kind == "one" and not binary:
            return "true only where the prefixes are read as powers of 1024"
        if any(noted(one) for one in numbers):
            return "a note stands beside the number"
        if relation.kind == "free" and not (relation.target.column and relation.target.column.heading):
            return "no heading says what the column is"
        if relation.kind != "one" and self._has_unit_of_its_own(row):
            return "the row may count by something else"
        return ""

    def _has_unit_of_its_own(self, row: int) -> bool:
        """Whether words of the row say what its numbers are for: per node, per GPU-hour."""
        if self.grid.turned:
            return False
        return any(_PER.search(cell.text) for cell in self.grid.table.rows[row])
