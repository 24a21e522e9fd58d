"""Worked-derivation documents: a derivation, its proofs and its numbers, as Markdown, LaTeX, PDF or HTML.

`write` makes files, `render` gives one document's text. All arithmetic happens in
the engine and in the view model (`reports.view`); a template holds layout only.
"""

from __future__ import annotations

from reports.comparing import Compare
from reports.rendering import FORMATS
from reports.writing import WRITTEN, render, write

__all__ = ["FORMATS", "WRITTEN", "Compare", "render", "write"]
