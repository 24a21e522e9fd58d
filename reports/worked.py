"""The worked calculation: numbers and units for letters, inner results first, and what limits the machine."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

import units
from derive.bottleneck import Bottleneck
from derive.entries import BINARY, Entry
from derive.evaluation import Evaluation
from derive.filling import Filled
from reports.latex import base_unit, formula, letter_latex, with_numbers
from reports.point import Point
from reports.quantities import Amount, amount, asked_digits, input_amount
from reports.view import Equation, Formula, Rich, Strong, Worked
from reports.wording import tidy

_FULL = 10**18


def evaluations(point: Point) -> Iterator[Evaluation]:
    """The evaluations behind the numbers: inner ones first, and the ridge that the result is held against."""
    if point.evaluation is not None:
        yield from inner_first(point.evaluation)
    if point.limit is not None and point.limit.ridge is not None:
        yield from inner_first(point.limit.ridge)


def worked_view(point: Point) -> Worked:
    """The calculation at the values at hand, or why there is none."""
    evaluation = point.evaluation
    if evaluation is None:
        return Worked((f"Not worked out: {point.note}.",), (), "")
    blocks = [_lines(one) for one in inner_first(evaluation) if one is not evaluation]
    if not is_number(evaluation):
        none = f"There is no value here: {tidy(evaluation.none)}."
        told = none if evaluation.value is None else f"{evaluation.text}."
        return Worked(_origin(point), tuple(blocks), told)
    return Worked(_origin(point), (*blocks, _lines(evaluation)), "")


def summary(point: Point, machine: Entry | None) -> Rich:
    """The result at the values at hand in one sentence; nothing where it is no number."""
    evaluation = point.evaluation
    if evaluation is None or not is_number(evaluation):
        return ()
    name = letter_latex(evaluation.derivation.letter)
    inputs = [filled for filled in evaluation.inputs if filled.letter.name not in evaluation.computed]
    where = ", ".join(f"{letter_latex(one.letter.name)} {equals(input_amount(one))}" for one in inputs)
    found: Rich = (Formula(f"{name} {equals(amount(evaluation.exact(), evaluation.unit))}"),)
    if inputs:
        found = (*found, " at ", Formula(where))
    if point.limit is not None and point.limit.name:
        found = (
            *found,
            ": ",
            Strong(point.limit.name),
            f" on {machine.title}" if machine is not None else "",
        )
    return (*found, ".")


def verdict(point: Point, machine: Entry | None) -> Rich:
    """What limits the kernel at these values: memory or arithmetic, and by what factor."""
    limit, evaluation = point.limit, point.evaluation
    if limit is None or evaluation is None:
        return ()
    if not limit.name:
        return (f"{limit.text}.",)
    where = f" on {machine.title}" if machine is not None else ""
    if limit.ridge is not None:
        return _against_ridge(limit, limit.ridge, evaluation, where)
    found: Rich = (f"At these values{where} it is ", Strong(limit.name))
    if limit.factor != 1:
        found = (*found, ", by a factor of ", bare(_factor(limit)))
    branches = _branches(evaluation, point)
    return (*found, ": ", *branches, ".") if branches else (*found, ".")


def equals(shown: Amount) -> str:
    """A number behind = or ≈."""
    return f"{shown.relation} {shown.latex}"


def is_number(evaluation: Evaluation) -> bool:
    """Whether the result is a single number: a computed one may be a list or a yes or no."""
    return isinstance(evaluation.value, Fraction)


def bare(shown: Amount) -> Formula:
    """A number alone, behind ≈ where it is rounded."""
    return Formula(shown.latex if shown.exact else equals(shown))


def _against_ridge(limit: Bottleneck, ridge: Evaluation, evaluation: Evaluation, where: str) -> Rich:
    name, letter = letter_latex(evaluation.derivation.letter), letter_latex(ridge.derivation.letter)
    line = " ".join(f"{one.relation} {one.right}" for one in _lines(ridge))
    start: Rich = (f"The ridge point{where} is ", Formula(f"{letter} {line}"), ". ")
    if limit.factor == 1:
        return (*start, "The intensity is the same: the kernel is ", Strong(limit.name), ".")
    below = evaluation.exact() < ridge.exact()
    ratio = f"{letter} / {name}" if below else f"{name} / {letter}"
    return (
        *start,
        "The intensity ",
        Formula(f"{name} {equals(amount(evaluation.exact(), evaluation.unit))}"),
        f" lies {'below' if below else 'above'} it: the kernel is ",
        Strong(limit.name),
        " by a factor of ",
        Formula(f"{ratio} {equals(_factor(limit))}"),
        ".",
    )


def _factor(limit: Bottleneck) -> Amount:
    return amount(limit.factor, "dimensionless", asked_digits() or 3)


def _branches(evaluation: Evaluation, point: Point) -> Rich:
    """The branches of the formula's Max or Min with their values."""
    nodes = sympy.preorder_traversal(evaluation.formula)
    branching = next((node for node in nodes if isinstance(node, sympy.Max | sympy.Min)), None)
    if branching is None:
        return ()
    found: Rich = ()
    unit = base_unit(evaluation.derivation.unit)
    for branch in sorted(branching.args, key=sympy.default_sort_key):
        number = point.number(branch)
        if number is None:
            return ()
        found = (
            *found,
            *((" against ",) if found else ()),
            Formula(f"{formula(branch)} {equals(amount(number, unit))}"),
        )
    return found


def inner_first(evaluation: Evaluation) -> Iterator[Evaluation]:
    """The evaluations that computed letters of this one, and then this one."""
    for inner in evaluation.computed.values():
        yield from inner_first(inner)
    yield evaluation


def _lines(evaluation: Evaluation) -> tuple[Equation, ...]:
    """The formula, the formula with its numbers, and the value, of bytes in decimal and in binary prefixes."""
    name = letter_latex(evaluation.derivation.letter)
    inputs = {filled.letter: input_amount(filled) for filled in evaluation.inputs}
    exact = all(shown.exact for shown in inputs.values())
    found = [("=", formula(evaluation.formula))]
    if inputs:
        numbers = with_numbers(evaluation.formula, inputs, evaluation.derivation.unit)
        found.append(("=" if exact else r"\approx", numbers))
    value = amount(evaluation.exact(), evaluation.unit)
    in_full = evaluation.exact()
    if not value.exact and in_full.denominator == 1 and 10**4 <= abs(in_full) < _FULL:
        found.append(("=", Amount(str(in_full.numerator), evaluation.unit, True).latex))
    found.append((value.relation, value.latex))
    if (binary := BINARY.get(value.unit)) is not None:
        shown = amount(
            in_full * units.factor(evaluation.unit)[0] / units.factor(binary)[0], binary, scaled=False
        )
        found.append((shown.relation, shown.latex))
    kept = [line for index, line in enumerate(found) if index == 0 or line[1] != found[index - 1][1]]
    return tuple(Equation("" if index else name, *line) for index, line in enumerate(kept))


def _origin(point: Point) -> Rich:
    """Whose values these are."""
    if point.note:
        return (f"{tidy(point.note.partition(': give ')[0])}: the calculation is the first example's.",)
    if not point.from_example:
        return ()
    lent = ", ".join(letter_latex(name) for name in sorted(point.from_example))
    verb = "is" if len(point.from_example) == 1 else "are"
    return (Formula(lent), f" {verb} not given: the calculation takes the first example's values.")


def inputs_of(point: Point) -> Iterator[Filled]:
    """Every value behind the numbers of a report."""
    for evaluation in evaluations(point):
        yield from evaluation.inputs
    yield from point.values.values()
