"""The inverse of a formula: which value of a letter gives a result.

Rational formulas become a polynomial in the letter: degree 1 and 2 and pure
powers are solved in closed form, every branch of Max and Min by itself. A
solution counts only when it is positive and gives the result back when
substituted: by algebra where letters are left open, exactly where all are
numbers. Where no closed form is found and everything else is a number, the
value is bracketed: the formula is below the result at one end and above it at
the other, both computed exactly, and continuous in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import sympy
from sympy.core.function import AppliedUndef

from derive.catalogue import get
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.evaluation import Question, entries
from derive.filling import Context, Filled, Given, read
from derive.powers import oversized
from derive.proofs import Verdict, prove_equal
from derive.proofs.verdict import proved, refuted
from derive.rounding import quantity_text
from derive.suggest import nearest
from derive.symbols import Letter, letters_of, quantity, without_units
from derive.total import expanded

_DIGITS = 12
_GRID = range(-40, 81)


@dataclass(frozen=True)
class Root:
    """One value of the letter: its formula, its number where all letters are known, and the proof.

    value is in base units, exact where the formula is rational, else to 30 digits,
    or the middle of `bracket`, between whose ends the result is passed.
    """

    formula: sympy.Expr
    value: Fraction | None
    text: str
    verdict: Verdict
    bracket: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True)
class Solution:
    """The values of a letter that give the result; `none` says why there is none.

    equals: the result asked for as text, or "" where it is left open. inputs: the
    other letters' values and where they came from.
    """

    derivation: Derivation
    letter: Letter
    equals: str
    formula: sympy.Expr
    roots: tuple[Root, ...]
    inputs: tuple[Filled, ...]
    conventions: Mapping[str, str]
    none: str = ""


def solve(
    id: str,
    letter: str,
    equals: object = None,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
) -> Solution:
    """Solve a formula for one of its letters.

    equals: the result, as text with a unit or a plain number; left open where
    None. Other letters are filled as `evaluate` fills them and stay open where
    nothing does. Raises DeriveError for an unknown letter or a wrong unit.
    """
    return solve_derivation(get(id), letter, equals, given, on, model, conventions, hardware)


def solve_derivation(
    derivation: Derivation,
    letter: str,
    equals: object = None,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
) -> Solution:
    """`solve` for a derivation at hand."""
    context = Context(given or {}, *entries(on, model, hardware), conventions or {})
    if letter in context.given:
        raise DeriveError(f"{letter} is both given and asked for: leave one out")
    question = Question(derivation, context)
    derivation, formula = question.derivation, question.formula
    if formula.has(AppliedUndef):
        raise DeriveError(f"{derivation.name} is computed case by case: it cannot be solved for {letter}")
    unknown = _named(derivation, formula, letter)
    result = quantity(_fresh(derivation.letter, formula), derivation.title, derivation.unit)
    others = [other for other in letters_of(formula) if other != unknown]
    inputs, _ = question.fill(others, partly=True)
    question.check_given()
    values = {filled.letter: filled.value for filled in inputs}
    target = None if equals is None else read(result, equals)
    roots = tuple(_roots(formula, unknown, result, target, values, complete=len(inputs) == len(others)))
    none = "" if roots else _why_none(derivation, unknown, equals)
    return Solution(
        derivation,
        unknown,
        "" if equals is None else str(equals),
        formula,
        roots,
        tuple(inputs),
        dict(context.in_force),
        none,
    )


def _named(derivation: Derivation, formula: sympy.Expr, name: str) -> Letter:
    found = {letter.name: letter for letter in letters_of(formula)}
    if name in found:
        return found[name]
    if any(letter.name == name for letter in derivation.all_letters):
        raise DeriveError(
            f"{name} does not occur in the result of {derivation.name}: it cancels or has a value put"
        )
    raise DeriveError(
        f"{derivation.name} has no letter {name!r}{nearest(name, found)}: it has {', '.join(found)}"
    )


def _fresh(name: str, formula: sympy.Expr) -> str:
    taken = {symbol.name for symbol in formula.free_symbols}
    name = name if name.isascii() and name.isidentifier() else "y"
    while name in taken:
        name += "_0"
    return name


def _roots(
    formula: sympy.Expr,
    unknown: Letter,
    result: Letter,
    target: Fraction | None,
    values: Mapping[Letter, Fraction],
    *,
    complete: bool,
) -> Iterator[Root]:
    seen: list[sympy.Expr] = []
    numeric = complete and target is not None
    for branch in _branches(formula):
        for root in _closed_forms(branch - result, unknown):
            if root in seen:
                continue
            seen.append(root)
            if numeric:
                known = _numbers({**values, result: target or Fraction(0)})
                value = without_units(root).xreplace(known)
                verdict = _check(formula, unknown, value, target or Fraction(0), known)
                if value.is_positive and verdict.proved:
                    yield Root(root, _fraction(value), _text(value, unknown), verdict)
            else:
                verdict = prove_equal(branch.xreplace({unknown: root}), result)
                if root.is_negative is not True and verdict.proved:
                    yield Root(root, None, "", verdict)
    if numeric and not seen:
        yield from _bracketed(formula, unknown, target or Fraction(0), _numbers(values))


def _branches(formula: sympy.Expr) -> list[sympy.Expr]:
    node = next((n for n in sympy.preorder_traversal(formula) if isinstance(n, sympy.Max | sympy.Min)), None)
    if node is None:
        return [formula]
    return [branch for chosen in node.args for branch in _branches(formula.xreplace({node: chosen}))]


def _closed_forms(equation: sympy.Expr, unknown: Letter) -> list[sympy.Expr]:
    top = sympy.fraction(sympy.cancel(sympy.together(expanded(equation).doit())))[0]
    if not top.is_polynomial(unknown):
        return []
    coefficients = sympy.Poly(top, unknown).all_coeffs()
    degree = len(coefficients) - 1
    if degree < 1:
        return []
    if degree == 1:
        return [sympy.factor(-coefficients[1] / coefficients[0])]
    if not any(coefficients[1:-1]):
        return [sympy.simplify((-coefficients[-1] / coefficients[0]) ** sympy.Rational(1, degree))]
    if degree == 2:
        a, b, c = coefficients
        root = sympy.sqrt(sympy.factor(b**2 - 4 * a * c))
        return [sympy.simplify((-b + sign * root) / (2 * a)) for sign in (1, -1)]
    return []


def _check(
    formula: sympy.Expr,
    unknown: Letter,
    value: sympy.Expr,
    target: Fraction,
    known: dict[sympy.Symbol, sympy.Expr],
) -> Verdict:
    """Substitute the value back into the whole formula, Max and Min included."""
    if not value.is_finite:
        return refuted("the value is not finite")
    back = without_units(formula).xreplace(known).xreplace({unknown: value}).doit() - _rational(target)
    if back == 0 or sympy.simplify(back) == 0:
        return proved("substituted back it gives the result exactly")
    return refuted("substituted back it does not give the result")


def _bracketed(
    formula: sympy.Expr, unknown: Letter, target: Fraction, known: dict[sympy.Symbol, sympy.Expr]
) -> Iterator[Root]:
    """A value between two ends at which the formula lies on different sides of the result."""
    plain = without_units(formula).xreplace(known)
    if plain.has(sympy.floor, sympy.ceiling, sympy.Piecewise):
        return

    def above(at: Fraction) -> bool | None:
        if oversized(plain, {unknown: _rational(at)}) is not None:
            return None
        found = plain.xreplace({unknown: _rational(at)}).doit()
        gap = (found - _rational(target)).evalf(40)
        return bool(gap > 0) if gap.is_Float or gap.is_Rational else None

    grid = [Fraction(2) ** power for power in _GRID]
    sides = [above(at) for at in grid]
    for low, high, left, right in zip(grid, grid[1:], sides, sides[1:], strict=False):
        if left is None or right is None or left == right:
            continue
        while high - low > low / 10**_DIGITS:  # halved each time: at most 40 rounds
            middle = (low + high) / 2
            low, high = (middle, high) if above(middle) == left else (low, middle)
        middle = (low + high) / 2
        text = quantity_text(middle, unknown.unit, 6)
        verdict = proved(
            f"the result lies between the formula's values at {float(low):.15g} and {float(high):.15g}"
        )
        yield Root(unknown, middle, text, verdict, (low, high))


def _why_none(derivation: Derivation, unknown: Letter, equals: object) -> str:
    for fact in derivation.no_solution:
        return fact.says
    if equals is None:
        return f"no closed form for {unknown.name}: give every other letter and --equals, and it is bracketed"
    return f"no positive {unknown.name} gives {equals}"


def _numbers(values: Mapping[Letter, Fraction]) -> dict[sympy.Symbol, sympy.Expr]:
    return {letter: _rational(value) for letter, value in values.items()}


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def _fraction(value: sympy.Expr) -> Fraction:
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else Fraction(str(value.evalf(30)))


def _text(value: sympy.Expr, unknown: Letter) -> str:
    from units import factor

    return quantity_text(_fraction(value) / factor(unknown.unit)[0], unknown.unit, 6)
