"""Relation signs in running text, and the sides around them.

At each relation sign the left side is the earliest start whose parse ends there, the
right side the longest parse behind it; neither crosses another relation, a wall or the
end of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from derive.checking.blocks import MATH, TEXT
from derive.checking.grammar import Node, Parser
from derive.checking.lexer import Token, tokens
from derive.checking.literals import FUNCTIONS

_CHUNK = 20_000
_WINDOW = 90
_SIGN = re.compile(
    r"[=≈]|~\s|\b(?=[aceiglmotwy])(?:(?:is|are|equals?)\s+(?:[a-z]+\s+){0,2}[~≈$\x02\x03(]*\s?\d|"
    r"(?:gives?|makes?|yields?|totals|comes?|amounts?|works|or|leaves)\s+(?:[a-z]+\s+){0,3}[~≈$\x02\x03]*\d)"
)
"""Where a relation sign may stand."""

_WALL = re.compile(r"[¦;?|\"“”„…‥]|\.(?=[\s\x03\"')\]]|$)|\.{3}")
_DIGIT = re.compile(r"\d")
_EQUAL = {"=", "≈", "~"}
VERBS = {"is", "are", "equals", "equal"}
RESULTS = {
    "gives",
    "give",
    "makes",
    "make",
    "yields",
    "yield",
    "totals",
    "comes",
    "come",
    "amounts",
    "amount",
    "works",
    "or",
    "leaves",
}
"""Words that lead from a calculation to its result, and from nothing else."""

_LEADING = {"to", "out", "at", "a", "an", "total", "of", "up"}
FILLERS = {
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
    """The relation signs of a text with the tokens around them, as many as the budget has left."""
    if not _DIGIT.search(text) or not _SIGN.search(text):
        return
    for begin, end in _stretches(text):
        math = MATH in text and text.rfind(MATH, 0, begin) > text.rfind(TEXT, 0, begin)
        found = tokens(text, begin, end, math)
        ends = [index for index, token in enumerate(found) if _is_end(token)]
        for order, index in enumerate(ends):
            token = found[index]
            if token.text not in _EQUAL and token.text not in VERBS and token.text not in RESULTS:
                continue
            budget.left -= 1
            if budget.left < 0:
                return
            before = ends[order - 1] + 1 if order else 0
            after = ends[order + 1] if order + 1 < len(ends) else len(found)
            yield Relation(found, index, max(before, index - _WINDOW), min(after, index + _WINDOW))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """The pieces of a text that matter, of bounded length, each with the walls at its two ends."""
    begin = start = 0
    while begin < len(text):
        wall = _WALL.search(text, begin, begin + _CHUNK)
        if wall is not None:
            end = following = wall.end()
        else:
            end = following = min(len(text), begin + _CHUNK)
            cut = text.rfind(" ", begin + _CHUNK // 2, end) if end < len(text) else -1
            end = following = cut if cut > 0 else end
        if _DIGIT.search(text, begin, end) and _SIGN.search(text, begin, end):
            yield start, end
        begin, start = following, wall.start() if wall is not None else following


def _is_end(token: Token) -> bool:
    if token.kind == "relation":
        return True
    if token.kind == "wall":
        return token.text != ","
    return token.kind == "word" and not token.math and (token.text in VERBS or token.text in RESULTS)


def _is_prose(token: Token, known: Callable[[str], bool]) -> bool:
    """Whether a token is a word with which no expression begins."""
    prose = token.kind == "word" and not token.math and len(token.text) > 1
    return prose and token.text not in FUNCTIONS and not known(token.text)


def _end_of_left(relation: Relation) -> int:
    """The token behind the left side: before the sign, or before the comma of "…, which is …"."""
    end, sign = relation.at, relation.tokens[relation.at].text
    verb = (sign in VERBS or sign in RESULTS) and end - 1 > relation.before
    if verb and relation.tokens[end - 1].text in ("which", "that"):
        end -= 1
        end -= relation.tokens[end - 1].text == ","
    elif sign in RESULTS and end - 1 > relation.before:
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
        if token.text in ("(", "["):  # what it encloses may begin the side
            start += 1
            continue
        start = max(start + 1, parser.reached if found is None or parser.reached < end else start + 1)
    return None


def right_side(
    relation: Relation, known: Callable[[str], bool], wide: bool = False
) -> tuple[Node, int, int] | None:
    """The longest side behind the relation sign, where it begins and the token behind it."""
    start, sign = relation.at + 1, relation.tokens[relation.at].text
    passed = FILLERS | _LEADING if sign in RESULTS and sign != "or" else FILLERS
    while start < relation.after and relation.tokens[start].text in passed:
        start += 1
    signs = ("~", "±")
    while start < relation.after and relation.tokens[start].text in signs:
        start += 1
    found = Parser(relation.tokens, known, wide).parse(start, relation.after)
    return None if found is None else (found[0], start, found[1])
