"""What a million tokens cost, by the price of an hour and the tokens a second that the paragraph tells.

$2.85 an hour over 1,250 tokens/s are $0.63 for a million. A number is false only by a slip: of digits, a power of ten,
minutes taken for seconds. Whether the price and the throughput are of one device or of all is left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.slips import judged
from derive.checking.words import Dimension

_DOLLAR: Dimension = (("dollar", 1),)
_TOLD = Sought(r"\bmillion\b|\d ?M\b|/ ?1?M\b|Mtok", ("million", "M"))
_BEHIND = re.compile(
    r"\$?\s?[\d,]*\.?\d+\s*(?:(?:per|for(?: each| every)?|a|each|every|/)\s*)?(?:a |one |1 ?)?(?:million|M)(?:tok\b|\b)"
    r"(?:\s+(?:[a-z]+ )?tok(?:en)?s?\b)?(?!\s+(?!tok|output|input|generated|prompt)[a-z]+ (?:a|per) )"
)
_BEFORE = re.compile(
    r"\b(?:a|one|each|every|per|1) ?(?:million|M)(?: [a-z]+)? tok(?:en)?s?(?: [a-z]+){0,2},?"
    r" (?:costs?|cost us|comes? (?:out )?(?:to|at)|is|are|at|for)(?: us| only| about| roughly| just| some)*\s*[~≈]?$",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:utili[sz]\w*|busy|idle|half|load|margin\w*|spot|discount\w*|reserved|cached|instead|other|another|if|would|"
    r"charges?|API|list(?:ed)?|sells?|sold|average|than|plus|overhead|includ\w+|from|to \$|respectively|between)\b|%",
)
_SLIPS = {
    **dict.fromkeys((10.0, 0.1, 100.0, 0.01), "power of ten"),
    **dict.fromkeys((1e3, 1e-3), "power of ten: thousands and millions of tokens"),
    **dict.fromkeys((60.0, 1 / 60), "minutes and seconds"),
}
_FAR, _BACK, _LONGEST, _MILLION, _REACH = 24, 2, 4_000, 1e6, 0.006


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The prices of tokens in running text."""
    sentences = [clause for clause in every if not clause.row and len(clause.text) < _LONGEST]
    for at, clause in enumerate(sentences):
        if "$" not in clause.text or not _TOLD.search(clause.text):
            continue
        for told in clause.quantities:
            if _is_price(clause, told):
                near = [one for one in sentences[max(0, at - _BACK) : at + 1] if one.block is clause.block]
                found = list(_judged(clause, told, near))
                far = [one for one in sentences[max(0, at - _FAR) : at + 1] if one.section == clause.section]
                yield from found or _judged(clause, told, far)


def _is_price(clause: Clause, told: Quantity) -> bool:
    """Whether a number is what a million tokens cost."""
    unit, text = told.literal.unit, clause.plain
    if not unit.startswith("USD") or "hour" in unit or told.about or not told.literal.value:
        return False
    behind = _BEHIND.match(text, told.start)
    return bool(behind and ("tok" in behind[0] or "tok" in text)) or bool(_BEFORE.search(text, 0, told.start))


def _judged(clause: Clause, told: Quantity, sentences: Sequence[Clause]) -> Iterator[Claim]:
    found = [one for sentence in sentences for one in amounts(sentence)]
    prices, rates = [one for one in found if _is_hourly(one)], [one for one in found if _is_rate(one)]
    own = _values(prices), _values(rates)
    if not all(own) or not all(all(side) for side in own):
        return
    devices = {one.value.mid for one in found if dict(one.kind).get("device") == 1 and one.counts}
    counts = {one for one in devices if one > 0} | {1.0}
    base = told.base(_DOLLAR) or 0.0
    scale = 1 / _MILLION if "/" in told.literal.unit else 1.0
    made = [
        price * _MILLION * scale / rate * many
        for price in own[0]
        for rate in own[1]
        for count in counts
        for many in (count, 1 / count)
    ]
    right = min(made, key=lambda one: abs(one - base))
    if len(made) > 2 and abs(right - base) > told.slack(_DOLLAR) + _REACH * right:
        return  # which price and which throughput is open
    text = " ".join(sentence.plain for sentence in sentences)
    because = f"{prices[-1].shown} / {rates[-1].shown}"
    for claim in judged(clause, told, _DOLLAR, right, because, _SLIPS, _REACH):
        if claim.verdict == "true" or not _OPEN.search(text):
            yield claim


def _values(found: Sequence[Amount]) -> list[float]:
    """The different values of amounts in base units."""
    kept: list[float] = []
    for one in found:
        value = one.value.mid * one.senses[0].factor
        if not any(abs(value - other) <= 0.01 * other for other in kept):
            kept.append(value)
    return kept


def _is_hourly(one: Amount) -> bool:
    kind = dict(one.kind)
    return kind.get("dollar") == 1 and kind.get("second") == -1 and not one.opaque


def _is_rate(one: Amount) -> bool:
    kind = dict(one.kind)
    return kind.get("token") == 1 and kind.get("second") == -1 and not one.opaque
