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
from derive.checking.lettered import Letters
from derive.checking.relation import Budget, Kind, Relation, Sheet, is_borne
from derive.checking.row_slips import RowSlip, bits_of, slipped
from derive.checking.statements import BYTES
from derive.checking.terms import Bound, Term, counting, noted, of_column, told, unit_of
from derive.checking.words import is_binary

_HINT = re.compile(
    r"share|ratio|fraction|percent|%|/s\b|\bper\b|throughput|speed-?up|total|intensity|ridge|time|product|sum\b|"
    r"utili[sz]ation|MFU|efficiency|[KMGT]iB|cost|hours?\b|combined|overall|together|end[- ]to[- ]end|of (?:the )?peak|"
    r"saved|saving|reduction|left|difference|bubble|cumulative|running|\bmean\b|\bavg\b|average",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"latenc|concurren|\bp\d\d\b|\bmean\b|median|\bavg\b|average|req(?:uest)?s?\b|measured|observed|bench|TTFT|TPOT|ITL|"
    r"elapsed|wall",
    re.IGNORECASE,
)
_SOURCED = re.compile(
    r"\b(?:reported|published|official|quoted|claimed|advertised|paper|model card)\b", re.IGNORECASE
)
_SHARED = re.compile(
    r"share|ratio|fraction|percent|%|speed-?up|utili[sz]|MFU|efficien|\bper\b.*GPU|total", re.IGNORECASE
)
_COUNTED = re.compile(
    r"context|tokens?\b|sequence|length|positions?\b|^\W*(?:#|n_|no\. of |number of |num[_ ])?\W*"
    r"(?:GPU|TPU|card|device|chip|node|replica|rank|layer|user|conversation|stream|request|batch|count|how many|stage|"
    r"rack|shard|server)s?\b(?: size)?\W*$",
    re.IGNORECASE,
)
_LIMITED = re.compile(r"\bper\b|/|\beach\b|max|free|left|measured|peak|usage|used", re.IGNORECASE)
_VERSION = re.compile(r"v?\d{1,2}(?:\.\d{1,2}){1,2}")
_DOLLARS = (("dollar", 1),)
_WATTS = (("joule", 1), ("second", -1))
_PER = re.compile(
    r"(?<!\bbit )(?<!\bbits )(?<!\bbyte )(?<!\bbytes )\bper\b|(?<!\bbit)(?<!\bbits)(?<!\bbyte)(?<!\bbytes)/ ?[A-Za-z]"
)
_RATE = re.compile(r"\bper\b|/ ?[A-Za-z]|%|ratio|share|utili[sz]|efficien|\bmean\b|average", re.IGNORECASE)
_PRICED = re.compile(r"\d [A-Za-z$%]+/[A-Za-z]+ ×")  # a constant with a unit of its own
_RATIO = re.compile(
    r"share|ratio|fraction|percent|%|/|\bper\b|speed-?up|utili[sz]|MFU|efficien|intensity|ridge|product|×|rel(?:ative|\.)|"
    r"\bvs\b|factor|cost|hours",
    re.IGNORECASE,
)
_FEWEST = 3
_SURE, _HINTED, _EXACT = 14.0, 7.0, 10.0
"""The bits for a relation to be held, where the heading hints at it, and to count as what a column is."""
_MANY = 4  # with more rows a constant that the text names is no accident
_GROWN = 3.0  # where it is in proportion to a count
_TOLD = 5.0  # and where the document tells the formula
_EXACTLY = 3.0  # for a row that follows to the last digit
_FREE = 4.0  # and so many more where its constant is none that is known
_LOOSE: tuple[Kind, ...] = ("free", "natural")
_CLEARLY = 6.0  # by so many bits one relation is likelier than another
_PLAIN = 7.0  # the bits of a slip that is no accident
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
        if column.filled >= _FEWEST and (term := of_column(column, rows)) is not None
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
        if not likely and target.distinct >= _FEWEST:
            hinted = unit_of(target) == "%" or bool(_RATIO.search(target.says))
            mined = [
                *products.relations(target, sheet, budget, hinted),
                *sums.relations(target, sheet, budget),
                *products.borrowing(target, sheet, budget),
                *([] if grid.turned else series.relations(target, sheet, budget)),
            ]
            likely = [one for one in mined if _holds(one)]
        held.add(likely)
    yield from held.claims()


def _likely(term: Term) -> tuple[bool, bool, int]:
    place = 0 if term.column is None else term.column.place
    return unit_of(term) != "%", not _HINT.search(term.says), -place


def _is_told(relation: Relation) -> bool:
    """Whether the rows bear out a formula that the document tells."""
    return relation.bits + bits_of(relation) >= _TOLD


def _grows(relation: Relation) -> bool:
    """Whether bytes, dollars or watts are in proportion to how many there are of something, as they mostly are."""
    target = relation.target
    if len(relation.sources) != 1 or target.dimension not in (BYTES, _DOLLARS, _WATTS) or relation.adds:
        return False
    (source,) = relation.sources
    counts = not source.dimension and _COUNTED.search(source.says) is not None
    times = relation.says == "{0}" or relation.says.endswith(" × {0}")
    return counts and times and not _LIMITED.search(target.says)


def _holds(relation: Relation) -> bool:
    """Whether the rows say enough for a relation, with the slip that leads to the one that does not follow."""
    if _grows(relation) and len(relation.rows) > _FEWEST:
        return relation.bits + bits_of(relation) >= _GROWN
    if len(relation.sources) > 2 and any(not term.column.heading for term in relation.sources if term.column):
        return False  # of three columns without names anything may be made
    own = all(term.numbers for term in relation.sources)
    named = relation.kind == "text" and own and len(relation.rows) > _MANY
    if relation.kind == "text" and own and relation.told.partition(" × ")[0] in relation.target.says:
        exact = _EXACTLY * sum(map(relation.is_exact, relation.rows))  # 2 GiB are no rounded number
        return relation.bits + bits_of(relation) + exact >= _TOLD  # per token, and at 4,096 tokens
    if relation.kind == "one" and relation.target.says.replace(" ", "") == relation.told.replace(" ", ""):
        return relation.bits + bits_of(relation) >= _TOLD  # TFLOPS/W
    needed = _HINTED if _HINT.search(relation.target.says) else _EXACT if named else _SURE
    needed += _FREE if relation.kind == "free" else 0.0
    if relation.wrong is not None and relation.kind in _LOOSE and len(relation.rows) < _FEWEST + 1:
        return False
    return relation.bits + bits_of(relation) >= needed


def _exact(relation: Relation) -> bool:
    """Whether the other rows follow from the numbers as they are printed, so that these are not rounded."""
    return all(
        abs(number.value - relation.value(row)[1]) <= number.slack
        for row in relation.rows
        if row != relation.wrong and (number := relation.target.numbers[row]) is not None
    )


def _weight(relation: Relation) -> float:
    """What the rows say for a relation, with the slip; one under a constant that nobody names counts less."""
    return relation.bits + bits_of(relation) - (_CLEARLY if relation.kind in _LOOSE else 0.0)


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
        if broken.kind not in _LOOSE or _grows(broken) or bits_of(broken) >= _PLAIN or _agreed(found):
            self.broken.append(broken)

    def claims(self) -> Iterator[Claim]:
        """What the rows are, each relation told once."""
        met: set[frozenset[int]] = set()
        known = {id(one.target) for one in self.exact}
        for relation in (*self.exact, *self.broken):
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
                if slip is not None and id(relation.target) not in known:
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
        hindered = self._hindered(relation, UNKNOWN if slip.borrowed else named)
        if relation.adds and mid < 0 and abs(mid + number.value) <= number.slack:
            hindered = "the sign may stand for the direction"
        if found.verdict == "false" and hindered:
            return replace(found, verdict="unsure", cause=hindered)
        return found

    def _hindered(self, relation: Relation, named: str) -> str:
        """Why the row that does not follow may be right all the same."""
        terms = (relation.target, *relation.sources)
        shared = unit_of(relation.target) == "%" or _SHARED.search(relation.target.says)
        if named == UNKNOWN:
            bare = unit_of(relation.target) != "%" and not any(term.dimension for term in terms)
            bare = bare and not _PRICED.search(relation.told)
            loose = bare if relation.kind == "text" and not relation.written else relation.kind in _LOOSE
            if relation.kind == "natural" and unit_of(relation.target) == "%":
                loose = False
            if (loose and not _grows(relation)) or (
                relation.kind == "pair" and not relation.target.dimension
            ):
                return f"every other row follows {relation.told}, whose constant nobody names"
            sums = relation.adds and len(relation.sources) > 2
            if not shared and not sums and any(_TIMED.search(term.says) for term in terms):
                return "measured values need not follow from each other"
        if named == UNKNOWN and any(_SOURCED.search(term.says) for term in terms):
            return "a number of another source need not follow"
        row = relation.wrong or 0
        label = self.grid.labels[row]
        if relation.adds and (_RATIO.search(label) if self.grid.turned else _RATE.search(label)):
            return "shares and rates do not add up"
        kinds = [one.dimension for one in relation.target.numbers if one is not None]
        own = relation.target.numbers[row]
        if relation.kind != "one" and own is not None and kinds.count(own.dimension) == 1:
            return "the row is of another kind than the others"
        units = {one.quantity.literal.unit for one in relation.target.numbers if one is not None}
        if "%" in units and len(units) > 1:
            return "the column mixes shares with other numbers"
        numbers = [one for term in terms if term.numbers and (one := term.numbers[row]) is not None]
        binary = any(is_binary(word) for one in numbers for word in one.quantity.literal.unit.split("/"))
        if named.startswith("GB and GiB") and len(terms) == 2 and relation.kind == "one" and not binary:
            return "true only where the prefixes are read as powers of 1024"
        beside = [column.numbers[row] for column in self.grid.columns] if named == UNKNOWN else numbers
        if any(noted(one) for one in beside if one is not None):
            return "a note stands beside the number"
        lent = not relation.written and any(not term.numbers for term in relation.sources)
        doubted = relation.kind == "natural" or (lent and relation.kind != "one")
        if doubted and named.startswith("counted twice"):
            return f"every other row follows {relation.told}, and the factor may be another here"
        if (
            all(term.numbers for term in relation.sources)
            and named == UNKNOWN
            and relation.kind not in ("one", "table")
            and not relation.written
            and len(relation.rows) <= _FEWEST
        ):
            return "two rows alone tell the relation"
        if relation.kind != "one" and named.startswith("counted twice") and self._is_a_variant(row):
            return "the row is a variant of another one"
        printed = named.startswith(("digits swapped", "one digit"))
        sure = (
            named.startswith("digits swapped")
            or relation.kind == "one"
            or (relation.kind == "text" and lent and named != UNKNOWN)
        )
        if self.grid.turned and (not sure or "running" in relation.told):
            return "the columns may be of different kinds"
        if relation.kind != "one" and not printed and self._is_set_apart(relation, row):
            return "another column of the row differs from that of the others"
        if not relation.written and self._is_of_another_kind(relation, row):
            return "the row is of another kind than the others"
        headed = relation.target.column is not None and bool(relation.target.column.heading)
        explained = relation.kind == "one" and (relation.adds or len(relation.sources) < _FEWEST)
        if not headed and not explained and not (relation.kind == "text" and self.grid.table.before):
            return "no heading says what the column is"
        if relation.kind != "one" and not relation.written and self._has_unit_of_its_own(row):
            return "the row may count by something else"
        return ""

    def _is_of_another_kind(self, relation: Relation, row: int) -> bool:
        """Whether words set a row apart that the others share, or two numbers stand where the others have one."""
        if self.grid.turned or any(not term.numbers for term in relation.sources):
            return False  # what is borrowed for a row knows its kind
        others = [at for at in relation.rows if at != row]
        cells = self.grid.table.rows
        for place, column in enumerate(self.grid.columns[1:], 1):
            texts = [cells[at][place].text.strip() if place < len(cells[at]) else "" for at in (row, *others)]
            numbers = [column.numbers[at] for at in (row, *others)]
            if numbers[0] is not None or not texts[0]:
                continue
            shared = len(set(texts[1:])) == 1 and bool(texts[1]) and texts[0] != texts[1]
            if shared or all(number is not None for number in numbers[1:]):
                return True
        return False

    def _is_a_variant(self, row: int) -> bool:
        """Whether the label of a row goes on where that of another one ends: GQA fp8, and GQA fp8 with batch 32."""
        label = self.grid.labels[row]
        return any(other and label != other and label.startswith(other) for other in self.grid.labels)

    def _is_set_apart(self, relation: Relation, row: int) -> bool:
        """Whether a column that the relation leaves out has one number in all other rows, and another one in this."""
        used = {id(term.column) for term in (relation.target, *relation.sources)}
        for column in self.grid.columns:
            own = column.numbers[row]
            others = [column.numbers[at] for at in relation.rows if at != row]
            if id(column) in used or own is None or any(one is None for one in others):
                continue
            values = {one.value for one in others if one is not None}
            if len(values) == 1 and own.value not in values:
                return True
        return False

    def _has_unit_of_its_own(self, row: int) -> bool:
        """Whether words of the row say what its numbers are for: per node, per GPU-hour."""
        if self.grid.turned:
            return False
        return any(_PER.search(cell.text) for cell in self.grid.table.rows[row])
