"""Columns under letters whose rows are models: what they are is told by the rows that agree with the catalogue.

A cell is called false only where all other models of its column have what the catalogue gives them in one role.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from derive.checking.cells import claim
from derive.checking.claims import Claim
from derive.checking.columns import Grid, Number
from derive.checking.entities import Sizes, labelled
from derive.checking.known_models import title, values
from derive.checking.model_extents import EXTENTS
from derive.checking.subjects import Mention

_ROLES = ("layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocabulary")
_SYMBOL = re.compile(r"[\W_]*[A-Za-z](?:[\W_]?[A-Za-z]{0,5})?[\W_]*")
"""A heading that is a letter, perhaps with an index, so that the rows must tell what it stands for."""
_FEWEST, _BITS = 2, 12.0

_Row = tuple[Mention, Number]


def claims(grids: Sequence[Grid], known: Sizes) -> Iterator[Claim]:
    """The claims of columns whose headings do not say what they are. known: the models of the document by size."""
    for grid in grids:
        models = [labelled(label, known) for label in grid.labels]
        if sum(one is not None for one in models) <= _FEWEST:
            continue
        for column in grid.columns:
            if (
                column.dimension != ()
                or not _SYMBOL.fullmatch(column.heading)
                or any(one.heading.fullmatch(column.heading.strip(" $")) for one in EXTENTS)
            ):
                continue
            rows = [
                (model, number)
                for model, number in zip(models, column.numbers, strict=True)
                if model is not None and number is not None
            ]
            yield from _of_column(rows)


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
