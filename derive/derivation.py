"""A derivation: a start, a chain of steps, facts about the result, one unit throughout.

Declaring one checks units, letters and structure and proves nothing; `verify`
proves every link. The expressions along the chain are in `chain`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

import units
from derive.conventions import Choice
from derive.dimensions import require
from derive.errors import DeclarationError, DimensionError
from derive.examples import Example
from derive.facts import Fact, Inequality, NoSolution
from derive.families import Families
from derive.ledger import Ledger, ledgers_in
from derive.proofs.equality import is_multiple, is_zero
from derive.proofs.verdict import Verdict, refuted, shown
from derive.steps import Approx, Bound, Put, Step, Use
from derive.symbols import Letter, UnitSymbol, expression, letters_of
from derive.total import Total, expanded

_BRANCHING = (sympy.Max, sympy.Min, sympy.floor, sympy.ceiling)


@dataclass(frozen=True)
class Link:
    """One proved (or not) statement of a derivation, as `derive verify` lists it."""

    id: str
    relation: str
    statement: str
    because: str
    verdict: Verdict
    seconds: float


class Derivation:
    """A formula and its proof.

    letter: what the result is called, "I". title: a line. unit: of the registry,
    the same for every expression of the chain. start: an expression, a ledger or
    another derivation, whose result the chain then goes on from. about: what is
    counted and what is left out. sources: documents that state the result.
    choice: other derivations that hold under other choices of a convention.
    families: the model families that it holds for, and derivations for others.
    Raises DeclarationError or DimensionError for what cannot be right.
    """

    def __init__(
        self,
        letter: str,
        title: str,
        *,
        unit: str,
        start: sympy.Expr | Ledger | Derivation | int,
        steps: Sequence[Step] = (),
        facts: Sequence[Fact | Approx] = (),
        examples: Sequence[Example] = (),
        about: str = "",
        sources: Sequence[str] = (),
        choice: Choice | None = None,
        families: Families | None = None,
    ) -> None:
        self.letter, self.title, self.unit = letter, title, unit
        self.about, self.sources, self.choice = " ".join(about.split()), tuple(sources), choice
        self.families = families
        self.id = ""
        for kind, given in (("steps", steps), ("facts", facts), ("examples", examples)):
            if not isinstance(given, Sequence):
                raise DeclarationError(
                    f"{title!r}: {kind}= is one {type(given).__name__}: give a list, [ … ]"
                )
        self.steps, self.facts, self.examples = tuple(steps), tuple(facts), tuple(examples)
        self.starts_from = start if isinstance(start, Derivation) else None
        self.start = _start(start, title)
        self._check_kinds()
        units.factor(unit)
        self._check_forms()
        self.chain = self._chain()
        self._check_letters()
        for fact in self.facts:
            where = f"{self.name}, {type(fact).__name__}"
            if isinstance(fact, Approx):
                fact.check_units(self.result, unit, where)
            else:
                fact.check_units(unit, where)

    @property
    def name(self) -> str:
        """The id where the catalogue gave one, else the title."""
        return self.id or repr(self.title)

    @property
    def result(self) -> sympy.Expr:
        """The last expression of the chain, ledger totals added up."""
        return expanded(self.chain[-1])

    @property
    def whole(self) -> sympy.Expr:
        """The result as one term, which keeps together in another derivation's formula."""
        return Total(self.result)

    @property
    def general(self) -> sympy.Expr:
        """The result with every letter kept that the chain only puts a default value for."""
        first = next(
            (n for n, step in enumerate(self.steps) if isinstance(step, Put) and not step.fixed), None
        )
        if first is None:
            return self.result
        formula = self.chain[first]
        for step in self.steps[first:]:
            if isinstance(step, Use) or (isinstance(step, Put) and step.fixed):
                formula = step.after(formula)
        return expanded(formula)

    @property
    def defaults(self) -> dict[Letter, sympy.Expr]:
        """The letters that the chain puts a default value for, and the values."""
        return {step.letter: step.value for step in self.steps if isinstance(step, Put) and not step.fixed}

    @property
    def letters(self) -> list[Letter]:
        """The letters of the result, by name."""
        return letters_of(self.result)

    @property
    def all_letters(self) -> list[Letter]:
        """The letters of the whole derivation, by name."""
        found: set[Letter] = set()
        for formula in [*self.chain, *self._fact_expressions()]:
            found.update(letters_of(formula))
        return sorted(found, key=lambda letter: letter.name)

    @property
    def ledgers(self) -> list[Ledger]:
        """The ledgers counted at the start."""
        return ledgers_in(self.start)

    @property
    def uses(self) -> list[Derivation]:
        """The derivations that this one builds on, in order, each once."""
        found = [self.starts_from] if self.starts_from else []
        found += [step.derivation for step in self.steps if isinstance(step, Use)]
        return list(dict.fromkeys(found))

    @property
    def no_solution(self) -> list[NoSolution]:
        """The regions without a value."""
        return [fact for fact in self.facts if isinstance(fact, NoSolution)]

    def verify(self) -> list[Link]:
        """Every link with its verdict: ledgers, steps, facts, examples, in that order."""
        return list(self.links())

    def links(self) -> Iterator[Link]:
        """The links of `verify`, one by one as they are proved."""
        for before, step in zip(self.chain, self.steps, strict=False):
            began = time.perf_counter()
            verdict = step.prove(before)
            yield self._link(step.relation, step_statement(step, before), step.because, verdict, began)
        for fact in self.facts:
            began = time.perf_counter()
            if isinstance(fact, Approx):
                statement = (
                    f"{self.letter} ≈ {shown(fact.right)} with error at most {shown(fact.error_at_most)}"
                )
            else:
                statement = fact.statement(self.letter)
            yield self._link(fact.relation, statement, fact.because, self.prove_fact(fact), began)
        for example in self.examples:
            began = time.perf_counter()
            verdict = example.prove(self)
            yield self._link("example", example.statement(self.letter), "computed exactly", verdict, began)

    def prove_fact(self, fact: Fact | Approx) -> Verdict:
        """The verdict on one of the facts.

        What a fact speaks of must belong to this derivation, or a slip in it would be
        a true statement about something else: it is made of ledgers' totals or other
        derivations' `whole`, or it is an expression of the chain or the argument of a
        Max or floor there (times a product of letters at most), or it stands in
        another fact. Beside an expression of the chain an inequality may have a
        threshold: a formula in none of the result's letters.
        """
        if isinstance(fact, Approx):
            return fact.prove(self.result)
        sides = (fact.left, fact.right) if isinstance(fact, Inequality) else ()
        known = [self._knows(side, fact) for side in sides]
        strange = [side for side, knows in zip(sides, known, strict=True) if not knows]
        if len(strange) == 1 and self._is_threshold(strange[0], sides[known.index(True)]):
            strange = []
        if fact.of is not None and not self._knows(fact.of, fact):
            inside = [node.args for formula in self.chain for node in formula.atoms(*_BRANCHING)]
            whole = [*self.chain, *(argument for arguments in inside for argument in arguments)]
            if not any(is_multiple(fact.of, formula) for formula in whole):
                strange.append(fact.of)
        if strange:
            return refuted(
                f"{shown(strange[0])} is no expression of this derivation: give one of its chain or of its other "
                "facts, or a formula made of ledgers' totals (.total) and other derivations (.whole)"
            )
        return fact.prove(self.result, self.steps)

    def _knows(self, formula: sympy.Expr, fact: Fact) -> bool:
        if formula.has(Total):
            return True
        known = [*self.chain, *(used.general for used in self.uses)]
        for other in self.facts:
            if other is not fact:
                known += [getattr(other, name) for name in ("value", "right") if hasattr(other, name)]
        return any(is_zero(formula - one) for one in known if sympy.oo not in (formula, one))

    def _is_threshold(self, formula: sympy.Expr, beside: sympy.Expr) -> bool:
        if formula.is_number:
            return True
        own = any(is_zero(beside - one) for one in self.chain)
        return own and not set(letters_of(formula)) & set(letters_of(self.result))

    def compile(self) -> Callable[..., Any]:
        """A plain vectorised function of the letters, in base units; see `derive.compiling`."""
        from derive.compiling import compile_formula

        return compile_formula(self)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.letter} = {shown(self.result)} [{self.unit}]>"

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        from derive.notebook import derivation_bundle

        return derivation_bundle(self)

    def _link(self, relation: str, statement: str, because: str, verdict: Verdict, began: float) -> Link:
        return Link(self.id, relation, statement, because, verdict, time.perf_counter() - began)

    def _check_kinds(self) -> None:
        for kind, given, allowed in (
            ("steps", self.steps, Step),
            ("facts", self.facts, (Fact, Approx)),
            ("examples", self.examples, Example),
        ):
            for one in given:
                if not isinstance(one, allowed):
                    raise DeclarationError(f"{self.name}: {type(one).__name__} does not belong in {kind}")
        if len({step.relation for step in self.steps if isinstance(step, Bound)}) > 1:
            raise DeclarationError(
                f"{self.name}: a chain with both ≤ and ≥ bounds nothing: keep to one of them"
            )

    def _check_forms(self) -> None:
        forms = {
            **(self.choice.others if self.choice else {}),
            **(self.families.others if self.families else {}),
        }
        for name, form in forms.items():
            if units.dimension_of(form.unit) != units.dimension_of(self.unit):
                raise DimensionError(f"{self.name} is in {self.unit}, and its form for {name} in {form.unit}")

    def _chain(self) -> list[sympy.Expr]:
        where = f"{self.name}, start"
        require(self.start, self.unit, where)
        chain = [self.start]
        for number, step in enumerate(self.steps, 1):
            step.check_units(chain[-1], self.unit, f"{self.name}, link {number} ({step.relation})")
            chain.append(step.after(chain[-1]))
        replaced = [step.letter for step in self.steps if isinstance(step, Put | Use)]
        for letter in replaced:
            if replaced.count(letter) > 1 or chain[-1].has(letter):
                raise DeclarationError(
                    f"{self.name}: a link replaces {letter} and a later one brings it back: "
                    "replace it once, after that"
                )
        return chain

    def _fact_expressions(self) -> list[sympy.Basic]:
        found: list[sympy.Basic] = []
        for fact in self.facts:
            for value in vars(fact).values():
                if isinstance(value, sympy.Basic):
                    found.append(value)
                elif isinstance(value, tuple):
                    found += [item for item in value if isinstance(item, sympy.Basic)]
                elif isinstance(value, dict):
                    found += [*value.keys(), *value.values()]
        for step in self.steps:
            found += [value for value in vars(step).values() if isinstance(value, sympy.Basic)]
        return found

    def _check_letters(self) -> None:
        seen: dict[str, Letter] = {}
        for formula in [*self.chain, *self._fact_expressions()]:
            for letter in letters_of(formula):
                other = seen.setdefault(letter.name, letter)
                if other != letter:
                    raise DeclarationError(
                        f"{self.name}: the letter {letter.name} stands for two things, {other.meaning!r} and "
                        f"{letter.meaning!r}: rename one"
                    )
            for symbol in formula.free_symbols:
                if not isinstance(symbol, Letter | UnitSymbol):
                    raise DeclarationError(
                        f"{self.name}: the symbol {symbol} has no meaning and no unit: declare it with count, "
                        "number or quantity"
                    )


def step_statement(step: Step, before: sympy.Expr) -> str:
    """A step in words and plain letters."""
    if isinstance(step, Put):
        return f"{step.letter} = {shown(step.value)}"
    if isinstance(step, Use):
        return f"{step.letter} = {shown(step.derivation.general)}"
    after = shown(step.after(before))
    return f"{shown(before)} {step.relation if step.relation != 'solve' else '='} {after}"


def _start(start: object, title: str) -> sympy.Expr:
    if isinstance(start, Derivation):
        return start.general
    if isinstance(start, Ledger):
        return start.total
    return expression(start, f"{title!r}, start")
