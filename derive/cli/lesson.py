"""A lesson for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.text import Text

from derive.cli import console
from derive.cli.conversation import line

if TYPE_CHECKING:
    from derive.derivation import Derivation
    from derive.teaching.lesson import Lesson, Stage, Statement
    from derive.teaching.picture import Picture


def show(
    derivation: Derivation,
    given: Mapping[str, str],
    on: str | None,
    model: str | None,
    conventions: Mapping[str, str],
    hardware: str | None,
    *,
    as_json: bool,
) -> int:
    """Print the lesson of a derivation; the exit status, 1 where a statement is not proved."""
    from derive.teaching.lesson import lesson

    made = lesson(derivation, given, on, model, conventions, hardware)
    if as_json:
        console.show_json(_as_json(made))
    else:
        console.show(*parts(made))
    return 0 if made.proved else 1


def _as_json(lesson: Lesson) -> dict[str, Any]:
    return {
        "id": lesson.id,
        "title": lesson.title,
        "point": line(lesson.point),
        "stages": [
            {
                "id": stage.id,
                "title": stage.title,
                "assumption": stage.assumption,
                "here": stage.here,
                "statements": [
                    {
                        "number": one.number,
                        "statement": line(one.text),
                        "because": one.because,
                        "verdict": one.verdict.outcome,
                        "reason": one.verdict.text,
                        "cost": line(one.cost),
                    }
                    for one in stage.statements
                ],
            }
            for stage in lesson.stages
        ],
        "picture": None if lesson.picture is None else _picture_json(lesson.picture),
        "remember": lesson.remember,
        "rests on": list(lesson.rests_on),
    }


def _picture_json(picture: Picture) -> dict[str, Any]:
    return {
        "title": picture.title,
        "bars": [{"at": bar.at, "parts": list(bar.parts), "value": bar.value} for bar in picture.bars],
        "legend": {sign: line(text) for sign, text in picture.legend},
        "says": picture.says,
    }


def parts(lesson: Lesson) -> Iterator[Any]:
    """The lesson, stage by stage."""
    yield Text.assemble((lesson.id, "bold"), f"  {lesson.title}: how it reduces")
    if lesson.point:
        yield Text(f"Worked at {line(lesson.point)}.")
    for number, stage in enumerate(lesson.stages, 1):
        yield Text()
        yield from _stage(stage, number, first=number == 1)
    if lesson.picture is not None:
        yield Text()
        yield from _picture(lesson.picture)
    if lesson.remember:
        yield Text()
        rests = ", ".join(map(str, lesson.rests_on))
        yield Text.assemble(("To remember: ", "bold"), f"{lesson.remember} (statements {rests})")


def _stage(stage: Stage, number: int, *, first: bool) -> Iterator[Any]:
    own = "" if first else f"  ({stage.id})"
    yield Text.assemble((f"{number}. {stage.title}", "bold"), own)
    if stage.assumption:
        yield Padding(Text(stage.assumption), (0, 0, 0, 3))
    for one in stage.statements:
        yield Padding(_statement(one), (0, 0, 0, 3))
    if stage.here:
        yield Padding(Text(f"Here it is {stage.here}."), (0, 0, 0, 3))


def _statement(one: Statement) -> Text:
    style = "green" if one.verdict.proved else "bold red"
    told = Text.assemble(f"({one.number}) {line(one.text)}  ", (one.verdict.outcome, style))
    told.append(f"\n    because {one.because}")
    if one.cost:
        told.append(f"\n    {line(one.cost)}")
    if not one.verdict.proved:
        told.append(f"\n    but {one.verdict.text}", "bold red")
    return told


def _picture(picture: Picture) -> Iterator[Any]:
    yield Text(f"The picture: {picture.title}", style="bold")
    width = max(len(bar.at) for bar in picture.bars)
    for bar in picture.bars:
        behind = "  <- here" if bar.here else ""
        yield Text(f"   {bar.at:{width}}  {bar.drawn}  {bar.value}{behind}")
    for sign, text in picture.legend:
        yield Padding(Text(f"{sign} = {line(text)}"), (0, 0, 0, 3))
    if picture.says:
        yield Padding(Text(picture.says), (0, 0, 0, 3))
