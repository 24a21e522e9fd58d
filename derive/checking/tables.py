"""Claims of tables: totals, columns computed from others, calculations with their results, sizes by format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.checking import (
    against,
    gathering,
    known_columns,
    machine_columns,
    machine_rows,
    mining,
    named_columns,
    per_columns,
    proportions,
    running_columns,
    scaled_columns,
    told_columns,
    totals,
    two_rows,
)
from derive.checking.blocks import Document
from derive.checking.causes import by_ratio
from derive.checking.cells import claim, quotient, reach
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.grammar import Operation, Parser
from derive.checking.inline import unmarked
from derive.checking.lettered import Letters
from derive.checking.lexer import tokens
from derive.checking.quantities import quantities
from derive.checking.relation import Budget
from derive.checking.scope import Scope, evaluate
from derive.checking.values import Interval

_RATE = re.compile(r"\b(?:at|over|with|on)\s+~?(.+)$")
_RATE_IN_BRACKETS = re.compile(r"[(\[]~?(\d[\d.,]* ?[KMGTP]i?B/s)[)\]]")
_SCALED = re.compile(
    r"\b[gG] ?= ?\d|\bgroups?\b|\bscales?\b|\bblocks?\b|"
    r"\b(?:gradient|moment|master|momentum|variance|optimi[sz]er|state|cop)(?:s|y|ies)?\b",
    re.IGNORECASE,
)
_PRINTED = 0.01
_PRICE = re.compile(r"\b(?:unit )?price\b|\bunit cost\b|\brate\b", re.IGNORECASE)
_COST = re.compile(r"^\W*(?:total |monthly |yearly )?(?:cost|amount|sum|total)s?\b", re.IGNORECASE)
_FORMATS = {
    "fp32": 4.0, "float32": 4.0, "fp16": 2.0, "bf16": 2.0, "float16": 2.0, "bfloat16": 2.0, "int8": 1.0, "fp8": 1.0,
    "int4": 0.5, "fp4": 0.5, "fp64": 8.0, "float64": 8.0, "4-bit": 0.5, "8-bit": 1.0, "16-bit": 2.0, "32-bit": 4.0,
}  # fmt: skip
_FORMAT = re.compile(rf"({'|'.join(_FORMATS)})\b")


def claims(
    document: Document,
    every: Sequence[Grid],
    scope: Scope,
    sure: frozenset[tuple[int, str, int]] = frozenset(),
) -> Iterator[Claim]:
    """The claims of all tables; every: them as columns; scope: what the letters of the document stand for.

    sure: the lines, digits and places of numbers that the catalogue bears out.
    """
    budget = Budget()
    wrong: set[int] = set()  # the rows of a table that a rule of its own has told already
    for grid in every:
        around = document.around(grid.table)
        found = [
            *machine_columns.claims(grid),
            *machine_rows.claims(grid, around),
            *known_columns.claims(grid),
            *proportions.claims(grid),
            *named_columns.claims(grid, around),
            *per_columns.claims(grid, around),
            *told_columns.claims(grid, around),
        ]
        if not grid.turned:
            found += [*against.claims(grid), *scaled_columns.claims(grid), *two_rows.claims(grid)]
            found += running_columns.claims(grid, around)
            wrong = set()
        wrong |= {one.line for one in found if one.verdict == "false"}
        letters = Letters(grid, scope, document.formulas(grid.table), grid.table.place)
        beside = mining.Beside(around, letters, every, document.told_before(grid.table), sure)
        mined = mining.claims(grid, budget, beside)
        found += [one for one in mined if one.verdict != "false" or one.line not in wrong]
        if not grid.turned:
            found += [*_at_rate(grid), *_ridges(grid), *_by_format(grid), *_calculated(grid), *_billed(grid)]
            yield from gathering.claims(grid)
            yield from totals.claims(grid, found, around)
        yield from found


def _at_rate(grid: Grid) -> Iterator[Claim]:
    """A column of times under a heading that names a rate: bytes over bandwidth, operations over peak."""
    headings = [(column, column.heading) for column in grid.columns]
    if not grid.table.header:
        timed = [column for column in grid.columns if column.dimension == (("second", 1),)]
        headings = [(column, grid.table.before) for column in timed if len(timed) == 1]
    for column, heading in headings:
        found = _RATE.search(heading) or _RATE_IN_BRACKETS.search(heading)
        if found is None or column.dimension != (("second", 1),):
            continue
        rates = quantities(found[1])[:1]
        for rate in rates:
            for amount in ("byte", "FLOP"):
                per_second = ((amount, 1), ("second", -1))
                value = rate.base(tuple(sorted(per_second)))
                sources = [other for other in grid.columns if other.dimension == ((amount, 1),)]
                if value and len(sources) == 1:
                    slack = rate.slack(tuple(sorted(per_second))) / 2 if not rate.about else 0.05 * value
                    shown = rate.literal.digits + " " + rate.literal.unit
                    if found.re is _RATE or _is_taken(column, sources[0], value):
                        yield from _over(column, sources[0], value, slack, shown)


def _is_taken(column: Column, source: Column, rate: float) -> bool:
    """Whether times follow from a rate in all rows but one: the peak that names a link may not be what it reaches."""
    right = [
        abs(number.value * rate / amount.value - 1) <= number.slack / number.value + _PRINTED / 2
        for number, amount in zip(column.numbers, source.numbers, strict=True)
        if number is not None and amount is not None and number.value > 0 and amount.value > 0
    ]
    return sum(right) >= 2 and right.count(False) < 2


def _over(column: Column, source: Column, rate: float, slack: float, text: str) -> Iterator[Claim]:
    for number, amount in zip(column.numbers, source.numbers, strict=True):
        if number is None or amount is None or rate <= slack:
            continue
        expected = amount.value / rate
        low, high = (
            (amount.value - amount.slack / 2) / (rate + slack),
            (amount.value + amount.slack / 2) / (rate - slack),
        )
        cause = by_ratio(number.value / expected, reach(number)) if expected else ""
        yield claim(number, expected, low, high, "table-formula", f"{amount.text} / ({text})", cause)


def _ridges(grid: Grid) -> Iterator[Claim]:
    """A ridge point beside a peak and a bandwidth."""
    peaks = [column for column in grid.columns if column.dimension == (("FLOP", 1), ("second", -1))]
    rates = [column for column in grid.columns if column.dimension == (("byte", 1), ("second", -1))]
    for column in grid.columns:
        named = re.search(r"\bridge", column.heading or grid.table.before, re.IGNORECASE)
        if not named or column.dimension not in (
            (),
            (("FLOP", 1), ("byte", -1)),
            (("byte", -1), ("FLOP", 1)),
        ):
            continue
        if len(peaks) != 1 or len(rates) != 1 or (not column.heading and column is not grid.columns[-1]):
            continue
        for number, *given in zip(column.numbers, peaks[0].numbers, rates[0].numbers, strict=True):
            parts = [part for part in given if part is not None]
            if number is not None and len(parts) == 2:
                low, mid, high = quotient(parts)
                if not mid:
                    continue
                because = f"{parts[0].text} / ({parts[1].text})"
                yield claim(
                    number,
                    mid,
                    low,
                    high,
                    "table-formula",
                    because,
                    by_ratio(number.value / mid, reach(number)),
                )


def _calculated(grid: Grid) -> Iterator[Claim]:
    """A calculation in one cell and its result in the next."""
    found: list[tuple[Interval, Number, str]] = []
    for row in range(len(grid.labels)):
        cells = grid.table.rows[row]
        for index in range(len(cells) - 1):
            result = grid.columns[index + 1].numbers[row] if index + 1 < len(grid.columns) else None
            value = _value(cells[index].text) if result is not None else None
            if result is not None and value is not None:
                found.append((value, result, unmarked(cells[index].text)))
    yield from _counted([one for one in found if not (one[0].dimension or one[1].dimension)])
    two_sided = any(value.dimension and value.dimension == result.dimension for value, result, _ in found)
    for value, result, text in found:
        if not result.dimension or (
            value.dimension != result.dimension and (value.dimension or not two_sided)
        ):
            continue  # only one side bears a unit, and no other row says which
        printed = result.quantity.literal.value
        if not printed or (not value.dimension and abs(value.mid / printed - 1) < _PRINTED):
            continue  # the numbers agree as they are printed
        slack = (value.high - value.low) / 2
        own = claim(
            result, value.mid, value.mid - slack, value.mid + slack, "table-formula", text, "", band=0.05
        )
        yield (
            replace(own, cause=by_ratio(result.value / value.mid, reach(result)))
            if own.verdict == "false" and not own.cause
            else own
        )


def _counted(found: Sequence[tuple[Interval, Number, str]]) -> Iterator[Claim]:
    """Calculations of plain numbers with their results, where all rows agree but one at most."""
    right = [
        abs(value.mid - one.value) <= one.slack + _PRINTED / 2 * abs(value.mid) for value, one, _ in found
    ]
    if sum(right) < 2 or right.count(False) > 1:
        return
    for value, one, text in found:
        cause = by_ratio(one.value / value.mid, reach(one))
        yield claim(one, value.mid, value.low, value.high, "table-formula", text, cause, band=_PRINTED)


def _billed(grid: Grid) -> Iterator[Claim]:
    """Quantities in units of their own, the price of one, and what they cost."""
    prices = [column for column in grid.columns if _PRICE.search(column.heading)]
    costs = [column for column in grid.columns if _COST.search(column.heading)]
    if len(prices) != 1 or len(costs) != 1 or not 0 < prices[0].place < costs[0].place:
        return
    found: list[tuple[Number, float, str]] = []
    for row, (price, cost) in enumerate(zip(prices[0].numbers, costs[0].numbers, strict=True)):
        told = quantities(grid.table.rows[row][prices[0].place - 1].text) if price is not None else []
        if (
            price is not None
            and cost is not None
            and len(told) == 1
            and price.dimension == cost.dimension != ()
        ):
            found.append(
                (cost, told[0].literal.value * price.value, f"{told[0].literal.digits} × {price.text}")
            )
    right = [one for one in found if abs(one[0].value - one[1]) <= one[0].slack + _PRINTED * one[1]]
    if len(right) < 2 or len(found) - len(right) > 1:
        return
    for cost, expected, because in found:
        cause = by_ratio(cost.value / expected, reach(cost)) if expected else ""
        yield claim(cost, expected, expected, expected, "table-formula", because, cause, band=_PRINTED)


def _value(text: str) -> Interval | None:
    """The value of a cell that is a calculation and nothing else."""
    if not any(sign in text for sign in "×*/+") or len(text) > 300:
        return None
    found = tokens(text, 0, len(text))
    parsed = Parser(found, lambda _: False).parse(0, len(found))
    if parsed is None or parsed[1] != len(found) or not isinstance(parsed[0], Operation):
        return None
    value = evaluate(parsed[0], {})
    return value if value is not None and value.mid else None


def _by_format(grid: Grid) -> Iterator[Claim]:
    """Sizes of the same parameters in several formats."""
    widths = [
        None
        if _SCALED.search(
            label
        )  # a scale for each group takes bits of its own, and states have a size of their own
        else (_FORMATS[found[1]] if (found := _FORMAT.match(label.lower())) else None)
        for label in grid.labels
    ]
    if sum(width is not None for width in widths) < 3 or len({width for width in widths if width}) < 2:
        return
    for column in grid.columns[1:]:
        if column.dimension != (("byte", 1),) or any(
            number is None for number, width in zip(column.numbers, widths, strict=True) if width
        ):
            continue
        rows = [
            (number, width) for number, width in zip(column.numbers, widths, strict=True) if number and width
        ]
        for number, width in rows:
            others = [
                (other.value / size, other.slack / other.value)
                for other, size in rows
                if other is not number and other.value
            ]
            base = others[0][0] if others else 0.0
            if len(others) < 2 or any(abs(other / base - 1) > 0.02 + slack for other, slack in others):
                continue
            expected = base * width
            slack = expected * max(slack for _, slack in others) / 2
            because = f"{base:.4g} elements of {width:g} bytes"
            cause = f"element size: the other rows agree on {base:.4g} elements"
            yield claim(number, expected, expected - slack, expected + slack, "table-formats", because, cause)
