"""Two choices of a convention side by side: formula, value and difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sympy

from derive.conventions import CONVENTIONS, chosen
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.evaluation import Evaluation
from reports.building import Builder
from reports.latex import formula, letter_latex
from reports.point import Point
from reports.quantities import amount, input_amount
from reports.view import Comparison, Document, Entry, Equation, Formula, Grid
from reports.widths import width_of
from reports.worked import bare, is_number

_ROOM = 52.0  # letters of a line that three formulas beside each other may take


@dataclass(frozen=True)
class Compare:
    """A convention and the two choices of it that a document shows side by side."""

    convention: str
    choices: tuple[str, str]

    @classmethod
    def read(cls, text: str) -> Compare:
        """From "mask=full,causal". Raises DeriveError for anything else, and for unknown names."""
        name, _, rest = (part.strip() for part in text.partition("="))
        choices = [choice.strip() for choice in rest.split(",")]
        if not name or len(choices) != 2 or not all(choices) or choices[0] == choices[1]:
            raise DeriveError(
                f"{text[:60]!r} does not name two choices of a convention: give it as mask=full,causal"
            )
        for choice in choices:
            chosen({name: choice})
        return cls(name, (choices[0], choices[1]))


def compared(derivation: Derivation, compare: Compare, builders: Sequence[Builder]) -> Document:
    """A document with a derivation under both choices; builders: one for each of them.

    Raises DeriveError where the convention does not bear on the derivation, and
    where it has no value under one of the choices.
    """
    points = [builder.asking.point(derivation, alone=True) for builder in builders]
    if not any(compare.convention in point.conventions for point in points):
        raise DeriveError(
            f"convention {compare.convention!r} does not bear on {derivation.name}: leave --compare out"
        )
    first, second = (_evaluated(point) for point in points)
    documents = [builder.single(derivation) for builder in builders]
    same_form = points[0].form is points[1].form
    shown = documents[:1] if same_form else documents
    views = tuple(
        replace(view, id=point.form.id)
        for document, point in zip(shown, points, strict=False)
        for view in document.sections
    )
    convention = CONVENTIONS[compare.convention]
    about = [f"The convention {convention.name} says {convention.decides}."]
    about += [f"{convention.name} = {choice}: {convention.choices[choice]}." for choice in compare.choices]
    if same_form:
        about.append(f"The derivation is the same under both; below it stands for {compare.choices[0]}.")
    name = letter_latex(first.derivation.letter)
    difference = sympy.factor_terms(sympy.expand(second.formula - first.formula))
    formulas = [formula(side) for side in (first.formula, second.formula, difference)]
    rows: list[tuple[Entry, ...]] = []
    lines: tuple[Equation, ...] = ()
    if sum(map(width_of, formulas)) <= _ROOM:
        rows.append((Formula(name), *map(Formula, formulas)))
    else:
        subscripts = [rf"{name}\ (\text{{{choice}}})" for choice in compare.choices]
        lines = tuple(
            Equation(left, "=", right)
            for left, right in zip([*subscripts, r"\text{difference}"], formulas, strict=True)
        )
    rows += _letters((first, second))
    values = [amount(one.exact(), one.unit) for one in (first, second)]
    apart = amount(second.exact() - first.exact(), first.unit)
    rows.append(("value", *map(bare, (*values, apart))))
    if first.exact():
        ratio = amount(second.exact() / first.exact(), "dimensionless")
        rows.append((f"{compare.choices[1]} over {compare.choices[0]}", None, None, bare(ratio)))
    heads = ("", *(f"{convention.name} = {choice}" for choice in compare.choices), "difference")
    grid = Grid(f"{compare.choices[0]} beside {compare.choices[1]}", tuple(about), heads, tuple(rows), ())
    head = documents[0]
    return Document(
        head.name,
        derivation.title,
        len(views) > 1,
        head.intro,
        views,
        (),
        head.count if same_form else head.count + documents[1].count,
        Comparison(grid, lines),
    )


def _evaluated(point: Point) -> Evaluation:
    found = point.evaluation
    if found is None or not is_number(found):
        reason = point.note if found is None else found.text
        raise DeriveError(f"{point.form.name} has no number to compare here: {reason}")
    return found


def _letters(evaluations: Sequence[Evaluation]) -> list[tuple[Entry, ...]]:
    """The letters that the two choices fill differently."""
    first, second = ({filled.letter.name: filled for filled in one.inputs} for one in evaluations)
    rows: list[tuple[Entry, ...]] = []
    for name in dict.fromkeys([*first, *second]):
        one, other = first.get(name), second.get(name)
        if one is not None and other is not None:
            if one.value == other.value:
                continue
            apart = bare(amount(other.amount - one.amount, other.letter.unit))
            rows.append((_letter(name), bare(input_amount(one)), bare(input_amount(other)), apart))
        else:
            sides = [None if side is None else bare(input_amount(side)) for side in (one, other)]
            rows.append((_letter(name), *sides, None))
    return rows


def _letter(name: str) -> Formula:
    return Formula(letter_latex(name))
