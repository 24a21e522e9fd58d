"""From targets to plans: which documents are wanted, what each holds, and which of them make a book."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from derive import catalogue
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.textfile import read_text

Target = str | Path | Derivation

BOOK_FILE = "book.toml"
TITLE = "The arithmetic of AI systems"
ABOUT = (
    "What a model costs in operations, bytes and seconds, derived from a few sentences about matrices and memory.",
    "Every formula here is built in steps, and a machine has proved each of them. Every number is computed from "
    "sourced constants when the book is made; none was typed in.",
)
_BYTES, _MOST, _TEXT = 2**16, 200, 2000


@dataclass(frozen=True)
class Plan:
    """One document to come: its file's name without the ending, and what it holds."""

    name: str
    derivations: tuple[Derivation, ...]
    chapter: bool


@dataclass(frozen=True)
class BookPlan:
    """A book to come: its title, what it is about, the names of its chapters, and whether it is the catalogue's."""

    title: str
    about: tuple[str, ...]
    chapters: tuple[str, ...]
    own: bool


@dataclass(frozen=True)
class Plans:
    """All documents to come, each name once, and the book that some of them make."""

    documents: tuple[Plan, ...]
    book: BookPlan | None = None

    @property
    def shelf(self) -> dict[str, str]:
        """The document in which each derivation stands."""
        return {one.id: plan.name for plan in self.documents for one in plan.derivations if one.id}


@dataclass
class _Gathered:
    documents: dict[str, Plan] = field(default_factory=dict)
    book: BookPlan | None = None


def plans(targets: Iterable[Target]) -> Plans:
    """The plans of targets: ids, names of chapters, "all", derivations, and folders that hold a book.

    Raises DeriveError for an unknown one, for a folder without a readable book.toml,
    and for two books.
    """
    found = _Gathered()
    for target in targets:
        made = _plans_of(target)
        for plan in made.documents:
            found.documents.setdefault(plan.name, plan)
        if made.book is not None:
            if found.book not in (None, made.book):
                raise DeriveError("two books are asked for: write each to a folder of its own")
            found.book = made.book
    return Plans(tuple(found.documents.values()), found.book)


def _plans_of(target: Target) -> Plans:
    if isinstance(target, Derivation):
        return Plans((Plan(target.id or _slug(target.title), (target,), chapter=False),))
    if isinstance(target, Path):
        return _folder(target)
    if target == "all":
        chapters = tuple(catalogue.chapters())
        return Plans(tuple(map(_chapter, chapters)), BookPlan(TITLE, ABOUT, chapters, own=True))
    if "." in target:
        return Plans((Plan(target, (catalogue.get(target),), chapter=False),))
    return Plans((_chapter(target),))


def _chapter(name: str) -> Plan:
    return Plan(name, tuple(catalogue.chapter(name).values()), chapter=True)


def _folder(folder: Path) -> Plans:
    """The book of a folder: book.toml has title, about and the chapters' files in their order."""
    file = folder / BOOK_FILE
    found = _read(file)
    for key in found:
        if key not in ("title", "about", "chapters"):
            raise DeriveError(f"{file}: unknown key {key[:40]!r}: one of title, about, chapters")
    title, about = (_text(found.get(key, ""), file) for key in ("title", "about"))
    files = found.get("chapters")
    if not (
        isinstance(files, list) and 0 < len(files) <= _MOST and all(isinstance(one, str) for one in files)
    ):
        raise DeriveError(f'{file}: chapters is no list of files: give chapters = ["first.py", "second.py"]')
    names = []
    for name in files:
        if Path(name).name != name or not name.endswith(".py"):
            raise DeriveError(f"{file}: {name[:80]!r} is no Python file of this folder: give its name alone")
        catalogue.load_file(folder / name)
        names.append(Path(name).stem)
    if len(set(names)) != len(names):
        raise DeriveError(f"{file}: a chapter stands there twice: give each once")
    paragraphs = tuple(" ".join(part.split()) for part in about.split("\n\n") if part.strip())
    book = BookPlan(" ".join(title.split()) or folder.name, paragraphs, tuple(names), own=False)
    return Plans(tuple(map(_chapter, names)), book)


def _text(found: object, file: Path) -> str:
    if not isinstance(found, str) or len(found) > _TEXT:
        raise DeriveError(f'{file}: title and about are texts: give title = "…", about = "…"')
    return found


def _read(file: Path) -> dict[str, Any]:
    due = f"title, about and chapters there: a book of one's own is a folder with a {BOOK_FILE}"
    text = read_text(file, due, _BYTES)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise DeriveError(f"{file}: is no TOML: {' '.join(str(error).split())[:120]}") from error


def _slug(title: str) -> str:
    """A file name for a derivation that no file or chapter has named."""
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in title.lower()).split()
    return "-".join(words)[:80] or "derivation"
