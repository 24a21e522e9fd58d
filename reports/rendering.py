"""From views to text, through Jinja templates that hold layout only."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from derive.errors import DeriveError
from derive.suggest import nearest
from reports import html, markup
from reports.columns import columns, grid_columns
from reports.view import Document, Rich

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class _Format:
    """A template with its filters and, where braces mean something else, its own delimiters."""

    template: str
    filters: dict[str, Callable[..., object]]
    delimiters: dict[str, str] = field(default_factory=dict)


def _markdown_rich(parts: Rich) -> str:
    return markup.rich(
        parts, markup.markdown_text, markup.markdown_math, markup.markdown_strong, markup.markdown_link
    )


def _tex_rich(parts: Rich) -> str:
    return markup.rich(parts, markup.tex_text, markup.tex_math, markup.tex_strong, markup.tex_link)


_FORMATS = {
    "md": _Format(
        "document.md.jinja",
        {
            "text": markup.markdown_text,
            "math": markup.markdown_math,
            "display": markup.markdown_display,
            "entry": markup.markdown_entry,
            "link": markup.markdown_link,
            "rich": _markdown_rich,
        },
    ),
    "tex": _Format(
        "document.tex.jinja",
        {
            "text": markup.tex_text,
            "title": markup.tex_title,
            "bookmark": markup.tex_bookmark,
            "math": markup.tex_math,
            "entry": markup.tex_entry,
            "link": markup.tex_link,
            "columns": columns,
            "grid_columns": grid_columns,
            "rich": _tex_rich,
        },
        {
            "block_start_string": "<%",
            "block_end_string": "%>",
            "variable_start_string": "<<",
            "variable_end_string": ">>",
            "comment_start_string": "<#",
            "comment_end_string": "#>",
        },
    ),
    "html": _Format("document.html.jinja", html.FILTERS),
}
FORMATS: tuple[str, ...] = tuple(_FORMATS)
"""The formats that a report can have, by the ending of their files."""


def check_format(name: str) -> str:
    """The format's name. Raises DeriveError for one that is not there, naming those that are."""
    if name not in _FORMATS:
        raise DeriveError(
            f"unknown format {name[:40]!r}{nearest(name, FORMATS)}: one of {', '.join(FORMATS)}"
        )
    return name


def render_document(document: Document, format: str, site: Sequence[Document] = ()) -> str:
    """A document in a format. site: all documents that are written, where pages lead to one another."""
    return _laid_out(format, _FORMATS[check_format(format)].template, document=document, site=site)


def render_index(site: Sequence[Document]) -> str:
    """The HTML page that leads to all others."""
    return _laid_out("html", "index.html.jinja", site=site)


def _laid_out(format: str, template: str, **views: object) -> str:
    text = _environment(format).get_template(template).render(**views)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def _environment(name: str) -> jinja2.Environment:
    chosen = _FORMATS[name]
    options: dict[str, Any] = {
        "loader": jinja2.FileSystemLoader(_TEMPLATES),
        "undefined": jinja2.StrictUndefined,
        "autoescape": False,  # each format escapes by its own filters
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
        **chosen.delimiters,
    }
    environment = jinja2.Environment(**options)
    environment.filters.update(chosen.filters)
    return environment
