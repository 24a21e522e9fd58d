"""A formula over the product of several axes, computed in chunks at NumPy speed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sympy
from numpy.typing import NDArray

from derive.catalogue import get
from derive.compiling import compile_over
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.evaluation import Question, entries
from derive.facts import Ceiling, NoSolution
from derive.filling import Context, Filled, Given
from derive.opened import Opened, opened_result
from derive.result import Evaluation, factor_of
from derive.suggest import nearest
from derive.sweeping.axes import Axis, axis_name, read_axis
from derive.symbols import Letter, letters_of, without_units

CHUNK = 1 << 16
_AXES = 6
_POINTS = 10**12


Region = tuple[tuple[sympy.Expr, str, sympy.Expr], ...]
"""Conditions (left, relation, right) that hold together where there is no value."""


@dataclass(frozen=True)
class Sweep:
    """Axes, the formula, and what fills its other letters.

    unit: of the result. inputs: the letters that stay as they are. conventions: in force.
    """

    derivation: Derivation
    axes: tuple[Axis, ...]
    unit: str
    inputs: tuple[Filled, ...]
    conventions: Mapping[str, str]
    formula: sympy.Expr
    fixed: Mapping[sympy.Symbol, float]
    empty: tuple[Region, ...]

    @property
    def size(self) -> int:
        """The number of points."""
        return math.prod(axis.count for axis in self.axes)

    @property
    def header(self) -> list[str]:
        """Column names with units."""
        columns = [_column(axis.letter.name, axis.letter.unit) for axis in self.axes]
        return [*columns, _column(self.derivation.letter, self.unit)]

    def chunks(self, size: int = CHUNK) -> Iterator[list[NDArray[np.float64]]]:
        """Columns for `size` points at a time, each in its own unit; the last axis varies fastest.

        A point without a value is nan.
        """
        symbols = [*(axis.letter for axis in self.axes), *self.fixed]
        function = compile_over(symbols, self.formula, self.derivation.name)
        regions = [
            [
                (
                    compile_over(symbols, left, "region"),
                    _RELATIONS[relation],
                    compile_over(symbols, right, "region"),
                )
                for left, relation, right in region
            ]
            for region in self.empty
        ]
        shape = tuple(axis.count for axis in self.axes)
        constants = [np.float64(value) for value in self.fixed.values()]
        scale = float(factor_of(self.unit, self.derivation))
        for start in range(0, self.size, size):
            flat = np.arange(start, min(start + size, self.size), dtype=np.int64)
            places = np.unravel_index(flat, shape)
            values = [axis.values(place) for axis, place in zip(self.axes, places, strict=True)]
            with np.errstate(all="ignore"):
                found = np.broadcast_to(np.asarray(function(*values, *constants), float), flat.shape).copy()
                for region in regions:
                    inside = np.ones(flat.shape, dtype=bool)
                    for left, relation, right in region:
                        inside &= relation(left(*values, *constants), right(*values, *constants))
                    found[inside] = np.nan
            found[~np.isfinite(found)] = np.nan
            yield [value / axis.scale for axis, value in zip(self.axes, values, strict=True)] + [
                found / scale
            ]


_RELATIONS = {"<=": np.less_equal, "<": np.less, ">=": np.greater_equal, ">": np.greater}


def sweep(
    id: str | Derivation,
    over: Sequence[str],
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
    to: str | None = None,
) -> Sweep:
    """Lay out a sweep; nothing is computed until its chunks are asked for.

    over: ranges such as "T=1024:131072:*2", the last varying fastest. Other
    inputs as for `derive.evaluate`. Raises DeriveError for a bad range, an unknown
    letter or one that nothing fills.
    """
    derivation = get(id) if isinstance(id, str) else id
    ranges = {axis_name(text): text.partition("=")[2] for text in over}
    if not ranges or len(ranges) != len(over) or len(ranges) > _AXES:
        raise DeriveError(f"give one to {_AXES} ranges of different letters, as --over T=1024:131072:*2")
    clash = sorted(set(ranges) & set(given or {}))
    if clash:
        raise DeriveError(f"{clash[0]} is both given and swept over: leave one out")
    machine, network = entries(on, model, hardware)
    starts = {name: _somewhere(text) for name, text in ranges.items()}
    context = Context({**(given or {}), **starts}, machine, network, conventions or {})
    question = Question(derivation, context)
    question.formula = question.derivation.general
    if not question.derivation.chain:
        raise DeriveError(f"{derivation.name} is computed step by step, not by a formula: it cannot be swept")
    question.fill(letters_of(question.formula), partly=True)
    question.check_given()  # an unknown letter is told before a missing one
    inputs, computed = question.fill(letters_of(question.formula))
    unit = to or derivation.unit
    factor_of(unit, derivation)
    filled = Evaluation(
        question.derivation, question.formula, tuple(inputs), computed, dict(context.in_force), None, unit
    )
    return _laid_out(filled, ranges)


def _laid_out(evaluation: Evaluation, ranges: Mapping[str, str]) -> Sweep:
    derivation = evaluation.derivation
    opened = opened_result(evaluation)
    axes = tuple(read_axis(_letter(derivation, opened, name), text) for name, text in ranges.items())
    points = math.prod(axis.count for axis in axes)
    if points > _POINTS:
        raise DeriveError(f"the ranges make {points:,} points together: at most {_POINTS:,}")
    first = {axis.letter.name: axis.letter for axis in axes}
    # Chapters declare their own letters: L of one and L of another are filled alike, and swept alike.
    twins = {letter: first[letter.name] for letter in opened.letters if letter.name in first}
    fixed = {symbol: float(filled.value) for symbol, filled in opened.letters.items() if symbol not in twins}
    empty = tuple(
        tuple(
            (
                opened.substitute(without_units(left)).xreplace(twins),
                relation,
                opened.substitute(without_units(right)).xreplace(twins),
            )
            for left, relation, right in region
        )
        for region in _regions(evaluation)
    )
    return Sweep(
        derivation,
        axes,
        evaluation.unit,
        tuple(filled for symbol, filled in opened.letters.items() if symbol not in twins),
        evaluation.conventions,
        opened.expression.xreplace(twins),
        fixed,
        empty,
    )


def _letter(derivation: Derivation, opened: Opened, name: str) -> Letter:
    """The letter of this name. Raises DeriveError where there is none, or where it stands for two things."""
    letters = [one for one in opened.letters if isinstance(one, Letter) and one.name == name]
    if not letters:
        known = sorted({symbol.name for symbol in opened.letters})
        raise DeriveError(
            f"{derivation.name} does not depend on {name!r}{nearest(name, known)}: it has {', '.join(known)}"
        )
    if len({letter.unit for letter in letters}) > 1:
        meanings = " and ".join(f"{letter.meaning} in {letter.unit}" for letter in letters)
        raise DeriveError(f"{name} stands for {meanings} in {derivation.name}: it cannot be swept")
    return letters[0]


def _regions(evaluation: Evaluation) -> Iterator[Region]:
    """Where there is no value, of this formula and of those below."""
    for fact in evaluation.derivation.facts:
        if isinstance(fact, NoSolution):
            yield tuple((one.lhs, str(one.rel_op), one.rhs) for one in fact.when)
        elif isinstance(fact, Ceiling):
            yield ((evaluation.formula, ">", fact.limit),)
    for inner in evaluation.computed.values():
        yield from _regions(inner)


def _somewhere(text: str) -> str:
    """A value inside a range, to see what the rest of the question needs."""
    return text.split(":", maxsplit=1)[0].split(",", maxsplit=1)[0] if ":" in text or "," in text else text


def _column(name: str, unit: str) -> str:
    return name if unit == "dimensionless" else f"{name} [{unit}]"
