"""A lesson: how a formula reduces, stage by stage, with what each assumption drops and what that costs.

A lesson goes through a ladder of derivations. Each stage is a derivation's own links and
facts, proved as the lesson is made, and beside the stage before it the ledger rows that
have gone or come. What a simplification costs is computed at the numbers at hand: the
reader's, or those of the table of lessons, or of the formula's own example.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy
from sympy.core.relational import Relational

from derive import catalogue
from derive.computed import Computed
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.evaluation import known_letters
from derive.facts import Difference, Fact, Identity, Inequality, Limit, Regime, SpecialCase
from derive.ledger import Ledger, Row
from derive.proofs import prove_equal
from derive.proofs.verdict import Verdict
from derive.steps import Approx, Bound, Equal, Put, Solve, Step, Use
from derive.suggest import nearest
from derive.symbols import Letter, without_units
from derive.teaching.exercise import Maths, Text
from derive.teaching.ladders import LADDERS, Ladder
from derive.teaching.numbers import Asking, Numbers, at, percent
from derive.teaching.picture import Picture, picture
from derive.teaching.structure import put_text
from derive.total import Total


@dataclass(frozen=True)
class Statement:
    """A numbered statement with its reason and verdict; `cost` says what it amounts to at the numbers."""

    number: int
    kind: str
    text: Text
    because: str
    verdict: Verdict
    cost: str


@dataclass(frozen=True)
class Stage:
    """A rung of the ladder: a formula under an assumption. here: its value at the numbers."""

    id: str
    title: str
    assumption: str
    statements: tuple[Statement, ...]
    here: str


@dataclass(frozen=True)
class Lesson:
    """The whole: stages, the picture, and the sentence to remember with the statements it rests on."""

    id: str
    title: str
    point: str
    stages: tuple[Stage, ...]
    picture: Picture | None
    remember: str
    rests_on: tuple[int, ...]

    @property
    def proved(self) -> bool:
        return all(one.verdict.proved for stage in self.stages for one in stage.statements)


def lesson(
    derivation: Derivation,
    given: Mapping[str, str] | None = None,
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
    rungs = [derivation, *(catalogue.get(id) for id in ladder.ids[1:])]
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
        picture(derivation, points[0], ladder.over),
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


def _check_given(rungs: Sequence[Derivation], given: Mapping[str, str]) -> None:
    known = {name for rung in rungs for name in known_letters(rung, ())}
    known |= {letter.name for rung in rungs for letter in rung.all_letters}
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
            tuple(statements),
            numbers.value_text,
        )

    def _statement(
        self, rung: Derivation, kind: str, text: Text, because: str, verdict: Verdict, cost: str = ""
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
            yield self._statement(rung, "rows", text, because, verdict, _share(change, old, numbers))

    def _steps(self, rung: Derivation, numbers: Numbers) -> Iterator[Statement]:
        for before, step, after in zip(rung.chain, rung.steps, rung.chain[1:], strict=False):
            if isinstance(step, Equal) and self.made and _looks_like(before, after):
                self.made.append((rung.id, type(step).__name__, self.count))
                continue
            yield self._statement(
                rung,
                type(step).__name__,
                _step_text(rung, step, after),
                step.because,
                step.prove(before),
                _step_cost(step, before, after, numbers),
            )

    def _facts(self, rung: Derivation, numbers: Numbers) -> Iterator[Statement]:
        for fact in rung.facts:
            text = _fact_text(rung, fact)
            verdict = rung.prove_fact(fact)
            cost = _fact_cost(rung, fact, numbers)
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


def _share(change: sympy.Expr, old: Ledger, numbers: Numbers) -> str:
    amount, whole = numbers.of(change), numbers.of(old.total.doit())
    if amount is None or not whole:
        return ""
    share = abs(amount / whole)
    part = f"{percent(share)} of" if share < 1 else f"{float(share):.3g} times"
    return f"here {numbers.shown(amount, change)}, {part} the total before"


def _looks_like(before: sympy.Expr, after: sympy.Expr) -> bool:
    """Whether a link only writes the same line again: SymPy keeps apart what a reader cannot."""
    one, other = (sympy.factor_terms(without_units(formula)) for formula in (before, after))
    return bool(one == other)


def _step_text(rung: Derivation, step: Step, after: sympy.Expr) -> Text:
    if isinstance(step, Put | Use):
        return (*put_text(step), ": ", Maths(after, rung.letter))
    if isinstance(step, Solve):
        return ("set ", Maths(step.left), " equal to ", Maths(step.right), ": ", Maths(after, rung.letter))
    return (Maths(after, rung.letter, step.relation),)


def _step_cost(step: Step, before: sympy.Expr, after: sympy.Expr, numbers: Numbers) -> str:
    if isinstance(step, Approx):
        return _apart(numbers.of(before), numbers.of(after), _bounded(step, numbers))
    if isinstance(step, Bound):
        return _apart(numbers.of(before), numbers.of(after))
    return ""


def _bounded(fact: Approx, numbers: Numbers) -> str:
    bound = numbers.of(fact.error_at_most)
    return "" if bound is None else f", and at most {percent(bound)} by the bound"


def _fact_text(rung: Derivation, fact: Fact | Approx) -> Text:
    name = rung.letter
    if isinstance(fact, Approx):
        bound = (Maths(fact.right, name, "≈"), ", off by at most ", Maths(fact.error_at_most))
        return (*bound, *_where(fact.where))
    subject = () if fact.of is None else (Maths(_readable(fact.of)), " ")
    if isinstance(fact, Limit):
        value = Maths(fact.value, name if fact.of is None else "", "→")
        return (*subject, "→ " if fact.of is not None else "", value, f" as {fact.approach}")
    if isinstance(fact, SpecialCase):
        value = Maths(fact.value, name if fact.of is None else "")
        return (f"with {_case(fact.put)}: ", *subject, "= " if fact.of is not None else "", value)
    if isinstance(fact, Regime):
        value = Maths(fact.value, name if fact.of is None else "")
        where = f"{fact.name} where " if fact.name else "where "
        return (where, *_conditions(fact.when), ": ", *subject, "= " if fact.of is not None else "", value)
    if isinstance(fact, Identity) and _looks_like(fact.left, fact.right):
        return ("both are ", Maths(fact.left))
    if isinstance(fact, Identity):
        return (Maths(fact.left), " = ", Maths(fact.right))
    if isinstance(fact, Inequality):
        return (Maths(fact.left), f" {fact.relation} ", Maths(fact.right), *_where(fact.where))
    return (fact.statement(name).replace("**", "^"),)


def _where(conditions: Sequence[Relational]) -> Text:
    """The region in which a statement holds; nothing where it holds everywhere."""
    return (" where ", *_conditions(conditions)) if conditions else ()


def _conditions(conditions: Sequence[Relational]) -> Text:
    signs = {">=": "≥", "<=": "≤"}
    found: list[str | Maths] = []
    for condition in conditions:
        found += [" and "] if found else []
        sign = signs.get(condition.rel_op, condition.rel_op)
        found += [Maths(condition.lhs), f" {sign} ", Maths(condition.rhs)]
    return tuple(found)


def _fact_cost(rung: Derivation, fact: Fact | Approx, numbers: Numbers) -> str:
    exact = numbers.of(rung.result)
    if isinstance(fact, Approx):
        return _apart(exact, numbers.of(fact.right), _bounded(fact, numbers))
    if isinstance(fact, Limit | SpecialCase):
        of = exact if fact.of is None else numbers.of(fact.of)
        unmet = _unmet(fact.put, numbers) if isinstance(fact, SpecialCase) else ""
        return _apart(of, numbers.of(fact.value), unmet=unmet)
    if isinstance(fact, Regime):
        held = [numbers.holds(condition) for condition in fact.when]
        return "" if None in held else "here it holds" if all(held) else "here it does not hold"
    if isinstance(fact, Difference):
        amount = numbers.of(fact.value)
        return "" if amount is None else f"here {numbers.shown(amount, fact.value)}"
    return ""


def _readable(formula: sympy.Expr) -> sympy.Expr:
    """Ledgers' totals added up and divided out."""
    return sympy.cancel(sympy.together(formula.doit())) if formula.has(Total) else formula


def _case(put: Mapping[Letter, sympy.Expr]) -> str:
    """What letters take, with units: m = n, e = 4 byte."""
    return ", ".join(f"{letter.name} = {_value(letter, value)}" for letter, value in put.items())


def _value(letter: Letter, value: sympy.Expr) -> str:
    plain = without_units(value)
    unit = "" if letter.unit == "dimensionless" or not plain.is_Rational else f" {letter.unit}"
    return f"{sympy.sstr(plain)}{unit}".replace("**", "^")


def _unmet(put: Mapping[Letter, sympy.Expr], numbers: Numbers) -> str:
    """A letter that is not here what a special case assumes; "" where all are."""
    for letter, value in put.items():
        own, due = numbers.of(letter), numbers.of(value)
        if own is not None and due is not None and own != due:
            return f"{letter.name} is not {_value(letter, value)}"
    return ""


def _apart(exact: Fraction | None, simple: Fraction | None, behind: str = "", unmet: str = "") -> str:
    """How far a simpler form is from the exact one at the numbers, where its assumption may not be met."""
    if exact is None or simple is None or not exact:
        return ""
    ratio = simple / exact
    if not ratio:
        return f"here {unmet}, and it would be 0" if unmet else "here it is not 0"
    if ratio == 1:
        return "here nothing is lost"
    word = "too large" if ratio > 1 else "too small"
    if Fraction(1, 2) <= ratio <= 2:
        size = f"{percent(abs(ratio - 1))} {word}"
    else:
        size = f"{float(max(ratio, 1 / ratio)):.3g} times {word}"
    if unmet:
        return f"here {unmet}, and it would be {size}"
    return f"here {size}{behind}"
