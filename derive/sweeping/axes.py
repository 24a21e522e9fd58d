"""The range of one letter.

    T=1024:131072:*2     multiplied by 2 from 1024 up to 131072
    T=1000:5000:+500     in steps of 500 (a bare number is a step too)
    B=1:64               in steps of 1
    d=64,128,256         just these
    W='1 TB/s:8 TB/s:#100'   100 values, evenly spaced

Values are exact until they are computed with; a range reaches its end only where
a step lands on it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

import units
from derive.errors import DeriveError
from derive.filling import read
from derive.symbols import Letter

_MOST = 10**8
_NEAR = 1e-6  # a number of steps so near a whole one is decided exactly
_BITS = 10**6
_STEP = re.compile(r"\s*(?P<kind>[*x×#+]?)\s*(?P<number>.+?)\s*")


@dataclass(frozen=True)
class Axis:
    """The values of a letter, in base units: `first` then multiplied by or moved by `step`, or a list."""

    letter: Letter
    first: Fraction
    step: Fraction
    count: int
    geometric: bool = False
    listed: tuple[Fraction, ...] = ()

    def values(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """The values at these places of the range, in base units."""
        if self.listed:
            return np.array([float(value) for value in self.listed])[indices]
        if self.geometric:
            return float(self.first) * float(self.step) ** indices.astype(np.float64)
        return float(self.first) + float(self.step) * indices.astype(np.float64)

    @property
    def scale(self) -> float:
        """The letter's own unit in base units."""
        return float(units.factor(self.letter.unit)[0])


def axis_name(text: str) -> str:
    """The letter that `--over` text names. Raises DeriveError where there is none."""
    name, equals, values = text.partition("=")
    if not (equals and name.strip() and values.strip()):
        raise DeriveError(f"--over {text[:60]!r} is no range: give it as --over T=1024:131072:*2")
    return name.strip()


def read_axis(letter: Letter, text: str) -> Axis:
    """Read the range of a letter from the text behind its `=`. Raises DeriveError."""
    parts = text.split(":")
    if len(parts) == 1:
        values = tuple(read(letter, part) for part in _listed(letter, text))
        return Axis(letter, values[0], Fraction(0), len(values), listed=values)
    if len(parts) > 3:
        raise _bad(letter, text)
    first, last = (read(letter, part.strip()) for part in parts[:2])
    if last < first:
        raise DeriveError(
            f"--over {letter.name}: the range ends below its start: give the smaller value first"
        )
    found = _STEP.fullmatch(parts[2]) if len(parts) == 3 else _STEP.fullmatch("+1")
    if found is None:
        raise _bad(letter, text)
    if len(parts) == 2 and letter.unit != "dimensionless":
        raise DeriveError(f"--over {letter.name}: give a step behind a second colon, as *2 or #100")
    return _ranged(letter, text, first, last, found["kind"], found["number"])


def _ranged(letter: Letter, text: str, first: Fraction, last: Fraction, kind: str, number: str) -> Axis:
    if kind in ("*", "x", "×"):
        factor = _plain(letter, number)
        if factor <= 1:
            raise DeriveError(
                f"--over {letter.name}: a factor of {number} never reaches the end: give one above 1"
            )
        return Axis(letter, first, factor, _steps(letter, first, last, factor) + 1, geometric=True)
    if kind == "#":
        points = _plain(letter, number)
        if points.denominator != 1 or not 2 <= points <= _MOST:
            raise DeriveError(f"--over {letter.name}: #{number} is no number of values: give 2 to {_MOST:,}")
        return Axis(letter, first, (last - first) / (int(points) - 1), int(points))
    step = _plain(letter, number) if letter.unit == "dimensionless" else read(letter, number)
    if step <= 0:
        raise DeriveError(f"--over {letter.name}: a step of {number} never reaches the end: give one above 0")
    count = int((last - first) / step) + 1
    if count > _MOST:
        raise DeriveError(
            f"--over {letter.name}: {count:,} values are too many: give a step that leaves {_MOST:,} at most"
        )
    return Axis(letter, first, step, count)


def _steps(letter: Letter, first: Fraction, last: Fraction, factor: Fraction) -> int:
    """How often the factor fits between the ends: exactly, as far as its powers can be written out."""
    if not first:
        raise DeriveError(f"--over {letter.name}: 0 times a factor stays 0: start above it or give #N")
    room = math.log(last.numerator) - math.log(last.denominator)
    room -= math.log(first.numerator) - math.log(first.denominator)
    steps = room / math.log1p(float(factor - 1))
    if steps >= _MOST:
        raise DeriveError(f"--over {letter.name}: the factor is too near 1: give #N for N values")
    count = round(steps)
    if abs(steps - count) > _NEAR:
        return int(steps)
    if count * max(factor.numerator.bit_length(), factor.denominator.bit_length()) <= _BITS:
        return count if first * factor**count <= last else count - 1
    return count


def _listed(letter: Letter, text: str) -> list[str]:
    """The parts of a list. Raises DeriveError for one that begins with 0: 1,024 was one number."""
    parts = [part.strip() for part in text.split(",")]
    if any(re.match(r"0\d", part) for part in parts):
        raise DeriveError(
            f"--over {letter.name}={text[:60]}: commas part the values of a list: write 1024 without one"
        )
    if not all(parts):
        raise DeriveError(f"--over {letter.name}={text[:60]}: a value is missing between two commas")
    return parts


def _plain(letter: Letter, number: str) -> Fraction:
    try:
        value, unit = units.split(number)
    except units.UnitError as error:
        raise DeriveError(f"--over {letter.name}: {error}") from error
    if unit != "dimensionless":
        raise DeriveError(f"--over {letter.name}: {number!r} must be a plain number")
    return value


def _bad(letter: Letter, text: str) -> DeriveError:
    return DeriveError(
        f"--over {letter.name}={text[:60]}: give start:end:*factor, start:end:+step, start:end:#count or a,b,c"
    )
