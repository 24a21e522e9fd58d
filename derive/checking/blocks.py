"""A document as the checker sees it: blocks of plain text and tables, with their lines kept.

Normalising never adds or drops a line break, so that a place in a block's text
tells its line in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

MATH, TEXT = "\x02", "\x03"
"""Zero-width marks: from here on letters are symbols, or words again."""

WALL = "¦"
"""Stands where no expression goes on: the side of a cell, a bullet, something unreadable."""


@dataclass
class Block:
    """A paragraph, list item, heading, table cell or calculation set off from the text.

    lines: the physical line of each line of the text. section: counts headings. cell: of a notebook.
    set_off: a calculation in a block of its own. quoted: somebody else's words, as a letter repeats them.
    before, after: the text around it, a few words.
    """

    text: str
    lines: Sequence[int]
    section: int
    cell: int | None = None
    heading: bool = False
    set_off: bool = False
    quoted: bool = False
    before: str = ""
    after: str = ""

    @cached_property
    def _breaks(self) -> list[int]:
        return [found.start() for found in re.finditer("\n", self.text)]

    def line(self, place: int) -> int:
        """The physical line of a place in the text."""
        return self.lines[min(bisect_left(self._breaks, place), len(self.lines) - 1)]


@dataclass(frozen=True)
class Table:
    """Rows of cells under a header (empty where there is none).

    before: the text that leads to it. place: how many blocks of the document stand before it. set_off: the rows
    that a rule sets off from those above.
    """

    header: tuple[Block, ...]
    rows: tuple[tuple[Block, ...], ...]
    section: int
    before: str = ""
    place: int = 0
    set_off: frozenset[int] = frozenset()


@dataclass
class Document:
    """Blocks and tables in their order; the cells of tables are blocks of their own."""

    blocks: list[Block] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    section: int = 0
    cell: int | None = None

    def add(
        self,
        text: str,
        lines: Sequence[int],
        heading: bool = False,
        *,
        set_off: bool = False,
        quoted: bool = False,
    ) -> None:
        """Append a block, unless it is empty; a heading begins a section."""
        if heading:
            self.section += 1
        if not text.strip():
            return
        block = Block(text, lines, self.section, self.cell, heading, set_off, quoted)
        if self.blocks and not heading:
            last = self.blocks[-1]
            block.before, last.after = last.text[-_BESIDE:], text[:_BESIDE]
        self.blocks.append(block)

    def add_table(
        self,
        header: Sequence[tuple[str, int]],
        rows: Sequence[Sequence[tuple[str, int]]],
        set_off: Iterable[int] = (),
    ) -> None:
        """Append a table of (text, line) cells; set_off: the rows under a rule of their own."""
        before = next((block.text for block in reversed(self.blocks)), "")
        header, rows, set_off = _with_units(header, rows, tuple(set_off))
        wrong = frozenset(at for at, (text, _) in enumerate(header) if WRONG.search(text))
        table = Table(
            tuple(self._cell(cell) for cell in header),
            tuple(tuple(self._cell(cell, at in wrong) for at, cell in enumerate(row)) for row in rows),
            self.section,
            before,
            len(self.blocks),
            frozenset(set_off),
        )
        self.tables.append(table)

    def around(self, table: Table) -> list[str]:
        """The texts next to a table under the same heading: what leads to it, and what follows."""
        before = [
            block.text[-_NEAR:]
            for block in self.blocks[max(0, table.place - _LEADING) : table.place]
            if block.section == table.section
        ]
        return before + [block.text[:_NEAR] for block in self.blocks[table.place : table.place + 1]]

    def told_before(self, table: Table) -> list[str]:
        """The texts of the whole document before a table, the nearest first."""
        before = self.blocks[max(0, table.place - _REMEMBERED) : table.place]
        return [block.text[:_NEAR] for block in reversed(before)]

    def formulas(self, table: Table) -> list[str]:
        """The texts near a table that may tell its formulas: those of its section before it, and two behind."""
        near = self.blocks[max(0, table.place - _FAR) : table.place + 2]
        return [block.text[-_NEAR:] for block in near if block.section == table.section]

    def _cell(self, cell: tuple[str, int], quoted: bool = False) -> Block:
        text, line = cell
        return Block(text.replace("\n", " "), (line,), self.section, self.cell, quoted=quoted)

    def everything(self) -> Iterator[Block]:
        """The blocks, then the cells of all tables."""
        yield from self.blocks
        for table in self.tables:
            for row in (table.header, *table.rows):
                yield from row


def _with_units(
    header: Sequence[_Cell], rows: Sequence[Sequence[_Cell]], set_off: Sequence[int]
) -> tuple[Sequence[_Cell], Sequence[Sequence[_Cell]], Sequence[int]]:
    """A header with the units of a second row of headings: one without a label, with nothing but words in brackets."""
    if not header or len(rows) < _FEWEST or len(rows[0]) != len(header):
        return header, rows, set_off
    told = [text.strip(_MARKS) for text, _ in rows[0]]
    if told[0] or not any(told) or not all(_BRACKETED.fullmatch(text) for text in told if text):
        return header, rows, set_off
    joined = [
        (f"{name} {unit}".strip(), line) for (name, line), (unit, _) in zip(header, rows[0], strict=True)
    ]
    return joined, rows[1:], [at - 1 for at in set_off if at > 1]


WRONG = re.compile(
    r"\b(?:wrong|incorrect|erroneous|mistaken|misprint\w*|errat\w+|errors? as printed)\b", re.IGNORECASE
)
"""What heads a column of numbers that are not held for right."""
_Cell = tuple[str, int]
_FEWEST, _MARKS = 3, " *_\x02\x03"
_BRACKETED = re.compile(r"[(\[][^()]*(?:\([^()]*\)[^()]*)*[)\]]")
_BESIDE = 200
_LEADING, _NEAR, _FAR = 4, 800, 14
_REMEMBERED = 80

_ENDS = re.compile(
    r"[.?!](?=[\s\x03\"')\]]|$)(?<![\d\s.][.].)(?<!\bvs.)(?<!\be\.g.)(?<!\bi\.e.)(?<!\bFig.)(?<!\bca.)|[;¦]",
    re.DOTALL,
)

_LONGEST = 1500


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text begin and end, a long one in pieces."""
    begin = 0
    for found in _ENDS.finditer(text):
        while begin < found.end():
            end = min(found.end(), begin + _LONGEST)
            yield begin, end
            begin = end
    while begin < len(text):
        yield begin, min(len(text), begin + _LONGEST)
        begin += _LONGEST


def sentence(text: str, place: int) -> tuple[int, int]:
    """Where the sentence around a place begins and ends."""
    begin, end = 0, len(text)
    low = max(0, place - _LONGEST)
    for found in _ENDS.finditer(text, low, place):
        begin = found.end()
    after = _ENDS.search(text, place, min(len(text), place + _LONGEST))
    if after:
        end = after.end()
    return max(begin, low), min(end, place + _LONGEST)
