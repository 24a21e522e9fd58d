"""Units that a calculation leaves to its reader: 24 h × 30 days, 780 hours × $2.

Of two times that are multiplied the smaller unit is for each of the larger one, and a price without a unit is
for one of what it is multiplied with. Only where the sides of a relation are of different kinds without that.
A number that was told with its unit just before needs none again: a port of 400 Gb/s has 400 / 8 = 50 GB/s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.checking.grammar import Node, Operation, leaves
from derive.checking.quantities import quantities
from derive.checking.values import Literal, joined
from derive.checking.words import Dimension, Reading, magnitude, readings

_TIME: Dimension = (("second", 1),)
_PRICE: Dimension = (("dollar", 1),)
_HOUR = 3600.0
_LEAST_RATIO = 6.9  # a week has seven days
_MOST, _SAME = 12, 1e-9


def with_units(left: Node, right: Node) -> Iterator[Node]:
    """The left side with the units that its numbers are meant in, each way in turn."""
    if _factors(left) is None or not isinstance(right, Literal):
        return
    timed = list(_times_per_time(left))
    yield from timed
    units = [_unit(one) for one in _factors(left) or () if _is_of(one, _TIME)]
    yield from _in_a_period(left, right)
    if _is_of(right, _PRICE) and units:
        for one in (left, *timed):
            yield from _priced_per_time(one, min(units))


def lent(left: Node, before: str) -> Node | None:
    """The left side with the units of the same numbers in the text before it; None where that tells none."""
    bare = [one for one in leaves(left) if isinstance(one, Literal) and not one.unit and len(one.digits) > 1]
    told = [one.literal for one in quantities(before)] if bare else []
    found = left
    for one in bare:
        same = [other for other in told if _is_again(one, other) and other.options[0].dimension]
        if len({other.unit for other in same}) == 1:
            again = one.digits == same[0].digits
            meant = same[0].options if again else _plain(same[0])
            found = _with(found, one, one._replace(unit=same[0].unit, options=meant))
    return None if found is left else found


def _is_again(one: Literal, other: Literal) -> bool:
    """Whether a bare number is told again: in the same digits, or 1.03e6 for 1.03 million."""
    if one.digits == other.digits:
        return True
    many = magnitude(other.unit)
    return (
        many > 1
        and "e" in one.digits
        and other.value > 0
        and abs(one.value / (other.value * many) - 1) < _SAME
    )


def _plain(one: Literal) -> tuple[Reading, ...]:
    """The readings of a unit without the magnitude of millions before it."""
    many = magnitude(one.unit)
    return tuple(Reading(option.factor / many, option.dimension, option.choice) for option in one.options)


def _in_a_period(node: Node, right: Literal) -> Iterator[Node]:
    """With an amount for each of the period that only the result names: 6.4 GWh × $0.085 = $544,000 per year."""
    period = readings(right.unit.rpartition("/")[2]) if "/" in right.unit else ()
    for one in _factors(node) or ():
        if period and period[0].dimension == _TIME and period[0].factor > _HOUR and one.options[0].dimension:
            yield _with(node, one, _per(one, period[0].factor))
            return


def _times_per_time(node: Node) -> Iterator[Node]:
    """With the smaller unit of two times for each of the larger one."""
    times = [one for one in _factors(node) or () if _is_of(one, _TIME)]
    for one in times:
        for other in times:
            if _unit(other) >= _LEAST_RATIO * _unit(one):
                yield _with(node, one, _per(one, _unit(other)))


def _priced_per_time(node: Node, seconds: float) -> Iterator[Node]:
    """With the one price for so long; there are but counts and a time beside it, so that no prefix matters."""
    factors = _factors(node) or []
    prices = [one for one in factors if _is_of(one, _PRICE)]
    times = [one for one in factors if _is_of(one, _TIME)]
    counts = [one for one in factors if not any(option.dimension for option in one.options)]
    if len(prices) == len(times) == 1 and len(counts) + 2 == len(factors):
        yield _with(node, prices[0], _per(prices[0], seconds))


def _factors(node: Node) -> list[Literal] | None:
    """The numbers of a product, None for anything else."""
    if isinstance(node, Literal):
        return [node]
    if not isinstance(node, Operation) or node.sign != "×":
        return None
    found: list[Literal] = []
    for argument in node.arguments:
        factors = _factors(argument)
        if factors is None or len(found) + len(factors) > _MOST:
            return None
        found += factors
    return found


def _is_of(one: Literal, dimension: Dimension) -> bool:
    return all(option.dimension == dimension for option in one.options)


def _unit(one: Literal) -> float:
    """The seconds of the unit of a time, a magnitude before it left out: of million hours those of one."""
    return one.options[0].factor / magnitude(one.unit)


def _per(one: Literal, seconds: float) -> Literal:
    """A number for each of a unit of time."""
    below = (("second", -1),)
    return one._replace(
        options=tuple(
            Reading(option.factor / seconds, joined(option.dimension, below, 1), option.choice)
            for option in one.options
        ),
    )


def _with(node: Node, old: Literal, new: Literal) -> Node:
    """An expression with one of its numbers replaced."""
    if node is old:
        return new
    if isinstance(node, Operation):
        return replace(node, arguments=tuple(_with(argument, old, new) for argument in node.arguments))
    return node
