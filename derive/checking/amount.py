"""An amount: a number at a place of a sentence with its kind, that is its dimension and what it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from derive.checking.clauses import Clause
from derive.checking.nouns import HARD
from derive.checking.quantities import Quantity
from derive.checking.values import Interval, Literal, joined
from derive.checking.words import Dimension

_YEAR = re.compile(r"(?:19|20)\d\d")


class Sense(NamedTuple):
    """What an amount may be: its kind, and by what its value is multiplied then."""

    kind: Dimension
    factor: float = 1.0


class Shape(NamedTuple):
    """What of an amount decides of which kind its products are."""

    senses: tuple[Sense, ...]
    loose: tuple[Sense, ...]
    bare: bool
    each: bool
    linked: bool

    @property
    def kind(self) -> Dimension:
        """The likeliest kind."""
        return self.senses[0].kind


@dataclass(eq=False)
class Amount:
    """A number at a place of a sentence. senses: what it may be, the likeliest first.

    loose: what the words leave possible too. bare: it says not what it counts. each: it is told for each of
    something that is not named. opaque: it is part of a sum, a power or a date. name: it stands in a name, as in a
    70B model. linked: a sign of multiplication stands beside it. written: how it is shown, if not as it stands there.
    """

    value: Interval
    senses: tuple[Sense, ...]
    start: int
    end: int
    clause: Clause
    quantity: Quantity | None
    loose: tuple[Sense, ...] = ()
    bare: bool = False
    each: bool = False
    opaque: bool = False
    name: bool = False
    linked: bool = False
    written: str = ""

    @property
    def kind(self) -> Dimension:
        """Its likeliest kind."""
        return self.senses[0].kind

    @property
    def sentence(self) -> int:
        """The order of its sentence in the block."""
        return self.clause.order

    @property
    def measure(self) -> Dimension:
        """Its dimension without what it counts, or its kind where it has none."""
        return _hard(self.kind) or self.kind

    @cached_property
    def shape(self) -> Shape:
        """What decides of which kind its products are."""
        return Shape(self.senses, self.loose, self.bare, self.each, self.linked)

    @cached_property
    def measures(self) -> frozenset[Dimension]:
        """The dimensions that it may have, without what it counts."""
        return frozenset(_hard(sense.kind) for sense in (*self.senses, *self.loose))

    def over(self, kind: Dimension) -> tuple[Sense, ...]:
        """Its senses divided by a kind."""
        return tuple(Sense(joined(sense.kind, kind, -1), sense.factor) for sense in self.senses)

    @property
    def counts(self) -> bool:
        """Whether it counts things: a number without a unit of measure that is whole."""
        return self.value.mid == int(self.value.mid) and not any(base in HARD for base, _ in self.kind)

    @property
    def is_year(self) -> bool:
        """Whether it may be the number of a year."""
        return (
            self.quantity is not None
            and self.literal.options[0].dimension == ()
            and bool(_YEAR.fullmatch(self.literal.digits))
        )

    @property
    def written_out(self) -> str:
        """As it was written, with what it counts."""
        return self.written or self.clause.plain[self.start : self.end].strip()

    @property
    def shown(self) -> str:
        """As it was written, with its unit."""
        return self.written_out if self.quantity is None else self.clause.piece(self.quantity)

    @property
    def literal(self) -> Literal:
        """The number in digits. Raises ValueError for one in words."""
        if self.quantity is None:
            raise ValueError("a number in words has no digits")
        return self.quantity.literal

    @property
    def digits(self) -> int:
        """How many digits of it say something."""
        mantissa = self.literal.digits.lower().partition("e")[0].lstrip("0.")
        return len(re.sub(r"\D", "", mantissa if "." in self.literal.digits else mantissa.rstrip("0")))

    @property
    def slack(self) -> float:
        """How far its digits reach."""
        if self.quantity is None:
            return 0.0
        return self.quantity.slack(self.literal.options[0].dimension)

    def in_its_unit(self, value: float) -> float:
        """A value in base units as a multiple of its unit."""
        if not self.value.mid:
            return value / self.literal.options[0].factor
        return value * self.literal.value / self.value.mid


@lru_cache(maxsize=4096)
def _hard(kind: Dimension) -> Dimension:
    return tuple((base, power) for base, power in kind if base in HARD)
