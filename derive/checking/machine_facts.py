"""What documents say of machines, held against the catalogue: peaks, bandwidths, links, caches, capacities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.checking.causes import UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.machine_links import EACH, NVLINK, OF_ONE, link
from derive.checking.machine_peaks import OPS, peak
from derive.checking.machine_subjects import LINK, WIRES, Meant, narrowed, of_a_node, spoken, subject
from derive.checking.published import MEMORIES
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import (
    BANDWIDTH,
    BYTES,
    FLOPS,
    SYSTEM,
    agreeing_with,
    as_decimal,
    constants_of,
    decimal_size,
    elsewhere,
    false_statement,
    is_listed,
    is_only_board,
    measured,
    of_one,
    part,
    stated,
    statement,
    unlike,
    words_by,
)
from derive.checking.subjects import Mention, machines, precisions
from derive.checking.words import is_binary
from derive.constants import catalogue
from derive.entries import Constant

MEMORY = Sought(
    r"\bHBM\w*|memory bandwidth|\bDRAM|\bVRAM|\bGDDR\w*|\bmemory\b|\bmem\b|\breads? (?:it )?at\b",
    ("hbm", "mem", "dram", "vram", "gddr", "read"),
    ignore_case=True,
)
_OTHER_LINK = Sought(
    r"PCI-?e|InfiniBand|\bNDR|\bHDR|Ethernet|network|\bNICs?\b|\bDCN\b|storage|disk|\bIB\b|\bL2\b|"
    r"SRAM|shared mem|cache|SMEM|\bCPU",
    (
        "pci",
        "infiniband",
        "ndr",
        "hdr",
        "ethernet",
        "network",
        "nic",
        "dcn",
        "storage",
        "disk",
        "ib",
        "l2",
        "sram",
        "shared",
        "cache",
        "smem",
        "cpu",
    ),
    ignore_case=True,
)
_MOST = 16
_NEAR = 0.08
_ABOVE = 1.08
_FASTEST_LINK = 1e12
_TOLD = ("another machine", "digits swapped")
_APART = re.compile(r"\n\s*\n")
_RIGHT_BEHIND = re.compile(
    r"[\s\x02\x03]*(?:(?:of )?(?:HBM|GDDR)\w* ?)?(?:,|and|at|with)[\s\x02\x03~≈]*"
    r"(?:(?:about|around|roughly|some|nearly|approximately|up to)[\s\x02\x03~≈]+)?"
)
_TOGETHER = 60
_WITH_ITS = re.compile(r"\b(?:with its|whose|['’]s)[\s\x02\x03~≈]+(?:(?:only|about)[\s\x02\x03~≈]+)?$")
_BARE = re.compile(r"[\s\x02\x03]*(?:[.;,)]|and\b|of (?:memory|HBM\w*|GDDR\w*|VRAM)\b|$)")
_FIRST, _NEXT_OF_LIST = re.compile(r"\s*(?:NVIDIA |AMD )?"), re.compile(r"[\s\x02\x03]*(?:,|$)")
_PCIE_CARD = re.compile(r"\bPCI-?[eE]\s(?:card|GPU|board|version|variant|model|part|one)s?\b")
_OF_MEMORY = re.compile(r"[\s\x02\x03]?(?:of )?(?:HBM|GDDR|VRAM|memory)")
_HAS = re.compile(
    r"\b(?:has|have|with|offers?|comes with|carr(?:y|ies))\b[^;:()]{0,40}$|"
    r"(?i:memory(?: capacity| size)?|VRAM) (?:of|on|in) (?:the |an? |each |one |every )?\x05s?(?: is| are|:| =)?"
    r"[\s\x02\x03~≈]*$|"
    r"\b(?i:memory capacity|memory size)[^.;]{0,30}\x05[^.;]{0,5}:?[\s\x02\x03~≈]*$|\x05['’]s $"
)
_OF_A_BOX = re.compile(
    r"(?:\b(?:per|a|each|whole|(?:of|in) (?:the|an?|each|one))[ -]|/ ?)"
    r"(?:box|node|server|system|host|rack|machine|pod)\b",
    re.IGNORECASE,
)
_EACH_BEHIND = re.compile(
    r"[\s\x02\x03]?(?:of (?:HBM|memory|GDDR|VRAM)\w* ?(?:bandwidth ?)?)?\)?,? ?"
    r"(?:each|apiece|per (?:GPU|card|chip))\b"
)
_LENDS = re.compile(r"['’]s (?:arithmetic|compute|cores|math|peak|die|silicon|tensor cores|FLOPs)\b")
_MACHINE = "\x05"
_NAMED_AGAIN = re.compile(r"\x05 \($")
_USED = re.compile(
    r"\b(?:free|left|used?|uses|using|remain\w*|RAM|host|disk|weights?|model|cache|fit|needs?|only|limit\w*|cap\w*|"
    r"slice|MIG|partition\w*|per|each|together|total|swap)\b",
    re.IGNORECASE,
)
_PER_ONE = re.compile(r"\bper (?:GPU|card|chip)\b")
_BESIDE = re.compile(r"\b(?:weights?|model|cache|besides?|left|free|remain\w*|next to)\b", re.IGNORECASE)
_LAPTOP = re.compile(r"\b(?:laptop|notebook|mobile)s?\b", re.IGNORECASE)
_SHARED = re.compile(r"\bus(?:e|es|ing)\b|left|free|remain|fit|per |each|share")
_EACH_OF_THEM = re.compile(r"\b[Ee](?:ach|very) $")
_HOLDS = re.compile(
    r"(?:(?:GPU|device|HBM) )?(?:memory|HBM\w*|VRAM|capacity)(?:[ ,/]*\(?GB\)?)?(?: (?:per|a) (?:GPU|card|chip))?",
    re.IGNORECASE,
)


def claims(clause: Clause, sparse_told: bool, meant: Meant, wired: Meant) -> Iterator[Claim]:
    """The statements of a clause about machines.

    sparse_told: the document speaks of sparsity somewhere near. meant: the variants that it speaks of.
    wired: those of which it tells what NVLink carries.
    """
    found: Sequence[Mention] = spoken(clause)
    if not found and clause.row and len(precisions(clause.text)) == 1:
        found = [
            replace(one, start=0, end=0) for one in machines(clause.before)
        ]  # rows are formats of one machine
    if not found:
        return
    for quantity in clause.quantities[:_MOST]:
        if clause.row and len(clause.columns) > 1 and quantity.start < clause.columns[1][0]:
            continue  # the first cell is a name
        if clause.row and _OF_A_BOX.search(clause.heading(quantity.start)):
            continue
        mention = _of_its_memory(clause, quantity, found) or subject(
            clause, quantity, _of_kind(clause, quantity, found)
        )
        if mention is None or not mention.names or not quantity.literal.value:
            continue
        linked = quantity.literal.options[0].dimension == BANDWIDTH and NVLINK.search(clause.text)
        mention = of_a_node(clause, narrowed(mention, wired if linked else meant))
        if mention.count > 1 and _EACH_BEHIND.match(clause.text, quantity.end):
            mention = replace(mention, count=1)
        for dimension, check in ((FLOPS, peak), (OPS, peak), (BANDWIDTH, rate), (BYTES, memory)):
            if quantity.literal.options[0].dimension == dimension:
                yield from check(clause, quantity, mention, sparse_told)


def _of_its_memory(clause: Clause, quantity: Quantity, found: Sequence[Mention]) -> Mention | None:
    """The one of several machines that has the memory right before a rate: more than the H100, 141 GB at so much."""
    if quantity.literal.options[0].dimension != BANDWIDTH or len({one.names for one in found}) < 2:
        return None
    owners = {
        one.names: one
        for one in found
        if one.end < quantity.start and _beside_capacity(clause, quantity, one)
    }
    return next(iter(owners.values())) if len(owners) == 1 else None


def _with_memory(clause: Clause, quantity: Quantity, mention: Mention) -> Mention:
    """A machine of several kinds as those with the memory right before a rate: 40 GB of HBM2 at so much."""
    if quantity.literal.options[0].dimension != BANDWIDTH or len(mention.names) < 2 or clause.row:
        return mention
    names = tuple(
        name for name in mention.names if _beside_capacity(clause, quantity, replace(mention, names=(name,)))
    )
    return replace(mention, names=names) if names else mention


def _of_kind(clause: Clause, quantity: Quantity, found: Sequence[Mention]) -> Sequence[Mention]:
    """The machines that a quantity may be of: a cable has neither memory nor peak, nor the rate of an NVLink."""
    wire = quantity.literal.options[0].dimension == BANDWIDTH and not NVLINK.search(
        clause.around(quantity, 40, 0)
    )
    kept = [one for one in found if not (one.names and one.names[0].startswith(WIRES))]
    named = found if wire or not kept else kept
    return [one for one in named if not _LENDS.match(clause.text, one.end)] or named


def rate(clause: Clause, quantity: Quantity, mention: Mention, _: bool) -> Iterator[Claim]:
    """A rate of a machine: of its memory, or of its links where the words by it say so."""
    if (
        mention.start > quantity.start
        and _capacity_beside(clause, quantity) is not None
        and not _beside_capacity(clause, quantity, mention)
    ):
        return  # the memory before it is another machine's
    mention = _with_memory(clause, quantity, mention)
    words = _words(clause, quantity).replace(clause.text[mention.start : mention.end], "")
    words, own = _PCIE_CARD.sub("", words), mention.names[0]
    if own.startswith(("pcie", "ib-")):
        yield from link(clause, quantity, mention, words)
        return
    near = f"{clause.heading(quantity.start)} {clause.around(quantity, 0, 30)}"
    wired = clause.row and NVLINK.search(
        clause.text[: clause.columns[1][0]] if len(clause.columns) > 1 else ""
    )
    near += f" {clause.before}" if wired else ""
    directed = EACH.search(near) and not MEMORY.search(words)
    linked = directed and agreeing_with(quantity, constants_of(mention, ("link",), BANDWIDTH), BANDWIDTH)
    if LINK.search(words) or linked:
        yield from link(clause, quantity, mention, words)
        return
    if not clause.row and _goes_on_about_links(clause, quantity):
        yield from link(clause, quantity, mention, f"NVLink {words}")
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
    memory_alone = (quantity.base(BANDWIDTH) or 0.0) >= _FASTEST_LINK  # nothing else of one card is so fast
    beside = _beside_capacity(clause, quantity, mention)
    named = (
        memory_alone
        or beside
        or bool(MEMORY.search(words) or re.search(r"\bbandwidth\b", words, re.IGNORECASE))
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
    told = beside or stated(clause, mention)
    if not named or measured(clause, quantity) or not told or mention.count > 1:
        return
    one = _is_of_sibling(quantity, mention) or OF_ONE.search(words)
    if SYSTEM.search(clause.text) and not one:
        return
    if not MEMORY.search(words) and not clause.row and not beside:
        found = unlike(clause, quantity, target, BANDWIDTH, mention)
        yield from (claim for claim in found if claim.cause.startswith("another machine"))
        return
    yield from unlike(clause, quantity, target, BANDWIDTH, mention)


def _goes_on_about_links(clause: Clause, quantity: Quantity) -> bool:
    """Whether NVLink is the last thing that a sentence speaks of before a rate that is called nothing else."""
    before, words = clause.text[: quantity.start], words_by(clause, quantity)
    spoken = [one.end() for one in NVLINK.finditer(before)]
    if not spoken or not _WITH_ITS.search(before) or MEMORY.search(words) or _OTHER_LINK.search(words):
        return False
    between = before[spoken[-1] :]
    return not (MEMORY.search(between) or _OTHER_LINK.search(between))


def _capacity_beside(clause: Clause, quantity: Quantity) -> Quantity | None:
    """The amount of memory right before a rate: 24 GB and 936 GB/s."""
    before = [one for one in clause.quantities if one.end <= quantity.start]
    if not before or clause.row or not _RIGHT_BEHIND.fullmatch(clause.text[before[-1].end : quantity.start]):
        return None
    return before[-1] if before[-1].literal.options[0].dimension == BYTES else None


def _beside_capacity(clause: Clause, quantity: Quantity, mention: Mention) -> bool:
    """Whether a rate stands right behind the memory that the machine has."""
    memory = _capacity_beside(clause, quantity)
    constants = constants_of(mention, ("capacity",), BYTES)
    return memory is not None and agreeing_with(memory, constants, BYTES) is not None


def _words(clause: Clause, quantity: Quantity) -> str:
    """The words that qualify a rate; where none say of what it is, those of the rate before it in the sentence."""
    words, last = words_by(clause, quantity), quantity
    for one in reversed(clause.quantities) if not clause.row else ():
        if LINK.search(words) or MEMORY.search(words) or _OTHER_LINK.search(words):
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


def _has(clause: Clause, quantity: Quantity, mention: Mention) -> bool:
    """Whether a sentence says that a machine has so much memory."""
    if mention.end > quantity.start:
        return bool(_HAS.search(clause.text[: quantity.start]))
    marked = f"{clause.text[: mention.start]}{_MACHINE}{clause.text[mention.end : quantity.start]}"
    return bool(_HAS.search(marked) or _NAMED_AGAIN.search(marked))


def _sold(quantity: Quantity, mention: Mention) -> bool:
    """Whether a board of the name is sold with so many GB."""
    return any(quantity.literal.value in MEMORIES.get(name, ()) for name in mention.names)


def memory(clause: Clause, quantity: Quantity, mention: Mention, _: bool) -> Iterator[Claim]:
    """The memory of a machine, or its cache where the words by it say so."""
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
            as_decimal(quantity), constants, BYTES, mention.count
        )  # a nominal GB may be a GiB
    if agreeing is not None and of_one(clause, quantity, agreeing, BYTES, mention):
        yield _for_all(clause, quantity, agreeing, mention)
        return
    if agreeing is not None:
        yield statement(clause, quantity, agreeing, "true", "", mention)
        return
    listed = is_listed(clause, mention) or bool(
        clause.listed and _FIRST.fullmatch(clause.text, 0, mention.start)
    )
    if not cache and listed and mention.count == 1 and not measured(clause, quantity):
        cause = elsewhere(quantity, constants[0], BYTES, mention)
        other = cause.startswith("another machine") and _OF_MEMORY.match(clause.text, quantity.end)
        alone = (
            cause.startswith("another machine")
            and is_only_board(mention)
            and _NEXT_OF_LIST.match(clause.text, quantity.end)
        )
        if cause.startswith("digits swapped") or ((other or alone) and not _sold(quantity, mention)):
            yield false_statement(clause, quantity, constants[0], cause, mention)
        return
    if _sold(quantity, mention):
        return
    if not cache and _BARE.match(clause.text, quantity.end) and _has(clause, quantity, mention):
        before = _EACH_OF_THEM.sub("     ", clause.text[: mention.start])
        own = part(f"{before:{mention.end}}{clause.text[mention.end :]}", quantity)
        led = _BESIDE.search(before) or _LAPTOP.search(clause.text)
        own = _PER_ONE.sub("", own)
        if mention.count == 1 and not (led or SYSTEM.search(own) or _USED.search(own)):
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
    close = (
        clause.text[quantity.start : quantity.end]
        + re.split(r"[,;]", clause.text[quantity.end : quantity.end + 14])[0]
    )
    if not cache and not re.search(r"HBM|VRAM|GDDR", close):
        return
    if measured(clause, quantity) or _SHARED.search(
        f"{clause.text[: mention.start]}{clause.text[mention.end :]}"
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
