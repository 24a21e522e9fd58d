"""Plain text and reStructuredText into blocks."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from derive.checking import aligned, listings
from derive.checking.blocks import Document
from derive.checking.inline import plain

_BULLET = re.compile(r"\s*(?:[-*•]|\+(?!\s+[\d$(])|\d{1,3}[.)]|#\.)\s+")
_ITEM = re.compile(r"(?<=[.:;)]) [-•] (?=[A-Z\\])")
_ADORNED = re.compile(r"([=\-~^\"'`#*+:.])\1{2,}\s*$")
_RULED = re.compile(r"\s*[-=]{2,}\s+(\S.*?)\s*[-=]{2,}\s*")
_CAPITALS = re.compile(r"[A-Z]{4}")
_LONGEST = 80
_DIRECTIVE = re.compile(r"\s*\.\.\s+([\w-]+)::\s*(.*)")
_COMMENT = re.compile(r"\s*\.\.(?:\s|$)")
_ROLE = re.compile(r":(\w[\w-]*):`([^`]*)`")
_LITERAL = re.compile(r"::\s*$")
_TARGET = re.compile(r"`([^`<]*)\s<[^>]*>`__?")
_OPTION = re.compile(r"\s*:([\w-]+):\s*(.*)")
_GRID = re.compile(r"\s*\+(?:[-=]+\+)+\s*$")
_SIMPLE = re.compile(r"\s*=+(?:\s+=+)+\s*$")
_CODE = {
    "sourcecode",
    "literalinclude",
    "raw",
    "image",
    "figure",
    "toctree",
    "highlight",
    "doctest",
    "prompt",
    "include",
}


def read(text: str, lines: Sequence[int], into: Document) -> None:
    """Append the blocks of a plain text: paragraphs between empty lines, items, lines set off by white space."""
    held: list[str] = []
    first, quoted = 0, False
    apart = False  # the lines held are a calculation that a colon leads to
    source = text.split("\n")
    tables = {table.begin: table for table in aligned.tables(source)}
    behind = 0
    for at, line in enumerate([*source, ""]):
        if at in tables:
            if held:
                _add(into, held, lines[first : first + len(held)], quoted)
                held = []
            tables[at].into(into, lines, lambda cell: plain(cell, markup=False))
            behind = tables[at].end
        if at < behind:
            continue
        if not held and (title := _title(line, source[at + 1] if at + 1 < len(source) else "")):
            into.add(plain(title, markup=False), (lines[at],), heading=True)
            continue
        if not held and _ADORNED.match(line):
            continue
        quotes = line.startswith(">")
        inner = line.startswith("   ")
        led = inner and bool(held) and held[-1].rstrip().endswith(":") and listings.is_worked(line)
        begins = not line.strip() or _BULLET.match(line) is not None or quotes != quoted
        if held and (begins or led or (apart and (not inner or listings.is_worked(line)))):
            _add(into, held, lines[first : first + len(held)], quoted)
            held = []
            apart = led or (apart and inner and bool(line.strip()))
        quoted = quotes
        if line.strip():
            if not held:
                first = at
            bullet = _BULLET.match(line)
            held.append(" " * bullet.end() + line[bullet.end() :] if bullet else line)


def _title(line: str, following: str) -> str:
    """The heading that a line is: between rules, over one, or in capitals; "" for none."""
    if len(line) > 2 * _LONGEST:
        return ""
    ruled = _RULED.fullmatch(line)
    if ruled is not None:
        return ruled[1]
    text = line.strip()
    under = _ADORNED.match(following) is not None and not line[:1].isspace() and len(text) < _LONGEST
    capital = re.sub(r"\([^()]*\)", "", text)
    shouted = _CAPITALS.search(capital) and capital.upper() == capital and len(text) < _LONGEST
    return text if under or (shouted and not set("=≈") & set(text)) else ""


def _add(into: Document, held: list[str], lines: Sequence[int], quoted: bool) -> None:
    """A paragraph; items that were run together are cut apart again."""
    text = "\n".join(held)
    for index, piece in enumerate(_ITEM.split(text)):
        begun = 0 if not index else text.count("\n", 0, text.find(piece))
        into.add(
            plain(piece, markup=False),
            lines[begun : begun + piece.count("\n") + 1],
            set_off=all(line.startswith("    ") for line in held),
            quoted=quoted,
        )


def read_rst(text: str, lines: Sequence[int], into: Document) -> None:
    """Append the blocks of a reStructuredText: headings, paragraphs, math, grid and simple tables."""
    _Rst(text.split("\n"), lines, into).run()


class _Rst:
    def __init__(self, source: list[str], lines: Sequence[int], into: Document) -> None:
        self.source, self.lines, self.into = source, lines, into
        self.held: list[str] = []
        self.first = 0

    def run(self) -> None:
        """Walk over the lines once."""
        at = 0
        while at < len(self.source):
            line = self.source[at]
            directive = _DIRECTIVE.match(line)
            if _GRID.match(line) or _SIMPLE.match(line):
                self._flush()
                at = self._grid(at) if _GRID.match(line) else self._simple(at)
                continue
            if directive:
                self._flush()
                at = self._directed(at, directive[1], directive[2])
                continue
            if _COMMENT.match(line):
                self._flush()
                at = self._indented(at)[0]
                continue
            if _ADORNED.match(line):
                self._flush(heading=len(self.held) == 1)
            elif not line.strip():
                literal = bool(self.held) and bool(_LITERAL.search(self.held[-1]))
                self._flush()
                if literal:
                    begin = at + 1
                    at, body = self._indented(at)
                    listings.add(body, self.lines[begin:at], self.into)
                    continue
            else:
                bullet = _BULLET.match(line)
                if bullet:
                    self._flush()
                    line = " " * bullet.end() + line[bullet.end() :]
                if not self.held:
                    self.first = at
                self.held.append(line)
            at += 1
        self._flush()

    def _directed(self, at: int, name: str, argument: str) -> int:
        end, body = self._indented(at)
        if name == "math":
            formula = "\n".join([argument, *body])
            self.into.add(plain(f"\\[{formula}\\]"), self.lines[at : at + len(body) + 1])
        elif name == "list-table":
            self._captioned(at, argument)
            self._listed(at, body)
        elif name == "csv-table":
            self._captioned(at, argument)
            self._separated(at, body)
        elif name in ("code", "code-block", "parsed-literal"):
            listings.add(body, self.lines[at + 1 : end], self.into, argument)
        elif name not in _CODE:
            text = [argument, *(re.sub(r"^\s*:[\w-]+:.*", "", line) for line in body)]
            self.into.add(self._inline("\n".join(text)), self.lines[at : at + len(text)])
        return end

    def _indented(self, at: int) -> tuple[int, list[str]]:
        """Where the indented part behind a line ends, and its lines."""
        margin = len(self.source[at]) - len(self.source[at].lstrip())
        end = at + 1
        while end < len(self.source):
            line = self.source[end]
            if line.strip() and len(line) - len(line.lstrip()) <= margin:
                break
            end += 1
        return end, self.source[at + 1 : end]

    def _listed(self, at: int, body: list[str]) -> None:
        rows: list[list[tuple[str, int]]] = []
        for index, line in enumerate(body):
            number, stripped = self.lines[at + 1 + index], line.strip()
            if stripped.startswith("* -"):
                rows.append([(self._inline(stripped[3:].strip()), number)])
            elif (stripped == "-" or stripped.startswith("- ")) and rows:
                rows[-1].append((self._inline(stripped[2:].strip()), number))
        if rows:
            self.into.add_table(rows[0], rows[1:])

    def _captioned(self, at: int, caption: str) -> None:
        self.into.add(self._inline(caption), self.lines[at : at + 1])

    def _separated(self, at: int, body: list[str]) -> None:
        """A csv-table: rows of values between commas, their header in an option or in the first of them."""
        rows: list[list[tuple[str, int]]] = []
        header: list[tuple[str, int]] = []
        headed = 0
        for index, line in enumerate(body):
            number, option = self.lines[at + 1 + index], _OPTION.match(line)
            if option is None and line.strip():
                rows.append(self._values(line, number))
            elif option is not None and option[1] == "header":
                header = self._values(option[2], number)
            elif option is not None and option[1] == "header-rows" and option[2].strip().isdigit():
                headed = min(int(option[2]), 1)
        if headed and rows and not header:
            header = rows.pop(0)
        if rows:
            self.into.add_table(header, rows)

    def _values(self, line: str, number: int) -> list[tuple[str, int]]:
        return [
            (self._inline(cell.strip()), number)
            for cell in next(csv.reader([line.strip()], skipinitialspace=True), [])
        ]

    def _grid(self, at: int) -> int:
        rows: list[list[tuple[str, int]]] = []
        begun = True
        while at < len(self.source) and self.source[at].strip()[:1] in ("+", "|"):
            line = self.source[at].strip()
            if line.startswith("+"):
                begun = True
            else:
                parts = [part.strip() for part in line.strip("|").split("|")]
                if begun or len(parts) != len(rows[-1]):
                    rows.append([(part, self.lines[at]) for part in parts])
                else:
                    rows[-1] = [
                        (f"{old} {part}".strip(), number)
                        for (old, number), part in zip(rows[-1], parts, strict=True)
                    ]
                begun = False
            at += 1
        cleaned = [[(self._inline(text), number) for text, number in row] for row in rows]
        if cleaned:
            self.into.add_table(cleaned[0], cleaned[1:])
        return at

    def _simple(self, at: int) -> int:
        rule = self.source[at]
        starts = [found.start() for found in re.finditer(r"=+", rule)]
        rows: list[list[tuple[str, int]]] = []
        at += 1
        while at < len(self.source) and self.source[at].strip():
            line = self.source[at]
            if not _SIMPLE.match(line):
                ends = [*starts[1:], len(line) + 1]
                rows.append(
                    [
                        (self._inline(line[one:end].strip()), self.lines[at])
                        for one, end in zip(starts, ends, strict=True)
                    ]
                )
            at += 1
        if rows:
            self.into.add_table(rows[0], rows[1:])
        return at

    def _flush(self, heading: bool = False) -> None:
        if self.held:
            text = self._inline("\n".join(self.held))
            self.into.add(text, self.lines[self.first : self.first + len(self.held)], heading)
        self.held = []

    def _inline(self, text: str) -> str:
        text = _ROLE.sub(lambda found: f"\\({found[2]}\\)" if found[1] == "math" else found[2], text)
        return plain(_TARGET.sub(r"\1", text))
