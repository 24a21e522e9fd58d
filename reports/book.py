"""A book from its chapters: guide, traps, conventions, index of symbols and sources around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from derive import catalogue
from derive.conventions import CONVENTIONS
from derive.errors import DeriveError
from derive.result import Evaluation
from derive.symbols import Letter
from reports.bookview import Book, ConventionEntry, SourceRow, SymbolRow, Term, Trap
from reports.building import Builder
from reports.grids import grid
from reports.latex import letter_latex
from reports.measured import summary_grid
from reports.planning import BookPlan
from reports.quantities import amount, asked_digits, unit_text
from reports.traps import Mistake, mistakes
from reports.view import DerivationView, Document, Formula, Link, Rich
from reports.worked import bare

_GUIDE = (
    Term(
        "Proved",
        "A machine has shown the statement for all values of its letters: both sides have the same normal form, "
        "or their difference has one sign, or the limit exists and is this one. The reason stands behind the verdict.",
    ),
    Term("Refuted", "The statement is false, and the verdict gives values at which it fails."),
    Term(
        "Undecided",
        "Neither was found. Agreement at sample points is never called a proof, so that an undecided statement "
        "counts as one that does not hold.",
    ),
    Term("=", "Equal, by algebra or because a value is put for a letter."),
    Term(
        "≈ between formulas",
        "Approximately equal, with a proved bound on the relative error and the region of the bound.",
    ),
    Term("≈ before a number", "Digits were dropped. A number behind = is exact."),
    Term("→", "A limit: what the left side tends to."),
    Term("≤ and ≥", "Inequalities between formulas, proved for all values in the region named."),
    Term(
        "Units",
        "Every line was checked for units. Prefixes are powers of ten: 1 GB is 10⁹ bytes, and 1 GiB is 2³⁰ bytes. "
        "A byte never turns into bits by itself.",
    ),
    Term(
        "Rounding",
        "Exact values are rounded half to even where they are printed, and only there (IEEE 754-2019, 4.3.1). Whole "
        "numbers of things that are counted are printed in full.",
    ),
    Term(
        "Values",
        "A letter has its value from the machine or the model that the book was made for, from a convention, from "
        "another formula, or else from the first example of its formula. The tables of symbols say which.",
    ),
)


def book(plan: BookPlan, chapters: Sequence[Document], builder: Builder) -> Book:
    """The book of these chapters. builder: the one that built them.

    Raises DeriveError where a trap's table cannot be computed.
    """
    views = [view for chapter in chapters for view in chapter.sections]
    where = {view.id: _link(view.id, builder.shelf) for view in views}
    traps = tuple(_traps(builder)) if plan.own else ()
    return Book(
        plan.title,
        plan.about,
        _setting(builder),
        _GUIDE,
        tuple(chapters),
        traps,
        tuple(_conventions(views, where)),
        tuple(_symbols(views, where)),
        tuple(_sources(chapters, where)),
        summary_grid(builder.measured, builder.shelf),
    )


def _link(id: str, shelf: Mapping[str, str]) -> Link:
    return Link(id, id, shelf.get(id, ""))


def _setting(builder: Builder) -> str:
    """What fills the letters, in a sentence."""
    machine, model = builder.asking.machine, builder.asking.network
    named = [f"on {machine.title}"] if machine is not None else []
    named += [f"for {model.title}"] if model is not None else []
    if not named:
        return "The calculations take the values of each formula's first example."
    rest = "what that leaves open comes from each formula's first example"
    return f"The calculations are worked out {' and '.join(named)}; {rest}."


def _traps(builder: Builder) -> Iterator[Trap]:
    """The traps; one that the numbers of a reader's own machine do not show is left out."""
    for mistake in mistakes(builder.setting.hardware):
        try:
            yield _trap(mistake, builder)
        except DeriveError:
            if builder.setting.hardware is None:
                raise


def _trap(mistake: Mistake, builder: Builder) -> Trap:
    extra = builder.setting.hardware
    cells = mistake.table.cells(extra)
    above, below = (_in_unit(cells[row][column].evaluation, mistake, column) for row, column in mistake.cells)
    before, _, after = mistake.says.partition("{factor}")
    says: Rich = (before, bare(amount(above / below, "dimensionless", asked_digits() or 3)), after)
    if mistake.ask is not None:
        says = (*says, f" {mistake.ask.refusal(extra)}.")
    ids = dict.fromkeys(column.id for column in mistake.table.columns)
    links = tuple(_link(id, builder.shelf) for id in ids)
    return Trap(mistake.title, mistake.about, grid(mistake.table, extra), says, links)


def _in_unit(found: Evaluation | None, mistake: Mistake, column: int) -> Fraction:
    """The number that stands in a cell, unrounded."""
    if found is None:
        raise ValueError(f"{mistake.title}: the cells that it compares hold evaluations")
    return found.exact(mistake.table.columns[column].unit)


def _conventions(views: Iterable[DerivationView], where: Mapping[str, Link]) -> Iterator[ConventionEntry]:
    """The conventions that bear on a formula of the book."""
    bearing: dict[str, list[Link]] = {name: [] for name in CONVENTIONS}
    for view in views:
        for row in view.conventions:
            bearing[row.name].append(where[view.id])
    for name, links in bearing.items():
        if links:
            known = CONVENTIONS[name]
            choices = tuple(Term(choice, says) for choice, says in known.choices.items())
            yield ConventionEntry(name, known.decides, choices, known.default, known.reason, tuple(links))


def _symbols(views: Iterable[DerivationView], where: Mapping[str, Link]) -> Iterator[SymbolRow]:
    """Every letter in every meaning, by name."""
    found: dict[tuple[str, str, str], list[Link]] = {}
    for view in views:
        letters: list[Letter] = catalogue.get(view.id).all_letters
        for letter in letters:
            found.setdefault((letter.name, letter.meaning, letter.unit), []).append(where[view.id])
    for (name, meaning, unit), links in sorted(found.items(), key=lambda item: (item[0][0].lower(), item[0])):
        yield SymbolRow(Formula(letter_latex(name)), meaning, unit_text(unit), tuple(links))


def _sources(chapters: Iterable[Document], where: Mapping[str, Link]) -> Iterator[SourceRow]:
    """Every document that a formula names or a constant comes from, by title."""
    found: dict[tuple[str, str], list[Link]] = {}
    for chapter in chapters:
        for view in chapter.sections:
            for row in view.constants:
                found.setdefault((row.document, row.date), []).append(where[view.id])
            for source in view.sources:
                found.setdefault((source, ""), []).append(where[view.id])
        for table in chapter.tables:
            for document, date in table.cited:
                found.setdefault((document, date), [])
    for (text, date), links in sorted(found.items(), key=lambda item: (item[0][0].lower(), item[0])):
        yield SourceRow(text, date, tuple(dict.fromkeys(links)))
