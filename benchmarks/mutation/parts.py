"""What of a derivation can be changed, and how it is built anew with one change.

Everything else stays the same object, so that the constructors check the change
just as they would check a file that holds it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import sympy
from sympy.core.relational import Relational

import units
from derive.derivation import Derivation
from derive.examples import Example
from derive.facts import (
    AtLeast,
    Ceiling,
    Difference,
    Fact,
    Identity,
    Inequality,
    Limit,
    NoSolution,
    Regime,
    SpecialCase,
)
from derive.ledger import Ledger
from derive.steps import Approx, Bound, Equal, Minimise, Put, Solve, Step, Use
from derive.symbols import Letter
from derive.total import Total

from .expressions import changes

_REVERSED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}


@dataclass(frozen=True)
class Mutant:
    """One change: where, of what kind, in words, the two values, and how to build the derivation that has it.

    role: what the changed value is to the derivation ("start", "Approx.error_at_most" …).
    owner: the step, fact or example that was replaced, None for the start.
    """

    where: str
    kind: str
    role: str
    owner: Any
    old: Any
    new: Any
    build: Callable[[], Derivation]


def mutants(derivation: Derivation) -> Iterator[Mutant]:
    """Every mutant of a derivation: start and ledgers, steps, facts, examples, in that order."""
    yield from _of_start(derivation)
    for number, step in enumerate(derivation.steps):
        yield from _of_one(derivation, f"link {number + 1}", step, "steps", number)
    for number, fact in enumerate(derivation.facts):
        yield from _of_one(derivation, f"fact {number + 1}", fact, "facts", number)
    for number, example in enumerate(derivation.examples):
        yield from _of_example(derivation, example, number)


def rebuilt(derivation: Derivation, **changed: Any) -> Derivation:
    """The derivation with some arguments of its constructor changed."""
    if type(derivation) is not Derivation:  # computed: no chain, only examples to change
        made = copy.copy(derivation)
        vars(made).update(changed)
        return made
    arguments: dict[str, Any] = {
        "unit": derivation.unit,
        "start": derivation.starts_from or derivation.start,
        "steps": derivation.steps,
        "facts": derivation.facts,
        "examples": derivation.examples,
        "about": derivation.about,
        "sources": derivation.sources,
        "choice": derivation.choice,
        "families": derivation.families,
    } | changed
    made = Derivation(derivation.letter, derivation.title, **arguments)
    made.id = derivation.id
    return made


def _of_start(derivation: Derivation) -> Iterator[Mutant]:
    if derivation.starts_from is not None or type(derivation) is not Derivation:
        return
    letters = derivation.all_letters
    for kind, new in changes(derivation.start, letters):
        build = _starting(derivation, new)
        yield Mutant("start", kind, "start", None, derivation.start, new, build)
    for ledger in derivation.ledgers:
        for index, row in enumerate(ledger.rows):
            where = f"ledger row {row.what!r}"
            for kind, new in changes(row.amount, letters):
                amounts = [
                    (r.what, r.why, new if n == index else r.amount) for n, r in enumerate(ledger.rows)
                ]
                yield Mutant(
                    where, kind, "row", None, row.amount, new, _counting(derivation, ledger, amounts)
                )
            rest = [(r.what, r.why, r.amount) for n, r in enumerate(ledger.rows) if n != index]
            if rest:
                gone = sympy.Integer(0)
                yield Mutant(
                    where, "row dropped", "row", None, row.amount, gone, _counting(derivation, ledger, rest)
                )
            twice = [(r.what, r.why, r.amount) for r in (*ledger.rows, row)]
            double = 2 * row.amount
            yield Mutant(
                where, "row doubled", "row", None, row.amount, double, _counting(derivation, ledger, twice)
            )


def _starting(derivation: Derivation, new: Any) -> Callable[[], Derivation]:
    return lambda: rebuilt(derivation, start=new)


def _counting(
    derivation: Derivation, ledger: Ledger, rows: list[tuple[Any, ...]]
) -> Callable[[], Derivation]:
    def build() -> Derivation:
        made = Ledger(*rows, title=ledger.title)
        start = derivation.start.replace(
            lambda node: isinstance(node, Total) and node.ledger is ledger, lambda node: made.total
        )
        return rebuilt(derivation, start=start)

    return build


def _of_one(
    derivation: Derivation, where: str, one: Step | Fact, among: str, number: int
) -> Iterator[Mutant]:
    """Each argument of a step or fact changed in turn."""
    letters = derivation.all_letters
    arguments = _arguments(one)
    for name, old in arguments.items():
        for kind, new in _changed(name, old, letters):
            make = _replacing(derivation, one, arguments | {name: new}, among, number)
            role = f"{type(one).__name__}.{name}"
            yield Mutant(f"{where} ({type(one).__name__})", kind, role, one, old, new, make)


def _replacing(
    derivation: Derivation, one: Step | Fact, arguments: dict[str, Any], among: str, number: int
) -> Callable[[], Derivation]:
    def build() -> Derivation:
        if isinstance(one, Difference):  # its ledgers are proved where they are counted
            made: Step | Fact = copy.copy(one)
            vars(made)["value"] = arguments["value"]
        else:
            made = type(one)(**arguments, because=one.because)
        kept = list(getattr(derivation, among))
        kept[number] = made
        return rebuilt(derivation, **{among: kept})

    return build


def _arguments(one: Step | Fact) -> dict[str, Any]:
    """The arguments of the constructor that made this, `because` apart."""
    match one:
        case Equal():
            return {"right": one.right}
        case Put():
            return {"letter": one.letter, "value": one.value, "fixed": one.fixed}
        case Approx():
            return {"right": one.right, "error_at_most": one.error_at_most, "where": one.where}
        case Bound():
            return {"right": one.right, "relation": one.relation, "where": one.where}
        case Minimise():
            return {name: getattr(one, name) for name in ("letter", "formula", "gives", "where")}
        case Solve():
            names = ("letter", "left", "right", "gives", "where")
            return {name: getattr(one, name) for name in names}
        case Limit():
            return {"letter": one.letters, "to": one.to, "value": one.value, "of": one.of, "put": one.put}
        case SpecialCase():
            return {"put": one.put, "value": one.value, "of": one.of}
        case Regime():
            return {"value": one.value, "when": one.when, "name": one.name, "of": one.of}
        case Inequality():
            relation = {"≤": "<=", "≥": ">="}.get(one.relation, one.relation)
            return {"left": one.left, "relation": relation, "right": one.right, "where": one.where}
        case NoSolution():
            return {"when": one.when, "says": one.says}
        case Use():
            return {"letter": one.letter, "derivation": one.derivation}
        case AtLeast():
            return {"derivation": one.derivation}
        case Identity():
            return {"left": one.left, "right": one.right}
        case Difference():
            return {"value": one.value}
        case Ceiling():
            return {"limit": one.limit, "where": one.where, "causes": one.causes}
    raise TypeError(f"no rule for changing a {type(one).__name__}")


def _changed(name: str, old: Any, letters: Sequence[Letter]) -> Iterator[tuple[str, Any]]:
    """(kind, new value) for an argument of a step or fact."""
    if name in ("causes", "says", "name", "fixed", "derivation"):
        return
    if name == "relation":
        yield "relation reversed", {"≤": "≥", "≥": "≤"}.get(old) or _REVERSED[old]
    elif name == "to":
        yield "limit point moved", sympy.Integer(0) if old == sympy.oo else sympy.oo
    elif name == "letter":
        yield from _other_letters(old, letters)
    elif name == "put":
        for letter, value in old.items():
            for kind, new in changes(value, letters):
                yield kind, {**old, letter: new}
    elif name in ("where", "when"):
        yield from _other_regions(old, letters)
    elif isinstance(old, sympy.Basic):
        yield from changes(old, letters)


def _other_letters(old: Letter | tuple[Letter, ...], letters: Sequence[Letter]) -> Iterator[tuple[str, Any]]:
    several = old if isinstance(old, tuple) else (old,)
    for index, one in enumerate(several):
        for other in letters:
            if other not in several:
                new = tuple(other if n == index else letter for n, letter in enumerate(several))
                yield "symbol exchanged", new if isinstance(old, tuple) else other
        if len(several) > 1:
            yield "letter dropped", tuple(letter for letter in several if letter != one)


def _other_regions(old: tuple[Relational, ...], letters: Sequence[Letter]) -> Iterator[tuple[str, Any]]:
    for index, condition in enumerate(old):
        new: list[tuple[str, Any]] = [
            ("relation reversed", condition.reversedsign.func(condition.lhs, condition.rhs)),
            ("region bound ×2, ÷2", condition.func(condition.lhs, 2 * condition.rhs)),
            ("region bound ×2, ÷2", condition.func(condition.lhs, condition.rhs / 2)),
            *changes(condition, letters),
        ]
        for kind, changed in {changed: (kind, changed) for kind, changed in reversed(new)}.values():
            yield kind, (*old[:index], changed, *old[index + 1 :])
        yield "condition dropped", (*old[:index], *old[index + 1 :])


def _of_example(derivation: Derivation, example: Example, number: int) -> Iterator[Mutant]:
    where, letters = f"example {number + 1}", {letter.name: letter for letter in derivation.all_letters}

    def mutant(kind: str, role: str, old: str, new: str, **changed: Any) -> Mutant:
        arguments: dict[str, Any] = {"given": example.given, "value": example.value} | changed
        kept = list(derivation.examples)

        def build() -> Derivation:
            kept[number] = Example(
                **arguments, on=example.on, model=example.model, conventions=example.conventions
            )
            return rebuilt(derivation, examples=kept)

        return Mutant(where, kind, role, example, old, new, build)

    for kind, value in _other_values(example.value):
        yield mutant(kind, "Example.value", example.value, value, value=value)
    for name, given in example.given.items():
        for kind, text in _other_values(str(given)):
            if letters.get(name) is not None and text != str(given):
                yield mutant(kind, "Example.given", str(given), text, given={**example.given, name: text})


def _other_values(text: str) -> Iterator[tuple[str, str]]:
    """A stated number with its last digit moved, doubled, halved, and its unit turned over."""
    try:
        _, unit = units.split(text)
    except units.UnitError:
        return  # a name where a name is asked
    digits = text.split(maxsplit=1)[0].replace(",", "").replace("%", "")
    value = Decimal(digits)
    last = Decimal(1).scaleb(int(value.as_tuple().exponent))
    shown = "" if unit == "dimensionless" else f" {unit}"
    yield "example's last digit ±1", f"{value + last}{shown}"
    yield "example's last digit ±1", f"{value - last}{shown}"
    yield "example ×2, ÷2", f"{value * 2}{shown}"
    yield "example ×2, ÷2", f"{value / 2}{shown}"
    if unit != "dimensionless":
        yield "unit inverted", f"{value} 1/({unit})"
