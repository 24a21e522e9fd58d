"""Why a row of a table that does not follow as the others do may be right all the same."""

from __future__ import annotations

import re

from derive.checking.causes import UNKNOWN
from derive.checking.columns import Grid
from derive.checking.relation import Kind, Relation
from derive.checking.statements import BYTES
from derive.checking.terms import noted, unit_of
from derive.checking.words import is_binary

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
_DOLLARS = (("dollar", 1),)
_WATTS = (("joule", 1), ("second", -1))
_PER = re.compile(
    r"(?<!\bbit )(?<!\bbits )(?<!\bbyte )(?<!\bbytes )\bper\b|(?<!\bbit)(?<!\bbits)(?<!\bbyte)(?<!\bbytes)/ ?[A-Za-z]"
)
_RATE = re.compile(r"\bper\b|/ ?[A-Za-z]|%|ratio|share|utili[sz]|efficien|\bmean\b|average", re.IGNORECASE)
_PRICED = re.compile(r"\d [A-Za-z$%]+/[A-Za-z]+ ×")  # a constant with a unit of its own
RATIO = re.compile(
    r"share|ratio|fraction|percent|%|/|\bper\b|speed-?up|utili[sz]|MFU|efficien|intensity|ridge|product|×|rel(?:ative|\.)|"
    r"\bvs\b|factor|cost|hours",
    re.IGNORECASE,
)
FEWEST = 3
LOOSE: tuple[Kind, ...] = ("free", "natural")


def excuse(grid: Grid, relation: Relation, named: str) -> str:
    """Why the row that does not follow may be right all the same."""
    terms = (relation.target, *relation.sources)
    shared = unit_of(relation.target) == "%" or _SHARED.search(relation.target.says)
    if named == UNKNOWN and not relation.backed:
        bare = unit_of(relation.target) != "%" and not any(term.dimension for term in terms)
        bare = bare and not _PRICED.search(relation.told)
        loose = bare if relation.kind == "text" and not relation.written else relation.kind in LOOSE
        if relation.kind == "natural" and unit_of(relation.target) == "%":
            loose = False
        if (loose and not grows(relation)) or (relation.kind == "pair" and not relation.target.dimension):
            return f"every other row follows {relation.told}, whose constant nobody names"
        sums = relation.adds and len(relation.sources) > 2
        if not shared and not sums and any(_TIMED.search(term.says) for term in terms):
            return "measured values need not follow from each other"
    if named == UNKNOWN and any(_SOURCED.search(term.says) for term in terms):
        return "a number of another source need not follow"
    row = relation.wrong or 0
    label = grid.labels[row]
    if relation.adds and (RATIO.search(label) if grid.turned else _RATE.search(label)):
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
    beside = [column.numbers[row] for column in grid.columns] if named == UNKNOWN else numbers
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
        and len(relation.rows) <= FEWEST
    ):
        return "two rows alone tell the relation"
    if relation.kind != "one" and named.startswith("counted twice") and _is_a_variant(grid, row):
        return "the row is a variant of another one"
    printed = named.startswith(("digits swapped", "one digit"))
    sure = (
        named.startswith("digits swapped")
        or relation.kind == "one"
        or (relation.kind == "text" and lent and named != UNKNOWN)
    )
    if grid.turned and (not sure or "running" in relation.told):
        return "the columns may be of different kinds"
    if relation.kind != "one" and not printed and _is_set_apart(grid, relation, row):
        return "another column of the row differs from that of the others"
    if not relation.written and _is_of_another_kind(grid, relation, row):
        return "the row is of another kind than the others"
    headed = relation.target.column is not None and bool(relation.target.column.heading)
    explained = relation.kind == "one" and (relation.adds or len(relation.sources) < FEWEST)
    if not headed and not explained and not (relation.kind == "text" and grid.table.before):
        return "no heading says what the column is"
    if relation.kind != "one" and not relation.written and _has_unit_of_its_own(grid, row):
        return "the row may count by something else"
    return ""


def _is_of_another_kind(grid: Grid, relation: Relation, row: int) -> bool:
    """Whether words set a row apart that the others share, or two numbers stand where the others have one."""
    if grid.turned or any(not term.numbers for term in relation.sources):
        return False  # what is borrowed for a row knows its kind
    others = [at for at in relation.rows if at != row]
    cells = grid.table.rows
    for place, column in enumerate(grid.columns[1:], 1):
        texts = [cells[at][place].text.strip() if place < len(cells[at]) else "" for at in (row, *others)]
        numbers = [column.numbers[at] for at in (row, *others)]
        if numbers[0] is not None or not texts[0]:
            continue
        shared = len(set(texts[1:])) == 1 and bool(texts[1]) and texts[0] != texts[1]
        if shared or all(number is not None for number in numbers[1:]):
            return True
    return False


def _is_a_variant(grid: Grid, row: int) -> bool:
    """Whether the label of a row goes on where that of another one ends: GQA fp8, and GQA fp8 with batch 32."""
    label = grid.labels[row]
    return any(other and label != other and label.startswith(other) for other in grid.labels)


def _is_set_apart(grid: Grid, relation: Relation, row: int) -> bool:
    """Whether a column that the relation leaves out has one number in all other rows, and another one in this."""
    used = {id(term.column) for term in (relation.target, *relation.sources)}
    for column in grid.columns:
        own = column.numbers[row]
        others = [column.numbers[at] for at in relation.rows if at != row]
        if id(column) in used or own is None or any(one is None for one in others):
            continue
        values = {one.value for one in others if one is not None}
        if len(values) == 1 and own.value not in values:
            return True
    return False


def _has_unit_of_its_own(grid: Grid, row: int) -> bool:
    """Whether words of the row say what its numbers are for: per node, per GPU-hour."""
    if grid.turned:
        return False
    return any(_PER.search(cell.text) for cell in grid.table.rows[row])


def grows(relation: Relation) -> bool:
    """Whether bytes, dollars or watts are in proportion to how many there are of something, as they mostly are."""
    target = relation.target
    if len(relation.sources) != 1 or target.dimension not in (BYTES, _DOLLARS, _WATTS) or relation.adds:
        return False
    (source,) = relation.sources
    counts = not source.dimension and _COUNTED.search(source.says) is not None
    times = relation.says == "{0}" or relation.says.endswith(" × {0}")
    return counts and times and not _LIMITED.search(target.says)
