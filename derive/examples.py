"""Examples: the result at one point, computed exactly and held to the digits that are stated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import units
from derive.errors import DeriveError
from derive.proofs.verdict import Verdict, proved, refuted
from derive.rounding import with_unit

if TYPE_CHECKING:
    from derive.derivation import Derivation


_LEAST = 10  # half a digit may be a tenth of the value at most: 5, 0.4 and 1e2 show only its magnitude


class Example:
    """A point and the value there: Example({"T": 4096, "d": 128}, "62.06 FLOP/byte").

    The value holds when the computed one rounds to it at the digits written, two or
    more of them; between whole numbers it must be met exactly. Of a computed
    result it is true, false or a list, which must be met exactly.
    """

    def __init__(
        self,
        given: Mapping[str, str | int],
        value: str | bool | Sequence[int | str],
        *,
        on: str | None = None,
        model: str | None = None,
        conventions: Mapping[str, str] | None = None,
    ) -> None:
        self.given, self.on, self.model = dict(given), on, model
        self.conventions = dict(conventions or {})
        self.answer: bool | tuple[Fraction, ...] | None = None
        if isinstance(value, str):
            self.value = value
            self.number, self.unit = units.split(value)
        elif isinstance(value, bool):
            self.value, self.answer = str(value).lower(), value
        else:
            self.value, self.answer = ", ".join(map(str, value)) or "none", tuple(map(Fraction, value))

    def statement(self, letter: str) -> str:
        """The example in words."""
        parts = [f"{name} = {value}" for name, value in self.given.items()]
        parts += [f"on {self.on}"] if self.on else []
        parts += [f"model {self.model}"] if self.model else []
        return f"{letter} = {self.value} at {', '.join(parts)}"

    def prove(self, derivation: Derivation) -> Verdict:
        """Proved when the exact value at this point rounds to the stated one."""
        from derive.evaluation import evaluate_derivation

        try:
            found = evaluate_derivation(
                derivation, given=self.given, on=self.on, model=self.model, conventions=self.conventions
            )
            value = found.exact(self.unit) if self.answer is None else Fraction(0)
        except DeriveError as error:
            return refuted(str(error))
        if self.answer is not None:
            met = found.value == self.answer
            return proved("it is, exactly") if met else refuted(f"it is {found.text} there, not {self.value}")
        half = (
            half_digit(self.value) if self.number.denominator != 1 or value.denominator != 1 else Fraction(0)
        )
        if value != self.number and half * _LEAST > abs(self.number):
            return refuted(f"{self.value} says too little: give two digits or more of {float(value):.10g}")
        if abs(value - self.number) <= half:
            return proved(f"it is {with_unit(f'{float(value):.10g}', self.unit)} there")
        return refuted(f"it is {with_unit(f'{float(value):.10g}', self.unit)} there, not {self.value}")


def half_digit(text: str) -> Fraction:
    """Half a unit of the last digit that a number's text shows."""
    digits = text.split(maxsplit=1)[0].replace(",", "").lower()
    mantissa, _, exponent = digits.partition("e")
    places = len(mantissa.partition(".")[2])
    return Fraction(1, 2) * Fraction(10) ** (int(exponent or 0) - places)
