"""A line of arithmetic laid open: any number or part of it may have been meant otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from derive.calc.errors import CalcError
from derive.calc.expression import Expression
from derive.calc.numbers import apply
from derive.calc.typed import Typed
from derive.reconcile.search import factor_text

Key = tuple[str, int, int]
"""What is replaced: a "value" (of a literal or part) or the "weight" of a term, and its place in the line."""


@dataclass(frozen=True)
class Part:
    """A part of the line: its value, and where it stands: "term", "above" or "below" a fraction, "exponent", "".

    conversion: the part is the factor of a conversion that the line names.
    """

    typed: Typed
    place: str
    literal: bool
    conversion: bool = False

    @property
    def key(self) -> Key:
        """Under which its value is replaced."""
        return ("conversion" if self.conversion else "value", *self.typed.span)

    @property
    def weight(self) -> Key:
        """Under which its weight as a term is replaced."""
        return ("weight", *self.typed.span)

    @property
    def value(self) -> float:
        """Its value in base units."""
        return float(self.typed.value or 0)


class Line:
    """A checked line as a function of its parts' values and of the weight of each term of a sum."""

    def __init__(self, expression: Expression) -> None:
        self.text = expression.text
        self.typed = expression.typed
        self.parts: dict[Key, Part] = {}
        self.products: list[list[Part]] = []
        self._collect(self.typed, "", None)

    def literals(self) -> Iterator[Part]:
        """The numbers of the line, with the units bound to them."""
        return (part for part in self.parts.values() if part.literal)

    def terms(self) -> list[Part]:
        """The terms of its sums and differences."""
        return [part for part in self.parts.values() if part.place == "term"]

    def _collect(self, typed: Typed, place: str, product: list[Part] | None) -> None:
        inner, conversion = _converted(typed)
        if conversion is not None:
            self._collect(inner, place, product)
            part = Part(replace(conversion, span=typed.span), "conversion", literal=False, conversion=True)
            self.parts[part.key] = part
            return
        part = Part(typed, place, _is_literal(typed))
        self.parts.setdefault(part.key, part)
        if product is not None and not (typed.operation in ("*", "/") and not part.literal):
            product.append(part)
        if part.literal:
            return
        below = {"above": "below", "below": "above"}
        operation, arguments = typed.operation, typed.arguments
        if operation in ("*", "/"):
            if product is None:
                product, place = [], "above"
                self.products.append(product)
            self._collect(arguments[0], place, product)
            if not _is_unit(arguments[1], typed):
                self._collect(arguments[1], place if operation == "*" else below[place], product)
        else:
            places = {"+": ("term", "term"), "-": ("term", "term"), "^": ("base", "exponent")}
            for argument, where in zip(arguments, places.get(operation, ("", "")), strict=False):
                group = where == "term" and argument.operation in ("+", "-")
                self._collect(argument, "" if group else where, None)

    def base(self) -> dict[Any, float]:
        """Nothing is replaced."""
        return {}

    def function(self) -> Callable[[Mapping[Any, float]], float | None]:
        """The line's value in base units with parts replaced; None where there is none."""
        compute = self._function(self.typed)

        def value(at: Mapping[Any, float]) -> float | None:
            try:
                found = compute(at)
            except (CalcError, ArithmeticError, ValueError):
                return None
            return found if found == found and abs(found) != float("inf") else None

        return value

    def _function(self, typed: Typed) -> Callable[[Mapping[Any, float]], float]:
        inner, conversion = _converted(typed)
        if conversion is not None:
            compute, key, usual = (
                self._function(inner),
                ("conversion", *typed.span),
                float(conversion.value or 0),
            )
            return lambda at: compute(at) * at.get(key, usual)
        key, known = ("value", *typed.span), float(typed.value or 0)
        if _is_literal(typed):
            return lambda at: at.get(key, known)
        parts = [self._function(argument) for argument in typed.arguments]
        if typed.operation in ("*", "/") and _is_unit(typed.arguments[1], typed):
            scale = float(typed.arguments[1].value or 0)
            parts[1] = lambda at: scale
        made = _combined(typed, parts)
        return lambda at: at[key] if key in at else made(at)

    def told(self, changed: Mapping[Any, float], shown: Mapping[Any, str]) -> tuple[str, str]:
        """The line with changed parts written in; nothing stands behind it."""
        order = sorted(changed, key=lambda key: (key[1], -key[2], key[0] != "weight"))
        return self._rewritten(0, len(self.text), order, changed, shown).strip(), ""

    def _rewritten(
        self, start: int, stop: int, keys: list[Key], changed: Mapping[Any, float], shown: Mapping[Any, str]
    ) -> str:
        """A stretch of the line with the changes in it, outer ones around inner ones."""
        text, at = "", start
        while keys:
            key, *rest = keys
            inner = [one for one in rest if one[1] < key[2]]
            old = self._rewritten(key[1], key[2], inner, changed, shown).strip()
            text += self.text[at : key[1]] + self._written(key, changed[key], shown.get(key, ""), old)
            keys, at = rest[len(inner) :], key[2]
        return text + self.text[at:stop]

    def _written(self, key: Key, value: float, shown: str, old: str) -> str:
        part = self.parts[("value", *key[1:])] if key[0] == "weight" else self.parts[key]
        if key[0] == "weight" or part.conversion:
            times = value if key[0] == "weight" else value / part.value
            if not times and not part.typed.dimension:
                return "0"
            inner = f"({old})" if part.typed.operation in ("+", "-") else old
            return f"({factor_text(times)} × {inner})"
        if shown:
            return f"({shown})" if " " in shown else shown
        if part.typed.dimension:
            return f"({factor_text(value / part.value)} × {old})" if part.value else f"{value:g}"
        return f"{value:.15g}" if value.is_integer() else factor_text(value)


def _combined(
    typed: Typed, parts: list[Callable[[Mapping[Any, float]], float]]
) -> Callable[[Mapping[Any, float]], float]:
    operation, span = typed.operation, typed.span
    if operation == "guard":
        return parts[0]
    if operation in ("+", "-"):
        (left, right), sign = parts, 1 if operation == "+" else -1
        one, two = (("weight", *argument.span) for argument in typed.arguments)
        return lambda at: left(at) * at.get(one, 1.0) + sign * right(at) * at.get(two, 1.0)
    if operation == "*":
        left, right = parts
        return lambda at: left(at) * right(at)
    if operation == "/":
        left, right = parts
        return lambda at: left(at) / right(at)
    return lambda at: float(apply(operation, [part(at) for part in parts], span))


def _is_literal(typed: Typed) -> bool:
    """A number, or a number times the factor of the unit bound to it."""
    if not typed.arguments:
        return True
    return typed.operation == "*" and not typed.arguments[0].arguments and _is_unit(typed.arguments[1], typed)


def _is_unit(argument: Typed, typed: Typed) -> bool:
    """Whether a factor is that of the unit bound to its neighbour."""
    return argument.operation == "number" and not argument.arguments and argument.span == typed.span


def _converted(typed: Typed) -> tuple[Typed, Typed | None]:
    """What a conversion such as `as dense` was applied to, and its factor; the part itself without one."""
    if typed.operation == "*" and typed.arguments:
        inner, factor = typed.arguments
        if factor.operation == "number" and factor.span == inner.span:
            return inner, factor
    return typed, None
