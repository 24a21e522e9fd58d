"""A lesson: how a formula reduces, stage by stage, with what each assumption drops and what that costs.

A lesson goes through a ladder of derivations. Each stage is a derivation's own links and
facts, proved as the lesson is made, and beside the stage before it the ledger rows that
have gone or come. What a simplification costs is computed at the numbers at hand: the
reader's, or those of the table of lessons, or of the formula's own example.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sympy

from derive import catalogue
from derive.computed import Computed
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.evaluation import known_letters
from derive.ledger import Ledger, Row
from derive.proofs import prove_equal
from derive.proofs.verdict import Verdict
from derive.steps import Equal, Put
from derive.suggest import nearest
from derive.teaching.exercise import Maths, Text
from derive.teaching.ladders import LADDERS, Ladder
from derive.teaching.numbers import Asking, Numbers, at
from derive.teaching.picture import Picture, picture
from derive.teaching.telling import fact_cost, fact_text, looks_like, share, step_cost, step_text


@dataclass(frozen=True)
class Statement:
    """A numbered statement with its reason and verdict; `cost` says what it amounts to at the numbers."""

    number: int
    kind: str
    text: Text
    because: str
    verdict: Verdict
    cost: Text


@dataclass(frozen=True)
class Stage:
    """A rung of the ladder: a formula under an assumption. result: the formula; here: its value at the numbers."""

    id: str
    title: str
    assumption: str
    result: Maths
    statements: tuple[Statement, ...]
    here: str


@dataclass(frozen=True)
class Lesson:
    """The whole: stages, the picture, and the sentence to remember with the statements it rests on.

    point: the numbers that it is worked at.
    """

    id: str
    title: str
    point: Text
    stages: tuple[Stage, ...]
    picture: Picture | None
    remember: str
    rests_on: tuple[int, ...]

    @property
    def proved(self) -> bool:
        return all(one.verdict.proved for stage in self.stages for one in stage.statements)


def lesson(
    derivation: Derivation,
    given: Mapping[str, object] | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | None = None,
) -> Lesson:
    """The lesson of a derivation at the reader's numbers, or at usual ones.

    Raises DeriveError for a computed result, which does not reduce, and for letters that no
    stage has.
    """
    if isinstance(derivation, Computed):
        raise DeriveError(
            f"{derivation.name} is computed case by case and does not reduce: derive show {derivation.name} tells how"
        )
    ladder = LADDERS.get(derivation.id, Ladder((derivation.id,)))
    rungs = _rungs(derivation)
    _check_given(rungs, given or {})
    making = _Making()
    stages: list[Stage] = []
    asked = Asking(
        {**_usual(ladder, rungs, on, model), **(given or {})}, on, model, conventions or {}, hardware
    )
    points = [at(rung, asked) for rung in rungs]
    for rung, before, numbers in zip(rungs, [None, *rungs], points, strict=False):
        stages.append(making.stage(rung, before, numbers))
    return Lesson(
        derivation.id,
        derivation.title,
        points[0].text,
        tuple(stages),
        picture(rungs, points, ladder),
        ladder.remember,
        tuple(sorted(set(making.resting(ladder.rests_on)))),
    )


def _usual(
    ladder: Ladder, rungs: Sequence[Derivation], on: str | None, model: str | None
) -> Mapping[str, str]:
    """The usual numbers of the lesson, less those that a machine or a model of the reader's fills."""
    owners = tuple(f"{kind}." for kind, name in (("hardware", on), ("model", model)) if name)
    filled = {
        letter.name
        for rung in rungs
        for letter in rung.all_letters
        if owners and ((letter.role or "").startswith(owners) or (letter.filled_by and model))
    }
    return {name: value for name, value in ladder.at.items() if name not in filled}


def letters_of_lesson(derivation: Derivation) -> frozenset[str]:
    """The names that `lesson` takes values for: the letters of all stages."""
    return _known(_rungs(derivation))


def _rungs(derivation: Derivation) -> list[Derivation]:
    ladder = LADDERS.get(derivation.id, Ladder((derivation.id,)))
    return [derivation, *(catalogue.get(id) for id in ladder.ids[1:])]


def _known(rungs: Sequence[Derivation]) -> frozenset[str]:
    known = {name for rung in rungs for name in known_letters(rung, ())}
    return frozenset(known | {letter.name for rung in rungs for letter in rung.all_letters})


def _check_given(rungs: Sequence[Derivation], given: Mapping[str, object]) -> None:
    known = _known(rungs)
    for name in given:
        if name not in known:
            raise DeriveError(
                f"no stage of this lesson has a letter {name[:40]!r}{nearest(name, known)}: there are "
                f"{', '.join(sorted(known))}"
            )


class _Making:
    """Numbers the statements as they are made, and remembers whose they are."""

    def __init__(self) -> None:
        self.made: list[tuple[str, str, int]] = []
        self.count = 0

    def resting(self, on: Sequence[tuple[str, str]]) -> Iterator[int]:
        """The numbers of the statements of these ids and kinds. Raises DeriveError where there is none."""
        for id, kind in on:
            found = [number for owner, own, number in self.made if owner == id and own == kind]
            if not found:
                raise DeriveError(f"the lesson has no statement {kind} of {id} for its sentence to rest on")
            yield from found

    def stage(self, rung: Derivation, before: Derivation | None, numbers: Numbers) -> Stage:
        statements = [
            *self._rows(rung, before, numbers),
            *self._steps(rung, numbers),
            *self._facts(rung, numbers),
        ]
        return Stage(
            rung.id,
            rung.title if before is not None else "The general form",
            _assumption(rung, before),
            Maths(numbers.formula, rung.letter),
            tuple(statements),
            numbers.value_text,
        )

    def _statement(
        self, rung: Derivation, kind: str, text: Text, because: str, verdict: Verdict, cost: Text = ()
    ) -> Statement:
        self.count += 1
        self.made.append((rung.id, kind, self.count))
        return Statement(self.count, kind, text, because, verdict, cost)

    def _rows(self, rung: Derivation, before: Derivation | None, numbers: Numbers) -> Iterator[Statement]:
        """Each ledger beside the one of the same unit a stage earlier: the rows dropped and added."""
        if before is None or rung.starts_from is not None:
            return
        for old, new in _pairs(before, rung):
            dropped, added = _only(old, new), _only(new, old)
            if not (dropped or added) or not _same_letters(old, new):
                continue
            change = sympy.Add(*(row.amount for row in added)) - sympy.Add(*(row.amount for row in dropped))
            text: Text = (
                *_named("dropped", dropped),
                "; " if dropped and added else "",
                *_named("added", added),
                ": together ",
                Maths(sympy.factor_terms(change.doit())),
            )
            verdict = prove_equal(new.total - old.total, change)
            because = "the rows are compared one by one"
            yield self._statement(rung, "rows", text, because, verdict, share(change, old, numbers))

    def _steps(self, rung: Derivation, numbers: Numbers) -> Iterator[Statement]:
        for before, step, after in zip(rung.chain, rung.steps, rung.chain[1:], strict=False):
            if isinstance(step, Equal) and self.made and looks_like(before, after):
                self.made.append((rung.id, type(step).__name__, self.count))
                continue
            yield self._statement(
                rung,
                type(step).__name__,
                step_text(rung, step, after),
                step.because,
                step.prove(before),
                step_cost(rung, step, before, after, numbers),
            )

    def _facts(self, rung: Derivation, numbers: Numbers) -> Iterator[Statement]:
        for fact in rung.facts:
            text = fact_text(rung, fact)
            verdict = rung.prove_fact(fact)
            cost = fact_cost(rung, fact, numbers)
            yield self._statement(rung, type(fact).__name__, text, fact.because, verdict, cost)


def _assumption(rung: Derivation, before: Derivation | None) -> str:
    """What the stage assumes: what its chain puts, or what it counts, in words."""
    if before is None or rung.starts_from is None:
        return rung.about
    puts = [step for step in rung.steps if isinstance(step, Put) and (step.fixed or step.value.free_symbols)]
    told = [f"{step.letter.name} = {sympy.sstr(step.value)} ({step.because})" for step in puts if step.fixed]
    return f"Assume {', '.join(told)}." if told else rung.about


def _pairs(before: Derivation, rung: Derivation) -> Iterator[tuple[Ledger, Ledger]]:
    for new in rung.ledgers:
        old = next((one for one in before.ledgers if one.dimension == new.dimension), None)
        if old is not None:
            yield old, new


def _same_letters(old: Ledger, new: Ledger) -> bool:
    """Whether both ledgers share a row: else they count different things, and nothing is dropped."""
    return bool({(row.what, row.amount) for row in old.rows} & {(row.what, row.amount) for row in new.rows})


def _only(one: Ledger, other: Ledger) -> list[Row]:
    there = {(row.what, row.amount) for row in other.rows}
    return [row for row in one.rows if (row.what, row.amount) not in there]


def _named(word: str, rows: Sequence[Row]) -> Text:
    return (f"{word} {', '.join(row.what for row in rows)}",) if rows else ()
