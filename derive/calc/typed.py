"""A checked part of a line: its operation in base units, and what its unit and kind are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from derive.calc.errors import Span
from derive.calc.numbers import Value, apply
from derive.calc.tree import Unit, Uses
from units import Dimension
from units.kinds import Kinds


@dataclass(frozen=True)
class Typed:
    """operation: one of `numbers`, or "number", "letter", "guard" (a utilization's bounds).

    value: the exact value in base units, None where free letters are in it.
    uses: the units as written, for naming the result's.
    counts: the powers of GPU, node and layer that come from plain counts of them.
    """

    operation: str
    arguments: tuple[Typed, ...]
    span: Span
    dimension: Dimension = ()
    uses: Uses = ()
    kinds: Kinds = ()
    counts: Dimension = ()
    value: Value | None = None
    name: str = ""


def number(value: Value, span: Span) -> Typed:
    """A plain number."""
    return Typed("number", (), span, value=value)


def computed(operation: str, arguments: tuple[Typed, ...], span: Span) -> Typed:
    """An operation on checked parts, worked out where all their values are known."""
    values = [argument.value for argument in arguments]
    known = [value for value in values if value is not None]
    value = apply(operation, known, span) if len(known) == len(values) else None
    return Typed(operation, arguments, span, value=value)


def scaled(part: Typed, factor: Fraction) -> Typed:
    """The same part times a plain factor."""
    made = part if factor == 1 else computed("*", (part, number(factor, part.span)), part.span)
    return replace(made, dimension=part.dimension, uses=part.uses, kinds=part.kinds, counts=part.counts)


def powers(*terms: tuple[Dimension, Fraction | int]) -> Dimension:
    """The dimension of a product of powers."""
    found: dict[str, Fraction] = {}
    for dimension, times in terms:
        for base, power in dimension:
            found[base] = found.get(base, Fraction(0)) + power * times
    return tuple(sorted((base, power) for base, power in found.items() if power))


def merged(*terms: tuple[Uses, Fraction | int]) -> Uses:
    """The written units of a product of powers, in order; a power of 0 keeps its name in mind."""
    found: dict[Unit, Fraction] = {}
    for uses, times in terms:
        for unit, power in uses:
            found[unit] = found.get(unit, Fraction(0)) + power * times
    return tuple(found.items())


def in_flop(dimension: Dimension) -> Dimension:
    """The dimension with MAC read as FLOP."""
    return powers(*(((("FLOP" if base == "MAC" else base, power),), 1) for base, power in dimension))
