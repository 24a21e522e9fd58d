"""What is wrong in the one row of a table that does not follow: a number, and the slip that leads to it."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

from derive.checking.columns import Number
from derive.checking.evidence import slip_bits
from derive.checking.relation import Relation
from derive.checking.statements import BYTES
from derive.checking.terms import unit_of

_ENOUGH = 4  # rows before one is said to be computed with the number of another
_REST, _WHOLE = 7.0, 100.0
"""The bits of a percentage that is what the right one leaves of the whole."""


@dataclass(frozen=True)
class RowSlip:
    """The number of a row that is wrong: what it should be, the slip that leads to it if one does, and its bits.

    borrowed: it was computed with another row's number, which explains it where the relation is sure.
    """

    number: Number
    expected: float
    name: str = ""
    bits: float = 0.0
    borrowed: bool = False


def slipped(relation: Relation) -> RowSlip | None:
    """The number that a row is wrong in: the one that a slip leads to, or else what is computed."""
    row = relation.wrong
    own = None if row is None else relation.target.numbers[row]
    if row is None or own is None:
        return None
    found = [_slip(own, relation.value(row)[1], 0.0)]
    if _is_rest(relation, own, found[0].expected):
        return RowSlip(own, found[0].expected, "what remains is told as the change", _REST)
    for index, term in enumerate(relation.sources):
        number = term.numbers[row] if term.numbers else None
        if number is not None:
            other = _slip(number, relation.needed(row, index), 1.0 + len(relation.sources) / 2)
            if (
                other.name == "digits swapped" and not found[0].name
            ):  # other slips may lead to what is computed
                found.append(other)
    best = max(found, key=lambda one: one.bits)
    if best.name:
        return best
    right = _right_of(relation, row)
    if right is not None:
        return RowSlip(right, relation.needed(row, 0))
    name, bits = _of_another_row(relation, row)
    return RowSlip(own, found[0].expected, name, bits, bool(name))


def _right_of(relation: Relation, row: int) -> Number | None:
    """The number of the one source, where it tells the same amount to the right in another unit."""
    (source, *more) = relation.sources
    target, other = relation.target.column, source.column
    if more or target is None or other is None or relation.kind != "one" or relation.adds:
        return None
    alike = relation.target.dimension == source.dimension != ()
    return source.numbers[row] if alike and other.place > target.place else None


def _is_rest(relation: Relation, number: Number, expected: float) -> bool:
    """Whether a percentage is what the right one leaves of the whole: 45.6 % in place of 54.4."""
    shared = unit_of(relation.target) == "%" or "%" in relation.target.says
    if not shared or abs(expected) >= _WHOLE or not relation.says.endswith(" - 1"):
        return False
    whole = 1.0 if number.quantity.literal.unit == "%" else _WHOLE
    off = abs(abs(number.value) + abs(expected) - whole)
    return off <= 2 * number.slack and abs(abs(number.value) - abs(expected)) > 4 * number.slack


def _of_another_row(relation: Relation, row: int) -> tuple[str, float]:
    """Whether a row was computed with what another row has in one of the columns, and the bits of it."""
    low, mid, high = relation.value(row)
    own = relation.target.numbers[row]
    few = len(relation.rows) < _ENOUGH and not any(term.is_fact for term in relation.sources)
    if own is None or not mid or not own.value or few:
        return "", 0.0
    near = (high - low) / (2 * abs(mid)) + own.slack / (2 * abs(own.value))
    others = [
        (index, one[1])
        for index, term in enumerate(relation.sources)
        for one in {one for at, one in enumerate(term.bounds) if one is not None and at != row and one[1]}
    ]
    found: list[tuple[float, str]] = []
    for index, value in others:
        needed, given = relation.needed(row, index), relation.sources[index].bounds[row]
        off = abs(needed / value - 1)
        if given is not None and off <= near < abs(given[1] / value - 1):
            found.append((off, f"computed with another row's {relation.sources[index].says}"))
    bits = -log2(2 * max(near, 1e-5) * len(others)) if found else 0.0
    return (min(found)[1], bits) if bits > 0 else ("", 0.0)


def bits_of(relation: Relation) -> float:
    """What the slip in the row that does not follow says."""
    slip = slipped(relation)
    return 0.0 if slip is None else slip.bits


def _slip(number: Number, expected: float, spent: float) -> RowSlip:
    named, bits = slip_bits(number.quantity.literal, expected / number.quantity.factor(number.dimension))
    if bits <= spent or (named.startswith("GB and GiB") and number.dimension != BYTES):
        return RowSlip(number, expected)
    return RowSlip(number, expected, named, bits - spent)
