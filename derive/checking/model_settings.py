"""Tables that list the extents of one model, a row for each: layers, width, heads, vocabulary, context.

Where all rows but one are those of a model that the document names, and of no other, the odd one is another model's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from derive.checking.blocks import Block
from derive.checking.cells import claim
from derive.checking.claims import Claim
from derive.checking.columns import Grid, Number
from derive.checking.known_models import families, mentioned, names, title
from derive.checking.model_extents import CONTEXT, EXTENTS, values_of
from derive.checking.subjects import Mention

_OWN = re.compile(
    r"\b(?:ours?|own|custom|modif\w+|variants?|chang\w+|instead|extend\w*|longer|shorter|like|style|pruned|toy|tiny|nano\w*|"
    r"ablat\w*|swe[ep]\w*|small(?:er)? version|scaled|deeper|wider|draft|experiment\w*)\b",
    re.IGNORECASE,
)
"""Words of a model that somebody has built after another one."""
_FEWEST, _BITS, _PADDED = 4, 22.0, 0.03
_PLAIN = re.compile(r"[\s\x02\x03]*(?:\d{1,3}(?:,\d{3})+|\d+)[\s\x02\x03]*")

_Row = tuple[str, Number]


def claims(grids: Sequence[Grid], blocks: Iterable[Block]) -> Iterator[Claim]:
    """The claims of such tables. blocks: all text of the document, in which the model must be named."""
    tables = [
        (grid, rows) for grid in grids if not grid.turned for rows in [_rows(grid)] if len(rows) >= _FEWEST
    ]
    if not tables:
        return
    named: set[str] = set()
    built: set[str] = set()
    for block in blocks:
        own = {name for one in (*mentioned(block.text), *families(block.text)) for name in one.names}
        named |= own
        built |= own if own and _OWN.search(block.text) else set()
    for grid, rows in tables:
        if _OWN.search(grid.table.before) or any(not _unlike(name, rows) for name in names()):
            continue
        near = [(name, odd) for name in sorted(named) if len(odd := _unlike(name, rows)) == 1]
        if len(near) == 1 and near[0][0] not in built:
            yield from _odd(*near[0], rows)


def _rows(grid: Grid) -> list[_Row]:
    """The extents of a table that has one number in each row, with their roles; none where a role stands twice."""
    found: list[_Row] = []
    for row, label in enumerate(grid.labels):
        numbers = [one for column in grid.columns[1:] if (one := column.numbers[row]) is not None]
        role = _role(label.strip(" $`"))
        if (
            role
            and len(numbers) == 1
            and numbers[0].dimension == ()
            and _PLAIN.fullmatch(numbers[0].cell.text)
        ):
            found.append((role, numbers[0]))
    return found if len({role for role, _ in found}) == len(found) else []


def _role(label: str) -> str:
    if CONTEXT.fullmatch(label):
        return "context"
    return next((one.role for one in EXTENTS if one.heading.fullmatch(label)), "")


def _unlike(name: str, rows: Sequence[_Row]) -> list[_Row]:
    """The rows that are not those of a model; all of them where it does not tell one of the roles."""
    found = []
    for role, number in rows:
        values = values_of(Mention((name,), 0, 0), role)
        if not values:
            return list(rows)
        if number.value not in values:
            found.append((role, number))
    return found


def _odd(name: str, odd: Sequence[_Row], rows: Sequence[_Row]) -> Iterator[Claim]:
    ((role, number),) = odd
    right = {one.value for kind, one in rows if kind != role}
    value = max(values_of(Mention((name,), 0, 0), role))
    padded = role == "vocabulary" and abs(number.value / value - 1) <= _PADDED
    if sum(map(math.log2, right)) >= _BITS and not padded:
        because = f"{title(name)}: {role.replace('_', ' ')}; the other rows are its own"
        yield claim(number, value, value, value, "model", because, "another model", 0.0, strict=True)
