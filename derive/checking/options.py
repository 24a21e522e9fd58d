"""Counts of the options of a table that the text tells again: the 96 GPUs of option B.

A table compares options, A: or "Option B" over its columns or before its rows, and counts something under a label of
one word. "The 108 GPUs of option B" must be the number of that cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.blocks import Document, Table
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.inline import unmarked
from derive.checking.row_labels import words_of

_KIND = r"(?:[Oo]ption|[Pp]lan|[Vv]ariant|[Oo]ffer|[Dd]esign|[Cc]onfiguration|[Aa]lternative|[Ss]cenario|[Pp]roposal)"
_NUMBER = r"(?P<number>\d{1,3}(?:,\d{3})+|\d{1,7})"
_NOUN = r"(?P<noun>[A-Za-z][A-Za-z-]{2,20})"
_TOLD = (
    re.compile(
        rf"\b(?:[Tt]he|[Aa]ll|[Ii]ts) {_NUMBER} {_NOUN} (?:of|in|for) {_KIND} (?P<key>[A-Z]|\d)\b(?![-.]\w)"
    ),
    re.compile(
        rf"\b{_KIND} (?P<key>[A-Z]|\d) (?:has|comes with|consists of|with its|needs|uses|counts) "
        rf"(?:only |all )?{_NUMBER} {_NOUN}\b"
    ),
    re.compile(rf"\b{_KIND} (?P<key>[A-Z]|\d)['’]s {_NUMBER} {_NOUN}\b"),
)
_LABEL = re.compile(rf"\W*(?:{_KIND} (?P<word>[A-Z]|\d)\b|(?P<letter>[A-Z])(?:\W|$)(?!\w))")
_COUNT = re.compile(r"\W*(\d{1,3}(?:,\d{3})+|\d{1,7})\W*")
_SUPPOSED = re.compile(
    r"\b(?:if|would|could|instead|without|another|other|only if|more|less|fewer|extra|additional|spare|free|half|new|"
    r"old|first|last|remaining|of the|smaller|larger|unless|than)\b",
    re.IGNORECASE,
)
_ENTRIES = ("ption", "lan ", "ariant", "ffer", "esign", "onfiguration", "lternative", "cenario", "roposal")
_MOST, _CELLS, _BEFORE, _BEHIND = 40, 400, 40, 25


def claims(document: Document, every: Sequence[Clause]) -> Iterator[Claim]:
    """The counts of options that sentences tell."""
    cells: dict[tuple[str, str], set[tuple[float, int]]] = {}
    for table in document.tables[:_MOST]:
        for key, noun, value, line in _cells(table):
            cells.setdefault((key, noun), set()).add((value, line))
    for clause in every if cells else ():
        text = "" if clause.row else clause.plain
        for pattern in _TOLD if any(word in text for word in _ENTRIES) else ():
            for found in pattern.finditer(text):
                if _SUPPOSED.search(text, max(0, found.start() - _BEFORE), found.end() + _BEHIND):
                    continue
                nouns = words_of(found["noun"])
                known = cells.get((found["key"], nouns[0])) if nouns else None
                if known and len({value for value, _ in known}) == 1:
                    yield _held(clause, found, *next(iter(known)))


def _cells(table: Table) -> Iterator[tuple[str, str, float, int]]:
    """The counts of a table by the letter of the option and the one word of the label."""
    heads = [unmarked(cell.text) for cell in table.header]
    for row in table.rows[:_CELLS]:
        label = unmarked(row[0].text) if row else ""
        for place, cell in enumerate(row[1:_MOST], start=1):
            number = _COUNT.fullmatch(unmarked(cell.text))
            if number is None or place >= len(heads):
                continue
            for keyed, named in ((heads[place], label), (label, heads[place])):
                key, words = _LABEL.match(keyed), words_of(named)
                if key is not None and len(words) == 1 and re.fullmatch(r"\W*[A-Za-z-]+\W*", named):
                    value = float(number[1].replace(",", ""))
                    yield key["word"] or key["letter"], words[0], value, cell.line(0)


def _held(clause: Clause, found: re.Match[str], value: float, line: int) -> Claim:
    """The count of a sentence held against that of the table."""
    agrees = float(found["number"].replace(",", "")) == value
    hindered = "" if agrees else clause.hindered(found.start("number"))
    text = (
        clause.plain[found.start("number") : found.end("noun")]
        if found.end("noun") > found.start("number")
        else ""
    )
    return Claim(
        line=clause.line(found.start("number")),
        text=text,
        verdict="true" if agrees else "unsure" if hindered else "false",
        expected=f"{value:,.0f} {found['noun']}",
        claimed=text,
        cause="" if agrees else hindered or f"another count there: line {line} has {value:,.0f}",
        rule="two-values",
        because=f"line {line}",
        cell=clause.block.cell,
    )
