"""The values at hand: what the reader gave, what the machine and model fill, and the first example for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import sympy
from sympy.core.relational import Relational

from derive.bottleneck import Bottleneck, bottleneck
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.evaluation import Evaluation, MissingLetters, Question, entries
from derive.filling import Context, Filled, put_value, read
from derive.symbols import Letter, letters_of, without_units
from reports.setting import Setting


@dataclass(frozen=True)
class Point:
    """A derivation at the values at hand.

    form: the derivation that holds under the conventions and for the model.
    evaluation: None where there is no calculation, and `note` says why; where both are there,
    the note says why the calculation is the first example's. from_example:
    the letters that the first example lends its values. conventions: those in force.
    """

    form: Derivation
    evaluation: Evaluation | None = None
    values: Mapping[Letter, Filled] = field(default_factory=dict)
    from_example: frozenset[str] = frozenset()
    conventions: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    limit: Bottleneck | None = None

    @property
    def on_chain(self) -> bool:
        """Whether there is a result and the values are those that the chain puts, so that its facts speak of it."""
        found = self.evaluation
        return found is not None and found.value is not None and found.formula == self.form.result

    @property
    def headline(self) -> sympy.Expr:
        """The formula that is filled; the chain's result where nothing is, or where the chain's own values hold."""
        found = self.evaluation
        return self.form.result if found is None or found.value is None else found.formula

    @property
    def overridden(self) -> dict[Letter, str]:
        """The letters whose default the values at hand replace, each with the default as text."""
        if self.headline == self.form.result:
            return {}
        replaced = {}
        for letter, default in self.form.defaults.items():
            filled, put = self.values.get(letter), put_value(letter, default, self.form)
            if filled is not None and put is not None and filled.value != put.value:
                replaced[letter] = put.text
        return replaced

    def number(self, expression: sympy.Expr) -> Fraction | None:
        """An expression at the values, in base units; None where a letter has none or it is not finite."""
        if any(letter not in self.values for letter in letters_of(expression)):
            return None
        numbers = {
            letter: sympy.Rational(f.value.numerator, f.value.denominator)
            for letter, f in self.values.items()
        }
        found = without_units(expression).xreplace(numbers).doit()
        if not found.is_finite or not found.is_real:
            return None
        return Fraction(int(found.p), int(found.q)) if found.is_Rational else Fraction(str(found.evalf(30)))

    def sides(self, condition: Relational) -> tuple[Fraction, Fraction] | None:
        """Both sides of a condition at the values."""
        left, right = self.number(condition.lhs), self.number(condition.rhs)
        return None if left is None or right is None else (left, right)

    def holds(self, condition: Relational) -> bool | None:
        """Whether a condition holds at the values; None where a letter has none."""
        sides = self.sides(condition)
        if sides is None:
            return None
        left, right = (sympy.Rational(side.numerator, side.denominator) for side in sides)
        return bool(condition.func(left, right) == sympy.true)


class Asking:
    """Finds the point of each derivation in one setting, and keeps track of what of the setting was used."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.machine, self.network = entries(setting.on, setting.model, setting.hardware)
        self.used: set[str] = set()
        self.conventions: set[str] = set()

    def point(self, derivation: Derivation, *, alone: bool) -> Point:
        """The point of a derivation; `alone` raises the DeriveError that one among many only notes."""
        context = Context(self.setting.given, self.machine, self.network, self.setting.conventions)
        try:
            question = Question(derivation, context)
        except DeriveError as error:
            return self._noted(derivation, error, alone)
        for letter in question.derivation.all_letters:
            if letter.name in self.setting.given:
                read(letter, self.setting.given[letter.name])  # a wrong unit is refused among many, too
        try:
            evaluation = question.answer()
        except MissingLetters as error:
            return self._from_example(question, error)
        except DeriveError as error:
            return self._noted(question.derivation, error, alone)
        finally:
            self._note_used(context)
        return self._full(question, evaluation, frozenset())

    def _noted(self, form: Derivation, error: DeriveError, alone: bool) -> Point:
        if alone:
            raise error
        return self._example_of_its_own(form, str(error)) or Point(form, note=str(error))

    def _example_of_its_own(self, form: Derivation, why: str) -> Point | None:
        """The first example as it stands, where the reader's machine or model does not fit the derivation."""
        if not form.examples:
            return None
        example = form.examples[0]
        own = entries(example.on, example.model, self.setting.hardware)
        context = Context(example.given, *own, example.conventions)
        try:
            question = Question(form, context)
            evaluation = question.answer()
        except DeriveError:
            return None
        return replace(self._full(question, evaluation, frozenset(example.given)), note=why, limit=None)

    def _note_used(self, context: Context) -> None:
        self.used |= context.used
        self.conventions |= set(context.in_force)

    def _full(self, question: Question, evaluation: Evaluation, from_example: frozenset[str]) -> Point:
        values = {filled.letter: filled for filled in evaluation.inputs}
        for letter in question.derivation.all_letters:
            if letter not in values:
                try:
                    filled, _ = question.fill([letter], partly=True)
                except DeriveError:
                    continue  # only a fact speaks of it, and goes without its number
                values.update({one.letter: one for one in filled})
        self._note_used(question.context)
        limit = bottleneck(evaluation, self.setting.hardware)
        in_force = dict(question.context.in_force)
        return Point(question.derivation, evaluation, values, from_example, in_force, limit=limit)

    def _from_example(self, question: Question, error: MissingLetters) -> Point:
        """The first example's values for the letters that nothing in the setting fills."""
        form, setting = question.derivation, self.setting
        if not form.examples:
            return Point(form, note=str(error), conventions=dict(question.context.in_force))
        example = form.examples[0]
        own = {letter.name for letter in form.all_letters if self._fills(question.context, letter)}
        own |= {letter.name for letter in form.letters if letter.filled_by and letter not in error.letters}
        lent = {name: value for name, value in example.given.items() if name not in own}
        context = Context(
            {**setting.given, **lent},
            *entries(setting.on or example.on, setting.model or example.model, setting.hardware),
            {**example.conventions, **setting.conventions},
        )
        asked = Question(form, context)
        try:
            evaluation = asked.answer()
        except DeriveError as again:
            return Point(form, note=str(again), conventions=dict(context.in_force))
        return self._full(asked, evaluation, frozenset(lent))

    @staticmethod
    def _fills(context: Context, letter: Letter) -> bool:
        """Whether the reader, the machine or the model gives a letter its value."""
        try:
            filled = context.fill(letter)
        except DeriveError:
            return False  # the machine has no such value: the example's stands
        return filled is not None and (filled.constant is not None or filled.source == "given")
