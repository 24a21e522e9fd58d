"""Facts in words and formulas, and what each amounts to at the values at hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

import sympy
from sympy.core.relational import Relational

from derive import facts as engine
from derive.derivation import Link
from derive.dimensions import dimension_of, dimension_text
from derive.proofs.verdict import Verdict
from derive.steps import Approx
from derive.symbols import Letter
from reports.latex import formula, letter_latex, with_units
from reports.point import Point
from reports.quantities import amount, percent_text
from reports.view import Fact, Formula, Rich
from reports.wording import proof, tidy
from reports.worked import bare, equals

_RELATIONS = {"=": "=", "≈": r"\approx", "→": r"\to", "≤": r"\leq", "≥": r"\geq", "<": "<", ">": ">"}


def relation_latex(relation: str) -> str:
    """A relation sign as LaTeX; a value that is put or solved for stands behind =."""
    return _RELATIONS.get(relation, "=")


def fact_view(fact: engine.Fact | Approx, link: Link, point: Point) -> Fact:
    """A fact with its verdict."""
    kind, statement = _worded(fact, letter_latex(point.form.letter), link)
    here = _here(fact, point, link.verdict) if point.on_chain else ()
    return Fact(kind, statement, fact.because, proof(link.verdict), here)


def check_view(link: Link) -> Fact:
    """A statement about a computed result, proved case by case."""
    said = tidy(link.statement)
    return Fact("Check", (said[:1].upper() + said[1:],), link.because, proof(link.verdict), ())


def region(conditions: Sequence[Relational], before: str = " where ") -> Rich:
    """where T ≥ d and … ; nothing for no condition."""
    parts: list[str | Formula] = []
    for condition in conditions:
        parts += [" and " if parts else before, Formula(formula(condition))]
    return tuple(parts)


def replacements(put: dict[Letter, sympy.Expr], before: str) -> Rich:
    """where m = n, k = n."""
    if not put:
        return ()
    shown = ", ".join(f"{letter_latex(letter.name)} = {with_units(value)}" for letter, value in put.items())
    return (before, Formula(shown))


def approximation_here(approx: Approx, exact: sympy.Expr, point: Point, verdict: Verdict) -> Rich:
    """The size of an approximation's error at the values at hand, beside its bound."""
    about, true, bound = (point.number(side) for side in (approx.right, exact, approx.error_at_most))
    if about is None or true is None or bound is None or true == 0:
        return ()
    if not all(point.holds(condition) for condition in approx.where):
        return ("The values here lie outside that region.",)
    shown = amount(about, _unit(approx.right))
    return (
        "Here it is ",
        Formula(shown.latex),
        f", with an error of {percent_text(abs(about - true) / true)}; the bound ",
        Formula(formula(approx.error_at_most)),
        f" is {percent_text(bound)} ({verdict.outcome}).",
    )


def _unit(expression: sympy.Expr) -> str:
    dimension = dimension_of(expression)
    return dimension_text(dimension) if dimension else "dimensionless"


def _subject(fact: engine.Fact, name: str) -> str:
    return name if fact.of is None else formula(fact.of)


@singledispatch
def _worded(fact: engine.Fact | Approx, name: str, link: Link) -> tuple[str, Rich]:
    """The kind of a fact and its statement; one that has no wording of its own is told as the engine tells it."""
    return type(fact).__name__, (tidy(link.statement),)


@_worded.register
def _(fact: Approx, name: str, link: Link) -> tuple[str, Rich]:
    bound = Formula(formula(fact.error_at_most))
    return "Approximation", (
        Formula(rf"{name} \approx {formula(fact.right)}"),
        " with a relative error of at most ",
        bound,
        *region(fact.where),
    )


@_worded.register
def _(fact: engine.Limit, name: str, link: Link) -> tuple[str, Rich]:
    to = r"0^{+}" if fact.to == 0 else formula(fact.to)
    letters = ", ".join(letter_latex(letter.name) for letter in fact.letters)
    together = " together" if len(fact.letters) > 1 else ""
    return "Limit", (
        Formula(rf"{_subject(fact, name)} \to {formula(fact.value)}"),
        " as ",
        Formula(rf"{letters} \to {to}"),
        together,
        *replacements(fact.put, " with "),
    )


@_worded.register
def _(fact: engine.SpecialCase, name: str, link: Link) -> tuple[str, Rich]:
    statement = Formula(f"{_subject(fact, name)} = {formula(fact.value)}")
    return "Special case", (statement, *replacements(fact.put, " where "))


@_worded.register
def _(fact: engine.Regime, name: str, link: Link) -> tuple[str, Rich]:
    statement = Formula(f"{_subject(fact, name)} = {formula(fact.value)}")
    return f"Regime, {fact.name}" if fact.name else "Regime", (statement, *region(fact.when))


@_worded.register
def _(fact: engine.Inequality, name: str, link: Link) -> tuple[str, Rich]:
    sides = f"{formula(fact.left)} {relation_latex(fact.relation)} {formula(fact.right)}"
    return "Inequality", (Formula(sides), *region(fact.where))


@_worded.register
def _(fact: engine.NoSolution, name: str, link: Link) -> tuple[str, Rich]:
    return "No solution", ("There is no ", Formula(name), *region(fact.when), f": {fact.says}")


@_worded.register
def _(fact: engine.Identity, name: str, link: Link) -> tuple[str, Rich]:
    left, right = formula(fact.left), formula(fact.right)
    if left == right:  # two ways of counting that come to the same
        return "Identity", ("Both ways give ", Formula(left))
    return "Identity", (Formula(f"{left} = {right}"),)


@_worded.register
def _(fact: engine.Difference, name: str, link: Link) -> tuple[str, Rich]:
    changes = [("dropped", fact.dropped), ("added", fact.added)]
    rows = "; ".join(f"{word}: {', '.join(row.what for row in rows)}" for word, rows in changes if rows)
    between = f"{fact.names[0]} − {fact.names[1]}: "
    return "Difference", (between, Formula(formula(fact.value)), f" ({rows or 'the same rows'})")


@_worded.register
def _(fact: engine.AtLeast, name: str, link: Link) -> tuple[str, Rich]:
    sides = rf"{name} \geq {formula(fact.derivation.result)}"
    return "Bound", (Formula(sides), f", the {fact.derivation.title}")


@_worded.register
def _(fact: engine.Ceiling, name: str, link: Link) -> tuple[str, Rich]:
    return "Ceiling", (Formula(rf"{name} \leq {formula(fact.limit)}"), *region(fact.where))


@singledispatch
def _here(fact: engine.Fact | Approx, point: Point, verdict: Verdict) -> Rich:
    """What a fact amounts to at the values; nothing for the kinds that have no number of their own."""
    return ()


@_here.register
def _(fact: Approx, point: Point, verdict: Verdict) -> Rich:
    return approximation_here(fact, point.form.result, point, verdict)


@_here.register
def _(fact: engine.Limit, point: Point, verdict: Verdict) -> Rich:
    if (
        not fact.value.is_finite
        or fact.value.is_Number
        or any(_differs(point, pair) for pair in fact.put.items())
    ):
        return ()
    limit, exact = point.number(fact.value), point.number(fact.subject(point.form.result))
    if not limit or not exact:  # nothing to hold a share against
        return ()
    shown = Formula(f"{formula(fact.value)} {equals(amount(limit, _unit(fact.value)))}")
    if limit == exact:
        return ("Here ", shown, ", which is the value itself.")
    side = "above" if limit > exact else "below"
    return ("Here ", shown, f", {percent_text(abs(limit - exact) / exact)} {side} the value at this point.")


def _differs(point: Point, pair: tuple[Letter, sympy.Expr]) -> bool:
    letter, value = pair
    there = point.number(value)
    return there is None or letter not in point.values or point.values[letter].value != there


@_here.register
def _(fact: engine.Regime, point: Point, verdict: Verdict) -> Rich:
    holding = [point.holds(condition) for condition in fact.when]
    if None in holding:
        return ()
    compared = [_compared(condition.lhs, condition.rhs, point) for condition in fact.when]
    told: Rich = ("It holds here: " if all(holding) else "It does not hold here: ",)
    for number, sides in enumerate(compared):
        told = (*told, *((", and ",) if number else ()), *sides)
    return (*told, ".")


@_here.register
def _(fact: engine.Inequality, point: Point, verdict: Verdict) -> Rich:
    compared = _compared(fact.left, fact.right, point)
    if not compared or not all(point.holds(condition) for condition in fact.where):
        return ()
    return ("Here ", *compared, ".")


def _compared(left: sympy.Expr, right: sympy.Expr, point: Point) -> Rich:
    """Both sides at the values; nothing where one has none."""
    numbers = point.number(left), point.number(right)
    unit = _unit(left if left != 0 else right)
    shown = [amount(number, unit) for number in numbers if number is not None]
    if len(shown) < len(numbers):
        return ()
    one, other = map(bare, shown)
    return ("the left side is ", one, ", the right side ", other)
