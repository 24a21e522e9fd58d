"""What a line of arithmetic is made of, each part with its place in the line."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derive.calc.errors import Span
from units.kinds import Kinds


@dataclass(frozen=True)
class Unit:
    """A named unit as it was written, in the singular.

    factor: what one is in base units.  dimension: (base, power) pairs.
    """

    name: str
    factor: Fraction
    dimension: tuple[tuple[str, Fraction], ...]


Uses = tuple[tuple[Unit, Fraction], ...]
"""Units with their powers, in the order in which they were written."""


@dataclass(frozen=True)
class Node:
    """Any part of the line."""

    span: Span


@dataclass(frozen=True)
class Number(Node):
    """A plain number. digits: how many were significant; whole: written as an integer."""

    value: Fraction
    digits: int
    whole: bool


@dataclass(frozen=True)
class Quantity(Node):
    """A number (1 where none is written) and the units bound to it."""

    number: Node
    uses: Uses
    explicit: bool


@dataclass(frozen=True)
class Name(Node):
    """A free letter."""

    name: str


@dataclass(frozen=True)
class Entry(Node):
    """A constant of the catalogue, such as h100-sxm.peak[bf16]."""

    entry: str
    role: str
    kinds: Kinds


@dataclass(frozen=True)
class Unary(Node):
    """−x."""

    operand: Node


@dataclass(frozen=True)
class Binary(Node):
    """operator is one of + - * / ^ < > <= >= ==."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Call(Node):
    """A function of the vocabulary and its arguments."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Tagged(Node):
    """x [sparse, bf16]."""

    operand: Node
    kinds: Kinds


@dataclass(frozen=True)
class Read(Node):
    """x as dense: a named conversion between kinds."""

    operand: Node
    axis: str
    value: str


@dataclass(frozen=True)
class Convert(Node):
    """x -> GB [dense]."""

    operand: Node
    uses: Uses
    kinds: Kinds
    shown: str


def children(node: Node) -> tuple[Node, ...]:
    """The parts of a part."""
    match node:
        case Quantity(number=number):
            return (number,)
        case (
            Unary(operand=operand)
            | Tagged(operand=operand)
            | Read(operand=operand)
            | Convert(operand=operand)
        ):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments):
            return arguments
        case _:
            return ()


def is_measured(node: Node) -> bool:
    """Whether a part bears a unit other than %."""
    if isinstance(node, Quantity):
        return any(unit.name != "%" for unit, _ in node.uses) or is_measured(node.number)
    return isinstance(node, Entry) or any(is_measured(child) for child in children(node))


def is_tagged(node: Node) -> bool:
    """Whether a kind is written, or brought along by a constant, anywhere in a part."""
    return isinstance(node, Tagged | Entry) or any(is_tagged(child) for child in children(node))
