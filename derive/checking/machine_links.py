"""Rates of the links between machines, each way and both ways, held against the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from derive.checking.causes import UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.machine_peaks import FIRMLY
from derive.checking.quantities import Quantity
from derive.checking.statements import (
    BANDWIDTH,
    agreeing_with,
    constants_of,
    elsewhere,
    false_statement,
    measured,
    mistaken_for,
    part,
    statement,
)
from derive.checking.subjects import Mention
from derive.entries import Constant

NVLINK = re.compile(r"\bNV-?Links?\b", re.IGNORECASE)
EACH = re.compile(
    r"per direction|each (?:way|direction)|\bsend.{1,40}receive|"
    r"one[- ]way|uni-?directional|one direction|/direction|single direction",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"bi-?directional|both (?:ways|directions)|\bboth\b(?= ?[(/)]|$)|two[- ]way|full[- ]duplex|duplex|"
    r"\btotal\b|aggregate|combined",
    re.IGNORECASE,
)
DIRECTED = re.compile(f"{EACH.pattern}|{_BOTH.pattern}", re.IGNORECASE)
_ON_A_BOARD = re.compile(r"total (?:on|in|over|across|of|to|from) ", re.IGNORECASE)
"""What says that a rate is the sum over the links to all others, and not over both directions."""
_LANES_OF = re.compile(r"[x×] ?(1|2|4|8|16)\b")
_DRIVE, _OF_A_DRIVE = re.compile(r"\b(?:drives?|SSDs?|NVMe|M\.2|U\.[23])\b"), 4
_SUMMED = re.compile(r"\b(?:together|in (?:all|total)|RAID\w*|striped?|both)\b")
_OVER_LINKS = re.compile(rf"{NVLINK.pattern}|\bover (?:its |the )?(?:\w+ )?links\b", re.IGNORECASE)
_REACHED = re.compile(
    r"\bbus ?bw\b|bus bandwidth|\balgbw\b|all-?(?:reduce|gather|to-?all)|\bNCCL\b|"
    r"\b(?:saw|seen|hits?|shows?|logs?|profiler?|cut|reduced|lowered|down)\b|"
    r"\b(?:\d+|one|two|three|four|six|half|some|most|part) of (?:the|its|those|these)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"[\s\x02\x03]*(?:less|more|slower|faster|short|below|above|away|apart|of (?:the|it))\b"
)
_OTHER_BUS = re.compile(r"PCI|InfiniBand|Ethernet|\bnetwork|\bRoCE|\bNDR|\bHDR|\bNICs?\b")
_PER_PORT = re.compile(r"\b(?:each|apiece|per (?:port|link|adapter|NIC))\b")
_A_LINK = re.compile(
    r"\b(?:[Aa]n?|[Oo]ne|[Ee]ach|[Ee]very|[Ss]ingle|[Pp]er) (?:NV-?Link(?: ?\d)? )?(?:(?:NV|nv)?[Ll]ink|lane|brick)\b"
)
_LINKS_OF = re.compile(
    r"\b\d{1,2} (?:[\w.+-]+ ){0,4}(?:(?:NV|nv)?[Ll]inks?|lanes?|ports?)(?: of|,? at|,? with|,? each|:)\s*[~≈]?$"
)
"""What stands before the rate of one of several links."""
_FACTOR = re.compile(r"[×*][\s\x02\x03]*$")
_BOX = re.compile(
    r"\b(?:DGX|HGX|node|system|server|rack|pod|cluster|superpod|NVL\d+|slice)s?\b|"
    r"NVSwitch|aggregate|卡|\b\d+[ -]?(?:GPU|way|card)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:inside|within|in) (?:a|the|one|each|every) (?:node|box|server),? "
    r"(?=(?:the|each|every|all) (?:cards?|GPUs?)\b)",
    re.IGNORECASE,
)
"""What only says where the links of a card are."""
OF_ONE = re.compile(r"\b(?:per|each|every) (?:of (?:the|those|these|its) )?(?:GPU|card|chip|device)s?\b")
_LANE = re.compile(
    r"lane|peer[- ]to[- ]peer|GPU[- ]to[- ]GPU|per link|/link|\bport|rail|per axis|each link|\bNICs?\b",
    re.IGNORECASE,
)
_NEXT = re.compile(r"[,;(][^\d,;()]{0,14}\d")
"""Where what follows is of another number: 600 GB/s, i.e. 300 each way."""
_CLOSE, _NEAR = 40, 80


def link(clause: Clause, quantity: Quantity, mention: Mention, words: str, lanes: int = 0) -> Iterator[Claim]:
    """A rate of the links of a machine, each way or both ways.

    words: what qualifies it. lanes: those of a bus that the sentence itself does not name.
    """
    constants = constants_of(mention, ("link",), BANDWIDTH)
    close = f"{clause.heading(quantity.start)} {_beside(clause, quantity)}"
    if clause.row and not DIRECTED.search(close):
        close = f"{clause.before[-_NEAR:]} {close}"  # a caption tells it for the whole table
    each, both = bool(EACH.search(close)), bool(_BOTH.search(close))
    if not constants or (each and both) or _FACTOR.search(clause.text[: quantity.start]):
        return  # a factor is that of one of the links
    if _LINKS_OF.search(clause.text, 0, quantity.start) or _A_LINK.search(clause.text):
        return
    wire = mention.names[0].startswith("ib-")  # is told per port and each way
    if wire and mention.count > 1 and not _PER_PORT.search(clause.text, quantity.start):
        return
    way = "each-way" if each or wire else "both-ways" if both else ""
    if mention.names[0].startswith("pcie"):
        told = None if lanes else _LANES_OF.search(clause.text, mention.start, mention.end + 8)
        lanes = int(told[1]) if told else lanes
        if not way and 0 < lanes <= _OF_A_DRIVE and _is_of_a_drive(clause):
            way = "each-way"  # a drive reads or writes
        scaled = [_of_lanes(constant, lanes) for constant in constants] if lanes else constants
        constants = [*scaled, *map(_encoded, scaled)]
    meant = [constant for constant in constants if not way or constant.tags.get("direction") == way]
    agreeing = agreeing_with(quantity, meant, BANDWIDTH)
    if agreeing is not None:
        if agreeing.entry == mention.names[0] or not any(one.entry == mention.names[0] for one in meant):
            yield statement(
                clause, quantity, agreeing, "true", "", mention
            )  # else of a card that is not spoken of
    elif meant and not way and _OVER_LINKS.search(f"{words} {close}") and not _is_less(clause, quantity):
        cause = elsewhere(quantity, meant[0], BANDWIDTH, mention)
        of_cards = _WITHIN.sub(" ", clause.text)
        if cause.startswith("another machine") and not (_BOX.search(of_cards) or _LANE.search(of_cards)):
            yield false_statement(clause, quantity, meant[-1], cause, mention)
    elif (
        meant
        and way
        and not (FIRMLY.search(clause.text) and (quantity.base(BANDWIDTH) or 0.0) <= float(meant[0].base))
    ):  # what was reached is no more than there is
        mistaken = agreeing_with(quantity, constants, BANDWIDTH)
        if mistaken is not None and not _ON_A_BOARD.search(clause.text, quantity.end, quantity.end + _CLOSE):
            yield false_statement(clause, quantity, meant[0], mistaken_for(mistaken, meant[0]), mention)
        if mistaken is not None or measured(clause, quantity):
            return
        cause = elsewhere(quantity, meant[0], BANDWIDTH, mention)
        laned = _LANE.search(f"{clause.heading(quantity.start)} {clause.text}") and not wire
        boxed = _BOX.search(clause.text) and not OF_ONE.search(close)
        wide = laned or boxed or mention.names[0].startswith("tpu")
        less = (quantity.base(BANDWIDTH) or 0.0) < float(meant[0].base)
        narrower = (
            wire and (less or both or clause.row) and not cause.startswith("bit and byte")
        )  # there are ports of fewer lanes
        if cause != UNKNOWN and not wide and not narrower:
            yield false_statement(clause, quantity, meant[0], cause, mention)


def _is_less(clause: Clause, quantity: Quantity) -> bool:
    """Whether a rate may be what was reached, that of some of the links, of another bus, or a difference."""
    behind = clause.text[quantity.end : quantity.end + _CLOSE]
    last = max((one.end() for one in NVLINK.finditer(clause.text, 0, quantity.start)), default=0)
    return bool(
        measured(clause, quantity)
        or _REACHED.search(part(clause.text, quantity))
        or _COMPARED.match(behind)
        or _OTHER_BUS.search(clause.text, last, quantity.start)
    )


def both_ways(text: str) -> bool:
    """Whether a text tells of both directions together."""
    return _BOTH.search(text) is not None


def _is_of_a_drive(clause: Clause) -> bool:
    return bool(_DRIVE.search(clause.text)) and not _SUMMED.search(clause.text)


def _beside(clause: Clause, quantity: Quantity) -> str:
    """The words next to a rate, but not what is said of the rate before it: 900 GB/s both ways, so 450 GB/s out."""
    before = [one.end for one in clause.quantities if one.end <= quantity.start]
    begin = max(0, quantity.start - _CLOSE)
    if before and before[-1] > begin:
        begin = max(before[-1], clause.text.rfind(",", before[-1], quantity.start))
    behind = clause.text[quantity.end : quantity.end + _CLOSE]
    return clause.text[begin : quantity.end] + _NEXT.split(behind, maxsplit=1)[0]


def _of_lanes(constant: Constant, lanes: int) -> Constant:
    """The rate of so many lanes, from that of sixteen."""
    value = Fraction(constant.value) * lanes / 16
    return replace(constant, value=value, text=f"{float(value):.3g} {constant.unit}")


def _encoded(constant: Constant) -> Constant:
    """A PCI Express rate after its 128b/130b code: what is left for packets."""
    value = Fraction(constant.value) * 128 / 130
    return replace(constant, value=value, text=f"{float(value):.3g} {constant.unit}")
