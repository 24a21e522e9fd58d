"""Worksheets of exercises and their keys: Markdown, LaTeX, and HTML pages that mark the answers in the page."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

import units
from derive.errors import DeriveError
from derive.suggest import nearest
from derive.teaching.exercise import KINDS, OPTIONS, Amount, Choice, Exercise, Order, Unit
from reports import html, markup
from reports.sentences import rich
from reports.view import Rich

_TEMPLATES = Path(__file__).parent / "templates"
_PREFIXES = ("", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti")
_HEADS = (
    *(f"{prefix}{unit}" for prefix in _PREFIXES for unit in ("B", "b", "byte", "bytes", "bit", "bits")),
    *(f"{prefix}{unit}" for prefix in _PREFIXES[:6] for unit in ("FLOP", "FLOPs", "OP")),
    *("s", "second", "seconds", "ms", "us", "ns", "min", "h", "hour", "hours"),
    *("token", "tokens", "parameter", "parameters", "param", "params", "sequence", "sequences"),
    *("%", "percent", "cycle", "transfer", "GHz", "MHz", "GT", "MT", "1"),
)
_TAILS = ("", "/s", "/second", "/byte", "/B", "/token", "/parameter", "/param", "/transfer")
_NOUNS = ("token", "tokens", "parameter", "parameters", "param", "params")
_NUMBERS = {"thousand": 3, "k": 3, "million": 6, "M": 6, "billion": 9, "B": 9, "trillion": 12, "T": 12}
_GLUED = ("TFLOPS", "GFLOPS", "PFLOPS", "GBps", "MBps", "Gbps", "Mbps")


@dataclass(frozen=True)
class Question:
    """An exercise, ready to be laid out. data: what the page's script marks with; timed: whether a clock runs."""

    number: int
    heading: str
    paragraphs: tuple[Rich, ...]
    options: tuple[tuple[str, Rich], ...]
    kind: str
    answer: str
    chain: tuple[Rich, ...]
    data: str
    id: str
    timed: bool


@dataclass(frozen=True)
class Sheet:
    """A worksheet, or its key, which has the solutions."""

    title: str
    intro: str
    questions: tuple[Question, ...]
    key: bool


@dataclass(frozen=True)
class _Format:
    template: str
    filters: Mapping[str, Callable[..., str]]
    delimiters: Mapping[str, str] = field(default_factory=dict)


_FORMATS: Mapping[str, _Format] = {
    "md": _Format("worksheet.md.jinja", {"text": markup.markdown_text, "rich": markup.markdown_rich}),
    "tex": _Format(
        "worksheet.tex.jinja",
        {"text": markup.tex_text, "rich": markup.tex_rich, "bookmark": markup.tex_bookmark},
        {
            "block_start_string": "<%",
            "block_end_string": "%>",
            "variable_start_string": "<<",
            "variable_end_string": ">>",
            "comment_start_string": "<#",
            "comment_end_string": "#>",
        },
    ),
    "html": _Format("worksheet.html.jinja", {"text": html.text, "rich": html.rich, "plain": html.plain}),
}


def write_sheet(
    exercises: Sequence[Exercise], formats: Sequence[str], out: str | Path, *, name: str, key: bool
) -> list[Path]:
    """Write a worksheet in each format, and with `key` its solutions beside it; the paths, in order.

    Raises DeriveError for an unknown format and for a folder that cannot be written.
    """
    for one in formats:
        if one not in _FORMATS:
            raise DeriveError(
                f"unknown format {one[:40]!r}{nearest(one, _FORMATS)}: one of {', '.join(_FORMATS)}"
            )
    if not formats:
        raise DeriveError(f"--format: give one or more of {', '.join(_FORMATS)}")
    texts = {}
    for one in dict.fromkeys(formats):
        texts[f"{name}.{one}"] = render_sheet(exercises, one, name)
        if key:
            texts[f"{name}-key.{one}"] = render_sheet(exercises, one, name, key=True)
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DeriveError(f"{out}: cannot make this folder: {error.strerror or error}") from error
    return [_write(folder / file, text) for file, text in texts.items()]


def render_sheet(exercises: Sequence[Exercise], format: str, name: str, *, key: bool = False) -> str:
    """A worksheet or its key as text; the same exercises give the same text."""
    questions = tuple(_question(number, one) for number, one in enumerate(exercises, 1))
    title = f"Worksheet {name}" + (": solutions" if key else "")
    intro = f"{len(questions)} exercises on the arithmetic of AI systems. Units are part of an answer."
    sheet = Sheet(title, intro, questions, key)
    text = _environment(format).get_template(_FORMATS[format].template).render(sheet=sheet)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def _environment(format: str) -> jinja2.Environment:
    chosen = _FORMATS[format]
    options: dict[str, Any] = {
        "loader": jinja2.FileSystemLoader(_TEMPLATES),
        "undefined": jinja2.StrictUndefined,
        "autoescape": False,  # each format escapes by its own filters
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
        **chosen.delimiters,
    }
    environment = jinja2.Environment(**options)
    environment.filters.update(chosen.filters)
    return environment


def _write(path: Path, text: str) -> Path:
    """Write beside the file's place and move it there, so that no reader ever meets a half."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with unfinished.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise DeriveError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def _question(number: int, exercise: Exercise) -> Question:
    answer = exercise.answer
    options = (
        answer.options if isinstance(answer, Choice) else answer.lines if isinstance(answer, Order) else ()
    )
    return Question(
        number,
        f"{KINDS[exercise.kind].capitalize()}, level {exercise.level}",
        tuple(rich(text) for text in exercise.question),
        tuple((sign, rich(option)) for sign, option in zip(OPTIONS, options, strict=False)),
        "choice" if isinstance(answer, Choice) else "text",
        answer.text,
        tuple(rich(text) for text in exercise.chain),
        # `<` could end the script that holds the data
        json.dumps(_data(exercise), ensure_ascii=True, sort_keys=True).replace("<", r"\u003c"),
        exercise.id,
        exercise.seconds > 0,
    )


def _data(exercise: Exercise) -> dict[str, Any]:
    """What the script needs: what is right, how far an answer may be off, and what each slip gives."""
    answer = exercise.answer
    if isinstance(answer, Amount):
        return {
            "kind": "amount",
            "value": float(answer.value),
            "within": float(answer.within),
            "units": dict(_spellings(answer.unit)),
            "unit": "" if answer.unit in ("dimensionless", "percent") else answer.unit,
            "bare": 0.01 if answer.unit == "percent" else 0 if units.dimension_of(answer.unit) else 1,
            "text": answer.text,
            "seconds": exercise.seconds,
            "slips": [{"value": float(one.value), "says": one.slip.says} for one in exercise.slips],
        }
    if isinstance(answer, Unit):
        plain = not units.dimension_of(answer.unit)
        named = ["1", "none", "number"] if plain else sorted(dict(_spellings(answer.unit)))
        text = "1, a plain number" if plain else answer.unit
        return {"kind": "unit", "units": [*named, answer.unit], "text": text}
    if isinstance(answer, Order):
        return {"kind": "order", "text": answer.text}
    return {"kind": "choice", "text": answer.text}


@cache
def _spellings(unit: str) -> tuple[tuple[str, float], ...]:
    """The ways to write a unit of this dimension, each with its size in base units."""
    return tuple(_found(units.dimension_of(unit), [unit]))


def _found(due: units.Dimension, own: Sequence[str]) -> Iterator[tuple[str, float]]:
    for name, size, dimension in _known():
        if dimension == due:
            yield name, size
    for name in own:
        yield name, float(units.factor(name)[0])


@cache
def _known() -> tuple[tuple[str, float, units.Dimension], ...]:
    found = []
    for name in (*(head + tail for head in _HEADS for tail in _TAILS), *_GLUED):
        try:
            size, dimension = units.factor(name)
        except units.UnitError:
            continue
        found.append((name, float(size), dimension))
    for noun in _NOUNS:
        size, dimension = units.factor(noun)
        found += [(f"{word}{noun}", float(size * 10**zeros), dimension) for word, zeros in _NUMBERS.items()]
    return tuple(found)
