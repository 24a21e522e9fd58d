"""Three amounts of which one is the product or quotient of the others, as their kinds tell.

`27 GB at 50 GB/s take 0.54 s`, `30 days on 256 GPUs are 184,320 GPU-hours`: bytes over bytes a second are
seconds, days times devices are device-hours. The amounts stand side by side in a sentence, or in
two of which the second goes on. What agrees is true; what does not is false only by a plain slip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from derive.checking.blocks import MATH, TEXT
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.values import Interval, over, times
from derive.checking.worded import MOST, gap, held, joined
from derive.checking.words import Dimension, counted

_LINKED = re.compile(r"[^;|=≈¦]{1,80}", re.DOTALL)
_STOPS = re.compile(
    r"\b(?:but|while|whereas|measured|actual|instead|reach\w*|achiev\w*|sustain\w*|effective\w*|only|less|more|not|"
    r"without|efficien\w*|"
    r"overhead|overlap\w*|compress\w*|twice|double|half|both|other|another|each way|per direction|versus|vs|"
    r"than|if|when|would|could|peak|target|limit|budget|until|before|after|between|from|next|last|plus|minus|thousand|million|"
    r"billion)\b|[/*×+]|\d",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"\b(?:takes?|took|needs?|lasts?|is|are|costs?|makes?|in|i\.e\.|so|hence|gives?|means?|consumes?|uses?|for|draws?|"
    r"moves?|reads?|comes?|get|at|was|were|that)\b|[:(]"
)
_AT = re.compile(
    r"\b(?:at|over|with|through|on|for|to|via|do(?:es)?|by|a|of|in|and|have|has|per|moves?|reads?|sends?|"
    r"streams?)\b|[:,]",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"measur|observ|in practice|achiev|actual|benchmark|in reality", re.IGNORECASE)
_TAKES = re.compile(r"\b(?:takes?|took|taking|needs?)\s+(?:about |only |roughly )?[~≈]?$")
_BESIDE = 24
_GOES_ON = re.compile(
    r"\s*(?:(?:at|over|with|on|in) |(?:and|so|then),? |[^.;]{0,60}\b(?:this|that|it|these|they|them|which|the same)\b)",
    re.IGNORECASE,
)


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences whose amounts make one product."""
    before: Clause | None = None
    for clause in every:
        if clause.row:
            before = None
            continue
        found = clause.quantities[:MOST]
        for trio in zip(found, found[1:], found[2:], strict=False):
            yield from _worked_out(clause, trio)
        if before is not None and found and _GOES_ON.match(clause.text):
            yield from _across(before, clause)
        before = clause


def _across(before: Clause, clause: Clause) -> Iterator[Claim]:
    """The same over the border of two sentences: A step reads 34 GB. At 3.35 TB/s this takes 10 ms."""
    both = joined(before, clause)
    many = len(before.quantities)
    if both is not None and many:
        trio = both.quantities[many - 1 : many + 2]
        if len(trio) == 3:
            yield from _worked_out(both, trio)


def _worked_out(clause: Clause, trio: Sequence[Quantity]) -> Iterator[Claim]:
    one, other, last = trio
    first, second = gap(clause, one, other), gap(clause, other, last)
    if not _LINKED.fullmatch(first) or not _LINKED.fullmatch(second):
        return
    if not all(map(_kind, trio)) or any(quantity.literal.unit == "%" for quantity in trio):
        return
    lead = clause.text[max(0, one.start - _BESIDE) : one.start].replace(MATH, "").replace(TEXT, "")
    told = 0 if _TAKES.search(lead) else 2
    given = [quantity for place, quantity in enumerate(trio) if place != told]
    because = _relation(clause, given, trio[told])
    if because is None:
        return
    value, says = because
    words = f"{first} {second}"
    tied = (
        not _MEASURED.search(clause.text)
        and _AT.search(lead + first)
        and (_WORKS.search(words) or told == 0)
        and not _STOPS.search(words)
    )
    claim = held(clause, one, last, trio[told], [value], says, sure=False)
    if claim is not None and (tied or claim.verdict == "true"):
        yield claim


def _relation(clause: Clause, given: Sequence[Quantity], told: Quantity) -> tuple[Interval, str] | None:
    """What the amounts given make, of the kind of the one that is told."""
    one, other = given
    left, right = clause.piece(one), clause.piece(other)
    a, b = one.literal.at({}), other.literal.at({})
    kind = _kind(told)
    for value, powers, says in (
        (over(a, b), (1, -1), f"{left} / ({right})"),
        (over(b, a), (-1, 1), f"{right} / ({left})"),
        (times(a, b), (1, 1), f"{left} × {right}"),
    ):
        made = _joined(_kind(one), powers[0], _kind(other), powers[1])
        if value is not None and (
            made in (kind, _joined(kind, 1, (("token", 1),), 1))
            or (_hard(given, told) and value.dimension == told.literal.options[0].dimension)
        ):
            return value, says
    return None


def _hard(given: Sequence[Quantity], told: Quantity) -> bool:
    """Whether all amounts have units, so that what they count may be left out."""
    return all(quantity.literal.options[0].dimension for quantity in (*given, told))


def _kind(quantity: Quantity) -> Dimension:
    """The dimension of an amount with what it counts."""
    return _counting(quantity.literal.options[0].dimension, quantity.literal.unit)


@lru_cache(maxsize=4096)
def _counting(dimension: Dimension, unit: str) -> Dimension:
    return _joined(dimension, 1, counted(unit), 1)


def _joined(one: Dimension, first: int, other: Dimension, second: int) -> Dimension:
    powers = {base: power * first for base, power in one}
    for base, power in other:
        powers[base] = powers.get(base, 0) + power * second
    return tuple(sorted((base, power) for base, power in powers.items() if power))
