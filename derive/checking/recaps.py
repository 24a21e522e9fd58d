"""Numbers of a summary that the document has otherwise: 58.0 GB of room for the cache, which were 53.0 GB above.

A summary repeats numbers. One that stands nowhere else, while the document bears out another of its kind that differs
in one digit and stands next to the same words, or bears the same name, was not kept up to date.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from derive.checking.blocks import Block
from derive.checking.causes import SWAPPED, differs
from derive.checking.claims import Claim
from derive.checking.columns import heading_unit
from derive.checking.headed import are_of_two, factor, heads
from derive.checking.inline import unmarked
from derive.checking.names import Mention
from derive.checking.row_labels import words_of
from derive.checking.statements import part

_SUMMARY = re.compile(
    r"\b(?:summary|summari[sz]ed|cheat ?-?sheet|take-?aways?|conclusions?|TL;? ?DR|in short|recap|"
    r"key (?:numbers|figures|facts)|at a glance|bottom line|nutshell|numbers to remember|remember (?:\w+ )?numbers|"
    r"closing|wrap-?up|lessons|concluding|decisions?|verdict|executive|(?:short|brief) (?:version|answer)|"
    r"key (?:points|findings|results)|results? in brief|quick reference|recommend\w*|"
    r"FAQ|frequently asked|questions and answers|Q ?& ?A|in numbers|next steps?|proposal|"
    r"final (?:numbers|remarks|words)|abstract)\b",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\b(?:others?|another|instead|without|if|would|could|next|future|plan\w*|target\w*|goal|want|should|new|versus|vs|"
    r"compared|than|before|after|first|second|respectively|up to|at least|at most)\b",
    re.IGNORECASE,
)
_RANGED = re.compile(
    r"\b(?:up to|at least|at most|over|under|from|down|more|less|twice|half|between|no longer|was|were|each|per|every|"
    r"only if|max\w*|min\w*)\b",
    re.IGNORECASE,
)
"""What makes another value of a named number its own."""
_OFTEN = 3
_CERTAIN = 4  # digits of a number that one word of its name will do for
_NAMES = 2  # so many values a name has, and no more
_DIGITS, _SHARED, _MOST, _SHORT = 2, 2, 3000, 120


def claims(blocks: Sequence[Block], mentions: Sequence[Mention], told: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of the sections that sum a document up. told: what the other rules say of its numbers."""
    sections = {block.section for block in blocks if block.heading and _SUMMARY.search(block.text)}
    inside = [one for one in mentions if one.clause.section in sections and not one.clause.row]
    rows = [one for one in mentions if one.clause.section in sections and one.clause.row]
    if not (inside or rows) or len(mentions) > _MOST:
        return
    outside = [one for one in mentions if one.clause.section not in sections]
    true = {(claim.line, claim.claimed) for claim in told if claim.verdict == "true"}
    judged = {claim.line for claim in told if claim.verdict == "false"}
    yield from _named([*inside, *rows], outside, true, judged)
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


def _named(
    inside: Sequence[Mention], outside: Sequence[Mention], true: set[tuple[int, str]], judged: set[int]
) -> Iterator[Claim]:
    """Numbers that bear a name which the document gives another value, with one digit or two exchanged otherwise."""
    for own in inside:
        names = heads(own)
        if not names or own.line in judged or not _is_nameable(own):
            continue
        if any(_is_said(own, other) for other in (*outside, *inside) if other is not own):
            continue
        same = [
            other for other in outside if names & (other.words | heads(other)) and _is_of_kind(own, other)
        ]
        found = {other.digits: other for other in same}
        near = [other for digits, other in found.items() if differs(own.digits, digits)]
        swapped = [] if near else _under_the_name(own, names, outside)
        if len({other.digits for other in swapped}) == 1 and any(_is_borne(other, true) for other in swapped):
            because, right = f"line {swapped[0].line}", swapped[0].text
            yield own.claim("false", right, f"{SWAPPED}: {because} has {right}", because)
            continue
        if len(near) != 1 or len(found) > _NAMES:
            continue
        other = near[0]
        if are_of_two(own, other):
            continue
        if own.clause.row and len(own.digits) <= _CERTAIN and not names <= other.words | _units(other):
            continue
        cause = SWAPPED if sorted(own.digits) == sorted(other.digits) else "out of date"
        close = cause == SWAPPED and bool(own.kind[0]) and len(own.words & other.words) >= _SHARED
        often = len({one.line for one in same if one.digits == other.digits}) > 1
        if often or (close and not own.clause.row) or _is_borne(other, true):
            because = f"line {other.line}"
            yield own.claim("false", other.text, f"{cause}: {because} has {other.text}", because)


def _is_borne(one: Mention, true: set[tuple[int, str]]) -> bool:
    """Whether a number is one that other rules find right."""
    return any(line == one.line and one.clause.piece(one.quantity) in text for line, text in true)


def _under_the_name(own: Mention, names: frozenset[str], outside: Sequence[Mention]) -> list[Mention]:
    """The numbers with two digits exchanged whose paragraph or heading bears the name."""
    return [
        other
        for other in outside
        if own.kind[0]
        and sorted(other.digits) == sorted(own.digits)
        and differs(own.digits, other.digits)
        and _is_of_kind(own, other)
        and names & set(words_of(f"{other.clause.context} {other.clause.block.text}"))
    ]


def _units(one: Mention) -> set[str]:
    return set(words_of(one.quantity.literal.unit))


def _is_nameable(own: Mention) -> bool:
    """Whether a number measures something, and its sentence tells of nothing new."""
    literal, text = own.quantity.literal, own.clause.text
    bare = not literal.options[0].dimension and literal.unit != "%"
    if own.clause.row:
        return not own.clause.columns or own.quantity.start >= own.clause.columns[-1][0]
    many = len(own.digits.replace(".", "").lstrip("0"))
    return many >= _DIGITS and (not bare or factor(own)) and not (_NEW.search(text) or _RANGED.search(text))


def _is_of_kind(own: Mention, other: Mention) -> bool:
    if own.clause.row and not own.quantity.literal.unit:
        unit = heading_unit(unmarked(own.clause.text.partition("¦")[0]))
        return not other.clause.row and unit is not None and unit[0] == other.quantity.literal.unit
    return (
        own.kind[0] == other.kind[0]
        and own.quantity.literal.unit == other.quantity.literal.unit
        and factor(own) == factor(other)
    )


def _is_said(own: Mention, other: Mention) -> bool:
    """Whether a number stands elsewhere, in whatever unit."""
    return own.digits == other.digits if own.clause.row or factor(own) else own.alike(other)
