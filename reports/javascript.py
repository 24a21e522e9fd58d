"""Formulas as JavaScript: calls of the exact arithmetic that a page brings along (templates/arithmetic.js).

Numbers there are fractions of whole numbers of any size, so that a page computes
what Python computes and floor(64) is never floor(63.999…). Letters become places
of a list: no text of a formula file or of a reader becomes code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction

import sympy
from sympy.core.relational import Relational
from sympy.printing.printer import Printer

from derive.errors import DeriveError
from derive.symbols import Letter, without_units
from derive.total import expanded

_FUNCTIONS = {
    sympy.Max: "max",
    sympy.Min: "min",
    sympy.floor: "floor",
    sympy.ceiling: "ceil",
    sympy.Abs: "abs",
    sympy.exp: "exp",
    sympy.log: "log",
}
_RELATIONS = {"==": "=== 0", "!=": "!== 0", "<": "< 0", ">": "> 0", "<=": "<= 0", ">=": ">= 0"}


def function(formula: sympy.Basic, places: Mapping[Letter, int]) -> str:
    """A formula or a condition as a function of the list of its letters' values in base units.

    places: where each letter stands in that list. Raises DeriveError for a formula
    that has no such form: a sum that does not close, a function computed case by case.
    """
    plain = without_units(expanded(formula)).doit()
    return f"v => {_Exact(places).doprint(plain)}"


def fraction(numerator: int, denominator: int = 1) -> str:
    """A fraction as a constant of the arithmetic."""
    return f"[{numerator}n, {denominator}n]"


def constant(value: Fraction) -> str:
    """`fraction` of a Fraction."""
    return fraction(value.numerator, value.denominator)


def text(value: str) -> str:
    """A text as a literal that no tag inside it can end."""
    return json.dumps(value).replace("<", r"\u003c")


def object_(**members: str) -> str:
    """An object of members that are code."""
    return f"{{ {', '.join(f'{name}: {code}' for name, code in members.items())} }}"


def array(items: Iterable[str]) -> str:
    """A list of code."""
    return f"[{', '.join(items)}]"


class _Exact(Printer):
    """Nested calls; each node of the tree is one."""

    def __init__(self, places: Mapping[Letter, int]) -> None:
        super().__init__()
        self.places = places

    def emptyPrinter(self, expr: sympy.Basic) -> str:
        for kind, name in _FUNCTIONS.items():
            if isinstance(expr, kind):
                return self._call(name, expr.args)
        raise DeriveError(f"{expr} has no form in JavaScript")

    def _print_Letter(self, expr: Letter) -> str:
        if expr not in self.places:
            raise DeriveError(f"{expr.name} ({expr.meaning}) has no place in the list of values")
        return f"v[{self.places[expr]}]"

    def _print_Rational(self, expr: sympy.Rational) -> str:
        return fraction(int(expr.p), int(expr.q))

    def _print_NumberSymbol(self, expr: sympy.NumberSymbol) -> str:
        return f"q.number({float(expr)!r})"

    def _print_Add(self, expr: sympy.Add) -> str:
        return self._call("add", expr.args)

    def _print_Mul(self, expr: sympy.Mul) -> str:
        return self._call("mul", expr.args)

    def _print_Pow(self, expr: sympy.Pow) -> str:
        if expr.exp == sympy.Rational(1, 2):
            return self._call("sqrt", (expr.base,))
        return self._call("pow", (expr.base, expr.exp))

    def _print_Relational(self, expr: Relational) -> str:
        return f"q.compare({self._print(expr.lhs)}, {self._print(expr.rhs)}) {_RELATIONS[expr.rel_op]}"

    def _print_BooleanTrue(self, expr: sympy.Basic) -> str:
        return "true"

    def _print_BooleanFalse(self, expr: sympy.Basic) -> str:
        return "false"

    def _print_Piecewise(self, expr: sympy.Piecewise) -> str:
        branches = [f"({self._print(when)}) ? {self._print(value)} : " for value, when in expr.args]
        return f"({''.join(branches)}q.nowhere())"

    def _call(self, name: str, arguments: tuple[sympy.Basic, ...]) -> str:
        return f"q.{name}({', '.join(self._print(argument) for argument in arguments)})"
