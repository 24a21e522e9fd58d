"""Lines of text that line up, as tables: the same kinds of quantities in each, or a label and a number over a total."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checking.blocks import Block, Document, Table
from derive.checking.quantities import quantities
from derive.checking.subjects import machines
from derive.checking.words import Dimension

_LABELLED = re.compile(
    r"\s*([A-Za-z][^\d=:;|¦]{0,40}?)(?::|\s{2,}|\s+(?=[\d.,]+ ?[A-Za-z]{0,4}$))\s*([~$]?\d[\d.,]* ?[A-Za-z/]{0,8})\s*"
)
_SAID, _SAYING = re.compile(r"(?<![\w.])[a-z]{2,}(?![\w/])"), 8
"""Words of running text, and how many of them a line of a table may hold."""
_TWO_NUMBERS = re.compile(r"\d\D+\d")
_SUMMED = re.compile(r"^\s*(?:total|sum|all)\b", re.IGNORECASE | re.MULTILINE)
_RULE = re.compile(r"\s*[-=_+─ ]*")
_ROWS = 400


def totalled(document: Document) -> Iterator[Table]:
    """Lines of a label and a number each, of which the last is a total."""
    for block in document.blocks:
        if not _SUMMED.search(block.text):
            continue
        rows: list[tuple[Block, ...]] = []
        for index, line in enumerate(block.text.split("\n")[:_ROWS]):
            told = _LABELLED.fullmatch(line)
            if told is None:
                rows = rows if _RULE.fullmatch(line) else []
                continue
            number = (block.lines[min(index, len(block.lines) - 1)],)
            rows.append(
                tuple(Block(told[part].strip(), number, block.section, block.cell) for part in (1, 2))
            )
            if _SUMMED.match(line) and len(rows) > 2:
                yield Table((), tuple(rows), block.section)
                rows = []


def text_tables(document: Document) -> Iterator[Table]:
    """Lines of a paragraph that hold the same kinds of quantities, as a table without a header."""
    for block in document.blocks:
        lines = block.text.split("\n")
        if len(lines) < 4:
            continue
        rows: list[tuple[list[Block], tuple[tuple[Dimension, bool], ...]]] = []
        before = ""
        for index, line in enumerate([*lines, ""]):
            row = _row(line, block, index) if line.strip() else None
            kinds = row[1][: len(rows[0][1])] if row is not None and rows else ()
            if row is not None and (
                not rows or (kinds and kinds == rows[0][1][: len(kinds)] and len(kinds) > 1)
            ):
                rows.append(row)
                continue
            yield from _cut(rows, before, block)
            before = line if not rows or not line.strip() else before
            rows = [row] if row is not None else []
            before = lines[index - 1] if row is not None and index else line
        yield from _cut(rows, before, block)


def _cut(
    rows: list[tuple[list[Block], tuple[tuple[Dimension, bool], ...]]], before: str, block: Block
) -> Iterator[Table]:
    widest = max((len(kinds) for _, kinds in rows), default=0)
    # nobody knows above which numbers those of a shorter line of totals stand
    rows = [row for row in rows if len(row[1]) == widest or not _SUMMED.search(row[0][0].text)]
    if len(rows) < 3:
        return
    width = min(len(kinds) for _, kinds in rows)
    if width < 2:
        return
    cells = tuple(tuple(row[: width + 1]) for row, _ in rows)
    yield Table((), cells, block.section, before)


def _row(
    line: str, block: Block, index: int
) -> tuple[list[Block], tuple[tuple[Dimension, bool], ...]] | None:
    if len(line) > 400 or len(_SAID.findall(line)) > _SAYING or not _TWO_NUMBERS.search(line):
        return None
    names = machines(line)
    found = [
        one
        for one in quantities(line)
        if not any(name.start < one.end and one.start < name.end for name in names)
    ]
    if len(found) < 2:
        return None
    number = block.lines[min(index, len(block.lines) - 1)]
    label = line[: found[0].start].strip(" ~≈+")
    cells = [Block(label, (number,), block.section, block.cell)]
    cells += [
        Block(("~" if one.about else "") + line[one.start : one.end], (number,), block.section, block.cell)
        for one in found
    ]
    return cells, tuple((one.literal.options[0].dimension, bool(one.literal.unit)) for one in found)
