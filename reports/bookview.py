"""The view of a book: what stands before and after its chapters."""

from __future__ import annotations

from dataclasses import dataclass

from reports.view import Count, Document, Formula, Grid, Link, Rich


@dataclass(frozen=True)
class Term:
    """A word or a sign and what it means here."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Trap:
    """A common mistake, the computation that exposes it, what that says, and the formulas behind it."""

    title: str
    about: str
    grid: Grid
    says: Rich
    links: tuple[Link, ...]


@dataclass(frozen=True)
class ConventionEntry:
    """A convention with all its choices, the default, its reason, and the formulas that it bears on."""

    name: str
    decides: str
    choices: tuple[Term, ...]
    default: str
    reason: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class SymbolRow:
    """A letter in one meaning, and the formulas that have it."""

    letter: Formula
    meaning: str
    unit: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class SourceRow:
    """A document that something here comes from, with the day it was looked up where it gave a constant."""

    text: str
    date: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Book:
    """A book. setting: the machine and the model that fill its letters; guide: how to read it; measured: how
    measurements agree with it, where there are any.
    """

    title: str
    about: tuple[str, ...]
    setting: str
    guide: tuple[Term, ...]
    chapters: tuple[Document, ...]
    traps: tuple[Trap, ...]
    conventions: tuple[ConventionEntry, ...]
    symbols: tuple[SymbolRow, ...]
    sources: tuple[SourceRow, ...]
    measured: Grid | None

    @property
    def count(self) -> Count:
        """How many statements are proved, refuted and undecided in all chapters."""
        return sum((chapter.count for chapter in self.chapters), Count(0, 0, 0))
