"""The word that names a number: the MFU of "an MFU of 41 %" and "41 % MFU", the label of a row."""

from __future__ import annotations

import re

from derive.checking.names import Mention
from derive.checking.row_labels import words_of
from derive.checking.subjects import machines

_BEFORE = re.compile(
    r"([A-Za-z][\w-]*)(?:['’]s)?(?:\s+(?:is|was|are|were|of|takes?|took|comes? to|came to|stays? at|reache[sd]|needs?|"
    r"costs?|draws?|holds?|makes?|gives?|serves?|keeps?|leaves?|weighs?|delivers?|has|have|be)\s+|\s*[:=≈]\s*)"
    r"(?:only |about |roughly |some |just |nearly |around )?[\x02~≈$€]?\s*$"
)
_BEHIND = re.compile(r"[x×]?[ ~-]{1,2}(?:of |the |an? )*([A-Za-z][A-Za-z-]{2,})")
_NO_NAME = frozenset(
    (
        "the", "a", "an", "it", "that", "this", "which", "they", "there", "these", "those", "total", "about", "only",
        "with", "and", "for", "per", "each", "every", "than", "are", "all", "but", "over", "under", "when", "while",
        "since", "also", "same", "again", "left", "more", "less", "long", "large", "one", "we", "you", "was", "were",
        "faster", "slower", "higher", "lower", "larger", "smaller", "both", "out", "off", "free", "model", "card",
        "from", "into", "value", "number", "size", "after", "before", "because", "now", "then", "here",
    )
)  # fmt: skip
_LETTER = re.compile(r"\b[A-Za-z]{3,} ([A-Z]|\d{1,2})\b(?![.,]?\d|\s?[%×=/*+]|[-–])")
_CONDITION = re.compile(r"\b(?:[Ff]or|[Aa]t|[Ww]ith|[Oo]n|[Oo]f) (\d[\d,]*) ?[A-Za-z]{3,}")
_LOOKS_BACK = 60


def heads(one: Mention) -> frozenset[str]:
    """The words just before and behind a number that name it, in lower case; of a cell those of its row's label."""
    text, own = one.clause.text, one.quantity
    if one.clause.row:
        return frozenset(words_of(text.partition("¦")[0])) - _NO_NAME
    before = _BEFORE.search(text[max(0, own.start - _LOOKS_BACK) : own.start])
    behind = _BEHIND.match(text, own.end)
    found = {found[1].lower().removesuffix("s") for found in (before, behind) if found}
    return frozenset(found) - _NO_NAME


def factor(one: Mention) -> bool:
    """Whether a number is told as so many times: a 2.8x speed-up."""
    return not one.quantity.literal.unit and one.clause.text[one.quantity.end : one.quantity.end + 1] in (
        "x",
        "×",
    )


def are_of_two(one: Mention, other: Mention) -> bool:
    """Whether names tell two numbers apart: p50 and p99, an H100 and an A100, cluster A and B, 8 and 16 GPUs."""
    return any(
        names and others and not names & others
        for names, others in (
            (_numbered(one), _numbered(other)),
            (_machine(one), _machine(other)),
            (_marked(one, _LETTER), _marked(other, _LETTER)),
            (_marked(one, _CONDITION), _marked(other, _CONDITION)),
        )
    )


def _machine(one: Mention) -> set[str]:
    """The machine named last before a number."""
    before = [found for found in machines(one.clause.text) if found.end <= one.quantity.start]
    return set(before[-1].names) if before else set()


def _numbered(one: Mention) -> set[str]:
    return {word for word in one.words if any(letter.isdigit() for letter in word)}


def _marked(one: Mention, pattern: re.Pattern[str]) -> set[str]:
    text, own = one.clause.text, one.quantity
    beside = f"{text[max(0, own.start - _LOOKS_BACK) : own.start]}| {text[own.end : own.end + _LOOKS_BACK]}"
    return {found[1] for found in pattern.finditer(beside)}
