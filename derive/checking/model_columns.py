"""Columns whose rows are models: the cache of a token, and extents under letters.

What a letter stands for is told by the rows that agree with the catalogue. A cell is called false only where all other
models of its column have what the catalogue gives them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.checking.causes import UNKNOWN
from derive.checking.cells import claim, held
from derive.checking.claims import Claim
from derive.checking.columns import Column, Grid, Number
from derive.checking.entities import Sizes, labelled
from derive.checking.known_columns import widths_of_rows
from derive.checking.known_models import title, values
from derive.checking.model_extents import CONTEXT, EXTENTS, values_of
from derive.checking.model_facts import cache_cause, cached_elements
from derive.checking.statements import BYTES
from derive.checking.subjects import Mention

_ROLES = ("layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocabulary")
_SYMBOL = re.compile(r"[\W_]*[A-Za-z](?:[\W_]?[A-Za-z]{0,5})?[\W_]*")
"""A heading that is a letter, perhaps with an index, so that the rows must tell what it stands for."""
_PER_TOKEN = re.compile(r"(?:per|a|each) token|/ ?tok(?:en)?\b", re.IGNORECASE)
_WIDTHS, _OFF = (2.0, 1.0), 0.03
_FEWEST, _BITS = 2, 12.0

_Row = tuple[Mention, Number]


def claims(grids: Sequence[Grid], known: Sizes) -> Iterator[Claim]:
    """The claims of columns whose headings do not say what they are. known: the models of the document by size."""
    for grid in grids:
        models = [labelled(label, known) for label in grid.labels]
        if sum(one is not None for one in models) <= _FEWEST:
            continue
        yield from _cached(grid, models)
        for column in grid.columns:
            if CONTEXT.fullmatch(column.heading.strip()):
                yield from _of_contexts(_rows(models, column))
            if (
                column.dimension != ()
                or not _SYMBOL.fullmatch(column.heading)
                or any(one.heading.fullmatch(column.heading.strip(" $")) for one in EXTENTS)
            ):
                continue
            yield from _of_column(_rows(models, column))


def _rows(models: Sequence[Mention | None], column: Column) -> list[_Row]:
    return [
        (model, number)
        for model, number in zip(models, column.numbers, strict=True)
        if model is not None and number is not None
    ]


def _of_contexts(rows: Sequence[_Row]) -> Iterator[Claim]:
    """The contexts of models, where all but one are what their makers give, and not all the same."""
    told = [(model, number, every) for model, number in rows if (every := values_of(model, "context"))]
    wrong = [one for one in told if one[1].value not in one[2]]
    right = {number.value for _, number, every in told if number.value in every}
    if len(wrong) != 1 or len(told) - 1 < _FEWEST or len(right) < _FEWEST:
        return
    ((model, number, every),) = wrong
    because = f"{title(model.names[0])}: context; the other rows are right"
    yield claim(
        number, max(every), max(every), max(every), "model", because, "another model", 0.0, strict=True
    )


def _cached(grid: Grid, models: Sequence[Mention | None]) -> Iterator[Claim]:
    """Columns of the bytes that a token takes in the cache, in elements of one width."""
    own = widths_of_rows(grid)
    for column in grid.columns:
        if column.dimension != BYTES or not _PER_TOKEN.search(column.heading):
            continue
        for width in _WIDTHS:

            def expected(row: int, _: Number, width: float = width) -> list[tuple[float, str]]:
                one = models[row]
                told = {cached_elements(name) for name in one.names} if one is not None else set()
                wide = own[row] or width
                return [(each * wide, f"{shown} × {wide:g} bytes") for each, shown in told if each]

            found = list(held(column, expected, "kv-cache", _OFF, least=2))
            if found:
                rows = {one.cell.line(0): row for row, one in enumerate(column.numbers) if one is not None}
                for one in found:
                    row = rows[one.line]
                    yield _of_cache(one, column.numbers[row], models[row], own[row] or width)
                break


def _of_cache(one: Claim, number: Number | None, model: Mention | None, width: float) -> Claim:
    """A cell with the slip that leads to its number, where it is false."""
    if one.verdict != "false" or number is None or model is None:
        return one
    name = model.names[0]
    cause = cache_cause(number.value / (cached_elements(name)[0] * width), name)
    return one if cause == UNKNOWN else replace(one, cause=f"{cause}; the other rows are right")


def _of_column(rows: Sequence[_Row]) -> Iterator[Claim]:
    """The cells of a column in the one role that all its models have but one at most."""
    found = []
    for role in _ROLES:
        told = [(model, number, _has(model, role)) for model, number in rows]
        if not all(every for _, _, every in told):
            continue
        wrong = [row for row in told if row[1].value not in row[2]]
        right = {number.value for _, number, every in told if number.value in every}
        if len(wrong) <= 1 and len(told) - len(wrong) >= _FEWEST and sum(map(math.log2, right)) >= _BITS:
            found.append((len(wrong), role, told))
    if not found or (len(found) > 1 and found[0][0] == found[1][0]):
        return
    _, role, told = min(found)
    for model, number, every in told:
        value = min(every)
        because = f"{title(model.names[0])}: {role.replace('_', ' ')}"
        yield claim(number, value, value, value, "model", because, "another model", 0.0, strict=True)


def _has(model: Mention, role: str) -> set[float]:
    """What the models that a label may mean have in a role; nothing where one of them is not known in it."""
    every = [values(name, role) for name in model.names]
    return {value for one in every for value in one} if all(every) else set()
