"""A file as a document: bounded in size, never executed, nothing fetched."""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.checking import markdown, markup, notebook, plaintext, tex
from derive.checking.blocks import Document
from derive.errors import DeriveError

LARGEST = 16 * 1024 * 1024
"""The largest file that is read, in bytes."""

_FORMATS = {
    ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown", ".qmd": "markdown", ".mkd": "markdown",
    ".rmd": "markdown", ".tex": "latex", ".ltx": "latex", ".html": "html", ".htm": "html", ".xhtml": "html",
    ".ipynb": "notebook",
    ".rst": "rst", ".txt": "text", ".text": "text", ".toml": "figures", "": "text",
}  # fmt: skip
_SWITCH = re.compile(r"(?:<!--|%|\.\.|#)\s*derive:\s*(off|on)\b")


@dataclass(frozen=True)
class Source:
    """A file's text, its format and the lines on which checking is switched off."""

    name: str
    text: str
    format: str

    def off(self) -> list[tuple[int, int]]:
        """The ranges of lines switched off, both ends included."""
        if "derive:" not in self.text:
            return []
        found: list[tuple[int, int]] = []
        begun = 0
        for number, line in enumerate(self.text.split("\n"), 1):
            for switch in _SWITCH.findall(line):
                if switch == "off" and not begun:
                    begun = number
                elif switch == "on" and begun:
                    found.append((begun, number))
                    begun = 0
        return [*found, (begun, 10**9)] if begun else found


def open_source(path: str | Path) -> Source:
    """Read a file. Raises DeriveError for what is no readable text of a known format, with one line that says why."""
    file = Path(path)
    name = str(path)
    form = _FORMATS.get(file.suffix.lower())
    try:
        status = file.stat()
    except (OSError, ValueError) as error:
        raise DeriveError(f"{name}: {getattr(error, 'strerror', None) or 'no such file'}") from None
    if stat.S_ISDIR(status.st_mode):
        raise DeriveError(f"{name}: is a directory: give its files, such as {name.rstrip('/')}/*.md")
    if not stat.S_ISREG(status.st_mode):
        raise DeriveError(f"{name}: is no regular file")
    if form is None:
        raise DeriveError(
            f"{name}: unknown kind of document {file.suffix!r}: one of {', '.join(filter(None, _FORMATS))}"
        )
    if status.st_size > LARGEST:
        raise DeriveError(
            f"{name}: {status.st_size / 2**20:.0f} MiB are more than the {LARGEST // 2**20} MiB that are read: split it"
        )
    with file.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if b"\0" in data:
        raise DeriveError(f"{name}: is binary, no text")
    return Source(name, decoded(data), form)


def decoded(data: bytes) -> str:
    """Bytes as text: UTF-8, broken places replaced; line ends as \\n."""
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def document(source: Source) -> Document:
    """The blocks and tables of a source."""
    into = Document()
    text = source.text
    lines: Sequence[int] = range(1, text.count("\n") + 2)
    if source.format == "markdown":
        markdown.read(text, lines, into)
    elif source.format == "latex":
        tex.read(text, lines, into)
    elif source.format == "html":
        markup.read(text, into)
    elif source.format == "notebook":
        notebook.read(text, source.name, into)
    elif source.format == "rst":
        plaintext.read_rst(text, lines, into)
    else:
        plaintext.read(text, lines, into)
    return into
