"""The numbers of a lesson: what fills each letter of a derivation, and expressions worked out there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy
from sympy.core.relational import Relational

import units
from derive.derivation import Derivation
from derive.dimensions import dimension_of, dimension_text
from derive.errors import DeriveError
from derive.evaluation import Question, entries, known_letters
from derive.filling import Context, Filled
from derive.powers import oversized
from derive.rounding import quantity_text, significant
from derive.steps import Use
from derive.symbols import Letter, without_units
from derive.teaching.exercise import Maths, Text
from derive.teaching.making import input_text, told


@dataclass(frozen=True)
class Numbers:
    """The filled letters of a derivation, the formula that is filled, and its value; "" where letters are missing.

    The formula is the end of the chain, or an earlier line where the numbers replace what the
    chain puts. replaced: the letters for which the chain puts another derivation.
    """

    filled: Mapping[Letter, Filled]
    formula: sympy.Expr
    value_text: str
    replaced: frozenset[Letter] = frozenset()

    @property
    def text(self) -> Text:
        """The numbers for a sentence: T = 4096, d = 128."""
        found: list[str | Maths] = []
        for letter, one in self.filled.items():
            if letter not in self.replaced:
                found += [", "] if found else []
                found += [Maths(letter), f" = {input_text(one)}"]
        return tuple(found)

    def of(self, formula: sympy.Expr, changed: Mapping[Letter, Fraction] | None = None) -> Fraction | None:
        """An expression in base units at the numbers, some letters changed; None where one has no number."""
        values = {letter: one.value for letter, one in self.filled.items()} | dict(changed or {})
        numbers = {
            letter: sympy.Rational(value.numerator, value.denominator) for letter, value in values.items()
        }
        if oversized(formula, numbers) is not None:
            return None
        found = without_units(formula).xreplace(numbers).doit()
        if not (found.is_number and found.is_finite):
            return None
        if not found.is_Rational:
            found = sympy.Rational(str(found.evalf(30)))
        return Fraction(int(found.p), int(found.q))

    def holds(self, condition: Relational) -> bool | None:
        """Whether a condition holds at the numbers; None where a letter has none."""
        left, right = self.of(condition.lhs), self.of(condition.rhs)
        if left is None or right is None:
            return None
        return bool(condition.func(sympy.Rational(str(left)), sympy.Rational(str(right))) == sympy.true)

    def shown(self, amount: Fraction, like: sympy.Expr) -> str:
        """An amount in base units, in the readable unit of an expression."""
        dimension = dimension_of(like)
        return base_text(amount, dimension_text(dimension) if dimension else "dimensionless")


@dataclass(frozen=True)
class Asking:
    """What the reader gives: values by letter, a machine, a model, choices of conventions, a file of machines."""

    given: Mapping[str, object]
    on: str | None
    model: str | None
    conventions: Mapping[str, str]
    hardware: str | None = None

    def question(self, rung: Derivation, given: Mapping[str, object]) -> Question:
        owners = entries(self.on, self.model, self.hardware)
        return Question(rung, Context(given, *owners, self.conventions))


def at(rung: Derivation, asking: Asking) -> Numbers:
    """The numbers of a derivation: given ones, then those of its first example where nothing fills a letter.

    Raises DeriveError for a value of the wrong unit and an unknown machine, model or choice.
    """
    known = known_letters(rung, ()) | {letter.name for letter in rung.all_letters}
    own = {name: value for name, value in asking.given.items() if name in known}
    example = rung.examples[0] if rung.examples else None
    if example is not None and not (asking.on or asking.model):
        asking = replace(asking, on=example.on, model=example.model)
    plain = asking.question(rung, own)
    lacking = {letter.name for letter in rung.letters} - {one.letter.name for one in _filled(plain, rung)}
    lent = {name: str(value) for name, value in (example.given if example else {}).items() if name in lacking}
    question = asking.question(rung, {**own, **lent}) if lent else plain
    filled = {one.letter: one for one in _filled(question, rung)}
    try:
        answer = question.answer()
        formula, value = answer.formula, answer.text
    except DeriveError:
        formula, value = rung.result, ""
    replaced = frozenset(step.letter for step in rung.steps if isinstance(step, Use))
    return Numbers(filled, formula, value, replaced)


def _filled(question: Question, rung: Derivation) -> list[Filled]:
    found, _ = question.fill(rung.all_letters, partly=True)
    return found


def base_text(amount: Fraction, unit: str) -> str:
    """An amount in base units as text in a readable unit."""
    name = "s" if unit == "second" else unit
    if unit == "parameter":
        return told(f"{significant(amount)} parameter")
    return quantity_text(amount / units.factor(name)[0], name)


def percent(share: Fraction) -> str:
    """A share as "3.1 %"."""
    return f"{significant(share * 100, 2)} %"
