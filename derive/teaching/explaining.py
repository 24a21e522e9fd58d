"""Why a link holds, or the smallest numbers at which it does not, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

import sympy
from sympy.core.relational import Relational

from derive.computed import Computed
from derive.derivation import Derivation, Link
from derive.facts import Identity, Inequality, Limit, SpecialCase
from derive.proofs import prove_equal
from derive.proofs.points import holds, value_at
from derive.proofs.verdict import Verdict, shown
from derive.rounding import significant
from derive.steps import Approx, Bound, Equal
from derive.symbols import Letter, UnitSymbol, letters_of, without_units

_POINTS = 400
_SMALL = range(1, 6)
_FAR = (10, 1000, 100_000)
_HOLDS = {"=": "≠", "≤": ">", "≥": "<", "<": "≥", ">": "≤", "≈": "≠"}


@dataclass(frozen=True)
class Explained:
    """A link and a sentence on it."""

    link: Link
    says: str


@dataclass(frozen=True)
class _Sides:
    """What a link claims of two expressions, in a region."""

    left: sympy.Expr
    relation: str
    right: sympy.Expr
    where: tuple[Relational, ...] = ()
    names: tuple[str, str] = ("the left side", "the right side")

    def fails(self, left: sympy.Expr, right: sympy.Expr) -> bool:
        """Whether the claim fails for these two numbers."""
        relation = {"=": sympy.Eq, "≤": sympy.Le, "≥": sympy.Ge, "<": sympy.Lt, ">": sympy.Gt}[self.relation]
        return bool(relation(left, right) == sympy.false)


def explain(derivation: Derivation) -> Iterator[Explained]:
    """Every link of a derivation, proved now, with why it holds or where it fails."""
    links = derivation.links()
    for link in islice(links, len(derivation.checks) if isinstance(derivation, Computed) else 0):
        yield Explained(link, _plain(link))
    for before, step in zip(derivation.chain, derivation.steps, strict=False):
        yield _explained(next(links), _sides_of_step(step, before))
    for fact in derivation.facts:
        link = next(links)
        if isinstance(fact, Limit) and link.verdict.outcome == "refuted":
            yield Explained(link, _limit(fact, derivation.result, link))
        else:
            yield _explained(link, _sides_of_fact(fact, derivation.result))
    for link in links:
        yield Explained(link, _plain(link))


def _plain(link: Link) -> str:
    if link.verdict.proved:
        return f"It holds: {link.verdict.text}."
    if link.verdict.outcome == "refuted":
        return f"It does not hold: {link.verdict.text}."
    return f"It is not decided: {link.verdict.text}."


def _explained(link: Link, sides: _Sides | None) -> Explained:
    if link.verdict.outcome != "refuted" or sides is None:
        return Explained(link, _plain(link))
    found = _smallest(sides)
    told = _plain(link) if found is None else f"It does not hold: {found}."
    return Explained(link, f"{told}{_factor(sides)}")


def compared(
    left: sympy.Expr, right: sympy.Expr, names: tuple[str, str] = ("the left side", "the right side")
) -> tuple[Verdict, str]:
    """Whether two amounts are equal, with why or with the smallest numbers at which they are not."""
    verdict = prove_equal(left, right)
    link = Link("", "=", "", "", verdict, 0.0)
    return verdict, _explained(link, _Sides(left, "=", right, names=names)).says


def _sides_of_step(step: object, before: sympy.Expr) -> _Sides | None:
    if isinstance(step, Equal):
        return _Sides(before, "=", step.right)
    if isinstance(step, Bound):
        return _Sides(before, step.relation, step.right, step.where)
    if isinstance(step, Approx):
        return _error(step, before)
    return None


def _sides_of_fact(fact: object, result: sympy.Expr) -> _Sides | None:
    if isinstance(fact, Approx):
        return _error(fact, result)
    if isinstance(fact, Inequality):
        return _Sides(fact.left, fact.relation, fact.right, fact.where)
    if isinstance(fact, Identity):
        return _Sides(fact.left, "=", fact.right)
    if isinstance(fact, SpecialCase):
        return _Sides(fact.subject(result).xreplace(dict(fact.put)), "=", fact.value)
    return None


def _error(step: Approx, exact: sympy.Expr) -> _Sides:
    error = sympy.Abs((step.right - exact) / exact)
    return _Sides(error, "≤", step.error_at_most, step.where, ("the error", "the bound"))


def _smallest(sides: _Sides) -> str | None:
    """The smallest whole numbers at which the claim fails, with both sides there."""
    symbols = _symbols(sides)
    units = {one: sympy.Integer(1) for one in _atoms(sides)}
    for values in _small_points(symbols):
        point = {**dict(zip(symbols, values, strict=True)), **units}
        if not all(holds(condition, point) for condition in sides.where):
            continue
        left, right = value_at(sides.left, point), value_at(sides.right, point)
        if left is None or right is None or not (left.is_Rational and right.is_Rational):
            continue
        if sides.fails(left, right):
            where = _words([f"{one.name} = {value}" for one, value in zip(symbols, values, strict=True)])
            sign = _HOLDS[sides.relation]
            numbers = f"{sides.names[0]} is {_number(left)} and {sides.names[1]} {_number(right)}"
            return f"for {where} {numbers}, and {_number(left)} {sign} {_number(right)}" if where else numbers
    return None


def _symbols(sides: _Sides) -> list[Letter]:
    found = {letter for part in (sides.left, sides.right, *sides.where) for letter in letters_of(part)}
    return sorted(found, key=lambda letter: letter.name)


def _atoms(sides: _Sides) -> set[UnitSymbol]:
    parts = (sides.left, sides.right, *sides.where)
    return {symbol for part in parts for symbol in part.atoms(UnitSymbol)}


def _small_points(symbols: Sequence[Letter]) -> list[tuple[sympy.Integer, ...]]:
    """Small whole numbers for the letters, those of the smallest sum first; their number is bounded."""
    tried = islice(product(_SMALL, repeat=min(len(symbols), 6)), _POINTS * 40)
    points = sorted(tried, key=lambda values: (sum(values), values))[:_POINTS]
    wide = len(symbols) - 6
    return [
        tuple(
            sympy.Integer(max(value, symbol.at_least))
            for value, symbol in zip((*values, *([1] * wide)), symbols, strict=True)
        )
        for values in points
    ]


def _number(value: sympy.Rational) -> str:
    if value.is_Integer or value.q < 1000:
        return str(value)
    return significant(Fraction(int(value.p), int(value.q)))


def _words(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _factor(sides: _Sides) -> str:
    """What helps most: that one side is a plain multiple of the other."""
    if sides.relation != "=":
        return ""
    left, right = (without_units(side.doit()) for side in (sides.left, sides.right))
    if left == 0:
        return ""
    ratio = sympy.cancel(sympy.together(right / left))
    if not ratio.is_Rational or ratio in (0, 1):
        return ""
    one, other = sides.names
    factor = max(ratio, 1 / ratio)
    return (
        f" {other[:1].upper()}{other[1:]} is {ratio} times {one} for all values: look for a factor {factor}."
    )


def _limit(fact: Limit, result: sympy.Expr, link: Link) -> str:
    """The values on the way to a limit that is not reached."""
    told = _plain(link)
    subject = fact.subject(result).xreplace(dict(fact.put))
    if fact.to != sympy.oo or len(fact.letters) != 1 or not subject.has(fact.letters[0]):
        return told
    letter = fact.letters[0]
    others = [one for one in letters_of(subject) if one != letter]
    point = {symbol: sympy.Integer(1) for symbol in (subject + fact.value).atoms(UnitSymbol)}
    point |= {one: sympy.Integer(max(2, one.at_least)) for one in others}
    values = [value_at(subject, {**point, letter: sympy.Integer(far)}) for far in _FAR]
    due = value_at(fact.value, point)
    if due is None or None in values or not all(value.is_Rational for value in (*values, due)):
        return told
    way = ", ".join(
        f"{_number(value)} at {letter.name} = {far}" for value, far in zip(values, _FAR, strict=True)
    )
    where = f"with {_words([f'{one.name} = {point[one]}' for one in others])} " if others else ""
    return f"It does not hold: {where}it is {way}, and {shown(fact.value)} is {_number(due)}."
