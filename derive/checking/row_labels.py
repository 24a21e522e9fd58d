"""The rows of a table by the words of their labels, for sentences that speak of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[A-Za-z][A-Za-z\d-]{2,}|\d+[A-Za-z]+")
_ENDING = re.compile(r"(?:ings?|ions?|ed|es|e|s)$")
_SHORT = 4  # letters of a word that has no ending to lose
_COMMON = {
    "the", "and", "for", "all", "its", "our", "with", "per", "total", "sum", "each", "one", "two", "other", "from",
    "than", "are",
}  # fmt: skip


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without the s of a plural and without words that name nothing."""
    found = (word.lower().removesuffix("s") for word in _WORD.findall(text))
    return [word for word in found if word not in _COMMON]


def stem(word: str) -> str:
    """A word without its ending, so that wasted and waste are one; a short word stays as it is."""
    return _ENDING.sub("", word.lower()) if len(word) > _SHORT else word.lower()


def rows_by_word(labels: Sequence[str]) -> dict[str, int]:
    """The rows by the words that only one label has."""
    found: dict[str, int] = {}
    for row, label in enumerate(labels):
        for word in set(words_of(label)):
            found[word] = -1 if word in found else row
    return {word: row for word, row in found.items() if row >= 0}
