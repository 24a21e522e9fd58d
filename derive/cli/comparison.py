"""What `derive eval` shows of several machines or models side by side."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from rich.measure import Measurement
from rich.text import Text

from derive.bottleneck import bottleneck
from derive.cli import console
from derive.cli.calculation import conventions, heading, value_lines
from derive.cli.worked import formula_text, value_text
from derive.rounding import significant
from derive.symbols import without_units

if TYPE_CHECKING:
    from rich.table import Table

    from derive.filling import Filled
    from derive.result import Evaluation


def parts(evaluations: Sequence[Evaluation], extra: str | None, asked: Collection[str]) -> list[Any]:
    """The formula once, the letters that all share, and a line for each machine and model.

    extra: the file of machines that was given. asked: the conventions that were given.
    """
    same, differing = _letters(evaluations)
    agreed, varying = _conventions(evaluations)
    shown = _formulas(evaluations)
    if same:
        values = (f"{filled.letter.name} = {value_text(filled)}" for filled in same)
        shown += [Text(), Text(f"where {', '.join(values)}")]
    limits = [bottleneck(one, extra) for one in evaluations]
    names = [name for name in ("on", "model") if any(_name(one, name) for one in evaluations)]
    columns = [*names, *varying, *differing]
    rows = []
    for one, limit in zip(evaluations, limits, strict=True):
        texts = {filled.letter.name: value_text(filled) for filled in one.inputs} | dict(one.conventions)
        texts |= {"on": one.hardware or "", "model": one.model or ""}
        verdict = (
            f"{limit.name}, {significant(limit.factor)}×"
            if limit and limit.name
            else limit.text
            if limit
            else ""
        )
        value = list(value_lines(one))[-1].removeprefix("= ")
        rows.append([*(texts.get(name, "") for name in columns), value, verdict])
    columns += [evaluations[0].derivation.letter, "limited by"]
    if not any(limits):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    shown += [Text(), _fitting(columns, rows)]
    if agreed:
        shown += [Text(), conventions(agreed, asked)]
    return shown


def _fitting(columns: list[str], rows: list[list[str]]) -> Table:
    """A line for each machine and model, or, where the terminal is too narrow for that, a column for each."""
    screen = console.console()
    wide = console.table(*columns)
    for row in rows:
        wide.add_row(*row)
    if Measurement.get(screen, screen.options.update(width=console.WIDE), wide).maximum <= screen.width:
        return wide
    tall = console.table(columns[0], *(row[0] for row in rows))
    for number, name in enumerate(columns[1:], 1):
        tall.add_row(name, *(row[number] for row in rows))
    return tall


def _formulas(evaluations: Sequence[Evaluation]) -> list[Any]:
    """The formula; where the family of a model decides which, each with the models that it holds for."""
    forms: dict[str, list[Evaluation]] = {}
    for one in evaluations:
        forms.setdefault(one.derivation.name, []).append(one)
    shown: list[Any] = []
    for own in forms.values():
        derivation, formula = own[0].derivation, without_units(own[0].formula)
        names = {name for one in own for name in (one.hardware, one.model) if name}
        whose = f" ({', '.join(sorted(names))})" if len(forms) > 1 else ""
        block = formula_text(
            formula, f"{derivation.letter} = ", console.console().width, unicode=console.unicode_output()
        )
        shown += [heading(derivation.id, derivation.title + whose), Text(block), Text()]
    return shown[:-1]


def _letters(evaluations: Sequence[Evaluation]) -> tuple[list[Filled], list[str]]:
    """The letters filled alike everywhere, and the names of those that are not."""
    everywhere = [{filled.letter.name: filled for filled in one.inputs} for one in evaluations]
    same, differing = [], []
    for name in dict.fromkeys(name for one in everywhere for name in one):
        if len({one[name].value if name in one else None for one in everywhere}) == 1:
            same.append(everywhere[0][name])
        else:
            differing.append(name)
    return same, differing


def _conventions(evaluations: Sequence[Evaluation]) -> tuple[dict[str, str], list[str]]:
    """The conventions that stand alike everywhere with their choice, and the names of those that do not."""
    names = dict.fromkeys(name for one in evaluations for name in one.conventions)
    choices = {name: {one.conventions.get(name, "") for one in evaluations} for name in names}
    agreed = {name: found.pop() for name, found in choices.items() if len(found) == 1}
    return agreed, [name for name in names if name not in agreed]


def _name(evaluation: Evaluation, which: str) -> str:
    return (evaluation.hardware if which == "on" else evaluation.model) or ""
