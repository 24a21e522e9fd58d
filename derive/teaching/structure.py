"""Exercises on the formulas themselves: the order of a derivation's links, the unit of a result."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import sympy

import units
from derive.catalogue import chapter as catalogue_chapter
from derive.catalogue import chapters, get
from derive.computed import Computed
from derive.derivation import Derivation
from derive.rounding import quantity_text
from derive.steps import Put, Solve, Use
from derive.symbols import UnitSymbol, without_units
from derive.teaching.exercise import Exercise, Maths, Order, Text, Unit

_LINES = range(3, 8)
_PLAIN = "a plain number"


def orderable() -> list[str]:
    """The ids whose chains have enough links, all of them different, to be put in order."""
    return [id for id in _formulas() if len(_lines(get(id))) in _LINES and _differ(get(id))]


def with_units() -> list[str]:
    """The ids of which the unit may be asked."""
    return [id for id in _formulas() if not isinstance(get(id), Computed)]


def _formulas() -> list[str]:
    return [id for name in chapters() for id in catalogue_chapter(name)]


def _differ(derivation: Derivation) -> bool:
    """Whether no two lines show the same: SymPy may keep apart what a reader cannot."""
    shown = [str(sympy.factor_terms(without_units(formula))) for formula in derivation.chain]
    return len(set(shown)) == len(shown)


def _lines(derivation: Derivation) -> list[Text]:
    start: Text = ("start: ", Maths(derivation.start, derivation.letter))
    if derivation.start.is_Symbol:
        start = ("start: ", Maths(derivation.start), " is the unknown")
    lines: list[Text] = [start]
    for step, after in zip(derivation.steps, derivation.chain[1:], strict=True):
        if isinstance(step, Put | Use):
            lines.append((*put_text(step), f" ({step.because}): ", Maths(after, derivation.letter)))
        elif isinstance(step, Solve):
            found = Maths(after, derivation.letter)
            lines.append((f"solve for {step.letter.name} ({step.because}): ", found))
        else:
            found = Maths(after, derivation.letter, step.relation)
            lines.append((found, f" ({step.because})"))
    return lines


def put_text(step: Put | Use) -> Text:
    """What takes a letter's place: put e = 2 byte, put m = n."""
    if isinstance(step, Use):
        return "put ", Maths(step.derivation.general, step.letter.name)
    plain = without_units(step.value)
    if not plain.is_Rational or step.letter.unit == "dimensionless":
        return "put ", Maths(step.value, step.letter.name)
    number = Fraction(int(plain.p), int(plain.q)) / units.factor(step.letter.unit)[0]
    return "put ", Maths(step.letter), f" = {quantity_text(number, step.letter.unit)}"


def order(id: str, rng: Random) -> Exercise:
    """The links of a derivation, shuffled."""
    derivation = get(id)
    lines = _lines(derivation)
    shuffled = list(range(len(lines)))
    while shuffled == sorted(shuffled):
        rng.shuffle(shuffled)
    return Exercise(
        key=f"order {id}",
        kind="order",
        level=2 if len(lines) == _LINES.start else 3,
        id=id,
        question=(
            (f"{derivation.title}: these lines of the derivation have been shuffled.",),
            ("Put them in order, from the start to the result, as in: b a c.",),
        ),
        answer=Order(
            tuple(lines[place] for place in shuffled),
            tuple(shuffled.index(place) for place in range(len(lines))),
        ),
        chain=tuple(lines),
    )


def unit(id: str, _rng: Random) -> Exercise:
    """The unit of a result, from the units of its letters where they say it."""
    derivation = get(id)
    formula = derivation.general
    told: Text = (f"{derivation.title}. In which unit does one give it?",)
    if not formula.atoms(UnitSymbol) and any(one.unit != "dimensionless" for one in derivation.letters):
        told = (
            f"{derivation.title}: ",
            Maths(formula, derivation.letter),
            f", where {_units_of(derivation)}.",
        )
    shown = _PLAIN if derivation.unit == "dimensionless" else derivation.unit
    return Exercise(
        key=f"unit {id}",
        kind="unit",
        level=1,
        id=id,
        question=(told, (f"Name the unit of {derivation.letter}; for a plain number answer 1.",)),
        answer=Unit(derivation.unit),
        chain=((Maths(formula, derivation.letter), f" is {'' if shown == _PLAIN else 'in '}{shown}."),),
    )


def _units_of(derivation: Derivation) -> str:
    """The units of the letters; plain numbers together."""
    bearing = [one for one in derivation.letters if one.unit != "dimensionless"]
    told = ", ".join(f"{one.name} is in {one.unit}" for one in bearing)
    return told if len(bearing) == len(derivation.letters) else f"{told} and all else is a plain number"
