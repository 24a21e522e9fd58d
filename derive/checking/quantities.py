"""The quantities of a text: every number with its unit, outside names, versions and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from derive.checking.blocks import MATH
from derive.checking.grammar import Parser
from derive.checking.lexer import Token, tokens
from derive.checking.values import Literal, reaches
from derive.checking.words import Dimension, readings

_DIGITS = re.compile(r"\d+")
_BEFORE, _BEHIND = 40, 90
_QUALITIES = re.compile(
    r"dense|sparse|peak|bf16|fp16|fp8|fp4|fp32|tf32|fp64|int8|int4|theoretical|BF16|FP16|FP8|FP4|FP32|TF32|FP64|INT8|"
    r"usable|aggregate|bidirectional|unidirectional|effective|each"
)


class Quantity(NamedTuple):
    """A number with its unit at a place of a text; about: the text says that it is rough."""

    literal: Literal
    about: bool

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.literal.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.literal.end

    def base(self, dimension: Dimension) -> float | None:
        """Its value in base units under the first reading of this dimension."""
        for option in self.literal.options:
            if option.dimension == dimension:
                return self.literal.value * option.factor
        return None

    def factor(self, dimension: Dimension) -> float:
        """What one of its unit is in base units."""
        return next((option.factor for option in self.literal.options if option.dimension == dimension), 1.0)

    def has(self, dimension: Dimension) -> bool:
        """Whether a reading of it has this dimension."""
        return any(option.dimension == dimension for option in self.literal.options)

    def slack(self, dimension: Dimension) -> float:
        """How far its digits reach in base units to the wider side."""
        return max(self._reaches) * self.factor(dimension)

    @property
    def _reaches(self) -> tuple[float, float]:
        return reaches(self.literal.digits, self.about, loose=self.literal.unit != "%")

    def agrees(self, value: float, dimension: Dimension) -> bool:
        """Whether a value in base units rounds to it, or to it when cut off behind its last digit."""
        own = self.base(dimension)
        if own is None:
            return False
        below, above = (reach * self.factor(dimension) * (1 + 1e-7) for reach in self._reaches)
        short = abs(value) - abs(own)
        return -below - 1e-9 * abs(value) <= short <= above + 1e-9 * abs(value)


def quantities(text: str) -> list[Quantity]:
    """The quantities of a text in their order."""
    if MATH in text:
        return list(of_tokens(tokens(text, 0, len(text)), text))
    found: list[Token] = []
    for begin, end in _windows(text):
        found += tokens(text, begin, end)
    return list(of_tokens(found, text))


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """The pieces of a text near its digits, cut at blanks: what stands farther off matters to no number."""
    begin = end = -1
    for digits in _DIGITS.finditer(text):
        near = digits.start() - _BEFORE
        if begin >= 0 and near > end:
            yield begin, end
        if begin < 0 or near > end:
            begin = text.rfind(" ", max(end, 0), near) + 1 if near > 0 else 0
            begin = begin or max(end, 0)
        end = _blank(text, max(end, digits.end() + _BEHIND))
    if begin >= 0:
        yield begin, end


def _blank(text: str, place: int) -> int:
    """The first blank from a place on, or the end."""
    found = text.find(" ", place)
    return len(text) if found < 0 else found


def of_tokens(found: Sequence[Token], text: str) -> list[Quantity]:
    """The quantities among tokens."""
    made: list[Quantity] = []
    parser = Parser(found, lambda _: False)
    reached = 0
    for at in [at for at, token in enumerate(found) if token.kind == "number"]:
        if at < reached or (at and found[at].glued and found[at - 1].kind in ("word", "number")):
            continue
        parsed = parser.number_at(at)
        if parsed is None:
            continue
        literal, end = parsed
        if not literal.unit:
            literal, end = _qualified(found, literal, end)
        before = found[at - 1] if at else None
        about = before is not None and (
            before.text in ("~", "≈")
            or before.text.lower() in ("about", "roughly", "approximately", "around", "nearly")
        )
        made.append(Quantity(literal, about))
        reached = end
    return made


def _qualified(found: Sequence[Token], literal: Literal, end: int) -> tuple[Literal, int]:
    """A number whose unit stands behind words such as dense bf16."""
    ahead = end
    while ahead < min(len(found), end + 3) and _QUALITIES.fullmatch(found[ahead].text):
        ahead += 1
    if ahead == end or ahead >= len(found) or not readings(found[ahead].text):
        return literal, end
    unit = Parser(found, lambda _: False).unit_at(ahead)
    if unit is None:
        return literal, end
    text, options, behind = unit
    return literal._replace(unit=text, options=options, end=found[behind - 1].end), behind
