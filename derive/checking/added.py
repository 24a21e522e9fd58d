"""Sums in sentences: 38 ms of queueing, 3 ms of parsing and 62 ms of prefill add up to 103 ms.

All amounts of the kind that is told are added, of the sentence or of the one before it. A sum is false where nothing
but amounts of that kind is told there, and no part of them makes the number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.seeking import Sought
from derive.checking.slips import cause_of, held
from derive.checking.values import Interval, plus

_SUM = re.compile(
    r"\b(?:(?:adds?|added|adding|sums?|summing) (?:up )?to|totals?|totall?ing|(?:for )?a total of|"
    r"in all(?: this| that)?(?: is| are|,)?|(?:the )?(?:sum|total) (?:is|of|comes to)|"
    r"(?:makes?|gives?|comes? to|needs?|takes?) (?:a total of|together|in all))"
    r"\s*(?:about |only |roughly |some )?[~≈]?\s*$",
    re.IGNORECASE,
)
_ALL = re.compile(r",? (?:in all|in total|together|altogether|all told|all in all)\b")
_OPEN = re.compile(
    r"\b(?:of which|including|besides|except|without|minus|less|more|each|per|every|times|if|at least|up to|about half|"
    r"measured|instead|both|from|than)\b",
    re.IGNORECASE,
)
_LESS = Sought(r",? (?:less|minus) (?:the |those |these )?", ("less ", "minus "))
_LEAVES = re.compile(
    r",? (?:which |that |and )?(?:leaves?|leaving|is|are|makes?|gives?|remains?) (?:only |just |exactly )?"
)
_ENTRY = Sought(
    r"\badd|\bsum|total|in all|together|all told", ("add", "sum", "total", "in all", "together", "all told")
)
_FEWEST, _MOST, _NEAR, _LONGEST = 2, 8, 2.0, 4_000


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The sums that sentences tell."""
    for _, group in groupby(every, key=lambda clause: id(clause.block)):
        sentences = [clause for clause in group if not clause.row and not clause.listed]
        if not sentences or len(sentences[-1].block.text) > _LONGEST:
            continue
        if _ENTRY.search(sentences[0].block.text):
            yield from _of_block([one for clause in sentences for one in amounts(clause)])
        for clause in sentences:
            if _LESS.search(clause.text):
                yield from _without(amounts(clause))


def _of_block(found: Sequence[Amount]) -> Iterator[Claim]:
    for told in found:
        text = told.clause.plain
        if told.quantity is None or told.bare or told.opaque or not told.kind:
            continue
        if not _SUM.search(text, max(0, told.start - 60), told.start) and not _ALL.match(text, told.end):
            continue
        inside = [one for one in found if one.sentence == told.sentence and one.start < told.start]
        before = [one for one in found if one.sentence == told.sentence - 1]
        parts = inside or before
        many = sum(one.measure == told.measure for one in parts)
        yield from _summed(told, [one for one in parts if not (one.counts and one.value.mid == many)], text)


def _without(found: Sequence[Amount]) -> Iterator[Claim]:
    """`61 layers less 3 leave 58`: whole counts, which are exact."""
    for one, other, told in zip(found, found[1:], found[2:], strict=False):
        text = told.clause.plain
        if told.quantity is None or len({part.sentence for part in (one, other, told)}) > 1:
            continue
        if not all(part.counts and not part.opaque and not part.linked for part in (one, other, told)):
            continue
        first, second = text[one.end : other.start], text[other.end : told.start]
        named = {part.kind for part in (one, other, told) if part.kind}
        if len(named) == 1 and _LESS.fullmatch(first) and _LEAVES.fullmatch(second):
            right = one.value.mid - other.value.mid
            because = f"{one.shown} - {other.shown}"
            if right == told.value.mid:
                yield held(told.clause, told.quantity, "true", right, "", because)
            elif right > 0:
                cause = cause_of(told.quantity, told.in_its_unit(right))
                yield held(told.clause, told.quantity, "false", right, cause, because)


def _summed(told: Amount, given: Sequence[Amount], text: str) -> Iterator[Claim]:
    """A sum held against its parts, if nothing else is told beside them."""
    if not _FEWEST <= len(given) <= _MOST or any(
        one.measure != told.measure or one.opaque or one.linked for one in given
    ):
        return
    first = given[0]
    span = (
        first.clause.plain[first.start :] if first.sentence != told.sentence else text[first.start : told.end]
    )
    if _OPEN.search(span) or any(one.each for one in given):
        return
    whole = _total(given)
    if whole is None or not whole.mid or told.quantity is None:
        return
    because = " + ".join(one.shown for one in given)
    if _is(told, whole):
        yield held(told.clause, told.quantity, "true", whole.mid, "", because)
        return
    for many in range(1, len(given)):
        for some in combinations(given, many):
            part = _total(some)
            if part is not None and _is(told, part):
                return
    cause = cause_of(told.quantity, told.in_its_unit(whole.mid))
    if cause != UNKNOWN or 1 / _NEAR < told.value.mid / whole.mid < _NEAR:
        yield held(told.clause, told.quantity, "false", whole.mid, cause, because)


def _total(given: Sequence[Amount]) -> Interval | None:
    whole: Interval | None = given[0].value
    for one in given[1:]:
        whole = None if whole is None else plus(whole, one.value, 1)
    return whole


def _is(told: Amount, value: Interval) -> bool:
    """Whether a sum rounds to the told number; its parts are rounded too."""
    off = (value.high - value.low) / 2 + told.slack
    return abs(told.value.mid - value.mid) <= off * (1 + 1e-7)
