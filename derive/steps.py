"""Steps: the links of a chain, each with its relation, its right side and a reason.

A step takes the expression before it, says what stands after it, and proves the
link between the two. Units are checked when a derivation is declared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy
from sympy.core.relational import Relational

import units
from derive.conventions import by_default
from derive.dimensions import dimension_of, dimension_text, require
from derive.errors import DeclarationError, DimensionError
from derive.proofs import Verdict, prove_at_least, prove_equal, prove_positive
from derive.proofs.signs import one_sign, region_text
from derive.proofs.verdict import proved, refuted, shown, undecided
from derive.symbols import Letter, expression, without_units
from derive.total import expanded

if TYPE_CHECKING:
    from derive.derivation import Derivation


class Step(ABC):
    """A link: `relation` between the expression before and `after(before)`, and why."""

    relation: str = "="
    because: str

    def __init__(self, because: str) -> None:
        if not isinstance(because, str) or not because.strip():
            raise DeclarationError(f"{type(self).__name__} without a reason: give because='…'")
        self.because = because.strip()

    @abstractmethod
    def after(self, before: sympy.Expr) -> sympy.Expr:
        """The expression on the right side."""

    @abstractmethod
    def prove(self, before: sympy.Expr) -> Verdict:
        """The verdict on this link."""

    def check_units(self, before: sympy.Expr, unit: str, where: str) -> None:
        """Raise DimensionError where the right side does not bear the derivation's unit."""
        require(self.after(before), unit, where)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        from derive.notebook import step_bundle

        return step_bundle(self)


class Equal(Step):
    """The same value in another form: proved by normal forms, refuted by a point."""

    def __init__(self, right: sympy.Expr | int, because: str = "") -> None:
        super().__init__(because)
        self.right = expression(right, "Equal")

    def after(self, before: sympy.Expr) -> sympy.Expr:
        return self.right

    def prove(self, before: sympy.Expr) -> Verdict:
        return prove_equal(before, self.right)


class Put(Step):
    """A letter takes a value: Put(e, 2*BYTE).

    A number is a default that a reader may override, unless `fixed`; a formula
    (Put(k, n)) belongs to what is derived and is fixed always.
    """

    relation = "put"

    def __init__(
        self, letter: Letter, value: sympy.Expr | int, because: str = "", *, fixed: bool = False
    ) -> None:
        super().__init__(because)
        self.letter = checked_letter(letter, "Put")
        self.value = expression(value, f"Put({letter}, …)")
        self.fixed = fixed or not without_units(self.value).is_Rational
        if self.value.has(letter):
            raise DeclarationError(
                f"Put({letter}, {shown(self.value)}): {letter} stands on both sides; give the new value another letter"
            )
        require(self.value, letter.unit, f"Put({letter}, {shown(self.value)})")

    def after(self, before: sympy.Expr) -> sympy.Expr:
        try:
            return before.xreplace({self.letter: self.value})
        except ValueError as error:  # SymPy compares the branches of a Max: one of them divides by zero
            raise DeclarationError(
                f"Put({self.letter}, {shown(self.value)}): {shown(before)} has no value there"
            ) from error

    def prove(self, before: sympy.Expr) -> Verdict:
        if not before.has(self.letter):
            return refuted(f"{self.letter} does not occur in {shown(before)}, which stands before this link")
        strict = bool(self.letter.is_positive and not self.letter.at_least)
        outside = _outside(self.letter, self.value, strict)
        if outside is not None:
            return outside
        return self._against_convention() or proved(f"{self.letter} is replaced by a value of its own unit")

    def _against_convention(self) -> Verdict | None:
        """Refuted where a convention fills the letter and by default gives another value than the one put."""
        held = None if self.fixed or self.letter.role is None else by_default(self.letter.role)
        if held is None:
            return None
        convention, value = held
        number, unit = units.split(value)
        due = number * units.factor(unit)[0]
        if without_units(self.value) == sympy.Rational(due.numerator, due.denominator):
            return None
        return refuted(
            f"{self.letter} = {shown(self.value)} is put, and the convention {convention.name} = "
            f"{convention.default}, which fills {self.letter}, says {value}"
        )


class Use(Step):
    """A letter is replaced by the result of another derivation of the same unit: Use(F, matmul_flops)."""

    relation = "put"

    def __init__(self, letter: Letter, derivation: Derivation, because: str = "") -> None:
        super().__init__(because or f"{letter} is computed by {derivation.title}")
        self.letter, self.derivation = checked_letter(letter, "Use"), derivation
        if derivation.general.has(letter):
            raise DeclarationError(
                f"Use({letter}, {derivation.title!r}): {letter} stands in the formula that computes it"
            )
        require(derivation.result, letter.unit, f"Use({letter}, {derivation.title!r})")

    def after(self, before: sympy.Expr) -> sympy.Expr:
        return before.xreplace({self.letter: self.derivation.general})

    def prove(self, before: sympy.Expr) -> Verdict:
        if not before.has(self.letter):
            return refuted(f"{self.letter} does not occur in {shown(before)}, which stands before this link")
        outside = _outside(self.letter, self.derivation.general, strict=False)
        return outside or proved(f"{self.letter} is replaced by the result of {self.derivation.name}")


def _outside(letter: Letter, value: sympy.Expr, strict: bool) -> Verdict | None:
    """Refuted or undecided where a value was not shown to lie where the letter may; None where it was."""
    if not letter.is_nonnegative:
        return None
    allowed = prove_at_least(value, sympy.Integer(letter.at_least), strict=strict)
    if allowed.proved and letter.at_most is not None:
        within = prove_at_least(sympy.Integer(letter.at_most), value)
        reason = f"{letter} ({letter.meaning}) must be at most {letter.at_most}: {within.reason}"
        return None if within.proved else Verdict(within.outcome, reason, within.counterexample)
    if allowed.proved:
        return None
    least = f"at least {letter.at_least}" if letter.at_least else "positive" if strict else "0 or more"
    reason = f"{letter} ({letter.meaning}) must be {least}: {allowed.reason}"
    return Verdict(allowed.outcome, reason, allowed.counterexample)


class Approx(Step):
    """≈: another expression and a proved bound on |approx − exact|/exact, in a region where one is named.

    A step of a chain (the right side goes on) or a fact about the result.
    """

    relation = "≈"

    def __init__(
        self,
        right: sympy.Expr | int,
        error_at_most: sympy.Expr | int,
        because: str = "",
        where: Sequence[Relational] | Relational = (),
    ) -> None:
        super().__init__(because)
        self.right = expression(right, "Approx")
        self.error_at_most = expression(error_at_most, "Approx(error_at_most=…)")
        self.where = conditions(where)
        require(self.error_at_most, "dimensionless", "Approx(error_at_most=…)")

    def after(self, before: sympy.Expr) -> sympy.Expr:
        return self.right

    def error(self, exact: sympy.Expr) -> sympy.Expr:
        """(approx − exact)/exact, signed."""
        return sympy.cancel(sympy.together((self.right - exact).doit() / exact.doit()))

    def prove(self, before: sympy.Expr) -> Verdict:
        positive = prove_positive(before, self.where)
        if not positive.proved:
            reason = f"the exact value must be positive: {positive.reason}"
            refutes = positive.outcome == "refuted"
            return Verdict(positive.outcome, reason, positive.counterexample) if refutes else positive
        error = (self.right - before) / before
        for sign in (error, -error):
            names = (f"the bound {shown(self.error_at_most)}", "the error")
            verdict = prove_at_least(self.error_at_most, sign, self.where, names=names)
            if not verdict.proved:
                return verdict
        where = f" where {' and '.join(map(region_text, self.where))}" if self.where else ""
        return proved(f"|approx − exact|/exact ≤ {shown(self.error_at_most)}{where}")


class Bound(Step):
    """≤ or ≥: the chain goes on with a bound of the expression before."""

    def __init__(
        self,
        right: sympy.Expr | int,
        because: str = "",
        relation: str = "≤",
        where: Sequence[Relational] | Relational = (),
    ) -> None:
        super().__init__(because)
        if relation not in ("≤", "≥"):
            raise DeclarationError(f"Bound(relation={relation!r}): give '≤' or '≥'")
        self.relation = relation
        self.right = expression(right, "Bound")
        self.where = conditions(where)

    def after(self, before: sympy.Expr) -> sympy.Expr:
        return self.right

    def prove(self, before: sympy.Expr) -> Verdict:
        low, high = (before, self.right) if self.relation == "≤" else (self.right, before)
        return prove_at_least(high, low, self.where)


class Solve(Step):
    """solve: the letter before this link is where `left` equals `right`; `gives` is its value.

    Proved by substituting back; that it is the only one, because the equation is
    linear in the letter or its sides' difference only rises or only falls with it;
    and that it is positive in the region `where`.
    """

    relation = "solve"

    def __init__(
        self,
        letter: Letter,
        left: sympy.Expr,
        right: sympy.Expr,
        gives: sympy.Expr,
        because: str = "",
        where: Sequence[Relational] | Relational = (),
    ) -> None:
        super().__init__(because)
        self.letter = checked_letter(letter, "Solve")
        self.left, self.right = expression(left, "Solve"), expression(right, "Solve")
        self.gives = expression(gives, "Solve(gives=…)")
        self.where = conditions(where)
        if self.gives.has(letter):
            raise DeclarationError(
                f"Solve({letter}, gives={shown(self.gives)}): {letter} stands in its own value"
            )
        one, other = dimension_of(self.left), dimension_of(self.right)
        if one != other:
            raise DimensionError(
                f"Solve: the left side is {dimension_text(one)} and the right side {dimension_text(other)}"
            )

    def after(self, before: sympy.Expr) -> sympy.Expr:
        return self.gives

    def prove(self, before: sympy.Expr) -> Verdict:
        if before != self.letter:
            return refuted(f"{shown(before)} stands before this link, not {self.letter}")
        left, right = (side.xreplace({self.letter: self.gives}) for side in (self.left, self.right))
        back = prove_equal(left, right, self.where)
        if not back.proved:
            return Verdict(
                back.outcome, f"substituted back it does not satisfy: {back.reason}", back.counterexample
            )
        only = self._only()
        if only is None:
            return undecided(
                f"the equation is not linear in {self.letter}: the value may not be the only one"
            )
        positive = prove_positive(self.gives, self.where)
        if not positive.proved:
            return Verdict(
                positive.outcome, f"the value must be positive: {positive.reason}", positive.counterexample
            )
        return proved(f"it satisfies the equation when substituted back, and {only}")

    def _only(self) -> str | None:
        """Why no other positive value satisfies the equation; None where that was not shown."""
        difference = sympy.cancel(sympy.together(expanded(self.left - self.right).doit()))
        top, bottom = sympy.fraction(difference)
        if top.is_polynomial(self.letter) and sympy.degree(top, self.letter) == 1:
            return "the equation is linear"
        if not self.letter.is_positive or not one_sign(bottom):  # no pole between two values
            return None
        slope = difference.diff(self.letter)
        for sign, word in ((1, "rises"), (-1, "falls")):
            if prove_positive(sign * slope, self.where).proved:
                return f"left − right only {word} with {self.letter}"
        return None


class Minimise(Solve):
    """minimise: the letter before this link is where a formula is least; `gives` is its value.

    x·f′(x) is a difference of two sides with positive terms only; they are equal at the
    value, and their difference rises with x: f falls before it and rises behind it. Both
    are proved, so that the value is the one least point among all positive ones.
    """

    def __init__(
        self,
        letter: Letter,
        formula: sympy.Expr,
        gives: sympy.Expr,
        because: str = "",
        where: Sequence[Relational] | Relational = (),
    ) -> None:
        self.formula = expanded(expression(formula, "Minimise"))
        if not checked_letter(letter, "Minimise").is_positive or not self.formula.has(letter):
            raise DeclarationError(f"Minimise({letter}, …): give a formula of a positive letter {letter}")
        dimension_of(self.formula)
        terms = sympy.Add.make_args(sympy.expand(letter * self.formula.doit().diff(letter)))
        rising = [term for term in terms if term.is_positive]
        falling = [-term for term in terms if term.is_negative]
        if len(rising) + len(falling) < len(terms) or not rising or not falling:
            raise DeclarationError(
                f"Minimise({letter}, {shown(self.formula)}): give a sum of terms that rise and terms that fall "
                f"with {letter}"
            )
        super().__init__(letter, sympy.Add(*falling), sympy.Add(*rising), gives, because, where)

    def prove(self, before: sympy.Expr) -> Verdict:
        solved = super().prove(before)
        if not solved.proved:
            return solved
        rises = prove_positive((self.right - self.left).diff(self.letter), self.where)
        if not rises.proved:
            return Verdict(rises.outcome, f"it may not be the least: {rises.reason}", rises.counterexample)
        return proved(
            f"what falls and what rises with {self.letter} balance there, and only there: before it the formula "
            "falls, behind it it rises"
        )


def checked_letter(letter: object, kind: str) -> Letter:
    """The letter that a step or fact speaks of. Raises DeclarationError for anything else."""
    if not isinstance(letter, Letter):
        raise DeclarationError(f"{kind}({letter}, …): the first argument must be a letter")
    return letter


def conditions(where: Sequence[Relational] | Relational) -> tuple[Relational, ...]:
    """A region as a tuple of relations such as T >= d. Raises DeclarationError, DimensionError."""
    given = (where,) if isinstance(where, sympy.Basic | bool) else tuple(where)
    for condition in given:
        if not isinstance(condition, Relational):
            hint = " (it holds always: leave it out)" if condition in (True, sympy.true) else ""
            raise DeclarationError(
                f"region {condition!r}{hint}: give relations between letters, such as T >= d"
            )
        dimension_of(condition)
    return given
