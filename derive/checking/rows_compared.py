"""Rows of a table that a sentence right below it compares, or adds up.

"The H100 is 2.2x faster than the A100 on this step", under a table of step times; "int4 cuts the size by 70 % against
fp16"; "together the three runs took 485 hours". The sentence names two labels of the table, and the one column that it
speaks of. A number that no column and no order of the two makes is false where a slip or other rows lead to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from derive.checking.causes import SWAPPED, UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.columns import Column, Grid, Number
from derive.checking.mistakes import REST
from derive.checking.nouns import NUMBERS
from derive.checking.quantities import Quantity
from derive.checking.row_labels import words_of
from derive.checking.slips import cause_of, held, shown

_FOLD = re.compile(
    r"\b(?:faster|slower|quicker|as (?:fast|much|many|large|big|long|slow|expensive|high)|larger|smaller|more|less|"
    r"fewer|higher|lower|longer|shorter|cheaper|factor of|speed-?up|grows?|rises?|falls?|drops?|shrinks?|increases?|"
    r"multiplied|the (?:size|throughput|time|latency|memory|cost))\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:by|cuts?|saves?|saving|reduc\w+|less|lower|smaller|faster|fewer|more|higher|larger|slower|shorter|shrinks?|"
    r"raises?|lifts?|boosts?|lowers?|increas\w+|decreas\w+|grows?|rises?|drops?|falls?|cheaper|gains?)\b",
    re.IGNORECASE,
)
_LEFT = re.compile(r"\s*(?:to spare|in reserve|short|left|spare|free|missing|off)\b")
_BY = re.compile(r"\bby\s*$")
_MORE = re.compile(
    r"\b(?:more|higher|larger|longer|slower|increas\w+|grows?|rises?|raises?|lifts?|boosts?|gains?)\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:if|would|could|should|per|peak|theor\w+|paper|expect\w*|ideal\w*|datasheet|spec\w*|predict\w*|earlier|before|"
    r"previous\w*|average|mean|median|geometric|dollars?|watts?|points?|up to|at least|at most|over (?=\d)|nearly|"
    r"almost|around|about|roughly|between|respectively|while|whereas|and|but|both|each|every|instead)\b|[~≈]",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:together(?! with)|in total|in all|altogether|combined(?! with)|summed|"
    r"add(?:s|ed)? up to|sums? to|a total of|the total)\b",
    re.IGNORECASE,
)
_SOME = re.compile(
    r"\b(?:first|last|other|without|except|besides|apart|only|both|plus|more|of (?:which|these|those)|"
    r"overlap\w*|parallel|concurrent\w*|at once|wall)\b",
    re.IGNORECASE,
)
_NOT_SUMMED = re.compile(
    r"\bper\b|/|%|share|rate|utili|MFU|mean|average|latenc|price|speed|peak|loss", re.IGNORECASE
)
_FEWEST, _NEAR, _LONGEST, _GRIDS, _WORDS, _DIGITS = 2, 5, 240, 60, 18, 2
_ROUGH = 0.012
_CARRIES = {10.0**power for power in range(1, 9)}
_OF_WHOLE = re.compile(
    r"\b(?:takes?|makes? up|accounts? for|uses?|is|are|holds?|needs?|share)\b", re.IGNORECASE
)
_OFF = 0.02
_NEXT_PART, _THAN = re.compile(r"(?:,|;) (?:and |while |whereas )?|: "), re.compile(r"\bthan (?:the |an? )?$")
_FASTER, _SECOND = re.compile(r"\b(?:faster|slower|quicker)\b", re.IGNORECASE), (("second", 1),)
_CHEAPER = re.compile(r"\b(?:cheaper|dearer|more expensive|costlier)\b", re.IGNORECASE)
_COST, _PER = (
    re.compile(r"\bcosts?\b|\bbill\b|\bprice\b|^[$€]$", re.IGNORECASE),
    re.compile(r"/|\bper\b|\ba\b"),
)


def claims(every_grid: Sequence[Grid], every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of the sentences right below a table."""
    grids = [one for one in every_grid if not one.turned and one.table.header and one.table.rows][:_GRIDS]
    below: dict[int, list[Clause]] = {}
    for clause in every:
        if not clause.row and clause.quantities and len(clause.text) < _LONGEST:
            below.setdefault(clause.section, []).append(clause)
    for grid in grids:
        last = max(cell.line(0) for cell in grid.table.rows[-1])
        for clause in below.get(grid.table.section, ()):
            if last < clause.block.line(0) <= last + _NEAR and len(grid.labels) >= _FEWEST:
                yield from _compared(clause, grid)
                yield from _of_parts(clause, grid)
                yield from _added(clause, grid)
                yield from _shared(clause, grid)


def _of_parts(clause: Clause, grid: Grid) -> Iterator[Claim]:
    """The parts of a sentence, each for itself: B is 9.5 % cheaper than A, and C is 15 % cheaper, than A as well."""
    ends = [found.span() for found in _NEXT_PART.finditer(clause.plain)]
    if not ends:
        return
    base: int | None = None
    begins = (0, *(end for _, end in ends))
    for begin, end in zip(begins, (*(begin for begin, _ in ends), len(clause.text)), strict=True):
        part = replace(clause, text=clause.text[begin:end], offset=clause.offset + begin, known={})
        rows = _named(part.plain, grid)
        yield from _compared(part, grid, base if len(rows) == 1 and base not in rows else None)
        than = [row for row, (at, _) in rows.items() if _THAN.search(part.plain, 0, at)]
        base = than[0] if len(than) == 1 else None


def _compared(clause: Clause, grid: Grid, base: int | None = None) -> Iterator[Claim]:
    """A ratio or a change of two rows in the one column that a sentence speaks of.

    base: the row that it is compared with, where the sentence names it no more.
    """
    text = clause.plain
    if _ANOTHER.search(text) or len(text.split()) > _WORDS:
        return
    rows = _named(text, grid) | ({} if base is None else {base: (0, 0)})
    told = [one for one in clause.quantities if _is_fold(text, one) or one.literal.unit == "%"]
    others = [
        one
        for one in clause.quantities
        if one not in told and not any(_lies_in(one, place) for place in rows.values())
    ]
    column = _column(text, grid)
    if len(rows) != 2 or len(told) != 1 or others or column is None:
        return
    (own,) = told
    if any(_lies_in(own, place) for place in rows.values()) or own.about or _LEFT.match(text, own.end):
        return
    fold = own.literal.unit != "%"
    if not (_FOLD if fold else _CHANGE).search(text):
        return
    ways = "times" if fold else "by" if _BY.search(text[: own.start]) else ""
    pairs = list(permutations(rows, 2))
    columns = [one for one in grid.columns[1:] if one.dimension is not None]
    if base is not None:  # or it is compared with another one
        pairs = [
            pair for pair in permutations(range(len(grid.labels)), 2) if set(pair) & (set(rows) - {base})
        ]
    if any(_makes(own, one, pair, ways) for one in columns for pair in pairs):
        return
    yield from _false(clause, own, column, grid, list(rows), ways)


def _false(
    clause: Clause, own: Quantity, column: Column, grid: Grid, rows: Sequence[int], ways: str
) -> Iterator[Claim]:
    one, other = column.numbers[rows[0]], column.numbers[rows[1]]
    if one is None or other is None or min(one.value, other.value) <= 0 or one.value == other.value:
        return
    fold = ways == "times"
    less, more = sorted((one, other), key=lambda number: number.value)
    right = more.value / less.value if fold else 1 - less.value / more.value
    because = f"{more.text} / ({less.text})" if fold else f"1 - {less.text} / ({more.text})"
    if not fold and _MORE.search(clause.plain):
        right, because = more.value / less.value - 1, f"{more.text} / ({less.text}) - 1"
    cause = SWAPPED if _is_turned(own, right) else cause_of(own, right / own.factor(()))
    if cause in (UNKNOWN, "") or (
        cause != SWAPPED and not cause.startswith(("digits", "one digit", "power of ten"))
    ):
        pairs = [two for two in permutations(range(len(grid.labels)), 2) if set(two) != set(rows)]
        thirds = any(_makes(own, column, pair, ways) for pair in pairs if set(pair) & set(rows))
        labels = [_plain_number(grid.labels[row]) for row in rows]
        turned = 0.0 if fold else more.value / less.value - 1
        if thirds:
            cause = "it is told of another row"
        elif fold and all(labels) and own.agrees(max(labels) / min(labels), ()):
            cause = "it is the ratio of the rows' labels, not of what they have"
        elif not fold and right < 1 and own.agrees(1 - right, ()):
            cause = "what remains is told as the change"
        elif not fold and own.agrees(turned, ()):
            return
        elif (
            len(_digits(own)) >= _DIGITS
            and abs((own.base(()) or 0.0) / right - 1) > 0.1
            and len(grid.columns) == 2
        ):
            cause = f"the table has {less.text} and {more.text}"
        else:
            return
    yield held(clause, own, "false", right, cause, because)


def _is_turned(own: Quantity, right: float) -> bool:
    """Whether the two digits of a number stand the other way round."""
    digits = own.literal.digits
    decimals = len(digits.partition(".")[2])
    shown, wanted = (text.replace(".", "") for text in (digits, f"{right / own.factor(()):.{decimals}f}"))
    return len(shown) == len(wanted) == _DIGITS and shown != wanted == shown[::-1]


def _plain_number(label: str) -> float:
    digits = label.strip().replace(",", "")
    return float(digits) if digits.isdigit() and len(digits) < 9 else 0.0


def _digits(one: Quantity) -> str:
    return one.literal.digits.replace(",", "").replace(".", "").lstrip("0")


def _is_fold(text: str, one: Quantity) -> bool:
    before = text[max(0, one.start - 14) : one.start]
    if (
        one.literal.unit == "times"
        or text[one.end : one.end + 1] in ("x", "×")
        or re.match(r"\s?(?:x|×|times)\b", text[one.end :])
    ):
        return True
    return not one.literal.unit and re.search(r"factor (?:of )?$", before) is not None


def _lies_in(one: Quantity, place: tuple[int, int]) -> bool:
    return place[0] <= one.start and one.end <= place[1]


def _named(text: str, grid: Grid) -> dict[int, tuple[int, int]]:
    """The rows whose whole label a sentence has once, with its place; a number as a label only behind its heading."""
    found: dict[int, tuple[int, int]] = {}
    lowered = text.lower()
    for row, label in enumerate(grid.labels):
        name = label.strip().lower()
        if not name or len(name) > 40:
            continue
        lead = (
            re.escape(grid.columns[0].heading.strip().lower()) + r"(?: size)?(?: of)? "
            if _plain_number(label)
            else ""
        )
        places = [
            one.span() for one in re.finditer(rf"(?<![\w.-]){lead}{re.escape(name)}(?![\w]|[.,-]\w)", lowered)
        ]
        if len(places) == 1:
            found[row] = places[0]
        elif places:
            return {}
    # a label within another one is no name of its own
    inner = [
        row
        for row, (start, end) in found.items()
        if any(other != row and s <= start and end <= e for other, (s, e) in found.items())
    ]
    return {row: place for row, place in found.items() if row not in inner}


def _column(text: str, grid: Grid) -> Column | None:
    """The one column of numbers that a sentence names by a word of its heading alone."""
    numeric = [
        one for one in grid.columns[1:] if one.filled == len(grid.labels) and one.dimension is not None
    ]
    said = set(words_of(text))
    named = []
    for one in numeric:
        others = {word for other in grid.columns if other is not one for word in words_of(other.heading)}
        if (set(words_of(one.heading)) - others) & said or _is_meant(one, text):
            named.append(one)
    return named[0] if len(named) == 1 else None


def _is_meant(column: Column, text: str) -> bool:
    """Whether a sentence speaks of throughput, which the heading has as a unit, or of what something costs."""
    if _FASTER.search(text) and column.dimension == _SECOND:
        return True
    if _CHEAPER.search(text):
        return bool(_COST.search(column.heading)) and not _PER.search(column.heading)
    return bool(re.search(r"/ ?s\b|per second", column.heading)) and "throughput" in text.lower()


def _makes(own: Quantity, column: Column, pair: tuple[int, int], ways: str) -> bool:
    """Whether two rows make a number in some way, roughly; ways: of a ratio, of a change, or of either."""
    one, other = column.numbers[pair[0]], column.numbers[pair[1]]
    if one is None or other is None or one.value <= 0 or other.value <= 0:
        return False
    ratio, value = one.value / other.value, own.base(()) or 0.0
    made = {"times": (ratio, ratio - 1), "by": (ratio - 1, 1 - ratio)}.get(
        ways, (ratio, ratio - 1, 1 - ratio)
    )
    reach = own.slack(()) + _ROUGH * value + (_reach(one) + _reach(other)) * ratio / 2
    return any(abs(way - value) <= reach for way in made)


def _reach(number: Number) -> float:
    return number.slack / number.value


def _added(clause: Clause, grid: Grid) -> Iterator[Claim]:
    """The sum of all rows of the one column with its unit."""
    text = clause.plain
    if (
        not _TOGETHER.search(text)
        or _SOME.search(text)
        or len(clause.quantities) != 1
        or len(grid.labels) < 3
    ):
        return
    (own,) = clause.quantities
    kind = own.literal.options[0].dimension
    columns = [one for one in grid.columns[1:] if one.filled == len(grid.labels) and one.dimension == kind]
    if not kind or len(columns) != 1 or _NOT_SUMMED.search(columns[0].heading) or own.about:
        return
    numbers = [one for one in columns[0].numbers if one is not None]
    if any(re.match(r"\W*(?:total|sum|all|sub-?total)\b", label, re.IGNORECASE) for label in grid.labels):
        return
    right = sum(one.value for one in numbers)
    slack = len(numbers) * min(one.tight for one in numbers) / 2  # the finest digit that a row shows
    value = own.base(kind) or 0.0
    if abs(value - right) <= own.slack(kind) + slack or _named(text, grid) or REST.match(text, own.end):
        return
    cause = cause_of(own, right / own.factor(kind))
    left = [one for one in numbers if abs(right - one.value - value) <= own.slack(kind)]
    carried = round(abs(value - right) / own.factor(kind), 6)
    if cause in (UNKNOWN, "") and carried in _CARRIES and own.literal.digits.replace(",", "").isdigit():
        cause = f"a carry of the sum is missed: it is {carried:g} off"
    counted = re.search(r"\b[Tt]he (\w+) [a-z]+s\b", text)
    if counted and NUMBERS.get(counted[1].lower()) == len(numbers) and abs(value / right - 1) > _OFF:
        cause = "the rows do not add up to it" if cause in (UNKNOWN, "") else cause
    if left and cause in (UNKNOWN, ""):
        cause = f"a row is left out: {left[0].text}"
    if cause not in (UNKNOWN, ""):
        yield held(clause, own, "false", right, cause, " + ".join(one.text for one in numbers[:8]))


def _shared(clause: Clause, grid: Grid) -> Iterator[Claim]:
    """The share of the one row that a sentence names, of the sum of a column that it tells: of the 60 GB, 70 %."""
    text = clause.plain
    told = [one for one in clause.quantities if one.literal.unit == "%"]
    others = [one for one in clause.quantities if one.literal.unit != "%"]
    if len(told) != 1 or len(others) != 1 or not _OF_WHOLE.search(text) or len(text.split()) > _WORDS:
        return
    rows = _named(text, grid)
    (own,), (whole,) = told, others
    kind = whole.literal.options[0].dimension
    columns = [one for one in grid.columns[1:] if one.filled == len(grid.labels) and one.dimension == kind]
    if len(rows) != 1 or len(columns) != 1 or not kind or own.about or whole.about or _ANOTHER.search(text):
        return
    (row,) = rows
    numbers = [one for one in columns[0].numbers if one is not None]
    part, total = numbers[row], sum(one.value for one in numbers)
    if abs(total - (whole.base(kind) or 0.0)) > whole.slack(kind) or len(numbers) < 3 or not total:
        return
    right, value = part.value / total, own.base(()) or 0.0
    if abs(value - right) > max(_OFF, 2 * own.slack(())) and abs(value - 1 + right) > _OFF:
        cause = cause_of(own, right / own.factor(()))
        cause = f"the table has {part.text} of it" if cause == UNKNOWN else cause
        yield held(clause, own, "false", right, cause, f"{part.text} / {shown(whole)}")
