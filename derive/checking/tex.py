"""LaTeX sources into blocks: paragraphs, headings, items and tabulars."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.checking import listings
from derive.checking.blocks import Document
from derive.checking.inline import plain
from derive.checking.latex import THOUSANDS
from derive.checking.macros import expanded

_COMMENT = re.compile(r"(?<!\\)%.*")
_TIE = re.compile(r"(?<!\\)~")
_HEADING = re.compile(
    r"\s*\\(?:part|chapter|(?:sub){0,2}section|paragraph|frametitle)\*?\s*(?:\[[^\]]*\])?\{(.*)\}"
)
_BEGIN = re.compile(r"\\begin\{(\w+\*?)\}")
_TABULAR = {"tabular", "tabular*", "tabularx", "longtable", "tabulary", "array"}
_VERBATIM = {
    "verbatim",
    "lstlisting",
    "minted",
    "Verbatim",
    "verbatim*",
    "tikzpicture",
    "filecontents",
    "comment",
}
_DISPLAY = {
    "equation",
    "equation*",
    "align",
    "align*",
    "gather",
    "gather*",
    "multline",
    "multline*",
    "eqnarray",
    "displaymath",
    "math",
    "flalign",
    "flalign*",
}
_LIST = re.compile(r"\s*\\(?:begin|end)\{(?:itemize|enumerate|description)\*?\}(?:\[[^\]]*\])?\s*")
_ITEM = re.compile(r"^\s*\\item\b\s*(?:\[([^\]]*)\])?\s*")
_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\}|cmidrule(?:\([^)]*\))?\{[^}]*\}|endhead|endfirsthead)"
)
_SETS_OFF = re.compile(r"\\(?:hline|midrule|cmidrule)")
_ENDS_HEADER = re.compile(r"\\(?:hline|midrule)")
_MULTI = re.compile(r"\\multi(?P<way>column|row)\{(?P<many>[^}]*)\}\{[^}]*\}\{(?P<text>[^{}]*)\}")
_SPANNED, _WIDEST, _HEADS = "\x04", 40, 3
_SPLIT = re.compile(r"(?<!\\)&")


def read(text: str, lines: Sequence[int], into: Document) -> None:
    """Append the blocks of a LaTeX source."""
    text = THOUSANDS.sub(",", _TIE.sub(" ", text))
    bare = "\n".join(_COMMENT.sub("", line) if "%" in line else line for line in text.split("\n"))
    source = expanded(bare).split("\n")
    held: list[str] = []
    first = at = next(
        (n + 1 for n, line in enumerate(source) if "\\begin{document}" in line), 0
    )  # no preamble

    def flush() -> None:
        nonlocal held
        if held:
            into.add(plain("\n".join(held), markup=False), lines[first : first + len(held)])
        held = []

    while at < len(source):
        line = source[at]
        heading = _HEADING.match(line) if "\\" in line else None
        begun = _BEGIN.search(line) if "\\begin" in line else None
        name = begun[1] if begun else ""
        if name in _TABULAR or name in _VERBATIM or name in _DISPLAY:
            flush()
            end = _end(source, at, name)
            body = source[at : end + 1]
            if name == "verbatim":
                listings.add(body[1:-1], lines[at + 1 : end], into)
            elif name in _TABULAR:
                _table(body, lines[at : end + 1], into)
            elif name in _DISPLAY:
                inner = "\n".join(body).replace(f"\\begin{{{name}}}", "").replace(f"\\end{{{name}}}", "")
                into.add(plain(f"\\[{inner}\\]", markup=False), lines[at : end + 1])
            at = end + 1
            continue
        if heading:
            flush()
            into.add(plain(heading[1], markup=False), (lines[at],), heading=True)
        elif not line.strip() or _LIST.fullmatch(line):
            flush()
        else:
            if line.lstrip().startswith("\\item"):
                flush()
                line = _ITEM.sub(r"  \1 ", line)
            if not held:
                first = at
            held.append(line)
        at += 1
    flush()


def _end(source: list[str], at: int, name: str) -> int:
    closing = f"\\end{{{name}}}"
    for index in range(at, len(source)):
        if closing in source[index]:
            return index
    return len(source) - 1


def _table(body: list[str], lines: Sequence[int], into: Document) -> None:
    """The rows of a tabular; the first is its header."""
    rows: list[list[tuple[str, int]]] = []
    row: list[str] = []
    begun = -1
    ruled: list[int] = []
    heads = 0
    for line, number in zip(body, lines, strict=True):
        if _SETS_OFF.search(line) and rows:
            ruled.append(len(rows) - 1)
            heads = heads or (len(rows) if _ENDS_HEADER.search(line) else 0)
        line = re.sub(
            r"\\begin\{\w+\*?\}(?:\[[^\]]*\])?(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*|\\end\{\w+\*?\}", "", line
        )
        line = _MULTI.sub(_spread, _RULES.sub("", line))
        for index, piece in enumerate(line.split("\\\\")):
            if index and row:
                rows.append(
                    [(plain(cell, markup=False).strip(), begun) for cell in _SPLIT.split(" ".join(row))]
                )
                row = []
            if piece.strip():
                if not row:
                    begun = number
                row.append(piece)
    if row:
        rows.append([(plain(cell, markup=False).strip(), begun) for cell in _SPLIT.split(" ".join(row))])
    rows, fewer = _under_one_header(rows, heads)
    ruled = [one - fewer for one in ruled]
    if rows:
        last = len(rows) - 2
        few = (
            ruled.count(last) > 0 and len([one for one in ruled if 0 < one < last]) < 2
        )  # no rule under every row
        into.add_table(rows[0], rows[1:], (last,) if few and last > 1 else ())


def _spread(found: re.Match[str]) -> str:
    """A cell over several columns, with a mark in each of the others."""
    many = found["many"].strip()
    wide = min(int(many), _WIDEST) if found["way"] == "column" and many.isdigit() else 1
    return found["text"] + f" & {_SPANNED}" * (wide - 1)


def _under_one_header(
    rows: list[list[tuple[str, int]]], heads: int
) -> tuple[list[list[tuple[str, int]]], int]:
    """The rows with headings in several rows joined to one, and by how many rows they are fewer.

    heads: how many rows stand over the first rule. A heading over several columns stands in each of them.
    """
    width = max((len(row) for row in rows[:heads]), default=0)
    joins = 1 < heads <= _HEADS and not any(
        re.fullmatch(r"[~≈]?\d[\d.,]*", text) for row in rows[:heads] for text, _ in row
    )
    if joins:
        joined: list[tuple[str, int]] = []
        for at in range(width):
            told = [_heading(row, at) for row in rows[:heads]]
            joined.append((" ".join(one for one in told if one), rows[heads - 1][0][1]))
        rows = [joined, *rows[heads:]]
    cleared = [[("" if text == _SPANNED else text, line) for text, line in row] for row in rows]
    return cleared, heads - 1 if joins else 0


def _heading(row: list[tuple[str, int]], at: int) -> str:
    """The heading of a column in one of several rows, which may stand in a cell to the left of it."""
    while 0 < at < len(row) and row[at][0] == _SPANNED:
        at -= 1
    return row[at][0] if at < len(row) and row[at][0] != _SPANNED else ""
