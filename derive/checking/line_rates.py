"""Rates of lines in bits that a text tells again in bytes with the same number: one 400 Gb/s port, that is 400 GB/s."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.machine_links import EACH
from derive.checking.published import PORT_NAME, PORTS
from derive.checking.quantities import Quantity
from derive.checking.statements import BANDWIDTH, said
from derive.checking.subjects import number_of

_BITS, _BYTES = re.compile(r"[GT](?:b|bits?)(?:/s|ps)"), re.compile(r"[GT]B/s")
_OF_ONE = re.compile(
    rf"{_BYTES.pattern}(?: ?(?:per|/|a|each) ?(?:port|link|NIC|adapter|rail|line|direction|way))?"
)
_AGAIN = re.compile(
    r"(?:[.;][\s\x02\x03]+(?:So )?(?:[Tt]hat|[Tt]his|[Ii]t) (?:is|means|makes|gives|comes to|amounts to|equals)|"
    r"[,;(]? ?\b(?:i\.e\.,?|that (?:is,?|means|makes)|which (?:is|means|makes|gives|amounts to|equals)|so|hence|or|"
    r"together|in all|in total|altogether|combined|for a total of)|"
    r"(?:NIC|port|link|line|adapter|HCA) (?:then |thus )?(?:moves|sends|carries|delivers|transfers|does|is good for)|"
    r"\(|[=≈])(?: (?:a |the )?(?:line rate of|rate of|bandwidth of|about|some|roughly|only|just|at most|up to))*"
    r"[\s\x02\x03~≈]*$"
)
_OTHER = re.compile(
    r"\d|\b(?:not|than|instead|versus|vs|memory|HBM|PCI\w*|NV-?Link|drives?|SSDs?|read|wrote|measured|(?:mis)?taken?|confus\w+|mix\w*|as|call\w*|said)\b"
)
_SEVERAL = re.compile(
    r"\b(?:ports|links|NICs|HCAs|adapters|rails|cards|lines|uplinks|cables|dual\w*|both|bond\w*|several|all|"
    r"per GPU|each GPU|every GPU|GPUs?)\b"
)
_ONE = re.compile(r"\b(?:one|a single|1 ?[x×]?|an?)\s[\s\x02~≈]*$", re.IGNORECASE)
_MANY = re.compile(
    r"(?<![\w.,])(\d{1,2}|two|three|four|eight|sixteen)\s?(?:[x×]\s?)?[\s\x02~≈]*$", re.IGNORECASE
)
_TOGETHER = re.compile(r"\s?(?:per (?:node|server|box|system|GPU|rack)|in all|together|in total|a node)\b")
_PORTS = re.compile(
    r"(?<![\w.,])(\d{1,2}|[Tt]wo|[Ff]our|[Ee]ight|[Ss]ixteen)\s?(?:[x×]\s?)?(FDR|EDR|HDR|NDR|XDR)\s(?:InfiniBand\s)?"
    r"(?:ports|links|NICs|adapters|rails)\b(?!\s(?:per|of|for)\b)[^.;\d]{0,50}$"
)
_IN_BYTES = re.compile(r"B/s|B per second|bytes per second")
_IN_BITS = "bit and byte: it is 8 times larger"
_GAP, _BEFORE, _SAME = 90, 60, 1e-9


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The rates in bytes that repeat the number of the rate in bits before them."""
    prose = [clause for clause in every if not clause.row]
    blocks = {id(clause.block): clause.block for clause in prose}
    named = {key for key, block in blocks.items() if _IN_BYTES.search(block.text)}
    told = [clause for clause in prose if id(clause.block) in named]
    for clause in told:
        yield from _of_ports(clause)
    numbers = [(clause, one) for clause in told for one in clause.quantities if one.has(BANDWIDTH)]
    for (before, one), (clause, other) in pairwise(numbers):
        near = (
            before.block is clause.block
            and _BITS.fullmatch(one.literal.unit)
            and _BYTES.match(other.literal.unit)
        )
        many = _lines(before, one, clause, other) if near else 0
        own, right = other.base(BANDWIDTH) or 0.0, (one.base(BANDWIDTH) or 0.0) * many
        if many and right and abs(own / (8 * right) - 1) < _SAME:
            lines = f"{many} × " if many > 1 else ""
            yield from _false(clause, other, right, _IN_BITS, f"{lines}{before.piece(one)} / 8")


def _of_ports(clause: Clause) -> Iterator[Claim]:
    """What so many ports of a generation carry together: eight HDR ports give a node 200 GB/s."""
    if not PORT_NAME.search(clause.text):
        return
    for quantity in clause.quantities:
        ports = _PORTS.search(clause.text, max(0, quantity.start - _GAP), quantity.start)
        own = quantity.base(BANDWIDTH) or 0.0
        right = number_of(ports[1]) * PORTS[ports[2]] * 1e9 / 8 if ports else 0.0
        if ports is None or not own or not right or not _BYTES.match(quantity.literal.unit):
            continue
        because = f"{ports[1]} × {PORTS[ports[2]]:g} Gb/s / 8"
        if abs(own / (8 * right) - 1) < _SAME:
            yield from _false(clause, quantity, right, _IN_BITS, because)
        elif abs(own / (2 * right) - 1) < _SAME and EACH.search(clause.around(quantity, 0, 30)):
            cause = "both ways and each way: it is twice as much"
            yield from _false(clause, quantity, right, cause, because)


def _false(clause: Clause, quantity: Quantity, right: float, cause: str, because: str) -> Iterator[Claim]:
    if not clause.hindered(quantity.start):
        unit = 1e12 if quantity.literal.unit.startswith("T") else 1e9
        shown, text = f"{right / unit:g} {quantity.literal.unit[:4]}", clause.piece(quantity)
        yield said(clause, quantity.start, text, shown, "false", cause, "conversion", because)


def _lines(before: Clause, one: Quantity, clause: Clause, other: Quantity) -> int:
    """Of how many lines the second rate is that of all; 0 where it may be something else, or they may be more."""
    text = before.block.text
    begin, end = before.offset + one.end, clause.offset + other.start
    between = text[begin:end]
    again = _AGAIN.search(between) if 0 < len(between) < _GAP else None
    if text.count('"', 0, begin) % 2:
        return 0  # somebody is quoted
    if again is None or _OTHER.search(between[: again.start()]):
        return 0
    lead = text[max(0, begin - len(before.piece(one)) - _BEFORE) : before.offset + one.start]
    noun = between[: again.start()]
    if many := _MANY.search(lead):
        return number_of(many[1])
    if _ONE.search(lead) and not re.search(r"\b(?:per|each|every) GPU\b", noun):
        return 1
    several = _SEVERAL.search(f"{lead} {noun}") or _OF_ONE.fullmatch(other.literal.unit) is None
    return 0 if several or _TOGETHER.match(clause.text, other.end) else 1
