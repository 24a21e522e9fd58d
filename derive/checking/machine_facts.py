"""What documents say of machines, held against the catalogue: peaks, bandwidths, links, caches, capacities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from derive.checking.causes import UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.machine_peaks import FIRMLY, OPS, peak
from derive.checking.machine_subjects import WIRES, Meant, narrowed, spoken, spoken_of, subject
from derive.checking.published import GENERATIONS, MEMORIES
from derive.checking.quantities import Quantity
from derive.checking.statements import (
    BANDWIDTH,
    BYTES,
    FLOPS,
    SYSTEM,
    agreeing_with,
    constants_of,
    decimal_size,
    elsewhere,
    false_statement,
    is_listed,
    measured,
    mistaken_for,
    of_one,
    stated,
    statement,
    unlike,
    words_by,
)
from derive.checking.subjects import Mention, machines, precisions
from derive.checking.words import Reading, is_binary
from derive.constants import catalogue
from derive.entries import Constant

_MEMORY = re.compile(
    r"\bHBM\w*|memory bandwidth|\bDRAM|\bVRAM|\bGDDR\w*|\bmemory\b|\bmem\b|\breads? (?:it )?at\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"NV-?Link|NVSwitch|interconnect|\bpeers?\b|Infinity Fabric|\blink\b|\bICI\b|GPU-to-GPU|card-to-card",
    re.IGNORECASE,
)
_NVLINK = re.compile(r"\bNV-?Link\b", re.IGNORECASE)
_OTHER_LINK = re.compile(
    r"PCI-?e|InfiniBand|\bNDR|\bHDR|Ethernet|network|NIC|\bDCN\b|storage|disk|\bIB\b|\bL2\b|"
    r"SRAM|shared mem|cache|SMEM|\bCPU",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"per direction|each (?:way|direction)|\bsend.{1,40}receive|"
    r"one[- ]way|uni-?directional|one direction|/direction|single direction",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"bi-?directional|both (?:ways|directions)|two[- ]way|full[- ]duplex|duplex|\btotal\b|aggregate|combined",
    re.IGNORECASE,
)
_GENERATION = re.compile(r"\bNV-?Link[ -]?([2-5])\b", re.IGNORECASE)
_OFFERS = re.compile(r"\b(?:has|have|offers?|provides?|peaks?|rated|dense|get)\b", re.IGNORECASE)
_ON_A_BOARD = re.compile(r"total (?:on|in|over|across|of|to|from) ", re.IGNORECASE)
"""What says that a rate is the sum over the links to all others, and not over both directions."""
_LANES_OF = re.compile(r"[x×] ?(1|2|4|8|16)\b")
_LINKS_OF = re.compile(
    r"\b\d{1,2} (?:[\w.+-]+ ){0,4}(?:links?|lanes?|ports?)(?: of|,? at|,? with|,? each|:)\s*[~≈]?$"
)
"""What stands before the rate of one of several links."""
_FACTOR = re.compile(r"[×*][\s\x02\x03]*$")
_MOST = 16
_NEAR = 0.08
_ABOVE = 1.08
_TOLD = ("another machine", "digits swapped")
_APART = re.compile(r"\n\s*\n")
_BOX = re.compile(
    r"\b(?:DGX|HGX|node|system|server|rack|pod|cluster|superpod|NVL\d+|slice)s?\b|"
    r"NVSwitch|aggregate|卡|\b\d+[ -]?(?:GPU|way|card)",
    re.IGNORECASE,
)
_OF_ONE = re.compile(r"\b(?:per|each|every) (?:of (?:the|those|these|its) )?(?:GPU|card|chip|device)s?\b")
_RIGHT_BEHIND = re.compile(r"[\s\x02\x03]*(?:(?:of )?(?:HBM|GDDR)\w* ?)?(?:,|and|at|with)[\s\x02\x03~≈]*")
_TOGETHER, _CLOSE = 60, 40
_BARE = re.compile(r"[\s\x02\x03]*(?:[.;,)]|and\b|of (?:memory|HBM\w*|GDDR\w*|VRAM)\b|$)")
_HAS = re.compile(r"\b(?:has|have|with|offers?|comes with)\b[^;:()]{0,40}$")
_USED = re.compile(
    r"\b(?:free|left|used?|uses|using|remain\w*|RAM|host|disk|weights?|model|cache|fit|needs?|only|limit\w*|cap\w*|"
    r"slice|MIG|partition\w*|per|each|together|total|swap)\b",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"(?:(?:GPU|device|HBM) )?(?:memory|HBM\w*|VRAM|capacity)(?:[ ,/]*\(?GB\)?)?(?: (?:per|a) (?:GPU|card|chip))?",
    re.IGNORECASE,
)
_LANE = re.compile(
    r"lane|peer[- ]to[- ]peer|GPU[- ]to[- ]GPU|per link|/link|\bport|rail|per axis|each link|NIC",
    re.IGNORECASE,
)


def claims(clause: Clause, sparse_told: bool, meant: Meant) -> Iterator[Claim]:
    """The statements of a clause about machines.

    sparse_told: the document speaks of sparsity somewhere near. meant: the variants that it speaks of.
    """
    found: Sequence[Mention] = spoken(clause)
    if not found and not clause.row:
        yield from _of_paragraph(clause, sparse_told)
    if not found and clause.row and len(precisions(clause.text)) == 1:
        found = [
            replace(one, start=0, end=0) for one in machines(clause.before)
        ]  # rows are formats of one machine
    if not found:
        return
    for quantity in clause.quantities[:_MOST]:
        if clause.row and len(clause.columns) > 1 and quantity.start < clause.columns[1][0]:
            continue  # the first cell is a name
        mention = subject(clause, quantity, _of_kind(clause, quantity, found))
        if mention is None or not mention.names or not quantity.literal.value:
            continue
        mention = narrowed(mention, meant)
        for dimension, check in ((FLOPS, peak), (OPS, peak), (BANDWIDTH, _rate), (BYTES, _amount)):
            if quantity.literal.options[0].dimension == dimension:
                yield from check(clause, quantity, mention, sparse_told)


def _of_kind(clause: Clause, quantity: Quantity, found: Sequence[Mention]) -> Sequence[Mention]:
    """The machines that a quantity may be of: a cable has neither memory nor peak, nor the rate of an NVLink."""
    wire = quantity.literal.options[0].dimension == BANDWIDTH and not _NVLINK.search(
        clause.around(quantity, 40, 0)
    )
    kept = [one for one in found if not (one.names and one.names[0].startswith(WIRES))]
    return found if wire or not kept else kept


def _of_paragraph(clause: Clause, sparse_told: bool) -> Iterator[Claim]:
    """Peaks in a format that is named, and NVLink rates, of the one machine that the paragraph names before."""
    quantities = clause.quantities[:_MOST]
    peaks = [
        one
        for one in quantities
        if one.literal.options[0].dimension == FLOPS and _OFFERS.search(clause.around(one, 40, 24))
    ]
    links = [
        one
        for one in quantities
        if one.literal.options[0].dimension == BANDWIDTH and _NVLINK.search(clause.around(one, 40, 0))
    ]
    for quantity in quantities:
        if quantity.literal.options[0].dimension == BANDWIDTH and _MEMORY.search(words_by(clause, quantity)):
            spoken_for = spoken_of(clause, quantity)
            yield from _rate(clause, quantity, spoken_for, sparse_told) if spoken_for else ()
    if not links and not (peaks and precisions(clause.text)):
        return
    before = [one for one in machines(clause.block.text) if one.end <= clause.offset]
    generations = {GENERATIONS[found[1]] for found in _GENERATION.finditer(clause.text)}
    if len(generations) == 1 and not before:
        mention = Mention((generations.pop(),), 0, 0)
    elif len({one.names for one in before}) == 1 and before[0].names:
        mention = replace(before[0], start=0, end=0, count=1)
    else:
        return
    for quantity in peaks if precisions(clause.text) else ():
        yield from peak(clause, quantity, mention, sparse_told)
    for quantity in links:
        for claim in _link(clause, quantity, mention, ""):
            if not claim.cause.startswith("another machine"):
                yield claim


def _as_decimal(quantity: Quantity) -> Quantity:
    """A quantity in GiB as one in GB, for a capacity that is printed on a box."""
    if not is_binary(quantity.literal.unit[:3]):
        return quantity
    option = Reading(decimal_size(quantity), BYTES)
    return quantity._replace(literal=quantity.literal._replace(options=(option,)))


def _rate(clause: Clause, quantity: Quantity, mention: Mention, _: bool) -> Iterator[Claim]:
    words = _words(clause, quantity).replace(clause.text[mention.start : mention.end], "")
    own = mention.names[0]
    if own.startswith(("pcie", "ib-")):
        yield from _link(clause, quantity, mention, words)
        return
    directed = _EACH.search(clause.around(quantity, 0, 30)) and not _MEMORY.search(words)
    linked = directed and agreeing_with(quantity, constants_of(mention, ("link",), BANDWIDTH), BANDWIDTH)
    if _LINK.search(words) or linked:
        yield from _link(clause, quantity, mention, words)
        return
    if _OTHER_LINK.search(words):
        return
    constants = constants_of(mention, ("bandwidth",), BANDWIDTH)
    if not constants:
        return
    agreeing = agreeing_with(quantity, constants, BANDWIDTH, mention.count)
    if agreeing is not None and of_one(clause, quantity, agreeing, BANDWIDTH, mention):
        yield _for_all(clause, quantity, agreeing, mention)
        return
    if agreeing is not None:
        yield statement(clause, quantity, agreeing, "true", "", mention)
        return
    memory_alone = quantity.literal.unit.startswith("TB")  # nothing else of one card is so fast
    beside = _beside_capacity(clause, quantity, mention)
    named = (
        memory_alone
        or beside
        or bool(_MEMORY.search(words) or re.search(r"\bbandwidth\b", words, re.IGNORECASE))
    )
    binary = is_binary(quantity.literal.unit[:3])
    target = constants[0]
    for many in dict.fromkeys((1, mention.count)):
        relabelled = float(target.base) * many * quantity.factor(BANDWIDTH) / decimal_size(quantity)
        if binary and quantity.agrees(relabelled, BANDWIDTH):
            cause = f"GB and GiB: {many} × {target.text}" if many > 1 else f"GB and GiB: {target.text}"
            yield false_statement(
                clause, quantity, target, f"{cause} is labelled {quantity.literal.unit}", mention, many
            )
            return
    if is_listed(clause, mention) and (quantity.base(BANDWIDTH) or 0.0) > _ABOVE * float(target.base):
        cause = elsewhere(quantity, target, BANDWIDTH, mention)
        if cause.startswith(_TOLD) and mention.count == 1 and not measured(clause, quantity):
            yield false_statement(clause, quantity, target, cause, mention)
            return
    if not named or measured(clause, quantity) or not stated(clause, mention) or mention.count > 1:
        return
    one = _is_of_sibling(quantity, mention) or _OF_ONE.search(words)
    if SYSTEM.search(clause.text) and not one:
        return
    if not _MEMORY.search(words) and not clause.row and not beside:
        cause = elsewhere(quantity, target, BANDWIDTH, mention)
        if memory_alone and cause.startswith("another machine"):
            yield false_statement(clause, quantity, target, cause, mention)
        return
    yield from unlike(clause, quantity, target, BANDWIDTH, mention)


def _beside_capacity(clause: Clause, quantity: Quantity, mention: Mention) -> bool:
    """Whether a rate stands right behind the memory that the machine has: 24 GB and 936 GB/s."""
    before = [one for one in clause.quantities if one.end <= quantity.start]
    if not before or clause.row or not _RIGHT_BEHIND.fullmatch(clause.text[before[-1].end : quantity.start]):
        return False
    return agreeing_with(before[-1], constants_of(mention, ("capacity",), BYTES), BYTES) is not None


def _words(clause: Clause, quantity: Quantity) -> str:
    """The words that qualify a rate; where none say of what it is, those of the rate before it in the sentence."""
    words, last = words_by(clause, quantity), quantity
    for one in reversed(clause.quantities) if not clause.row else ():
        if _LINK.search(words) or _MEMORY.search(words) or _OTHER_LINK.search(words):
            break
        if one.end <= last.start and one.literal.options[0].dimension == BANDWIDTH:
            if last.start - one.end > _TOGETHER:
                break
            words, last = f"{words_by(clause, one)} {words}", one
    return words


def _is_of_sibling(quantity: Quantity, mention: Mention) -> bool:
    """Whether a bandwidth is that of a card of the same name with another memory, and not a sum over several."""
    family = mention.names[0].partition("-")[0]
    siblings = tuple(
        name for name in catalogue("hardware") if name.startswith(f"{family}-") and name not in mention.names
    )
    others = constants_of(Mention(siblings, 0, 0), ("bandwidth",), BANDWIDTH)
    return agreeing_with(quantity, others, BANDWIDTH) is not None


def _for_all(clause: Clause, quantity: Quantity, constant: Constant, mention: Mention) -> Claim:
    cause = f"the number of one: {mention.count} of them together have {mention.count} times as much"
    return false_statement(clause, quantity, constant, cause, mention, mention.count)


def _link(clause: Clause, quantity: Quantity, mention: Mention, words: str) -> Iterator[Claim]:
    constants = constants_of(mention, ("link",), BANDWIDTH)
    close = f"{clause.heading(quantity.start)} {_beside(clause, quantity)}"
    each, both = bool(_EACH.search(close)), bool(_BOTH.search(close))
    if not constants or (each and both) or _FACTOR.search(clause.text[: quantity.start]):
        return  # a factor is that of one of the links
    if _LINKS_OF.search(clause.text, 0, quantity.start):
        return
    wire = mention.names[0].startswith("ib-")  # is told per port and each way
    way = "each-way" if each or wire else "both-ways" if both else ""
    if mention.names[0].startswith("pcie"):
        lanes = _LANES_OF.search(clause.text, mention.start, mention.end + 8)
        scaled = [_of_lanes(constant, int(lanes[1])) for constant in constants] if lanes else constants
        constants = [*scaled, *map(_encoded, scaled)]
    meant = [constant for constant in constants if not way or constant.tags.get("direction") == way]
    agreeing = agreeing_with(quantity, meant, BANDWIDTH)
    if agreeing is not None:
        yield statement(clause, quantity, agreeing, "true", "", mention)
    elif meant and not way and _NVLINK.search(f"{words} {close}") and not measured(clause, quantity):
        cause = elsewhere(quantity, meant[0], BANDWIDTH, mention)
        if cause.startswith("another machine") and not (
            _BOX.search(clause.text) or _LANE.search(clause.text)
        ):
            yield false_statement(clause, quantity, meant[-1], cause, mention)
    elif meant and way and not FIRMLY.search(clause.text):
        mistaken = agreeing_with(quantity, constants, BANDWIDTH)
        if mistaken is not None and not _ON_A_BOARD.search(clause.text, quantity.end, quantity.end + _CLOSE):
            yield false_statement(clause, quantity, meant[0], mistaken_for(mistaken, meant[0]), mention)
        if mistaken is not None or measured(clause, quantity):
            return
        cause = elsewhere(quantity, meant[0], BANDWIDTH, mention)
        laned = _LANE.search(clause.text) and not wire
        boxed = _BOX.search(clause.text) and not _OF_ONE.search(close)
        wide = laned or boxed or mention.names[0].startswith("tpu")
        narrower = wire and not cause.startswith("bit and byte")  # there are ports of fewer lanes
        if cause != UNKNOWN and not wide and not narrower:
            yield false_statement(clause, quantity, meant[0], cause, mention)


def _beside(clause: Clause, quantity: Quantity) -> str:
    """The words next to a rate, but not what is said of the rate before it: 900 GB/s both ways, so 450 GB/s out."""
    before = [one.end for one in clause.quantities if one.end <= quantity.start]
    begin = max(0, quantity.start - _CLOSE)
    if before and before[-1] > begin:
        begin = max(before[-1], clause.text.rfind(",", before[-1], quantity.start))
    return clause.text[begin : quantity.end + _CLOSE]


def _of_lanes(constant: Constant, lanes: int) -> Constant:
    """The rate of so many lanes, from that of sixteen."""
    value = Fraction(constant.value) * lanes / 16
    return replace(constant, value=value, text=f"{float(value):.3g} {constant.unit}")


def _encoded(constant: Constant) -> Constant:
    """A PCI Express rate after its 128b/130b code: what is left for packets."""
    value = Fraction(constant.value) * 128 / 130
    return replace(constant, value=value, text=f"{float(value):.3g} {constant.unit}")


def _amount(clause: Clause, quantity: Quantity, mention: Mention, _: bool) -> Iterator[Claim]:
    words = words_by(clause, quantity)
    cache = re.search(r"\bL2\b", words) is not None
    constants = constants_of(mention, ("l2",) if cache else ("capacity",), BYTES)
    if not constants or (
        not cache
        and re.search(r"L1|shared|cache|register|SRAM|SMEM|L2|page|buffer|model|weights|batch", words)
    ):
        return
    agreeing = agreeing_with(quantity, constants, BYTES, mention.count)
    if agreeing is None and not cache:
        agreeing = agreeing_with(
            _as_decimal(quantity), constants, BYTES, mention.count
        )  # a nominal GB may be a GiB
    if agreeing is not None and of_one(clause, quantity, agreeing, BYTES, mention):
        yield _for_all(clause, quantity, agreeing, mention)
        return
    if agreeing is not None:
        yield statement(clause, quantity, agreeing, "true", "", mention)
        return
    if not cache and is_listed(clause, mention) and mention.count == 1 and not measured(clause, quantity):
        cause = elsewhere(quantity, constants[0], BYTES, mention)
        if cause.startswith("digits swapped"):
            yield false_statement(clause, quantity, constants[0], cause, mention)
        return
    if any(quantity.literal.value in MEMORIES.get(name, ()) for name in mention.names):
        return
    if not cache and _BARE.match(clause.text, quantity.end) and _HAS.search(clause.text[: quantity.start]):
        if mention.count == 1 and not SYSTEM.search(clause.text) and not _USED.search(clause.text):
            for claim in unlike(clause, quantity, constants[0], BYTES, mention):
                if claim.cause.startswith("another machine"):
                    yield claim
        return
    if not cache and clause.row and _HOLDS.fullmatch(clause.heading(quantity.start).strip()):
        if mention.count == 1 and not SYSTEM.search(clause.text) and not measured(clause, quantity):
            for claim in unlike(clause, quantity, constants[0], BYTES, mention):
                if claim.cause.startswith("another machine"):
                    yield claim
        return
    close = clause.text[quantity.start : quantity.end + 14]
    if not cache and not re.search(r"HBM|VRAM|GDDR", close):
        return
    if measured(clause, quantity) or re.search(
        r"\bus(?:e|es|ing)\b|left|free|remain|fit|per |each|share", clause.text
    ):
        return
    ratio = (quantity.base(BYTES) or 0.0) / float(constants[0].base)
    several = (
        abs(ratio / round(ratio) - 1) < 0.01 if ratio > 1.5 else abs(ratio - 1) < _NEAR
    ) and not cache  # cards, or a variant
    between = clause.text[min(mention.end, quantity.end) : max(mention.start, quantity.start)]
    if (len(mention.names) > 1 and not cache) or several or SYSTEM.search(clause.text):
        return
    cause = elsewhere(quantity, constants[0], BYTES, mention)
    if 0.1 < ratio < 10 and not (cause == UNKNOWN and _APART.search(between)):
        yield false_statement(clause, quantity, constants[0], cause, mention)
