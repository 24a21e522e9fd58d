"""HTML into blocks with the standard library's parser; scripts, styles and programs are passed over."""

from __future__ import annotations

from html.parser import HTMLParser

from derive.checking import listings
from derive.checking.blocks import Document
from derive.checking.inline import plain
from derive.checking.spans import Spanning, laid_out, merged, span

_BLOCKS = {
    "p", "div", "li", "ul", "ol", "section", "article", "blockquote", "figcaption", "caption", "br", "hr", "dt", "dd",
    "table", "body", "main", "header", "footer", "aside", "figure", "details", "summary", "form", "dl", "nav", "title",
}  # fmt: skip
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_SILENT = {"script", "style", "pre", "svg", "head", "template", "annotation"}


def read(text: str, into: Document) -> None:
    """Append the blocks of an HTML document; a script that holds MathJax source is passed over as well."""
    reader = _Reader(into)
    reader.feed(text)
    reader.close()
    reader.flush()


_INDENT = "  "
"""What stands before an item of a list, as in the other formats."""


class _Reader(HTMLParser):
    def __init__(self, into: Document) -> None:
        super().__init__(convert_charrefs=True)
        self.into = into
        self.parts: list[str] = []
        self.lines: list[int] = []
        self.silent = 0
        self.heading = False
        self.item = False
        self.rows: list[list[Spanning]] | None = None
        self.cell = Spanning("", 0, False)
        self.listing: tuple[list[str], int] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "pre" and not self.silent and self.rows is None:
            self.flush()
            self.listing = [], self.getpos()[0]
        if tag == "code" and self.listing is not None and any(name == "class" for name, _ in attrs):
            self.listing = None  # of a language
        if tag in _SILENT:
            self.silent += tag != "head"
            return
        if self.silent:
            return
        if tag == "table":
            self.flush()
            self.rows, self.cell = [], Spanning("", 0, False)
        elif self.rows is not None and tag == "tr":
            self._take()
            self.rows.append([])
        elif self.rows is not None and tag in ("td", "th"):
            self._take()
            spans = dict(attrs)
            across, down = span(spans.get("colspan")), span(spans.get("rowspan"))
            self.cell = Spanning("", 0, tag == "th", across, down)
        elif tag in _HEADINGS:
            self.flush()
            self.heading = True
        elif tag in _BLOCKS and self.rows is None:
            self.flush()
            self.item = tag == "li"
        elif tag == "sup":
            self._say("^(")
        elif tag == "sub":
            self._say("_")

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre" and self.listing is not None:
            parts, first = self.listing
            source = "".join(parts).split("\n")
            listings.add(source, range(first, first + len(source)), self.into)
            self.listing = None
        if tag in _SILENT:
            self.silent = max(0, self.silent - (tag != "head"))
            return
        if self.silent:
            return
        if tag == "caption" and not self.rows:
            self.flush()
        if tag == "table" and self.rows is not None:
            self._take()
            rows = [row for row in self.rows if row]
            self.rows = None
            if rows:
                made, headings = laid_out(rows)
                headed = rows[0][0].heading or len(rows) > 1
                many = max(headings, 1) if headed else 0
                self.into.add_table(merged(made[:many]), made[many:])
        elif self.rows is not None and tag in ("td", "th", "tr"):
            self._take(cell=tag != "tr")
        elif tag in _HEADINGS or (tag in _BLOCKS and self.rows is None):
            self.flush()
        elif tag == "sup":
            self._say(")")

    def handle_data(self, data: str) -> None:
        if self.listing is not None:
            self.listing[0].append(data)
        if self.silent:
            return
        line = self.getpos()[0]
        for index, piece in enumerate(data.split("\n")):
            if index:
                self.parts.append("\n")
            if not self.parts or index:
                self.lines.append(line + index)
            self.parts.append(piece)

    def _say(self, sign: str) -> None:
        if not self.parts:
            self.lines.append(self.getpos()[0])
        self.parts.append(sign)

    def _take(self, cell: bool = False) -> None:
        """What was read since the last cell becomes a cell."""
        text = " ".join("".join(self.parts).split())
        line = self.lines[0] if self.lines else self.getpos()[0]
        self.parts, self.lines = [], []
        if self.rows and (cell or text):
            self.rows[-1].append(self.cell._replace(text=plain(_escaped(text)), line=line))
        self.cell = Spanning("", 0, False)

    def flush(self) -> None:
        """End the block at hand."""
        text = "".join(self.parts)
        if text.strip():
            told = plain(_escaped(text))
            told = f"{_INDENT}{told.lstrip(' ')}" if self.item else told
            self.into.add(told, tuple(self.lines), self.heading)
            self.item = False
        self.parts, self.lines, self.heading = [], [], False


def _escaped(text: str) -> str:
    """Signs that the parser has already resolved must not be read as markup again."""
    return text.replace("<", " < ") if "<" in text else text
