"""Changes with a number in words: from three boards to five, a 67 % increase; 512 KiB to 128 KiB, a fourfold saving.

And those told twice: 1.58 times the bandwidth, that is 58 % more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.checking.amounts import amounts
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.compared import direction, pairs_of
from derive.checking.nouns import NUMBERS
from derive.checking.slips import cause_of, held, hindrance
from derive.checking.statements import said
from derive.checking.values import half_unit

_WORDS = "|".join(sorted((word for word in NUMBERS if word != "one"), key=len, reverse=True))
_FROM = re.compile(
    rf"\b[Ff]rom (?P<one>{_WORDS}|\d{{1,3}})(?: [a-z]+)? to (?P<other>{_WORDS}|\d{{1,3}})\b(?! (?:hours|days|minutes))",
)
_BETWEEN = re.compile(r"(?: [a-z]+)?(?:,| is| means| makes| was)*(?: an?)?\s*[~≈]?")
_FOLD = re.compile(rf"\b(?P<n>{_WORDS})[- ]?fold\b")
_TIED = re.compile(r"[^.;:\d]{0,40}, an?\s*")
_AGAIN = re.compile(
    r"(?: (?:as|the) [a-z]+| (?:faster|larger|higher|longer|dearer))?"
    r"(?:, (?:(?:that|which|this) (?:is|makes)|i\.e\.,?|or|so|hence|thus)| or| \()\s*(?:about |some |roughly )?[~≈]?\s*"
)
_MORE = re.compile(r"\s?(?:more|faster|larger|higher|longer|bigger|dearer|greater|extra|growth|increase)\b")
_TIMES = re.compile(r"\s?(?:[x×]|times)(?=\s)")
_NEAR, _ROUGH, _TINY = 0.03, 0.12, 1e-9


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences that tell a change in words."""
    for clause in every:
        if clause.row or clause.listed:
            continue
        if "%" in clause.text and "rom " in clause.text:
            yield from _percent(clause)
        if "%" in clause.text and len(clause.quantities) > 1:
            yield from _times_and_percent(clause)
        if "fold" in clause.text:
            yield from _fold(clause)


def _number(word: str) -> float:
    return NUMBERS.get(word) or float(word)


def _percent(clause: Clause) -> Iterator[Claim]:
    """A percentage right behind two counts, of the first of which it is taken."""
    text = clause.plain
    found = _FROM.search(text)
    told = [one for one in amounts(clause) if one.quantity is not None and one.literal.unit == "%"]
    if found is None or len(told) != 1 or (found["one"].isdigit() and found["other"].isdigit()):
        return
    (own,) = told
    one, other = _number(found["one"]), _number(found["other"])
    way = direction(own, text)
    if own.quantity is None or not way or one == other or (other > one) != (way > 0):
        return
    if own.start < found.end() or not _BETWEEN.fullmatch(text, found.end(), own.start):
        return
    right, base = abs(other / one - 1), abs(one / other - 1)
    because = f"{found['one']} and {found['other']}"
    if abs(own.value.mid - right) <= own.slack:
        yield held(clause, own.quantity, "true", right, "", because)
        return
    wrong_base = abs(own.value.mid - base) <= own.slack
    cause = (
        "wrong base: it is taken of the other number" if wrong_base else cause_of(own.quantity, right * 100)
    )
    yield held(clause, own.quantity, "false", right, cause, because)


def _times_and_percent(clause: Clause) -> Iterator[Claim]:
    """So many times as much, told again as so many percent more."""
    text = clause.plain
    for one, other in pairwise(clause.quantities):
        if other.literal.unit != "%" or one.literal.value <= 1 or not _MORE.match(text, other.end):
            continue
        many = _TIMES.match(text, one.literal.start + len(one.literal.digits))
        if many is None or not _AGAIN.fullmatch(text, many.end(), other.start):
            continue
        right, told = one.literal.value - 1, other.literal.value / 100
        reach = (half_unit(one.literal.digits) + half_unit(other.literal.digits) / 100) * (1 + _TINY)
        because = f"{one.literal.digits} times as much"
        if abs(told - right) <= reach:
            yield held(clause, other, "true", right, "", because)
        elif abs(told - one.literal.value) <= reach:
            cause = "a ratio is told as a change: it is 100 points more than it should be"
            yield held(clause, other, "false", right, cause, because)


def _fold(clause: Clause) -> Iterator[Claim]:
    """So many fold, right behind the two amounts that it is of."""
    text = clause.plain
    found = _FOLD.search(text)
    pairs = list(pairs_of(amounts(clause), text)) if found else []
    if found is None or len(pairs) != 1 or not _TIED.fullmatch(text, pairs[0].second.end, found.start()):
        return
    one, other = sorted((pairs[0].first.value.mid, pairs[0].second.value.mid))
    ratio, told = other / one, NUMBERS[found["n"]]
    whole = next((word for word, value in NUMBERS.items() if abs(ratio / value - 1) < _NEAR), "")
    because = f"{pairs[0].first.shown} and {pairs[0].second.shown}"
    if abs(ratio / told - 1) < _ROUGH:
        yield said(clause, found.start(), found[0], f"{ratio:.3g}-fold", "true", "", "chain", because)
    elif whole and not (reason := hindrance(clause, found.start())):
        cause = f"it is {told / ratio:.3g} times what it should be"
        yield said(clause, found.start(), found[0], f"{whole}fold", "false", cause, "chain", because)
    elif whole:
        yield said(clause, found.start(), found[0], f"{whole}fold", "unsure", reason, "chain", because)
