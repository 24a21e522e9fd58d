"""The result of an evaluation: a value with its unit, its inputs and their origins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

import units
from derive.dimensions import dimension_text
from derive.errors import DimensionError, NoValue
from derive.filling import Filled
from derive.rounding import DIGITS, quantity_text, significant, with_unit

if TYPE_CHECKING:
    from derive.derivation import Derivation

Value = Fraction | bool | tuple[Fraction, ...]
"""A number in base units; of a computed result true or false, or a list of numbers."""


@dataclass(frozen=True)
class Evaluation:
    """A filled formula: its value in base units, and where each number came from.

    formula: the expression that was filled. inputs: its letters in order.
    computed: the evaluations that filled letters of this one, by letter.
    none: why there is no value here, or "". asked: the id of the question, of which
    the derivation may be the form under a convention or for a model's family. says:
    the answer in words, of a computed result.
    """

    derivation: Derivation
    formula: sympy.Expr
    inputs: tuple[Filled, ...]
    computed: Mapping[str, Evaluation]
    conventions: Mapping[str, str]
    value: Value | None
    unit: str
    none: str = ""
    hardware: str | None = None
    model: str | None = None
    asked: str = ""
    says: str = ""

    def exact(self, unit: str | None = None) -> Fraction:
        """The exact value in `unit` (the evaluation's own where none is given).

        Raises NoValue where there is none or no single number, DimensionError for another dimension.
        """
        if self.value is None:
            raise NoValue(f"{self.derivation.name} has no value here: {self.none}")
        if not isinstance(self.value, Fraction):
            kind = "true or false" if isinstance(self.value, bool) else "a list"
            raise NoValue(f"{self.derivation.name} is {kind}, not a single number")
        return self.value / factor_of(unit or self.unit, self.derivation)

    @property
    def base_float(self) -> float:
        """The value in base units as a float. Raises NoValue."""
        return as_float(self.exact() * factor_of(self.unit, self.derivation))

    def magnitude(self, unit: str | None = None) -> float:
        """The value in `unit` as a float. Raises NoValue, DimensionError."""
        return as_float(self.exact(unit))

    @property
    def number(self) -> int | float | bool | list[int | float]:
        """The value in `unit`: an exact integer where it is one; true or false; a list."""
        if isinstance(self.value, bool):
            return self.value
        if isinstance(self.value, tuple):
            factor = factor_of(self.unit, self.derivation)
            return [json_number(one / factor) for one in self.value]
        return json_number(self.exact())

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on what was given: a count that is no whole number."""
        own = (
            f"{one.letter.name} = {one.text} is no whole number, and {one.letter.name} ({one.letter.meaning}) "
            "counts things: the value is the formula's, not that of a real case"
            for one in self.inputs
            if one.source == "given" and one.letter.whole and one.value.denominator != 1
        )
        inner = (note for evaluation in self.computed.values() for note in evaluation.notes)
        return tuple(dict.fromkeys((*own, *inner)))

    @property
    def text(self) -> str:
        """The value to four significant digits in the unit in which it reads best."""
        if self.value is None:
            return f"none: {self.none}"
        if self.says:
            return self.says
        if self.unit != self.derivation.unit:
            return with_unit(significant(self.exact(), DIGITS), self.unit)
        return quantity_text(self.exact(), self.unit)

    def as_json(self) -> dict[str, Any]:
        """What `derive eval --json` prints."""
        return {
            "id": self.asked or self.derivation.id,
            "value": None if self.value is None else self.number,
            "unit": self.unit,
            "text": self.text,
            "inputs": [
                {
                    "symbol": filled.letter.name,
                    "value": json_number(filled.amount),
                    "unit": filled.letter.unit,
                    "source": filled.source,
                }
                for filled in self.inputs
            ],
            "conventions": dict(self.conventions),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        from derive.notebook import evaluation_bundle

        return evaluation_bundle(self)


def factor_of(unit: str, derivation: Derivation) -> Fraction:
    """The factor of a unit that a derivation's result can be given in. Raises DimensionError."""
    scale, dimension = units.factor(unit)
    own = units.dimension_of(derivation.unit)
    if dimension != own:
        kind = f"in {dimension_text(own)}" if own else "a plain number"
        raise DimensionError(f"{derivation.name} is {kind}: it cannot be given in {unit}")
    return scale


def json_number(value: Fraction) -> int | float:
    """The value as an integer where it is one, else as a float. Raises NoValue outside a float's range."""
    return int(value) if value.denominator == 1 else as_float(value)


def as_float(value: Fraction) -> float:
    """The value as a float. Raises NoValue where it would become 0 or infinity."""
    try:
        found = float(value)
    except OverflowError:
        found = 0.0
    if found == 0 and value:
        raise NoValue(f"{significant(value)} is outside the range of a float, 1e-323 to 1e308")
    return found
