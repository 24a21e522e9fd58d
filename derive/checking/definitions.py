"""What the letters of a document stand for: `s = 1024`, `N = 70 billion`, a formula in maths."""

from __future__ import annotations

import re

from derive.checking.blocks import Document
from derive.checking.grammar import Name, Node, Operation, leaves
from derive.checking.relations import FILLERS, Budget, Relation, relations, right_side
from derive.checking.scope import Definition, Scope
from derive.checking.subjects import extents, models
from derive.checking.values import Literal

_NAME = 24
_WORD = r"[^\W\d]|[^\W\d]\d|[^\W\d]\d\d|['’]"
_NAMED = re.compile(
    "[=≈](?:"
    + "|".join(rf"(?<={word}{gap}.)" for gap in ("", r"[\s\x03]") for word in _WORD.split("|"))
    + r"|(?<=[\s\x03]\s.))"
)
"""A sign of equality behind a word."""


def define(document: Document, scope: Scope) -> None:
    """Collect what the document's letters stand for."""
    budget = Budget()
    for number, block in enumerate(document.blocks):
        named = {one.names[0] for one in models(block.text)}
        if len(named) == 1:
            scope.models[number] = extents(named.pop())
        held: dict[int, Node] = {}
        results: dict[int, Literal] = {}
        if not _NAMED.search(block.text):
            continue
        found = list(relations(block.text, budget))
        if budget.left > 0:
            scope.signs[number] = found
        for relation in reversed(found):
            if relation.tokens[relation.at].text not in ("=", "≈"):
                continue
            name = _defined(relation)
            if name is None and not relation.tokens[relation.at].math:
                continue
            right = right_side(relation, lambda _: True)
            if right is None:
                continue
            node, _, end = right
            following = relation.tokens[end].start if end < len(relation.tokens) else -1
            if isinstance(node, Literal) and node.unit:
                results[relation.tokens[relation.at].start] = node
            if name is None:
                continue
            if following in results and _is_plain(node):
                node = results[following]  # C = 6 × 20e9 × 2.4e12 = 2.88e23 FLOP
            if isinstance(node, Name) and following in held:
                node = held[following]
            if _usable(node, relation, end) and not any(
                isinstance(leaf, Name) and leaf.text == name for leaf in leaves(node)
            ):
                held[relation.tokens[relation.at].start] = node
                scope.add(Definition(name, node, number, block.section, _is_a_case(relation)))


def _defined(relation: Relation) -> str | None:
    """The one name before a relation sign."""
    if relation.at == relation.before:
        return None
    token = relation.tokens[relation.at - 1]
    if token.kind != "word" or len(token.text) > _NAME or token.text in FILLERS:
        return None
    if relation.at - 1 > relation.before:
        previous = relation.tokens[relation.at - 2]
        if previous.kind in ("sign", "number", "other") and previous.text not in ("(", "["):
            return None
        if previous.kind == "word" and (len(token.text) > 2 or previous.math):
            return None
    letters = token.text.partition("_")[0]
    return token.text if not token.math or len(letters) == 1 or len(token.text) > 2 else None


def _is_a_case(relation: Relation) -> bool:
    """Whether a name is set for a case only: … where k = 1, if n = 8."""
    before = relation.tokens[relation.at - 2].text if relation.at - 2 >= 0 else ""
    return before in ("where", "if", "when", "at", "for")


def _is_plain(node: Node) -> bool:
    """Whether a calculation leaves out all units."""
    return isinstance(node, Operation) and all(
        isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(node)
    )


def _usable(node: Node, relation: Relation, end: int) -> bool:
    """Whether a right side is a value that goes on no further: of numbers, or a formula in maths."""
    following = relation.tokens[end] if end < len(relation.tokens) else None
    if following is not None and following.kind == "sign" and following.text in "+-×*/^(":
        return False
    named = [leaf for leaf in leaves(node) if isinstance(leaf, Name)]
    return not named or relation.tokens[relation.at].math
