"""Numbers that the text takes from another place of the document, and says from which: the 4.8 ms of section 4.

The number must stand there. Where it does not, and the place has another one of the same
kind, it is false; without such a reference two values are nobody's error.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from derive.checking.blocks import Document
from derive.checking.claims import Claim
from derive.checking.inline import unmarked
from derive.checking.names import Mention
from derive.checking.nouns import NUMBERS

_NUMBERED = re.compile(
    r"^\W*(?:section|problem|part|chapter|step|exercise|appendix)?\s*((?:\d+|[A-Z])(?:\.\d+)*)\b(?!['’])",
    re.IGNORECASE,
)
_VERB = (
    r"(?:found|chosen|assumed|derived|computed|obtained|calculated|worked out|settled on|fixed|given|set|priced|"
    r"counted|measured|quoted|listed|estimated|mentioned|used|budgeted|named|agreed)"
)


def _section(group: str) -> str:
    """A section by its number, which a group of this name holds."""
    return (
        r"(?:section|sec\.|problem|chapter|step|exercise|appendix|part|§) ?"
        rf"(?P<{group}>(?:\d+|[A-Z])(?:\.\d+)*)(?!\.?\d)"
    )


_NUMBER = _section("number")
_REFERENCE = re.compile(
    rf"\b(?=[a-z])(?:\b(?:of|in|from|by|under) {_NUMBER}|"
    r"\b(?:of|in|from) (?:the|our) (?:(?:worked|running|first|second) )?(?P<example>example)\b|"
    rf"\b(?:{_VERB} )?(?P<start>(?:at|from|in) the (?:very )?(?:beginning|start|outset)|in the introduction|at first)"
    r"\b|"
    rf"\b{_VERB} (?:in|for) this (?P<here>problem|section|exercise|example)\b|"
    r"\b(?:from|in|of) the (?P<table>table)\b(?! (?:of|in|on|for)\b)|"
    rf"(?P<before>\b(?:from |{_VERB} )(?:just |further up |further )?(?:above|before|earlier)\b|"
    r"(?<=[a-z\dB] )above(?=\W)))",
    re.IGNORECASE,
)
_LEADING = re.compile(
    rf"\b{_NUMBER} (?:gave|gives|has|says|found|finds|puts (?:it|this|that) at|arrives? at|arrived at|settled on|"
    r"chose|assumes|assumed|allows|allowed|counted|counts)(?: (?:us|a total of|about|roughly|only))*[\s\x02~≈]*$",
    re.IGNORECASE,
)
_TOLD_BEFORE = re.compile(
    rf"^\W*(?:(?:as|like) {_NUMBER} (?:says|shows|found|told|has it)|according to {_section('second')}|"
    rf"as (?:{_VERB}|we (?:saw|found|computed|counted|derived)|seen|shown) in {_section('fourth')}(?=,)|"
    rf"(?:in|from) {_section('third')},? we "
    r"(?:know|saw|found|counted|computed|estimated|chose|assumed|settled on|derived))\b"
    r"[^.;:()\d]{0,60}$",
    re.IGNORECASE,
)
_BRACKETED = re.compile(rf"[\s\x02\x03]*\((?:see |from |as in |cf\. )?{_NUMBER}\)", re.IGNORECASE)
_NAMES = (
    "ection",
    "roblem",
    "hapter",
    "ppendix",
    "step ",
    "art ",
    "xercise",
    "§",
    "example",
    "eginning",
    "start",
    "outset",
    "introd",
    "first",
    "table",
    "above",
    "before",
    "earlier",
)
_ELSEWHERE = re.compile(r"\s*(?:of|in) (?:the |that |their |its |\[|[A-Z])|\s*\[|\s*\(?(?:[A-Z]\w+ et al)")
_DEFINITE = re.compile(
    r"\b(?:the|our|those|these)\s+(?:(?:[a-z-]+\s+){0,4}(?:of|with|is|was)\s+|(?:same|only|whole|full|about|roughly)\s+)?[~≈$]?\s*$",
    re.IGNORECASE,
)
_DEFINITE_VERB = re.compile(r"\b(?:is|are|takes?|was|were|the|our)\s[\s\x02~≈]*$")
_OPEN = re.compile(
    r"\b(?:instead|rather|not|unlike|if|would|half|twice|double|times|larger|smaller|more|less|than|without|no longer|"
    r"versus|vs|becomes?|falls?|grows?|drops?|goes)\b|n't\b",
    re.IGNORECASE,
)
_GROUPS = ("number", "second", "third", "fourth")
_BEHIND = 70
_OPENING = 0.2
_SHARED = 2  # how many words two numbers share that stand just "above"
_STOP = re.compile(r"[.;:()=]")
_SURE, _SHOWN, _FAR, _RANKED, _SPELT = 3, 3, 100.0, 60, 4
_WIDEST, _SUMMED = 4, 0.01  # columns of a table, and how far rounded parts may miss their sum


def claims(document: Document, mentions: Sequence[Mention]) -> Iterator[Claim]:
    """The numbers that a reference ties to another place of the document."""
    by_clause: dict[int, list[Mention]] = defaultdict(list)
    for one in mentions:
        by_clause[id(one.clause)].append(one)
    numbers = _numbers(document)
    for found in by_clause.values():
        for own, reference in _references(found):
            others = [one for one in mentions if one.clause is not own.clause and one.kind == own.kind]
            region = _region(document, own, reference, others, numbers)
            yield from _held(own, region, others, reference)
            if not region:
                yield from _in_words(document, own, reference, numbers)


def _references(found: Sequence[Mention]) -> Iterator[tuple[Mention, re.Match[str]]]:
    """The numbers of a clause that bear a reference: an article before and the place behind, or the place first."""
    clause = found[0].clause
    text = clause.text
    if clause.row or not any(word in text for word in _NAMES):
        return
    for reference in _REFERENCE.finditer(text):
        before = [one for one in found if one.quantity.end <= reference.start()]
        if not before or (reference["number"] and _ELSEWHERE.match(text, reference.end())):
            continue
        last = before[-1]
        between = text[last.quantity.end : reference.start()]
        if len(between) > _BEHIND or _STOP.search(between) or _OPEN.search(between):
            continue
        start = last.quantity.start
        if _DEFINITE.search(text, 0, start) and not _OPEN.search(text, max(0, start - 40), start):
            yield last, reference
    for one in found:
        start = one.quantity.start
        led = _LEADING.search(text[max(0, start - _BEHIND) : start]) or _TOLD_BEFORE.match(text[:start])
        bracketed = _BRACKETED.match(text, one.quantity.end)
        if bracketed is not None and not _DEFINITE_VERB.search(text, 0, start):
            bracketed = None
        told = led or bracketed
        if told is not None:
            yield one, told


def _numbers(document: Document) -> dict[int, str]:
    """The numbers of the sections by the count of their headings."""
    return {
        block.section: found[1]
        for block in document.blocks
        if block.heading and (found := _NUMBERED.match(unmarked(block.text)))
    }


def _region(
    document: Document,
    own: Mention,
    reference: re.Match[str],
    others: Sequence[Mention],
    numbers: dict[int, str],
) -> list[Mention]:
    """The numbers of its kind where a reference leads to."""
    told = reference.groupdict()
    near = [one for one in others if not one.kind[0] or 1 / _FAR < one.value / (own.value or 1.0) < _FAR]
    if told.get("start"):
        opening = max(int(_OPENING * len(document.blocks)), 4)
        first = {id(block) for block in document.blocks[:opening]}
        return [one for one in near if id(one.clause.block) in first]
    if told.get("before"):
        return [one for one in near if one.line < own.line and len(one.words & own.words) >= _SHARED]
    if told.get("table"):
        rows = [one for one in near if one.clause.row and one.clause.section == own.clause.section]
        beside = min(rows, key=lambda one: abs(one.line - own.line), default=None)
        return [one for one in rows if beside and one.clause.context == beside.clause.context]
    sections = _sections(document, own, told, numbers)
    return [one for one in near if one.clause.section in sections]


def _sections(
    document: Document, own: Mention, told: dict[str, str | None], numbers: dict[int, str]
) -> set[int]:
    """The sections that a reference means."""
    if told.get("here"):
        return {own.clause.section}
    wanted = next((told[name] for name in _GROUPS if told.get(name)), None)
    if wanted:
        return {one for one, number in numbers.items() if number == wanted or number.startswith(f"{wanted}.")}
    found = {
        block.section
        for block in document.blocks
        if block.heading and "example" in unmarked(block.text).lower()
    }
    return found if len(found) == 1 else set()


def _held(
    own: Mention, region: Sequence[Mention], others: Sequence[Mention], reference: re.Match[str]
) -> Iterator[Claim]:
    """The number where the reference leads to must be the same."""
    because = unmarked(reference[0])
    aside = reference.re is _BRACKETED  # what stands there may be how the number was found
    if any(own.alike(one) for one in region):
        if own.kind[1] or any(own.alike(one) and own.words & one.words for one in region):
            yield own.claim("true", own.clause.piece(own.quantity), "", because)
        return
    if not region or not any(own.kind):
        return
    alone = len({one.value for one in region}) == 1
    if any(own.alike(one) for one in others) and not (alone and "an hour" in own.kind[1]):
        return
    if reference.groupdict().get("table") and _is_made_of(own, region):
        return
    near = sorted(region, key=lambda one: abs(math.log(max(one.value, 1e-30) / max(own.value, 1e-30))))
    ranked = max(near[:_RANKED], key=lambda one: _support(own, one, others))
    right = ranked.text
    shares = bool(_support(own, ranked, others)[0])
    if shares or (alone and not aside):
        yield own.claim("false", right, f"another value there: line {ranked.line} has {right}", because)
    elif not aside and own.kind[0] and len(own.digits.replace(".", "").strip("0")) >= _SURE:
        shown = ", ".join(list(dict.fromkeys(one.text for one in near))[:_SHOWN])
        yield own.claim("false", "", f"no such number there, but {shown}", because)


def _is_made_of(own: Mention, region: Sequence[Mention]) -> bool:
    """Whether a number is the sum of rows of a table that follow each other, or the difference of two rows.

    The cells come row by row, so that those of a column are each so many places apart.
    """
    values = [one.value for one in region[:_RANKED]]
    for apart in range(1, _WIDEST + 1):
        for first in range(min(apart, len(values))):
            column = values[first::apart]
            for start in range(len(column)):
                total = 0.0
                for value in column[start:]:
                    total += value
                    if abs(total - own.value) < _SUMMED * own.value:
                        return True
    return any(abs((one - two) / (own.value or 1.0) - 1) < _SUMMED for one in values for two in values)


def _in_words(
    document: Document, own: Mention, reference: re.Match[str], numbers: dict[int, str]
) -> Iterator[Claim]:
    """A small count that the section of a reference tells in words: the 3-year line of section 2, over four years."""
    unit = own.quantity.literal.unit.removesuffix("s")
    if not unit.isalpha() or len(unit) < _SPELT or own.value <= 0:
        return
    sections = _sections(document, own, reference.groupdict(), numbers)
    spelt = re.compile(rf"\b({'|'.join(NUMBERS)})[ -]{re.escape(unit)}s?\b", re.IGNORECASE)
    printed = re.compile(rf"(?<![\d.,]){re.escape(own.quantity.literal.digits)}(?![\d.,]*\d)")
    if any(printed.search(block.text) for block in document.blocks if block.section in sections):
        return
    told = {
        (NUMBERS[found[1].lower()], found[0], block.line(found.start()))
        for block in document.blocks
        if block.section in sections
        for found in spelt.finditer(block.text)
    }
    if len({value for value, _, _ in told}) == 1:
        value, text, line = min(told, key=lambda one: one[2])
        if value != own.quantity.literal.value:
            yield own.claim(
                "false", text, f"another value there: line {line} has {text}", unmarked(reference[0])
            )


def _support(own: Mention, one: Mention, others: Sequence[Mention]) -> tuple[int, int, float]:
    """How many words a number shares wherever it stands, how often it does, and how near it is."""
    same = [other for other in others if other.alike(one)]
    near = min(one.value, own.value) / max(one.value, own.value, 1e-30)
    return max((len(other.words & own.words) for other in same), default=0), len(same), near
