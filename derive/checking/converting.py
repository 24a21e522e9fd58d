"""Conversions that an author writes out: 400 Gb/s / 8 = 50 GB/s, 16 days × 24 = 384 hours, 0.131 × 100 = 13.1 %.

The units change by themselves and the factor stands there all the same. Such a line is right
where the numbers without their units agree, and the sides with their units agree once
the factor is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from derive.checking.grammar import Node, Operation, leaves
from derive.checking.scope import evaluate
from derive.checking.values import Literal
from derive.checking.words import Reading, magnitude

_FACTORS = (
    7, 8, 12, 24, 30, 60, 100, 168, 365, 730, 1e3, 1024, 1440, 3600, 8192, 8760, 86_400, 1e6, 3.6e6, 1024**2,
    31_536_000, 1e9, 1024**3, 1e12, 1024**4, 1.024, 1.024**2, 1.024**3, 1.024**4,
)  # fmt: skip
_ROUNDED = 5e-4
_NEAR = 0.006
_MOST = 12


def without_factor(left: Node, right: Node) -> list[tuple[Node, Node]]:
    """Two sides that differ, with a factor left out on one of them that the words or the units stand for.

    That is a factor of conversion, where the numbers agree as they are printed; the percentage before a whole
    that is worked out (33.5 % of the 2 × 1,979 = 3,958); the million of dollars per million ($0.44 / 0.201M = $2.19).
    """
    sides = [(shorter, right) for shorter in _told_per(left)] + [
        (left, shorter) for shorter in _told_per(right)
    ]
    if _agree_bare(left, right):
        sides += [(shorter, right) for shorter in _without(left)] + [
            (left, shorter) for shorter in _without(right)
        ]
    return sides[:_MOST]


def shortened(node: Node) -> list[Node]:
    """An expression, and without each of its factors that may convert its units."""
    return [node, *_without(node)][:_MOST]


def _told_per(node: Node) -> Iterator[Node]:
    """An expression without the percentage that it begins with, or divided by its millions and not by all of them."""
    if isinstance(node, Literal):
        many = magnitude(node.unit.rpartition("/")[2]) if "/" in node.unit else 1.0
        if many > 1:
            yield node._replace(options=tuple(one.times(many) for one in node.options))
        return
    if not isinstance(node, Operation) or node.sign not in ("×", "/"):
        return
    one, other = node.arguments
    if node.sign == "×" and isinstance(one, Literal) and one.unit == "%":
        yield other
    if node.sign == "×" and isinstance(one, Literal) and isinstance(other, Literal):
        for count, price in ((one, other), (other, one)):
            if price.unit == "USD" and magnitude(count.unit) > 1:  # a price for a million of them
                yield replace(node, arguments=(_bare(count._replace(unit="")), price))
    if node.sign == "/" and isinstance(other, Literal) and magnitude(other.unit) > 1:
        yield replace(node, arguments=(one, _bare(other._replace(unit=""))))
    for shorter in _told_per(one):
        yield replace(node, arguments=(shorter, other))


def _without(node: Node) -> Iterator[Node]:
    """An expression with one factor of a conversion left out, each in turn."""
    if not isinstance(node, Operation) or node.sign not in ("×", "/"):
        return
    one, other = node.arguments
    if _is_factor(other):
        yield one
    if node.sign == "×" and _is_factor(one):
        yield other
    for place, argument in enumerate(node.arguments):
        for shorter in _without(argument):
            yield replace(node, arguments=(shorter, other) if place == 0 else (one, shorter))


def _is_factor(node: Node) -> bool:
    """Whether a number without a unit, or a power of one, is what two units differ by."""
    if not all(isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(node)):
        return False
    if isinstance(node, Operation) and node.sign != "^":
        return False
    value = evaluate(node, {})
    return value is not None and any(abs(value.mid / factor - 1) < _ROUNDED for factor in _FACTORS)


def _agree_bare(left: Node, right: Node) -> bool:
    """Whether the numbers agree as they are printed, thousands aside that a prefix may stand for."""
    sides = [evaluate(_bare(side), {}) for side in (left, right)]
    values = [side.mid for side in sides if side is not None and side.mid > 0]
    if len(values) < len(sides):
        return False
    ratio = values[0] / values[1]
    return abs(ratio / 1000.0 ** round(math.log10(ratio) / 3) - 1) < _NEAR


def _bare(node: Node) -> Node:
    """An expression with the units of its numbers left out, magnitudes such as billion kept."""
    if isinstance(node, Literal):
        return node._replace(options=(Reading(magnitude(node.unit), ()),))
    if isinstance(node, Operation):
        return replace(node, arguments=tuple(map(_bare, node.arguments)))
    return node
