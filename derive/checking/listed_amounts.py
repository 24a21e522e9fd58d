"""The mean of amounts that a sentence lists, and what several of them leave of a whole.

Latencies of 12, 14 and 19 ms average to 15 ms; of 80 GB, 35 GB are weights and 10 GB activations, which leaves 35 GB.
All amounts before the told one must be of its kind, and nothing but they may be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.seeking import Sought
from derive.checking.slips import cause_of, held
from derive.checking.values import half_unit

_ENTRY = Sought(r"\baverag|\bmean\b|\bleav(?:es|ing)\b", ("averag", "mean", "leav"))
_MEAN = re.compile(
    r"(?:\baverag(?:es?|ing) (?:to |at |out (?:to|at) )?|\bon average,? |\b(?:the |a |an )?(?:average|mean)"
    r"(?: (?:of|is|being|comes to|works out (?:to|at)))? |\bi\.e\. )(?:about |roughly |some )?[~≈]?$"
)
_OF_LIST = re.compile(r"\b(?:average|mean) of (?:the )?$")
_IS = re.compile(r"\s*(?:is|are|was|gives|makes|comes to)\s+(?:about |roughly |some )?[~≈]?")
_MEANT = re.compile(r",? (?:on average|in the mean)\b")
_JOINED = re.compile(r"(?: ?[A-Za-z/]{1,10})?(?:,|,? and|;) (?:an? )?$")
_OF = re.compile(r"^\W*[Oo]f (?:the |our |its |these |those |a |all )?(?:[a-z]+ )?[~≈]?$")
_LEAVES = re.compile(r"\b(?:which |that |and )?(?:leaves?|leaving) (?:us |only |about |just )?[~≈]?$")
_OPEN = re.compile(
    r"\b(?:weighted|median|geometric|harmonic|without|except|besides|outlier\w*|at least|up to|each|per|every|least|"
    r"most|both|times|if|would|percentile|p\d\d|running|moving|of which|including|minus|plus)\b",
    re.IGNORECASE,
)
_FEWEST, _MOST, _NEAR, _LONGEST, _TINY = 2, 8, 2.0, 400, 1e-9


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The means and rests of sentences that list amounts."""
    for clause in every:
        text = clause.plain
        if (
            clause.row
            or clause.listed
            or len(text) > _LONGEST
            or not _ENTRY.search(text)
            or _OPEN.search(text)
        ):
            continue
        found = amounts(clause)
        for at, told in enumerate(found):
            before = text[max(0, told.start - 60) : told.start]
            if told.quantity is None or told.opaque or not _FEWEST <= at <= _MOST:
                continue
            listed = _OF_LIST.search(text[: found[0].start]) and _IS.fullmatch(
                text, found[at - 1].end, told.start
            )
            if _MEAN.search(before) or _MEANT.match(text, told.end) or listed:
                yield from _mean(told, found[:at], text)
            elif _LEAVES.search(before):
                yield from _rest(told, found[:at], text)


def _mean(told: Amount, given: Sequence[Amount], text: str) -> Iterator[Claim]:
    """A number held against the mean of amounts that follow on each other."""
    if not _are_alike(told, given):
        return
    if not all(_JOINED.search(text, one.end - 1, other.start) for one, other in pairwise(given)):
        return
    values = [_value(one, given[-1]) for one in given]
    mean = sum(values) / len(values)
    yield from _held(
        told, mean, f"({' + '.join(one.shown for one in given)}) / {len(given)}", min(values), max(values)
    )


def _rest(told: Amount, given: Sequence[Amount], text: str) -> Iterator[Claim]:
    """A number held against the first amount less all the others: of the 80 GB, 35 GB and 10 GB are used."""
    whole, *parts = given
    if len(parts) < _FEWEST or not _are_alike(told, given) or not _OF.match(text[: whole.start]):
        return
    rest = whole.value.mid - sum(one.value.mid for one in parts)
    if rest > 0:
        because = " - ".join(one.shown for one in given)
        yield from _held(told, rest, because, 0.0, whole.value.mid)


def _held(told: Amount, right: float, because: str, least: float, most: float) -> Iterator[Claim]:
    if told.quantity is None or not right:
        return
    clause, value = told.clause, told.value.mid
    off, half = (
        abs(told.in_its_unit(value - right)),
        half_unit(told.literal.digits, loose=False) * (1 + _TINY),
    )
    if off <= half:
        yield held(clause, told.quantity, "true", right, "", because)
        return
    if off <= 2 * half:
        return  # the parts may be rounded
    cause = cause_of(told.quantity, told.in_its_unit(right))
    if cause != UNKNOWN or (least < value < most and 1 / _NEAR < value / right < _NEAR):
        yield held(clause, told.quantity, "false", right, cause, because)


def _are_alike(told: Amount, given: Sequence[Amount]) -> bool:
    """Whether amounts are of the kind of a told one; the bare ones of a list have the unit of its last."""
    if any(one.opaque or one.linked or one.each for one in given):
        return False
    last = given[-1]
    same = all(one.measure == last.measure or (one.bare and not one.kind) for one in given)
    percent = all(one.quantity is not None and one.literal.unit == "%" for one in (*given, told))
    return percent or (same and last.measure == told.measure and not last.bare and not told.bare)


def _value(one: Amount, last: Amount) -> float:
    """The value of an amount of a list: 12, 14 and 19 ms."""
    if not one.bare or one.kind == last.kind:
        return one.value.mid
    return (
        one.value.mid * last.value.mid / last.literal.value
        if last.quantity and last.literal.value
        else one.value.mid
    )
