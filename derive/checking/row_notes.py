"""Notes beside a table that speak of one of its rows, which may then follow another rule than the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.checking.columns import Grid, Number

_ROW = re.compile(
    r"\b(?:first|second|third|fourth|fifth|last|top|bottom|next|other) (?:row|line|entry|column|run|case)s?\b|"
    r"\bexcept\b|\bbut for\b|\bexcluding\b|\bapart from\b|[†‡]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.;](?=\s|$)")
_LONGEST, _ORDINALS = 1_000, ("first", "second", "third", "fourth", "fifth")


def noted(grid: Grid, number: Number, around: Sequence[str]) -> bool:
    """Whether a sentence beside a table speaks of the row of a number alone, or of one row apart from the others.

    around: the texts beside the table.
    """
    row = next((at for at, cells in enumerate(grid.table.rows) if number.cell in cells), None)
    rows = [cells[0].text.strip().lower() if cells else "" for cells in grid.table.rows]
    heading = grid.table.header[0].text.strip().lower() if grid.table.header else ""
    if row is None:
        return True
    for text in around:
        for sentence in _SENTENCE.split(text[:_LONGEST].lower()):
            if _ROW.search(sentence) or _ordinal(sentence, row):
                return True
            named = [at for at, label in enumerate(rows) if _names(sentence, label, heading)]
            if named == [row]:
                return True
    return False


def _names(sentence: str, label: str, heading: str) -> bool:
    """Whether a sentence has a label, as a word of its own; a bare number only behind its heading."""
    if not label or len(label) > 60:
        return False
    lead = re.escape(heading) + r"\W{1,2}" if label.replace(",", "").replace(".", "").isdigit() else ""
    return re.search(rf"(?<![\w.-]){lead}{re.escape(label)}(?!\w)", sentence) is not None


def _ordinal(sentence: str, row: int) -> bool:
    return row < len(_ORDINALS) and re.search(rf"\bthe {_ORDINALS[row]}\b", sentence) is not None
