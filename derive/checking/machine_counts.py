"""What documents say of machines in watts and whole numbers: power limits, multiprocessors, links, rates of ports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from derive.checking.blocks import Block
from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.machine_subjects import Meant, narrowed, of_the_only_one, spoken, spoken_of, subject
from derive.checking.published import LINKS, OTHER_BOARDS, PORT_NAME, PORTS, POWERS
from derive.checking.quantities import Quantity
from derive.checking.statements import (
    BANDWIDTH,
    MEASURED,
    NO_BOARD,
    OWN_SETTING,
    constants_of,
    false_statement,
    hindered,
    is_only_board,
    said,
    statement,
    words_by,
)
from derive.checking.subjects import Mention, entry, machines
from derive.checking.words import Dimension
from derive.constants import catalogue

WATTS: Dimension = (("joule", 1), ("second", -1))
_RATED = re.compile(
    r"\bT[DGB]Ps?\b|\b(?:rated|specified|specced|designed)\b|\b(?:power limit|board power|design power|power rating)\b|"
    r"\b(?:data ?sheet|spec sheet)\b|\b(?:consumes?|draws?) (?:at most|up to)\b|\b(?:max\w*|peak) power\b",
    re.IGNORECASE,
)
_RATED_BEHIND = re.compile(
    r"[\s\x02\x03]*\)?(?:[\s\x02\x03]|-)*(?:T[DGB]P\b|parts?\b|cards?\b|boards?\b|modules?\b|accelerators?\b|GPUs?\b|"
    r"chips?\b|(?:for|of) an? |(?:of )?(?:board|design) power|at (?:the )?most\b|max(?:imum)?\b)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[\W\d]*(?:NVIDIA |AMD |Tesla )?\s*", re.IGNORECASE)
_COLON = re.compile(r"(?:[,\s]*\(?(?:SXM\d?|OAM|\d{2,3} ?GB)\)?)*\s?[:–—-][\s\x02\x03~≈]*")
_LIMITS = re.compile(r"\b(?:power )?limits?\b", re.IGNORECASE)
_COLON_BEFORE = re.compile(r":\s")
_BLANK = re.compile(r"[\s\x02\x03(~≈=]*")
_BRACKETED = re.compile(r" ?\($")
_AT_MOST = re.compile(r"\b(?:consum|draw)\w* (?:at most|up to)\b", re.IGNORECASE)
_NOT_RATED = re.compile(
    r"\b(?:cap\w*|idl\w+|average|mean|typical\w*|throttl\w*|underclock\w*|each of|system|node|server|box|rack|wall|"
    r"host|CPUs?|fans?|switch\w*|NICs?|DPUs?|adapters?|drives?|transceivers?|between|replac\w*|instead|than|unlike|like|other|another|old|save\w*|less|more|"
    r"(?:from|(?<!up )to)(?=[\s\x02~≈]*\d)|down|measured|draw\w*|burn\w*)\b",
    re.IGNORECASE,
)
_RATED_HEADING = re.compile(
    r"(?:max\.? |maximum |peak |rated |design )?(?:T[DGB]P|power(?: limit)?|board power)[\s,]*(?:\(?W(?:atts)?\)?)?|"
    r"W(?:atts)?",
    re.IGNORECASE,
)
_PROCESSORS = re.compile(
    r"(?<![\w.,])(\d{2,3})[\s\x02\x03]+(?:SMs\b|streaming multiprocessors\b|compute units\b|CUs\b)"
)
_PROCESSORS_HEADING = re.compile(
    r"(?:#|number of )?(?:SMs?|streaming multiprocessors)(?: / CUs?)?", re.IGNORECASE
)
_USED = re.compile(r"uses?|only|occup|fill|of the\b|left|some|\bto\b|each|per")
_SOME_OF = re.compile(r"\d of (?:its|the)\b")
_NVLINKS = re.compile(
    r"(?<!NVLink )(?<!NVLinks )(?<![\w.,])(\d{1,2}) (?:[a-z]+-generation )?(?:NV-?Links?(?: \d)?(?: links)?|links)\b"
)
_RATE_BEHIND = re.compile(r" (?:of|at|with) \d[\d.,]* ?GB/s(?: each\b| per (?:link|direction)\b)?")
_FORM = re.compile(r"SXM|PCI-?e|HGX|NVL|OAM", re.IGNORECASE)
_FORM_TOLD = ("h100-sxm", "h100-pcie")
"""Boards that no text means without saying their form."""
_PORT = re.compile(
    r"\b(?:ports?|adapters?|cards?|NICs?|HCAs?|links?|InfiniBand|rails?|at|each)\b", re.IGNORECASE
)
_SPLIT = re.compile(r"\b(?:split\w*|hal(?:f|ves)|break-?outs?|two lanes)\b", re.IGNORECASE)
_PER_PORT = re.compile(r"[\s\x02\x03]?(?:per|a) port\b")
_FOUR = re.compile(r"\b4[x×]", re.IGNORECASE)
_SUM = re.compile(
    r"\b(?:total|together|aggregate|combined|in all|both|bond\w*|dual|twice|double)\b", re.IGNORECASE
)
_BITS = re.compile(r"[GT](?:b|bit)")
_MARK = re.compile(r"[,;:.(]")
_DIGIT = re.compile(r"\d")
_ASIDE = 30
_NEAR, _TYPED, _HALF = 120, 0.002, 0.5


def claims(
    clause: Clause, wired: Meant, alone: Mention | None = None, limits: frozenset[int] = frozenset()
) -> Iterator[Claim]:
    """The statements of a clause about power, multiprocessors, links and ports.

    wired: the variants that the document means where it tells of NVLink. alone: its only machine.
    limits: the items of lists of power limits.
    """
    yield from _ports(clause)
    found = spoken(clause)
    for quantity in clause.quantities:
        if quantity.literal.options[0].dimension == WATTS or _RATED_HEADING.fullmatch(
            clause.heading(quantity.start)
        ):
            mention = subject(clause, quantity, found) if found else spoken_of(clause, quantity)
            if not found and mention is None and alone is not None and of_the_only_one(clause):
                mention = alone
            if mention is not None and mention.names:
                listed = id(clause.block) in limits or (clause.listed != "" and _limits(clause.listed))
                yield from _power(clause, quantity, mention, listed)
    if clause.row and not found:
        yield from _turned(clause)
    if found:
        yield from _whole(clause, found, wired)
    elif alone is not None and not clause.row:
        yield from _whole(clause, [alone], wired)


def _turned(clause: Clause) -> Iterator[Claim]:
    """The power limits in a row whose columns are machines."""
    label = clause.text.partition("¦")[0].strip()
    for quantity in clause.quantities if _RATED_HEADING.fullmatch(label) else ():
        named = machines(f"{clause.heading(quantity.start)} GPU")
        if len({one.names for one in named}) == 1 and named[0].names:
            yield from _power(clause, quantity, named[0], label=label)


def _power(
    clause: Clause, quantity: Quantity, mention: Mention, listed: bool = False, label: str = ""
) -> Iterator[Claim]:
    """A power limit. listed: it is in a list of such. label: that of its row, where the machine is in the heading."""
    constants = constants_of(mention, ("power",), WATTS)
    own = quantity.base(WATTS) or (quantity.literal.value if clause.row else 0.0)
    if not constants or not own or mention.count > 1:
        return
    right = next((one for one in constants if abs(own / float(one.base) - 1) < _TYPED), None)
    heading = label or clause.heading(quantity.start)
    name = clause.heading(quantity.start) if label else clause.text
    if right is not None:
        if not clause.row or _RATED_HEADING.fullmatch(heading):
            yield statement(clause, quantity, right, "true", "", mention)
        return
    family = mention.names[0].partition("-")[0]
    board = _FORM.search(name[mention.start : mention.end]) or (
        len(mention.names) == 1 and mention.names[0] in _FORM_TOLD
    )
    other_form = board and all(own in OTHER_BOARDS.get(name, ()) for name in mention.names)
    if not other_form and own in POWERS.get(family, ()):
        return
    if clause.row:
        rated = bool(_RATED_HEADING.fullmatch(heading)) and not _NOT_RATED.search(f"{heading} {clause.text}")
    else:
        rated = is_rated(clause, quantity, mention, listed)
    other = _elsewhere(own, mention)
    sole = is_only_board(mention) and not clause.row and not OWN_SETTING.search(clause.text)
    if sole and not other and _HALF < own / float(constants[0].base) < 2:
        other = NO_BOARD
    if rated and other:
        yield false_statement(clause, quantity, constants[0], other, mention)


def is_rated(clause: Clause, quantity: Quantity, mention: Mention, listed: bool = False) -> bool:
    """Whether a sentence tells what a machine is made for, and no draw. listed: in a list of power limits."""
    words = words_by(clause, quantity).replace("\n", " ")
    named = mention.end <= quantity.start and _BRACKETED.fullmatch(clause.text[mention.end : quantity.start])
    rated = bool(
        named
        or _RATED.search(words)
        or _RATED_BEHIND.match(clause.text, quantity.end)
        or (listed and _is_item(clause, quantity, mention))
        or _in_series(clause, quantity, mention)
    )
    words = _COLON_BEFORE.split(words)[-1] if mention.end <= quantity.start else words
    rated = rated and not _NOT_RATED.search(_AT_MOST.sub("", words))
    return rated and (bool(named) or not MEASURED.search(_LIMITS.sub("", words)))


def limits_listed(blocks: Iterable[Block]) -> frozenset[int]:
    """The items, by their identity, of lists that a line leads to which speaks of power limits."""
    found: set[int] = set()
    under = False
    for block in blocks:
        if block.text.rstrip().endswith(":"):
            under = _limits(block.text[-_NEAR:])
        elif under and len(block.text) < _NEAR:
            found.add(id(block))
        else:
            under = False
    return frozenset(found)


def _limits(lead: str) -> bool:
    """Whether the words that lead to a list say that it is of power limits."""
    return bool(_RATED.search(lead)) and not _NOT_RATED.search(lead)


def _is_item(clause: Clause, quantity: Quantity, mention: Mention) -> bool:
    """Whether a number stands alone behind a name and a colon."""
    return bool(
        _ITEM.fullmatch(clause.text[: mention.start])
        and _COLON.fullmatch(clause.text[mention.end : quantity.start])
    )


def _in_series(clause: Clause, quantity: Quantity, mention: Mention) -> bool:
    """Whether a number stands right behind the name, in a sentence that lists power limits behind a colon."""
    lead, colon, _ = clause.text[: mention.start].rpartition(":")
    return bool(colon and _limits(lead) and _BLANK.fullmatch(clause.text[mention.end : quantity.start]))


def _elsewhere(own: float, mention: Mention) -> str:
    """The other machine whose power limit a number is."""
    if all(own in OTHER_BOARDS.get(name, ()) for name in mention.names):
        title = entry("hardware", mention.names[0]).title
        return f"another machine: {own:g} W is the power limit of a board of the other form, not of {title}"
    for name, other in catalogue("hardware").items():
        for constant in other.constants if name not in mention.names else ():
            if constant.role == "power" and abs(own / float(constant.base) - 1) < _TYPED:
                return f"another machine: {constant.text} is the power limit of {other.title}"
    for family, powers in POWERS.items():
        if own in powers and not mention.names[0].startswith(family):
            return f"another machine: {own:g} W is the power limit of a board of the {family.upper()}"
    return ""


def _whole(clause: Clause, found: Sequence[Mention], wired: Meant) -> Iterator[Claim]:
    """Multiprocessors and links of a machine, which no two values fit."""
    for pattern, heading, what in (
        (_PROCESSORS, _PROCESSORS_HEADING, "SMs"), (_NVLINKS, None, "links"),
    ):  # fmt: skip
        for quantity in clause.quantities:
            own = quantity.literal.value
            told = pattern.match(clause.text, quantity.start)
            headed = heading is not None and bool(heading.fullmatch(clause.heading(quantity.start).strip()))
            mention = subject(clause, quantity, found) if told or headed else None
            if mention is None or not mention.names or own != int(own):
                continue
            if what == "links" and not re.search(r"NV-?Link|GB/s", f"{clause.context} {clause.text}"):
                continue
            mention = narrowed(mention, wired) if what == "links" else mention
            values = _values(mention, what)
            text = told[0] if told else clause.piece(quantity)
            if own in values:
                yield _count(clause, quantity, mention, text, f"{int(own)} {what}", "true", "")
            elif values and len(values) == len({_family(name) for name in mention.names}):
                before = clause.text[max(0, quantity.start - _ASIDE) : quantity.start]
                after = _MARK.split(_RATE_BEHIND.sub("", clause.text[quantity.end : quantity.end + 40])[:24])[
                    0
                ]
                if clause.row or not (_USED.search(f"{before} {after}") or _SOME_OF.search(clause.text)):
                    shown = f"{int(min(values))} {what}"
                    yield _count(clause, quantity, mention, text, shown, "false", hindered(clause, quantity))


def _family(name: str) -> str:
    return name.partition("-")[0]


def _values(mention: Mention, what: str) -> set[float]:
    """The numbers that all machines of a name have; none where one of them is not known."""
    found: set[float] = set()
    for name in mention.names:
        own = [LINKS[name]] if what == "links" and name in LINKS else []
        own += [
            int(one.base) for one in entry("hardware", name).constants if one.role == "sms" and what == "SMs"
        ]
        if not own:
            return set()
        found |= {float(one) for one in own}
    return found


def _count(
    clause: Clause,
    quantity: Quantity,
    mention: Mention,
    text: str,
    expected: str,
    verdict: Verdict,
    reason: str,
) -> Claim:
    kept: Verdict = "unsure" if reason else verdict
    cause = reason or ("" if verdict == "true" else "another machine")
    title = entry("hardware", mention.names[0]).title
    return said(clause, quantity.start, text, expected, kept, cause, "hardware", title)


def _ports(clause: Clause) -> Iterator[Claim]:
    """The rate of a port by the name of its generation or adapter."""
    if clause.row or not any(_BITS.match(one.literal.unit) for one in clause.quantities):
        return
    begin = max(0, clause.offset - _NEAR)
    text = clause.block.text[begin : clause.offset + len(clause.text) + _NEAR]
    names = list(PORT_NAME.finditer(text))
    for quantity in clause.quantities if names else ():
        if quantity.literal.options[0].dimension != BANDWIDTH or not _BITS.match(quantity.literal.unit):
            continue
        at = clause.offset + quantity.start - begin
        name = _named(names, at, at + quantity.end - quantity.start)
        if name is None:
            continue
        own, right = (quantity.base(BANDWIDTH) or 0.0) * 8 / 1e9, PORTS[name[0]]
        between = text[min(name.end(), at) : at]
        words = between + clause.around(quantity, 0, 16)
        expected = f"{right:g} Gb/s"
        if own == right:
            yield _port(clause, quantity, name[0], expected, "true", "")
        elif own in PORTS.values() and _PORT.search(words) and not _SUM.search(words):
            half = (
                own * 2 == right
                and not _SPLIT.search(clause.text)
                and bool("port" in quantity.literal.unit or _PER_PORT.match(clause.text, quantity.end))
            )
            lanes = (
                own > right or half or (_FOUR.search(words) is not None and not name[0].startswith("Connect"))
            )
            if lanes and not _DIGIT.search(_FOUR.sub("", between)):
                yield _port(clause, quantity, name[0], expected, "false", hindered(clause, quantity))


def _named(names: Sequence[re.Match[str]], start: int, end: int) -> re.Match[str] | None:
    """The name that a rate belongs to: the one right behind it, else the last before it."""
    behind = next((one for one in names if 0 <= one.start() - end <= 1), None)
    before = [one for one in names if one.end() <= start and start - one.end() < _NEAR]
    return behind or (before[-1] if before else None)


def _port(
    clause: Clause, quantity: Quantity, name: str, expected: str, verdict: Verdict, reason: str
) -> Claim:
    kept: Verdict = "unsure" if reason else verdict
    cause = reason or ("" if verdict == "true" else "another machine: a port of another generation")
    text, because = clause.piece(quantity), f"a port of {name}"
    return said(clause, quantity.start, text, expected, kept, cause, "hardware", because)
