"""What `derive eval` shows of one evaluation: formula, numbers in place, value, origins, conventions, verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from derive.bottleneck import bottleneck
from derive.cli import console
from derive.cli.worked import formula_text, line_text, says_all, substituted, value_text
from derive.conventions import CONVENTIONS
from derive.entries import Constant
from derive.rounding import grouped, with_unit
from derive.symbols import without_units

if TYPE_CHECKING:
    from rich.table import Table

    from derive.result import Evaluation


def parts(evaluation: Evaluation, extra: str | None, asked: Collection[str]) -> list[Any]:
    """The parts of the output in order; `extra` is the file of machines and `asked` the conventions that were given."""
    derivation = evaluation.derivation  # the form for the model's family and the conventions
    shown: list[Any] = [heading(derivation.id, derivation.title)]
    if evaluation.says:
        shown.append(Text(evaluation.says, style="bold"))
    else:
        shown += _worked(evaluation)
    if evaluation.inputs:
        shown += [Text(), inputs(evaluation), *_sources(evaluation)]
    if evaluation.conventions:
        shown += [Text(), conventions(evaluation.conventions, asked)]
    limit = bottleneck(evaluation, extra)
    if limit is not None:
        shown += [
            Text(),
            Text(limit.text[:1].upper() + limit.text[1:] + ".", style="bold" if limit.name else ""),
        ]
    return shown


def notes(evaluations: Sequence[Evaluation]) -> Iterator[Text]:
    """The remarks on what was given, each once."""
    for note in dict.fromkeys(note for one in evaluations for note in one.notes):
        yield Text(f"\nNote: {note}.", style="yellow")


def _worked(evaluation: Evaluation) -> Iterator[Text]:
    """The formula, the same with numbers in place of letters, and the value."""
    width, unicode = console.console().width, console.unicode_output()
    letter = evaluation.derivation.letter
    yield Text(formula_text(without_units(evaluation.formula), f"{letter} = ", width, unicode=unicode))
    indent = " " * len(letter)
    if evaluation.inputs:
        numbers = substituted(evaluation.formula, evaluation.inputs)
        yield Text()
        yield Text(formula_text(numbers, f"{indent} = ", width, unicode=unicode))
    yield Text()
    for line in value_lines(evaluation):
        yield Text(f"{indent} {line}", style="bold")


def heading(id: str, title: str) -> Text:
    """The first line: id and title."""
    return Text.assemble((id, "bold"), f"  {title}\n")


def value_lines(evaluation: Evaluation) -> Iterator[str]:
    """The value: in full where it is a whole number, and rounded in the unit in which it reads best."""
    if evaluation.value is None:
        yield f"has no value: {evaluation.none}"
        return
    if evaluation.says or not isinstance(evaluation.value, Fraction):
        yield evaluation.text
        return
    exact = evaluation.exact()
    rounded = not says_all(evaluation.text, evaluation.value)
    if rounded and exact.denominator == 1 and abs(exact) < 10**18:
        yield f"= {with_unit(grouped(exact.numerator), evaluation.unit)}"
    yield f"{'≈' if rounded else '='} {evaluation.text}"


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
            source = _named(filled.constant)
        elif inner is not None:
            source = f"{inner.derivation.id} = {line_text(without_units(inner.formula))}"
        text = value_text(filled)
        if filled.constant is None and not says_all(text, filled.value):
            text = f"≈ {text}"
        yield f"{indent}{filled.letter.name}", filled.letter.meaning, text, source
        if inner is not None:
            yield from _rows(inner, f"{indent}  ")


def _sources(evaluation: Evaluation) -> list[Any]:
    """The documents behind the constants, each with the letters that it gave."""
    letters: dict[str, list[str]] = {}
    for name, constant in _constants(evaluation):
        source = constant.source
        note = f"; {source.note}" if source.note else ""
        told = f"{_named(constant)}: {source.document}, {source.date.isoformat()}{note}"
        letters.setdefault(told, []).append(name)
    if not letters:
        return []
    made = console.table("", "")
    made.show_header = False
    for told, names in letters.items():
        made.add_row(", ".join(dict.fromkeys(names)), told)
    return [Text(), made]


def _constants(evaluation: Evaluation) -> Iterator[tuple[str, Constant]]:
    for filled in evaluation.inputs:
        if filled.constant is not None:
            yield filled.letter.name, filled.constant
        if filled.letter.name in evaluation.computed:
            yield from _constants(evaluation.computed[filled.letter.name])


def _named(constant: Constant) -> str:
    return f"{constant.entry} [{constant.kind}]" if constant.kind else constant.entry


def conventions(in_force: Mapping[str, str], asked: Collection[str]) -> Table:
    """The conventions in force, what each choice means, and why it is in force."""
    made = console.table("convention", "choice", "meaning", "reason")
    for name, choice in in_force.items():
        convention = CONVENTIONS[name]
        reason = "as asked" if name in asked else f"by default: {convention.reason}"
        made.add_row(name, choice, convention.choices[choice], reason)
    return made
