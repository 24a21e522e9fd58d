"""Products and quotients of amounts that have the kind of another one, with what is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from derive.checking.amount import Amount, Sense, Shape
from derive.checking.nouns import HARD
from derive.checking.values import Interval, joined, over, times
from derive.checking.words import Dimension

_joined = lru_cache(maxsize=65_536)(joined)
_ENERGY: Dimension = (("joule", 1),)
_ENERGY_EACH: Dimension = (("FLOP", -1), ("joule", 1))


class Part(NamedTuple):
    """An amount above the line (sign 1) or below it (sign -1)."""

    amount: Amount
    sign: int


@dataclass(frozen=True)
class Product:
    """A product of the kind that is looked for; sure: without what the words only leave possible.

    certain: its amounts all say what they count, and stand in the paragraph.
    """

    parts: tuple[Part, ...]
    value: Interval
    sure: bool
    certain: bool

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """What it is made of."""
        return tuple(part.amount for part in self.parts)


Measures = frozenset[Dimension]
"""The dimensions that a product may have, without what is counted."""


def measures(parts: Sequence[Part]) -> Measures:
    """The measures of a product."""
    found: Measures = frozenset([()])
    for amount, sign in parts:
        found = with_one(found, amount, sign)
    return found


def with_one(given: Measures, amount: Amount, sign: int) -> Measures:
    """The measures of a product with one amount more."""
    return frozenset(_joined(one, other, sign) for one in given for other in amount.measures)


def reaches(told: Amount, given: Measures) -> bool:
    """Whether one of the measures is that of a told amount."""
    return not given.isdisjoint(told.measures) or (told.kind == _ENERGY and _ENERGY_EACH in given)


def multiplied(told: Amount, parts: tuple[Part, ...], *, near: bool = True) -> Iterator[Product]:
    """The product of the parts if it has the kind of the told amount; near: they all stand in the paragraph."""
    bare = any(amount.bare and not amount.linked for amount, _ in parts)
    if not near and any(amount.bare for amount, _ in parts):
        return
    for loose in (False, True) if any(amount.loose for amount, _ in parts) else (False,):
        scale = _fits(told.shape, tuple((amount.shape, sign) for amount, sign in parts), loose)
        value = None if scale is None else value_of(parts, scale)
        if value is not None:
            yield Product(parts, value, not loose, near and not bare and not loose)
            return


def value_of(parts: Sequence[Part], scale: float = 1.0) -> Interval | None:
    """The value of a product; None where a divisor may be zero."""
    value: Interval | None = Interval(scale, scale, scale)
    for amount, sign in parts:
        number = Interval(amount.value.low, amount.value.mid, amount.value.high)
        value = None if value is None else times(value, number) if sign > 0 else over(value, number)
    return value


def kind_of(senses: Sequence[Sense], signs: Sequence[int]) -> Dimension:
    """The kind of a product of amounts in these senses."""
    kind: Dimension = ()
    for sense, sign in zip(senses, signs, strict=True):
        kind = _joined(kind, sense.kind, sign)
    return kind


def scale_of(senses: Sequence[Sense], signs: Sequence[int], target: Sense) -> float:
    """By what the value of a product is multiplied in these senses, to be held against the told number."""
    scale = 1.0 / target.factor
    for sense, sign in zip(senses, signs, strict=True):
        scale *= sense.factor**sign
    return scale


@lru_cache(maxsize=65_536)
def _fits(told: Shape, parts: tuple[tuple[Shape, int], ...], loose: bool) -> float | None:
    """The scale under which a product has the kind of the told amount, what is counted included; None where it has not.

    A bare number must stand for something that is counted, unless it is multiplied by a sign; an amount of the
    told kind itself is changed by plain factors only.
    """
    signs = [sign for _, sign in parts]
    bare = sum(amount.bare for amount, _ in parts)
    linked = sum(amount.bare and amount.linked for amount, _ in parts)
    each = sum(amount.each for amount, _ in parts)
    wild, least = bare + each + 2 * told.each + told.bare + _may_lack(told, "FLOP"), bare - linked
    if not loose and not told.each:
        least += each
    for senses in product(
        *((*amount.senses, *amount.loose) if loose else amount.senses for amount, _ in parts)
    ):
        signed = {
            (sense.kind, sign)
            for sense, (amount, sign) in zip(senses, parts, strict=True)
            if sense.kind and not amount.each
        }
        if any((kind, -sign) in signed for kind, sign in signed):
            continue
        kind = kind_of(senses, signs)
        for target in (*told.senses, *told.loose):
            rest = _joined(kind, target.kind, -1)
            named = least <= len(rest) <= wild and _are_named(rest, parts, told)
            if (
                (named or (not least and _is_inherited(rest, parts, told)))
                and all(base not in HARD or _may_lack(told, base) for base, _ in rest)
                and ((target.kind, 1) not in signed or len(signed) + each == 1)
            ):
                return scale_of(senses, signs, target)
    return None


def _is_inherited(rest: Dimension, parts: Sequence[tuple[Shape, int]], told: Shape) -> bool:
    """Whether a result is for each of what one of its amounts is for, unsaid: a step reads 45 GB, which takes 9 ms."""
    if len(rest) != 1 or rest[0][1] != -1 or any(power < 0 and base not in HARD for base, power in told.kind):
        return False
    return any(sign > 0 and rest[0] in amount.kind for amount, sign in parts)


def _may_lack(told: Shape, base: str) -> bool:
    """Whether a told amount may leave out for what it is: 0.7 pJ, and not 0.7 pJ per FLOP."""
    return base == "FLOP" and told.kind == _ENERGY


def _are_named(rest: Dimension, parts: Sequence[tuple[Shape, int]], told: Shape) -> bool:
    """Whether what is left over is what the bare numbers count, or that of which each has so much."""
    free = [-sign for amount, sign in parts if amount.bare] + [sign for amount, sign in parts if amount.each]
    free += [1] * told.bare + [1, -1] * told.each * 2 + [-1] * any(_may_lack(told, base) for base, _ in rest)
    for _, power in rest:
        if power not in free:
            return False
        free.remove(power)
    return True
