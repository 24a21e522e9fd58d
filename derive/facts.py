"""Facts: proved statements about a result. Each knows its relation, its reason and its proof."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import sympy
from sympy.core.relational import LessThan, Relational

from derive.dimensions import dimension_of, dimension_text, require
from derive.errors import DeclarationError, DimensionError
from derive.ledger import Ledger
from derive.proofs import Verdict, prove_at_least, prove_equal, prove_limit
from derive.proofs.equality import normal
from derive.proofs.signs import region_text
from derive.proofs.verdict import proved, refuted, shown, undecided
from derive.steps import Solve, checked_letter, conditions
from derive.symbols import Letter, expression

if TYPE_CHECKING:
    from derive.derivation import Derivation


class Fact(ABC):
    """A statement about a derivation's result (or about `of`, where given)."""

    relation: str
    because: str

    def __init__(self, because: str, of: sympy.Expr | None = None) -> None:
        if not isinstance(because, str) or not because.strip():
            raise DeclarationError(f"{type(self).__name__} without a reason: give because='…'")
        self.because = because.strip()
        self.of = of

    def subject(self, result: sympy.Expr) -> sympy.Expr:
        """What the fact speaks of."""
        return result if self.of is None else self.of

    @abstractmethod
    def statement(self, name: str) -> str:
        """The fact in words and plain letters; `name` is the result's letter."""

    @abstractmethod
    def check_units(self, unit: str, where: str) -> None:
        """Raise DimensionError where the fact's sides do not bear the derivation's unit."""

    @abstractmethod
    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        """The verdict on the fact; `steps` are those of the chain."""


class Limit(Fact):
    """→: what the result tends to as a letter tends to ∞, 0⁺ or a number.

    Several letters, Limit((F, Q), 0, …), are scaled by one λ. `put` gives other
    letters a value beforehand: Limit(n, oo, S/beta, put={alpha: 0}, …).
    """

    relation = "→"

    def __init__(
        self,
        letter: Letter | tuple[Letter, ...],
        to: sympy.Expr | int,
        value: sympy.Expr | int,
        because: str = "",
        of: sympy.Expr | None = None,
        put: Mapping[Letter, sympy.Expr | int] | None = None,
    ) -> None:
        super().__init__(because, of)
        self.put = _replacements(put or {}, "Limit")
        given = letter if isinstance(letter, tuple) else (letter,)
        self.letters = tuple(checked_letter(one, "Limit") for one in given)
        self.to, self.value = (
            expression(end, f"Limit({name}=…)", infinite=True) for name, end in (("to", to), ("value", value))
        )
        if len(self.letters) > 1 and self.to not in (sympy.oo, 0):
            raise DeclarationError("Limit of several letters scales them together: to 0 or oo")
        for one in self.letters:
            if self.to == -sympy.oo or (one.is_nonnegative and self.to.is_negative):
                raise DeclarationError(f"Limit({one}, {self.to}): {one} ({one.meaning}) does not go there")

    def statement(self, name: str) -> str:
        subject = name if self.of is None else shown(self.of)
        return f"{subject} → {shown(self.value)} as {self.approach}"

    @property
    def approach(self) -> str:
        """The limit point in words: T → ∞."""
        point = {sympy.oo: "∞", sympy.Integer(0): "0⁺"}.get(self.to) or shown(self.to)
        names = ", ".join(letter.name for letter in self.letters)
        held = f" with {_case(self.put)}" if self.put else ""
        return f"{names} → {point}" + (" together" if len(self.letters) > 1 else "") + held

    def check_units(self, unit: str, where: str) -> None:
        if self.of is None:
            require(self.value, unit, where)
        elif self.value not in (0, sympy.oo, -sympy.oo) and dimension_of(self.of) != dimension_of(self.value):
            raise DimensionError(
                f"{where}: {dimension_text(dimension_of(self.of))} tends to {dimension_text(dimension_of(self.value))}"
            )

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        subject = self.subject(result)
        absent = [letter.name for letter in (*self.letters, *self.put) if not subject.has(letter)]
        if absent:
            return refuted(f"{', '.join(absent)} does not occur in {shown(subject)}")
        subject = subject.xreplace(dict(self.put))
        cancelled = [letter.name for letter in self.letters if not normal(subject).has(letter)]
        if cancelled:
            return refuted(f"{', '.join(cancelled)} cancels in {shown(subject)}: it does not depend on it")
        if len(self.letters) == 1:
            return prove_limit(subject, self.letters[0], self.to, self.value)
        scale = sympy.Symbol("λ", positive=True)
        scaled = subject.xreplace({letter: scale * letter for letter in self.letters})
        return prove_limit(scaled, scale, self.to, self.value)


class SpecialCase(Fact):
    """The result with letters replaced: SpecialCase({m: n, k: n}, …)."""

    relation = "="

    def __init__(
        self,
        put: Mapping[Letter, sympy.Expr | int],
        value: sympy.Expr | int,
        because: str = "",
        of: sympy.Expr | None = None,
    ) -> None:
        super().__init__(because, of)
        self.put = _replacements(put, "SpecialCase")
        self.value = expression(value, "SpecialCase")

    def statement(self, name: str) -> str:
        subject = name if self.of is None else shown(self.of)
        return f"{subject} = {shown(self.value)} where {self.case}"

    @property
    def case(self) -> str:
        """The replacements in words: m = n, k = n."""
        return _case(self.put)

    def check_units(self, unit: str, where: str) -> None:
        if self.of is None:
            require(self.value, unit, where)

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        subject = self.subject(result)
        absent = [letter.name for letter in self.put if not subject.has(letter)]
        if absent:
            return refuted(f"{', '.join(absent)} does not occur in {shown(subject)}")
        return prove_equal(subject.xreplace(dict(self.put)), self.value)


class Regime(Fact):
    """Which branch of a Max or Min the result is, and where: Regime(F/P, when=F/Q >= P/W)."""

    relation = "="

    def __init__(
        self,
        value: sympy.Expr,
        when: Sequence[Relational] | Relational,
        because: str = "",
        name: str = "",
        of: sympy.Expr | None = None,
    ) -> None:
        super().__init__(because, of)
        self.value = expression(value, "Regime")
        self.when = conditions(when)
        self.name = name

    def statement(self, name: str) -> str:
        subject = name if self.of is None else shown(self.of)
        return f"{subject} = {shown(self.value)} where {' and '.join(map(region_text, self.when))}"

    def check_units(self, unit: str, where: str) -> None:
        if self.of is None:
            require(self.value, unit, where)

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        subject = self.subject(result)
        branching = next(
            (n for n in sympy.preorder_traversal(subject) if isinstance(n, sympy.Max | sympy.Min)), None
        )
        if branching is None:
            return prove_equal(subject, self.value, self.when)
        worst: Verdict | None = None
        for chosen in branching.args:
            if not prove_equal(subject.xreplace({branching: chosen}), self.value).proved:
                continue
            for other in branching.args:
                pair = (chosen, other) if isinstance(branching, sympy.Max) else (other, chosen)
                verdict = prove_at_least(*pair, self.when)
                if not verdict.proved:
                    worst = verdict
                    break
            else:
                return proved(f"{shown(chosen)} is the branch that holds there")
        whole = prove_equal(subject, self.value, self.when)
        if whole.proved or worst is None:
            return whole
        return worst


class Inequality(Fact):
    """left ≤ right (or ≥, <, >), in a region where one is named: Inequality(hfu, ">=", mfu, …)."""

    def __init__(
        self,
        left: sympy.Expr | int,
        relation: str,
        right: sympy.Expr | int,
        because: str = "",
        where: Sequence[Relational] | Relational = (),
    ) -> None:
        super().__init__(because)
        signs = {"<=": "≤", ">=": "≥", "<": "<", ">": ">"}
        if relation not in signs:
            raise DeclarationError(f"Inequality relation {relation!r}: give one of {', '.join(signs)}")
        self.left, self.right = expression(left, "Inequality"), expression(right, "Inequality")
        self.relation, self.where = signs[relation], conditions(where)

    def statement(self, name: str) -> str:
        region = f" where {' and '.join(map(region_text, self.where))}" if self.where else ""
        return f"{shown(self.left)} {self.relation} {shown(self.right)}{region}"

    def check_units(self, unit: str, where: str) -> None:
        dimension_of(sympy.Le(self.left, self.right, evaluate=False))

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        high, low = (self.left, self.right) if self.relation in "≥>" else (self.right, self.left)
        return prove_at_least(high, low, self.where, strict=self.relation in "<>")


class NoSolution(Fact):
    """There is no value in this region; `says` is what evaluation answers there.

    Where the chain has a Solve, proved by showing that one side of its equation
    stays below the other for every value of the letter; otherwise by showing that
    the result is below zero there.
    """

    relation = "none"

    def __init__(self, when: Sequence[Relational] | Relational, says: str, because: str = "") -> None:
        super().__init__(because)
        self.when = conditions(when)
        self.says = says

    def check_units(self, unit: str, where: str) -> None:
        for condition in self.when:
            dimension_of(condition)

    def statement(self, name: str) -> str:
        return f"no {name} where {' and '.join(map(region_text, self.when))}: {self.says}"

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        solved = next((step for step in steps if isinstance(step, Solve)), None)
        if solved is None:
            return prove_at_least(sympy.Integer(0), result, self.when)
        verdict = undecided("")
        for high, low in ((solved.right, solved.left), (solved.left, solved.right)):
            verdict = prove_at_least(high, low, self.when, strict=True)
            if verdict.proved:
                return proved(f"{shown(low)} stays below {shown(high)} for every {solved.letter}")
        return verdict


def _replacements(put: Mapping[Letter, sympy.Expr | int], kind: str) -> dict[Letter, sympy.Expr]:
    """Letters and what stands in their place, of their own unit. Raises DeclarationError, DimensionError."""
    found = {
        checked_letter(letter, kind): expression(value, f"{kind} {letter}") for letter, value in put.items()
    }
    for letter, value in found.items():
        if value.has(*found):
            raise DeclarationError(
                f"{kind} {letter} = {shown(value)}: a letter that is replaced stands in what replaces it"
            )
        require(value, letter.unit, f"{kind} {letter} = {shown(value)}")
    return found


def _case(put: Mapping[Letter, sympy.Expr]) -> str:
    return ", ".join(f"{letter.name} = {shown(value)}" for letter, value in put.items())


class Identity(Fact):
    """left = right for all values of the letters: Identity(training.result, 3 * forward.result, …)."""

    relation = "="

    def __init__(self, left: sympy.Expr | int, right: sympy.Expr | int, because: str = "") -> None:
        super().__init__(because)
        self.left, self.right = expression(left, "Identity"), expression(right, "Identity")

    def statement(self, name: str) -> str:
        return f"{shown(self.left)} = {shown(self.right)}"

    def check_units(self, unit: str, where: str) -> None:
        dimension_of(sympy.Eq(self.left, self.right, evaluate=False))

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        return prove_equal(self.left, self.right)


class Difference(Fact):
    """What one ledger counts beyond another: Difference(flash, full, 4*a*b*s*BYTE - 5*a*s**2*b*BYTE, …).

    `added` and `dropped` are the rows that only the first and only the second has.
    """

    relation = "="

    def __init__(self, ledger: Ledger, other: Ledger, value: sympy.Expr | int, because: str = "") -> None:
        super().__init__(because, ledger.total - other.total)
        self.value = expression(value, "Difference")
        self.names = (ledger.title or "this ledger", other.title or "the other")
        self.added, self.dropped = ledger.rows_beyond(other), other.rows_beyond(ledger)

    def statement(self, name: str) -> str:
        changes = [("dropped", self.dropped), ("added", self.added)]
        rows = "; ".join(f"{word}: {', '.join(row.what for row in rows)}" for word, rows in changes if rows)
        return f"{self.names[0]} − {self.names[1]} = {shown(self.value)} ({rows or 'the same rows'})"

    def check_units(self, unit: str, where: str) -> None:
        if self.of is not None and self.value != 0 and dimension_of(self.of) != dimension_of(self.value):
            raise DimensionError(
                f"{where}: the ledgers differ by {dimension_text(dimension_of(self.of))}, "
                f"not by {dimension_text(dimension_of(self.value))}"
            )

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        return prove_equal(self.subject(result), self.value)


class AtLeast(Fact):
    """The result is at least that of another derivation, for all values of the letters: AtLeast(mfu, …)."""

    relation = "≥"

    def __init__(self, derivation: Derivation, because: str = "") -> None:
        super().__init__(because)
        self.derivation = derivation

    def statement(self, name: str) -> str:
        return f"{name} ≥ {shown(self.derivation.result)}, the {self.derivation.title}"

    def check_units(self, unit: str, where: str) -> None:
        require(self.derivation.result, unit, where)

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        return prove_at_least(result, self.derivation.result)


class Ceiling(Fact):
    """The result cannot exceed a limit where the numbers can be true; a value above it is refused.

    where: what every true set of numbers meets, such as done <= possible; proved to
    hold exactly where the result is within the limit. causes: what is likely wrong
    where it is above.
    """

    relation = "≤"

    def __init__(self, limit: sympy.Expr | int, where: LessThan, because: str, causes: Sequence[str]) -> None:
        super().__init__(because)
        self.limit = expression(limit, "Ceiling")
        self.where = conditions(where)
        self.causes = tuple(causes)
        if len(self.where) != 1 or not isinstance(self.where[0], LessThan):
            raise DeclarationError("Ceiling(where=…): give one condition, such as done <= possible")
        if not self.limit.is_Rational:
            raise DeclarationError(f"Ceiling({shown(self.limit)}): give a plain number")

    def statement(self, name: str) -> str:
        return f"{name} ≤ {shown(self.limit)} where {' and '.join(map(region_text, self.where))}"

    def check_units(self, unit: str, where: str) -> None:
        require(self.limit, unit, where)

    def prove(self, result: sympy.Expr, steps: Sequence[object]) -> Verdict:
        within = prove_at_least(self.limit, result, self.where)
        if not within.proved:
            return within
        (condition,) = self.where
        beyond = prove_at_least(result, self.limit, [condition.lhs >= condition.rhs])
        if not beyond.proved:
            text = f"the result may be within the limit where the condition fails: {beyond.reason}"
            return Verdict(beyond.outcome, text, beyond.counterexample)
        return proved(f"it is within {shown(self.limit)} where {region_text(condition)}, and only there")
