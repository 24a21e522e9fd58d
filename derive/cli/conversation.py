"""Exercises in the terminal: asked one by one, marked, counted, and what came of it."""

from __future__ import annotations

import secrets
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path

import click

from derive.cli import console
from derive.cli.worked import line_text
from derive.errors import DeriveError
from derive.symbols import without_units
from derive.teaching import progress as record
from derive.teaching.drawing import topic
from derive.teaching.exercise import KINDS, OPTIONS, Choice, Exercise, Order, Text
from derive.teaching.marking import Mark, Unreadable, mark, wanted

_WIDEST = 100
_GIVE_UP = ("?", "skip")
_QUIT = ("q", "quit", "exit")
_HELP = ("help", "h")
_UNREADABLE = 5


class Kept:
    """A learner's counts and the file that keeps them; a failure to write is told once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.progress, told = record.load(path)
        self._failed = False
        if told:
            click.echo(f"derive: {told}", err=True)

    def count(self, exercise: Exercise, *, right: bool) -> None:
        self.progress.count(topic(exercise), right=right)
        try:
            record.save(self.progress, self.path)
        except DeriveError as error:
            if not self._failed:
                click.echo(f"derive: {error}; this session goes on without", err=True)
            self._failed = True

    @property
    def failed(self) -> bool:
        return self._failed


def fresh_seed() -> int:
    """A seed that nobody has chosen, short enough to be typed."""
    return secrets.randbelow(10**6)


def hold(exercises: Sequence[Exercise], kept: Kept) -> int:
    """Ask and mark until the exercises are done or the learner leaves; the exit status.

    Raises click.Abort after an interrupt, once the score is told.
    """
    number = len(exercises)
    _say(
        f"{number} exercise{'s' if number > 1 else ''}. Answer with a number and its unit, or with letters; ? shows "
        "the solution, q leaves."
    )
    right = answered = 0
    interrupted = False
    try:
        for place, exercise in enumerate(exercises, 1):
            outcome = _ask(exercise, f"{place} of {number}")
            if outcome is None:
                break
            answered += 1
            right += outcome
            kept.count(exercise, right=outcome)
    except (KeyboardInterrupt, click.Abort):
        interrupted = True
        click.echo()
    _close(right, answered, kept)
    if interrupted:
        raise click.Abort
    return 2 if kept.failed else 0


def _ask(exercise: Exercise, place: str) -> bool | None:
    """Put a question until it is answered: whether it was right; None where the learner leaves."""
    click.echo()
    click.secho(f"{place} · {KINDS[exercise.kind]} · level {exercise.level} · {exercise.id}", bold=True)
    for paragraph in exercise.question:
        _say(line(paragraph))
    answer = exercise.answer
    options = (
        answer.options if isinstance(answer, Choice) else answer.lines if isinstance(answer, Order) else ()
    )
    for letter, option in zip(OPTIONS, options, strict=False):
        _say(f"{letter}) {line(option)}", indent="   ")
    if exercise.seconds:
        until = time.strftime("%H:%M:%S", time.localtime(time.time() + exercise.seconds))
        _say(f"The clock runs until {until}.")
    began = time.monotonic()
    unread = 0
    while unread < _UNREADABLE:
        given = _read()
        if given is None or given.lower() in _QUIT:
            return None
        if given.lower() in _HELP:
            unread += 1
            _say(f"Wanted is {wanted(exercise)}; ? shows the solution, q leaves.")
            continue
        if given.lower() in _GIVE_UP:
            _say(f"It is {answer.text}.")
            _solution(exercise)
            return False
        try:
            found = mark(exercise, given)
        except Unreadable as error:
            unread += 1
            said = str(error)
            _say(f"{said[:1].upper()}{said[1:]}.")
            continue
        took = time.monotonic() - began
        if exercise.seconds:
            _say(f"It took {took:.0f} s.")
        return _told(exercise, found, late=took > exercise.seconds > 0)
    _say(f"It is {answer.text}.")
    _solution(exercise)
    return False


def _read() -> str | None:
    """A line of the learner; None at the end of input."""
    try:
        return input("> ").strip()
    except EOFError:
        click.echo()
        return None
    except UnicodeDecodeError:
        return ""


def _told(exercise: Exercise, found: Mark, *, late: bool) -> bool:
    if found.right and late:
        _say(f"{found.says} It took more than {exercise.seconds // 60} minutes, so that it does not count.")
        return False
    click.secho(textwrap.fill(found.says, _width()), fg="green" if found.right else "red")
    if found.right:
        return True
    for slip in found.slips:
        _say(f"Your number comes out with this slip: {slip}.", indent="  ")
    _solution(exercise)
    return False


def _solution(exercise: Exercise) -> None:
    for text in exercise.chain:
        _say(line(text), indent="  ")
    _say(f"The whole derivation: derive show {exercise.id}", indent="  ")


def _close(right: int, answered: int, kept: Kept) -> None:
    counts = kept.progress
    click.echo()
    _say(f"{right} of {answered} right. Streak {counts.streak}, best {counts.best}.")
    if counts.answered > answered:
        _say(f"In all sessions: {counts.right} of {counts.answered} right.")
    for name in counts.next:
        kind, _, id = name.partition(" ")
        if kind in KINDS:
            how = "--essentials" if kind == "why" else f"--chapter {id.partition('.')[0]} --kind {kind}"
            _say(f"Review next: {KINDS[kind]}, {id} (derive drill {how})")


def line(text: Text) -> str:
    """A sentence with its formulas on the line."""
    parts = []
    for part in text:
        if isinstance(part, str):
            parts.append(part)
        else:
            named = f"{part.name} {part.relation} " if part.name else ""
            parts.append(named + line_text(without_units(part.expression)))
    return "".join(parts)


def _say(text: str, indent: str = "") -> None:
    click.echo(
        textwrap.fill(
            text, _width(), initial_indent=indent, subsequent_indent=f"{indent}  ", break_long_words=False
        )
    )


def _width() -> int:
    screen = console.console()
    return min(screen.width, _WIDEST) if sys.stdout.isatty() else _WIDEST
