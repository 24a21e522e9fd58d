"""What stands beside a live value: its regime, the roofline's dot, approximations with their errors, refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy
from sympy.core.relational import Relational

from derive.derivation import Derivation
from derive.dimensions import dimension_of, dimension_text
from derive.errors import DeriveError
from derive.facts import Ceiling, Limit, Regime
from derive.steps import Approx
from derive.symbols import Letter
from reports.javascript import array, constant, function, object_, text
from reports.latex import formula, letter_latex
from reports.view import Formula

_INTENSITY = "FLOP/byte"
_PEAKS = ("hardware.peak", "hardware.vector_peak")
Places = Mapping[Letter, int]
"""Where each letter stands in the list of values of a page."""


@dataclass(frozen=True)
class Held:
    """The regimes, each with both sides of its condition, and where the dot of the roofline lies ("" for none)."""

    regimes: tuple[str, ...]
    dot: str


def against_ridge(peak: Letter, bandwidth: Letter, result: str, places: Places) -> Held:
    """An intensity held against the ridge of a machine. result: the code of the intensity."""
    ridge = function(peak / bandwidth, places)
    sides = {"left": result, "right": ridge, "unit": text(_INTENSITY)}
    named = (("compute-bound", "true"), ("memory-bound", "false"))
    regimes = tuple(object_(name=text(name), above=above, **sides) for name, above in named)
    return Held(regimes, object_(intensity=result, ridge=ridge, peak=function(peak, places)))


def regimes(derivation: Derivation, places: Places) -> Held:
    """The named regimes of a formula with branches."""
    found, dot = [], ""
    peaks = [letter for letter in places if letter.role in _PEAKS]
    for fact in derivation.facts:
        if not isinstance(fact, Regime) or not fact.name or len(fact.when) != 1 or fact.of is not None:
            continue
        (condition,) = fact.when
        try:
            left, right = function(condition.lhs, places), function(condition.rhs, places)
        except DeriveError:
            continue  # a letter of the condition is none of the inputs
        unit = _unit(condition.lhs)
        above = "true" if isinstance(condition, sympy.Ge | sympy.Gt) else "false"
        found.append(object_(name=text(fact.name), above=above, left=left, right=right, unit=text(unit)))
        if unit == _INTENSITY and peaks:
            dot = object_(intensity=left, ridge=right, peak=function(peaks[0], places))
    return Held(tuple(found), dot)


def beside(form: Derivation, places: Places) -> Iterable[tuple[Formula, str]]:
    """Approximations with their errors and bounds, and limits with their distance: a label and code for each."""
    name = letter_latex(form.letter)
    steps = [(step, before) for before, step in zip(form.chain, form.steps, strict=False)]
    facts = [(fact, form.result) for fact in form.facts]
    bounded = [fact.right for fact in form.facts if isinstance(fact, Approx)]
    for fact, exact in [*steps, *facts]:
        try:
            if isinstance(fact, Approx):
                label = Formula(rf"{name} \approx {formula(fact.right)}")
                yield label, _near(fact.right, exact, fact.error_at_most, fact.where, places)
            elif isinstance(fact, Limit) and _moves(fact) and fact.value not in bounded:
                to = r"0^{+}" if fact.to == 0 else formula(fact.to)
                letters = ", ".join(letter_latex(letter.name) for letter in fact.letters)
                label = Formula(rf"{name} \to {formula(fact.value)} \quad ({letters} \to {to})")
                yield label, _near(fact.value, exact, None, (), places)
        except DeriveError:
            continue  # it speaks of a letter that has no input here


def _near(
    value: sympy.Expr,
    exact: sympy.Expr,
    bound: sympy.Expr | None,
    where: Iterable[Relational],
    places: Places,
) -> str:
    return object_(
        value=function(value, places),
        exact=function(exact, places),
        where=array(function(condition, places) for condition in where),
        unit=text(_unit(value)),
        **({"bound": function(bound, places)} if bound is not None else {}),
    )


def refusals(derivation: Derivation, places: Places) -> dict[str, str]:
    """Where there is no value, and what no true numbers can exceed."""
    none = []
    for fact in derivation.no_solution:
        when = array(function(condition, places) for condition in fact.when)
        none.append(object_(when=when, says=text(fact.says)))
    ceilings = [
        object_(
            limit=constant(Fraction(int(fact.limit.p), int(fact.limit.q))),
            says=text(f"{fact.because}; likely causes: {', '.join(fact.causes)}"),
        )
        for fact in derivation.facts
        if isinstance(fact, Ceiling)
    ]
    return {
        **({"none": array(none)} if none else {}),
        **({"ceilings": array(ceilings)} if ceilings else {}),
    }


def _moves(limit: Limit) -> bool:
    """Whether a limit of the result has letters of its own, so that its distance is worth telling."""
    plain = limit.of is None and not limit.put
    return plain and bool(limit.value.is_finite) and not limit.value.is_number


def _unit(expression: sympy.Expr) -> str:
    dimension = dimension_of(expression)
    return dimension_text(dimension) if dimension else "dimensionless"
