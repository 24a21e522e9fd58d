"""A time and the rate that is its inverse: 25 ms a token are 40 tokens a second for one stream.

A sentence must tell one time of a step or token, one rate, and link them by words. A number is false where it is the
other one told again and not its inverse, or off by a plain slip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import slip
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.mistakes import REST
from derive.checking.slips import agrees, held
from derive.checking.statements import BANDWIDTH, BYTES
from derive.checking.words import Dimension

_SECOND: Dimension = (("second", 1),)
_EACH = ("token", "step")
_FOR = (*_EACH, "sequence", "stream", "user", "request")
_STEP = re.compile(r"\b(?:tokens?|steps?|decod\w+|iterations?)\b", re.IGNORECASE)
_SAYS = (
    r"(?:gives?|means|makes?|is|are|allows?|yields?|sees?|gets?|receives?|corresponds to|amounts to|"
    r"translates (?:in)?to|or|so|hence|thus|i\.e\.,?|that is,?|generates?|produces?|emits?|has)"
)
_LINK = re.compile(
    rf"(?:[\s,(:=→≈-]|\b(?:{_SAYS}|per|for|a|an|the|one|each|every|single|token|step|stream|user|sequence|request|session|"
    r"client|it|that|which|this|we|you|get|at|most|best|in|only|about|roughly|some|just|around|therefore|then|exactly|"
    r"decode|decoding|speed|rate|of|up|to)\b)+[~≈]?\s*"
)
_SAID = re.compile(rf"\b{_SAYS}(?=[\s,])|[:=→≈(]")
_MANY = re.compile(
    r"\b(?:batch\w*|users|streams|sequences|requests|sessions|prefill|first|TTFT|instead|from|than|more|less|faster|slower|"
    r"if|would|speculat\w*|draft\w*|accept\w*|measured|observed|GPUs|cards|chips|replicas|nodes|concurren\w+|between|"
    r"parallel|target|limit|SLO|budget|\d+ tokens (?:per|a|each) step)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\b(?:single|one) (?:stream|user|sequence|request|session|client)\b|\bbatch (?:size )?(?:of )?(?:1|one)\b"
)
_BATCH = re.compile(r"\b(?:batch\w*|users|streams|sequences|requests|sessions|GPUs)\b", re.IGNORECASE)
_BACK, _OFF, _MOST, _LONGEST = 400, 0.02, 5, 600
_FACTORS = {2.0: "counted twice, or half", 0.5: "counted twice, or half"}


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The times and rates of sentences that are each other's inverse."""
    for clause in every:
        if not clause.row and len(clause.text) < _LONGEST and _STEP.search(clause.text):
            yield from _of_sentence(clause)


def _of_sentence(clause: Clause) -> Iterator[Claim]:
    found = amounts(clause)
    if len(found) > _MOST:
        return
    times, rates = [one for one in found if _is_time(one)], [one for one in found if _is_rate(one)]
    others = [one for one in found if one not in times and one not in rates]
    if len(times) != 1 or len(rates) != 1 or any(one.measure not in (BYTES, BANDWIDTH) for one in others):
        return
    first, told = sorted((times[0], rates[0]), key=lambda one: one.start)
    text, own = clause.plain, told.quantity
    between = text[first.end : told.start]
    if own is None or first.quantity is None or REST.match(text, told.end) or not first.value.mid:
        return
    if not _LINK.fullmatch(between) or not _SAID.search(between):
        return
    dimension = own.literal.options[0].dimension
    right = 1 / (first.value.mid * first.senses[0].factor)
    reach = first.slack / abs(first.value.mid) if first.value.mid else 0.0
    if agrees(own, right, dimension, reach):
        yield held(clause, own, "true", right, "", f"1 / ({first.shown})")
        return
    cause = _cause(told, first, right)
    before = clause.block.text[max(0, clause.offset - _BACK) : clause.offset]
    alone = _ALONE.search(text) or not _BATCH.search(before)
    if cause and alone and not _MANY.search(text):
        yield held(clause, own, "false", right, cause, f"1 / ({first.shown})")


def _cause(told: Amount, first: Amount, right: float) -> str:
    """The slip that leads to a number that is not the inverse; "" where there is none."""
    own = told.literal
    expected = right / own.options[0].factor
    same = own.digits.replace(".", "").strip("0") == first.literal.digits.replace(".", "").strip("0")
    if same and abs(own.value / expected - 1) > _OFF:
        return "the number is the same, and not its inverse"
    for factor, name in _FACTORS.items():
        if told.digits > 1 and abs(own.value / expected / factor - 1) < _OFF / 2:
            return f"{name}: it is {factor:g} times what it should be"
    found = slip(own, expected)
    return found if found.startswith(("power of ten", "digits swapped", "prefix")) else ""


def _is_time(one: Amount) -> bool:
    """Whether an amount is the time of one step or token."""
    kind = dict(one.kind)
    each = [base for base, power in kind.items() if power == -1]
    return (
        kind.get("second") == 1 and len(kind) == 1 + len(each) and set(each) <= set(_FOR) and not one.opaque
    )


def _is_rate(one: Amount) -> bool:
    """Whether an amount is so many steps or tokens a second."""
    kind = dict(one.kind)
    above = [base for base, power in kind.items() if power == 1]
    return kind.get("second") == -1 and len(above) == 1 and above[0] in _EACH and not one.opaque
