"""From targets to files: each document rendered, and each file written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from derive.derivation import Derivation
from derive.errors import DeriveError
from reports.book import book
from reports.bookview import Book
from reports.building import Builder, refuse_unused
from reports.comparing import Compare, compared
from reports.options import Options, builders
from reports.pdf import check_engine, compiled
from reports.planning import Plan, Plans, Target, plans
from reports.quantities import rounded_to
from reports.rendering import FORMATS, check_format, render_book, render_document, render_index
from reports.view import Document

Progress = Callable[[int, int, str], None]

WRITTEN: tuple[str, ...] = (*FORMATS, "pdf")
"""The formats of files; a PDF is compiled from LaTeX."""
_BOOK = "book"


def write(
    targets: Iterable[Target],
    formats: Iterable[str],
    out: str | Path,
    *,
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
    **options: Unpack[Options],
) -> list[Path]:
    """Write a document for each target in each format into the folder `out`; the paths written, in order.

    targets: ids, names of chapters, derivations; "all", which is the book of the
    catalogue, or the folder of a book of one's own. A book is an index and a file for
    each chapter in Markdown and HTML, and one file in LaTeX and PDF. formats: of
    `WRITTEN`. Figures are files of their own beside Markdown and LaTeX. progress is called
    with (documents begun, documents in all, name), note with what was left out and why.

    Every document is rendered before the first is written, and each file appears
    whole. Raises DeriveError for an unknown target, format, letter, convention,
    machine or model, for a value of the wrong unit, for a folder that cannot be
    written, and for a PDF where there is no pdflatex.
    """
    wanted = [_checked(name) for name in dict.fromkeys(formats)]
    planned = plans(targets)
    if not planned.documents or not wanted:
        raise DeriveError("nothing to report: give at least one id, chapter or 'all', and one format")
    with rounded_to(options.get("digits")):
        made = _build(planned, options, progress, figures=True)
        contents = {
            name: text
            for format in wanted
            for name, text in _files(made, format, options.get("templates")).items()
        }
    folder = _folder(Path(out))
    missing = ", ".join(dict.fromkeys(one.left_out for one in made.documents if one.left_out))
    if note is not None and missing:
        note(missing)
    order = [document.name for document in made.documents]
    names = sorted(contents, key=lambda name: _place(name, order, wanted))
    return [_write_whole(folder / name, contents[name]) for name in names]


def render(target: str | Derivation, format: str, **options: Unpack[Options]) -> str:
    """The document of one derivation (or of the chapter named) as text; figures, which are files, only in HTML.

    Options and errors are those of `write`.
    """
    check_format(format)
    planned = plans([target])
    if planned.book is not None:
        raise DeriveError("'all' is several documents: write them to a folder")
    with rounded_to(options.get("digits")):
        made = _build(planned, options, None, figures=format == "html")
        return render_document(made.documents[0], format, templates=options.get("templates"))


@dataclass(frozen=True)
class _Made:
    """All documents, and the book that some of them make."""

    documents: tuple[Document, ...]
    book: Book | None

    @property
    def apart(self) -> tuple[Document, ...]:
        """The documents that are in no book."""
        return tuple(one for one in self.documents if self.book is None or one not in self.book.chapters)


def _build(planned: Plans, options: Options, progress: Progress | None, *, figures: bool) -> _Made:
    compare, made = options.get("compare"), builders(options, planned, figures=figures)
    documents: list[Document] = []
    for number, plan in enumerate(planned.documents, 1):
        if progress is not None:
            progress(number, len(planned.documents), plan.name)
        documents.append(replace(_document(plan, made, compare), name=plan.name))
    refuse_unused(made)
    if planned.book is None:
        return _Made(tuple(documents), None)
    chapters = [one for one in documents if one.name in planned.book.chapters]
    return _Made(tuple(documents), book(planned.book, chapters, made[0]))


def _document(plan: Plan, made: Sequence[Builder], compare: Compare | None) -> Document:
    if compare is None:
        return (
            made[0].chapter(plan.name, plan.derivations)
            if plan.chapter
            else made[0].single(*plan.derivations)
        )
    if plan.chapter:
        raise DeriveError(f"two choices stand side by side for single formulas: give ids of {plan.name}")
    return compared(plan.derivations[0], compare, made)


def _files(made: _Made, format: str, templates: str | Path | None) -> dict[str, str | bytes]:
    """The files of a format by name, those of figures among them."""
    if format in ("tex", "pdf"):
        sources = {one.name: render_document(one, "tex", templates=templates) for one in made.apart}
        if made.book is not None:
            sources[_BOOK] = render_book(made.book, "tex", templates)
        drawn = _drawn(made.documents, "pdf")
        if format == "tex":
            return {**{f"{name}.tex": source for name, source in sources.items()}, **drawn}
        return {f"{name}.pdf": compiled(source, name, drawn) for name, source in sources.items()}
    found: dict[str, str | bytes] = {
        f"{one.name}.{format}": render_document(one, format, made.documents, templates)
        for one in made.documents
    }
    if format == "md":
        found |= _drawn(made.documents, "svg")
    if format == "md" and made.book is not None:
        found["index.md"] = render_book(made.book, "md", templates)
    if format == "html" and len(made.documents) > 1:
        found["index.html"] = render_index(made.documents, made.book, templates)
    return found


def _drawn(documents: Iterable[Document], format: str) -> dict[str, bytes]:
    """The files of all figures."""
    return {one.file(format): one.data(format) for document in documents for one in document.figures}


def _checked(format: str) -> str:
    """A format of files. Raises DeriveError for an unknown one, and for a PDF without an engine."""
    if format != "pdf":
        return check_format(format)
    check_engine()
    return format


def _place(name: str, order: Sequence[str], formats: Sequence[str]) -> tuple[int, int]:
    """Where a file stands among those written: document by document, the index and the book, and the figures."""
    stem, _, format = name.rpartition(".")
    if format not in formats or "/" in stem:
        return len(order) + 1, 0
    return order.index(stem) if stem in order else len(order), formats.index(format)


def _folder(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DeriveError(f"{out}: cannot make this folder: {error.strerror or error}") from error
    return out


def _write_whole(path: Path, content: str | bytes) -> Path:
    """Write beside the file's place and move it there, so that no reader ever meets a half."""
    _folder(path.parent)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        try:
            with unfinished.open("xb") as file:
                file.write(data)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise DeriveError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path
