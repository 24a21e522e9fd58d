"""Columns in a fixed proportion: bytes per parameter, sizes by number format, operations of 6ND.

The heading names the proportion, and the rows must agree on it: the one that does not is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median_low

from derive.checking.causes import SWAPPED, by_ratio
from derive.checking.cells import claim, held, reach, swapped
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.judging import with_unit
from derive.checking.quantities import quantities
from derive.checking.statements import BYTES
from derive.checking.subjects import WIDTHS, machines, models, precisions

_BYTES_EACH = re.compile(
    r"bytes?\s*(?:/|per|a|an|each)\s*(?:param|element|weight|value|entry)|\bB/param", re.IGNORECASE
)
_PARAMETERS = re.compile(
    r"\bparam|^\W*(?:elements|entries|values|numel)\b|^\W*N\b|\bweights\b.*\b(?:billion|B)\b", re.IGNORECASE
)
_TOKENS = re.compile(r"\btokens?\b|^\W*D\b", re.IGNORECASE)
_PER_SOMETHING = re.compile(r"\bper\b|/|\beach\b|max|free|left|measured|peak|usage|used", re.IGNORECASE)
_BITS = re.compile(r"\b(\d{1,2})[ -]?bits?\b", re.IGNORECASE)
_WIDTHS = {"fp64": 8.0, **WIDTHS}
_COMPUTE = re.compile(r"\bFLOPs?\b(?!/)|\bcompute\b|6 ?[·×*]? ?N ?[·×*]? ?D|^\W*C\b", re.IGNORECASE)
_EACH = (2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0)
"""The bytes that weights, gradients and the states of an optimizer take for each parameter."""
_UTILIZATION = re.compile(r"^(?:MFU|HFU|(?:FLOPs? |GPU )?utili[sz]ation|% of peak)\b", re.IGNORECASE)
_THROUGHPUT = re.compile(r"\btok(?:en)?s?(?: ?/ ?s| per second| a second)", re.IGNORECASE)
_VARIES = re.compile(
    r"\b(?:model|param\w*|GPUs?|nodes?|devices?|chips?|ranks?|hardware|machine|peak|precision|dtype|format|seq\w*|"
    r"context|length)\b(?! ?/)(?<!per GPU)(?<!per device)(?<!per chip)(?<!/GPU)",
    re.IGNORECASE,
)
"""Columns that change what a token costs, or what it is held against."""
_OFF, _NEAR, _MUCH, _FEWEST = 0.03, 0.006, 0.3, 3
_OPERATIONS = (("FLOP", 1),)


def claims(grid: Grid) -> Iterator[Claim]:
    """The claims of a table with columns in proportion."""
    yield from _by_width(grid)
    yield from _by_format(grid)
    yield from _by_tokens(grid)
    yield from _by_parameters(grid)
    yield from _by_throughput(grid)


def _by_throughput(grid: Grid) -> Iterator[Claim]:
    """Utilizations in proportion to the tokens a second beside them, of one model on one kind of machine."""
    shares = [one for one in grid.columns if _UTILIZATION.search(one.heading) and one.dimension == ()]
    rates = [one for one in grid.columns if _THROUGHPUT.search(one.heading)]
    if (
        len(shares) != 1
        or len(rates) != 1
        or grid.turned
        or any(_VARIES.search(one.heading) for one in grid.columns)
    ):
        return
    if any(machines(label) or models(label) or precisions(label) for label in grid.labels):
        return
    rows = [
        own.value / rate.value
        for own, rate in zip(shares[0].numbers, rates[0].numbers, strict=True)
        if own is not None and rate is not None and rate.value > 0
    ]
    if len(rows) <= _FEWEST:
        return
    each = median_low(rows)

    def expected(row: int, number: Number) -> list[tuple[float, str]]:
        rate = rates[0].numbers[row]
        return [] if rate is None else [(each * rate.value, f"{rate.text}, in proportion to the other rows")]

    for one in held(shares[0], expected, "table-formula", _OFF, least=_FEWEST):
        shown, right = one.claimed.rstrip(" %"), one.expected.rstrip(" %")
        if shown.isdigit() and shown != shown[::-1] == f"{float(right):.0f}":
            yield replace(one, cause=f"{SWAPPED}; the other rows are right")
        elif one.verdict != "false" or one.cause.startswith((SWAPPED, "power of ten")):
            yield one


def _by_parameters(grid: Grid) -> Iterator[Claim]:
    """Bytes that are so many for each parameter in all rows but one, which has others for each: 16, and 12."""
    given = [one for one in grid.columns if _PARAMETERS.search(one.heading) and one.dimension == ()]
    if len(given) != 1 or not _large(given[0]):
        return
    for column in grid.columns:
        if column.dimension != BYTES or _width(column.heading) or _PER_SOMETHING.search(column.heading):
            continue
        for each in _EACH:

            def expected(row: int, _: Number, each: float = each) -> list[tuple[float, str]]:
                many = given[0].numbers[row]
                return [] if many is None else [(many.value * each, f"{many.text} × {each:g} bytes")]

            found = list(held(column, expected, "table-formula", _OFF, least=3))
            lines = {
                number.cell.line(0): row for row, number in enumerate(column.numbers) if number is not None
            }
            for one in found:
                row = lines[one.line]
                own, many = column.numbers[row], given[0].numbers[row]
                if one.verdict != "false":
                    yield one
                elif own is not None and many is not None and (other := _each(own.value / many.value)):
                    cause = f"bytes a parameter: {other:g} are taken, and {each:g} in the other rows"
                    yield replace(one, cause=cause)
                elif one.cause.startswith(("digits swapped", "power of ten")):
                    yield one
            if found:
                break


def _each(ratio: float) -> float:
    """The bytes for each parameter that a ratio is near to; 0 where it is near to none."""
    return next((one for one in _EACH if abs(ratio / one - 1) < _NEAR), 0.0)


def _by_width(grid: Grid) -> Iterator[Claim]:
    """Bytes in proportion to the bytes per parameter beside them."""
    sources = [one for one in grid.columns if _BYTES_EACH.search(one.heading)]
    if len(sources) == 1:
        for column in grid.columns:
            if column is not sources[0] and column.dimension == BYTES:
                yield from _in_proportion(grid, column, sources[0], parameters=True)


def _in_proportion(grid: Grid, target: Column, source: Column, parameters: bool = False) -> Iterator[Claim]:
    rows = [
        (number.value / other.quantity.literal.value, number)
        for number, other in zip(target.numbers, source.numbers, strict=True)
        if number is not None and other is not None and number.value > 0 and other.value > 0
    ]
    if len(rows) < 3:
        return
    each = median_low([ratio for ratio, _ in rows])
    each = min(rows, key=lambda row: (abs(row[0] / each - 1) > _OFF, row[1].slack / row[1].value))[0]
    named = any(
        abs(one.literal.value * one.literal.options[0].factor / each - 1) < 0.005
        for one in quantities(grid.table.before)
    )

    def expected(row: int, number: Number) -> list[tuple[float, str]]:
        other = source.numbers[row]
        if other is None:
            return []
        shown = with_unit(
            f"{each / number.quantity.factor(number.dimension):.4g}", number.quantity.literal.unit
        )
        if parameters:
            shown = f"{each:.4g} parameters"
        return [(each * other.quantity.literal.value, f"{shown} × {other.text}")]

    yield from held(
        target, expected, "table-formula", _OFF, least=2 if named else 3, distinct=1 if named else 2
    )


def _by_format(grid: Grid) -> Iterator[Claim]:
    """Bytes of the parameters in the format that the heading names, or of the same row in another format."""
    columns = [
        (column, width)
        for column in grid.columns
        if column.dimension == BYTES and (width := _width(column.heading)) is not None
    ]
    if not columns:
        return
    given = [one for one in grid.columns if _PARAMETERS.search(one.heading) and one.dimension == ()]
    if not given:
        yield from _among_formats(columns)
    if len(given) != 1 or not _large(given[0]):
        return
    wrong: dict[int, int] = {}
    found: list[tuple[int, Claim]] = []
    for column, width in columns:

        def expected(row: int, _: Number, width: float = width) -> list[tuple[float, str]]:
            many = given[0].numbers[row]
            return [] if many is None else [(many.value * width, f"{many.text} × {width:g} bytes")]

        lines = {number.cell.line(0): row for row, number in enumerate(column.numbers) if number is not None}
        for one in held(column, expected, "table-formats", _OFF, least=2):
            row = lines[one.line]
            wrong[row] = wrong.get(row, 0) + (one.verdict == "false")
            found.append((row, one))
    for row, one in found:
        if wrong[row] < 2:
            yield one
    for row, many in wrong.items():
        if many > 1:
            yield from _parameters(
                given[0].numbers[row], [(column.numbers[row], width) for column, width in columns]
            )


def _among_formats(columns: Sequence[tuple[Column, float]]) -> Iterator[Claim]:
    """The one size that its row has otherwise in all other formats, where every other row agrees in all of them."""
    if len({width for _, width in columns}) < 3:
        return
    odd: list[tuple[Number, float, str]] = []
    whole = 0
    for row in range(len(columns[0][0].numbers)):
        sizes = [(number, width) for column, width in columns if (number := column.numbers[row]) is not None]
        each = median_low([number.value / width for number, width in sizes]) if len(sizes) > 2 else 0.0
        off = [
            (number, each * width, f"{each:.4g} elements of {width:g} bytes")
            for number, width in sizes
            if each and abs(number.value - each * width) > max(number.slack, _OFF * each * width)
        ]
        whole += bool(each) and not off
        odd += off
    if len(odd) == 1 and whole:
        (number, value, because) = odd[0]
        cause = f"{by_ratio(number.value / value, reach(number))}; the other formats of the row agree"
        if abs(number.value / value - 1) > _MUCH or swapped(
            number, value
        ):  # some tensors may stay as they were
            yield claim(number, value, value, value, "table-formats", because, cause)


def _parameters(number: Number | None, sizes: Sequence[tuple[Number | None, float]]) -> Iterator[Claim]:
    """A number of parameters that the sizes of its row contradict all alike."""
    each = [(size.value / width, size) for size, width in sizes if size is not None]
    base = each[0][0]
    if number is None or any(abs(one / base - 1) > 0.02 for one, _ in each):
        return
    because = f"{each[0][1].text} and {len(each) - 1} more sizes of the row"
    yield claim(
        number, base, base, base, "table-formats", because, by_ratio(number.value / base, reach(number))
    )


def _large(column: Column) -> bool:
    return all(number is None or number.value > 1e6 for number in column.numbers)


def _width(heading: str) -> float | None:
    """The bytes of an element in the one format that a heading names."""
    named = {_WIDTHS[name] for name, _ in precisions(heading) if name in _WIDTHS}
    named |= {int(bits) / 8 for bits in _BITS.findall(heading) if int(bits) in (4, 8, 16, 32)}
    return named.pop() if len(named) == 1 else None


def _by_tokens(grid: Grid) -> Iterator[Claim]:
    """Operations of training, 6 × parameters × tokens."""
    parameters = [one for one in grid.columns if _PARAMETERS.search(one.heading) and one.dimension == ()]
    tokens = [
        one
        for one in grid.columns
        if _TOKENS.search(one.heading) and one.dimension == () and not _PER_SOMETHING.search(one.heading)
    ]
    if len(parameters) != 1 or len(tokens) != 1 or parameters[0] is tokens[0]:
        return
    if not (_large(parameters[0]) and _large(tokens[0])):
        return

    def expected(row: int, _: Number) -> list[tuple[float, str]]:
        many, seen = parameters[0].numbers[row], tokens[0].numbers[row]
        if many is None or seen is None:
            return []
        return [(6 * many.value * seen.value, f"6 × {many.text} × {seen.text}")]

    for column in grid.columns:
        if column.dimension == _OPERATIONS or (
            column.dimension == () and _COMPUTE.search(column.heading) and _large(column)
        ):
            yield from held(column, expected, "table-formula", _OFF, least=2)
