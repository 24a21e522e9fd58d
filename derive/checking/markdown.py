"""Markdown (CommonMark with tables and mathematics) into blocks: by lines, in one pass.

A parser that renders would take the asterisks of `2*3*4` and the underscores of a
formula for emphasis, so the blocks are cut here, and what stands in them is read by
`derive.checking.inline`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.checking import listings
from derive.checking.blocks import Document
from derive.checking.inline import plain

_FENCE = re.compile(r"\s{0,12}(?:>\s*)?(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,3}#{1,6}(?:\s+|$)")
_SETEXT = re.compile(r"\s{0,3}(?:=+|-+)\s*$")
_BULLET = re.compile(r"\s*(?:[-*•]|\+(?!\s+[\d$(])|\d{1,3}[.)])\s+")
_DELIMITERS = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_WALLED = re.compile(r"(?<!\\)\|")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_QUOTE = re.compile(r"^\s{0,3}>\s?")
_INDENTED = re.compile(r"(?: {4}|\t)")


def read(text: str, lines: Sequence[int], into: Document) -> None:
    """Append the blocks of a Markdown text; lines: the physical line of each line of the text."""
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    _Reader(text.split("\n"), lines, into).run()


class _Reader:
    def __init__(self, source: list[str], lines: Sequence[int], into: Document) -> None:
        self.source, self.lines, self.into = source, lines, into
        self.held: list[str] = []
        self.first = 0
        self.listed = False

    def run(self) -> None:
        """Walk over the lines once."""
        at = self._front_matter()
        while at < len(self.source):
            line = self.source[at]
            fence = _FENCE.match(line)
            if fence:
                self._flush()
                at = self._fenced(at, fence[1])
                continue
            if not line.strip():
                self._flush()
            elif _HEADING.match(line):
                self._flush()
                self.into.add(plain(_HEADING.sub("", line, count=1)), (self.lines[at],), heading=True)
                self.listed = False
            elif self.held and len(self.held) == 1 and _SETEXT.match(line) and "|" not in self.held[0]:
                self._flush(heading=True)
            elif self._begins_table(at):
                self._flush()
                at = self._table(at)
                continue
            elif not self.held and not self.listed and _INDENTED.match(line):
                at = self._indented(at)
                continue
            else:
                bullet = _BULLET.match(line)
                if bullet:
                    self._flush()
                    self.listed = True
                    line = " " * bullet.end() + line[bullet.end() :]
                elif not self.held and not line[:1].isspace():
                    self.listed = False
                if not self.held:
                    self.first = at
                self.held.append(_unquoted(line))
            at += 1
        self._flush()

    def _front_matter(self) -> int:
        """Where the text begins behind YAML between lines of ---."""
        if self.source and self.source[0].strip() == "---":
            for at in range(1, min(len(self.source), 400)):
                if self.source[at].strip() in ("---", "..."):
                    return at + 1
        return 0

    def _fenced(self, at: int, mark: str) -> int:
        """Pass over a block of code; calculations in it are read."""
        closing = re.compile(rf"\s*(?:>\s*)?{re.escape(mark[0])}{{{len(mark)},}}\s*$")
        label = self.source[at].partition(mark)[2]
        begin = at = at + 1
        while at < len(self.source) and not closing.match(self.source[at]):
            at += 1
        listings.add(self.source[begin:at], self.lines[begin:at], self.into, label)
        return at + 1

    def _indented(self, at: int) -> int:
        """Pass over code by indentation; calculations in it are read."""
        begin = at
        while at < len(self.source) and (_INDENTED.match(self.source[at]) or not self.source[at].strip()):
            at += 1
        listings.add(self.source[begin:at], self.lines[begin:at], self.into)
        return at

    def _begins_table(self, at: int) -> bool:
        line = _unquoted(self.source[at])
        if line.lstrip().startswith("|"):
            return line.count("|") > 2
        following = _unquoted(self.source[at + 1]) if at + 1 < len(self.source) else ""
        return "|" in line and "|" in following and bool(_DELIMITERS.match(following)) and not self.held

    def _table(self, at: int) -> int:
        rows: list[list[tuple[str, int]]] = []
        header: list[tuple[str, int]] = []
        while at < len(self.source) and "|" in self.source[at]:
            line = _unquoted(self.source[at])
            if _DELIMITERS.match(line) and "-" in line:
                if len(rows) == 1 and not header:
                    header = rows.pop()
            else:
                rows.append([(plain(cell), self.lines[at]) for cell in cells(line)])
            at += 1
        self.into.add_table(header, rows)
        return at

    def _flush(self, heading: bool = False) -> None:
        if self.held:
            text = plain("\n".join(self.held))
            self.into.add(text, self.lines[self.first : self.first + len(self.held)], heading)
        self.held = []


def _unquoted(line: str) -> str:
    """A line without the mark of a quotation."""
    return _QUOTE.sub("", line) if ">" in line else line


def cells(line: str) -> list[str]:
    """The cells of a line of a table, their walls not counted."""
    stripped = line.strip()
    parts = _WALLED.split(stripped)
    if parts and not parts[0].strip():
        parts = parts[1:]
    if parts and not parts[-1].strip():
        parts = parts[:-1]
    return [part.replace("\\|", "|").strip() for part in parts]
