"""Paragraphs that follow on each other: what the first one tells, the next one may conclude from.

Of two paragraphs under one heading, with no table, list or listing between them, the first and the first sentences of
the second are read as one block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from derive.checking.blocks import WALL, Block, Document, sentences
from derive.checking.clauses import Clause

_DIGIT = re.compile(r"\d")
_LEAD = re.compile(r":\s*$")
_CONDITION = re.compile(
    r"\W*(?:In|With|For|Without|Using|Under|On|If|When|Suppose|Now|But|However|By contrast)\b(?! (?:all|total)\b)"
)
_OTHER = re.compile(
    r"\b(?:other|another|previous(?:ly)?|older?|instead|alternative\w*|latter|former|variant|would)\b"
)
_LONGEST, _SENTENCES, _MOST = 1_500, 2, 4_000


def stretched(document: Document) -> tuple[list[Clause], frozenset[int]]:
    """The sentences of paragraphs in pairs, each pair as one block, and the physical lines of the second paragraphs."""
    apart = {table.place for table in document.tables}
    found: list[Clause] = []
    lines: set[int] = set()
    for place, (first, second) in enumerate(pairwise(document.blocks), 1):
        if place in apart or len(found) > _MOST or not (_is_paragraph(first) and _is_paragraph(second)):
            continue
        if first.section == second.section and first.cell == second.cell and not _LEAD.search(first.text):
            joined = _joined(first, second)
            found += _sentences(joined, len(first.text))
            lines |= set(joined.lines[len(first.lines) :])
    return found, frozenset(lines)


def _is_paragraph(block: Block) -> bool:
    """Whether a block is a paragraph of running text with numbers."""
    text = block.text
    if block.heading or block.set_off or block.quoted or len(text) > _LONGEST:
        return False
    return WALL not in text[:2] and _DIGIT.search(text) is not None


def _joined(first: Block, second: Block) -> Block:
    """A paragraph with the first sentences of the next one."""
    end = list(sentences(second.text))[:_SENTENCES][-1][1]
    text, rest = second.text[:end].rstrip("\n"), second.text[end:]
    lines = [*first.lines, *second.lines[: text.count("\n") + 1]]
    return Block(
        f"{first.text}\n{text}", lines, second.section, second.cell, before=first.before, after=rest[:200]
    )


def _sentences(block: Block, second: int) -> Iterator[Clause]:
    """The sentences with numbers; second: where the second paragraph begins, in which conditions may be other ones."""
    order = 0
    for begin, end in sentences(block.text):
        other = begin >= second and (
            _CONDITION.match(block.text, begin, end) or _OTHER.search(block.text, begin, end)
        )
        if _DIGIT.search(block.text, begin, end) and not other:
            context = block.text[max(0, begin - 200) : begin]
            yield Clause(block.text[begin:end], block, begin, context, block.section, order=order)
            order += 1
