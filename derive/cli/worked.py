"""Formulas for the terminal: with their letters, and with each letter's number and unit in its place."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.stringpict import prettyForm
from sympy.printing.str import StrPrinter

import units
from derive.filling import Filled
from derive.rounding import is_rounded, significant, with_unit
from derive.symbols import UnitSymbol

_LONG = 10**15
_SHORT = {"second": "s", "dollar": "USD"}


class LetterValue(sympy.Symbol):
    """A letter that prints as its value. Of the same name, and of a class that sorts before
    `UnitSymbol` as `Letter` does, so that numbers stand where their letters stood and units behind them."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, name: str, text: str) -> LetterValue:
        made: LetterValue = sympy.Symbol.__xnew__(cls, name, positive=True)
        made.text = text
        return made

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), self.text)


class _Pretty(PrettyPrinter):
    def _as_ordered_terms(self, expr: sympy.Expr, order: str | None = None) -> list[sympy.Expr]:
        return _positive_first(super()._as_ordered_terms(expr, order))

    def _print_LetterValue(self, value: LetterValue) -> prettyForm:
        # a unit with a slash needs brackets in a product, any unit does under an exponent
        binding = (
            prettyForm.ADD if "/" in value.text else prettyForm.MUL if " " in value.text else prettyForm.ATOM
        )
        return prettyForm(value.text, binding=binding)

    def _print_UnitSymbol(self, unit: UnitSymbol) -> prettyForm:
        return prettyForm(_SHORT.get(unit.unit, unit.unit))

    def _print_Max(self, branches: sympy.Max | sympy.Min) -> prettyForm:
        inner = self._print_seq(branches.args, "(", ")", delimiter=", ")
        return prettyForm(*inner.left(type(branches).__name__.lower()), binding=prettyForm.FUNC)

    _print_Min = _print_Max


class _Line(StrPrinter):
    def _as_ordered_terms(self, expr: sympy.Expr, order: str | None = None) -> list[sympy.Expr]:
        return _positive_first(super()._as_ordered_terms(expr, order))

    def _print_LetterValue(self, value: LetterValue) -> str:
        return f"({value.text})" if " " in value.text else value.text

    def _print_UnitSymbol(self, unit: UnitSymbol) -> str:
        return _SHORT.get(unit.unit, unit.unit)

    def _print_Max(self, branches: sympy.Max | sympy.Min) -> str:
        return f"{type(branches).__name__.lower()}({', '.join(map(self.doprint, branches.args))})"

    _print_Min = _print_Max


def _positive_first(terms: list[sympy.Expr]) -> list[sympy.Expr]:
    """The terms of a sum with those that are subtracted last: d − 2R, not −2R + d."""
    return sorted(terms, key=lambda term: bool(term.could_extract_minus_sign()))


def substituted(formula: sympy.Expr, inputs: Iterable[Filled]) -> sympy.Expr:
    """The formula with each letter shown as its number and unit; unit symbols stay, so that the units can be read."""
    shown = {filled.letter: LetterValue(filled.letter.name, value_text(filled)) for filled in inputs}
    return _tidy(formula).xreplace(shown)


def value_text(filled: Filled) -> str:
    """A value as its source wrote it, or else in full where it is whole, or else to six digits."""
    if filled.constant is not None:
        return filled.constant.text
    if filled.amount.denominator == 1 and is_rounded(filled.amount, 6) and filled.amount < _LONG:
        return with_unit(str(filled.amount.numerator), filled.letter.unit)
    if filled.letter.unit == "dimensionless" and filled.amount >= _LONG:
        return significant(filled.amount, 6)
    return filled.text


def says_all(text: str, value: Fraction) -> bool:
    """Whether a text such as "62.06 FLOP/byte" is this value in base units to the last digit."""
    number, _, unit = text.replace("%", " percent").partition(" ")
    return Fraction(number) * units.factor(unit)[0] == value


def formula_text(formula: sympy.Expr, before: str, width: int, *, unicode: bool) -> str:
    """The formula in two dimensions behind `before` ("I = "), or on one line where it is wider than `width`."""
    shown = _tidy(formula)
    pretty = _Pretty({"use_unicode": unicode, "wrap_line": False})
    block = prettyForm(*pretty._print(shown).left(before))
    text: str = block.render(wrap_line=False)
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(lines) if max(map(len, lines)) <= width else before + line_text(shown)


def line_text(formula: sympy.Expr) -> str:
    """The formula on one line, in full."""
    text: str = _Line().doprint(_tidy(formula))
    return text.replace("**", "^")


def _tidy(formula: sympy.Expr) -> sympy.Expr:
    """The same formula with common numbers before its sums: 2(T + d), where SymPy writes 2T + 2d."""
    return sympy.factor_terms(formula)
