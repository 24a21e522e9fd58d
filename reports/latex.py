"""Formulas as LaTeX: unit symbols dropped, or numbers and units put for the letters.

SymPy's printers choose a method by class name, so that `_print_Letter` meets every
`Letter`. Products are printed from their factors and never multiplied again:
SymPy would turn 2·(T + d) into 2T + 2d. A sum or a list of branches that is too
wide for a line becomes an array of lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy.core.relational import Relational
from sympy.printing.latex import LatexPrinter, translate

import units
from derive.dimensions import dimension_text
from derive.symbols import Letter, UnitSymbol, letters_of
from derive.total import Total
from reports.quantities import Amount, unit_latex
from reports.widths import width_of

LINE = 64.0
"""The width of a line in letters; a formula that is wider is broken."""

_RELATIONS = {"==": "=", "!=": r"\neq", "<": "<", ">": ">", "<=": r"\leq", ">=": r"\geq"}
_SHORT = {"second": "s", "dollar": "USD"}
_BRACKETED = (sympy.Sum, sympy.Product, sympy.Piecewise, Relational)


def formula(expression: sympy.Basic) -> str:
    """An expression or a condition with its units dropped."""
    return _print(_unitless(expression), {})


def with_units(expression: sympy.Expr) -> str:
    """An expression with its unit symbols behind it: 2 byte, 1 byte."""
    one = r"1\ " if _unitless(expression) == 1 and expression != 1 else ""
    return one + _print(expression, {})


def with_numbers(expression: sympy.Expr, numbers: Mapping[Letter, Amount], unit: str) -> str:
    """An expression of `unit` with each letter's number and unit in its place.

    Where all letters are plain numbers the unit stands once behind the whole;
    otherwise unit symbols stay where they are.
    """
    if any(letter.unit != "dimensionless" for letter in letters_of(expression)):
        return _print(expression, numbers)
    plain = _unitless(expression)
    shown = _print(plain, numbers)
    if unit == "dimensionless":
        return shown
    if _is_sum(plain):
        shown = rf"\left({shown}\right)"
    return rf"{shown}\ {unit_latex(base_unit(unit))}"


def base_unit(unit: str) -> str:
    """The unit in which a formula without its unit symbols counts: "FLOP/byte", "s"."""
    dimension = units.dimension_of(unit)
    return dimension_text(dimension) if dimension else "dimensionless"


def letter_latex(name: str) -> str:
    r"""A letter's name as LaTeX: B_{r}, \alpha, t_{0}, \mathit{weights}."""
    base, _, below = name.partition("_")
    shown = translate(base) if len(base) > 1 else base
    if len(base) > 1 and not shown.startswith("\\"):
        shown = rf"\mathit{{{base}}}"
    if not below:
        return str(shown)
    below = below.replace("_", ",")
    short = len(below) == 1 or below.isdigit()
    return rf"{shown}_{{{below}}}" if short else rf"{shown}_{{\mathrm{{{below}}}}}"


def _print(expression: sympy.Basic, numbers: Mapping[Letter, Amount]) -> str:
    # `\cr` ends a line as `\\` does, and Markdown leaves it alone
    return str(_Printer(numbers).doprint(expression)).replace(r"\\", r"\cr").replace(r"\:", " ")


def _unitless(expression: sympy.Basic) -> sympy.Basic:
    return expression.xreplace({symbol: sympy.Integer(1) for symbol in expression.atoms(UnitSymbol)})


class _Printer(LatexPrinter):
    """LaTeX with `numbers` in the place of letters."""

    def __init__(self, numbers: Mapping[Letter, Amount]) -> None:
        super().__init__()
        self.numbers = numbers

    def _print(self, expr: Any, **options: Any) -> str:
        if isinstance(expr, Total):  # its own _latex would put it in brackets everywhere
            return self._sum(expr.args)
        return str(super()._print(expr, **options))

    def _print_Letter(self, expr: Letter, style: str = "plain") -> str:
        found = self.numbers.get(expr)
        return letter_latex(expr.name) if found is None else found.latex

    def _print_Symbol(self, expr: sympy.Symbol, style: str = "plain") -> str:
        return letter_latex(expr.name)

    _print_Dummy = _print_Symbol

    def _print_UnitSymbol(self, expr: UnitSymbol, style: str = "plain") -> str:
        return rf"\mathrm{{{_SHORT.get(expr.unit, expr.unit)}}}"

    def _print_Add(self, expr: sympy.Add, order: str | None = None) -> str:
        terms = self._as_ordered_terms(expr, order=order)
        return self._sum(sorted(terms, key=lambda term: bool(term.could_extract_minus_sign())))

    def _print_Mul(self, expr: sympy.Mul) -> str:
        above: list[sympy.Expr] = []
        below: list[sympy.Expr] = []
        coefficient = divisor = sympy.Integer(1)
        for factor in expr.as_ordered_factors():
            if factor.is_Rational:
                coefficient, divisor = coefficient * factor.p, divisor * factor.q
            elif factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
                common, rest = _primitive(1 / factor)
                divisor *= common
                below.append(rest)
            else:
                common, rest = _primitive(factor)
                coefficient *= common
                above.append(rest)
        sign = "- " if coefficient < 0 else ""
        above = ([abs(coefficient)] if abs(coefficient) != 1 else []) + above
        below = ([divisor] if divisor != 1 else []) + below
        if not below:
            return sign + self._product(above)
        return rf"{sign}\frac{{{self._product(above)}}}{{{self._product(below)}}}"

    def _print_Pow(self, expr: sympy.Pow) -> str:
        base, exponent = expr.base, expr.exp
        if exponent.is_Rational and exponent < 0:
            return rf"\frac{{1}}{{{self._print(1 / expr)}}}"
        if exponent == sympy.Rational(1, 2):
            return rf"\sqrt{{{self._print(base)}}}"
        shown = self._print(base)
        found = self.numbers.get(base)
        bare = base.is_Symbol if found is None else found.is_plain
        if not (bare or (base.is_Integer and base >= 0)):
            shown = rf"\left({shown}\right)"
        return rf"{shown}^{{{self._print(exponent)}}}"

    def _print_ExpBase(self, expr: sympy.exp, exp: Any = None) -> str:
        return rf"\exp\left({self._print(expr.args[0])}\right)"  # e is the size of an element

    def _print_Max(self, expr: sympy.Max, exp: Any = None) -> str:
        name = r"\max" if isinstance(expr, sympy.Max) else r"\min"
        branches = [self._print(branch) for branch in sorted(expr.args, key=sympy.default_sort_key)]
        return rf"{name}\left({_lines([f'{branch},' for branch in branches[:-1]] + branches[-1:])}\right)"

    _print_Min = _print_Max

    def _print_Relational(self, expr: Relational) -> str:
        return f"{self._print(expr.lhs)} {_RELATIONS[expr.rel_op]} {self._print(expr.rhs)}"

    def _sum(self, terms: Sequence[sympy.Expr]) -> str:
        pieces: list[str] = []
        for term in terms:
            negative = bool(term.could_extract_minus_sign())
            size = -term if negative else term
            shown = self._print(size)
            if len(terms) > 1 and _is_sum(size):
                shown = rf"\left({shown}\right)"
            sign = "- " if negative else "+ "
            pieces.append((sign if pieces or negative else "") + shown)
        return _lines(pieces)

    def _product(self, factors: list[sympy.Expr]) -> str:
        """Factors side by side: numbers, letters, sums, and unit symbols last."""
        measures = [factor for factor in factors if factor.atoms(UnitSymbol) == factor.free_symbols != set()]
        rest = [factor for factor in factors if factor not in measures]
        if self.numbers:
            rest.sort(key=lambda factor: not self._bears_unit(factor) and not factor.is_Number)
        rest.sort(key=lambda factor: isinstance(factor, sympy.Sum))
        if measures and (not rest or self._bears_unit(rest[-1])):
            numbers = [factor for factor in rest if factor.is_Number] or [sympy.Integer(1)]
            rest = [factor for factor in rest if not factor.is_Number] + numbers
        shown = ""
        for index, factor in enumerate(rest):
            last = index == len(rest) - 1
            text = self._print(factor)
            if self._needs_brackets(factor, last=last and not measures, alone=len(factors) == 1):
                text = rf"\left({text}\right)"
            dotted = (
                self.numbers or (text[0].isdigit() and shown[-1:].isdigit()) or r"\mathit" in shown + text
            )
            joint = r" \cdot " if dotted else " "
            shown += (joint if shown else "") + text
        for measure in measures:
            shown += (r"\ " if shown else "") + self._print(measure)
        return shown or "1"

    def _bears_unit(self, factor: sympy.Expr) -> bool:
        return any(letter.unit != "dimensionless" for letter in letters_of(factor))

    @staticmethod
    def _needs_brackets(factor: sympy.Expr, *, last: bool, alone: bool) -> bool:
        if alone:
            return False
        if isinstance(factor, sympy.Sum):
            return not last
        return isinstance(factor, _BRACKETED) or _is_sum(factor)


def _is_sum(expression: sympy.Basic) -> bool:
    """Whether it prints as a sum: so does a ledger's total of several rows."""
    if isinstance(expression, Total):
        return len(expression.args) > 1 or _is_sum(expression.args[0])
    return isinstance(expression, sympy.Add)


def _primitive(factor: sympy.Expr) -> tuple[sympy.Integer, sympy.Expr]:
    """A sum's common whole factor and what it leaves: 2T + 2d is 2 and T + d."""
    if not factor.is_Add:
        return sympy.Integer(1), factor
    common, rest = factor.primitive()
    return (common, rest) if common.is_Integer else (sympy.Integer(1), factor)


def _lines(pieces: list[str]) -> str:
    """The pieces of a sum or a list side by side; on lines of an array where they are wider than one."""
    rows = [""]
    for piece in pieces:
        longer = f"{rows[-1]} {piece}".strip()
        if rows[-1] and width_of(longer) > LINE:
            rows.append(piece)
        else:
            rows[-1] = longer
    if len(rows) == 1:
        return rows[0]
    between = r" \cr \cr " if any(r"\frac" in row for row in rows) else r" \cr "
    body = between.join(rf"\displaystyle {'{} ' if row[0] in '+-' else ''}{row}" for row in rows)
    return rf"\begin{{array}}{{l}} {body} \end{{array}}"
