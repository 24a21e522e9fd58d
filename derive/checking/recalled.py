"""Numbers that a sentence recalls with the article: the 28.1 GB of gradients, where 21.8 GB were computed.

"The 28.1 GB", "our 640 sessions", "the 15.2 days derived above": the article says that the number was told before.
One that stands nowhere else, while the document has another of its kind with two digits exchanged, or with one digit
otherwise and under the same name, was not copied as it stands there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from derive.checking.causes import SWAPPED, differs
from derive.checking.claims import Claim
from derive.checking.headed import are_of_two, factor, heads
from derive.checking.names import Mention
from derive.checking.row_labels import stem, words_of

_ARTICLE = re.compile(
    r"(?:\b(?:the|our|those|these|that|its|their|all|whole)|[a-z]['’]s)\s+(?:(?:full|whole|total|same|about|roughly|some|nearly|"
    r"almost|estimated|planned|remaining|resulting|entire|said|mentioned)\s+){0,2}[\x02~≈$€]?\s*$",
    re.IGNORECASE,
)
_VERB = (
    r"(?:comput|deriv|calculat|work(?:ed)? out|estimat|obtain|budget|count|measur|quot|list|mention|agree|report|"
    r"determin|assum|plann|conclud)\w*|found|seen|told|given|gave|from"
)
_BACK = re.compile(
    rf"[^.;:()\d]{{0,30}}?(?:\b(?:{_VERB})\b[^.;:()\d]{{0,24}}?"
    r"\b(?:above|earlier|before|previous(?:ly)?|last section)\b|"
    r"\b(?:from|of|in) (?:the )?(?:previous|last|first|background|preceding) (?:section|paragraph|part|chapter)\b)",
    re.IGNORECASE,
)
"""What says behind a number that it stands above."""
_SUPPOSED = re.compile(
    r"\b(?:if|would|could|might|suppos\w+|instead|without|another|others?|old(?:er)?|new(?:er)?|previous|former|next|"
    r"original(?:ly)?|used to|rather than|not|hypothetical|no longer|second|third|until)\b|n['’]t\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"[=≈×*/+→]\s*[\x02~$€]?\s*$")
_COUNTS = re.compile(r"[\s\x03]*(?:[=×*+/→]|≈|(?:-|–|to|of|less|plus|minus|times) ?[\x02$€]?\d)")
_OF = re.compile(
    r"[ ~\n\x03-]{1,2}(?:worth )?(?:of|for|in) (?:the |our |its |all |their )?((?:[A-Za-z-]+[ \n]){0,2}[A-Za-z-]+)"
)
_COMPOUND = re.compile(r"-([a-z]{3,})\b")
_NEITHER = frozenset(("above", "below", "earlier", "before", "times"))
"""Nouns behind a number that name no kind."""
_NEAR, _FEWEST, _SURE, _MOST = 60, 2, 3, 3000


def claims(mentions: Sequence[Mention], told: Sequence[Claim]) -> Iterator[Claim]:
    """The numbers with an article that the document has otherwise. told: what the other rules say of its numbers."""
    if len(mentions) > _MOST:
        return
    judged = {claim.line for claim in told if claim.verdict == "false"}
    by_unit: dict[str, list[Mention]] = defaultdict(list)
    for one in mentions:
        by_unit[_unit(one)].append(one)
    bare = [one for one in mentions if not one.quantity.literal.unit]
    for own in mentions:
        if not _is_recalled(own) or own.line in judged or not _is_alone(own, mentions):
            continue
        back = _BACK.match(own.clause.text, own.quantity.end) is not None
        found = [other for other in _twins(own, by_unit[_unit(own)], back) if other.line not in judged]
        if not found and _significant(own) >= _SURE:
            found = [other for other in _named_bare(own, bare) if other.line not in judged]
        values = {other.digits for other in found}
        if len(values) == 1:
            other = found[0]
            exchanged = sorted(other.digits) == sorted(own.digits)
            because = f"line {other.line}"
            cause = SWAPPED if exchanged else "out of date"
            yield own.claim("false", other.text, f"{cause}: {because} has {other.text}", because)


def _significant(one: Mention) -> int:
    return len(one.digits.replace(".", "").strip("0"))


def _is_recalled(own: Mention) -> bool:
    """Whether a number measures or counts something, is told with the article, and not worked out there."""
    text, start, end = own.clause.text, own.quantity.start, own.quantity.end
    least = _SURE if own.kind[1] == "%" else _FEWEST
    if own.clause.row or "e" in own.digits.lower() or _significant(own) < least or factor(own):
        return False
    if not _unit(own) or _unit(own) in _NEITHER:
        return False
    before = text[max(0, start - _NEAR) : start]
    if not (_ARTICLE.search(before) or _BACK.match(text, end)):
        return False
    return not (_COUNTED.search(before) or _COUNTS.match(text, end) or _SUPPOSED.search(before))


def _unit(one: Mention) -> str:
    """What a number is told in: its unit, or the noun behind it, also of a compound: a 24.1-day run."""
    joined = _COMPOUND.match(one.clause.text, one.quantity.end)
    unit = one.quantity.literal.unit or (joined[1] if joined else one.noun)
    return unit.removesuffix("s") or unit


def _is_alone(own: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether nothing else in the document may be the same number, in whatever unit."""
    many, digits = _significant(own), own.digits.replace(".", "").strip("0")
    for other in mentions:
        if other is own:
            continue
        if many >= _SURE and other.digits.replace(".", "").strip("0") == digits:
            return False
        if other.digits == own.digits and (_unit(other) == _unit(own) or not other.quantity.literal.unit):
            return False
        if own.alike(other):
            return False
    return True


def _twins(own: Mention, others: Sequence[Mention], back: bool) -> list[Mention]:
    """The numbers of its unit that it may be a wrong copy of: those with exchanged digits, if there are any.

    back: the text says that it stands above, so that no name need be shared.
    """
    near = [
        other
        for other in others
        if other.clause is not own.clause
        and (back or other.clause.block is not own.clause.block)
        and differs(own.digits, other.digits)
        and not are_of_two(own, other)
    ]
    names = _names(own)
    exchanged = [other for other in near if sorted(other.digits) == sorted(own.digits)]
    if exchanged and own.kind[1] != "%":
        return exchanged
    named = [other for other in near if names & _words(other)]
    if back:
        return named or near
    often = len({other.line for other in named}) > 1
    return named if often or _significant(own) >= _SURE else []


def _named_bare(own: Mention, others: Sequence[Mention]) -> list[Mention]:
    """The numbers without a unit next to its name that have two of its digits exchanged."""
    names = _names(own)
    return [
        other
        for other in others
        if other.clause is not own.clause
        and sorted(other.digits) == sorted(own.digits)
        and differs(own.digits, other.digits)
        and names & _words(other)
    ]


def _names(one: Mention) -> set[str]:
    """The stems of the words that name a number."""
    behind = _OF.match(one.clause.text, one.quantity.end)
    words = {*heads(one), *((one.noun,) if one.noun else ()), *(words_of(behind[1]) if behind else ())}
    compound = _COMPOUND.match(one.clause.text, one.quantity.end)
    return set(map(stem, words - {compound[1]} if compound else words))


def _words(one: Mention) -> set[str]:
    """The stems of the words next to a number, with those of the label of its row."""
    label = words_of(one.clause.text.partition("¦")[0]) if one.clause.row else ()
    return {stem(word) for word in (*one.words, *heads(one), *label)}
