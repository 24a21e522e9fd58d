"""Evaluation: a derivation filled with numbers, exactly, each with its origin.

Numbers are exact fractions in base units throughout; a unit and a rounding are
chosen only where the result is read (`text`, `magnitude`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy
from sympy.core.relational import Relational

import units
from derive.catalogue import get
from derive.constants import Entry, hardware, model
from derive.dimensions import dimension_text
from derive.errors import DeriveError, DimensionError, NoValue
from derive.facts import NoSolution
from derive.filling import Context, Filled, Given, missing, put_value
from derive.proofs.signs import region_text
from derive.rounding import DIGITS, quantity_text, significant, with_unit
from derive.steps import Approx, Bound, Put
from derive.suggest import nearest
from derive.symbols import Letter, letters_of, without_units

if TYPE_CHECKING:
    from derive.derivation import Derivation

_NEST = 12


@dataclass(frozen=True)
class Evaluation:
    """A filled formula: its value in base units, and where each number came from.

    formula: the expression that was filled. inputs: its letters in order.
    computed: the evaluations that filled letters of this one, by letter.
    none: why there is no value here, or "".
    """

    derivation: Derivation
    formula: sympy.Expr
    inputs: tuple[Filled, ...]
    computed: Mapping[str, Evaluation]
    conventions: Mapping[str, str]
    value: Fraction | None
    unit: str
    none: str = ""
    hardware: str | None = None
    model: str | None = None

    def exact(self, unit: str | None = None) -> Fraction:
        """The exact value in `unit` (the evaluation's own where none is given).

        Raises NoValue where there is none and DimensionError for another dimension.
        """
        if self.value is None:
            raise NoValue(f"{self.derivation.name} has no value here: {self.none}")
        return self.value / _factor(unit or self.unit, self.derivation)

    def magnitude(self, unit: str | None = None) -> float:
        """The value in `unit` as a float. Raises NoValue, DimensionError."""
        return float(self.exact(unit))

    @property
    def number(self) -> int | float:
        """The value in `unit`: an exact integer where it is one."""
        exact = self.exact()
        return int(exact) if exact.denominator == 1 else float(exact)

    @property
    def text(self) -> str:
        """The value to four significant digits in the unit in which it reads best."""
        if self.value is None:
            return f"none: {self.none}"
        if self.unit != self.derivation.unit:
            return with_unit(significant(self.exact(), DIGITS), self.unit)
        return quantity_text(self.exact(), self.unit)

    def as_json(self) -> dict[str, Any]:
        """What `derive eval --json` prints."""
        return {
            "id": self.derivation.id,
            "value": None if self.value is None else self.number,
            "unit": self.unit,
            "text": self.text,
            "inputs": [
                {
                    "symbol": filled.letter.name,
                    "value": _json_number(filled.amount),
                    "unit": filled.letter.unit,
                    "source": filled.source,
                }
                for filled in self.inputs
            ],
            "conventions": dict(self.conventions),
        }

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        name = self.derivation.letter
        latex = sympy.latex(without_units(self.formula))
        return {
            "text/plain": f"{name} = {self.text}",
            "text/markdown": f"${name} = {latex}$ = **{self.text}**",
            "text/latex": f"${name} = {latex} = \\text{{{self.text.replace('%', chr(92) + '%')}}}$",
        }


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
    machine, network = _entries(on, model, extra)
    context = Context(given or {}, machine, network, conventions or {})
    evaluation = _evaluate(derivation, context, to, ())
    unknown = sorted(set(context.given) - context.used)
    if unknown:
        known = sorted(_known_letters(derivation, ()))
        raise DeriveError(
            f"{derivation.name} has no letter {unknown[0]!r}{nearest(unknown[0], known)}: it has {', '.join(known)}"
        )
    ignored = sorted(set(context.wanted) - set(context.in_force))
    if ignored:
        raise DeriveError(f"convention {ignored[0]!r} does not bear on {derivation.name}: leave it out")
    return evaluation


def _entries(on: str | None, name: str | None, extra: str | Path | None) -> tuple[Entry | None, Entry | None]:
    path = Path(extra) if extra is not None else None
    return (hardware(on, path) if on else None), (model(name) if name else None)


def _evaluate(derivation: Derivation, context: Context, to: str | None, above: tuple[str, ...]) -> Evaluation:
    if derivation.name in above or len(above) > _NEST:
        raise DeriveError(f"circular use: {' → '.join((*above, derivation.name))}")
    derivation = _under_convention(derivation, context)
    formula = _formula(derivation, context)
    inputs, computed = _fill(derivation, letters_of(formula), context, above)
    values = {filled.letter: filled for filled in inputs}
    none = _no_solution(derivation, values)
    value = None if none else _number(derivation, formula, values)
    unit = to or derivation.unit
    _factor(unit, derivation)
    return Evaluation(
        derivation,
        formula,
        tuple(inputs),
        computed,
        dict(context.in_force),
        value,
        unit,
        none,
        context.hardware.name if context.hardware else None,
        context.model.name if context.model else None,
    )


def _under_convention(derivation: Derivation, context: Context) -> Derivation:
    if derivation.choice is None:
        return derivation
    choice = context.choice(derivation.choice.convention, derivation.choice.default)
    return derivation.choice.others.get(choice, derivation)


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


def _fill(
    derivation: Derivation, letters: list[Letter], context: Context, above: tuple[str, ...]
) -> tuple[list[Filled], dict[str, Evaluation]]:
    inputs: list[Filled] = []
    computed: dict[str, Evaluation] = {}
    lacking: list[Letter] = []
    problem: DeriveError | None = None
    for letter in letters:
        filled = context.fill(letter)
        if filled is None and letter in derivation.defaults:
            filled = put_value(letter, derivation.defaults[letter], derivation)
        if filled is None and letter.filled_by:
            try:
                inner = _evaluate(get(letter.filled_by), context, None, (*above, derivation.name))
                filled = Filled(letter, _inner_value(inner), letter.filled_by)
                computed[letter.name] = inner
            except DeriveError as error:
                problem = problem or error
                lacking.append(letter)
                continue
        if filled is None and letter.default is not None:
            filled = Filled(letter, Fraction(letter.default), "default")
        if filled is None:
            lacking.append(letter)
        else:
            inputs.append(filled)
    if problem is not None and not isinstance(problem, MissingLetters):
        raise problem
    if lacking:
        raise MissingLetters(str(missing(lacking, derivation.name)))
    return inputs, computed


class MissingLetters(DeriveError):
    """Letters that nothing fills; the message lists them with units."""


def _inner_value(inner: Evaluation) -> Fraction:
    if inner.value is None:
        raise NoValue(f"{inner.derivation.name} has no value here: {inner.none}")
    return inner.value


def _number(derivation: Derivation, formula: sympy.Expr, values: Mapping[Letter, Filled]) -> Fraction:
    numbers = {letter: sympy.Rational(f.value.numerator, f.value.denominator) for letter, f in values.items()}
    found = without_units(formula).xreplace(numbers).doit()
    if not found.is_Rational:
        found = sympy.nsimplify(found) if found.is_Rational else found.evalf(30)
    if not found.is_finite or not found.is_real:
        at = ", ".join(f"{letter.name} = {filled.text}" for letter, filled in values.items())
        raise NoValue(f"{derivation.name} has no value at {at}")
    if found.is_Rational:
        return Fraction(int(found.p), int(found.q))
    return Fraction(str(found))


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


def _explained(fact: NoSolution, numbers: Mapping[Letter, sympy.Rational]) -> str:
    sides = []
    for condition in fact.when:
        left, right = (
            without_units(side).xreplace(dict(numbers)) for side in (condition.lhs, condition.rhs)
        )
        texts = [significant(Fraction(int(side.p), int(side.q))) for side in (left, right)]
        sides.append(f"{region_text(condition)}, here {texts[0]} and {texts[1]}")
    return f"{fact.says} ({'; '.join(sides)})"


def _holds(condition: Relational, numbers: Mapping[Letter, sympy.Rational]) -> bool:
    left, right = (without_units(side).xreplace(dict(numbers)) for side in (condition.lhs, condition.rhs))
    return bool(condition.func(left, right) == sympy.true)


def _factor(unit: str, derivation: Derivation) -> Fraction:
    scale, dimension = units.factor(unit)
    own = units.dimension_of(derivation.unit)
    if dimension != own:
        raise DimensionError(f"{derivation.name} is in {dimension_text(own)}: it cannot be given in {unit}")
    return scale


def _known_letters(derivation: Derivation, above: tuple[str, ...]) -> set[str]:
    """The letters that a question about this derivation may give, those of its fillers included."""
    if derivation.name in above:
        return set()
    found = {letter.name for letter in letters_of(derivation.general)} | {l.name for l in derivation.letters}
    for letter in letters_of(derivation.general):
        if letter.filled_by:
            found |= _known_letters(get(letter.filled_by), (*above, derivation.name))
    return found


def _json_number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
