"""Numbers of a summary that the document has otherwise: 58.0 GB of room for the cache, which were 53.0 GB above.

A summary repeats numbers. One that stands nowhere else, while the document bears out another of its kind that differs
in one digit and stands next to the same words, was not kept up to date.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from derive.checking.blocks import Block
from derive.checking.claims import Claim
from derive.checking.names import Mention
from derive.checking.statements import part

_SUMMARY = re.compile(
    r"\b(?:summary|summari[sz]ed|cheat ?-?sheet|take-?aways?|conclusions?|TL;? ?DR|in short|recap|"
    r"key (?:numbers|figures|facts)|at a glance|bottom line|nutshell|numbers to remember|remember (?:\w+ )?numbers|"
    r"closing|wrap-?up|lessons)\b",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\b(?:others?|another|instead|without|if|would|could|next|future|plan\w*|target\w*|goal|want|should|new|versus|vs|"
    r"compared|than|before|after|first|second|respectively)\b",
    re.IGNORECASE,
)
_OFTEN = 3
_DIGITS, _SHARED, _MOST, _SHORT = 2, 2, 3000, 120


def claims(blocks: Sequence[Block], mentions: Sequence[Mention], told: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of the sections that sum a document up. told: what the other rules say of its numbers."""
    sections = {block.section for block in blocks if block.heading and _SUMMARY.search(block.text)}
    inside = [one for one in mentions if one.clause.section in sections and not one.clause.row]
    if not inside or len(mentions) > _MOST:
        return
    outside = [one for one in mentions if one.clause.section not in sections]
    true = {(claim.line, claim.claimed) for claim in told if claim.verdict == "true"}
    judged = {claim.line for claim in told if claim.verdict == "false"}
    for own in inside:
        if (
            not _is_open(own)
            or own.line in judged
            or any(own.alike(other) for other in (*outside, *inside) if other is not own)
        ):
            continue
        times = Counter((one.digits, one.kind) for one in outside)
        found = {
            other.digits: other
            for other in outside
            if _is_twin(own, other, times[other.digits, other.kind] > _OFTEN)
        }
        if len(found) == 1:
            (other,) = found.values()
            if times[other.digits, other.kind] > 1 or any(
                line == other.line and other.clause.piece(other.quantity) in text for line, text in true
            ):
                because = f"line {other.line}"
                yield own.claim("false", other.text, f"out of date: {because} has {other.text}", because)


def _is_open(own: Mention) -> bool:
    """Whether a number has a unit or a name, and digits enough."""
    named = bool(own.quantity.literal.unit) or bool(own.kind[1])
    return (
        named and len(own.digits.replace(".", "").strip("0")) >= _DIGITS and not _NEW.search(own.clause.text)
    )


def _is_twin(own: Mention, other: Mention, often: bool) -> bool:
    """Whether two numbers of one kind differ in one digit, and stand next to the same words.

    often: the document has the other one so often that one word of two will do.
    """
    if (
        own.kind != other.kind
        or own.quantity.literal.unit != other.quantity.literal.unit
        or len(own.digits) != len(other.digits)
    ):
        return False
    off = [at for at, (one, two) in enumerate(zip(own.digits, other.digits, strict=True)) if one != two]
    if len(off) != 1 or own.digits.find(".") != other.digits.find("."):
        return False
    if len(own.digits.replace(".", "")) > _DIGITS:
        text = own.clause.text
        spoken = (text if len(text) < _SHORT else part(text, own.quantity)).lower()
        mine = {word for word in own.words if word in spoken}
        missing = mine - other.words
        return len(mine) >= _SHARED and (not missing or (often and len(missing) < min(_SHARED, len(mine))))
    return bool(own.noun) and own.noun in other.words | {other.noun}
