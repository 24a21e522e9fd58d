"""Two sides around a relation sign, and whether they can say something about numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from derive.checking.blocks import Block
from derive.checking.grammar import Node, Operation, leaves
from derive.checking.lexer import Token
from derive.checking.one_sided import Options
from derive.checking.relations import RESULTS, VERBS
from derive.checking.scope import Evaluator
from derive.checking.values import Literal

_DURATION = re.compile(r"\s(?:and )?\d{1,2} ?(?:h|hours?|min|minutes?|s|seconds?)\b")
"""What goes on behind a time in hours or minutes."""


@dataclass(frozen=True)
class Pair:
    """Two sides around a relation sign: the tokens, where each side lies, what it is and its values."""

    block: Block
    tokens: list[Token]
    at: int
    sign: str
    left: Node
    start: int
    right: Node
    begins: int
    ends: int
    lefts: Options
    rights: Options
    evaluator: Evaluator

    def is_claim(self) -> bool:
        """Whether the sides say something about numbers: a computation, or a quantity in two units."""
        if _DURATION.match(self.block.text, self.tokens[self.ends - 1].end) and self._same_dimension():
            return False  # 1 h 50 min are read by `clock`
        return _computes(self.left) or _computes(self.right) or self._same_dimension()

    def _same_dimension(self) -> bool:
        return any(
            one.dimension == other.dimension != () for _, one in self.lefts for _, other in self.rights
        ) or (
            all(not one.dimension for _, one in (*self.lefts, *self.rights))
            and "%" in (getattr(self.left, "unit", ""), getattr(self.right, "unit", ""))
        )


def may_claim(sign: str, left: Node, right: Node) -> bool:
    """Whether two sides can say something about numbers, before they are evaluated."""
    if sign == "leaves":
        return _is_difference(left) and isinstance(right, Literal) and has_unit(right)
    if sign in RESULTS:
        return _is_worked(left) and isinstance(right, Literal)
    if sign in VERBS and not (has_unit(left) and has_unit(right)):
        return _is_worked(left) and isinstance(right, Literal) and not has_unit(left)
    if _computes(left) or _computes(right):
        return isinstance(right, Literal) or all(
            any(isinstance(leaf, Literal) for leaf in leaves(side)) for side in (left, right)
        )
    if isinstance(left, Literal) and isinstance(right, Literal):
        return bool(left.unit and right.unit) and left.unit != right.unit
    return False


def _is_difference(side: Node) -> bool:
    """Whether a side takes one amount from another: 320 GB - 141 GB."""
    if not isinstance(side, Operation) or side.sign != "-" or side.tight or len(side.arguments) != 2:
        return False
    return all(map(has_unit, side.arguments))


def _is_worked(side: Node) -> bool:
    """Whether a side is a calculation that is written out with its signs."""
    return isinstance(side, Operation) and side.sign in "×/" and not side.tight and len(side.arguments) == 2


def has_unit(side: Node) -> bool:
    """Whether a number of a side has a unit of measure."""
    return any(
        isinstance(leaf, Literal) and leaf.unit and any(option.dimension for option in leaf.options)
        for leaf in leaves(side)
    )


def _computes(node: Node) -> bool:
    """Whether a side works something out: more than a number with a minus before it."""
    if not isinstance(node, Operation):
        return False
    return not (node.sign == "-" and len(node.arguments) == 1 and isinstance(node.arguments[0], Literal))
