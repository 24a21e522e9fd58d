"""What limits a kernel on a machine: memory or arithmetic, and by what factor.

Two sources say so. A formula with named regimes (`Regime(…, name="memory-bound")`)
is in the one whose condition holds at the values at hand, and the factor is the
ratio of the condition's sides. An intensity is held against the ridge of the
machine it is evaluated on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import sympy
from sympy.core.relational import Relational

import units
from derive import letters
from derive.derivation import Derivation
from derive.dimensions import dimension_of, dimension_text
from derive.errors import DeriveError
from derive.evaluation import evaluate_derivation
from derive.facts import Regime
from derive.filling import put_value
from derive.result import Evaluation
from derive.rounding import significant
from derive.symbols import Letter, letters_of, without_units

_INTENSITY = "FLOP/byte"
_PEAKS = ("hardware.peak", "hardware.vector_peak")


@dataclass(frozen=True)
class Bottleneck:
    """A regime's name and how far from its border the values lie.

    name: "memory-bound", "compute-bound", another regime's own name, or "on the
    border". factor: the larger side of the condition over the smaller, at least 1.
    text: the whole in a sentence, with both sides. For values without a verdict
    `name` is "" and `text` says why. ridge: the evaluated ridge point that an
    intensity was held against.
    """

    name: str
    factor: Fraction
    text: str
    ridge: Evaluation | None = None


def bottleneck(evaluation: Evaluation, extra: str | Path | None = None) -> Bottleneck | None:
    """The limit at the values of an evaluation; None where the formula does not ask for one.

    extra: the file with machines of one's own that the evaluation was given.
    """
    if evaluation.value is None:
        return None
    found = _regime(evaluation)
    if found is None and evaluation.hardware is not None and _is_kernel_intensity(evaluation.derivation):
        found = _against_ridge(evaluation, extra)
    return found


def _regime(evaluation: Evaluation) -> Bottleneck | None:
    values = _values(evaluation)
    for fact in evaluation.derivation.facts:
        if not isinstance(fact, Regime) or not fact.name or len(fact.when) != 1 or fact.of is not None:
            continue
        sides = _sides(fact.when[0], values)
        if sides is None or not all(side > 0 for side in sides):
            continue
        left, right = sides
        above = isinstance(fact.when[0], sympy.Ge | sympy.Gt)
        if left == right or (left > right) == above:
            unit = dimension_text(dimension_of(fact.when[0].lhs))
            where = f" on {evaluation.hardware}" if evaluation.hardware else ""
            return _held(fact.name, left, right, unit, where)
    return None


def _against_ridge(evaluation: Evaluation, extra: str | Path | None) -> Bottleneck:
    peak = _peak(evaluation.derivation)
    ridge = Derivation("R", "Ridge point", unit=_INTENSITY, start=peak / letters.W)
    asked = {want[1:] for _, want in peak.wants if want.startswith("@")}
    chosen = {name: choice for name, choice in evaluation.conventions.items() if name in asked}
    try:
        against = evaluate_derivation(ridge, on=evaluation.hardware, conventions=chosen, extra=extra)
    except DeriveError as error:
        reason = str(error).partition(": ")[0]  # what follows says what to give for a formula's letter
        return Bottleneck("", Fraction(1), f"no verdict: {reason}")
    left, right = evaluation.exact(_INTENSITY), against.exact(_INTENSITY)
    name = "compute-bound" if left > right else "memory-bound"
    held = _held(name, left, right, _INTENSITY, f" on {evaluation.hardware}")
    return replace(held, ridge=against)


def _held(name: str, left: Fraction, right: Fraction, unit: str, where: str) -> Bottleneck:
    if left == right:
        return Bottleneck(
            "on the border", Fraction(1), f"exactly on the border{where}: {significant(left)} {unit}"
        )
    factor = max(left / right, right / left)
    side = "above" if left > right else "below"
    limit = "the ridge of " if unit == _INTENSITY else ""
    text = (
        f"{name}{where} by a factor of {significant(factor)}: {significant(left)} {unit} is {side} "
        f"{limit}{significant(right)} {unit}"
    )
    return Bottleneck(name, factor, text)


def _is_kernel_intensity(derivation: Derivation) -> bool:
    """An intensity that belongs to a kernel; one made of a machine's rates is a ridge."""
    if units.dimension_of(derivation.unit) != units.dimension_of(_INTENSITY):
        return False
    return not any((letter.role or "").startswith("hardware.") for letter in derivation.letters)


def _peak(derivation: Derivation) -> Letter:
    """The peak that the derivation itself names, such as that of the non-tensor units, or the usual one."""
    named = [letter for letter in derivation.all_letters if letter.role in _PEAKS]
    return named[0] if named else letters.P


def _values(evaluation: Evaluation) -> dict[Letter, sympy.Rational]:
    found = {filled.letter: filled.value for filled in evaluation.inputs}
    for letter, put in evaluation.derivation.defaults.items():
        if letter not in found and (filled := put_value(letter, put, evaluation.derivation)) is not None:
            found[letter] = filled.value
    return {letter: sympy.Rational(value.numerator, value.denominator) for letter, value in found.items()}


def _sides(
    condition: Relational, values: Mapping[Letter, sympy.Rational]
) -> tuple[Fraction, Fraction] | None:
    """Both sides of a condition as numbers in base units; None where a letter has no value."""
    if any(letter not in values for letter in letters_of(condition)):
        return None
    left, right = (
        without_units(side).xreplace(dict(values)).doit() for side in (condition.lhs, condition.rhs)
    )
    if not (left.is_Rational and right.is_Rational):
        return None
    return Fraction(int(left.p), int(left.q)), Fraction(int(right.p), int(right.q))
