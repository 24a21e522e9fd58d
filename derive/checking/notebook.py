"""Jupyter notebooks into blocks: the Markdown cells, with the physical lines of the JSON."""

from __future__ import annotations

import json
from typing import Any

from derive.checking import markdown
from derive.checking.blocks import Document
from derive.errors import DeriveError

_CELLS = 20_000


def read(text: str, name: str, into: Document) -> None:
    """Append the blocks of a notebook's Markdown cells. Raises DeriveError for what is no notebook."""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise DeriveError(f"{name}: no notebook: its JSON cannot be read{where}") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise DeriveError(f'{name}: no notebook: it has no list "cells"; notebooks of format 4 are read')
    if len(cells) > _CELLS:
        raise DeriveError(f"{name}: more than {_CELLS} cells: split the notebook")
    finder = _Finder(text)
    for number, cell in enumerate(cells):
        if isinstance(cell, dict) and cell.get("cell_type") == "markdown":
            pieces = _pieces(cell.get("source"))
            lines = [line for piece in pieces for line in finder.lines(piece)]
            body = "".join(pieces)
            count = body.count("\n") + 1
            into.cell = number
            markdown.read(body, (lines + lines[-1:] * count)[:count] if lines else [1] * count, into)
    into.cell = None


def _pieces(source: Any) -> list[str]:
    if isinstance(source, str):
        return [source]
    return [piece for piece in source if isinstance(piece, str)] if isinstance(source, list) else []


class _Finder:
    """Finds the strings of a JSON text in their order."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1

    def lines(self, piece: str) -> list[int]:
        """The physical line of each line that begins in a string."""
        for ascii_only in (False, True):
            found = self.text.find(json.dumps(piece, ensure_ascii=ascii_only), self.at)
            if found >= 0:
                self.line += self.text.count("\n", self.at, found)
                self.at = found
                break
        begun = piece.count("\n") + (not piece.endswith("\n"))
        return [self.line] * begun
