"""The picture of a lesson: which part of a sum dominates where, or which branch of a roofline.

Where a lesson has nothing to divide, its stages stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from derive.derivation import Derivation
from derive.dimensions import dimension_of
from derive.facts import Limit
from derive.symbols import Letter, letters_of
from derive.teaching.exercise import Maths, Text
from derive.teaching.ladders import STAGES, Ladder
from derive.teaching.numbers import Numbers, base_text
from derive.teaching.parts import Parts, parts

WIDTH = 40
_SIGNS = "ABCDEFGH"
_BARS = 5
_LOWEST = (-2, -1, -3, 0, -4)  # powers of 8 below the own value, the balanced choice first


@dataclass(frozen=True)
class Bar:
    """A line: where it stands, how many of its `WIDTH` signs each part takes, and what it comes to."""

    at: str
    parts: tuple[int, ...]
    value: str
    here: bool

    @property
    def drawn(self) -> str:
        return "".join(sign * size for sign, size in zip(_SIGNS, self.parts, strict=False))


@dataclass(frozen=True)
class Picture:
    """Bars over the values of a letter, or a bar a stage, and what each sign stands for."""

    title: str
    bars: tuple[Bar, ...]
    legend: tuple[tuple[str, Text], ...]
    says: str


def picture(rungs: Sequence[Derivation], points: Sequence[Numbers], ladder: Ladder) -> Picture | None:
    """The picture of a lesson: the first rung's parts, or what the ladder shows instead.

    None for a formula that is a single term, or lacks a number, or has a part below 0.
    """
    if ladder.shows == STAGES:
        return _stages(rungs, points)
    derivation, numbers = rungs[0], points[0]
    found = parts(derivation, numbers.formula, ladder.shows, ladder.names)
    if found is None or len(found.named) > len(_SIGNS):
        return None
    formulas = [formula for _, formula in found.named]
    letter = _over(derivation, formulas, ladder.over)
    sizes = [numbers.of(formula) for formula in formulas]
    if letter is None or any(size is None or size < 0 for size in sizes):
        return None
    bars = _widest(
        [tuple(_bars(found, numbers, letter, values)) for values in _choices(numbers, letter, ladder)]
    )
    same = len({bar.parts for bar in bars}) == 1
    bars = tuple(bar for bar in bars if bar.here) if same else bars
    legend = tuple(
        (sign, (f"{name}: " if name else "", Maths(formula)))
        for sign, (name, formula) in zip(_SIGNS, found.named, strict=False)
    )
    grows = f"the same for every {letter.name}" if same else f"as {letter.name} ({letter.meaning}) grows"
    return Picture(f"{found.title}, {grows}", bars, legend, _crossing(bars, letter))


def _stages(rungs: Sequence[Derivation], points: Sequence[Numbers]) -> Picture | None:
    """A bar for each stage, the longest for the largest value; None where units differ or a number is missing."""
    values = [numbers.of(numbers.formula) for numbers in points]
    known = [value for value in values if value is not None and value > 0]
    if len(known) < len(values) or len({dimension_of(rung.result) for rung in rungs}) > 1:
        return None
    bars = tuple(
        Bar(rung.id, (round(value / max(known) * WIDTH),), base_text(value, rung.unit), here=False)
        for rung, value in zip(rungs, known, strict=True)
    )
    return Picture("the stages side by side", bars, (), "")


def _over(derivation: Derivation, formulas: Sequence[sympy.Expr], over: str) -> Letter | None:
    letters = {letter.name: letter for formula in formulas for letter in letters_of(formula)}
    if over:
        return letters.get(over)
    sent = [fact.letters[0].name for fact in derivation.facts if isinstance(fact, Limit)]
    plain = [name for name, letter in letters.items() if letter.unit == "dimensionless"]
    return next((letters[name] for name in (*sent, *plain, *letters) if name in letters), None)


def _widest(choices: Sequence[tuple[Bar, ...]]) -> tuple[Bar, ...]:
    """The first choice of bars at whose ends different parts are the largest; else the first of all."""
    return next((bars for bars in choices if len(set(_largest(bars))) > 1), choices[0])


def _choices(numbers: Numbers, letter: Letter, ladder: Ladder) -> Iterator[Sequence[Fraction]]:
    """The values of the letter that bars may stand at, each choice with its own value among them."""
    own = numbers.of(letter) or Fraction(1)
    if ladder.values:
        yield sorted({own, *map(Fraction, ladder.values)})
        return
    for lowest in _LOWEST:
        values = [own * Fraction(8) ** power for power in range(lowest, lowest + _BARS)]
        if letter.whole:
            values = [Fraction(round(value)) for value in values]
        values = [max(Fraction(letter.at_least), value) for value in values]
        yield list(dict.fromkeys(values))


def _bars(found: Parts, numbers: Numbers, letter: Letter, values: Sequence[Fraction]) -> Iterator[Bar]:
    own = numbers.of(letter)
    for value in values:
        sizes = [numbers.of(formula, {letter: value}) for _, formula in found.named]
        result = numbers.of(found.value, {letter: value})
        known = [size for size in sizes if size is not None and size >= 0]
        if result is None or len(known) < len(sizes):
            continue
        shown = base_text(value, letter.unit)
        yield Bar(f"{letter.name} = {shown}", _split(known), base_text(result, found.unit), value == own)


def _split(sizes: Sequence[Fraction]) -> tuple[int, ...]:
    """`WIDTH` signs shared out in proportion, the largest remainders rounded up."""
    whole = sum(sizes)
    if not whole:
        return tuple(0 for _ in sizes)
    exact = [size / whole * WIDTH for size in sizes]
    parts = [int(one) for one in exact]
    order = sorted(range(len(sizes)), key=lambda place: parts[place] - exact[place])
    for place in order[: WIDTH - sum(parts)]:
        parts[place] += 1
    return tuple(parts)


def _largest(bars: Sequence[Bar]) -> list[int]:
    """The place of the largest part at either end."""
    return [bar.parts.index(max(bar.parts)) for bar in (bars[0], bars[-1])] if bars else []


def _crossing(bars: Sequence[Bar], letter: Letter) -> str:
    """Which part is the largest at either end."""
    if len(bars) < 2:
        return ""
    first, last = _largest(bars)
    if first == last:
        return f"{_SIGNS[first]} is the largest part at both ends."
    return f"{_SIGNS[first]} dominates while {letter.name} is small, {_SIGNS[last]} where it is large."
