"""The lesson of a report: the ladder of a formula, its picture and the sentence to remember, ready to be laid out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.teaching import lesson as taught
from derive.teaching.exercise import Text
from derive.teaching.ladders import LADDERS
from derive.teaching.picture import WIDTH, Bar, Picture
from reports.sentences import equation, rich
from reports.setting import Setting
from reports.view import Count, Equation, Link, Proof, Rich
from reports.wording import counted, proof, tidy

_ROW, _BAR, _UNIT = 44, 16, 10  # of the drawing: a row, its bar, and a sign of the bar's WIDTH
_COLOURS = 4


@dataclass(frozen=True)
class Statement:
    """A statement of a rung; cost: what it amounts to at the numbers of the lesson."""

    label: str
    text: Rich
    because: str
    proof: Proof
    cost: Rich


@dataclass(frozen=True)
class Rung:
    """A stage of the ladder. link: where its formula is derived; None for the formula of the report itself."""

    title: str
    link: Link | None
    assumption: str
    result: Equation
    statements: tuple[Statement, ...]
    here: str


@dataclass(frozen=True)
class BarRow:
    """A bar as signs (AABBB), where it stands, what it comes to, and whether these are the lesson's numbers.

    parts: how many signs each part is long. line: all of it in columns, for type of one width.
    """

    at: str
    drawn: str
    parts: tuple[int, ...]
    value: str
    here: bool
    line: str


@dataclass(frozen=True)
class Key:
    """What a sign stands for, and the class of its colour on a page."""

    sign: str
    text: Rich
    colour: str


@dataclass(frozen=True)
class Drawing:
    """The picture: bars, what each sign stands for, and the bars as SVG for a page."""

    title: str
    bars: tuple[BarRow, ...]
    legend: tuple[Key, ...]
    says: str
    svg: str


@dataclass(frozen=True)
class LessonView:
    """A lesson. point: the numbers that it is worked at; rests_on: the labels that the sentence rests on."""

    point: Rich
    rungs: tuple[Rung, ...]
    drawing: Drawing | None
    remember: str
    rests_on: tuple[str, ...]
    count: Count


def lesson_view(derivation: Derivation, setting: Setting, shelf: Mapping[str, str]) -> LessonView | None:
    """The lesson of a derivation that has a ladder, at the reader's numbers; None for any other."""
    if derivation.id not in LADDERS:
        return None
    made = _made(derivation, setting)
    rungs = tuple(_rung(stage, shelf, first=place == 0) for place, stage in enumerate(made.stages))
    return LessonView(
        _tidied(made.point),
        rungs,
        None if made.picture is None else _drawing(made.id, made.picture),
        made.remember,
        tuple(_label(number) for number in made.rests_on),
        counted(one.proof for rung in rungs for one in rung.statements),
    )


def _made(derivation: Derivation, setting: Setting) -> taught.Lesson:
    known = taught.letters_of_lesson(derivation)
    given = {name: value for name, value in setting.given.items() if name in known}
    hardware = None if setting.hardware is None else str(setting.hardware)
    try:
        return taught.lesson(derivation, given, setting.on, setting.model, setting.conventions, hardware)
    except DeriveError:  # the reader's machine or model does not fit a stage: usual numbers do
        return taught.lesson(derivation)


def _rung(stage: taught.Stage, shelf: Mapping[str, str], *, first: bool) -> Rung:
    return Rung(
        stage.title,
        None if first else Link(stage.id, stage.title, shelf.get(stage.id, "")),
        tidy(stage.assumption),
        equation(stage.result),
        tuple(
            Statement(
                _label(one.number),
                _tidied(one.text),
                one.because,
                proof(one.verdict),
                _sentence(_tidied(one.cost)),
            )
            for one in stage.statements
        ),
        tidy(stage.here),
    )


def _label(number: int) -> str:
    """The number of a statement; the letter keeps it apart from the links of the report's own chain."""
    return f"R{number}"


def _tidied(text: Text) -> Rich:
    return tuple(tidy(part) if isinstance(part, str) else part for part in rich(text))


def _sentence(parts: Rich) -> Rich:
    """Words made a sentence."""
    if not parts or not isinstance(parts[0], str):
        return parts
    return (parts[0][:1].upper() + parts[0][1:], *parts[1:], ".")


def _drawing(id: str, picture: Picture) -> Drawing:
    title = picture.title[:1].upper() + picture.title[1:]
    return Drawing(
        title,
        tuple(_bar_row(bar, max(len(tidy(one.at)) for one in picture.bars)) for bar in picture.bars),
        tuple(Key(sign, _tidied(text), _colour(place)) for place, (sign, text) in enumerate(picture.legend)),
        picture.says,
        "\n".join(_svg(id, title, picture)),
    )


def _bar_row(bar: Bar, width: int) -> BarRow:
    at, value = tidy(bar.at), tidy(bar.value)
    line = f"{at:{width}}  {bar.drawn:{WIDTH}}  {value}{'  <- here' if bar.here else ''}"
    return BarRow(at, bar.drawn, tuple(bar.parts), value, bar.here, line)


def _colour(place: int) -> str:
    return f"part{min(place, _COLOURS - 1)}"


def _svg(id: str, title: str, picture: Picture) -> Iterator[str]:
    """The bars for a page: a row each, its parts in the page's colours and lettered, told in words as well."""
    width, height = WIDTH * _UNIT, _ROW * len(picture.bars)
    name = f"{id}.lesson.picture"
    yield (
        f'<svg class="bars" viewBox="0 0 {width} {height}" role="img" '
        f'aria-labelledby="{name}.title {name}.desc">'
    )
    told = " ".join(filter(None, [*map(_told, picture.bars), picture.says]))
    yield f'<title id="{name}.title">{escape(title)}</title><desc id="{name}.desc">{escape(told)}</desc>'
    for place, bar in enumerate(picture.bars):
        yield from _row(bar, place * _ROW, width)
    yield "</svg>"


def _told(bar: Bar) -> str:
    """A bar in words: 8 of 40 signs are A."""
    signs = sorted(set(bar.drawn))
    shares = ", ".join(f"{bar.drawn.count(sign)} of {WIDTH} {sign}" for sign in signs)
    return tidy(f"{bar.at}: {f'{shares}; ' if shares else ''}{bar.value}{' (here)' if bar.here else ''}.")


def _row(bar: Bar, top: int, width: int) -> Iterator[str]:
    here = ' class="here"' if bar.here else ""
    yield f'<text x="0" y="{top + 15}"{here}>{escape(tidy(bar.at))}{", here" if bar.here else ""}</text>'
    yield f'<text x="{width}" y="{top + 15}" text-anchor="end"{here}>{escape(tidy(bar.value))}</text>'
    left = 0
    for place, size in enumerate(bar.parts):
        if size:
            sign, long = bar.drawn[left // _UNIT], size * _UNIT
            yield f'<rect class="{_colour(place)}" x="{left}" y="{top + 21}" width="{long}" height="{_BAR}"/>'
            yield f'<text class="sign" x="{left + long // 2}" y="{top + 33}" text-anchor="middle">{sign}</text>'
            left += long
