"""The engine's judgement on a mutant, and what a mutant is that it lets pass.

A mutant is refused where it cannot be declared, where a link of its chain is not
proved or where an example is not met. One that passes is either the same
statement in another form, or follows from the original one (a looser bound, a
narrower region), and a proof of that is looked for here. Without one it counts
as a false survivor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import sympy
from sympy.core.relational import Relational

from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.examples import Example
from derive.proofs import Verdict, prove_at_least, prove_equal
from derive.proofs.signs import region_text
from derive.proofs.verdict import shown
from derive.total import expanded
from units import UnitError

from .parts import Mutant

REFUSED = ("at declaration", "by the chain", "undecided", "by an example")
SURVIVES = ("equivalent", "weaker", "false", "crash")
BAD = ("false", "crash")


@dataclass(frozen=True)
class Outcome:
    """How a mutant ended: one of REFUSED or SURVIVES, and why in a line."""

    ending: str
    reason: str
    counterexample: bool = False


@dataclass
class Judge:
    """Judges mutants of one derivation; proofs that a mutant leaves untouched are done once."""

    original: Derivation
    known: dict[tuple[Any, ...], Verdict] = field(default_factory=dict)

    def outcome(self, mutant: Mutant) -> Outcome:
        """What the engine says of the mutant, or what it is where the engine lets it pass."""
        try:
            made = mutant.build()
            for of_example, verdict in self._verdicts(made):
                if verdict.outcome == "undecided":
                    return Outcome("undecided", verdict.reason)
                if not verdict.proved:
                    ending = "by an example" if of_example else "by the chain"
                    return Outcome(ending, verdict.text, bool(verdict.counterexample))
        except (DeriveError, UnitError) as error:
            return Outcome("at declaration", str(error))
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            return Outcome("crash", f"{type(error).__name__}: {error}")
        return survivor(self.original, made, mutant)

    def _verdicts(self, made: Derivation) -> Iterator[tuple[bool, Verdict]]:
        """(whether of an example, verdict) for every link, those that the change touches first."""
        jobs: list[tuple[Any, tuple[Any, ...], Callable[[], Verdict]]] = [
            (step, (before,), partial(step.prove, before))
            for before, step in zip(made.chain, made.steps, strict=False)
        ]
        chain = (*made.chain, *map(id, made.steps))
        jobs += [(fact, chain, partial(made.prove_fact, fact)) for fact in made.facts]
        jobs += [(example, chain, partial(example.prove, made)) for example in made.examples]
        own = set(map(id, (*self.original.steps, *self.original.facts, *self.original.examples)))
        for one, context, prove in sorted(jobs, key=lambda job: id(job[0]) in own):
            key = (id(one), *context)
            verdict = self.known.get(key) or prove()
            if id(one) in own:
                self.known[key] = verdict
            yield isinstance(one, Example), verdict


def survivor(original: Derivation, made: Derivation, mutant: Mutant) -> Outcome:
    """What a mutant is that passed: equivalent or weaker, with the proof, or false."""
    known = {id(one) for one in (*original.steps, *original.facts)}
    changed = next((one for one in (*made.steps, *made.facts) if id(one) not in known), None)
    for ending, proof in (
        ("equivalent", _same(original, made, mutant)),
        ("equivalent", _symmetric(original, mutant)),
        ("equivalent", _true_example(mutant)),
        ("weaker", _weaker(mutant, changed)),
    ):
        if proof:
            return Outcome(ending, proof)
    return Outcome("false", f"{text(mutant.old)} became {text(mutant.new)} and every link was proved")


def text(value: Any) -> str:
    """An old or new value in words."""
    if isinstance(value, dict):
        return ", ".join(f"{letter} = {text(one)}" for letter, one in value.items())
    if isinstance(value, tuple):
        return " and ".join(map(text, value)) or "no condition"
    if isinstance(value, Relational):
        return region_text(value)
    return shown(value) if isinstance(value, sympy.Basic) else str(value)


def _same(original: Derivation, made: Derivation, mutant: Mutant) -> str:
    """That the changed value equals the old one, or that the changed chain leads to the same formulas."""
    if isinstance(mutant.old, sympy.Expr) and _equal(mutant.old, mutant.new):
        return f"{text(mutant.old)} = {text(mutant.new)} is proved"
    if isinstance(mutant.old, dict) and all(_equal(mutant.old[one], mutant.new[one]) for one in mutant.old):
        return f"{text(mutant.old)} is the same as {text(mutant.new)}"
    in_chain = mutant.role in ("start", "row") or mutant.owner in original.steps
    claims = mutant.role.endswith((".where", ".error_at_most", ".relation"))
    if (
        in_chain
        and not claims
        and _equal(original.general, made.general)
        and _equal(original.result, made.result)
    ):
        return f"the chain still leads to {text(original.result)}"
    return ""


def _symmetric(original: Derivation, mutant: Mutant) -> str:
    """That a limit in another letter is the same one, because the formula is symmetric in the two."""
    if mutant.role != "Limit.letter" or len(mutant.old) > 1:
        return ""
    (one,), (other,) = mutant.old, mutant.new
    swap = {one: other, other: one}
    subject = original.result if mutant.owner.of is None else expanded(mutant.owner.of)
    same = all(_equal(side, side.xreplace(swap)) for side in (subject, mutant.owner.value))
    return f"the formula is symmetric in {one} and {other}" if same else ""


def _true_example(mutant: Mutant) -> str:
    """That a changed example is met exactly: computed, not assumed."""
    if not isinstance(mutant.owner, Example):
        return ""
    return f"the exact value at {text(mutant.new)} rounds to what is stated"


def _weaker(mutant: Mutant, changed: Any) -> str:
    """That the changed statement follows from the original one."""
    old, new, owner = mutant.old, mutant.new, mutant.owner
    where = getattr(owner, "where", ())
    match mutant.role:
        case "Approx.error_at_most" if prove_at_least(new, old, where).proved:
            return f"the bound {text(new)} ≥ {text(old)} is looser"
        case "Bound.right":
            high, low = (new, old) if owner.relation == "≤" else (old, new)
            return f"{text(high)} ≥ {text(low)}" if prove_at_least(high, low, where).proved else ""
        case "Inequality.left" | "Inequality.right":
            larger = (owner.relation in "≥>") == mutant.role.endswith("left")
            high, low = (new, old) if larger else (old, new)
            return f"{text(high)} ≥ {text(low)}" if prove_at_least(high, low, where).proved else ""
        case (
            "Approx.where"
            | "Bound.where"
            | "Solve.where"
            | "Minimise.where"
            | "Inequality.where"
            | "Regime.when"
            | "NoSolution.when"
        ):
            return _narrower(old, new)
        case "Regime.of":
            return _branches_closer(owner, changed)
    return ""


def _narrower(old: Sequence[Relational], new: Sequence[Relational]) -> str:
    """That every condition of the old region holds throughout the new one."""
    for condition in old:
        high, low = (condition.gts, condition.lts)
        strict = condition.rel_op in ("<", ">")
        if not prove_at_least(high, low, new, strict=strict).proved:
            return ""
    return f"where {text(new)}, {text(old)} holds: the region is narrower"


def _branches_closer(old: Any, new: Any) -> str:
    """That the branch stays and every other branch of the Max (Min) only fell (rose) in the region."""
    before, after = expanded(old.of), expanded(new.of)
    if isinstance(before, sympy.Max | sympy.Min) and after in before.args and _equal(after, old.value):
        return f"the branch {text(after)} stays, and the other one is gone"
    if type(before) is not type(after) or not isinstance(before, sympy.Max | sympy.Min):
        return ""
    (gone,), (come,) = (set(before.args) - set(after.args), set(after.args) - set(before.args))
    high, low = (gone, come) if isinstance(before, sympy.Max) else (come, gone)
    if old.value in (gone, come) or not prove_at_least(high, low, old.when).proved:
        return ""
    return f"the branch stays, and the other one is further off: {text(high)} ≥ {text(low)}"


def _equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    return prove_equal(left, right).proved
