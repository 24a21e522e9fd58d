"""Machines that a sentence tells of without their name: those of the paragraph, or the only one of the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.machine_facts import MEMORY, memory, rate
from derive.checking.machine_links import DIRECTED, EACH, NVLINK, OF_ONE, link
from derive.checking.machine_peaks import peak, units_do
from derive.checking.machine_subjects import WIRES, Meant, narrowed, of_the_only_one, spoken_of
from derive.checking.published import GENERATIONS
from derive.checking.quantities import Quantity
from derive.checking.statements import BANDWIDTH, FLOPS, constants_of, words_by
from derive.checking.subjects import Mention, machines, precisions

_GENERATION = re.compile(
    r"\bNV-?Link[ -]?([2-5])\b|\b(second|third|fourth|fifth)[- ]generation NV-?Link\b", re.IGNORECASE
)
_BRIDGED = re.compile(r"\bPCI-?e\b|\bbridge|\bpairs?\b", re.IGNORECASE)
_OF_MEMORY = re.compile(
    r"[\s\x02\x03]*of (?:HBM|GDDR|VRAM|memory)\w*(?: (?:per|a) (?:chip|card|GPU))?[\s\x02\x03]*(?:[.,;)]|and\b|$)"
)
_OF_NVLINK = re.compile(
    r"[\s\x02\x03]*(?:of|over|via|through|by) (?:(?:total|aggregate) )?NV-?Link\b", re.IGNORECASE
)
_LANES = re.compile(r"(?<![\w.])[x×] ?(1|2|4|8|16)\b(?! ?[\d(A-Z])")
_ORDINALS = {"second": "2", "third": "3", "fourth": "4", "fifth": "5"}
_OFFERS = re.compile(r"\b(?:has|have|offers?|provides?|peaks?|rated|dense|get)\b", re.IGNORECASE)
_ITS_OWN = ("sparse and dense", "both ways and each way", "peak of another precision", "bit and byte")
"""Slips by which a number is still that of the machine itself."""
_MEMORY_WHICH = re.compile(
    r"\b(?:HBM\w*|GDDR\w*|memory),? (?:which|that) (?:delivers|reads|runs|is read|gives|offers|moves|streams|has)"
    r"(?: (?:at|about|a bandwidth of|data at))*[\s\x02\x03~≈]*$|"
    r"\b(?:[Ii]t|[Tt]hat one|[Tt]his one|[Ww]hich) has \d+ GB(?: of [\w ]{1,12})?(?: and|,| at| with)[\s\x02\x03~≈]*$"
)
_MOST, _NEAR, _FAR = 16, 80, 140


def only_one(texts: Iterable[str], meant: Meant) -> Mention | None:
    """The one machine that a document names; none where it names another, or one that the catalogue lacks."""
    found: set[tuple[str, ...]] = set()
    for text in texts:
        for one in machines(text):
            if not (one.names and one.names[0].startswith(WIRES)):
                found.add(narrowed(one, meant).names)
        if len(found) > 1:
            return None
    names = found.pop() if found else ()
    return Mention(names, 0, 0) if names else None


def only_links(texts: Iterable[str], meant: Meant) -> Mention | None:
    """The first machine of a document whose machines all have links of the same rates, none without links."""
    found: dict[frozenset[Fraction], tuple[str, ...]] = {}
    for text in texts:
        for one in machines(text):
            if not (one.names and one.names[0].startswith(WIRES)):
                own = narrowed(one, meant)
                rates = frozenset(link.base for link in constants_of(own, ("link",), BANDWIDTH))
                found.setdefault(rates, own.names)
        if len(found) > 1:
            return None
    return next((Mention(names, 0, 0) for rates, names in found.items() if rates), None)


def claims(
    clause: Clause, sparse_told: bool, alone: Mention | None, joined: Mention | None = None
) -> Iterator[Claim]:
    """The peaks in a format that is named, and the rates, of a machine that a sentence does not name.

    alone: the only machine of the document. joined: one of its machines, if all have the same links.
    """
    if clause.row or not clause.quantities:
        return
    quantities = clause.quantities[:_MOST]
    peaks = [
        one
        for one in quantities
        if one.literal.options[0].dimension == FLOPS
        and (_OFFERS.search(clause.around(one, 40, 24)) or units_do(clause, one))
    ]
    peaks = peaks if peaks and precisions(clause.text) else []
    rates = [one for one in quantities if one.literal.options[0].dimension == BANDWIDTH]
    sizes = [one for one in quantities if _OF_MEMORY.match(clause.text, one.end)]
    if not (peaks or rates or sizes) or machines(clause.text):
        return
    for quantity in sizes:
        spoken_for = spoken_of(clause, quantity)
        for claim in memory(clause, quantity, spoken_for, sparse_told) if spoken_for else ():
            if claim.verdict == "true" or claim.cause.startswith("another machine"):
                yield claim
    for quantity in rates:
        wire = _of_same_generation(clause, quantity)
        yield from link(clause, quantity, wire[0], "", wire[1]) if wire is not None else ()
    spoken = NVLINK.search(clause.block.text, 0, clause.offset) is not None
    links = [
        one
        for one in rates
        if NVLINK.search(clause.around(one, 40, 0))
        or _OF_NVLINK.match(clause.text, one.end)
        or (spoken and EACH.search(clause.around(one, 0, 30)))
    ]
    reads = [one for one in rates if MEMORY.search(words_by(clause, one)) or _of_memory_before(clause, one)]
    for quantity in reads:
        spoken_for = spoken_of(clause, quantity)
        yield from rate(clause, quantity, spoken_for, sparse_told) if spoken_for else ()
    generation = _of_generation(clause)
    mention = _of_paragraph(clause) or generation
    by_generation = generation is not None and mention is generation
    if mention is not None:
        for quantity in reads if not by_generation else ():
            told = rate(clause, quantity, mention, sparse_told) if not spoken_of(clause, quantity) else ()
            yield from (one for one in told if one.verdict != "unsure")
        for quantity in peaks:
            yield from peak(clause, quantity, mention, sparse_told)
        for quantity in links:
            for claim in link(clause, quantity, mention, ""):
                if by_generation or _is_of_one(clause) or not claim.cause.startswith("another machine"):
                    yield claim
    elif alone is not None and of_the_only_one(clause):
        yield from _of_the_only_one(clause, peaks, links, reads, alone, sparse_told)
    elif joined is not None:
        for quantity in links if DIRECTED.search(clause.text) else ():
            claims = link(clause, quantity, joined, words_by(clause, quantity))
            for one in claims:
                another = _is_of_one(clause) and one.cause.startswith("another machine")
                if one.verdict != "false" or one.cause.startswith(_ITS_OWN) or another:
                    yield one


def _of_memory_before(clause: Clause, quantity: Quantity) -> bool:
    """Whether a rate is told of the memory right before it: 80 GB of HBM3, which delivers so much."""
    return bool(_MEMORY_WHICH.search(clause.text, max(0, quantity.start - _NEAR), quantity.start))


def _is_of_one(clause: Clause) -> bool:
    """Whether a sentence tells a rate for one card, and which way: nothing else can be meant."""
    return bool(DIRECTED.search(clause.text) and OF_ONE.search(clause.text))


def _of_the_only_one(
    clause: Clause,
    peaks: list[Quantity],
    links: list[Quantity],
    reads: list[Quantity],
    alone: Mention,
    sparse_told: bool,
) -> Iterator[Claim]:
    """What is said of "the card": false only where the number is the machine's own, or a sibling's, taken wrongly."""
    family = alone.names[0].partition("-")[0].upper()
    found = [claim for one in peaks for claim in peak(clause, one, alone, sparse_told)]
    found += [claim for one in reads for claim in rate(clause, one, alone, sparse_told)]
    for claim in found:
        sibling = claim.cause.startswith("another machine") and f" {family} " in claim.cause
        if claim.verdict != "false" or claim.cause.startswith(_ITS_OWN) or sibling:
            yield claim
    most = max((float(one.base) for one in constants_of(alone, ("link",), BANDWIDTH)), default=0.0)
    for one in links:
        faster = (one.base(BANDWIDTH) or 0.0) > most  # nobody takes a share of it
        for claim in link(clause, one, alone, words_by(clause, one)):
            another = _is_of_one(clause) and claim.cause.startswith("another machine")
            if another or faster or claim.verdict != "false" or claim.cause.startswith(_ITS_OWN):
                yield claim


def _of_same_generation(clause: Clause, quantity: Quantity) -> tuple[Mention, int] | None:
    """The one generation of PCI Express that the paragraph names before a rate each way, and the lanes told since."""
    before = clause.block.text[: clause.offset + quantity.start]
    lanes = list(_LANES.finditer(before, max(0, len(before) - _FAR)))
    if not lanes or not EACH.search(clause.around(quantity, 0, 30)):
        return None
    wires = [one for one in machines(before[: lanes[-1].start()]) if "pcie" in "".join(one.names)]
    if len({one.names for one in wires}) != 1 or any(wires[-1].end <= one.start() for one in lanes[:-1]):
        return None
    return wires[-1], int(lanes[-1][1])


def _of_generation(clause: Clause) -> Mention | None:
    """The machine of the one generation of NVLink that a sentence names; bridges of cards have fewer links."""
    if _BRIDGED.search(clause.text):
        return None
    generations = {
        GENERATIONS[found[1] or _ORDINALS[found[2].lower()]] for found in _GENERATION.finditer(clause.text)
    }
    return Mention((generations.pop(),), 0, 0) if len(generations) == 1 else None


def _of_paragraph(clause: Clause) -> Mention | None:
    """The one machine that the paragraph names before; none where it names several."""
    before = [one for one in machines(clause.block.text) if one.end <= clause.offset]
    if len({one.names for one in before}) == 1 and before[0].names:
        return replace(before[0], start=0, end=0, count=1)
    return None
