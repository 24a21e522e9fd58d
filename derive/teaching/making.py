"""From a scene to numbers: drawn values, the exact result, the right chain, and what each slip would give."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import sympy

import units
from derive.constants import hardware, model
from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.filling import Filled
from derive.opened import open_up
from derive.result import Evaluation
from derive.rounding import grouped, quantity_text, significant, with_unit
from derive.teaching.exercise import Asked, Maths, Slip, Slipped, Text
from derive.teaching.template import Template

_DIGITS = 4
_READABLE = {"cycle/s": "GHz", "transfer/s": "MT/s"}
_SIGNS = ("alpha", "beta")
_APART = Fraction(1, 50)
_NUMBERS = ((Fraction(10**9), "billion"), (Fraction(10**6), "million"))


@dataclass(frozen=True)
class Drawn:
    """A scene with its values: the question to the catalogue, and its exact answer in base units."""

    template: Template
    asked: Asked
    evaluation: Evaluation

    @property
    def value(self) -> Fraction:
        return self.evaluation.exact(self.template.unit) * units.factor(self.template.unit)[0]

    @property
    def key(self) -> str:
        """What makes the draw itself."""
        places = [place for place in (self.asked.on, self.asked.model) if place]
        given = [f"{name}={value}" for name, value in self.asked.given.items()]
        return " ".join([self.template.id, *places, *given])


def draw_values(template: Template, rng: Random) -> Drawn | None:
    """A scene with values drawn for its letters; None where the result makes no sense."""
    given = {**template.fixed, **{name: rng.choice(texts) for name, texts in template.values.items()}}
    asked = Asked(
        template.id,
        given,
        rng.choice(template.on) if "{on}" in template.scene else None,
        rng.choice(template.model) if template.model else None,
    )
    return filled(template, asked)


def filled(template: Template, asked: Asked) -> Drawn | None:
    """A scene at values that are given; None where the result makes no sense."""
    try:
        evaluation = evaluate(asked.id, asked.given, asked.on, asked.model)
    except DeriveError:  # a utilization above 1
        return None
    if evaluation.value is None:
        return None
    value = evaluation.exact(template.unit)
    sensible = Fraction(template.low) <= value <= Fraction(template.high)
    return Drawn(template, asked, evaluation) if sensible else None


def scene(drawn: Drawn, unknown: str = "") -> str:
    """The scene with its values written in; an unknown letter stands as it is, one with a word for a name as ?."""
    asked = drawn.asked
    shown = {name: told(text) for name, text in asked.given.items()}
    if unknown:
        shown[unknown] = "?" if unknown.isalpha() and unknown not in _SIGNS and len(unknown) > 2 else unknown
    if asked.on:
        shown["on"] = hardware(asked.on).title
    if asked.model:
        shown["model"] = model(asked.model).title
    return string.Formatter().vformat(drawn.template.scene, (), shown)


def told(value: str) -> str:
    """A given value for a sentence: 7e9 parameter is "7 billion parameters"."""
    number, unit = units.split(value)
    if unit == "parameter":
        for size, word in _NUMBERS:
            if number >= size:
                return f"{significant(number / size)} {word} parameters"
    if unit == "dimensionless" and number.denominator == 1 and number >= 10_000:
        return grouped(int(number))
    return value


def amount_text(value: Fraction, unit: str, digits: int = _DIGITS) -> str:
    """A value in base units as text in `unit`; no digit before the point is rounded away."""
    inside = value / units.factor(unit)[0]
    if unit == "dimensionless" and inside.denominator == 1:
        return grouped(int(inside))
    if unit == "parameter":
        return told(f"{significant(inside)} parameter")
    return with_unit(significant(inside, max(digits, len(str(abs(int(inside)))))), unit)


def chain(evaluation: Evaluation, unit: str) -> tuple[Text, ...]:
    """The lines that lead to a value, those of computed letters first."""
    lines = [
        line
        for inner in evaluation.computed.values()
        if inner.value is not None
        for line in chain(inner, _readable(inner))
    ]
    derivation = evaluation.derivation
    value = amount_text(evaluation.exact() * units.factor(evaluation.unit)[0], unit)
    lines.append((f"{derivation.title}: ", Maths(evaluation.formula, derivation.letter)))
    where = ", ".join(f"{one.letter.name} = {input_text(one)}" for one in evaluation.inputs)
    name = derivation.letter
    lines.append((f"with {where}: {name} = {value}" if where else f"{name} = {value}",))
    return tuple(lines)


def _readable(evaluation: Evaluation) -> str:
    """The unit in which an inner result reads best."""
    unit = evaluation.text.partition(" ")[2]
    return unit or evaluation.unit


def input_text(one: Filled) -> str:
    """A value as its source wrote it, or in a readable unit; parameters in billions."""
    if one.letter.unit == "parameter":
        return amount_text(one.value, "parameter")
    if one.constant is not None:
        return one.constant.text
    unit = _READABLE.get(one.letter.unit)
    return one.text if unit is None else amount_text(one.value, unit)


def slipped(drawn: Drawn) -> tuple[Slipped, ...]:
    """What each slip of the scene gives here; without those that change nothing or give what another gives."""
    kept: list[Slipped] = []
    for slip in drawn.template.slips:
        value = value_with(drawn.evaluation, slip)
        if value is None or value <= 0:
            continue
        if apart(value, [drawn.value, *(one.value for one in kept)]):
            kept.append(Slipped(slip, value))
    return tuple(kept)


def apart(value: Fraction, others: Sequence[Fraction]) -> bool:
    """Whether a value can be told from others by an answer of two digits."""
    return all(abs(value / other - 1) > _APART for other in others)


def value_with(evaluation: Evaluation, slip: Slip) -> Fraction | None:
    """The value in base units that a slip leads to; None where it strikes nothing here."""
    if not (slip.row or slip.letter):
        return evaluation.exact() * units.factor(evaluation.unit)[0] * slip.result
    opened = open_up(evaluation)
    numbers: dict[sympy.Symbol, sympy.Rational] = {
        symbol: _rational(slip.value_of(symbol.name, one.value)) for symbol, one in opened.letters.items()
    }
    numbers |= {row.weight: sympy.Integer(row.what != slip.row) for row in opened.rows}
    struck = any(row.what == slip.row for row in opened.rows) or any(
        symbol.name == slip.letter for symbol in opened.letters
    )
    found = opened.expression.xreplace(numbers).doit()
    return Fraction(int(found.p), int(found.q)) if struck and found.is_Rational else None


def solution_with(drawn: Drawn, made: Slipped) -> tuple[Text, ...]:
    """A worked solution by somebody who makes a slip: formula, numbers and result."""
    evaluation, slip = drawn.evaluation, made.slip
    opened = open_up(evaluation)
    letter, unit = evaluation.derivation.letter, drawn.template.unit
    inputs = list(evaluation.inputs)
    formula = evaluation.formula
    if slip.row:
        weights = {row.weight: sympy.Integer(row.what != slip.row) for row in opened.rows}
        formula, inputs = sympy.factor_terms(sympy.expand(opened.expression.xreplace(weights))), []
    elif slip.letter and all(one.letter.name != slip.letter for one in inputs):
        formula, inputs = evaluation.derivation.general, []
    if not inputs:
        used = {symbol.name for symbol in formula.free_symbols}
        inputs = [one for one in opened.letters.values() if one.letter.name in used]
    put = ", ".join(f"{one.letter.name} = {_put(one, slip)}" for one in inputs)
    return (
        ("Formula: ", Maths(formula, letter)),
        (f"Numbers: {put}",),
        (f"Result: {letter} = {amount_text(made.value, unit)}",),
    )


def _put(one: Filled, slip: Slip) -> str:
    """A letter's value as somebody who makes the slip puts it in."""
    if one.letter.name != slip.letter:
        return input_text(one)
    scale, _ = units.factor(one.letter.unit)
    return quantity_text(slip.value_of(one.letter.name, one.value) / scale, one.letter.unit)


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)
