"""The tokens of a window of text around a relation sign."""

from __future__ import annotations

import re
from typing import NamedTuple

from derive.checking.blocks import MATH, TEXT

_TOKEN = re.compile(
    r"(?P<word>[^\W\d_][^\W_]*(?:_\w+|['’]\w+)*|_\w+)"
    r"|(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:_\d{3})*)(?:\.\d+)?(?:[eE][+-]?\d{1,3}(?!\w|\.\d))?|(?<![\w.])\.\d+(?:[eE][+-]?\d{1,3}(?!\w))?)"
    r"|(?P<mark>[\x02\x03])"
    r"|(?P<relation>[=≈≠≤≥<>→≡]|~(?=\s))"
    r"|(?P<wall>[¦;:?!|\"“”„]|…|\.{3}|‥|\.(?=\s|$|[\x03\"')\]])|,(?=\s|$|[^\d]))"
    r"|(?P<sign>[-+×*/^()\[\]%$€£{}±√~])"
    r"|(?P<other>[^\s])"
)
_HYPHENED = re.compile(r"(?:[-.]\w+)+")
_LABEL = re.compile(
    r"[.;:?!]?[\s\x02\x03]*(?:[-*•]\s+)?\(?(?:[a-z]|\d{1,2}|i{2,3}|iv|vi{0,3})\)(?=[\s\x03]+[\x02~≈$(]*[^\W_])"
)
"""What labels a part of a list in running text: (d), b), 2)."""
_HYPHENS = ("-", ".")
_THIN = str.maketrans("", "", ",_")


class Token(NamedTuple):
    """kind: number, word, relation, wall, sign or other; glued: nothing stands between it and the token before."""

    kind: str
    text: str
    start: int
    end: int
    math: bool
    glued: bool


def tokens(text: str, begin: int, end: int, math: bool = False) -> list[Token]:
    """The tokens of text[begin:end]; math: whether a formula is open where it begins."""
    found: list[Token] = []
    longer, add, new = _HYPHENED.match, found.append, tuple.__new__
    at, last = begin, begin - 1
    if label := _LABEL.match(text, begin, end):
        add(Token("wall", ")", label.end() - 1, label.end(), False, False))
        opened, closed, at = label[0].rfind(MATH), label[0].rfind(TEXT), label.end()
        math = math if opened == closed else opened > closed
    matches = _TOKEN.finditer(text, at, end)
    while (match := next(matches, None)) is not None:
        start, behind = match.span()
        if start < at:  # within a word with hyphens
            if behind > at:
                matches = _TOKEN.finditer(text, at, end)
            continue
        kind, at = match.lastgroup or "other", behind
        if kind == "mark":
            math = text[start] == MATH
            if last == start:
                last = at
            continue
        if kind == "word" and not math and text[at : at + 1] in _HYPHENS:
            more = longer(text, at, end)
            if more and text[at - 1] != "_" and not _is_glued_number(found, start, last):
                at = more.end()
        add(new(Token, (kind, text[start:at], start, at, math, last == start)))  # many: past the checks
        last = at
    return found


def _is_glued_number(found: list[Token], start: int, last: int) -> bool:
    """Whether a word follows a number without a gap: the GB of 80GB-per-card, not a name."""
    return bool(found) and found[-1].kind == "number" and last == start


def number(text: str) -> float:
    """The value of a number token."""
    return float(text.translate(_THIN))
