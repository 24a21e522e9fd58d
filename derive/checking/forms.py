"""What a column is turned into before it is a product of others: a share, a saving, an overhead."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from derive.checking.terms import Bound


@dataclass(frozen=True)
class Form:
    """What a target is turned into before it is a product, and back."""

    says: str
    turn: Callable[[float], float]
    back: Callable[[float], float]

    def spans(self, bounds: Sequence[Bound | None]) -> tuple[Bound | None, ...]:
        """The logarithms of what the rows are turned into."""
        return tuple(self._span(one) for one in bounds)

    def _span(self, one: Bound | None) -> Bound | None:
        if one is None or (self.says != "{}" and min(one) <= -1):
            return None
        try:
            low, mid, high = sorted(self.turn(value) for value in one)
        except ZeroDivisionError:
            return None
        return (math.log(low), math.log(mid), math.log(high)) if low > 0 else None


PLAIN = Form("{}", lambda value: value, lambda value: value)
FORMS = (
    Form("1 - {}", lambda value: 1 - value, lambda value: 1 - value),
    Form("{} - 1", lambda value: 1 + value, lambda value: value - 1),
    Form("1 / (1 + {})", lambda value: 1 / value - 1, lambda value: 1 / (1 + value)),
)
