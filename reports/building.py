"""From a derivation at the values at hand to the view that a template lays out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from derive import catalogue
from derive import derivation as engine
from derive.computed import Computed
from derive.conventions import CONVENTIONS, Convention
from derive.derivation import Derivation
from derive.entries import Source
from derive.errors import DeriveError
from derive.examples import Example
from derive.filling import Filled
from derive.suggest import nearest
from reports import plots
from reports.chain import chain_views, ledger_views
from reports.facts import check_view, fact_view
from reports.grids import grid
from reports.html_live import live_view
from reports.latex import formula, letter_latex
from reports.lessons import lesson_view
from reports.measured import RATES, MeasuredRow, machine_grid, measured_grid, measured_rows
from reports.point import Asking, Point
from reports.quantities import amount, input_amount, unit_text
from reports.setting import Setting
from reports.view import (
    ConstantRow,
    ConventionRow,
    Count,
    DerivationView,
    Document,
    Equation,
    ExampleRow,
    Formula,
    LetterRow,
    Link,
    Reference,
)
from reports.wording import counted, paragraphs, proof, tidy
from reports.worked import bare, evaluations, inputs_of, is_number, summary, verdict, worked_view

_TIED = "\u00a0"  # a space at which no line ends


class Builder:
    """Builds the documents of one question; each derivation is proved once.

    shelf: the document in which each id stands, for cross-references. figures: whether
    chapters show figures. letters: the names of all letters met so far. measured: by id
    what was measured beside what is derived.
    """

    def __init__(self, setting: Setting, shelf: Mapping[str, str], *, figures: bool) -> None:
        self.setting = setting
        self.figures = figures
        self.shelf = shelf
        self.asking = Asking(setting)
        self._links: dict[int, list[engine.Link]] = {}
        self.letters: set[str] = set()
        self.measured: dict[str, tuple[MeasuredRow, ...]] = {}

    def single(self, derivation: Derivation) -> Document:
        """A document of one derivation; the docstring of a user's file with a single formula introduces it."""
        view = self._view(derivation, alone=True)
        intro = self._own_introduction(derivation)
        return Document(view.id, view.title, False, intro, (view,), (), view.count)

    def chapter(self, name: str, derivations: Sequence[Derivation]) -> Document:
        """A document of a whole chapter, introduced by its docstring."""
        views = tuple(self._view(derivation, alone=False) for derivation in derivations)
        first, *rest = paragraphs(catalogue.intro(name)) or (name,)
        total = sum((view.count for view in views), Count(0, 0, 0))
        tables = [grid(table, self.setting.hardware) for table in catalogue.tables(name)]
        if (
            name == RATES
            and (reached := machine_grid(self.setting.measured, self.asking.machine)) is not None
        ):
            tables.append(reached)
        missing = plots.left_out(view.id for view in views) if self.figures else ""
        return Document(
            name, first.rstrip("."), True, tuple(rest), views, tuple(tables), total, left_out=missing
        )

    def _own_introduction(self, derivation: Derivation) -> tuple[str, ...]:
        chapter, _, _ = derivation.id.partition(".")
        if not derivation.id or chapter in catalogue.chapters() or len(catalogue.chapter(chapter)) > 1:
            return ()
        return paragraphs(catalogue.intro(chapter))

    def _proved(self, derivation: Derivation) -> list[engine.Link]:
        key = id(derivation)
        if key not in self._links:
            self._links[key] = derivation.verify()
        return self._links[key]

    def _view(self, derivation: Derivation, *, alone: bool) -> DerivationView:
        point = self.asking.point(derivation, alone=alone)
        measured = measured_rows(derivation, self.setting.measured, self.setting.hardware)
        self.measured[derivation.id] = measured
        form = point.form
        self.letters |= {letter.name for letter in (*derivation.all_letters, *form.all_letters)}
        links = self._proved(form)
        remaining = iter(links)
        checks = [
            check_view(link)
            for link in islice(remaining, len(form.checks) if isinstance(form, Computed) else 0)
        ]
        steps = list(islice(remaining, len(form.steps)))
        facts = [fact_view(fact, next(remaining), point) for fact in form.facts]
        examples = tuple(_example_row(example, next(remaining)) for example in form.examples)
        name = letter_latex(form.letter)
        ledgers = ledger_views(form, point)
        start, chain = chain_views(form, steps, point, self.shelf)
        return DerivationView(
            id=derivation.id,
            title=form.title,
            letter=Formula(name),
            result=None if isinstance(form, Computed) else Equation(name, "=", formula(point.headline)),
            unit=unit_text(form.unit),
            about=(form.about,) if form.about else (),
            form=_form_note(derivation, form, point),
            summary=summary(point, self.asking.machine),
            count=counted([*(table.proof for table in ledgers), *(proof(link.verdict) for link in links)]),
            letters=tuple(self._letter_rows(point)),
            ledgers=ledgers,
            start=start,
            steps=chain,
            facts=(*checks, *facts),
            worked=worked_view(point),
            verdict=verdict(point, self.asking.machine),
            conventions=tuple(self._convention_rows(form, point)),
            examples=examples,
            uses=tuple(self._references(form, point)),
            constants=tuple(_constant_rows(point)),
            sources=form.sources,
            measured=measured_grid(measured),
            live=live_view(point, self.setting),
            lesson=lesson_view(derivation, self.setting, self.shelf) if form is derivation else None,
            figures=() if alone or not self.figures else plots.of(derivation.id, self.setting),
        )

    def _references(self, form: Derivation, point: Point) -> Iterator[Reference]:
        """What a derivation builds on, directly or not, each once: nothing refuted hides behind a use."""
        computed = [inner.derivation for inner in evaluations(point) if inner.derivation.id]
        queue, seen = [*form.uses, *computed], [form]
        while queue:
            used = queue.pop(0)
            if used in seen:
                continue
            seen.append(used)
            queue += used.uses
            links = self._proved(used)
            yield Reference(
                used.id,
                used.title,
                Link(used.id, used.title, self.shelf.get(used.id, "")),
                Formula(f"{letter_latex(used.letter)} = {formula(used.general)}"),
                sum(link.verdict.proved for link in links),
                len(links),
            )

    def _convention_rows(self, form: Derivation, point: Point) -> Iterator[ConventionRow]:
        for name, choice in point.conventions.items():
            convention = CONVENTIONS[name]
            if name in self.setting.conventions:
                reason = "asked for"
            elif convention.flag and self.asking.network is not None:
                reason = f"{self.asking.network.title} is so"
            elif choice != convention.default:
                reason = "the choice that this formula was derived for"
            else:
                reason = convention.reason
            says = "; ".join((convention.choices[choice], *_in_place(convention, point)))
            yield ConventionRow(name, choice, convention.decides, says, reason)

    def _letter_rows(self, point: Point) -> Iterator[LetterRow]:
        """The result, where it is no letter of its own formulas, and every letter with its value and origin."""
        form = point.form
        result, origin = None, ""
        if point.evaluation is not None and is_number(point.evaluation):
            result, origin = bare(amount(point.evaluation.exact(), point.evaluation.unit)), "worked out below"
        if form.letter not in {letter.name for letter in form.all_letters}:
            title = form.title[:1].lower() + form.title[1:]
            yield LetterRow(Formula(letter_latex(form.letter)), title, unit_text(form.unit), result, origin)
        for letter in form.all_letters:
            shown: Formula | None = result if letter.name == form.letter else None
            source: str | Link = origin if letter.name == form.letter else ""
            filled = point.values.get(letter)
            if filled is not None:
                shown, source = bare(input_amount(filled)), self._source(point, filled)
            name = Formula(letter_latex(letter.name))
            yield LetterRow(name, letter.meaning, unit_text(letter.unit), shown, source)

    def _source(self, point: Point, filled: Filled) -> str | Link:
        """Where a letter's value comes from."""
        source = filled.source
        if source == "given" and filled.letter.name in point.from_example:
            return "first example"
        if source == filled.letter.filled_by:
            return Link(source, source, self.shelf.get(source, ""))
        return "put in the chain" if source.startswith("put in ") else source


def refuse_unused(builders: Sequence[Builder]) -> None:
    """Raise DeriveError for a letter or a convention that was given and bears on no document."""
    for name in sorted(set(builders[0].setting.given).difference(*(one.asking.used for one in builders))):
        known = sorted({letter for one in builders for letter in one.letters})
        there = f"there {'is' if len(known) == 1 else 'are'} {', '.join(known)}"
        raise DeriveError(f"no letter {name!r} in what is reported{nearest(name, known)}: {there}")
    asked = set(builders[0].setting.conventions)
    for name in sorted(asked.difference(*(one.asking.conventions for one in builders))):
        raise DeriveError(f"convention {name!r} bears on nothing that is reported: leave it out")


def _in_place(convention: Convention, point: Point) -> Iterator[str]:
    """The letters that the convention would fill and the reader gave, each with its value."""
    for letter, filled in point.values.items():
        if letter.role in convention.roles and filled.source == "given":
            yield f"here {letter.name} = {input_amount(filled).text} is given instead"


def _form_note(asked: Derivation, form: Derivation, point: Point) -> str:
    """Which form of a derivation a report shows, and under which convention."""
    notes = []
    overridden = point.overridden
    if overridden:
        pairs = ", ".join(f"{letter.name} = {default}" for letter, default in overridden.items())
        notes.append(
            f"The chain below puts {pairs} by default, and other values hold here: the formula above and the worked "
            "calculation keep the letters; what follows from the chain holds for the default."
        )
    if asked is form:
        return " ".join(notes)
    convention = asked.choice.convention if asked.choice else ""
    under = (
        f", under {convention} = {point.conventions[convention]}" if convention in point.conventions else ""
    )
    return " ".join([f"{asked.id} stands here in the form {form.id}{under}.", *notes])


def _example_row(example: Example, link: engine.Link) -> ExampleRow:
    parts = [f"{name} = {value}" for name, value in example.given.items()]
    parts += [f"on {example.on}"] if example.on else []
    parts += [f"model {example.model}"] if example.model else []
    parts += [f"{name} = {choice}" for name, choice in example.conventions.items()]
    return ExampleRow(tidy(", ".join(parts)), tidy(example.value), proof(link.verdict))


def _constant_rows(point: Point) -> Iterator[ConstantRow]:
    found = (filled.constant for filled in inputs_of(point) if filled.constant is not None)
    grouped: dict[tuple[str, Source], list[str]] = {}
    for constant in dict.fromkeys(found):
        grouped.setdefault((constant.entry, constant.source), []).append(
            f"{constant.role} {constant.described.replace(' ', _TIED, 1)}"
        )
    for (entry, source), values in grouped.items():
        yield ConstantRow(entry, "; ".join(values), source.document, source.date.isoformat(), source.note)
