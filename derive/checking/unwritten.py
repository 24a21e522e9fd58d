"""What a calculation may leave unwritten, so that its sides differ without an error, and sums told in two steps."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from derive.checking.grammar import Node, Operation, leaves
from derive.checking.pairs import Pair, has_unit
from derive.checking.values import Literal, half_unit

_UNKNOWN_UNIT = re.compile(r"\s?[A-Za-zµ]{1,6}/[A-Za-z]")
_POINTS = re.compile(r"\s*(?:percentage |percent |%-?)?(?:points?|pp)\b")
_MANY = (1e6, 1e9, 1e12)
_NEARLY = 0.006


def leaves_units_out(pair: Pair) -> bool:
    """Whether plain numbers agree but for thousands, which a unit on the right may hold: 4800 × 8 × 12 = 460.8."""
    one, other, right = pair.lefts[0][1], pair.rights[0][1], pair.right
    unknown = _UNKNOWN_UNIT.match(pair.block.text, pair.tokens[pair.ends - 1].end) is not None
    plain = not any(
        isinstance(leaf, Literal) and leaf.unit for side in (pair.left, right) for leaf in leaves(side)
    )
    if (
        not plain
        or not isinstance(right, Literal)
        or not ("." in right.digits or unknown)
        or one.mid <= 0
        or other.mid <= 0
    ):
        return False
    thousands = round(math.log10(one.mid / other.mid) / 3)
    near = abs(one.mid / other.mid / 1000.0**thousands - 1) < _NEARLY
    return near and (thousands > 0 or (unknown and thousands < 0))


def leaves_magnitude_out(pair: Pair) -> bool:
    """Whether a product agrees but for millions or billions that a plain number may stand for: 14 bytes × 13.0."""
    one, other = pair.lefts[0][1], pair.rights[0][1]
    bare = any(isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(pair.left))
    if not bare or not has_unit(pair.left) or one.dimension == () or one.mid <= 0:
        return False
    ratio = other.mid / one.mid
    return any(abs(ratio / many - 1) < _NEARLY for many in _MANY)


def lacks_percent(pair: Pair, literals: Sequence[Literal]) -> bool:
    """Whether plain numbers are a hundred times apart, as an index and the ratio that it is made of: 121 = 4.1/3.4."""
    one, other = pair.lefts[0][1], pair.rights[0][1]
    plain = not (one.dimension or other.dimension or any("%" in literal.unit for literal in literals))
    ratio = one.mid / other.mid if other.mid else 0.0
    return plain and isinstance(pair.left, Literal) and abs(ratio / 100 - 1) < _NEARLY


def is_in_points(pair: Pair, literals: Sequence[Literal]) -> bool:
    """Whether a sum of percentages agrees with what is told in percentage points: 4.5 % - 0.3 % = 4.2 points."""
    right = pair.right
    if not isinstance(right, Literal) or not _POINTS.match(pair.block.text, right.start + len(right.digits)):
        return False
    summed = all(one.unit == "%" for one in literals if one is not right)
    return summed and abs(100 * pair.lefts[0][1].mid - right.value) <= half_unit(right.digits) * (1 + _NEARLY)


def is_in_percent(pair: Pair) -> bool:
    """Whether a product or sum of plain numbers agrees with a percentage as it is printed: 8 × 2.1 = 17 %."""
    right = pair.right
    if not isinstance(right, Literal) or right.unit != "%" or not isinstance(pair.left, Operation):
        return False
    plain = all(isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(pair.left))
    signs = {token.text for token in pair.tokens[pair.start : pair.at]}
    one = pair.lefts[0][1]
    reach = half_unit(right.digits)
    near = one.low - reach <= right.value <= one.high + reach
    # a part of a percentage, as 112 / 3 = 37 %, is above 1; a share that is told as its own percentage is below
    return plain and near and ("/" not in signs or bool(signs & {"×", "*", "+"}) or one.low > 1)


def is_worked_out(pair: Pair, right: Operation) -> bool:
    """Whether a sum is that of the left side with its terms worked out, all right but one: 34 + 5·16 = 34 + 40."""
    one, other = _terms(pair.left), _terms(right)
    if len(one) != len(other) or len(one) < 2:
        return False
    made = [
        (pair.evaluator.options(first), pair.evaluator.options(second))
        for first, second in zip(one, other, strict=True)
    ]
    if not all(first and second for first, second in made):
        return False
    off = [abs(first[0][1].mid - second[0][1].mid) > 1e-9 * abs(first[0][1].mid) for first, second in made]
    return off.count(True) == 1


def _terms(side: Node) -> list[Node]:
    """The terms of a sum."""
    if not isinstance(side, Operation) or side.sign != "+":
        return [side]
    return [term for argument in side.arguments for term in _terms(argument)]
