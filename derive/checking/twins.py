"""A number that stands twice for one thing, once with two digits exchanged or under the other prefix.

Two digits change places when a number is typed, and GB turns into GiB when it is copied. Both leave a twin: a
number with the same digits in another place of the document, next to the same words. It is called false
only where the other one is borne out: computed by the text, or written more than once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity

_WORD = re.compile(r"[A-Za-z][A-Za-z\d-]{2,}")
_PLAIN = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")
_NOUN = re.compile(r"[ ~]([a-z][a-z-]{4,})")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PLACE = re.compile(r"(?::|\b(?:[Ll]ine|[Pp]age|[Ii]ssue|[Ss]tep|PR)s? |#)$")
_COMMON = re.compile(
    r"the|and|for|with|that|this|from|into|th[ae]n|are|was|were|ha[sd]|have|its|our|one|two|per|each|all|any|not|but|"
    r"about|only|roughly|approximately|exactly|which|when|where|while|would|could|should|can|may|might|will|more|less|"
    r"most|least|over|under|above|below|same|other|such|also|because|they|them|their|t?here|your?|(?:get|give|take|need|"
    r"use|make)s?|used|using",
    re.IGNORECASE,
)
_BINARY = {"GiB": "GB", "MiB": "MB", "TiB": "TB"}
_NEAR = 90  # characters to either side in which a number's own words stand
_SHARED = 2  # how many of them twins must share
_LONG = 4  # with so many digits, the same ones under both prefixes are no accident
_PROSE, _TO_EACH = 8, 4
# how many plain words make a sentence, and stand to each number of it: logs have twins by accident
_FEW = 3  # more twins than this in a document are of its kind, not of its author's fingers
_MOST = 4_000


@dataclass(frozen=True)
class _Place:
    """A number at its place, with the words next to it, the noun behind it, and whether it stands in prose."""

    clause: Clause
    quantity: Quantity
    words: frozenset[str]
    noun: str
    prose: bool

    @property
    def digits(self) -> str:
        return self.quantity.literal.digits.replace(",", "").replace("_", "")

    @property
    def line(self) -> int:
        return self.clause.line(self.quantity.start)


def claims(clauses: Iterable[Clause], told: Sequence[Claim]) -> Iterator[Claim]:
    """Numbers that differ from a borne-out twin by two digits or by the base of their prefix.

    told: what the other rules say; a number that they judge is left alone.
    """
    found = list(_found(list(_places(clauses)), told))
    if len(found) <= _FEW:
        yield from found


def _found(places: Sequence[_Place], told: Sequence[Claim]) -> Iterator[Claim]:
    judged = {
        (claim.line, digits) for claim in told if claim.verdict != "unsure" for digits in _digits(claim)
    }
    true = {(claim.line, digits) for claim in told if claim.verdict == "true" for digits in _digits(claim)}
    by_digits: dict[tuple[str, str], list[_Place]] = defaultdict(list)
    for place in places:
        by_digits[place.digits, place.quantity.literal.unit].append(place)
    for place in places:
        key = (place.digits, place.quantity.literal.unit)
        if not place.prose or (place.line, place.digits) in judged or len(by_digits[key]) > 1:
            continue
        for digits, unit, cause in _twins(place):
            others = [other for other in by_digits.get((digits, unit), ()) if _alike(place, other)]
            if len({other.line for other in others}) > 1 or any(
                (one.line, one.digits) in true for one in others
            ):
                yield _claim(place, others[0], cause)
                break


def _digits(claim: Claim) -> set[str]:
    return {
        found.replace(",", "") for found in re.findall(r"\d[\d,]*(?:\.\d+)?", f"{claim.text} {claim.claimed}")
    }


def _places(clauses: Iterable[Clause]) -> Iterator[_Place]:
    found = 0
    for clause in clauses:
        if clause.row:
            continue
        prose = len(_PLAIN.findall(clause.text)) >= max(_PROSE, _TO_EACH * len(clause.quantities))
        for quantity in clause.quantities:
            digits = quantity.literal.digits.replace(",", "").replace("_", "")
            if len(digits.replace(".", "").strip("0")) < 3 or "e" in digits.lower():
                continue
            if not quantity.literal.unit and (
                _YEAR.fullmatch(digits) or _PLACE.search(clause.text, 0, quantity.start)
            ):
                continue
            found += 1
            if found > _MOST:
                return
            noun = _NOUN.match(clause.text, quantity.end)
            yield _Place(clause, quantity, _words(clause, quantity), noun[1] if noun else "", prose)


def _words(clause: Clause, quantity: Quantity) -> frozenset[str]:
    begin, end = max(0, quantity.start - _NEAR), quantity.end + _NEAR
    text = f"{clause.text[begin : quantity.start]} {clause.text[quantity.end : end]}"
    return frozenset(
        word.lower().removesuffix("s") for word in _WORD.findall(text) if not _COMMON.fullmatch(word)
    )


def _twins(place: _Place) -> Iterator[tuple[str, str, str]]:
    """What the number may have been: with two neighbouring digits exchanged, or in decimal units."""
    digits, unit = place.digits, place.quantity.literal.unit
    for at in range(len(digits) - 1):
        one, other = digits[at], digits[at + 1]
        if one != other and one != "." and other != ".":
            yield digits[:at] + other + one + digits[at + 2 :], unit, "digits swapped"
    if unit in _BINARY:
        yield digits, _BINARY[unit], "GB and GiB"


def _alike(place: _Place, other: _Place) -> bool:
    """Whether two numbers are of one thing: other sentences that share the words next to them."""
    if place.clause is other.clause:
        return False
    if place.noun and place.noun == other.noun:
        return True
    if place.digits == other.digits:
        return len(place.digits.replace(".", "")) >= _LONG
    return len(place.words & other.words) >= _SHARED


def _claim(place: _Place, twin: _Place, cause: str) -> Claim:
    text, right = place.clause.piece(place.quantity), twin.clause.piece(twin.quantity)
    hindered = place.clause.hindered(place.quantity.start)
    return Claim(
        line=place.line,
        text=text,
        verdict="unsure" if hindered else "false",
        expected=right,
        claimed=text,
        cause=hindered or f"{cause}: line {twin.line} has {right}",
        rule="two-values",
        because=f"line {twin.line}",
        cell=place.clause.block.cell,
    )
