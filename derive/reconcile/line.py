"""A line of arithmetic laid open: each literal of it is a number that may have been meant otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from derive.calc.errors import CalcError
from derive.calc.expression import Expression
from derive.calc.numbers import apply
from derive.calc.typed import Typed
from derive.reconcile.search import Change
from derive.reconcile.slips import Input, Slip, of_input

_TERM = "term"


class Line:
    """A checked line as a function of its literals (by their place) and of the weight of each term of a sum."""

    def __init__(self, expression: Expression) -> None:
        self.text = expression.text
        self.typed = expression.typed
        self.literals: dict[tuple[int, int], Typed] = {}
        self.terms: list[tuple[int, int]] = []
        self._collect(self.typed)

    def _collect(self, part: Typed) -> None:
        if _is_literal(part):
            self.literals.setdefault(part.span, part)
            return
        for argument in part.arguments:
            if part.operation in ("+", "-"):
                self.terms.append(argument.span)
            self._collect(argument)

    def base(self) -> dict[Any, float]:
        """The literals' values in base units, and a weight of 1 for each term."""
        values: dict[Any, float] = {span: float(part.value or 0) for span, part in self.literals.items()}
        return values | {(_TERM, *span): 1.0 for span in self.terms}

    def function(self) -> Callable[[Mapping[Any, float]], float | None]:
        """The line's value in base units at changed literals; None where there is none."""

        def value(at: Mapping[Any, float]) -> float | None:
            try:
                return self._value(self.typed, at)
            except (CalcError, ArithmeticError, ValueError):
                return None

        return value

    def _value(self, part: Typed, at: Mapping[Any, float]) -> float:
        if _is_literal(part):
            return at[part.span]
        values = [self._value(argument, at) for argument in part.arguments]
        if part.operation in ("+", "-"):
            weights = (at[(_TERM, *argument.span)] for argument in part.arguments)
            values = [value * weight for value, weight in zip(values, weights, strict=True)]
        return values[0] if part.operation == "guard" else float(apply(part.operation, values, part.span))

    def told(self, changed: Mapping[Any, float], factor: str) -> str:
        """The line with changed literals written in, and a factor in front."""
        text = self.text
        for span, value in sorted(((key[-2:], value) for key, value in changed.items()), reverse=True):
            start, end = span
            part = self.literals.get(span)
            old = text[start:end].strip()
            if part is None:
                new = "0"
            elif part.dimension:
                new = f"({value / float(part.value or 1):.6g} × {old})"
            else:
                new = f"{value:.6g}"
            text = text[:start] + new + text[end:]
        text = text.strip()
        return f"{factor} × ({text})" if factor else text

    def changes(self) -> Iterator[Change]:
        """Slips of each literal, and plain factors and terms left out."""
        for span, part in self.literals.items():
            text = self.text[span[0] : span[1]].strip(" ()")
            value = float(part.value or 0)
            for slip in of_input(Input(text, "a number of the line", "literal", part.dimension, value), None):
                yield Change(slip, {span: slip.value})
            if not part.dimension and value not in (0.0, 1.0):
                yield Change(Slip("factor left out", f"the factor {text} is left out", 1.0, 1.2), {span: 1.0})
        yield Change(
            Slip("counted twice", "the whole is counted twice, as K and V are", 2.0, 1.9), factor=2.0
        )
        yield Change(Slip("counted once", "only half is counted, as K without V", 0.5, 1.9), factor=0.5)
        for span in self.terms:
            text = self.text[span[0] : span[1]].strip(" ()")
            yield Change(
                Slip("term left out", f"the term {text} is left out", 0.0, 1.3), {(_TERM, *span): 0.0}
            )


def _is_literal(part: Typed) -> bool:
    """A number, or a number times the factor of the unit bound to it."""
    if any(argument.arguments for argument in part.arguments):
        return False
    return not part.arguments or (part.operation == "*" and part.span in [a.span for a in part.arguments])
