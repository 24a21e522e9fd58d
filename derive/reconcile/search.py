"""The search for what turns our number into somebody's.

Every way in which the number could have been made differently is a slip with a
cost; one slip and pairs of slips are tried, those that land within the claim's
digits are kept, simplest first. A pair of which one slip alone explains the
claim is dropped, and so is a pair that leaves our number as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, Protocol

from derive.reconcile.claim import Claim
from derive.reconcile.slips import Slip, of_result

_PAIR = 0.6
_SHOWN = 12
_REACH = 2.0  # how much dearer than the best an explanation may be
_PAIRS = 20_000
_FAR = 15.0  # what a value at the edge of loose digits costs, by its relative distance


class Computable(Protocol):
    """A quantity as a function of numbers under keys of its own, which can also be told with changes."""

    def base(self) -> dict[Any, float]: ...

    def function(self) -> Callable[[Mapping[Any, float]], float | None]: ...

    def told(self, changed: Mapping[Any, float], factor: str) -> str: ...


@dataclass(frozen=True)
class Change:
    """A slip applied: the inputs or weights that it replaces, or the factor by which it changes the result."""

    slip: Slip
    replaced: Mapping[Any, float] = field(default_factory=dict)
    factor: float = 1.0


@dataclass(frozen=True)
class Form:
    """One way to compute the quantity: as asked (no slip), or under another convention."""

    slip: Slip | None
    opened: Computable
    value: float


@dataclass(frozen=True)
class Explanation:
    """A cause, the sentence that tells it with the formula that gives the number, and that number as text."""

    cause: str
    says: str
    value: str
    cost: float

    def as_json(self) -> dict[str, Any]:
        return {"cause": self.cause, "says": self.says, "value": self.value}


def explain(
    forms: Sequence[Form],
    claim: Claim,
    changes_of: Callable[[Form], Sequence[Change]],
) -> list[Explanation]:
    """The explanations that fit, simplest first, at most twelve."""
    found: list[tuple[float, Explanation]] = []
    for form in forms:
        found += _of_form(form, forms[0].value, claim, list(changes_of(form)))
    found.sort(key=lambda pair: pair[0])
    told: set[str] = set()
    kept = []
    for _, explanation in found:
        if explanation.says not in told and explanation.cost <= found[0][0] + _REACH:
            told.add(explanation.says)
            kept.append(explanation)
    return kept[:_SHOWN]


def _of_form(
    form: Form, ours: float, claim: Claim, changes: list[Change]
) -> Iterator[tuple[float, Explanation]]:
    value = form.opened.function()
    base = form.opened.base()
    own = [form.slip] if form.slip else []
    if form.slip and claim.fits(form.value):
        yield _told(form, claim, own, [], form.value)
        return
    results = [Change(slip, factor=slip.value) for slip in of_result(claim)] if form.value else []
    everything = changes + results
    lone = []
    for change in everything:
        got = _value(value, base, form.value, (change,))
        if got is None:
            continue
        if claim.fits(got) and not _same(got, ours):
            yield _told(form, claim, [*own, change.slip], [change], got)
        else:
            lone.append(change)
    if form.slip:
        return  # a convention and one slip are two already
    for one, other in list(combinations(lone, 2))[:_PAIRS]:
        if one.replaced.keys() & other.replaced.keys() or one.slip.cause == other.slip.cause == "prefix":
            continue
        got = _value(value, base, form.value, (one, other))
        if got is not None and claim.fits(got) and not _same(got, ours):
            yield _told(form, claim, [one.slip, other.slip], [one, other], got)


def _value(
    value: Callable[[Mapping[Any, float]], float | None],
    base: dict[Any, float],
    unchanged: float,
    changes: tuple[Change, ...],
) -> float | None:
    replaced: dict[Any, float] = {}
    factor = 1.0
    for change in changes:
        replaced.update(change.replaced)
        factor *= change.factor
    got = value({**base, **replaced}) if replaced else unchanged
    return None if got is None else got * factor


def _same(value: float, ours: float) -> bool:
    return abs(value - ours) <= abs(ours) * 1e-12


def _told(
    form: Form, claim: Claim, slips: Sequence[Slip], changes: Sequence[Change], got: float
) -> tuple[float, Explanation]:
    cost = sum(slip.cost for slip in slips) + _PAIR * (len(slips) - 1)
    cost += _FAR * abs(got / float(claim.value) - 1)
    cause = " and ".join(dict.fromkeys(slip.cause for slip in slips))
    says = ", and ".join(slip.says for slip in slips)
    return cost, Explanation(
        cause, f"{says}: {_formula(form, changes)} gives {claim.shown(got)}", claim.shown(got), cost
    )


def _formula(form: Form, changes: Sequence[Change]) -> str:
    """The formula that gives the number: rows dropped, inputs replaced, factors in front."""
    replaced = {key: value for change in changes for key, value in change.replaced.items()}
    factor = math.prod(change.factor for change in changes)
    return form.opened.told(replaced, "" if factor == 1 else _factor_text(factor))


def _factor_text(factor: float) -> str:
    """A factor as a short fraction, or to six digits."""
    near = Fraction(factor).limit_denominator(1000)
    if near and abs(float(near) / factor - 1) < 1e-12:
        return str(near)
    return f"{factor:.6g}"
