"""Roots: the values of one letter at which a formula has a given result.

Each branch of Max and Min is solved by itself, and floor is solved at the edge
where its argument is whole. Rational branches become a polynomial in the letter:
degree 1 and 2 and pure powers have closed forms. A root counts only when it gives
the result back in the whole formula. Where no closed form is found and all else is
a number, roots are bracketed: the formula is below the result at one end and above
it at the other, both computed exactly, and no denominator vanishes in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import sympy
from sympy.core.relational import Relational

import units
from derive.powers import oversized
from derive.powers import value as value_of
from derive.proofs import Verdict, prove_equal
from derive.proofs.signs import region_words
from derive.proofs.verdict import proved, shown
from derive.rounding import quantity_text
from derive.symbols import Letter, without_units
from derive.total import expanded

_DIGITS = 12
_GRID = range(-40, 121)
_FINE = 100_000
_SIMPLE = 1000
_DEPTH = 10  # how often an interval with a pole is halved
_STEPS = (sympy.floor, sympy.ceiling)
_EXACT = "substituted back it gives the result exactly"

Numbers = dict[sympy.Symbol, sympy.Expr]


@dataclass(frozen=True)
class Root:
    """One value of the letter: its formula, its number where all letters are known, and the proof.

    value is in base units, exact where the formula is rational, else to 30 digits,
    or the middle of `bracket`, between whose ends the result is passed.
    """

    formula: sympy.Expr
    value: Fraction | None
    text: str
    verdict: Verdict
    bracket: tuple[Fraction, Fraction] | None = None


@dataclass
class Search:
    """The roots of formula = result for the letter `unknown`.

    regions: conditions that hold together where the formula has no value, with what is
    said of them. dropped: why what was found is no root, filled while roots are asked for.
    """

    formula: sympy.Expr
    unknown: Letter
    result: Letter
    regions: tuple[tuple[tuple[Relational, ...], str], ...] = ()
    dropped: list[str] = field(default_factory=list)

    def open(self) -> Iterator[Root]:
        """The roots as formulas, other letters left open; each holds where its branch does."""
        seen: list[sympy.Expr] = []
        for branch, taken in _branches(_smooth(self.formula)):
            for root in closed_forms(branch - self.result, self.unknown):
                if root in seen or root.is_negative:
                    continue
                seen.append(root)
                verdict = prove_equal(branch.xreplace({self.unknown: root}), self.result)
                if verdict.proved:
                    where = _where(taken, self.unknown, root, self.result)
                    yield Root(root, None, "", proved(f"{verdict.text}{where}{self._edge()}"))

    def numeric(self, target: Fraction, values: Mapping[Letter, Fraction]) -> Iterator[Root]:
        """The roots as numbers, all other letters known. values: theirs, in base units."""
        known = {letter: rational(value) for letter, value in values.items()}
        if (exponent := _too_fine(without_units(self.formula), known)) is not None:
            self.dropped.append(f"the exponent {float(exponent):.10g} has too many digits: give it with four")
            return
        seen: list[sympy.Expr] = []
        for branch, _ in _branches(_smooth(self.formula)):
            for root in closed_forms(branch - self.result, self.unknown):
                value = without_units(root).xreplace({**known, self.result: rational(target)})
                if root in seen or not self._counts(value, target, known):
                    continue
                seen.append(root)
                verdict = proved(f"{_EXACT}{self._edge()}{self._plateau(target, known)}")
                yield Root(root, _fraction(value), self._text(value), verdict)
        if not seen and not self.dropped:
            yield from self._bracketed(target, known)

    def _counts(self, value: sympy.Expr, target: Fraction, known: Numbers) -> bool:
        name = self.unknown.name
        if not value.is_finite or not value.is_real:
            self.dropped.append(f"no real {name} gives it")
        elif not value.is_positive:
            self.dropped.append(f"{name} would be {self._text(value)}, and it is above 0")
        elif value < self.unknown.at_least:
            self.dropped.append(
                f"{name} would be {self._text(value)}, and it is at least {self.unknown.at_least}"
            )
        elif self.unknown.at_most is not None and value > self.unknown.at_most:
            self.dropped.append(
                f"{name} would be {self._text(value)}, and it is at most {self.unknown.at_most}"
            )
        elif not self._gives_back(value, target, known):
            self.dropped.append(f"the result is another at {name} = {self._text(value)}")
        else:
            inside = [says for region, says in self.regions if self._holds(region, value, known)]
            self.dropped += inside
            return not inside
        return False

    def _gives_back(self, value: sympy.Expr, target: Fraction, known: Numbers) -> bool:
        """Substitute the value back into the whole formula, Max, Min and floor included."""
        plain = without_units(self.formula).xreplace(known)
        if oversized(plain, {self.unknown: value}) is not None:
            return False
        back = plain.xreplace({self.unknown: value}).doit() - rational(target)
        return bool(back == 0 or sympy.simplify(back) == 0)

    def _holds(self, region: tuple[Relational, ...], value: sympy.Expr, known: Numbers) -> bool:
        at = {**known, self.unknown: value}
        sides = [
            (one, without_units(one.lhs).xreplace(at), without_units(one.rhs).xreplace(at)) for one in region
        ]
        return all(one.func(left, right) == sympy.true for one, left, right in sides)

    def _edge(self) -> str:
        return "; it is the edge at which the argument of floor is whole" if self.formula.has(*_STEPS) else ""

    def _plateau(self, target: Fraction, known: Numbers) -> str:
        for branch, _ in _branches(self.formula):
            if not branch.has(self.unknown) and _number(branch, known) == rational(target):
                return f"; the result stays the same wherever it is {shown(branch)}"
        return ""

    def limits(self, target: Fraction, values: Mapping[Letter, Fraction]) -> str:
        """Why a Max or Min cannot have this result whatever the letter is, or ""."""
        known = {letter: rational(value) for letter, value in values.items()}
        ends = {sympy.Max: ("least", sympy.Gt), sympy.Min: ("most", sympy.Lt)}
        for kind, (word, beyond) in ends.items():
            for branch in self.formula.args if isinstance(self.formula, kind) else ():
                if (
                    not branch.has(self.unknown)
                    and beyond(_number(branch, known), rational(target)) == sympy.true
                ):
                    return f"the result is at {word} {shown(branch)}, whatever {self.unknown.name} is"
        return ""

    def _bracketed(self, target: Fraction, known: Numbers) -> Iterator[Root]:
        """Values between two ends at which the formula lies on different sides of the result."""
        plain = without_units(self.formula).xreplace(known)
        if plain.has(*_STEPS, sympy.Piecewise):
            return
        most = self.unknown.at_most
        grid = [at for at in (Fraction(2) ** power for power in _GRID) if most is None or at <= most]
        for at in grid:
            if self._side(plain, target, at) == 0:
                yield self._met(at)
        for start, end in pairwise(grid):
            for low, high in _between_poles(plain, self.unknown, start, end):
                left, right = (self._side(plain, target, at) for at in (low, high))
                if left is not None and right is not None and left * right < 0:
                    yield self._halved(plain, target, low, high, left)

    def _halved(self, plain: sympy.Expr, target: Fraction, low: Fraction, high: Fraction, left: int) -> Root:
        while high - low > low / 10**_DIGITS:  # halved each time: at most 40 rounds
            middle = (low + high) / 2
            low, high = (middle, high) if self._side(plain, target, middle) == left else (low, middle)
        near = ((low + high) / 2).limit_denominator(_SIMPLE)
        if near > 0 and self._side(plain, target, near) == 0:
            return self._met(near)
        middle = (low + high) / 2
        ends = f"{float(low):.15g} and {float(high):.15g}"
        verdict = proved(f"the result lies between the formula's values at {ends}")
        return Root(
            self.unknown,
            middle,
            quantity_text(self._amount(middle), self.unknown.unit, 6),
            verdict,
            (low, high),
        )

    def _met(self, value: Fraction) -> Root:
        return Root(
            rational(value), value, quantity_text(self._amount(value), self.unknown.unit, 6), proved(_EXACT)
        )

    def _side(self, plain: sympy.Expr, target: Fraction, at: Fraction) -> int | None:
        """The sign of the formula minus the result; None where there is none."""
        point = {self.unknown: rational(at)}
        if oversized(plain, point) is not None:
            return None
        gap = value_of(plain, {self.unknown: rational(at)}) - rational(target)
        if not gap.is_Rational:
            gap = gap.evalf(40)
        return int(sympy.sign(gap)) if gap.is_Float or gap.is_Rational else None

    def _amount(self, value: Fraction) -> Fraction:
        return value / units.factor(self.unknown.unit)[0]

    def _text(self, value: sympy.Expr) -> str:
        return quantity_text(self._amount(_fraction(value)), self.unknown.unit, 6)


def closed_forms(equation: sympy.Expr, unknown: Letter) -> list[sympy.Expr]:
    """Where a rational equation of degree 1 or 2 or a pure power is zero; [] for others."""
    top = sympy.fraction(sympy.cancel(sympy.together(expanded(equation).doit())))[0]
    if not top.is_polynomial(unknown):
        return []
    coefficients = sympy.Poly(top, unknown).all_coeffs()
    degree = len(coefficients) - 1
    if degree < 1:
        return []
    if degree == 1:
        return [sympy.factor(-coefficients[1] / coefficients[0])]
    if not any(coefficients[1:-1]):
        return [sympy.simplify((-coefficients[-1] / coefficients[0]) ** sympy.Rational(1, degree))]
    if degree == 2:
        a, b, c = coefficients
        root = sympy.sqrt(sympy.factor(b**2 - 4 * a * c))
        return [sympy.simplify((-b + sign * root) / (2 * a)) for sign in (1, -1)]
    return []


def rational(value: Fraction) -> sympy.Rational:
    """The same number in SymPy."""
    return sympy.Rational(value.numerator, value.denominator)


_Taken = tuple[tuple[sympy.Expr, sympy.Expr, bool], ...]
"""The branches taken: the one, another, and whether the one is the larger."""


def _branches(formula: sympy.Expr, taken: _Taken = ()) -> list[tuple[sympy.Expr, _Taken]]:
    node = next((n for n in sympy.preorder_traversal(formula) if isinstance(n, sympy.Max | sympy.Min)), None)
    if node is None:
        return [(formula, taken)]
    larger = isinstance(node, sympy.Max)
    return [
        found
        for chosen in node.args
        for found in _branches(
            formula.xreplace({node: chosen}),
            taken + tuple((chosen, other, larger) for other in node.args if other != chosen),
        )
    ]


def _too_fine(formula: sympy.Expr, known: Numbers) -> sympy.Rational | None:
    """An exponent that is a fraction of such large numbers that its roots cannot be written out; None without."""
    there = (node.exp.xreplace(known).doit() for node in formula.atoms(sympy.Pow))
    return next((one for one in there if one.is_Rational and max(abs(one.p), one.q) > _FINE), None)


def _where(taken: _Taken, unknown: Letter, root: sympy.Expr, result: Letter) -> str:
    """Where the branches taken are the ones: ", where Q/W ≤ t"."""
    conditions = []
    for chosen, other, larger in taken:
        left, right = (sympy.factor(side.xreplace({unknown: root})) for side in (other, chosen))
        if sympy.cancel(right - result) == 0:
            right = result
        relation = sympy.Le if larger else sympy.Ge
        conditions.append(relation(left, right, evaluate=False))
    return f", where {region_words(conditions)}" if conditions else ""


def _smooth(formula: sympy.Expr) -> sympy.Expr:
    """The formula with the arguments of floor and ceiling in their place, as at their edges."""
    return formula.replace(lambda node: isinstance(node, _STEPS), lambda node: node.args[0])


def _between_poles(
    plain: sympy.Expr, unknown: Letter, low: Fraction, high: Fraction, depth: int = 0
) -> Iterator[tuple[Fraction, Fraction]]:
    """The interval, or the parts of it in which no denominator vanishes."""
    if not _poles(plain, unknown, low, high):
        yield low, high
    elif depth < _DEPTH:
        middle = (low + high) / 2
        yield from _between_poles(plain, unknown, low, middle, depth + 1)
        yield from _between_poles(plain, unknown, middle, high, depth + 1)


def _poles(plain: sympy.Expr, unknown: Letter, low: Fraction, high: Fraction) -> bool:
    """Whether a denominator may vanish between two values."""
    for branch, _ in _branches(plain):
        below = sympy.fraction(sympy.together(branch))[1]
        if below.is_polynomial(unknown):
            if sympy.Poly(below, unknown).count_roots(rational(low), rational(high)):
                return True
        elif not below.is_positive:
            return True
    return False


def _number(expression: sympy.Expr, known: Numbers) -> sympy.Expr:
    return without_units(expression).xreplace(known).doit()


def _fraction(value: sympy.Expr) -> Fraction:
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else Fraction(str(value.evalf(30)))
