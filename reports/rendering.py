"""From views to text, through Jinja templates that hold layout only."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from derive.errors import DeriveError
from derive.suggest import nearest
from reports import html, markup
from reports.bookview import Book
from reports.columns import columns, grid_columns
from reports.view import DerivationView, Document

_TEMPLATES = Path(__file__).parent / "templates"
_FAILURES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What an expression of a reader's own template may raise."""


@dataclass(frozen=True)
class _Format:
    """A template with its filters and, where braces mean something else, its own delimiters."""

    template: str
    filters: Mapping[str, Callable[..., object]]
    delimiters: dict[str, str] = field(default_factory=dict)


_FORMATS = {
    "md": _Format(
        "document.md.jinja",
        {
            "text": markup.markdown_text,
            "math": markup.markdown_math,
            "display": markup.markdown_display,
            "entry": markup.markdown_entry,
            "link": markup.markdown_link,
            "rich": markup.markdown_rich,
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
            "place": markup.tex_place,
            "columns": columns,
            "grid_columns": grid_columns,
            "rich": markup.tex_rich,
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


def render_document(
    document: Document, format: str, site: Sequence[Document] = (), templates: str | Path | None = None
) -> str:
    """A document in a format. site: all documents that are written, where pages lead to one another.

    templates: a folder whose templates stand in for ours. Raises DeriveError for an
    error in one of them.
    """
    template = _FORMATS[check_format(format)].template
    return _laid_out(format, template, templates, document=document, site=site)


def render_index(
    site: Sequence[Document], book: Book | None = None, templates: str | Path | None = None
) -> str:
    """The HTML page that leads to all others; of a book it holds what stands around the chapters.

    Errors are those of `render_document`.
    """
    return _laid_out("html", "index.html.jinja", templates, site=site, book=book)


def render_book(book: Book, format: str, templates: str | Path | None = None) -> str:
    """A whole book as LaTeX; as Markdown what stands around its chapters. Errors are those of `render_document`."""
    template = {"md": "index.md.jinja", "tex": "book.tex.jinja"}[format]
    return _laid_out(format, template, templates, book=book)


def _laid_out(format: str, template: str, templates: str | Path | None, **views: object) -> str:
    environment = _environment(format, None if templates is None else str(templates))
    try:
        text = environment.get_template(template).render(**views)
    except jinja2.TemplateError as error:
        raise DeriveError(_told(error)) from error
    except _FAILURES as error:
        if templates is None:
            raise
        raise DeriveError(f"{templates}: {type(error).__name__}: {' '.join(str(error).split())}") from error
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _told(error: jinja2.TemplateError) -> str:
    """A template's error in one line, with the file where it was found."""
    where = ""
    if isinstance(error, jinja2.TemplateSyntaxError):
        where = f"{error.filename or error.name}:{error.lineno}: "
    elif isinstance(error, jinja2.TemplateNotFound):
        return f"no template {error.name}: ours are {', '.join(sorted(one.name for one in _TEMPLATES.glob('*.jinja')))}"
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.endswith(".jinja")]
    if not where and frames:
        where = f"{frames[-1].filename}:{frames[-1].lineno}: "
    return f"{where}{' '.join(str(error).split())}"


@cache
def _environment(name: str, templates: str | None) -> jinja2.Environment:
    """The environment of a format; with templates of the reader's own a sandbox, in which ours are below derive/."""
    chosen = _FORMATS[name]
    options: dict[str, Any] = {
        "undefined": jinja2.StrictUndefined,
        "autoescape": False,  # each format escapes by its own filters
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
        **chosen.delimiters,
    }
    ours = jinja2.FileSystemLoader(_TEMPLATES)
    environment: jinja2.Environment
    if templates is None:
        environment = jinja2.Environment(loader=ours, **options)
    else:
        loaders = [jinja2.FileSystemLoader(templates), ours, jinja2.PrefixLoader({"derive": ours})]
        environment = ImmutableSandboxedEnvironment(loader=jinja2.ChoiceLoader(loaders), **options)
    environment.filters.update(chosen.filters)

    def section(view: DerivationView, mark: str) -> str:
        return environment.get_template(f"derivation.{name}.jinja").render(view=view, mark=mark)

    environment.globals["section"] = section
    return environment
