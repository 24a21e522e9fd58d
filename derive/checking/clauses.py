"""Pieces of text small enough to speak of one thing: sentences, rows of tables, lines of diagrams."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TypeVar, cast

from derive.checking.blocks import MATH, TEXT, WRONG, Block, Document, Table, sentences
from derive.checking.columns import with_heading
from derive.checking.gates import of_text
from derive.checking.inline import unmarked
from derive.checking.quantities import Quantity, quantities
from derive.checking.subjects import machines

_UNIT_OF_ALL = re.compile(r"\b([KMGTP]?FLOPS|[KMGTP]FLOP/s|[KMGT]B/s|[KMGT]i?B)\b")
_FORMAT_NAME = re.compile(r"\s*(?:b?[fF][pP]?\d{1,2}|tf32|int[48]|float\d+|bfloat16|e\dm\d)\b")
_DIGIT = re.compile(r"\d")
_LONGEST = 1500
_ROWS = 400
_Told = TypeVar("_Told")


@dataclass(frozen=True)
class Clause:
    """A sentence or row. context: what stands over it (headings, headers, the paragraph), for words only.

    columns: in a row of a table the heading over each quantity, by its place in `text`.
    listed: the first line over a line of a text table. before: the text that leads to a table. cells: the lines of the
    cells of a row. order: which sentence of its block it is, from 0. known: what has been found out about it (`once`).
    """

    text: str
    block: Block
    offset: int
    context: str
    section: int
    columns: tuple[tuple[int, str], ...] = ()
    row: bool = False
    before: str = ""
    cells: tuple[int, ...] = ()
    listed: str = ""
    order: int = 0
    known: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    def line(self, place: int) -> int:
        """The physical line of a place in the text."""
        if not self.columns:
            return self.block.line(self.offset + place)
        at = sum(begin <= place for begin, _ in self.columns) - 1
        return self.cells[at] if 0 <= at < len(self.cells) else self.block.lines[0]

    @cached_property
    def plain(self) -> str:
        """Its text without marks and line breaks, of the same length."""
        return self.text.replace(MATH, " ").replace(TEXT, " ").replace("\n", " ")

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Its quantities; in a row the bare ones with the unit of their column or of the whole table."""
        found = quantities(self.text)
        if not self.columns:
            return found
        whole = _UNIT_OF_ALL.search(self.columns[0][1])
        units = [self.heading(one.start) for one in found]
        return [
            with_heading(one, unit, whole[1] if whole else "") for one, unit in zip(found, units, strict=True)
        ]

    def heading(self, place: int) -> str:
        """The heading of the column in which a place lies."""
        found = ""
        for begin, heading in self.columns:
            if begin <= place:
                found = heading
        return found

    def piece(self, quantity: Quantity) -> str:
        """A quantity as the text has it."""
        return unmarked(self.text[quantity.start : quantity.end])

    def around(self, quantity: Quantity, before: int = 60, after: int = 50) -> str:
        """The words next to a quantity, as far as the next quantity's clause would begin."""
        return self.text[max(0, quantity.start - before) : quantity.end + after]

    def hindered(self, place: int = 0) -> str:
        """Why a number here, or at a place, may be meant as a wrong one; "" where it is not."""
        if self.columns:
            if WRONG.search(self.heading(place)):
                return "the column is of wrong numbers"
            return of_text(Block(self.text, self.block.lines, self.section), 0)
        return of_text(self.block, self.offset + place)


def once(function: Callable[[Clause], _Told]) -> Callable[[Clause], _Told]:
    """A function of a clause that is computed once for each: many rules ask the same of every sentence."""

    @wraps(function)
    def told(clause: Clause) -> _Told:
        if function not in clause.known:
            clause.known[function] = function(clause)
        return cast(_Told, clause.known[function])

    return told


def clauses(document: Document) -> Iterator[Clause]:
    """Every sentence that holds a digit, and every row of the tables."""
    heading = ""
    for block in document.blocks:
        if block.heading:
            heading = unmarked(block.text)
        yield from _of_block(block, heading)
    for table in document.tables:
        yield from _of_table(table)


def _of_block(block: Block, heading: str) -> Iterator[Clause]:
    text = block.text
    if _is_listing(text):
        yield from _of_lines(block, heading)
        return
    order = 0
    for begin, end in sentences(text):
        piece = text[begin:end]
        if _DIGIT.search(piece):
            before = text[max(0, begin - 200) : begin]
            yield Clause(piece, block, begin, f"{heading} {before}", block.section, order=order)
            order += 1


def _is_listing(text: str) -> bool:
    """Whether the lines of a paragraph are rows: two of them or more begin with what the catalogue knows."""
    lines = text.split("\n")
    if not 3 <= len(lines) <= _ROWS:
        return False
    begun = sum(
        bool(_FORMAT_NAME.match(line) or any(one.start < 4 for one in machines(line[:40]))) for line in lines
    )
    return begun >= 2


def _of_lines(block: Block, heading: str) -> Iterator[Clause]:
    at = 0
    first = block.text.split("\n", 1)[0]
    for line in block.text.split("\n"):
        if _DIGIT.search(line):
            yield Clause(line[:_LONGEST], block, at, f"{heading} {first}", block.section, listed=first)
        at += len(line) + 1


def _of_table(table: Table) -> Iterator[Clause]:
    headings = [unmarked(cell.text) for cell in table.header]
    for row in table.rows[:_ROWS]:
        text, columns = "", []
        for index, cell in enumerate(row):
            columns.append((len(text), headings[index] if index < len(headings) else ""))
            text += cell.text + " ¦ "
        if row and _DIGIT.search(text):
            context = f"{table.before} {' ¦ '.join(headings)}"
            yield Clause(
                text[:_LONGEST],
                row[0],
                0,
                context,
                table.section,
                tuple(columns),
                row=True,
                before=table.before,
                cells=tuple(cell.lines[0] for cell in row),
            )
