"""Evaluation: a derivation filled with numbers, exactly, each with its origin.

Numbers are exact fractions in base units throughout; a unit and a rounding are
chosen only where the result is read (`text`, `magnitude`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import sympy
from sympy.core.relational import Relational

import units
from derive.catalogue import get
from derive.computed import Computed
from derive.constants import Entry, hardware, model
from derive.errors import DeriveError, NoValue
from derive.facts import Ceiling, NoSolution
from derive.filling import Context, Filled, Given, domain, missing, put_value
from derive.powers import oversized, refused_sum
from derive.powers import value as value_of
from derive.proofs.signs import region_text
from derive.proofs.verdict import shown
from derive.result import Evaluation, Value, factor_of
from derive.rounding import significant
from derive.steps import Approx, Bound, Put
from derive.suggest import nearest
from derive.symbols import Letter, letters_of, without_units

if TYPE_CHECKING:
    from derive.derivation import Derivation

_NEST = 12

__all__ = ["Evaluation", "MissingLetters", "Question", "entries", "evaluate", "evaluate_derivation"]


def evaluate(
    id: str,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
    to: str | None = None,
) -> Evaluation:
    """Fill a derivation and compute it.

    id: of the catalogue. given: values by letter, as numbers, texts with a unit
    or pint quantities. on, model: names of the constants that fill roles.
    conventions: choices by name. hardware: a TOML file with machines of one's own.
    to: the unit of the result. Raises DeriveError for anything missing, unknown
    or of the wrong unit or kind.
    """
    return evaluate_derivation(
        get(id), given=given, on=on, model=model, conventions=conventions, extra=hardware, to=to
    )


def evaluate_derivation(
    derivation: Derivation,
    *,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    extra: str | Path | None = None,
    to: str | None = None,
) -> Evaluation:
    """`evaluate` for a derivation at hand."""
    context = Context(given or {}, *entries(on, model, extra), conventions or {})
    question = Question(derivation, context)
    evaluation = question.answer(to)
    question.check_given()
    return evaluation


def entries(on: str | None, name: str | None, extra: str | Path | None) -> tuple[Entry | None, Entry | None]:
    """The machine and the model of these names; `extra` is a file with machines of one's own."""
    path = Path(extra) if extra is not None else None
    return (hardware(on, path) if on else None), (model(name) if name else None)


class MissingLetters(DeriveError):
    """Letters that nothing fills; the message lists them with units."""

    def __init__(self, message: str, letters: list[Letter]) -> None:
        super().__init__(message)
        self.letters = letters


class Question:
    """A derivation asked in a context: which form holds under the conventions, and what fills its letters."""

    def __init__(self, derivation: Derivation, context: Context, above: tuple[str, ...] = ()) -> None:
        if derivation.name in above or len(above) > _NEST:
            raise DeriveError(f"circular use: {' → '.join((*above, derivation.name))}")
        self.context = context
        self.above = (*above, derivation.name)
        self.asked = derivation
        self.derivation = _under_convention(_of_family(derivation, context), context)
        self.formula = _formula(self.derivation, context)

    def answer(self, to: str | None = None) -> Evaluation:
        """The value, in `to` or the derivation's own unit. Raises DeriveError for what is missing."""
        derivation, context = self.derivation, self.context
        inputs, computed = self.fill(letters_of(self.formula))
        values = {filled.letter: filled for filled in inputs}
        none = _no_solution(derivation, values)
        value = None if none else _value(derivation, self.formula, values)
        _check_ceilings(derivation, value)
        unit = to or derivation.unit
        factor_of(unit, derivation)
        return Evaluation(
            derivation,
            self.formula,
            tuple(inputs),
            computed,
            dict(context.in_force),
            value,
            unit,
            none,
            context.hardware.name if context.hardware else None,
            context.model.name if context.model else None,
            self.asked.id,
            _words(derivation, value, values),
        )

    def fill(
        self, letters: list[Letter], *, partly: bool = False
    ) -> tuple[list[Filled], dict[str, Evaluation]]:
        """The values of letters, and the evaluations that computed some of them.

        Raises MissingLetters, listing all that nothing fills, unless `partly`.
        """
        inputs: list[Filled] = []
        computed: dict[str, Evaluation] = {}
        lacking: list[Letter] = []
        below: dict[Letter, list[Letter]] = {}
        for letter in letters:
            try:
                filled, inner = self._fill(letter)
            except MissingLetters as error:
                filled, inner = None, None
                below[letter] = error.letters
            if inner is not None:
                computed[letter.name] = inner
            if filled is None:
                lacking.append(letter)
            else:
                inputs.append(filled)
        if lacking and not partly:
            raise MissingLetters(missing(lacking, self.derivation.name, below), lacking)
        return inputs, computed

    def _fill(self, letter: Letter) -> tuple[Filled | None, Evaluation | None]:
        defaults = self.derivation.defaults
        filled = self.context.fill(letter)
        if filled is None and letter in defaults:
            filled = put_value(letter, defaults[letter], self.derivation)
        if filled is None and letter.filled_by:
            inner = Question(get(letter.filled_by), self.context, self.above).answer()
            return Filled(letter, _inner_value(inner, letter), letter.filled_by), inner
        if filled is None and letter.default is not None:
            filled = Filled(letter, Fraction(letter.default), "default")
        return filled, None

    def check_given(self) -> None:
        """Raise DeriveError for a letter or a convention that was given and bears on nothing."""
        for letter in self.derivation.all_letters:
            if letter.name in self.context.given:
                self.context.fill(letter)  # one that cancels may be given; it is read all the same
        unused = sorted(set(self.context.given) - self.context.used)
        if unused:
            known = sorted(known_letters(self.derivation, ()))
            raise DeriveError(
                f"{self.derivation.name} has no letter {unused[0]!r}{nearest(unused[0], known)}: "
                f"it has {', '.join(known)}"
            )
        ignored = sorted(set(self.context.wanted) - set(self.context.in_force))
        if ignored:
            raise DeriveError(
                f"convention {ignored[0]!r} does not bear on {self.derivation.name}: leave it out"
            )


def _of_family(derivation: Derivation, context: Context) -> Derivation:
    """The form for the model's family. Raises DeriveError for a family that the derivation does not count."""
    if derivation.families is None or context.model is None:
        return derivation
    return derivation.families.form(derivation, context.model)


def _under_convention(derivation: Derivation, context: Context) -> Derivation:
    if derivation.choice is None:
        return derivation
    convention = derivation.choice.convention
    choice = context.choice(convention, derivation.choice.default)
    if choice == derivation.choice.default:
        return derivation
    if choice not in derivation.choice.others:
        raise DeriveError(
            f"{derivation.name} has no form for {convention} = {choice}: leave the convention out"
        )
    return derivation.choice.others[choice]


def _formula(derivation: Derivation, context: Context) -> sympy.Expr:
    """The result; or, where a letter that the chain puts is overridden, the expression before that link."""
    for number, step in enumerate(derivation.steps):
        if isinstance(step, Put) and not step.fixed and context.fill(step.letter) is not None:
            rest = derivation.steps[number:]
            changed = any(f != p for f, p in _overridden(rest, context))
            if changed and any(isinstance(later, Approx | Bound) for later in rest):
                raise DeriveError(
                    f"{derivation.name} is approximated for {step.letter.name} = {without_units(step.value)}: "
                    f"leave {step.letter.name} out"
                )
            if changed:
                return derivation.general
    return derivation.result


def _overridden(steps: tuple[object, ...], context: Context) -> list[tuple[Fraction, Fraction | None]]:
    pairs = []
    for step in steps:
        if isinstance(step, Put) and not step.fixed and (filled := context.fill(step.letter)) is not None:
            plain = without_units(step.value)
            pairs.append((filled.value, Fraction(int(plain.p), int(plain.q)) if plain.is_Rational else None))
    return pairs


def _inner_value(inner: Evaluation, letter: Letter) -> Fraction:
    """The value of a formula below, for the letter that it fills. Raises DeriveError where it does not fit."""
    if units.dimension_of(inner.unit) != units.dimension_of(letter.unit):
        raise DeriveError(f"{letter.filled_by} is in {inner.unit}, and {letter.name} in {letter.unit}")
    value = inner.exact() * factor_of(inner.unit, inner.derivation)
    if (outside := domain(letter, value)) is not None:
        raise NoValue(
            f"{letter.name} ({letter.meaning}) must be {outside}, and {letter.filled_by} gives {inner.text}"
        )
    return value


def _value(derivation: Derivation, formula: sympy.Expr, values: Mapping[Letter, Filled]) -> Value:
    if isinstance(derivation, Computed):
        return derivation.compute({letter.name: filled.value for letter, filled in values.items()})
    return _number(derivation, formula, values)


def _words(derivation: Derivation, value: Value | None, values: Mapping[Letter, Filled]) -> str:
    """The answer in words, of a computed result."""
    if isinstance(derivation, Computed) and value is not None:
        return derivation.explain(value, {letter.name: filled.value for letter, filled in values.items()})
    return ""


def _number(derivation: Derivation, formula: sympy.Expr, values: Mapping[Letter, Filled]) -> Fraction:
    numbers = {letter: sympy.Rational(f.value.numerator, f.value.denominator) for letter, f in values.items()}
    plain = without_units(formula)
    if (power := oversized(formula, numbers)) is not None:
        at = ", ".join(f"{letter.name} = {values[letter].text}" for letter in letters_of(power))
        raise DeriveError(f"{derivation.name}: {shown(power)} is too large to write out at {at}")
    if (why := refused_sum(formula, numbers)) is not None:
        raise NoValue(f"{derivation.name}: {why}")
    found = value_of(plain, numbers)
    if not found.is_Rational:
        found = found.evalf(30)
    if not found.is_finite or not found.is_real:
        at = ", ".join(f"{letter.name} = {filled.text}" for letter, filled in values.items())
        raise NoValue(f"{derivation.name} has no value at {at}")
    return _fraction(found)


def _fraction(number: sympy.Expr) -> Fraction:
    """A number exactly where it is rational, else to 30 digits."""
    if number.is_Rational:
        return Fraction(int(number.p), int(number.q))
    return Fraction(str(number.evalf(30)))


def _no_solution(derivation: Derivation, values: Mapping[Letter, Filled]) -> str:
    numbers = {letter: sympy.Rational(f.value.numerator, f.value.denominator) for letter, f in values.items()}
    numbers |= {
        letter: sympy.Rational(put.value.numerator, put.value.denominator)
        for letter, expr in derivation.defaults.items()
        if letter not in numbers and (put := put_value(letter, expr, derivation)) is not None
    }
    for fact in derivation.no_solution:
        if all(_holds(condition, numbers) for condition in fact.when):
            return _explained(fact, numbers)
    return ""


def _check_ceilings(derivation: Derivation, value: Value | None) -> None:
    for fact in derivation.facts:
        if not (isinstance(fact, Ceiling) and isinstance(value, Fraction)):
            continue
        if value > Fraction(int(fact.limit.p), int(fact.limit.q)):
            raise DeriveError(
                f"{derivation.name} would be {significant(value)}, above {fact.limit}: {fact.because}; "
                f"likely causes: {', '.join(fact.causes)}"
            )


def _explained(fact: NoSolution, numbers: Mapping[Letter, sympy.Rational]) -> str:
    sides = []
    for condition in fact.when:
        left, right = (value_of(without_units(side), numbers) for side in (condition.lhs, condition.rhs))
        texts = [significant(_fraction(side)) for side in (left, right)]
        sides.append(f"{region_text(condition)}, here {texts[0]} and {texts[1]}")
    return f"{fact.says} ({'; '.join(sides)})"


def _holds(condition: Relational, numbers: Mapping[Letter, sympy.Rational]) -> bool:
    left, right = (value_of(without_units(side), numbers) for side in (condition.lhs, condition.rhs))
    return bool(condition.func(left, right) == sympy.true)


def known_letters(derivation: Derivation, above: tuple[str, ...]) -> set[str]:
    """The letters that a question about this derivation may give, those of its fillers included."""
    if derivation.name in above:
        return set()
    found = {letter.name for letter in letters_of(derivation.general)} | {l.name for l in derivation.letters}
    if any((letter.role or "").startswith("format.") for letter in derivation.letters):
        found.add("format")
    for letter in letters_of(derivation.general):
        if letter.filled_by:
            found |= known_letters(get(letter.filled_by), (*above, derivation.name))
    return found
