"""What `derive eval` shows of several machines or models side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from derive.bottleneck import bottleneck
from derive.cli import console
from derive.cli.calculation import conventions, heading, value_lines
from derive.cli.worked import formula_text, value_text
from derive.symbols import without_units

if TYPE_CHECKING:
    from derive.filling import Filled
    from derive.result import Evaluation


def parts(evaluations: Sequence[Evaluation], extra: str | None) -> list[Any]:
    """The formula once, the letters that all share, and a line for each machine and model."""
    first = evaluations[0]
    derivation = first.derivation
    width, unicode = console.console().width, console.is_unicode()
    shown: list[Any] = [
        heading(derivation.id, derivation.title),
        Text(formula_text(without_units(first.formula), f"{derivation.letter} = ", width, unicode=unicode)),
    ]
    same, differing = _letters(evaluations)
    if same:
        shown.append(Text("where " + ", ".join(f"{filled.letter.name} = {value_text(filled)}" for filled in same)))
    limits = [bottleneck(one, extra) for one in evaluations]
    columns = [name for name in ("on", "model") if any(_name(one, name) for one in evaluations)]
    result = console.table(*columns, *(f">{name}" for name in differing), f">{derivation.letter}")
    if any(limits):
        result.add_column("limited by", overflow="fold")
    for one, limit in zip(evaluations, limits, strict=True):
        values = {filled.letter.name: value_text(filled) for filled in one.inputs}
        verdict = f"{limit.name}, {_factor(limit.factor)}" if limit and limit.name else "no verdict" if limit else ""
        result.add_row(
            *(_name(one, name) for name in columns),
            *(values.get(name, "") for name in differing),
            list(value_lines(one))[-1].removeprefix("= "),
            *([verdict] if any(limits) else []),
        )
    shown += [Text(), result]
    if first.conventions:
        shown += [Text(), conventions(first)]
    return shown


def _letters(evaluations: Sequence[Evaluation]) -> tuple[list[Filled], list[str]]:
    """The letters filled alike everywhere, and the names of those that are not."""
    everywhere = [{filled.letter.name: filled for filled in one.inputs} for one in evaluations]
    names = list(dict.fromkeys(name for one in everywhere for name in one))
    same, differing = [], []
    for name in names:
        values = {one[name].value if name in one else None for one in everywhere}
        if len(values) == 1:
            same.append(everywhere[0][name])
        else:
            differing.append(name)
    return same, differing


def _name(evaluation: Evaluation, which: str) -> str:
    return (evaluation.hardware if which == "on" else evaluation.model) or ""


def _factor(factor: Any) -> str:
    from derive.rounding import significant

    return f"{significant(factor)}×"
