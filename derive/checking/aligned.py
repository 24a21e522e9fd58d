"""Tables of plain text: columns held apart by blanks, under headings with a rule of dashes, or without."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from derive.checking.blocks import Document

_RULE = re.compile(r"\s*[-=─━_]{3,}(?:[\s+|]+[-=─━_]{2,})*\s*$")
_GROUPS = re.compile(r"[-=─━_]+")
_CHUNK = re.compile(r"\S+(?: \S+)*")
_FIGURE = re.compile(r"(?<![\w.-])\d[\d.,]*(?![\w-])")
_NUMBER = re.compile(r"\d")
_TOTAL = re.compile(r"\s*(?:total|sum|all|together|in all)\b.*\d", re.IGNORECASE)
_COMMENT = re.compile(r"^(\s*)#")
_CELL = re.compile(r"[~≈$+-]?\d[\d.,]*\s?(?:%|[A-Za-z/]{1,12})?$")
_HEADS, _ROWS, _LONGEST, _FEWEST = 3, 200, 200, 3

Cells = list[tuple[str, int]]
"""The cells of a row, each with the index of its line."""


@dataclass(frozen=True)
class Found:
    """A table among lines: from which one to which one (behind the last) it goes, its header and its rows.

    set_off: the rows that follow a rule of their own.
    """

    begin: int
    end: int
    header: Cells
    rows: list[Cells]
    set_off: tuple[int, ...] = ()

    def into(self, document: Document, lines: Sequence[int], clean: Callable[[str], str]) -> None:
        """Append it to a document; lines: the physical line of each line; clean: makes a cell plain."""

        def told(cells: Cells) -> list[tuple[str, int]]:
            return [(clean(text), lines[index]) for text, index in cells]

        document.add_table(told(self.header), [told(row) for row in self.rows], self.set_off)


def tables(lines: Sequence[str]) -> list[Found]:
    """The tables among lines, in their order."""
    found: list[Found] = []
    at, free = 0, 0
    while at < len(lines):
        if _RULE.match(lines[at]) and (headed := _headings(lines, at)):
            at, free = headed, at + 1  # what stands over the first rule is a title
        if _RULE.match(lines[at]) and at > free:
            table = _ruled(lines, at, free)
            if table is not None:
                found.append(table)
                at = free = table.end
                continue
        table = _unruled(lines, at) if at >= free else None
        if table is not None:
            found.append(table)
            at = free = table.end
            continue
        at += 1
    return found


def _unruled(lines: Sequence[str], at: int) -> Found | None:
    """The table whose headings stand right over rows of as many numbers each, as tools print them."""
    heads = [at]
    if at + 1 < len(lines) and _is_heading(lines[at]) and _is_heading(lines[at + 1]):
        heads.append(at + 1)
    if not _is_heading(lines[at]):
        return None
    end = heads[-1] + 1
    wide = len(_spans(_CHUNK, lines[end])) if end < len(lines) else 0
    while end < len(lines) and end - at < _ROWS and _is_row(lines[end], wide):
        end += 1
    rows = range(heads[-1] + 1, end)
    while (
        end < len(lines) and len(rows) >= _FEWEST and _TOTAL.match(lines[end]) and len(lines[end]) <= _LONGEST
    ):
        end += 1  # a total of some columns alone
    columns = _columns([lines[index] for index in rows]) if len(rows) >= _FEWEST else []
    if len(columns) != wide or wide < _FEWEST:
        return None
    header = [""] * wide
    for index in heads:
        told = _cells(_COMMENT.sub(" ", lines[index], count=1), index, columns)
        header = [f"{one} {other}".strip() for one, (other, _) in zip(header, told, strict=True)]
    if sum(map(bool, header)) < wide - 1:
        return None
    cells = [_cells(lines[index], index, columns) for index in range(heads[-1] + 1, end)]
    return Found(at, end, [(text, at) for text in header], cells)


def _is_heading(line: str) -> bool:
    """Whether a line has several words held apart by blanks, and no number."""
    wide = len(_spans(_CHUNK, _COMMENT.sub(" ", line, count=1)))
    return len(line) <= _LONGEST and wide >= _FEWEST and not _FIGURE.search(line) and not _RULE.match(line)


def _is_row(line: str, wide: int) -> bool:
    """Whether a line has so many pieces, most of them numbers."""
    pieces = [line[begin:end] for begin, end in _spans(_CHUNK, line)] if len(line) <= _LONGEST else []
    return len(pieces) == wide and 2 * sum(bool(_CELL.match(piece)) for piece in pieces) > wide


def _headings(lines: Sequence[str], at: int) -> int:
    """The rule below, where nothing but headings without numbers stands between it and this one; 0 for none."""
    below = next((to for to in range(at + 1, min(at + 2 + _HEADS, len(lines))) if _RULE.match(lines[to])), 0)
    between = lines[at + 1 : below]
    wide = sum(len(_spans(_CHUNK, line)) > 1 for line in between)
    return below if wide and all(line.strip() and not _FIGURE.search(line) for line in between) else 0


def _ruled(lines: Sequence[str], at: int, free: int) -> Found | None:
    """The table whose headings stand over a rule."""
    begin = at
    while (
        begin > free
        and at - begin < _HEADS
        and lines[begin - 1].strip()
        and not _RULE.match(lines[begin - 1])
    ):
        begin -= 1
    end = at + 1
    rows: list[int] = []
    set_off: list[int] = []
    while end < len(lines) and lines[end].strip() and len(rows) < _ROWS:
        if _RULE.match(lines[end]):
            set_off.append(len(rows))
        elif len(lines[end]) <= _LONGEST:
            rows.append(end)
        end += 1
    heads = [index for index in range(begin, at) if len(lines[index]) <= _LONGEST]
    groups = _spans(_GROUPS, lines[at])
    if not heads or len(rows) < 2:
        return None
    columns = groups if len(groups) > 1 else _columns([lines[index] for index in rows])
    if len(columns) < 2:
        return None
    told = [_cells(lines[index], index, columns) for index in rows]
    if sum(_filled(row) > 1 for row in told) < 2 or not any(
        _NUMBER.search(text) for row in told for text, _ in row[1:]
    ):
        return None
    header = _cells(lines[heads[0]], heads[0], columns)
    for index in heads[1:]:
        header = [
            (f"{one} {other}".strip(), index)
            for (one, _), (other, _) in zip(header, _cells(lines[index], index, columns), strict=True)
        ]
    if sum(bool(text) for text, _ in header) < 2:
        return None
    return Found(heads[0], end, header, told, tuple(index for index in set_off if 0 < index < len(told)))


def _spans(pattern: re.Pattern[str], line: str) -> list[tuple[int, int]]:
    return [found.span() for found in pattern.finditer(line)]


def _columns(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where the columns of rows lie: pieces held apart by two blanks that stand over each other."""
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(span for line in lines for span in _spans(_CHUNK, line)):
        if merged and begin < merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return merged


def _cells(line: str, index: int, columns: Sequence[tuple[int, int]]) -> Cells:
    """The pieces of a line, each in the column that it lies over or next to."""
    told = [""] * len(columns)
    for begin, end in _spans(_CHUNK, line):
        over = [min(end, right) - max(begin, left) for left, right in columns]
        best = max(range(len(columns)), key=lambda at: over[at])
        pieces = [line[begin:end]]
        places = [best]
        shared = [at for at in range(len(columns)) if over[at] > 0]
        if len(shared) > 1:  # headings or cells with a single blank between them
            pieces, places = _cut(line, begin, end, [columns[at] for at in shared]), shared
        for place, piece in zip(places, pieces, strict=True):
            told[place] = f"{told[place]} {piece.strip()}".strip()
    return [(text, index) for text in told]


def _cut(line: str, begin: int, end: int, columns: Sequence[tuple[int, int]]) -> list[str]:
    """A piece that lies over several columns, cut at the blank nearest to where each of them begins."""
    pieces = []
    for (_, left), (right, _) in pairwise(columns):
        blanks = [at for at in range(begin, min(end, right + 1)) if line[at] == " "]
        near = [at for at in blanks if at >= left - 1] or blanks[-1:]
        cut = near[-1] if near else begin
        pieces.append(line[begin:cut])
        begin = cut
    return [*pieces, line[begin:end]]


def _filled(row: Cells) -> int:
    return sum(bool(text) for text, _ in row)
