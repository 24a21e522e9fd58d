"""The search for what turns our number into somebody's.

Every way in which the number could have been made differently is a slip with a
cost; one slip and pairs of slips are tried, those that land within the claim's
digits are kept, simplest first. A pair of which one slip alone explains the
claim is dropped, and so is a pair that leaves our number as it was. The fewer
digits a claim has, the simpler must be what explains it: many pairs come near 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Protocol

from derive.reconcile.claim import Claim
from derive.reconcile.slips import Slip, of_result

_PAIR = 0.6
_SIMPLE, _DIGIT = 2.6, 0.5  # what a pair may cost, and how much more by each digit of the claim
_SHOWN = 10
_ALTERNATIVES = 3
_REACH = 1.5  # how much dearer than the best an explanation may be
_PAIRS = 12_000
_FAR = 15.0  # what a value at the edge of loose digits costs, by its relative distance
_NEAR = 0.01  # a pair of slips must come as near as this, however loose the digits are


class Computable(Protocol):
    """A quantity as a function of numbers under keys of its own.

    told: the formula with changes written in, and what stands behind it (the letters changed) or "".
    """

    def base(self) -> dict[Any, float]: ...

    def function(self) -> Callable[[Mapping[Any, float]], float | None]: ...

    def told(self, changed: Mapping[Any, float], shown: Mapping[Any, str]) -> tuple[str, str]: ...


@dataclass(frozen=True)
class Change:
    """A slip applied: the inputs or weights that it replaces, or what it does to the result.

    after: the result from the unchanged one; wrap: how that is written, with {} for
    the formula. Without either the factor stands in front. last: it is made with the
    number when all else is done, and is no half of a pair.
    """

    slip: Slip
    replaced: Mapping[Any, float] = field(default_factory=dict)
    factor: float = 1.0
    last: bool = False
    after: Callable[[float], float] | None = None
    wrap: str = "{}"

    def result(self, value: float) -> float | None:
        """The result with this slip, from the value of the changed formula."""
        try:
            return value * self.factor if self.after is None else self.after(value)
        except ZeroDivisionError:
            return None


@dataclass(frozen=True)
class Form:
    """One way to compute the quantity: as asked (no slip), or under another convention.

    alone: it is held against the claim as it is, without further slips.
    """

    slip: Slip | None
    opened: Computable
    value: float
    alone: bool = False


@dataclass(frozen=True)
class Explanation:
    """A cause, the sentence that tells it with the formula that gives the number, and that number as text.

    slips: how many slips make the cause.
    """

    cause: str
    says: str
    value: str
    cost: float
    slips: int = 1

    def as_json(self) -> dict[str, Any]:
        """The explanation as `derive reconcile --json` prints it."""
        return {"cause": self.cause, "says": self.says, "value": self.value}


@dataclass(frozen=True)
class _Found:
    """A way that fits: its cost and value, and what tells it."""

    cost: float
    value: float
    slips: tuple[Slip, ...]
    formula: Callable[[], str]

    @property
    def generic(self) -> bool:
        return any(slip.generic for slip in self.slips)

    @property
    def group(self) -> tuple[str, ...]:
        return tuple(sorted(slip.group or slip.cause + slip.says for slip in self.slips))


def explain(
    forms: Sequence[Form],
    claim: Claim,
    changes_of: Callable[[Form], Sequence[Change]],
) -> list[Explanation]:
    """The explanations that fit, simplest first, at most ten."""
    most = _SIMPLE - _DIGIT * math.log10(max(claim.width, 1e-9))
    ways = (way for form in forms for way in _of_form(form, forms[0].value, claim, changes_of))
    found = sorted((way for way in ways if way.cost <= most or len(way.slips) == 1), key=lambda way: way.cost)
    kept: list[_Found] = []
    told: list[Explanation] = []
    for way in found:
        if way.cost > found[0].cost + _REACH or len(told) == _SHOWN:
            break
        same = [index for index, other in enumerate(kept) if _same(way.value, other.value)]
        twin = next((index for index in same if kept[index].group == way.group), None)
        if twin is not None:
            told[twin] = _also(told[twin], way)
        elif not (way.generic and any(not kept[index].generic for index in same)):
            kept.append(way)
            told.append(_told(way, claim))
    return told


def _of_form(
    form: Form, ours: float, claim: Claim, changes_of: Callable[[Form], Sequence[Change]]
) -> Iterator[_Found]:
    own = (form.slip,) if form.slip else ()
    if form.slip and claim.fits(form.value) and not _same(form.value, ours):
        yield _way(form, claim, own, (), form.value)
        return
    if form.alone:
        return
    value, base = form.opened.function(), form.opened.base()
    results = [Change(slip, factor=slip.value) for slip in of_result(claim, form.value)]
    lone = []
    for change in [*changes_of(form), *results, *_cut(claim)]:
        got = _value(value, base, form.value, (change,))
        if got is None:
            continue
        if claim.fits(got) and not _same(got, ours):
            yield _way(form, claim, (*own, change.slip), (change,), got)
        else:
            lone.append(change)
    if form.slip:
        return  # a convention and one slip are two already
    lone = sorted((change for change in lone if not change.last), key=lambda change: change.slip.cost)
    pairs = sorted(
        combinations(lone[: _most(_PAIRS)], 2), key=lambda pair: pair[0].slip.cost + pair[1].slip.cost
    )
    for one, other in pairs:
        if one.replaced.keys() & other.replaced.keys() or one.slip.cause == other.slip.cause == "prefix":
            continue
        got = _value(value, base, form.value, (one, other))
        near = got is not None and abs(got - float(claim.value)) <= _NEAR * abs(float(claim.value))
        if got is not None and near and claim.fits(got) and not _same(got, ours):
            yield _way(form, claim, (one.slip, other.slip), (one, other), got)


def _cut(claim: Claim) -> Iterator[Change]:
    """The digits behind the claim's last one dropped, or rounded up whatever they are."""
    step = float(2 * claim.half)
    if not step:
        return
    cut = Slip("digits cut off", "the digits behind the last one are cut off instead of rounded", 0.0, 1.5)
    yield Change(cut, last=True, after=lambda value: math.floor(value / step) * step, wrap="⌊{}⌋")
    up = Slip("rounded up", "the last digit is rounded up whatever follows it", 0.0, 1.5)
    yield Change(up, last=True, after=lambda value: math.ceil(value / step) * step, wrap="⌈{}⌉")


def _most(pairs: int) -> int:
    """How many things have no more than so many pairs."""
    return math.isqrt(2 * pairs)


def _value(
    value: Callable[[Mapping[Any, float]], float | None],
    base: dict[Any, float],
    unchanged: float,
    changes: tuple[Change, ...],
) -> float | None:
    replaced: dict[Any, float] = {}
    for change in changes:
        replaced.update(change.replaced)
    got = value({**base, **replaced}) if replaced else unchanged
    for change in changes:
        got = None if got is None else change.result(got)
    return got


def _same(value: float, ours: float) -> bool:
    return abs(value - ours) <= abs(ours) * 1e-12


def _way(
    form: Form, claim: Claim, slips: tuple[Slip, ...], changes: tuple[Change, ...], got: float
) -> _Found:
    cost = sum(slip.cost for slip in slips) + _PAIR * (len(slips) - 1)
    cost += _FAR * abs(got / float(claim.value) - 1) if claim.value else 0.0
    return _Found(cost, got, slips, lambda: _formula(form, changes))


def _told(way: _Found, claim: Claim) -> Explanation:
    cause = " and ".join(dict.fromkeys(slip.cause for slip in way.slips))
    says = ", and ".join(slip.says for slip in way.slips)
    value = claim.shown(way.value)
    return Explanation(cause, f"{says}: {way.formula()} gives {value}", value, way.cost, len(way.slips))


def _also(told: Explanation, way: _Found) -> Explanation:
    """The same number by a slip of the same kind, named behind the first."""
    cause = " and ".join(dict.fromkeys(slip.cause for slip in way.slips))
    if cause == told.cause or f"or {cause}" in told.says or told.says.count(" (or ") == _ALTERNATIVES:
        return told
    return replace(told, says=f"{told.says} (or {cause})")


def _formula(form: Form, changes: Sequence[Change]) -> str:
    """The formula that gives the number: rows dropped, inputs replaced, factors in front."""
    replaced = {key: value for change in changes for key, value in change.replaced.items()}
    shown = {key: change.slip.shown for change in changes for key in change.replaced if change.slip.shown}
    text, behind = form.opened.told(replaced, shown)
    factor = math.prod(change.factor for change in changes)
    if factor != 1:
        text = f"{factor_text(factor)} × ({text})"
    for change in changes:
        text = change.wrap.replace("{}", text)
    return f"{text} with {behind}" if behind else text


def factor_text(factor: float) -> str:
    """A factor as a power of 1.024 (what GB and GiB differ by), a short fraction, or to six digits."""
    for power in (1, 2, 3, 4, -1, -2, -3, -4):
        if abs(factor / 1.024**power - 1) < 1e-12:
            return f"1.024^{power}" if power != 1 else "1.024"
    if not factor:
        return "0"
    near = Fraction(factor).limit_denominator(1000)
    if near and abs(float(near) / factor - 1) < 1e-12:
        return str(near)
    return f"{factor:.6g}"
