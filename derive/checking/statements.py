"""A statement about a machine: what the catalogue has, whether a number is that, and how it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import units
from derive.checking.blocks import Block
from derive.checking.causes import UNKNOWN, by_ratio, slip
from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.gates import SPOKEN, of_text
from derive.checking.published import ONLY_BOARDS, RATES
from derive.checking.quantities import Quantity
from derive.checking.subjects import Mention, entry, machines
from derive.checking.words import Dimension, Reading, hard, is_binary
from derive.constants import catalogue
from derive.entries import Constant

FLOPS: Dimension = (("FLOP", 1), ("second", -1))
BANDWIDTH: Dimension = (("byte", 1), ("second", -1))
BYTES: Dimension = (("byte", 1),)
RUNS = (
    r"(?<!memory )(?<!\bHBM )(?<!HBM\d )(?<!HBM\de )(?<!\blink )(?<!NVLink )(?<!\bbus )\bruns?\b"
    r"(?! (?:over|through|via) (?:the )?(?:PCI|NV-?Link|Infini|NDR|HDR))"
)
"""A pattern of what a run does: a memory or a link runs at what it is made for."""
MEASURED = re.compile(
    r"achiev|measur|sustain|MFU|utili[sz]|\breach|observ|\bgets?\b|\bgot\b|\bsee\b|effective|real-world|practical|benchmark|"
    r"MAMF|realistic|per[- ]?(?:layer|step)|needs?\b|require|would|only about|actual|attain|"
    rf"obtain|\bran\b|{RUNS}|assum|"
    r"\bif\b|hypothetical|fraction|down to|half(?![- ]precision)|twice|double|limit|cap(?:ped)?\b",
    re.IGNORECASE,
)
_TESTED = re.compile(r"\btests?\b|\bcopy\b|\battain\w*|read-only|\bSTREAM\b", re.IGNORECASE)
_STATED = re.compile(
    r"\bpeak|spec|datasheet|theoretical|dense|delivers?\b|offers?\b|\bhas\b|\bhave\b|provides?|rated|advertis|with\b|headline|"
    r"\b(?:bandwidth|peak|memory|capacity|HBM\w*) is\b|\bup to\b|:|\bof\b|'s\b|¦|whose\b|\b(?:reads?|streams?|runs?)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:together|in (?:total|all|sum)|combined|aggregate|altogether|as a whole)\b", re.IGNORECASE
)
_SEVERALLY = re.compile(r"\b(?:each|per|every|apiece|either|one)\b", re.IGNORECASE)
_ITEM = re.compile(r"[\W\d]*(?:NVIDIA |AMD |Google |Tesla )?\s*", re.IGNORECASE)
_LISTS = re.compile(r"(?:[ -]?(?:SXM\d?|PCIe|OAM|GPU|card))*(?: \([^)]*\))?\s*:")
_HAS = re.compile(
    r"\b(?:whose|(?-i:with)|has|have|offers?|provides?|gives?|(?:bandwidth|peak|memory|HBM\w*|TDP) (?:of|is))\b"
    r"[^,;:()]{0,40}[\s\x02~≈]$",
    re.IGNORECASE,
)
_MARK = re.compile(r"[;:()]|,\s|\band (?:you|we|they|it|I)\b|\b(?:but|although|(?:even )?though|while)\b")
_LEFT = re.compile(r"\s*(?:is |are |stays? |remains? )?(?:left|free|spare|unused|remaining|to spare)\b")
_FIRM = re.compile(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|mist\w+|error|erroneous(?:ly)?|typo|myth|mis(?:read|lead)\w*|instead of|"
    r"rather than|should (?:be|have|read)|claim(?:s|ed|ing)?|corrected|not right|off by|fallacy|falsely|overstates?|"
    r"understates?|reported|contradict\w*|nonsense|"
    r"fixed\b[^.]*\b(?:said|gave|read|listed|stated|had)|errat(?:um|a)|"
    r"used to (?:say|be|read|give)|isn['’]t|aren['’]t)\b",
    re.IGNORECASE,
)
_LIMIT = 0.03
_SAME = 0.003
_VARIED = 0.15  # a measured or rounded number may be off by less
OWN_SETTING = re.compile(
    r"\b(?:underclock\w*|overclock\w*|configur\w+|tun(?:ed|able)|set (?:to|at)|copies|copy|kernels?|STREAM|here|"
    r"in practice|effective\w*|usable)\b",
    re.IGNORECASE,
)
"""What says that a number is that of somebody's own machine."""
NO_BOARD = "no board of the name has this number"
_GENITIVE = re.compile(r"\b(?:of|like|as|than) (?:the |an? )?$")
_SERIES = ("tpu", "rtx")
"""What begins the names of machines that have nothing else in common."""
_TYPED = 3  # with so many digits a number is another machine's, and no rounded one
_CABLES = ("pcie", "ib")
_HALVES = ("mi250x",)
"""Machines of two dies that software sees as two devices."""
ONE_OF_THEM = re.compile(r"\b(?:[Ee](?:ach|very)|[Aa] single) (?:\w+ )?$")
SYSTEM = re.compile(
    r"\b(?:DGX|HGX|node|system|server|rack|pod|cluster|superpod|NVL\d+|box|instance|slice|cards|GPUs)s?\b",
    re.IGNORECASE,
)


def as_decimal(quantity: Quantity) -> Quantity:
    """A quantity in GiB as one in GB, for a capacity that is printed on a box."""
    if not is_binary(quantity.literal.unit[:3]):
        return quantity
    option = Reading(decimal_size(quantity), BYTES)
    return quantity._replace(literal=quantity.literal._replace(options=(option,)))


def measured(clause: Clause, quantity: Quantity | None = None) -> bool:
    """Whether the text may speak of what was reached rather than of what a machine is made for.

    A quantity that the text says a machine has is measured only where its own part of the sentence says so.
    """
    text = clause.text
    if quantity is not None and _HAS.search(text, max(0, quantity.start - 60), quantity.start):
        text = part(text, quantity)
    if clause.row and quantity is not None and _TESTED.search(clause.heading(quantity.start)):
        return True
    return bool(
        MEASURED.search(text) or (clause.row and MEASURED.search(" ".join(h for _, h in clause.columns)))
    )


def part(text: str, quantity: Quantity) -> str:
    """The part of a sentence between the marks on either side of a quantity."""
    begin = max((found.end() for found in _MARK.finditer(text, 0, quantity.start)), default=0)
    after = _MARK.search(text, quantity.end)
    return text[begin : after.start() if after else len(text)]


def quoted(clause: Clause, place: int) -> str:
    """Why a number right behind the opening of a quotation may be meant as a wrong one; "" elsewhere."""
    opened = clause.text[:place].rstrip("\x02\x03 ").endswith(("“", '"', "``", "‘", "«", "„"))
    return "the number is quoted" if opened else ""


def hindered(clause: Clause, quantity: Quantity) -> str:
    """Why a quantity may be meant as a wrong one: what is only remarked elsewhere in the sentence does not count."""
    if told := quoted(clause, quantity.start):
        return told
    found = clause.hindered(quantity.start)
    if not found or clause.row or found != SPOKEN or _FIRM.search(clause.text):
        return found
    return of_text(Block(part(clause.text, quantity), clause.block.lines, clause.section), 0)


def stated(clause: Clause, mention: Mention) -> bool:
    """Whether the text, or what stands over a row, says what a machine is made for."""
    bracket = clause.text[mention.end : mention.end + 2].strip()[:1] == "("
    return bracket or bool(
        _STATED.search(f"{clause.context} {clause.text}" if clause.row or clause.listed else clause.text)
    )


def constants_of(mention: Mention, roles: Sequence[str], dimension: Dimension) -> list[Constant]:
    """The numbers of the machines that a name may mean, in these roles and of this dimension."""
    return list(_constants(mention.names, tuple(roles), dimension))


@lru_cache(maxsize=1024)
def _constants(names: tuple[str, ...], roles: tuple[str, ...], dimension: Dimension) -> tuple[Constant, ...]:
    return tuple(
        constant
        for name in names
        for constant in entry("hardware", name).constants
        if constant.role in roles
        and not isinstance(constant.value, bool)
        and hard(units.dimension_of(constant.unit)) == dimension
    )


def words_by(clause: Clause, quantity: Quantity) -> str:
    """The words that qualify a quantity: those close by and the heading over it."""
    text = clause.text
    begin = max(text.rfind(" ¦ ", 0, quantity.start), 0) if clause.row else 0
    for mark in (",", ";", " versus ", " vs ", " and ", "，", "；", "、"):
        begin = max(begin, text.rfind(mark, 0, quantity.start))
    ends = [
        place
        for mark in (",", ";", ": ", " versus ", " vs ", " ¦ ", "，", "；", "、")
        if (place := text.find(mark, quantity.end)) >= 0
    ]
    return f"{clause.heading(quantity.start)} {text[begin : min(ends, default=len(text))]}"


def mistaken_for(constant: Constant, target: Constant) -> str:
    if constant.tags.get("precision") != target.tags.get("precision"):
        return f"peak of another precision: {constant.text} is that of {constant.kind}"
    if constant.tags.get("sparsity") != target.tags.get("sparsity"):
        return f"sparse and dense: {constant.text} is the number [{constant.kind}]"
    return f"both ways and each way: {constant.text} is the number [{constant.kind}]"


def agreeing_with(
    quantity: Quantity, constants: Sequence[Constant], dimension: Dimension, count: int = 1
) -> Constant | None:
    """The constant to which a quantity rounds, alone or that many times."""
    own = quantity.base(dimension) or 0.0
    for many in dict.fromkeys((1, count)):
        for constant in constants:
            value = float(constant.base) * many
            if (quantity.agrees(value, dimension) and abs(own - value) <= _LIMIT * value) or abs(
                own - value
            ) <= 0.002 * value:
                return constant
    return None


def unlike(
    clause: Clause, quantity: Quantity, target: Constant, dimension: Dimension, mention: Mention
) -> Iterator[Claim]:
    """A number that is none of the machine's: false where a slip gives it, unsure where it may be that of a variant."""
    ratio = (quantity.base(dimension) or 0.0) / float(target.base)
    near = 0.92 < ratio < 1.08
    if near and len(quantity.literal.digits.replace(".", "").replace(",", "").strip("0")) < _TYPED:
        return
    if abs(ratio - 0.5) < 0.02 and all(name in _HALVES for name in mention.names):
        return
    cause = elsewhere(quantity, target, dimension, mention)
    if near and not cause.startswith("another machine"):
        return
    sole = is_only_board(mention) and not clause.row and not OWN_SETTING.search(clause.text)
    if cause == UNKNOWN and dimension == BANDWIDTH and sole:
        cause = NO_BOARD if _VARIED < abs(ratio - 1) < 1 else UNKNOWN
    if cause == UNKNOWN:
        yield statement(
            clause, quantity, target, "unsure", "no value of the catalogue, and perhaps a variant's", mention
        )
    else:
        yield false_statement(clause, quantity, target, cause, mention)


def elsewhere(quantity: Quantity, target: Constant, dimension: Dimension, mention: Mention) -> str:
    """Another machine or a plain slip that gives the number."""
    own, value = quantity.base(dimension) or 0.0, float(target.base)
    if not own:
        return UNKNOWN
    if is_binary(quantity.literal.unit[:3]) and quantity.agrees(
        value * quantity.factor(dimension) / decimal_size(quantity), dimension
    ):
        return f"GB and GiB: {target.text} is labelled {quantity.literal.unit}"
    cause = by_ratio(own / value)
    if cause.startswith("bit and byte"):
        return cause
    if slip(quantity.literal, value / quantity.factor(dimension)) == "digits swapped":
        return f"digits swapped: it is {target.text}"
    family = mention.names[0].partition("-")[0]
    every = list(catalogue("hardware").items())
    if target.role == "link":  # cables are mixed up with cables, but a card seldom with its own module
        every.sort(key=lambda one: one[0].startswith(family) is not (family in _CABLES))
    for name, other in every:
        if name in mention.names:
            continue
        for constant in other.constants:
            alike = constant.role == target.role and constant.tags.get("precision") == target.tags.get(
                "precision"
            )
            if alike and abs(float(constant.base) / own - 1) < _SAME:
                return f"another machine: {constant.text} is the {constant.role} of {other.title}"
    for title, rate in RATES.items() if target.role == "bandwidth" else ():
        if abs(rate / own - 1) < _SAME and not _is_of(title, mention):
            return f"another machine: {rate / 1e9:,.0f} GB/s is the bandwidth of {title}"
    return cause


def is_only_board(mention: Mention) -> bool:
    """Whether a name means a machine that is sold in one form alone."""
    return len(mention.names) == 1 and mention.names[0] in ONLY_BOARDS


def _is_of(title: str, mention: Mention) -> bool:
    """Whether a board is one of those that a name may mean: an A100 may be the PCI Express card."""
    own = title.lower().replace(" ", "-")
    family = own.partition("-")[0]
    return own in mention.names or (
        family not in _SERIES and any(name.partition("-")[0] == family for name in mention.names)
    )


def of_one(
    clause: Clause, quantity: Quantity, constant: Constant, dimension: Dimension, mention: Mention
) -> bool:
    """Whether the number of one machine is told for several of them together."""
    if mention.count < 2 or agreeing_with(quantity, [constant], dimension) is None:
        return False
    if not clause.text[mention.end : quantity.start].strip():
        return False  # a part of its name
    if _LEFT.match(clause.text, quantity.end):
        return False
    begin, end = max(0, quantity.start - 60), quantity.end + 24
    words = f"{clause.text[begin : quantity.start]} ¦ {clause.text[quantity.end : end]}"
    return bool(_TOGETHER.search(words)) and not _SEVERALLY.search(words)


def is_listed(clause: Clause, mention: Mention) -> bool:
    """Whether a clause is an item that names a machine and lists its numbers behind a colon."""
    return not clause.row and bool(
        _ITEM.fullmatch(clause.text[: mention.start]) and _LISTS.match(clause.text, mention.end)
    )


def decimal_size(quantity: Quantity) -> float:
    """What the unit of a quantity would be in bytes if its prefix were a decimal one."""
    power = {"K": 1, "M": 2, "G": 3, "T": 4, "P": 5}.get(quantity.literal.unit[:1], 0)
    return float(1000**power)


def said(
    clause: Clause, at: int, text: str, expected: str, verdict: Verdict, cause: str, rule: str, because: str
) -> Claim:
    """What is said of a text at a place of a clause; equal texts of a row or sentence are told apart."""
    cells = sum(begin <= at for begin, _ in clause.columns)
    begin = clause.block.text.rfind("\n", 0, clause.offset + at) + 1
    return Claim(
        line=clause.line(at),
        text=text,
        verdict=verdict,
        expected=expected,
        claimed=text,
        cause=cause,
        rule=rule,
        because=because,
        cell=clause.block.cell,
        place=max(cells - 1, 0) if clause.row else clause.block.text.count(text, begin, clause.offset + at),
    )


def source_of(constant: Constant) -> str:
    return f"{entry('hardware', constant.entry).title}, {constant.source.document}"


def statement(
    clause: Clause,
    quantity: Quantity,
    constant: Constant,
    verdict: Verdict,
    cause: str,
    mention: Mention,
    many: int = 1,
) -> Claim:
    expected = constant.described if many == 1 else f"{many} × {constant.described}"
    text, because = clause.piece(quantity), source_of(constant)
    return said(clause, quantity.start, text, expected, verdict, cause, "hardware", because)


def _is_of_one_named(clause: Clause, mention: Mention, cause: str) -> bool:
    """Whether a machine is only compared with, and the one whose number it is stands before it in the sentence."""
    if not _GENITIVE.search(clause.text, 0, mention.start):
        return False
    before = [one for one in machines(clause.text) if one.end <= mention.start]
    named = {name for one in before for name in one.names} - set(mention.names)
    return cause.startswith("another machine") and any(
        cause.endswith(f" of {entry('hardware', name).title}") for name in named
    )


def false_statement(
    clause: Clause, quantity: Quantity, constant: Constant, cause: str, mention: Mention, many: int = 1
) -> Claim:
    """A false statement, unless the text around it stands in the way."""
    reason = hindered(clause, quantity)
    if not reason and not clause.row and _is_of_one_named(clause, mention, cause):
        reason = "the number is that of another machine of the sentence"
    return statement(
        clause, quantity, constant, "unsure" if reason else "false", reason or cause, mention, many
    )
