"""Totals of columns under the parts that they add up.

A total is false where the sum is far from it, where two of its digits are exchanged, where it leaves a row out,
or where another total of the same row shows that the rows are complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from derive.checking.cells import claim, is_count, swapped
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.inline import unmarked
from derive.checking.statements import BYTES

_TOTAL = re.compile(
    r"(?:(?:grand |overall )?(?:total|sum)\b[\s:]*(?:\(.*\)|memory|bytes|size|params|parameters|cost|state|weights|"
    r"GPUs|TPUs|cards|chips|nodes|servers|devices|replicas|GPU-hours|hours|power|energy|tokens|requests|"
    r"model|FLOPs?|time|budget|(?:per|of|for|over|on|in) (?:an? |the |all |each |one |every )?[\w-]{2,12})?|"
    r"all together|altogether|in (?:all|total)|together|needed|required|Σ|all(?: (?:rows|parts|of (?:it|them)))?)"
    r"\s*:?$",
    re.IGNORECASE,
)
_SUBTOTAL = re.compile(r"\W*(?:sub-?total|sum so far)\b", re.IGNORECASE)
_OVERALL = re.compile(
    r"\W*(?:end[- ]to[- ]end|e2e|whole (?:step|request|iteration|run|pass)|full (?:step|request|iteration|run|pass)|"
    r"overall|(?:step|request|iteration) time)\W*(?:\(.*\)|latency|time)?\W*$",
    re.IGNORECASE,
)
"""What may be the sum of the rows above, or less, where they overlap."""
_WHOLE = re.compile(
    r"\W*(?:(?:the |full |whole |fiscal )*(?:year|quarter|half)|FY ?['’]?\d{2,4}|20\d\d)\b", re.IGNORECASE
)
_PART = re.compile(
    r"\W*(?:[QH][1-4]\b|\d(?:st|nd|rd|th) (?:quarter|half)|"
    r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec)[a-z]*\b)",
    re.IGNORECASE,
)
"""A year and what it is made of."""
_WITHIN = re.compile(
    r"^\W*(?:of which|thereof|incl(?:uding|\.)?\b|included|sub-?total|saved|free|spare|reserved|headroom|"
    r"available|before|after|without|with\b|minus|less\b|net\b|max|min|mean|avg|average|median)|"
    r"\bof (?:it|that|those|these|this)\b",
    re.IGNORECASE,
)
_NOT_SUMMED = re.compile(
    r"\bper\b(?! (?:month|year|week|day|quarter|run)\b)|"
    r"/(?! ?(?:month|year|week|day)\b)|\beach\b|\brates?\b|\bprice|%|share|average|\bavg\b|mean|median|"
    r"peak|utili|ratio|latenc|MFU|speed|"
    r"bandwidth|throughput|intensity|width|dim|\bmax|\bmin\b",
    re.IGNORECASE,
)
_RATED = re.compile(r"/ ?s\b|rate|max|min|mean|average|peak|share|%|bandwidth", re.IGNORECASE)
_NOTE = re.compile(
    r"([†‡*§])[^.†‡*§]{0,120}\b(?:not (?:counted|included|part of|in the (?:sum|total))|excluded|left out|outside)",
    re.IGNORECASE,
)
_SURE = 3  # digits that a total must have for one row left out to be no accident
_PER_NODE = re.compile(
    r"\b(?:GPU|chip|card|device|accelerator|core)s? ?(?:per|/) ?(?:node|server|host)\b", re.IGNORECASE
)
_OF_ONE = re.compile(
    r"\b(?:per|(?:in|of|for) (?:each|every|one)) (?:layer|block|expert|stage)\b", re.IGNORECASE
)
_ROUNDED = re.compile(r"\bround(?:s|ed|ing)? (?:up|down)\b", re.IGNORECASE)
_MANY = 6
_CARRIES = {10**power for power in range(1, 9)}
_BAND, _EXACTLY = 0.03, 1e-9


@dataclass(frozen=True)
class _Total:
    """A total with the numbers above it and their sum."""

    column: Column
    number: Number
    parts: tuple[Number, ...]
    labels: tuple[str, ...]
    value: float
    slack: float

    @property
    def gap(self) -> float:
        """How far the sum lies beyond what the digits leave open."""
        own = 0.0 if self.exact else self.number.slack
        return max(0.0, abs(self.value - self.number.value) - self.slack - own)

    @property
    def exact(self) -> bool:
        """Whether parts and total count things, so that nothing was rounded: 2 + 2 + 4 bytes a parameter."""
        return all(map(is_count, self.parts)) and _is_whole(self.number)

    @property
    def agrees(self) -> bool:
        return self.gap <= 1e-9 * abs(self.value)


def claims(grid: Grid, told: Sequence[Claim], around: Sequence[str] = ()) -> Iterator[Claim]:
    """The claims of total rows. told: what the other rules say about the table's cells; around: the text beside it."""
    begin, sub = 0, -1
    out = _left_to_a_note(grid, around)
    for row, label in enumerate(_labels(grid)):
        if _SUBTOTAL.match(label) and row - begin > 1:
            yield from _at(grid, begin, row, out, told, around)
            sub = row
            continue
        if _OVERALL.match(label) and row - begin > 2 and row == len(grid.labels) - 1:
            yield from _misprints(grid, begin, row)
            continue
        begin = sub if sub > begin and _TOTAL.match(label) else begin  # what stands over a subtotal is in it
        periods = _WHOLE.match(label) and row - begin > 1 and all(map(_PART.match, grid.labels[begin:row]))
        if (
            not _TOTAL.match(label)
            and not periods
            and not (row in grid.table.set_off and row == len(grid.labels) - 1)
        ):
            continue
        yield from _at(grid, begin, row, out, told, around)
        begin = row + 1


def _at(
    grid: Grid, begin: int, row: int, out: frozenset[int], told: Sequence[Claim], around: Sequence[str]
) -> Iterator[Claim]:
    """The totals that a row has of those from another one on."""
    found = [one for column in grid.columns if (one := _total(grid, column, begin, row, out)) is not None]
    for one in found:
        if _bare(one.column) and any(_PER_NODE.search(label) for label in one.labels):
            continue  # GPUs per node are no part of GPUs
        each = [_OF_ONE.search(label) is not None for label in one.labels]
        if any(each) and not all(each) and not one.agrees:
            continue  # what a layer has is in what all layers have
        if any(map(_ROUNDED.search, around)) and abs(one.value - one.number.value) < len(one.parts):
            continue
        others = [other for other in found if other is not one and not _bare(other.column)]
        complete = any(other.agrees and len(other.parts) == len(one.parts) for other in others)
        if _SUBTOTAL.match(grid.labels[row]) and not one.agrees:
            if _goes_on(grid, row, replace(one, value=one.number.value)):
                continue  # a part is wrong, or one is not shown
            complete = complete or _goes_on(grid, row, one)
        yield from _held(one, complete, told)


def _misprints(grid: Grid, begin: int, row: int) -> Iterator[Claim]:
    """The sums of a row that may be one, in which two digits stand the other way round."""
    for column in grid.columns[1:]:
        one = _total(grid, column, begin, row, frozenset())
        digits = "" if one is None else one.number.quantity.literal.digits.replace(",", "").replace(".", "")
        if one is not None and not one.agrees and len(digits) >= _SURE and swapped(one.number, one.value):
            because = " + ".join(part.text for part in one.parts[:8])
            yield claim(
                one.number, one.value, one.value, one.value, "table-total", because, "digits swapped", 0.0
            )


def _goes_on(grid: Grid, row: int, total: _Total) -> bool:
    """Whether the total further down is that of the parts over a subtotal and of the rows below it."""
    for at in range(row + 1, len(grid.labels)):
        whole = total.column.numbers[at]
        if _SUBTOTAL.match(grid.labels[at]) or whole is None or whole.dimension != total.number.dimension:
            return False
        if _TOTAL.match(grid.labels[at]):
            rest = [one.value for one in total.column.numbers[row + 1 : at] if one is not None]
            off = abs(total.value + sum(rest) - whole.value)
            return bool(rest) and off <= whole.tight / 2 + _EXACTLY * whole.value
    return False


def _labels(grid: Grid) -> list[str]:
    """The label of each row, which may stand before its last number where the first cell is empty."""
    found = []
    for row, label in enumerate(grid.labels):
        words = [
            unmarked(cell.text)
            for place, cell in enumerate(grid.table.rows[row])
            if not label and place < len(grid.columns) and grid.columns[place].numbers[row] is None
        ]
        told = [word for word in words if word]
        found.append(told[0] if len(told) == 1 else label)
    return found


def _left_to_a_note(grid: Grid, around: Sequence[str]) -> frozenset[int]:
    """The rows of which a note says that the total leaves them out, by the sign that leads to it."""
    signs = {found[1] for text in around for found in _NOTE.finditer(text)}
    return frozenset(row for row, label in enumerate(grid.labels) if label[-1:] in signs)


def _total(grid: Grid, column: Column, begin: int, row: int, out: frozenset[int]) -> _Total | None:
    """The total of a column in a row, if every row above has a part of it; out: the rows that it leaves out."""
    number = column.numbers[row]
    above = [one for at, one in enumerate(column.numbers[begin:row], begin) if at not in out]
    parts = tuple(part for part in above if part is not None)
    if number is None or not number.value or len(parts) < 2 or len(parts) != len(above):
        return None
    if any(part.dimension != number.dimension for part in parts):
        return None
    value, slack = (
        sum(part.value for part in parts),
        sum(0.0 if is_count(part) else part.slack for part in parts) / 2,
    )
    if (
        not 0.45 < value / number.value < 2.2
        or max(part.value for part in parts) + number.slack >= number.value
    ):
        return None  # a sum of amounts is larger than each of them: a smaller total is a mean
    labels = tuple(label for at, label in enumerate(grid.labels[begin:row], begin) if at not in out)
    return _Total(column, number, parts, labels, value, slack)


def _is_whole(number: Number) -> bool:
    """Whether a total is a whole number of the unit of its parts, which stands for itself where they count things."""
    digits = number.quantity.literal.digits.replace(",", "")
    if number.quantity.about or not digits.isdigit() or len(digits) > _SURE:
        return False
    return number.quantity.factor(number.dimension) == 1


def _is_budget(total: _Total) -> bool:
    """Whether the rows are parts of what one device holds, which add up for each of them."""
    return (
        total.number.dimension == BYTES and not _RATED.search(total.column.heading) and len(total.parts) > 2
    )


def _bare(column: Column) -> bool:
    """Whether a column is one that is not added up, such as a price or a rate."""
    return bool(_NOT_SUMMED.search(column.heading))


def _held(total: _Total, complete: bool, told: Sequence[Claim]) -> Iterator[Claim]:
    number, parts = total.number, total.parts
    because = " + ".join(part.text for part in parts[:8]) + (" + …" if len(parts) > 8 else "")
    cause = f"the sum of the rows above is {total.value / number.value:.4g} times the total"
    band = _BAND
    if _is_misprint(total):
        value = total.value
        yield claim(number, value, value, value, "table-total", because, "digits swapped", 0.0, strict=True)
        return
    part = None if total.agrees else _misprinted(total, complete)
    if part is not None:
        own, value = part
        because, cause = (
            f"{number.text} less the other rows",
            "digits swapped: the rows do not add up to their total",
        )
        yield claim(own, value, value, value, "table-total", because, cause, 0.0)
        return
    if not total.agrees:
        left = _left_out(total)
        if swapped(number, total.value):
            cause, band = "digits swapped", 0.0
        elif left is not None and (complete or _is_plain(total, left)):
            cause, band = f"a row is left out: {total.labels[left] or parts[left].text}", 0.0
        elif _of_some(parts, number) or any(_WITHIN.search(label) for label in total.labels):
            return
        elif complete:
            band = 0.0
        elif _bare(total.column) and not (total.exact and number.dimension) and not _is_budget(total):
            return
        elif _one_digit_off(number, total.value):
            cause, band = f"one digit is wrong; {cause}", 0.0
    low, high = total.value - total.slack, total.value + total.slack
    found = claim(number, total.value, low, high, "table-total", because, cause, band, strict=total.exact)
    if found.verdict == "false" and _is_of_a_wrong_row(total, told):
        found = replace(found, verdict="unsure", cause="a row above is false")
    yield found


def _misprinted(total: _Total, complete: bool) -> tuple[Number, float] | None:
    """The one part with two digits that stand the other way round in what the total leaves for it."""
    number = total.number
    if swapped(number, total.value) or _one_digit_off(number, total.value):
        return None
    found = []
    for part in total.parts:
        needed = number.value - (total.value - part.value)
        digits = part.quantity.literal.digits.replace(",", "").replace(".", "").lstrip("0")
        off = abs(needed - part.value) > _BAND * number.value or complete or len(digits) > _SURE
        if (
            needed > 0
            and len(digits) >= _SURE
            and off
            and (swapped(part, needed) or _is_reordered(part, needed))
        ):
            found.append((part, needed))
    return found[0] if len(found) == 1 else None


def _is_reordered(part: Number, needed: float) -> bool:
    """Whether a whole number of many digits has those of another one in another order."""
    own = part.quantity.literal.digits.replace(",", "")
    right = f"{needed / part.quantity.factor(part.dimension):.0f}"
    return own.isdigit() and len(own) >= _MANY and own != right and sorted(own) == sorted(right)


def _is_misprint(total: _Total) -> bool:
    """Whether whole numbers add up to the total but for two digits that stand the other way round."""
    factor = total.number.quantity.factor(total.number.dimension)
    numbers = (total.number, *total.parts)
    whole = all(one.quantity.literal.digits.replace(",", "").isdigit() for one in numbers)
    same = all(one.quantity.factor(one.dimension) == factor and not one.quantity.about for one in numbers)
    return total.agrees and whole and same and swapped(total.number, total.value)


def _one_digit_off(number: Number, value: float) -> bool:
    """Whether a number differs from a sum with as many decimals in one digit before the last, or in a carry.

    It must have four digits, or three where it has decimals or is below the sum, as rows that are not shown only make
    it larger.
    """
    digits = number.quantity.literal.digits.replace(",", "")
    decimals = len(digits.partition(".")[2])
    right = value / number.quantity.factor(number.dimension) * 10**decimals
    digits = digits.replace(".", "")
    if not digits.isdigit() or abs(right - round(right)) > 1e-6 * abs(right):
        return False
    if len(digits) < (_SURE if decimals or right > int(digits) else _SURE + 1):
        return False
    other = str(round(right))
    off = [at for at, (one, two) in enumerate(zip(digits, other, strict=False)) if one != two]
    if abs(int(other) - int(digits)) in _CARRIES:
        return True
    return len(other) == len(digits) and len(off) == 1 and off[0] < len(digits) - 1


def _is_of_a_wrong_row(total: _Total, told: Sequence[Claim]) -> bool:
    """Whether one of the parts is called false itself."""
    lines = {part.cell.line(0): part.text for part in total.parts}
    return any(one.verdict == "false" and lines.get(one.line) == one.claimed for one in told)


def _left_out(total: _Total) -> int | None:
    """The one row without which the rows add up to the total."""
    number = total.number
    found = [
        at
        for at, part in enumerate(total.parts)
        if abs(total.value - part.value - number.value) <= number.slack and part.value > 2 * number.slack
    ]
    alike = len({total.parts[at].value for at in found}) == 1  # gate, up and down are of one size
    return found[-1] if alike and len(total.parts) > 2 else None


def _is_plain(total: _Total, left: int) -> bool:
    """Whether the row left out is no share and no sum of others, and the total has digits enough."""
    digits = total.number.quantity.literal.digits.replace(",", "").replace(".", "").lstrip("0")
    if len(digits) < _SURE or any(_WITHIN.search(label) for label in total.labels) or _bare(total.column):
        return False
    own = total.parts[left]
    for begin in range(len(total.parts)):
        running = 0.0
        for at in range(begin, len(total.parts)):
            if at != left:
                running += total.parts[at].value
                alone = at == begin  # of one size with the row that is left out, and no sum
                if not alone and abs(running - own.value) <= max(own.slack, 0.01 * own.value):
                    return False
    return True


def _of_some(parts: Sequence[Number], total: Number) -> bool:
    """Whether the total is that of some of the rows: rows before it are sums or shares of others."""
    running = 0.0
    every = sum(part.value for part in parts)
    for part in parts[:-1]:
        running += part.value
        if any(
            abs(some - total.value) <= total.slack for some in (running, every - running, every - part.value)
        ):
            return True
    return False
