"""Equalities in running text: chains, conversions, letters with values.

The definitions of the document are collected before (`definitions`); here the two sides
around each relation sign (`relations`) are evaluated and held against each other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from derive.checking.blocks import Block, Document, sentence
from derive.checking.claims import Claim
from derive.checking.converting import shortened, without_factor
from derive.checking.gates import hindrance, is_about
from derive.checking.grammar import Name, Node, Operation, leaves
from derive.checking.implied import lent, with_units
from derive.checking.inline import unmarked
from derive.checking.judging import Judgement, judge, value_in
from derive.checking.one_sided import Options
from derive.checking.pairs import Pair, may_claim
from derive.checking.relations import RESULTS, VERBS, Budget, Relation, left_side, relations, right_side
from derive.checking.scope import Evaluator, Scope
from derive.checking.values import Literal

_NODE = re.compile(r"\b(?:node|server|box|machine|host|chassis)\b")
_FAR, _BESIDE, _BITS, _NEAR = 100.0, 160, 8.0, 0.01


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
    first: Pair | None = None
    read = scope.signs.pop(number, None)
    budget.left -= len(read or ())
    for relation in relations(block.text, budget) if read is None else read:
        pair = _pair(relation, block, number, scope)
        if pair is None:
            first = None
            continue
        chained = first is not None and first.tokens is pair.tokens and first.at < pair.start < first.ends
        judgement = _judged(pair, scope, first if chained else None)
        if judgement is None:
            continue
        yield _claim(pair, judgement), pair
        first = pair


def _pair(relation: Relation, block: Block, number: int, scope: Scope) -> Pair | None:
    left, right = left_side(relation, scope.known), right_side(relation, scope.known)
    if left is None or right is None:
        return None
    start, (node, begins, ends) = left[1], right
    if not may_claim(relation.tokens[relation.at].text, left[0], node):
        return None
    evaluator = Evaluator(scope, number, block.section)
    lefts, rights = evaluator.options(left[0]), evaluator.options(node)
    if not lefts or not rights:
        return None
    if not _of_one_kind(lefts, rights):
        for meant in with_units(left[0], node):
            options = evaluator.options(meant)
            if options and _of_one_kind(options, rights):
                left, lefts = (meant, start), options
                break
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


def _of_one_kind(lefts: Options, rights: Options) -> bool:
    """Whether two sides may be of one kind: one dimension, or one of them has none."""
    return any(
        one.dimension == other.dimension or () in (one.dimension, other.dimension)
        for _, one in lefts
        for _, other in rights
    )


def _judged(pair: Pair, scope: Scope, before: Pair | None) -> Judgement | None:
    """The verdict behind all gates; None where the sides make no claim."""
    if not pair.is_claim():
        return None
    relation = "=" if pair.sign in ("=", *VERBS, *RESULTS) else pair.sign
    about = is_about(pair)
    judgement = judge(pair.left, pair.lefts, pair.right, pair.rights, relation, about)
    if judgement.verdict == "true":
        return (_in_bits(pair, relation, about) if judgement.one_sided else None) or judgement
    other = _otherwise(pair, scope, relation, about)
    if other is None and before is not None and before.lefts:
        chained = judge(before.left, before.lefts, pair.right, pair.rights, relation, about)
        other = chained if chained.verdict == "true" else None
    if other is not None:
        return other
    if judgement.verdict == "false":
        return (None if _is_of_a_node(pair) else _converted(pair, relation, about)) or judgement
    if judgement.one_sided or not _of_one_kind(pair.lefts, pair.rights):
        return _lent(pair, relation, about) or judgement
    return judgement


def _is_of_a_node(pair: Pair) -> bool:
    """Whether the 8 before an amount counts what a node has, and no bits: for the node 8 × 50 GB/s = 400 Gb/s."""
    numbers = [leaf for leaf in leaves(pair.left) if isinstance(leaf, Literal)]
    if [one.digits for one in numbers].count("8") != 1 or numbers[0].digits != "8" or numbers[0].unit:
        return False
    first = numbers[0]
    begin, _ = sentence(pair.block.text, first.start)
    return bool(_NODE.search(pair.block.text, begin, first.start))


def _in_bits(pair: Pair, relation: str, about: bool) -> Judgement | None:
    """The verdict where the numbers agree as printed, but the text before gives one in bits and one in bytes."""
    found = _lent(pair, relation, about)
    if found is None or found.verdict != "false":
        return None
    return found if abs(_is_off_by(found.expected, pair.rights) / _BITS - 1) < _NEAR else None


def _lent(pair: Pair, relation: str, about: bool) -> Judgement | None:
    """The verdict under the units that the text before gives the same numbers, as it is or as a conversion."""
    begin = pair.tokens[pair.start].start
    meant = lent(pair.left, pair.block.text[max(0, begin - _BESIDE) : begin])
    found = []
    for left in shortened(meant) if meant is not None else ():
        lefts = pair.evaluator.options(left)
        if not any(one.dimension == other.dimension != () for _, one in lefts for _, other in pair.rights):
            continue
        found.append(judge(left, lefts, pair.right, pair.rights, relation, about))
    if any(one.verdict == "unsure" for one in found):
        return None
    right = [one for one in found if one.verdict == "true"]
    return min(right or found, key=lambda one: _is_off_by(one.expected, pair.rights), default=None)


def _converted(pair: Pair, relation: str, about: bool) -> Judgement | None:
    """The verdict where a conversion is written out, if that is true: 400 Gb/s / 8 = 50 GB/s.

    And where it is false by far less than without: 41,950 M × $0.60 = $25,710, at a price for each million.
    """
    nearer = None
    for left, right in without_factor(pair.left, pair.right):
        lefts, rights = pair.evaluator.options(left), pair.evaluator.options(right)
        if lefts and rights:
            found = judge(left, lefts, right, rights, relation, about)
            if found.verdict == "true" or found.lenient:
                return replace(found, expected=pair.rights[0][1].mid)
            if _is_off_by(found.expected, rights) < _FAR < _is_off_by(pair.lefts[0][1].mid, pair.rights):
                nearer = found
    return nearer


def _is_off_by(value: float, rights: Options) -> float:
    """By what factor a value is larger or smaller than what is claimed."""
    claimed = rights[0][1].mid
    return max(value / claimed, claimed / value) if value > 0 and claimed > 0 else math.inf


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
    clash = not _of_one_kind(pair.lefts, pair.rights) and judgement.verdict == "unsure"
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
