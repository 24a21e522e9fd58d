"""Letters and unit symbols: the atoms of every formula.

A letter is a positive SymPy symbol that knows its meaning, its unit and the role
that fills it; all of these belong to its identity, so two letters of one name
and different meaning never become one by accident. Extents and counts are plain
numbers. `BYTE`, `FLOP`, `SECOND` … are ordinary positive symbols too: a formula
stays plain SymPy, `dimensions.dimension_of` reads its unit off the tree, compiling
replaces the unit symbols by 1 and printing drops them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
from sympy.core.symbol import Symbol

import units
from derive.errors import DeclarationError


class UnitSymbol(Symbol):
    """One base unit of the registry, as a positive symbol: BYTE, FLOP, SECOND …"""

    __slots__ = ("unit",)
    unit: str

    def __new__(cls, unit: str) -> UnitSymbol:
        made: UnitSymbol = Symbol.__xnew__(cls, unit, positive=True)
        made.unit = unit
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.unit,), {}


class Letter(Symbol):
    """A letter of a formula.

    name: ASCII, as on the command line. meaning: a few words. unit: of the
    registry, "dimensionless" for a plain number. role: what of a machine, model
    or convention fills it ("hardware.peak"). filled_by: the id of the derivation
    that computes it where nothing else gives it. default: its value where nothing
    fills it (plain numbers only). at_least: its least value (a count: 1). at_most:
    its largest one, None where there is none (a share: 1). whole: it counts things.
    """

    __slots__ = ("at_least", "at_most", "default", "filled_by", "meaning", "role", "unit", "wants", "whole")
    meaning: str
    unit: str
    role: str | None
    filled_by: str | None
    default: int | None
    at_least: int
    at_most: int | None
    wants: tuple[tuple[str, str], ...]
    whole: bool

    def __new__(
        cls,
        name: str,
        meaning: str,
        unit: str,
        role: str | None = None,
        filled_by: str | None = None,
        default: int | None = None,
        at_least: int = 0,
        wants: tuple[tuple[str, str], ...] = (),
        nonnegative: bool = False,
        signed: bool = False,
        at_most: int | None = None,
        whole: bool = False,
    ) -> Letter:
        if not (name.isascii() and name.isidentifier()):
            raise DeclarationError(f"{name!r} is no letter: give ASCII letters, digits and _, as in B_r")
        units.factor(unit)
        sign = {"real" if signed else "nonnegative" if nonnegative else "positive": True}
        made: Letter = Symbol.__xnew__(cls, name, **sign)
        made.meaning, made.unit, made.role, made.filled_by = meaning, unit, role, filled_by
        made.default, made.at_least, made.at_most, made.wants = default, at_least, at_most, wants
        made.whole = whole
        return made

    def _hashable_content(self) -> tuple[Any, ...]:
        identity = (
            self.meaning,
            self.unit,
            self.role,
            self.filled_by,
            self.default,
            self.at_least,
            self.at_most,
            self.wants,
            self.whole,
        )
        return (*super()._hashable_content(), tuple(map(str, identity)))

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (
            self.name,
            self.meaning,
            self.unit,
            self.role,
            self.filled_by,
            self.default,
            self.at_least,
            self.wants,
            not self.is_positive,
            not self.is_nonnegative,
            self.at_most,
            self.whole,
        ), {}


def count(
    name: str,
    meaning: str,
    *,
    role: str | None = None,
    filled_by: str | None = None,
    default: int | None = None,
    at_least: int = 1,
) -> Letter:
    """A plain number of things, at least 1 unless said otherwise: a sequence length, a batch, a dimension."""
    return Letter(
        name,
        meaning,
        "dimensionless",
        role=role,
        filled_by=filled_by,
        default=default,
        at_least=at_least,
        whole=True,
    )


def number(
    name: str,
    meaning: str,
    *,
    role: str | None = None,
    filled_by: str | None = None,
    nonnegative: bool = False,
    signed: bool = False,
    at_least: int = 0,
    at_most: int | None = None,
) -> Letter:
    """A plain number that need not be a count, positive unless said otherwise: a ratio, a cost per element.

    at_least: its least value; what a whole draws over what a part of it does has 1. at_most: its largest
    one; a utilization, a rate of acceptance or another share of a whole has 1.
    """
    return Letter(
        name,
        meaning,
        "dimensionless",
        role=role,
        filled_by=filled_by,
        nonnegative=nonnegative,
        signed=signed,
        at_least=at_least,
        at_most=at_most,
    )


def quantity(
    name: str,
    meaning: str,
    unit: str,
    *,
    role: str | None = None,
    filled_by: str | None = None,
    nonnegative: bool = False,
    **wants: str,
) -> Letter:
    """A positive amount with a unit; `wants` names the tags that a constant must bear to fill it.

    Raises units.UnitError for an unknown unit.
    """
    tags = tuple(sorted(wants.items()))
    return Letter(name, meaning, unit, role=role, filled_by=filled_by, wants=tags, nonnegative=nonnegative)


BYTE = UnitSymbol("byte")
FLOP = UnitSymbol("FLOP")
OP = UnitSymbol("OP")
SECOND = UnitSymbol("second")
CYCLE = UnitSymbol("cycle")
TOKEN = UnitSymbol("token")
SEQUENCE = UnitSymbol("sequence")
PARAMETER = UnitSymbol("parameter")
ELEMENT = UnitSymbol("element")
DEVICE = UnitSymbol("device")
NODE = UnitSymbol("node")
LAYER = UnitSymbol("layer")
TRANSFER = UnitSymbol("transfer")
JOULE = UnitSymbol("joule")
DOLLAR = UnitSymbol("dollar")
BIT = BYTE / 8

_SYMBOLS = (BYTE, FLOP, OP, SECOND, CYCLE, TOKEN, SEQUENCE, PARAMETER, ELEMENT, DEVICE, NODE, LAYER, TRANSFER)
_BASE = {symbol.unit: symbol for symbol in (*_SYMBOLS, JOULE, DOLLAR)}


def unit_expression(unit: str) -> sympy.Expr:
    """A unit's text as an expression of unit symbols: "GB/s" is 10⁹·BYTE/SECOND. Raises units.UnitError."""
    scale, dimension = units.factor(unit)
    parts = [_BASE[base] ** sympy.Rational(power) for base, power in dimension]
    return sympy.Mul(sympy.Rational(scale.numerator, scale.denominator), *parts)


def letters_of(expression: sympy.Basic) -> list[Letter]:
    """The letters in an expression, by name."""
    found = (s for s in expression.free_symbols if isinstance(s, Letter))
    return sorted(found, key=lambda letter: (letter.name, letter.meaning))


def without_units(expression: sympy.Expr) -> sympy.Expr:
    """The expression with every unit symbol replaced by 1: for compiling and printing only."""
    return expression.xreplace({s: sympy.Integer(1) for s in expression.atoms(UnitSymbol)})


def expression(value: object, where: str, *, infinite: bool = False) -> sympy.Expr:
    """A declared value as an expression: an int, a Fraction or SymPy; a float would hide its digits.

    infinite: whether it may hold ∞, as the ends of a limit do. Raises DeclarationError, naming `where`.
    """
    if isinstance(value, sympy.Expr):
        if value.has(sympy.zoo, sympy.nan):
            raise DeclarationError(f"{where}: {value} has no value: something is divided by zero there")
        if value.has(sympy.oo, -sympy.oo) and not infinite:
            raise DeclarationError(f"{where}: {value} is not finite; what happens at infinity is a Limit")
        if value.atoms(sympy.Float):
            raise DeclarationError(f"{where}: {value} holds a decimal; write 0.5 as Rational(1, 2)")
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return sympy.Integer(value)
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    if isinstance(value, str):
        raise DeclarationError(f"{where}: {value!r} is only text; write the formula itself, without quotes")
    if isinstance(value, float):
        raise DeclarationError(f"{where}: {value!r} is a decimal; write 0.5 as Rational(1, 2)")
    raise DeclarationError(f"{where}: {value!r} is no expression; give a formula or a whole number")
