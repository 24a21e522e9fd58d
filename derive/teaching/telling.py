"""What a lesson says of a step or a fact, and what it costs at the numbers at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy
from sympy.core.relational import Relational

from derive.derivation import Derivation
from derive.facts import Difference, Fact, Identity, Inequality, Limit, NoSolution, Regime, SpecialCase
from derive.ledger import Ledger
from derive.rounding import grouped, significant
from derive.steps import Approx, Bound, Put, Solve, Step, Use
from derive.symbols import Letter, without_units
from derive.teaching.exercise import Maths, Text
from derive.teaching.numbers import Numbers, base_text, percent
from derive.teaching.structure import put_text
from derive.total import Total, expanded


def share(change: sympy.Expr, old: Ledger, numbers: Numbers) -> Text:
    """What a change of a ledger amounts to, and which part of the ledger it is."""
    amount, whole = numbers.of(change), numbers.of(old.total.doit())
    if amount is None or not whole:
        return ()
    part = abs(amount / whole)
    told = f"{percent(part)} of" if part < 1 else f"{_times(part)} times"
    return (f"here {numbers.shown(amount, change)}, {told} the total before",)


def looks_like(before: sympy.Expr, after: sympy.Expr) -> bool:
    """Whether a link only writes the same line again: SymPy keeps apart what a reader cannot."""
    one, other = (sympy.factor_terms(without_units(formula)) for formula in (before, after))
    return bool(one == other)


def step_text(rung: Derivation, step: Step, after: sympy.Expr) -> Text:
    """What a link does, and the line that it leads to."""
    if isinstance(step, Put | Use):
        return (*put_text(step), ": ", Maths(after, rung.letter))
    if isinstance(step, Solve):
        left, right = _readable(step.left), _readable(step.right)
        return ("set ", Maths(left), " equal to ", Maths(right), ": ", Maths(after, rung.letter))
    return (Maths(after, rung.letter, step.relation),)


def step_cost(rung: Derivation, step: Step, before: sympy.Expr, after: sympy.Expr, numbers: Numbers) -> Text:
    """How far a link is from the line before it at the numbers; nothing for one that drops nothing."""
    if numbers.formula != rung.result:
        return _replaced(step, numbers) if isinstance(step, Put) else ()
    if isinstance(step, Approx):
        return _apart(numbers.of(before), numbers.of(after), _bounded(step, numbers))
    if isinstance(step, Bound):
        return _apart(numbers.of(before), numbers.of(after))
    return ()


def _replaced(step: Put, numbers: Numbers) -> Text:
    """A value that the numbers hold in place of the one that the chain puts."""
    own, due = numbers.of(step.letter), numbers.of(step.value)
    if own is None or own == due:
        return ()
    value = base_text(own, step.letter.unit)
    return ("here ", Maths(step.letter), f" is {value}: the lines below speak of another case")


def _bounded(fact: Approx, numbers: Numbers) -> str:
    bound = numbers.of(fact.error_at_most)
    return "" if bound is None else f", and at most {percent(bound)} by the bound"


def fact_text(rung: Derivation, fact: Fact | Approx) -> Text:
    """A fact as a sentence."""
    name = rung.letter
    if isinstance(fact, Approx):
        bound = (Maths(fact.right, name, "≈"), ", off by at most ", Maths(fact.error_at_most))
        return (*bound, *_where(fact.where))
    subject = () if fact.of is None else (Maths(_readable(fact.of)), " ")
    if isinstance(fact, Limit):
        value = Maths(fact.value, name if fact.of is None else "", "→")
        return (*subject, "→ " if fact.of is not None else "", value, " as ", *_approach(fact))
    if isinstance(fact, SpecialCase):
        value = Maths(fact.value, name if fact.of is None else "")
        return ("with ", *_case(fact.put), ": ", *subject, "= " if fact.of is not None else "", value)
    if isinstance(fact, Regime):
        value = Maths(fact.value, name if fact.of is None else "")
        where = f"{fact.name} where " if fact.name else "where "
        return (where, *_conditions(fact.when), ": ", *subject, "= " if fact.of is not None else "", value)
    if isinstance(fact, Identity) and looks_like(fact.left, fact.right):
        return ("counted in two ways, it is ", Maths(fact.left))
    if isinstance(fact, Identity):
        return (Maths(_readable(fact.left)), " = ", Maths(_readable(fact.right)))
    if isinstance(fact, Inequality):
        left, right = Maths(_readable(fact.left)), Maths(_readable(fact.right))
        return (left, f" {fact.relation} ", right, *_where(fact.where))
    if isinstance(fact, Difference):
        changes = (("dropped", fact.dropped), ("added", fact.added))
        rows = "; ".join(f"{word}: {', '.join(row.what for row in rows)}" for word, rows in changes if rows)
        value = Maths(sympy.factor_terms(fact.value))
        return (f"{fact.names[0]} − {fact.names[1]} = ", value, f" ({rows or 'the same rows'})")
    if isinstance(fact, NoSolution):
        return (f"no {name}", *_where(fact.when), f": {fact.says}")
    return (fact.statement(name).replace("**", "^"),)


def _approach(fact: Limit) -> Text:
    """The limit point: T → ∞ with alpha = 0 s."""
    names: list[str | Maths] = []
    for letter in fact.letters:
        names += [", ", Maths(letter)] if names else [Maths(letter)]
    point = {sympy.oo: "∞", sympy.Integer(0): "0⁺"}.get(fact.to)
    to: Text = (f" → {point}",) if point else (" → ", Maths(fact.to))
    together = " together" if len(fact.letters) > 1 else ""
    return (*names, *to, together, *((" with ", *_case(fact.put)) if fact.put else ()))


def _where(conditions: Sequence[Relational]) -> Text:
    """The region in which a statement holds; nothing where it holds everywhere."""
    return (" where ", *_conditions(conditions)) if conditions else ()


def _conditions(conditions: Sequence[Relational]) -> Text:
    signs = {">=": "≥", "<=": "≤"}
    found: list[str | Maths] = []
    for condition in conditions:
        found += [" and "] if found else []
        sign = signs.get(condition.rel_op, condition.rel_op)
        found += [Maths(condition.lhs), f" {sign} ", Maths(condition.rhs)]
    return tuple(found)


def fact_cost(rung: Derivation, fact: Fact | Approx, numbers: Numbers) -> Text:
    """What a fact amounts to at the numbers; nothing of the result where the numbers leave the chain."""
    if numbers.formula != rung.result and not isinstance(fact, Difference | Regime):
        return ()
    exact = numbers.of(rung.result)
    if isinstance(fact, Approx):
        return _apart(exact, numbers.of(fact.right), _bounded(fact, numbers))
    if isinstance(fact, Limit | SpecialCase):
        of = exact if fact.of is None else numbers.of(fact.of)
        return _apart(of, numbers.of(fact.value), unmet=_unmet(fact.put, numbers))
    if isinstance(fact, Regime):
        held = [numbers.holds(condition) for condition in fact.when]
        return () if None in held else ("here it holds" if all(held) else "here it does not hold",)
    if isinstance(fact, Difference):
        amount = numbers.of(fact.value)
        return () if amount is None else (f"here {numbers.shown(amount, fact.value)}",)
    return ()


def _readable(formula: sympy.Expr) -> sympy.Expr:
    """Sums of rows and of terms added up and divided out."""
    if not formula.has(Total, sympy.Sum):
        return formula
    return sympy.factor(expanded(formula).doit())


def _case(put: Mapping[Letter, sympy.Expr]) -> Text:
    """What letters take, with units: m = n, e = 4 byte."""
    found: list[str | Maths] = []
    for letter, value in put.items():
        found += [", "] if found else []
        found += [Maths(value, letter.name), _unit(letter, value)]
    return tuple(found)


def _unit(letter: Letter, value: sympy.Expr) -> str:
    """The unit that stands behind a letter's value where that is a number."""
    bare = letter.unit == "dimensionless" or not without_units(value).is_Rational
    return "" if bare else f" {letter.unit}"


def _unmet(put: Mapping[Letter, sympy.Expr], numbers: Numbers) -> Text:
    """A letter that is not here what a special case assumes; nothing where all are."""
    for letter, value in put.items():
        own, due = numbers.of(letter), numbers.of(value)
        if own is not None and due is not None and own != due:
            is_not = f" is {base_text(own, letter.unit)}, not "
            return (Maths(letter), is_not, Maths(value), f"{_unit(letter, value)}: taken all the same ")
    return ()


def _apart(exact: Fraction | None, simple: Fraction | None, behind: str = "", unmet: Text = ()) -> Text:
    """How far a simpler form is from the exact one at the numbers, where its assumption may not be met."""
    if exact is None or simple is None or not exact:
        return ()
    ratio = simple / exact
    if not ratio:
        return ("here ", *unmet, "it would be 0") if unmet else ("here it is not 0",)
    if ratio == 1:
        return ("here nothing is lost",)
    word = "too large" if ratio > 1 else "too small"
    if Fraction(1, 2) <= ratio <= 2:
        size = f"{percent(abs(ratio - 1))} {word}"
    else:
        size = f"{_times(max(ratio, 1 / ratio))} times {word}"
    return ("here ", *unmet, f"it would be {size}") if unmet else (f"here {size}{behind}",)


def _times(ratio: Fraction) -> str:
    """A ratio to three digits, thousands apart."""
    shown = significant(ratio, 3)
    return grouped(int(shown)) if shown.isdigit() else shown
