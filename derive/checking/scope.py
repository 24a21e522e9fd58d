"""What letters stand for: definitions in the paragraph, the section, the document; then the model named there."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from operator import attrgetter

from derive.checking.grammar import Name, Node, Operation, leaves
from derive.checking.relations import Relation
from derive.checking.values import Interval, Literal, over, plus, power, times, usable
from derive.checking.words import Reading

_LOGARITHMS = {"log2": math.log2, "log10": math.log10, "ln": math.log}
_NEST = 5
_MOST = 16
_LEAVES = 60
_NEAR = 12
_BEHIND = 40  # so far behind a letter its value may be told: d/2 = 64 for d = 128


_block, _section = attrgetter("block"), attrgetter("section")


@dataclass(frozen=True)
class Definition:
    """A name set equal to an expression: in which block and section; local: for a case of that block alone."""

    name: str
    node: Node
    block: int
    section: int
    local: bool = False

    @cached_property
    def start(self) -> int:
        """Where in the block its value begins."""
        return min((leaf.start for leaf in leaves(self.node)), default=0)


@dataclass
class Scope:
    """All definitions of a document by name, in its order."""

    found: dict[str, list[Definition]] = field(default_factory=lambda: defaultdict(list))
    filled: dict[tuple[str, int, int, int], tuple[Node | None, str]] = field(default_factory=dict)
    """Names already filled at a place: with what, and why that is not certain: several values, or far."""
    models: dict[int, dict[str, float]] = field(default_factory=dict)
    """The extents of the one model named in or before a block, by the letters that papers use."""

    signs: dict[int, list[Relation]] = field(default_factory=dict)
    """The relation signs of blocks that are read already, until they are read again."""

    def add(self, definition: Definition) -> None:
        """Note a definition."""
        self.found[definition.name].append(definition)

    def known(self, name: str) -> bool:
        """Whether a name is defined anywhere."""
        return name in self.found

    def above(self, name: str, block: int, start: int) -> int:
        """How many definitions of a name stand in a paragraph before a place."""
        every = self.found.get(name, [])
        here = slice(bisect_left(every, block, key=_block), bisect_right(every, block, key=_block))
        return sum(one.start <= start + _BEHIND for one in every[here])

    def values(self, name: str, block: int, section: int, start: int) -> tuple[list[Node], str]:
        """The expressions of a name in the nearest scope that has any: paragraph, section, document.

        Those of the paragraph that stand behind its place, start, count only where there is no other value.

        "near" where they hold there for certain: they stand in the paragraph, or shortly before it
        under the same heading; a text without headings has no sections to rely on. "far" where it is the
        only value that the document tells, elsewhere before.
        """
        every = self.found.get(name, [])
        here = slice(bisect_left(every, block, key=_block), bisect_right(every, block, key=_block))
        there = slice(bisect_left(every, section, key=_section), bisect_right(every, section, key=_section))
        above = [one for one in every[here] if one.start <= start + _BEHIND]
        before = [one for one in every[there] if one.block < block] or [
            one for one in every if one.block < block
        ]
        chosen = above or (before if every[here] else []) or every[here] or every[there] or every
        near = all(
            one.block == block
            or (one.section == section > 0 and 0 < block - one.block <= _NEAR and not one.local)
            for one in chosen
        )
        single = len(every) == 1 and every[0].block < block and not every[0].local
        return [one.node for one in chosen[:_MOST]], "near" if near else "far" if single else ""


@dataclass
class Evaluator:
    """Evaluates expressions at a place of the document.

    several: a letter had more than one value, or one from outside its section, so that
    nothing can be called false. far: the only value of a letter stands elsewhere.
    used: the letters that were filled, with their values.
    """

    scope: Scope
    block: int
    section: int
    several: bool = False
    far: bool = False
    used: dict[str, float] = field(default_factory=dict)

    def options(self, node: Node) -> list[tuple[dict[str, int], Interval]]:
        """The values of an expression under every choice of its doubts; [] where it has none."""
        filled = self._filled(node, 0)
        if filled is None:
            return []
        doubts = sorted(
            {doubt for leaf in leaves(filled) if isinstance(leaf, Literal) for doubt in leaf.doubts}
        )[:4]
        found = []
        for sides in product((0, 1), repeat=len(doubts)):
            chosen = dict(zip(doubts, sides, strict=True))
            value = usable(evaluate(filled, chosen))
            if value is not None:
                found.append((chosen, value))
        return found

    def _filled(self, node: Node, depth: int) -> Node | None:
        """The expression with its names replaced; None where one is unknown or leads too deep."""
        if isinstance(node, Literal):
            return node
        if isinstance(node, Operation):
            arguments = [self._filled(argument, depth) for argument in node.arguments]
            if any(argument is None for argument in arguments):
                return None
            return Operation(node.sign, tuple(one for one in arguments if one is not None), node.tight)
        return self._named(node, depth)

    def _named(self, name: Name, depth: int) -> Node | None:
        if depth >= _NEST:
            return None
        place = (name.text, self.block, self.section, self.scope.above(name.text, self.block, name.start))
        if place not in self.scope.filled:
            self.scope.filled[place] = None, ""  # a name that leads back to itself has no value
            self.scope.filled[place] = self._looked_up(name, depth)
        node, doubt = self.scope.filled[place]
        self.several = self.several or doubt == "several"
        self.far = self.far or doubt == "far"
        value = None if node is None else evaluate(node, {})
        if value is not None:
            self.used[name.text] = value.mid
        return node

    def _looked_up(self, name: Name, depth: int) -> tuple[Node | None, str]:
        """What a name stands for, and why that is not certain."""
        found = []
        values, near = self.scope.values(name.text, self.block, self.section, name.start)
        for one in values:
            filled = self._filled(one, depth + 1)
            value = None if filled is None else usable(evaluate(filled, {}))
            if filled is not None and value is not None and sum(1 for _ in leaves(filled)) <= _LEAVES:
                found.append((filled, value))
        if not found:
            number = self.scope.models.get(self.block, {}).get(name.text)
            if number is None:
                return None, ""
            return Literal(f"{number:.0f}", number, "", (Reading(1.0, ()),), name.start, name.end), ""
        first = found[0][1]
        for _, value in found:
            if abs(value.mid - first.mid) > 1e-9 * abs(first.mid) or value.dimension != first.dimension:
                return None, "several"
        return found[0][0], {"near": "", "far": "far"}.get(near, "several")


def evaluate(node: Node, chosen: dict[str, int]) -> Interval | None:
    """The value of an expression without names under a choice of its doubts."""
    if isinstance(node, Literal):
        return node.at(chosen)
    if isinstance(node, Name):
        return None
    parts = [evaluate(argument, chosen) for argument in node.arguments]
    values = [part for part in parts if part is not None]
    if len(values) != len(parts):
        return None
    if node.sign in ("ceil", "floor", *_LOGARITHMS) and _is_exact(node):
        values = [Interval(one.mid, one.mid, one.mid, one.dimension) for one in values]
    return _applied(node.sign, values)


def _is_exact(node: Operation) -> bool:
    """Whether a calculation has whole numbers alone, none of them rounded."""
    return all(
        isinstance(leaf, Literal) and not leaf.unit and leaf.digits.replace(",", "").isdigit()
        for leaf in leaves(node)
    )


def _applied(sign: str, values: list[Interval]) -> Interval | None:
    if len(values) == 2 and sign in "+-×/^":
        one, other = values
        if sign == "×":
            return times(one, other)
        if sign == "/":
            return over(one, other)
        if sign == "^":
            return power(one, other)
        return plus(one, other, 1 if sign == "+" else -1)
    if sign == "-":
        one = values[0]
        return Interval(-one.high, -one.mid, -one.low, one.dimension)
    return _function(sign, values)


def _function(name: str, values: list[Interval]) -> Interval | None:
    one = values[0]
    if name in ("max", "min"):
        if any(value.dimension != one.dimension for value in values):
            return None
        choose = max if name == "max" else min
        return Interval(
            choose(value.low for value in values),
            choose(value.mid for value in values),
            choose(value.high for value in values),
            one.dimension,
        )
    if len(values) != 1:
        return None
    if name == "sqrt" and one.low >= 0:
        dimension = tuple((base, count // 2) for base, count in one.dimension)
        if any(count % 2 for _, count in one.dimension):
            return None
        return Interval(one.low**0.5, one.mid**0.5, one.high**0.5, dimension)
    if name in ("ceil", "floor") and not one.dimension:
        whole = math.ceil if name == "ceil" else math.floor
        return Interval(float(whole(one.low)), float(whole(one.mid)), float(whole(one.high)))
    if name in _LOGARITHMS and not one.dimension and one.low > 0:
        logarithm = _LOGARITHMS[name]
        return Interval(logarithm(one.low), logarithm(one.mid), logarithm(one.high))
    return None
