"""What `derive eval` shows of one evaluation: formula, numbers in place, value, origins, conventions, verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

import units
from derive.bottleneck import bottleneck
from derive.cli import console
from derive.cli.worked import formula_text, is_exact, line_text, substituted, value_text
from derive.conventions import CONVENTIONS
from derive.entries import Constant
from derive.rounding import grouped, is_rounded, readable_unit, with_unit
from derive.symbols import without_units

if TYPE_CHECKING:
    from rich.table import Table

    from derive.result import Evaluation


def parts(evaluation: Evaluation, extra: str | None) -> list[Any]:
    """The parts of the output in order; `extra` is the file of machines that was given."""
    derivation = evaluation.derivation
    width, unicode = console.console().width, console.is_unicode()
    indent = " " * len(derivation.letter)
    shown = [
        heading(derivation.id, derivation.title),
        Text(formula_text(without_units(evaluation.formula), f"{derivation.letter} = ", width, unicode=unicode)),
    ]
    if evaluation.inputs:
        worked = substituted(evaluation.formula, evaluation.inputs)
        shown += [Text(), Text(formula_text(worked, f"{indent} = ", width, unicode=unicode))]
    shown.append(Text())
    shown += [Text(f"{indent} {line}", style="bold") for line in value_lines(evaluation)]
    if evaluation.inputs:
        shown += [Text(), inputs(evaluation)]
    if evaluation.conventions:
        shown += [Text(), conventions(evaluation)]
    limit = bottleneck(evaluation, extra)
    if limit is not None:
        shown += [Text(), Text(limit.text[:1].upper() + limit.text[1:] + ".", style="bold" if limit.name else "")]
    return shown


def heading(id: str, title: str) -> Text:
    """The first line: id and title."""
    return Text.assemble((id, "bold"), f"  {title}\n")


def value_lines(evaluation: Evaluation) -> Iterator[str]:
    """The value: in full where it is a whole number, and rounded in the unit in which it reads best."""
    if evaluation.value is None:
        yield f"has no value: {evaluation.none}"
        return
    exact = evaluation.exact()
    rounded = _is_rounded(evaluation)
    if rounded and exact.denominator == 1 and abs(exact) < 10**18:
        yield f"= {with_unit(grouped(exact.numerator), evaluation.unit)}"
    yield f"{'≈' if rounded else '='} {evaluation.text}"


def _is_rounded(evaluation: Evaluation) -> bool:
    exact, unit = evaluation.exact(), evaluation.unit
    better = readable_unit(exact, unit) if unit == evaluation.derivation.unit else unit
    return is_rounded(exact * units.factor(unit)[0] / units.factor(better)[0])


def inputs(evaluation: Evaluation) -> Table:
    """Where each number came from; the numbers behind a computed one stand under it."""
    made = console.table("letter", "meaning", "value", "source")
    for cells in _rows(evaluation, ""):
        made.add_row(*cells)
    return made


def _rows(evaluation: Evaluation, indent: str) -> Iterator[tuple[str, str, str, str]]:
    for filled in evaluation.inputs:
        inner = evaluation.computed.get(filled.letter.name)
        source = filled.source
        if filled.constant is not None:
            source = constant_source(filled.constant)
        elif inner is not None:
            source = f"{inner.derivation.id} = {line_text(without_units(inner.formula))}"
        sign = "" if is_exact(filled) else "≈ "
        yield f"{indent}{filled.letter.name}", filled.letter.meaning, f"{sign}{value_text(filled)}", source
        if inner is not None:
            yield from _rows(inner, f"{indent}  ")


def constant_source(constant: Constant) -> str:
    """A constant's entry, kind, document, date and note in a line."""
    kind = f" [{constant.kind}]" if constant.kind else ""
    note = f"; {constant.source.note}" if constant.source.note else ""
    return f"{constant.entry}{kind}: {constant.source.document}, {constant.source.date.isoformat()}{note}"


def conventions(evaluation: Evaluation) -> Table:
    """The conventions in force, what each choice means and why it is the default."""
    made = console.table("convention", "choice", "meaning", "default, and why")
    for name, choice in evaluation.conventions.items():
        convention = CONVENTIONS[name]
        made.add_row(name, choice, convention.choices[choice], f"{convention.default}: {convention.reason}")
    return made
