"""Whether a printed number agrees with a computed one: how far its digits reach, and what lies between the two."""

from __future__ import annotations

from derive.checking.causes import SWAPPED, misprint
from derive.checking.grammar import Node, leaves
from derive.checking.values import Interval, Literal, reaches

SURE = 3
"""Digits that a number must have for one of them to be no accident."""
_TINY = 1e-9


def literals(*sides: Node) -> list[Literal]:
    return [leaf for side in sides for leaf in leaves(side) if isinstance(leaf, Literal)]


def reach_of(right: Node, about: bool, scale: float) -> tuple[float, float]:
    """How far the digits of the claimed number reach below and above it; not at all for an expression."""
    below, above = reaches(right.digits, about) if isinstance(right, Literal) else (0.0, 0.0)
    return below * scale, above * scale


def scale_of(right: Node, chosen: dict[str, int]) -> float:
    return right.reading(chosen).factor if isinstance(right, Literal) else 1.0


def apart(one: Interval, other: Interval, reach: tuple[float, float]) -> tuple[float, bool]:
    """The relative gap between a computed and a claimed value, and whether they agree.

    A claimed number that is a whole unit too large does not agree, and is no clear error yet.
    """
    size = abs(other.mid) or abs(one.mid) or 1.0
    below, above = (max(side, _TINY * size) for side in reach)
    high = max(other.high, other.mid + above)
    agrees = max(one.low - high, min(other.low, other.mid - below) - one.high) <= _TINY * size
    if above > below and one.low == one.high and abs(one.low - other.mid - above) <= _TINY * size:
        agrees, high = False, other.mid + below  # what is cut off is less than a unit of the last digit
    gap = max(one.low - high, min(other.low, other.mid - above) - one.high, 0.0)
    return gap / size, agrees


def digits_of(right: Literal) -> int:
    """How many digits of a printed number say something."""
    mantissa = right.digits.lower().partition("e")[0].replace(",", "")
    return len(mantissa.replace(".", "").lstrip("0") if "." in mantissa else mantissa.strip("0"))


def is_swapped(right: Node, value: float) -> bool:
    """Whether two neighbouring digits of a number of three or more stand the other way round."""
    if not isinstance(right, Literal):
        return False
    whole = right.digits.replace(",", "")
    many = len(whole) if whole.isdigit() else digits_of(right)
    return many >= SURE and misprint(right, value) == SWAPPED


def point(one: Interval) -> Interval:
    return Interval(one.mid, one.mid, one.mid, one.dimension)


def agrees(one: Interval, printed: float, right: Literal, about: bool, scale: float) -> bool:
    return apart(one, Interval(printed, printed, printed), reach_of(right, about, scale))[1]
