"""Columns that follow from others in every row, or in every row but one: the one that does not is false.

Which relation a column follows is found by search, and weighed in bits: see `evidence`. What is printed must carry
clearly more of them than the search has spent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import log2

from derive.checking import joined, products, series, sums
from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.cells import claim, reach, swapped
from derive.checking.claims import Claim
from derive.checking.columns import Grid
from derive.checking.excuses import FEWEST, LOOSE, RATIO, excuse, grows
from derive.checking.lettered import Letters
from derive.checking.relation import Budget, Relation, Sheet, is_borne
from derive.checking.row_slips import RowSlip, bits_of, slipped
from derive.checking.statements import BYTES
from derive.checking.subjects import machines, models
from derive.checking.terms import Bound, Term, counting, of_column, told, unit_of

_HINT = re.compile(
    r"share|ratio|fraction|percent|%|/s\b|\bper\b|throughput|speed-?up|total|intensity|ridge|time|product|sum\b|"
    r"utili[sz]ation|MFU|efficiency|[KMGT]iB|cost|hours?\b|combined|overall|together|end[- ]to[- ]end|of (?:the )?peak|"
    r"saved|saving|reduction|left|difference|bubble|cumulative|running|\bmean\b|\bavg\b|average",
    re.IGNORECASE,
)
_VERSION = re.compile(r"v?\d{1,2}(?:\.\d{1,2}){1,2}")
_WITH_UNIT = re.compile(r"[$]?\d[\d.,]* ?[A-Za-z/]+ × ")  # a constant whose unit makes that of the column
_SURE, _HINTED, _EXACT = 14.0, 7.0, 10.0
"""The bits for a relation to be held, where the heading hints at it, and to count as what a column is."""
_MANY = 4  # with more rows a constant that the text names is no accident
_GROWN = 3.0  # where it is in proportion to a count
_TOLD = 5.0  # and where the document tells the formula
_EXACTLY = 3.0  # for a row that follows to the last digit
_FREE = 4.0  # and so many more where its constant is none that is known
_CLEARLY = 6.0  # by so many bits one relation is likelier than another
_PLAIN = 7.0  # the bits of a slip that is no accident
_BACKED = 7.0  # and for each of two relations that bear each other out
_FAR = 1e7  # so many times another number is none that was meant
_BANDS = 0.002, 0.01, 0.03
_VARIANT = 0.08  # so much the numbers of a machine differ between its kinds


@dataclass(frozen=True)
class Beside:
    """What stands beside a table: the texts around and before it, the letters of its formulas, the other tables.

    sure: the lines, digits and places of numbers that the catalogue bears out.
    """

    texts: Sequence[str] = ()
    letters: Letters | None = None
    others: Sequence[Grid] = ()
    before: Sequence[str] = ()
    sure: frozenset[tuple[int, str, int]] = frozenset()


def claims(grid: Grid, budget: Budget, beside: Beside) -> Iterator[Claim]:
    """Columns that follow from others in every row, or in every row but one."""
    rows = counting(grid)
    terms = [
        term
        for column in grid.columns
        if column.filled >= FEWEST and (term := of_column(column, rows)) is not None
    ]
    if all(term.distinct < 2 for term in terms):
        return
    named = (column.heading for column in grid.columns if not _VERSION.fullmatch(column.heading.strip()))
    headings = [grid.table.before, *named]
    near = (*joined.of_caption(grid), *told(headings))
    facts, others = tuple(joined.of_machines(grid)), tuple(joined.of_tables(grid, beside.others))
    borrowed, alike = (facts, others) if grid.turned else ((*facts, *others), ())
    sheet = Sheet(tuple(terms), near, beside.texts, borrowed, beside.before, alike)
    held = _Held(grid, beside.sure)
    # what is computed stands to the right of what it is computed from
    for target in sorted(terms, key=_likely):
        if target.distinct < 2 or any(one is not None and one.is_shape for one in target.numbers):
            continue
        formulas = [] if beside.letters is None or target.column is None else beside.letters.of(target.column)
        found = [products.of_formula(target, term, sheet, log2(len(formulas))) for term in formulas]
        likely = [one for one in found if one is not None and one.kind in ("one", "text") and _is_told(one)]
        if not likely and target.distinct >= FEWEST:
            hinted = unit_of(target) == "%" or bool(RATIO.search(target.says))
            mined = [
                *products.relations(target, sheet, budget, hinted),
                *sums.relations(target, sheet, budget),
                *products.borrowing(target, sheet, budget),
                *([] if grid.turned else series.relations(target, sheet, budget)),
            ]
            likely = [one for one in mined if _holds(one)]
            held.doubted += [one for one in mined if _is_doubted(one)]
        held.add(likely)
    held.back()
    yield from held.claims()


def _likely(term: Term) -> tuple[bool, bool, int]:
    place = 0 if term.column is None else term.column.place
    return unit_of(term) != "%", not _HINT.search(term.says), -place


def _is_told(relation: Relation) -> bool:
    """Whether the rows bear out a formula that the document tells."""
    return relation.bits + bits_of(relation) >= _TOLD


def _holds(relation: Relation) -> bool:
    """Whether the rows say enough for a relation, with the slip that leads to the one that does not follow."""
    if grows(relation) and len(relation.rows) > FEWEST:
        return relation.bits + bits_of(relation) >= _GROWN
    if len(relation.sources) > 2 and any(not term.column.heading for term in relation.sources if term.column):
        return False  # of three columns without names anything may be made
    own = all(term.numbers for term in relation.sources)
    terms = (relation.target, *relation.sources)
    fitting = _WITH_UNIT.match(relation.told) and all(term.dimension for term in terms)
    named = relation.kind == "text" and own and len(relation.rows) > (FEWEST if fitting else _MANY)
    if relation.kind == "text" and own and relation.told.partition(" × ")[0] in relation.target.says:
        exact = _EXACTLY * sum(map(relation.is_exact, relation.rows))  # 2 GiB are no rounded number
        return relation.bits + bits_of(relation) + exact >= _TOLD  # per token, and at 4,096 tokens
    if relation.kind == "one" and relation.target.says.replace(" ", "") == relation.told.replace(" ", ""):
        return relation.bits + bits_of(relation) >= _TOLD  # TFLOPS/W
    needed = _HINTED if _HINT.search(relation.target.says) else _EXACT if named else _SURE
    needed += _FREE if relation.kind == "free" else 0.0
    if relation.wrong is not None and relation.kind in LOOSE and len(relation.rows) < FEWEST + 1:
        return False
    return relation.bits + bits_of(relation) >= needed


def _is_doubted(relation: Relation) -> bool:
    """Whether one column is in proportion to another in all rows but one, under a constant that nobody names."""
    alone = relation.kind in (*LOOSE, "text", "pair") and len(relation.sources) == 1 and not relation.adds
    return alone and relation.wrong is not None and len(relation.rows) > FEWEST and relation.bits >= _BACKED


def _exact(relation: Relation) -> bool:
    """Whether the other rows follow from the numbers as they are printed, so that these are not rounded."""
    return all(
        abs(number.value - relation.value(row)[1]) <= number.slack
        for row in relation.rows
        if row != relation.wrong and (number := relation.target.numbers[row]) is not None
    )


def _is_sensible(relation: Relation, slip: RowSlip) -> bool:
    """Whether what a number should be has its sign and is no other world away; a difference may have any."""
    times = slip.number.value / slip.expected if slip.expected else 0.0
    return 1 / _FAR < (abs(times) if relation.adds else times) < _FAR


def _weight(relation: Relation) -> float:
    """What the rows say for a relation, with the slip; one under a constant that nobody names counts less."""
    return relation.bits + bits_of(relation) - (_CLEARLY if relation.kind in LOOSE else 0.0)


def _is_likelier(exact: Relation, broken: Relation) -> bool:
    """Whether the relation that all rows follow is likelier than one that a row breaks, without a constant or with."""
    if broken.kind == "one" and exact.kind == "free":
        return _weight(exact) + _CLEARLY > _weight(broken)
    return exact.bits + _CLEARLY > broken.bits


def _agreed(found: Sequence[Relation]) -> bool:
    """Whether two relations without a column in common want the same number in the row that does not follow."""
    for one, other in combinations(found, 2):
        if not {id(term) for term in one.sources} & {id(term) for term in other.sources}:
            first, second = one.value(one.wrong or 0), other.value(other.wrong or 0)
            if first[0] <= second[2] and second[0] <= first[2]:
                return True
    return False


@dataclass
class _Held:
    """The relations of a table that hold, and what they say of its cells."""

    grid: Grid
    sure: frozenset[tuple[int, str, int]]

    def __post_init__(self) -> None:
        self.exact: list[Relation] = []
        self.broken: list[Relation] = []
        self.doubted: list[Relation] = []

    def add(self, found: Sequence[Relation]) -> None:
        """Note the relations that a column may follow: the one that all rows do, else the likeliest of the others."""
        exact = max((one for one in found if one.wrong is None), key=_weight, default=None)
        broken = max((one for one in found if one.wrong is not None), key=_weight, default=None)
        if exact is not None and (broken is None or _is_likelier(exact, broken)):
            self.exact.append(exact)
            return
        rivals = [one for one in found if one.wrong is not None and broken and one.wrong != broken.wrong]
        if broken is None or any(_weight(one) + _CLEARLY >= _weight(broken) for one in rivals):
            return
        if broken.kind not in LOOSE or grows(broken) or bits_of(broken) >= _PLAIN or _agreed(found):
            self.broken.append(broken)

    def back(self) -> None:
        """Note the columns that two others contradict in one row, which follow from each other there, too."""
        if any(machines(label) or models(label) for label in self.grid.labels):
            return  # what is alike in some of them need not be so in others
        told = {id(one.target) for one in (*self.exact, *self.broken)}
        tied = {
            frozenset((id(one.target), id(one.sources[0]))) for one in self.exact if len(one.sources) == 1
        }
        for one, other in combinations(self.doubted, 2):
            if one.target is not other.target or one.wrong != other.wrong or id(one.target) in told:
                continue
            sources = frozenset((id(one.sources[0]), id(other.sources[0])))
            if sources in tied and _agreed((one, other)):
                told.add(id(one.target))
                self.broken.append(replace(max(one, other, key=_weight), backed=True))

    def claims(self) -> Iterator[Claim]:
        """What the rows are, each relation told once."""
        met: set[frozenset[int]] = set()
        known = {id(one.target) for one in self.exact}
        # of the same columns the one on the right is computed from the others
        broken = sorted(self.broken, key=lambda one: -one.target.column.place if one.target.column else 0)
        for relation in (*self.exact, *broken):
            together = frozenset(map(id, (relation.target, *relation.sources)))
            borne = relation.wrong is not None and (
                self._is_sure(relation) or is_borne(relation, (*self.exact, *self.broken))
            )
            if together in met or borne:
                continue
            met.add(together)
            yield from self._of(relation, known)

    def _is_sure(self, relation: Relation) -> bool:
        """Whether the number that a relation calls wrong is one that the catalogue bears out."""
        slip = slipped(relation)
        if slip is None:
            return False
        cell, digits = slip.number.cell, slip.number.quantity.literal.digits
        places = {
            place for row in self.grid.table.rows for place, one in enumerate(row) if one is cell
        }  # equal digits may stand twice in a row
        return any(
            line == cell.line(0) and told == digits and (self.grid.turned or place in places)
            for line, told, place in self.sure
        )

    def _of(self, relation: Relation, known: set[int]) -> Iterator[Claim]:
        for row in relation.rows:
            number = relation.target.numbers[row]
            if number is None:
                continue
            low, mid, high = relation.value(row)
            because = relation.because(row)
            if row == relation.wrong:
                slip = slipped(relation)
                if slip is not None and id(relation.target) not in known and _is_sensible(relation, slip):
                    yield self._wrong(relation, slip, (low, mid, high), because)
            elif relation.kind != "free":
                held = claim(number, mid, low, high, "table-formula", because, "")
                yield replace(held, verdict="true", cause="")

    def _wrong(self, relation: Relation, slip: RowSlip, value: Bound, because: str) -> Claim:
        number, mid = slip.number, slip.expected
        off = (value[2] - value[0]) / abs(value[1]) if value[1] and not _exact(relation) else 0.0
        low, high = mid - abs(mid) * off / 2, mid + abs(mid) * off / 2
        named = slip.name or by_ratio(number.value / mid if mid else 0.0, reach(number))
        if named.startswith("GB and GiB") and number.dimension != BYTES:
            named = UNKNOWN
        cause = f"every other row follows {relation.target.says} = {relation.told}"
        told = cause if named == UNKNOWN else f"{named}; {cause}"
        least = _BANDS[0] if relation.adds else _BANDS[1]
        lent = not relation.written and any(not term.numbers for term in relation.sources)
        band = _VARIANT if lent and (not slip.name or slip.borrowed) else min(max(least, 4 * off), _BANDS[2])
        band = 0.0 if swapped(number, mid) else band
        found = claim(number, mid, low, high, "table-formula", because, told, band)
        hindered = excuse(self.grid, relation, UNKNOWN if slip.borrowed else named)
        if relation.adds and mid < 0 and abs(mid + number.value) <= number.slack:
            hindered = "the sign may stand for the direction"
        if found.verdict == "false" and hindered:
            return replace(found, verdict="unsure", cause=hindered)
        return found
