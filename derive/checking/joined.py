"""Terms that a table borrows: numbers of the machines that its rows name, and columns of other tables by label."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from derive.checking.columns import Grid
from derive.checking.inline import unmarked
from derive.checking.machine_columns import machine_of
from derive.checking.statements import BANDWIDTH, BYTES, FLOPS, constants_of
from derive.checking.subjects import Mention, machines, precisions
from derive.checking.terms import Bound, Constant, Term, of_column
from derive.checking.words import Dimension
from derive.entries import Constant as Fact

_ROLES: tuple[tuple[str, str, Dimension], ...] = (
    ("peak", "the dense peak", FLOPS), ("bandwidth", "the memory bandwidth", BANDWIDTH),
    ("capacity", "the memory", BYTES),
)  # fmt: skip
_HALF = ("bf16", "fp16")
_FEWEST, _TABLES, _COLUMNS = 3, 12, 12


def of_machines(grid: Grid) -> Iterator[Term]:
    """What the catalogue has on the machine of each row: its peak in the format that the row names, its memory."""
    named = [machine_of(grid, row) for row in range(len(grid.labels))]
    if sum(one is not None for one in named) < 2:
        return
    heading = " ".join((grid.table.before, *(column.heading for column in grid.columns)))
    for role, says, dimension in _ROLES:
        rows = [
            None if one is None else _value(one, role, dimension, (_row(grid, row), heading))
            for row, one in enumerate(named)
        ]
        bounds: list[Bound | None] = [None if one is None else (one, one, one) for one in rows]
        term = Term(says, tuple(bounds), dimension, is_fact=True)
        if sum(one is not None for one in rows) >= _FEWEST and term.distinct > 1:
            yield term


def of_caption(grid: Grid) -> Iterator[Constant]:
    """The same of the one machine that the text over the table names, as constants."""
    text = " ".join((grid.table.before, *(column.heading for column in grid.columns)))
    found = machines(f"{text} GPU")
    if len({one.names for one in found}) != 1 or not found[0].names:
        return
    for role, says, dimension in _ROLES:
        value = _value(found[0], role, dimension, (text,))
        if value is not None:
            says = f"{says} of {text[found[0].start : found[0].end]}"
            one = Constant((math.log(value),) * 2, dimension, says)
            yield one
            yield Constant((0.0, 0.0), (), "1").over(one)


def of_tables(grid: Grid, others: Sequence[Grid]) -> Iterator[Term]:
    """Columns of other tables whose rows bear the same labels."""
    labels = [label.strip().lower() for label in grid.labels]
    for other in others[:_TABLES]:
        if other.table is grid.table or other.turned != grid.turned:
            continue
        places = {label.strip().lower(): row for row, label in enumerate(other.labels)}
        if grid.turned:
            places = {**_shortened(places, labels), **places}
        if (
            len(set(places.values())) != len(other.labels)
            or sum(label in places for label in labels if label) < _FEWEST
        ):
            continue
        for column in other.columns[1:_COLUMNS]:
            term = of_column(column, [True] * len(column.numbers))
            if term is None or term.distinct < 2:
                continue
            rows = tuple(term.bounds[places[label]] if label in places else None for label in labels)
            if sum(row is not None for row in rows) >= _FEWEST:
                yield Term(f"{column.heading} of the other table", rows, term.dimension)


def _shortened(places: Mapping[str, int], labels: Sequence[str]) -> dict[str, int]:
    """The places of labels that the other table has in full: H100 of H100 SXM, where only one is meant."""
    found = {
        label: [row for name, row in places.items() if name.startswith(f"{label} ")]
        for label in labels
        if label
    }
    return {label: rows[0] for label, rows in found.items() if len(rows) == 1}


def _row(grid: Grid, row: int) -> str:
    if grid.turned:
        return grid.labels[row]
    return " ".join(unmarked(cell.text) for cell in grid.table.rows[row])


def _value(mention: Mention, role: str, dimension: Dimension, texts: Sequence[str]) -> float | None:
    """The one number of a machine in a role, in the format that the first of the texts to name any names.

    Of several machines that a name may mean the first counts: another one bears no relation out.
    """
    first = Mention(mention.names[:1], mention.start, mention.end)
    found: list[Fact] = [
        one for one in constants_of(first, (role,), dimension) if one.tags.get("sparsity") != "2:4"
    ]
    if role == "peak":
        wanted = next(
            (named for text in texts if (named := {name for name, _ in precisions(text)})), set(_HALF)
        )
        wanted = wanted | set(_HALF) if wanted & set(_HALF) else wanted
        found = [one for one in found if one.tags.get("precision") in wanted]
    values = {float(one.base) for one in found}
    return values.pop() if len(values) == 1 else None
