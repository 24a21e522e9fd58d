"""What `derive solve` says of a solution, as data and for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

import units
from derive.cli import console
from derive.cli.calculation import heading
from derive.cli.worked import formula_text, line_text, says_all, value_text
from derive.dimensions import dimension_text
from derive.errors import DimensionError
from derive.result import json_number
from derive.rounding import DIGITS, significant, with_unit
from derive.symbols import without_units

if TYPE_CHECKING:
    from fractions import Fraction

    from derive.solving import Root, Solution
    from derive.symbols import Letter


def as_json(solution: Solution, to: str | None) -> dict[str, Any]:
    """A solution as `derive solve --json` prints it."""
    return {
        "id": solution.derivation.id,
        "letter": solution.letter.name,
        "equals": solution.equals,
        "unit": to or solution.letter.unit,
        "solutions": [
            {
                "formula": line_text(without_units(root.formula)) if root.bracket is None else "",
                "value": _number(_value(solution, root, to)),
                "text": _text(solution, root, to),
                "verdict": root.verdict.outcome,
                "reason": root.verdict.text,
            }
            for root in solution.roots
        ],
        "none": solution.none,
        "inputs": [
            {
                "symbol": filled.letter.name,
                "value": json_number(filled.amount),
                "unit": filled.letter.unit,
                "source": filled.source,
            }
            for filled in solution.inputs
        ],
        "conventions": dict(solution.conventions),
    }


def parts(solution: Solution, to: str | None, where: str, *, first: bool) -> list[Any]:
    """A solution for the terminal; `where` names the machine and model where there are several."""
    derivation, letter = solution.derivation, solution.letter
    width, unicode = console.console().width, console.unicode_output()
    shown: list[Any] = []
    if first:
        title = f"{derivation.title}, solved for {letter.name}: {letter.meaning}"
        formula = formula_text(
            without_units(solution.formula), f"{derivation.letter} = ", width, unicode=unicode
        )
        shown = [heading(derivation.id, title), Text(formula)]
    shown.append(Text(f"\n{where}" if where else ""))
    if solution.inputs:
        given = [
            f"{filled.letter.name} = {value_text(filled)} ({filled.source})" for filled in solution.inputs
        ]
        asked = [f"{derivation.letter} = {solution.equals}"] if solution.equals else []
        shown += [Text(f"where {', '.join(given + asked)}"), Text()]
    for root in solution.roots:
        if root.bracket is None and not root.formula.is_number:
            shown.append(
                Text(formula_text(without_units(root.formula), f"{letter.name} = ", width, unicode=unicode))
            )
        if root.value is not None:
            text = _text(solution, root, to)
            sign = "=" if root.bracket is None and says_all(text, root.value) else "≈"
            shown.append(Text(f"{letter.name} {sign} {text}", style="bold"))
        style = "green" if root.verdict.proved else "bold red"
        shown.append(Text(f"{root.verdict.outcome}: {root.verdict.text}", style=style))
    if not solution.roots:
        shown.append(Text(f"no {letter.name}: {solution.none}", style="bold"))
    return shown


def check_unit(letter: Letter, to: str | None) -> None:
    """Raise DimensionError where a letter cannot be given in the unit that is asked for."""
    if to is not None and units.dimension_of(to) != units.dimension_of(letter.unit):
        own = dimension_text(units.dimension_of(letter.unit))
        raise DimensionError(f"{letter.name} is {own}: it cannot be given in {to}")


def _value(solution: Solution, root: Root, to: str | None) -> Fraction | None:
    return None if root.value is None else root.value / units.factor(to or solution.letter.unit)[0]


def _text(solution: Solution, root: Root, to: str | None) -> str:
    value = _value(solution, root, to)
    return root.text if to is None or value is None else with_unit(significant(value, DIGITS), to)


def _number(value: Fraction | None) -> int | float | None:
    return None if value is None else json_number(value)
