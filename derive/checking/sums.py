"""Columns that are sums and differences of others, running sums, or another column and a constant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from math import exp, log2

from derive.checking.evidence import Span, agreement, fits, held_to, information
from derive.checking.relation import Budget, Relation, Sheet
from derive.checking.terms import Bound, Constant, Term, gathered, running, unit_of

_MEAN = re.compile(r"\b(?:mean|averages?|avg)\b", re.IGNORECASE)
_FEWEST, _PARTS = 3, 8


def relations(target: Term, given: Sheet, budget: Budget) -> Iterator[Relation]:
    """The sums that a column may be."""
    alike = [
        one
        for one in given.terms
        if one is not target
        and one.dimension == target.dimension
        and (target.dimension or unit_of(one) == unit_of(target))
    ]
    tried = [*_runs(target, alike), *_pairs(alike)]
    tried += [((one,), (1,)) for term in alike for one in running(term)]
    means = _MEAN.search(target.says) is not None
    if tried and budget.spend(len(tried)):
        spent = log2(len(tried))
        for terms, signs in tried:
            found = _judged(target, terms, signs, spent, many=len(terms) if means and min(signs) > 0 else 1)
            if found is not None:
                yield found
    if alike and budget.spend(len(alike)):
        for term in alike:
            found = _judged(target, (term,), (1,), log2(len(alike)), shifted=True)
            if found is not None:
                yield _named(found, (*given.near, *given.constants))


def _named(found: Relation, constants: Sequence[Constant]) -> Relation:
    """A column and a constant, with the constant that the text beside the table tells."""
    low, _, high = found.value(found.rows[0])
    part = found.sources[0].bounds[found.rows[0]]
    if part is None:
        return found
    for one in constants:
        value = exp((one.span[0] + one.span[1]) / 2)
        if one.dimension == found.target.dimension != () and low - part[0] <= value <= high - part[2]:
            return replace(found, kind="text", says=found.says.replace("a constant", one.says))
    return found


def _runs(target: Term, alike: Sequence[Term]) -> Iterator[tuple[tuple[Term, ...], tuple[int, ...]]]:
    """Three columns or more that stand together right before the target, or right behind it; or all of them."""
    told = [
        (term.column.place, term) for term in alike if term.column is not None and target.column is not None
    ]
    own = -1 if target.column is None else target.column.place
    before = [term for place, term in sorted(told, key=lambda one: one[0]) if place < own]
    behind = [term for place, term in sorted(told, key=lambda one: one[0]) if place > own]
    runs = [tuple(before[-many:]) for many in range(3, min(len(before), _PARTS) + 1)]
    runs += [tuple(behind[:many]) for many in range(3, min(len(behind), _PARTS) + 1)]
    if before and behind and 3 <= len(alike) <= _PARTS:
        runs.append(tuple(alike))
    for terms in runs:
        yield terms, (1,) * len(terms)


def _pairs(alike: Sequence[Term]) -> Iterator[tuple[tuple[Term, ...], tuple[int, ...]]]:
    for (place, one), (behind, other) in permutations(enumerate(alike), 2):
        yield (one, other), (1, -1)
        if place < behind:
            yield (one, other), (1, 1)


def _judged(
    target: Term,
    terms: tuple[Term, ...],
    signs: tuple[int, ...],
    spent: float,
    shifted: bool = False,
    many: int = 1,
) -> Relation | None:
    """The sum that the rows bear out, if they do; shifted: up to a constant; many: by how much it is divided."""
    rows: list[int] = []
    spans: list[Span] = []
    wide: list[Span] = []
    off = 0
    columns = [(term.bounds, sign) for term, sign in zip(terms, signs, strict=True)]
    for row, (own, near) in enumerate(zip(target.claimed, target.rounded, strict=True)):
        if own is None or near is None:
            continue
        low = high = 0.0
        for column, sign in columns:
            part = column[row]
            if part is None:
                break
            low, high = (low - part[2], high - part[0]) if sign > 0 else (low + part[0], high + part[2])
        else:
            rows.append(row)
            wide.append((many * own[0] + low, many * own[2] + high))
            spans.append((many * near[0] + low, many * near[2] + high))
            off += not shifted and not wide[-1][0] <= 0 <= wide[-1][1]
            if off > 1:
                return None
    if len(rows) < _FEWEST:
        return None
    met = fits(spans, wide) if shifted else []
    fit = (met[0] if len(met) == 1 else None) if shifted else held_to(wide, 0.0)
    if fit is None or (shifted and fit.span[0] <= 0 <= fit.span[1]):
        return None
    values = [own[1] for row in rows if (own := target.claimed[row]) is not None]
    spread = max(values) - min(values)
    said: list[float] = []
    seen: set[tuple[float, ...]] = set()
    for at, row in enumerate(rows):
        own, number = target.claimed[row], target.numbers[row]
        if at == fit.wrong or own is None or number is None:
            continue
        given = [part[1] for term in terms if (part := term.bounds[row]) is not None]
        told = (own[1], *given)
        if told in seen or (len(terms) > 1 and own[1] in given):
            continue  # told once more, or the rest is nothing
        seen.add(told)
        size = spread if len(terms) == 1 else sorted(map(abs, given))[-2]
        width = (spans[at][1] - spans[at][0]) / size if size else 1.0
        said.append(min(agreement(width), information(number.quantity.literal.digits)))
    if len(said) < 2:
        return None
    cost = max(said) if shifted else 0.0
    value = _value(terms, signs, fit.span, many)
    return Relation(
        target,
        terms,
        _told(signs, shifted, many),
        tuple(rows),
        sum(said) - cost - spent,
        None if fit.wrong is None else rows[fit.wrong],
        value,
        _needed(target, terms, signs, value, many),
        "free" if shifted else "one",
        not shifted,
    )


def _told(signs: Sequence[int], shifted: bool, many: int) -> str:
    text = "".join(
        (" + " if sign > 0 else " - ") * bool(at or sign < 0) + f"{{{at}}}" for at, sign in enumerate(signs)
    )
    if many > 1:
        return f"({text}) / {many}"
    return f"{text} and a constant" if shifted else text


def _value(terms: Sequence[Term], signs: Sequence[int], span: Span, many: int) -> Callable[[int], Bound]:
    def value(row: int) -> Bound:
        low, mid, high = gathered(span, [term.bounds[row] for term in terms], signs)
        return low / many, mid / many, high / many

    return value


def _needed(
    target: Term, terms: Sequence[Term], signs: Sequence[int], value: Callable[[int], Bound], many: int
) -> Callable[[int, int], float]:
    def needed(row: int, index: int) -> float:
        own, source = target.bounds[row], terms[index].bounds[row]
        if own is None or source is None:
            return 0.0
        return source[1] + signs[index] * many * (own[1] - value(row)[1])

    return needed
