"""A number that stands twice for one thing, once with a slip of the keys or under another prefix.

Two digits change places when a number is typed, a power of ten is lost, ms becomes µs, and GB turns into
GiB when it is copied. Each leaves a twin: nearly the same digits in another place of the document, next to the
same words. A number is called false only where its twin is borne out: computed by the text, or written more
than once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from derive.checking.claims import Claim
from derive.checking.headed import are_of_two, heads
from derive.checking.names import Mention
from derive.checking.row_labels import words_of

_YEAR = re.compile(r"(?:19|20)\d\d")
_PLACE = re.compile(r"(?::|\b(?:[Ll]ine|[Pp]age|[Ii]ssue|[Ss]tep|PR)s? |#)$")
_BINARY = {"GiB": "GB", "MiB": "MB", "TiB": "TB"}
_RELABELLED = "GB and GiB"
_MOVED = ("power of ten", "prefix")
_CONTRAST = re.compile(
    r"\b(?:slow\w*|fast\w*|others?|another|old\w*|new\w*|instead|than|without|times|cold|warm|large\w*|small\w*|"
    r"big\w*|longer|shorter|more|less|even|vs|versus|first|second|if|would|but|while|whereas|grow\w*|scal\w*)\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:others?|another|old\w*|new\w*|instead|without|if|would|first|second|previous|next|versus|vs|compared|"
    r"before|after)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"[=×*+→]|\d ?[-–/] ?\d")
_BRIEF, _SHORT = 2, 120  # how many numbers and letters a short sentence has
_FEWEST = 3  # digits of a twin
_MULTIPLE = re.compile(r"\d ?[×x] (?:the|its|as)\b|\btimes (?:the|its|as)\b")
"""What makes a number that is told as so many times another one."""
_ELSE = re.compile(
    r"\b(?:another|others?|old(?:er)?|new(?:er)?|previous|former|different|next)\s+(?:[a-z-]+\s+)?[a-z]{3,}",
    re.IGNORECASE,
)
"""What tells that a number is of another thing of the same kind: the new hall, another peak."""
_SHARED = 2  # how many words twins must share
_LONG = 4  # with so many digits, the same ones under both prefixes are no accident, nor all of them but one
_SWAPPED = "digits swapped"
_TYPED = "one digit is another"
_FAR, _FARTHEST = 5, 12  # with so many digits, two that stand apart may be exchanged
_SIGNS = {"USD": "$", "EUR": "€"}
"""How headings write the unit of a price."""
_TENS = (10.0, 100.0, 1000.0, 0.1, 0.01, 0.001)
_PREFIXED = ((("", "m", "µ"), "s"), (("k", "M", "G", "T"), "B"), (("M", "G", "T", "P"), "FLOP"))
_FEW = 3  # more twins than this in a document are of its kind, not of its author's fingers


def claims(mentions: Sequence[Mention], told: Sequence[Claim]) -> Iterator[Claim]:
    """Numbers that differ from a borne-out twin by a slip.

    told: what the other rules say; a number that they judge is left alone.
    """
    found = list(_found([one for one in mentions if _is_typed(one)], told))
    if len(found) <= _FEW:
        yield from found


def _is_typed(one: Mention) -> bool:
    """Whether a number has digits enough for a twin, and is no year or place."""
    if len(one.digits.replace(".", "").lstrip("0")) < _FEWEST or "e" in one.digits.lower():
        return False
    return bool(one.quantity.literal.unit) or not (
        _YEAR.fullmatch(one.digits) or _PLACE.search(one.clause.text, 0, one.quantity.start)
    )


def _found(places: Sequence[Mention], told: Sequence[Claim]) -> Iterator[Claim]:
    judged = {
        (claim.line, digits) for claim in told if claim.verdict != "unsure" for digits in _digits(claim)
    }
    true = {(claim.line, digits) for claim in told if claim.verdict == "true" for digits in _digits(claim)}
    false = {
        (claim.line, digits)
        for claim in told
        if claim.verdict == "false"
        for digits in _digits(replace(claim, text=claim.claimed))
    }
    by_digits: dict[tuple[str, str], list[Mention]] = defaultdict(list)
    for place in places:
        by_digits[place.digits, place.quantity.literal.unit].append(place)
    for place in places:
        key = (place.digits, place.quantity.literal.unit)
        if len(by_digits[key]) > 1 or (place.line, place.digits) in judged:
            continue
        short = not place.prose
        if short and not _is_short(place):
            continue
        for digits, unit, cause in _twins(place):
            if max(_significant(digits), _significant(place.digits)) < _FEWEST or (
                cause != _SWAPPED and _significant(place.digits) < _FEWEST
            ):
                continue
            same = by_digits.get((digits, unit), [])
            bare = [one for one in by_digits.get((digits, ""), ()) if unit and place.words & one.words]
            named = [one for one in bare if one.clause.row and _SIGNS.get(unit, unit) in _heading(one)]
            borne = any((one.line, one.digits) in true for one in same)
            often = borne or len({one.line for one in (*same, *bare)}) > 1
            sure = borne and cause == _SWAPPED and len(place.digits) >= _FAR and bool(place.kind[0])
            sure = (
                sure and not _ELSE.search(_own_words(place)) and any(place.words & one.words for one in same)
            )
            others = [one for one in (*same, *named) if sure or _alike(place, one, cause, often)]
            others = [one for one in others if cause != _SWAPPED or not are_of_two(place, one)]
            if short and not (borne or any(one.prose for one in same)):
                continue
            named_so = sure or any(_has_name(place, one) for one in others)
            if short and not (often and cause == _SWAPPED and named_so):
                continue
            if (
                others
                and (often or any(_is_printed(one, place) for one in others))
                and not any((one.line, one.digits) in false for one in others)
            ):
                right = others[0].text
                because = f"line {others[0].line}"
                yield place.claim("false", right, f"{cause}: {because} has {right}", because)
                break


def _own_words(one: Mention) -> str:
    """The text beside a number, only that of its brackets where it stands in such."""
    text, own = one.clause.text, one.quantity
    begin, end = text.rfind("(", 0, own.start), text.find(")", own.end)
    alone = 0 <= begin < end and ")" not in text[begin : own.start] and "(" not in text[own.end : end]
    return text[begin:end] if alone else one.beside


def _significant(digits: str) -> int:
    return len(digits.replace(".", "").strip("0"))


def _heading(one: Mention) -> str:
    return one.clause.heading(one.quantity.start)


def _is_short(one: Mention) -> bool:
    """Whether a measured number stands in a short sentence or point of a list: Cache per token: 819,200 bytes."""
    text = one.clause.text
    return (
        not one.clause.row
        and bool(one.kind[0])
        and len(one.clause.quantities) <= _BRIEF
        and len(text) < _SHORT
        and not (_COUNTS.search(text) or _CONTRAST.search(text) or _ANOTHER.search(text))
        and not _ELSE.search(one.clause.context)
        and bool(heads(one))
    )


def _has_name(one: Mention, other: Mention) -> bool:
    """Whether a word that names one number stands beside the other."""
    return bool(heads(one) & (other.words | heads(other)))


def _is_printed(one: Mention, place: Mention) -> bool:
    """Whether a table has a number, with so many digits that nothing else has them, or in a row that is named."""
    if not one.clause.row or _MULTIPLE.search(place.clause.text, 0, place.quantity.start):
        return False
    named = set(words_of(one.clause.text.partition("¦")[0]))
    unit = one.kind[0] if one.quantity.literal.unit else ()
    apart = [
        at for at, (own, other) in enumerate(zip(one.digits, place.digits, strict=False)) if own != other
    ]
    unlike = len(apart) == 2 and apart[1] - apart[0] > 1  # digits that stand apart are exchanged more rarely
    long = _significant(one.digits) >= _LONG + unlike
    return long or bool(unit and named and named <= place.words)


def _digits(claim: Claim) -> set[str]:
    return {
        found.replace(",", "") for found in re.findall(r"\d[\d,]*(?:\.\d+)?", f"{claim.text} {claim.claimed}")
    }


def _twins(place: Mention) -> Iterator[tuple[str, str, str]]:
    """What the number may have been: with two digits exchanged, the point elsewhere, another prefix."""
    digits, unit = place.digits, place.quantity.literal.unit
    point = digits.find(".")
    bare = digits.replace(".", "")
    for at in range(len(bare) - 1):
        if bare[at] != bare[at + 1]:
            other = bare[:at] + bare[at + 1] + bare[at] + bare[at + 2 :]
            yield other if point < 0 else f"{other[:point]}.{other[point:]}", unit, _SWAPPED
    long = _FAR <= len(bare) <= _FARTHEST and len(bare.strip("0")) >= _LONG
    for at, to in combinations(range(len(bare)), 2) if long else ():
        if bare[at] != bare[to] and to - at > 1:
            other = f"{bare[:at]}{bare[to]}{bare[at + 1 : to]}{bare[at]}{bare[to + 1 :]}"
            yield other if point < 0 else f"{other[:point]}.{other[point:]}", unit, _SWAPPED
    for at in range(len(bare) - 1) if len(bare) >= _LONG and point >= 0 else ():
        for digit in "0123456789".replace(bare[at], ""):
            other = f"{bare[:at]}{digit}{bare[at + 1 :]}"
            yield f"{other[:point]}.{other[point:]}", unit, _TYPED
    if unit in _BINARY:
        yield digits, _BINARY[unit], _RELABELLED
    for factor in _TENS:
        moved = f"{float(digits) * factor:.10g}"
        if "e" not in moved:
            yield moved, unit, "power of ten"
    head, slash, rest = unit.partition("/")
    for prefixes, base in _PREFIXED:
        prefix = head.removesuffix(base)
        if head.endswith(base) and prefix in prefixes:
            yield from ((digits, f"{one}{base}{slash}{rest}", "prefix") for one in prefixes if one != prefix)


def _alike(place: Mention, other: Mention, cause: str, often: bool) -> bool:
    """Whether two numbers are of one thing: other sentences that share the words next to them.

    often: the text computes the other one, or has it several times, so that with a unit one word of two will do.
    """
    if place.clause is other.clause:
        return False
    if cause == _RELABELLED:
        return len(place.digits.replace(".", "")) >= _LONG
    if cause == _TYPED:
        named = set(words_of(other.clause.text.partition("¦")[0])) if other.clause.row else set()
        shared = named <= place.words if named else len(place.words & other.words) >= _SHARED
        return bool(place.quantity.literal.unit) and shared and not _ANOTHER.search(place.beside)
    if cause in _MOVED and (_CONTRAST.search(place.clause.text) or len(place.words & other.words) <= _SHARED):
        return False
    if cause == _SWAPPED and _ELSE.search(_own_words(place)) and not _ELSE.search(other.beside):
        return False
    if (place.noun and place.noun == other.noun) or (
        place.kind[1] not in ("", "%") and place.kind == other.kind
    ):
        return True
    many = max(_significant(place.digits), _significant(other.digits))
    sure = often and cause == _SWAPPED and place.kind[0] and not _ANOTHER.search(_own_words(place))
    short = many < _LONG and not sure
    if other.clause.row and short:
        named = set(words_of(other.clause.text.partition("¦")[0]))
        return (
            bool(place.kind[0] and named and named <= place.words)
            or len(place.words & other.words) >= _SHARED
        )
    return len(place.words & other.words) >= (_SHARED if short else 1)
