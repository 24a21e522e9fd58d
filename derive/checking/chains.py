"""Equalities in running text: chains, conversions, letters with values.

Definitions are collected first, claims second. At each relation sign the left side is
the earliest start whose parse ends there, the right side the longest parse behind it;
neither crosses another relation, a wall or the end of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from derive.checking.blocks import Block, Document
from derive.checking.claims import Claim
from derive.checking.gates import Pair, hindrance, is_about
from derive.checking.grammar import Name, Node, Operation, Parser, leaves
from derive.checking.inline import unmarked
from derive.checking.judging import Judgement, judge, value_in
from derive.checking.lexer import Token, tokens
from derive.checking.literals import FUNCTIONS
from derive.checking.scope import Definition, Evaluator, Scope
from derive.checking.subjects import extents, models
from derive.checking.values import Literal

_CHUNK = 20_000
_WINDOW = 90
_RELATION = re.compile(r"[=≈]|~\s|\b(?:is|are|equals?)\s+(?:[a-z]+\s+){0,2}[~≈$\x02]?\s?\d")
_DIGIT = re.compile(r"\d")
_EQUAL = {"=", "≈", "~"}
_VERBS = {"is", "are", "equals", "equal"}
_FILLERS = {
    "about",
    "roughly",
    "approximately",
    "around",
    "only",
    "just",
    "exactly",
    "therefore",
    "thus",
    "nearly",
    "almost",
}
_NAME = 24


@dataclass(frozen=True)
class Relation:
    """A relation sign in a run of tokens: its place, and the places where its sides must stop."""

    tokens: list[Token]
    at: int
    before: int
    after: int


@dataclass
class Budget:
    """How many relation signs are still looked at in a document."""

    left: int = 50_000


def relations(text: str, budget: Budget) -> Iterator[Relation]:
    """The relation signs of a block's text with the tokens around them, as many as the budget has left."""
    for piece in _pieces(text):
        if budget.left <= 0 or not _RELATION.search(text, piece.start, piece.stop):
            continue
        if not _DIGIT.search(text, piece.start, piece.stop):
            continue
        found = tokens(text, piece.start, piece.stop)
        ends = [index for index, token in enumerate(found) if _is_end(token)]
        for order, index in enumerate(ends):
            token = found[index]
            if token.text not in _EQUAL and token.text not in _VERBS:
                continue
            budget.left -= 1
            if budget.left < 0:
                return
            before = ends[order - 1] + 1 if order else 0
            after = ends[order + 1] if order + 1 < len(ends) else len(found)
            yield Relation(found, index, max(before, index - _WINDOW), min(after, index + _WINDOW))


def _pieces(text: str) -> Iterator[slice]:
    """A text in pieces of bounded length, cut at blanks."""
    begin = 0
    while begin < len(text):
        end = min(len(text), begin + _CHUNK)
        if end < len(text):
            cut = text.rfind(" ", begin + _CHUNK // 2, end)
            end = cut if cut > 0 else end
        yield slice(begin, end)
        begin = end


def _is_end(token: Token) -> bool:
    if token.kind == "relation":
        return True
    if token.kind == "wall":
        return token.text != ","
    return token.kind == "word" and token.text in _VERBS and not token.math


def _is_prose(token: Token, known: Callable[[str], bool]) -> bool:
    """Whether a token is a word with which no expression begins."""
    prose = token.kind == "word" and not token.math and len(token.text) > 1
    return prose and token.text not in FUNCTIONS and not known(token.text)


def _end_of_left(relation: Relation) -> int:
    """The token behind the left side: before the sign, or before the comma of "…, which is …"."""
    end = relation.at
    verb = relation.tokens[end].text in _VERBS and end - 1 > relation.before
    if verb and relation.tokens[end - 1].text in ("which", "that"):
        end -= 1
        end -= relation.tokens[end - 1].text == ","
    return end


def left_side(
    relation: Relation, known: Callable[[str], bool], wide: bool = False
) -> tuple[Node, int] | None:
    """The side that ends at the relation sign, and the token where it begins."""
    parser = Parser(relation.tokens, known, wide)
    start, end = relation.before, _end_of_left(relation)
    while start < end:
        token = relation.tokens[start]
        if _is_prose(token, known):
            start += 1
            continue
        found = parser.parse(start, end)
        if found is not None and found[1] == end:
            return found[0], start
        start = max(start + 1, parser.reached if found is None or parser.reached < end else start + 1)
    return None


def right_side(
    relation: Relation, known: Callable[[str], bool], wide: bool = False
) -> tuple[Node, int, int] | None:
    """The longest side behind the relation sign, where it begins and the token behind it."""
    start = relation.at + 1
    while start < relation.after and relation.tokens[start].text in _FILLERS:
        start += 1
    signs = ("~", "±")
    while start < relation.after and relation.tokens[start].text in signs:
        start += 1
    found = Parser(relation.tokens, known, wide).parse(start, relation.after)
    return None if found is None else (found[0], start, found[1])


def define(document: Document, scope: Scope) -> None:
    """Collect what the document's letters stand for."""
    budget = Budget()
    for number, block in enumerate(document.blocks):
        named = {one.names[0] for one in models(block.text)}
        if len(named) == 1:
            scope.models[number] = extents(named.pop())
        if "=" not in block.text and "≈" not in block.text:
            continue
        held: dict[int, Node] = {}
        for relation in reversed(list(relations(block.text, budget))):
            if relation.tokens[relation.at].text not in ("=", "≈"):
                continue
            name = _defined(relation)
            if name is None:
                continue
            right = right_side(relation, lambda _: True)
            if right is None:
                continue
            node, _, end = right
            if isinstance(node, Name) and end in held:
                node = held[end]
            if _usable(node, relation, end) and not any(
                isinstance(leaf, Name) and leaf.text == name for leaf in leaves(node)
            ):
                held[relation.at] = node
                scope.add(Definition(name, node, number, block.section))


def _defined(relation: Relation) -> str | None:
    """The one name before a relation sign."""
    if relation.at == relation.before:
        return None
    token = relation.tokens[relation.at - 1]
    if token.kind != "word" or len(token.text) > _NAME or token.text in _FILLERS:
        return None
    if relation.at - 1 > relation.before:
        previous = relation.tokens[relation.at - 2]
        if previous.kind in ("sign", "number", "other") and previous.text not in ("(", "["):
            return None
        if previous.kind == "word" and (len(token.text) > 2 or previous.math):
            return None
    letters = token.text.partition("_")[0]
    return token.text if not token.math or len(letters) == 1 or len(token.text) > 2 else None


def _usable(node: Node, relation: Relation, end: int) -> bool:
    """Whether a right side is a value that goes on no further: of numbers, or a formula in maths."""
    following = relation.tokens[end] if end < len(relation.tokens) else None
    if following is not None and following.kind == "sign" and following.text in "+-×*/^(":
        return False
    named = [leaf for leaf in leaves(node) if isinstance(leaf, Name)]
    return not named or relation.tokens[relation.at].math


def claims(document: Document, scope: Scope, budget: Budget) -> Iterator[tuple[Claim, Pair]]:
    """Every equality that can be judged, with what it was made of."""
    for number, block in enumerate(document.blocks):
        yield from of_block(block, number, scope, budget)
    for table in document.tables:
        for row in (table.header, *table.rows):
            for cell in row:
                yield from of_block(cell, -1, scope, budget)


def of_block(block: Block, number: int, scope: Scope, budget: Budget) -> Iterator[tuple[Claim, Pair]]:
    """The equalities of one block."""
    first: tuple[int, Pair] | None = None
    for relation in relations(block.text, budget):
        pair = _pair(relation, block, number, scope)
        if pair is None:
            first = None
            continue
        judgement = _judged(
            pair, scope, first[1] if first is not None and first[0] == relation.before - 1 else None
        )
        if judgement is None:
            continue
        yield _claim(pair, judgement), pair
        first = relation.at, pair


def _pair(relation: Relation, block: Block, number: int, scope: Scope) -> Pair | None:
    left, right = left_side(relation, scope.known), right_side(relation, scope.known)
    if left is None or right is None:
        return None
    start, (node, begins, ends) = left[1], right
    evaluator = Evaluator(scope, number, block.section)
    lefts, rights = evaluator.options(left[0]), evaluator.options(node)
    if not lefts or not rights:
        return None
    sign = relation.tokens[relation.at].text
    return Pair(
        block,
        relation.tokens,
        relation.at,
        sign,
        left[0],
        start,
        node,
        begins,
        ends,
        lefts,
        rights,
        evaluator,
    )


def _judged(pair: Pair, scope: Scope, before: Pair | None) -> Judgement | None:
    """The verdict behind all gates; None where the sides make no claim."""
    if not pair.is_claim():
        return None
    relation = "=" if pair.sign in ("=", *_VERBS) else pair.sign
    about = is_about(pair)
    judgement = judge(pair.left, pair.lefts, pair.right, pair.rights, relation, about)
    if judgement.verdict == "true":
        return judgement
    other = _otherwise(pair, scope, relation, about)
    if other is None and before is not None and before.lefts:
        chained = judge(before.left, before.lefts, pair.right, pair.rights, relation, about)
        other = chained if chained.verdict == "true" else None
    if other is not None:
        return other
    return judgement


def _otherwise(pair: Pair, scope: Scope, relation: str, about: bool) -> Judgement | None:
    """The verdict where everything behind a slash is its denominator, if that is true."""
    if not any(token.text == "/" for token in pair.tokens[pair.start : pair.ends]):
        return None
    source = Relation(pair.tokens, pair.at, pair.start, pair.ends)
    left, right = left_side(source, scope.known, wide=True), right_side(source, scope.known, wide=True)
    if left is None or right is None or left[1] != pair.start or right[2] != pair.ends:
        return None
    for one, other in ((left[0], pair.right), (pair.left, right[0]), (left[0], right[0])):
        lefts, rights = pair.evaluator.options(one), pair.evaluator.options(other)
        found = judge(one, lefts, other, rights, relation, about)
        if found.verdict == "true":
            return found
    return None


def _claim(pair: Pair, judgement: Judgement) -> Claim:
    turned = isinstance(pair.left, Literal) and isinstance(pair.right, Operation)
    side, other = (pair.left, pair.right) if turned else (pair.right, pair.left)
    values = pair.lefts if turned else pair.rights
    expected = judgement.expected
    if turned:
        expected = next((value.mid for _, value in pair.rights), expected)
    verdict, cause = judgement.verdict, ""
    if judgement.lenient:
        cause = "true only where the prefixes are read as powers of 1024"
    elif verdict == "false":
        reason = hindrance(pair)
        verdict, cause = ("unsure", reason) if reason else ("false", "")
    elif verdict == "unsure":
        cause = (
            "only one side bears a unit" if judgement.one_sided else "near, but not within the printed digits"
        )
    dimension = values[0][1].dimension
    clash = not any(
        one.dimension == other.dimension or () in (one.dimension, other.dimension)
        for _, one in pair.lefts
        for _, other in pair.rights
    )
    if clash:
        cause = "the two sides are of different kinds"
    text = pair.block.text
    return Claim(
        line=pair.block.line(pair.tokens[pair.start].start),
        text=unmarked(text[pair.tokens[pair.start].start : pair.tokens[pair.ends - 1].end]),
        verdict=verdict,
        expected="" if clash else value_in(expected, side, dimension),
        claimed=_written(text, side, pair, turned),
        cause=cause,
        rule="conversion" if isinstance(pair.left, Literal) and isinstance(pair.right, Literal) else "chain",
        because=unmarked(_shown(text, other, pair, turned)),
        cell=pair.block.cell,
    )


def _written(text: str, side: Node, pair: Pair, turned: bool) -> str:
    if isinstance(side, Literal):
        return unmarked(text[side.start : side.end]).strip("() ")
    return unmarked(_shown(text, side, pair, not turned))


def _shown(text: str, side: Node, pair: Pair, right: bool) -> str:
    begin, end = (pair.begins, pair.ends) if right else (pair.start, pair.at)
    shown = text[pair.tokens[begin].start : pair.tokens[end - 1].end]
    letters = ", ".join(f"{name} = {value:g}" for name, value in pair.evaluator.used.items())
    named = any(isinstance(leaf, Name) for leaf in leaves(side))
    return f"{shown} with {letters}" if named and letters else shown
