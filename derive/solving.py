"""The inverse of a formula: which value of a letter gives a result.

A letter that stands in a formula below (T in the cache that a decode step reads)
is reached by putting that formula in. A solution counts only when it is positive
and gives the result back when substituted: by algebra where letters are left open,
exactly where all are numbers. How roots are found is in `derive.roots`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import sympy
from sympy.core.function import AppliedUndef

from derive.catalogue import get
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.evaluation import Question, entries
from derive.facts import Ceiling
from derive.filling import Context, Filled, Given, read
from derive.proofs.verdict import shown
from derive.roots import Root, Search
from derive.suggest import nearest
from derive.symbols import Letter, letters_of, quantity
from derive.total import expanded

__all__ = ["Root", "Solution", "solve", "solve_derivation"]


@dataclass(frozen=True)
class Solution:
    """The values of a letter that give the result; `none` says why there is none.

    equals: the result asked for as text, or "" where it is left open. inputs: the
    other letters' values and where they came from.
    """

    derivation: Derivation
    letter: Letter
    equals: str
    formula: sympy.Expr
    roots: tuple[Root, ...]
    inputs: tuple[Filled, ...]
    conventions: Mapping[str, str]
    none: str = ""


def solve(
    id: str,
    letter: str,
    equals: object = None,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
) -> Solution:
    """Solve a formula for one of its letters.

    equals: the result, as text with a unit or a plain number; left open where
    None. Other letters are filled as `evaluate` fills them and stay open where
    nothing does. Raises DeriveError for an unknown letter or a wrong unit.
    """
    return solve_derivation(get(id), letter, equals, given, on, model, conventions, hardware)


def solve_derivation(
    derivation: Derivation,
    letter: str,
    equals: object = None,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
) -> Solution:
    """`solve` for a derivation at hand."""
    context = Context(given or {}, *entries(on, model, hardware), conventions or {})
    if letter in context.given:
        raise DeriveError(f"{letter} is both given and asked for: leave one out")
    question = Question(derivation, context)
    derivation = question.derivation
    formula = _containing(question, letter)
    if formula.has(AppliedUndef):
        raise DeriveError(f"{derivation.name} is computed case by case: it cannot be solved for {letter}")
    unknown, formula = _named(derivation, formula, letter)
    result = quantity(_fresh(derivation.letter, formula), derivation.title, derivation.unit)
    others = [other for other in letters_of(formula) if other != unknown]
    inputs, _ = question.fill(others, partly=True)
    question.check_given()
    target = None if equals is None else read(result, equals)
    if target is not None:
        _check_ceilings(derivation, target)
    regions = tuple((fact.when, fact.says) for fact in derivation.no_solution)
    search = Search(formula, unknown, result, regions)
    values = {filled.letter: filled.value for filled in inputs}
    complete = target is not None and len(inputs) == len(others)
    roots = tuple(search.numeric(target, values) if complete and target is not None else search.open())
    why = "" if roots else _why_none(search, target if complete else None, values, equals)
    return Solution(
        derivation,
        unknown,
        "" if equals is None else str(equals),
        formula,
        roots,
        tuple(inputs),
        dict(context.in_force),
        why,
    )


def _containing(question: Question, name: str) -> sympy.Expr:
    """The formula, with those below put in that depend on the letter, and before it if a default was put for it."""
    derivation = question.derivation
    formula = _opened(question, question.formula, name)
    if all(letter.name != name for letter in letters_of(formula)):
        earlier = _opened(question, derivation.general, name)
        if any(letter.name == name for letter in letters_of(earlier)):
            return earlier
    return formula


def _opened(question: Question, formula: sympy.Expr, name: str) -> sympy.Expr:
    below: dict[sympy.Symbol, sympy.Expr] = {}
    for letter in letters_of(formula):
        if letter.name == name or not letter.filled_by or letter in question.derivation.defaults:
            continue
        if question.context.fill(letter) is not None:
            continue
        inner = Question(get(letter.filled_by), question.context, question.above)
        found = _opened(inner, inner.formula, name)
        if any(one.name == name for one in letters_of(found)):
            below[letter] = found
    return expanded(formula).xreplace(below) if below else formula


def _named(derivation: Derivation, formula: sympy.Expr, name: str) -> tuple[Letter, sympy.Expr]:
    """The letter of this name, and the formula in which all letters of the name are that one."""
    found = [letter for letter in letters_of(formula) if letter.name == name]
    if len({letter.unit for letter in found}) > 1:
        meanings = " and ".join(f"{letter.meaning} in {letter.unit}" for letter in found)
        raise DeriveError(f"{name} stands for {meanings} in {derivation.name}: it cannot be solved for")
    if found:
        first = max(found, key=lambda letter: letter.at_least)
        return first, formula.xreplace(dict.fromkeys(found, first))
    if any(letter.name == name for letter in derivation.all_letters):
        raise DeriveError(f"{name} does not occur in the result of {derivation.name}: it cancels")
    known = {letter.name: letter for letter in letters_of(formula)}
    raise DeriveError(
        f"{derivation.name} has no letter {name!r}{nearest(name, known)}: it has {', '.join(known)}"
    )


def _fresh(name: str, formula: sympy.Expr) -> str:
    taken = {symbol.name for symbol in formula.free_symbols}
    name = name if name.isascii() and name.isidentifier() else "y"
    while name in taken:
        name += "_0"
    return name


def _check_ceilings(derivation: Derivation, target: Fraction) -> None:
    for fact in derivation.facts:
        if isinstance(fact, Ceiling) and target > Fraction(int(fact.limit.p), int(fact.limit.q)):
            raise DeriveError(
                f"{derivation.name} is at most {shown(fact.limit)}: {fact.because}; give --equals below it"
            )


def _why_none(
    search: Search, target: Fraction | None, values: Mapping[Letter, Fraction], equals: object
) -> str:
    name = search.unknown.name
    if target is None:
        return f"no closed form for {name}: give every other letter and --equals, and it is bracketed"
    if isinstance(search.formula, sympy.floor | sympy.ceiling) and target.denominator != 1:
        return f"the result is a whole number, and {equals} is not"
    reasons = [one for one in (search.limits(target, values), *dict.fromkeys(search.dropped)) if one]
    if reasons:
        return reasons[0]
    return f"no {name} between 2^-40 and 2^120 was found that gives {equals}"
