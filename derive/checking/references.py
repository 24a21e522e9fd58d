"""Numbers that the text takes from another place of the document, and says from which: the 4.8 ms of section 4.

The number must stand there. Where it does not, and the place has another one of the same
kind, it is false; without such a reference two values are nobody's error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.checking.blocks import Document
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.inline import unmarked
from derive.checking.judging import with_unit
from derive.checking.quantities import Quantity
from derive.checking.words import Dimension, readings

_NUMBERED = re.compile(
    r"^\W*(?:section|problem|part|chapter|step|exercise|appendix)?\s*(\d+(?:\.\d+)*)\b", re.IGNORECASE
)
_VERB = r"(?:found|chosen|assumed|derived|computed|obtained|calculated|worked out|settled on|fixed|given|set|priced)"
_REFERENCE = re.compile(
    r"\b(?:(?:of|in|from) (?:section|problem|chapter|step|exercise|§) ?(?P<number>\d+(?:\.\d+)*)(?!\.?\d)|"
    r"(?:of|in|from) (?:the|our) (?:(?:worked|running|first|second) )?(?P<example>example)\b|"
    rf"(?:{_VERB} )?(?P<start>at the (?:beginning|start|outset)|in the introduction|at first)\b|"
    rf"{_VERB} (?:in|for) this (?P<here>problem|section|exercise|example)\b)",
    re.IGNORECASE,
)
_NAMES = (
    "ection",
    "roblem",
    "hapter",
    "step ",
    "xercise",
    "§",
    "example",
    "eginning",
    "start",
    "outset",
    "introd",
    "first",
)
_ELSEWHERE = re.compile(r"\s*(?:of|in) (?:the |that |their |its |\[|[A-Z])|\s*\[|\s*\(?(?:[A-Z]\w+ et al)")
_DEFINITE = re.compile(
    r"\b(?:the|our|those|these)\s+(?:(?:[a-z-]+\s+){0,4}(?:of|with|is|was)\s+|(?:same|only|whole|full|about|roughly)\s+)?[~≈$]?\s*$",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:instead|rather|not|unlike|if|would|half|twice|double|times|larger|smaller|more|less|than|without|no longer|"
    r"versus|vs|becomes?|falls?|grows?|drops?|goes)\b|n't\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][a-z-]{3,}")
_COMMON = re.compile(
    r"with|that|this|from|section|problem|chapter|example|worked|found|chosen|assumed|derived|computed|about|only|"
    r"roughly|each|have|were|been|which|beginning|start|step|exercise|here|they|there|then|than|into|over",
    re.IGNORECASE,
)
_BEHIND = 70
_NEAR = 90
_ALIKE = 0.006
_OPENING = 0.2
_SURE, _SHOWN, _FAR = 3, 3, 100.0
_MOST = 6_000


@dataclass(frozen=True)
class _Place:
    """A number of the document, its unit or the noun that it counts, and the words next to it."""

    clause: Clause
    quantity: Quantity
    kind: tuple[Dimension, str]
    words: frozenset[str]
    factor: float

    @property
    def value(self) -> float:
        """The number in base units; an hourly price as it is printed."""
        return self.quantity.literal.value * self.factor

    @property
    def text(self) -> str:
        """As it was written, with the unit that its heading gives it."""
        literal = self.quantity.literal
        own = self.clause.piece(self.quantity)
        return with_unit(literal.digits, literal.unit) if self.clause.row else own

    @property
    def line(self) -> int:
        return self.clause.line(self.quantity.start)

    def alike(self, other: _Place) -> bool:
        """Whether two numbers are the same thing but for rounding."""
        slack = sum(one.quantity.literal.slack * one.factor for one in (self, other))
        return self.kind == other.kind and abs(self.value - other.value) <= max(
            2 * slack, _ALIKE * abs(self.value)
        )


def claims(document: Document, clauses: Sequence[Clause]) -> Iterator[Claim]:
    """The numbers that a reference ties to another place of the document."""
    told = [(clause, list(_references(clause))) for clause in clauses if not clause.row]
    told = [(clause, found) for clause, found in told if found]
    if not told:
        return
    places = [place for clause in clauses for place in _places(clause)][:_MOST]
    numbers = _numbers(document)
    for clause, found in told:
        for quantity, reference in found:
            sections = _sections(document, clause, reference, numbers)
            opening = int(_OPENING * len(document.blocks)) if reference["start"] else 0
            own = next((one for one in places if one.clause is clause and one.quantity is quantity), None)
            if own is None:
                continue
            first = {id(block) for block in document.blocks[: max(opening, 4)]} if opening else set()
            region = [
                one
                for one in places
                if one.clause is not clause
                and one.kind == own.kind
                and (not one.kind[0] or 1 / _FAR < one.value / (own.value or 1.0) < _FAR)
                and (id(one.clause.block) in first if reference["start"] else one.clause.section in sections)
            ]
            yield from _held(
                own, region, [one for one in places if one.clause is not clause], unmarked(reference[0])
            )


def _references(clause: Clause) -> Iterator[tuple[Quantity, re.Match[str]]]:
    """Numbers with a definite article before them and a reference behind them."""
    if not any(word in clause.text for word in _NAMES):
        return
    for reference in _REFERENCE.finditer(clause.text):
        if reference["number"] and _ELSEWHERE.match(clause.text, reference.end()):
            continue
        before = [one for one in clause.quantities if one.end <= reference.start()]
        if not before or reference.start() - before[-1].end > _BEHIND:
            continue
        last = before[-1]
        between = clause.text[last.end : reference.start()]
        if not _DEFINITE.search(clause.text[: last.start]) or re.search(r"[.;:()=]", between):
            continue
        if _OPEN.search(clause.text[max(0, last.start - 40) : last.start]) or _OPEN.search(between):
            continue
        yield last, reference


def _numbers(document: Document) -> dict[int, str]:
    """The numbers of the sections by the count of their headings."""
    return {
        block.section: found[1]
        for block in document.blocks
        if block.heading and (found := _NUMBERED.match(unmarked(block.text)))
    }


def _sections(
    document: Document, clause: Clause, reference: re.Match[str], numbers: dict[int, str]
) -> set[int]:
    """The sections that a reference means."""
    if reference["here"]:
        return {clause.section}
    if reference["number"]:
        wanted = reference["number"]
        return {one for one, number in numbers.items() if number == wanted or number.startswith(f"{wanted}.")}
    if reference["example"]:
        found = {
            block.section
            for block in document.blocks
            if block.heading and "example" in unmarked(block.text).lower()
        }
        return found if len(found) == 1 else set()
    return set()


def _places(clause: Clause) -> Iterator[_Place]:
    for quantity in clause.quantities:
        begin, end = max(0, quantity.start - _NEAR), quantity.end + _NEAR
        beside = f"{clause.text[begin : quantity.start]} {clause.text[quantity.end : end]}"
        words = frozenset(
            word.lower().removesuffix("s")
            for word in _WORD.findall(f"{beside} {clause.heading(quantity.start)}")
            if not _COMMON.fullmatch(word)
        )
        literal = quantity.literal
        dimension, noun = literal.options[0].dimension, ""
        factor = quantity.factor(dimension)
        if any(base == "dollar" for base, _ in dimension) and re.search(
            r"\bhour|/ ?h\b", beside + literal.unit
        ):
            dimension, noun, factor = (), "dollars an hour", 1.0
        elif dimension:
            noun = " ".join(
                sorted(word for word in literal.unit.replace("/", " ").split() if not _is_unit(word))
            )
        elif literal.unit == "%":
            noun = "%"
        else:
            found = re.match(r"[\s\x03~-]*([A-Za-z][a-z-]{3,})", clause.text[quantity.end :])
            noun = (literal.unit.split(" ")[-1] or (found[1] if found else "")).lower().removesuffix("s")
        yield _Place(clause, quantity, (dimension, noun), words, factor)


def _is_unit(word: str) -> bool:
    return any(option.dimension for option in readings(word))


def _held(own: _Place, region: Sequence[_Place], places: Sequence[_Place], reference: str) -> Iterator[Claim]:
    """The number where the reference leads to must be the same."""
    if any(own.alike(one) for one in region):
        yield _claim(own, "true", own.clause.piece(own.quantity), "", reference)
        return
    if not region or any(own.alike(one) for one in places) or not any(own.kind):
        return
    values = {one.value for one in region}
    ranked = max(region, key=lambda one: _support(own, one, places))
    right = ranked.text
    if len(values) == 1 or _support(own, ranked, places)[0]:
        yield _claim(own, "false", right, f"another value there: line {ranked.line} has {right}", reference)
    elif own.kind[0] and len(own.quantity.literal.digits.replace(".", "").strip("0")) >= _SURE:
        near = sorted(region, key=lambda one: abs(one.value - own.value))
        shown = ", ".join(list(dict.fromkeys(one.text for one in near))[:_SHOWN])
        yield _claim(own, "false", "", f"no such number there, but {shown}", reference)


def _support(own: _Place, one: _Place, places: Sequence[_Place]) -> tuple[int, int]:
    """How many words a number shares wherever it stands, and how often it does."""
    same = [other for other in places if other.alike(one)]
    return max((len(other.words & own.words) for other in same), default=0), len(same)


def _claim(own: _Place, verdict: str, expected: str, cause: str, because: str) -> Claim:
    clause, place = own.clause, own.quantity.start
    hindered = clause.hindered(place) if verdict == "false" else ""
    text = clause.piece(own.quantity)
    return Claim(
        line=clause.line(place),
        text=text,
        verdict="true" if verdict == "true" else "unsure" if hindered else "false",
        expected=expected,
        claimed=text,
        cause=hindered or cause,
        rule="two-values",
        because=because,
        cell=clause.block.cell,
    )
