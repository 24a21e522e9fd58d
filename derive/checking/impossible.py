"""Values that cannot be: a utilization above 1, more bandwidth than the memory has, weights that do not fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from derive.checking.blocks import Block
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.subjects import WIDTHS, Mention, entry, machines, models, precisions
from derive.checking.words import Dimension

_BANDWIDTH: Dimension = (("byte", 1), ("second", -1))
_UTILIZATION = re.compile(
    r"(?<![\d.,])(?P<one>\d[\d.,]{0,11}) ?% (?:MFU|HFU|(?:GPU |FLOPs? |compute |model FLOPs? |"
    r"bandwidth )?utili[sz]ation|of (?:the )?(?:theoretical |hardware )?peak)\b"
    r"|(?:MFU|HFU|utili[sz]ation)(?: of| is| =|:| was| at| reaches)? ?(?:about |~|roughly )?"
    r"(?P<other>\d[\d.,]{0,11}) ?%"
)
_SPOKEN = re.compile(
    r"above|over|more than|exceed|past|beyond|greater|>|never|cannot|can't|sign|means?\b|"
    r"redo\b|silly|suppose|imagine|suspicious|check|would\b|if\b|when\b|\bany\b|relative|compared|vs\b|than",
    re.IGNORECASE,
)
_REACHED = Sought(
    r"achiev\w+|sustain\w*|reach\w*|measur\w+|deliver\w*|effective|hits?|saturat\w+|observed|attain\w*|logged|got\b|gave",
    (
        "achiev",
        "sustain",
        "reach",
        "measur",
        "deliver",
        "effective",
        "hit",
        "saturat",
        "observed",
        "attain",
        "logged",
        "got",
        "gave",
    ),
    ignore_case=True,
)
_NO_MEMORY = re.compile(
    r"\bL[12]\b|cache|SRAM|NV-?Link|PCI|InfiniBand|network|aggregate|combined|total|across|"
    r"all \w*GPUs|node|cluster|disk|file|storage|shared|register|on-chip|compress\w*",
    re.IGNORECASE,
)
_FIT = re.compile(
    r"\bfits? (?:comfortably |easily |snugly |entirely |just )?(?:on|in|into|within|onto) (?:a |one |an )?(?:single )?",
    re.IGNORECASE,
)
_NO_FIT = re.compile(
    r"n't|not|never|no longer|too|barely fails|offload|shard|LoRA|quanti[sz]|spill|unless|"
    r"if\b|would|\?|swap|prun|layer|stream|after|distill|each",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\b(\d{1,3}(?:\.\d)?)B\b(?!/)")
_NOT_A_PORT = re.compile(
    r"NVMe|\bSSDs?\b|\bdis[ck]s?\b|NVLink|PCIe|HBM|\bDRAM\b|\bmemory\b|\blocal\b", re.IGNORECASE
)
_MARGIN = 1.02
_SHARE = re.compile(
    r"\b(?:MFU|HFU|MBU|utili[sz]ation|(?:share|fraction) of (?:the )?peak)\b|% of (?:the )?peak\b",
    re.IGNORECASE,
)
_NO_SHARE = re.compile(r"speed-?up|relative|CPU|vs\.?|gain|ratio", re.IGNORECASE)
_OF_OTHER = re.compile(r"\s*(?:of|vs\.?|relative|faster|more|less)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\d ?%")  # a share that the column is worked out for
_SLIGHT = 2.0  # a bare share that is larger is a percentage or something else
_STREAM = re.compile(
    r"\b(?:batch(?: size)?(?: of)? ?=? ?(?:1|one)\b(?![\d,.]*\d)|"
    r"(?:single[- ]|one )(?:stream|user|sequence|request))",
    re.IGNORECASE,
)
_SPED_UP = re.compile(r"draft|Medusa|EAGLE|lookahead|prefill|prompt|sparse|\bn-gram", re.IGNORECASE)
_BACK = 1500  # how far back the words of a paragraph count
_FAR = 2.5  # beyond so many times the limit the number is of something else
_BOTH_WAYS = 1.9  # nearer twice the limit it may be the link's rate both ways
_BUS = re.compile(r"\bbus ?bw\b|\bbus bandwidth\b", re.IGNORECASE)
_COLLECTIVE = re.compile(r"\ball-?(?:reduce|gather|to-?all)\b", re.IGNORECASE)
_NO_REDUCTION = ("a100", "v100")
"""GPUs whose switches do not add: with those that do, a bus bandwidth may lie above the link's."""
_PER_SECOND: Dimension = (("second", -1),)
_FAST = ("bf16", "fp16", "fp8")
_DRIVE = re.compile(r"\b(?:drives?|SSDs?|NVMe|disks?)\b", re.IGNORECASE)
_SHEET = re.compile(r"\b(?:sequential|(?:data ?)?sheet|rated|vendor)\b", re.IGNORECASE)
_LANES = re.compile(r"\bPCI-?e(?:xpress)?[ -]?(?:Gen ?)?([3-5])(?:\.0)?,? ?[x×](\d{1,2})\b", re.IGNORECASE)
_PORT = re.compile(r"\b(?:ports?|NICs?|HCAs?|rails?)\b")
_LINE_RATE = re.compile(
    r"\b(\d{2,3}) ?(?:Gb/s|Gbit/s|Gbps)(?: [\w-]+)? (?:ports?|NICs?|HCAs?|rails?|InfiniBand|links?|line)\b|"
    r"\b(?:ports?|NICs?|HCAs?|rails?)(?: is| are| of| at| with| run at| runs at)* (\d{2,3}) ?(?:Gb/s|Gbit/s|Gbps)"
)
_SEVERAL = re.compile(
    r"\b(?:together|all|both|aggregate|total|combined|RAID|two|three|four|eight|\d+ (?:drives|ports|NICs|disks|rails)|"
    r"cached?|memory|RAM|compress\w*|servers?|file ?systems?|clusters?)\b",
    re.IGNORECASE,
)
_NO_TOKENS = re.compile(
    r"cached?|prefix|speculat|nodes|replicas|cluster|MoE|experts?|pruned?|each|per (?:GPU|card)",
    re.IGNORECASE,
)


def claims(clause: Clause, rate: float) -> Iterator[Claim]:
    """The impossible values of a clause. rate: the line rate of the document's ports, 0 where nobody knows."""
    yield from _utilizations(clause)
    yield from _cells(clause)
    yield from _over_lanes(clause)
    yield from _over_port(clause, rate)
    yield from _over_link(clause)
    found = [one for one in machines(clause.text) if one.names]
    if len({one.names for one in found}) == 1 and not clause.row:
        yield from _bandwidths(clause, found[0])
        yield from _fitting(clause, found[0])
        yield from _tokens(clause, found[0])
        yield from _decoding(clause, found[0])


def _utilizations(clause: Clause) -> Iterator[Claim]:
    for found in _UTILIZATION.finditer(clause.text) if "%" in clause.text else ():
        digits = (found["one"] or found["other"]).rstrip(".,").replace(",", "")
        if digits.count(".") > 1 or float(digits) <= 100 or _SPOKEN.search(clause.text):
            continue
        cause = "MFU above 1: the FLOP count is too high, the time too short or the peak too low"
        yield _made(
            clause, found.start(), found[0], "at most 100 %", cause, "a utilization is a share of the peak"
        )


def _bandwidths(clause: Clause, mention: Mention) -> Iterator[Claim]:
    if not _REACHED.search(clause.text) or _NO_MEMORY.search(clause.text) or mention.count > 1:
        return
    for quantity in clause.quantities:
        own = quantity.base(_BANDWIDTH)
        limits = [
            c for name in mention.names for c in entry("hardware", name).constants if c.role == "bandwidth"
        ]
        if own is None or not limits:
            continue
        limit = max(limits, key=lambda constant: constant.base)
        if own - quantity.slack(_BANDWIDTH) > float(limit.base) * _MARGIN and own < 50 * float(limit.base):
            cause = "bandwidth above that of the memory: bytes are counted that never moved, or the time is too short"
            because = f"{entry('hardware', limit.entry).title} has {limit.text}"
            yield _made(
                clause, quantity.start, _text(clause, quantity), f"at most {limit.text}", cause, because
            )


def _cells(clause: Clause) -> Iterator[Claim]:
    """Utilizations above 1 in the cells of a table."""
    for quantity in clause.quantities if clause.row else ():
        heading = clause.heading(quantity.start)
        if (
            not _SHARE.search(heading)
            or _NO_SHARE.search(heading)
            or _GIVEN.search(heading)
            or [one for _, one in clause.columns].count(heading) > 1
            or _OF_OTHER.match(clause.text, quantity.end)
        ):
            continue
        percent = quantity.literal.unit == "%" or "%" in heading
        least = quantity.literal.value - quantity.slack(()) / quantity.factor(())
        if least > _MARGIN * (100 if percent else 1) and (percent or quantity.literal.value < _SLIGHT):
            cause = "above 1: the peak is that of another precision, or the work is counted twice"
            yield _made(
                clause, quantity.start, _text(clause, quantity), "at most 100 %", cause, "a utilization"
            )


def _over_lanes(clause: Clause) -> Iterator[Claim]:
    """More from one drive than the lanes carry that the paragraph names."""
    paragraph = clause.block.text[max(0, clause.offset - _BACK) : clause.offset + len(clause.text)]
    if "pci" not in paragraph.lower() or not (_REACHED.search(clause.text) or _SHEET.search(clause.text)):
        return
    if not _DRIVE.search(paragraph) or _SEVERAL.search(clause.text):
        return
    told = list(_LANES.finditer(clause.text)) or _LANES.finditer(paragraph)
    named = {(int(one[1]), int(one[2])) for one in told}
    if len(named) != 1:
        return
    generation, lanes = named.pop()
    each_way = [
        constant
        for constant in entry("hardware", f"pcie-{generation}-x16").constants
        if constant.tags.get("direction") == "each-way"
    ]
    for constant in each_way:
        limit = float(constant.base) * lanes / 16
        because = f"{lanes} lanes of PCIe {generation}.0 carry {limit / 1e9:.3g} GB/s each way"
        yield from _above(clause, limit, because)


def line_rate(blocks: Iterable[Block]) -> float:
    """The one line rate of a document's ports, in Gb/s; 0 where it names none or several."""
    rates = {
        float(one[1] or one[2])
        for block in blocks
        if "Gb" in block.text
        for one in _LINE_RATE.finditer(block.text)
    }
    return rates.pop() if len(rates) == 1 else 0.0


def _over_port(clause: Clause, rate: float) -> Iterator[Claim]:
    """More over one port than its line rate."""
    if (
        rate
        and _PORT.search(clause.block.text)
        and _REACHED.search(clause.text)
        and not _SEVERAL.search(clause.text)
        and not _NOT_A_PORT.search(clause.text)
    ):
        yield from _above(clause, rate * 1e9 / 8, f"a line of {rate:g} Gb/s carries {rate / 8:g} GB/s")


def _over_link(clause: Clause) -> Iterator[Claim]:
    """A bus bandwidth, as collectives are measured, above what the links of the paragraph's GPU carry each way."""
    if (
        clause.row
        or "bus" not in clause.text.lower()
        or not _BUS.search(clause.text)
        or not _REACHED.search(clause.text)
    ):
        return
    named = {one.names for one in machines(clause.block.text)}
    if len(named) != 1 or _SEVERAL.search(_COLLECTIVE.sub("", clause.text)):
        return
    limits = {
        constant.base: constant
        for name in named.pop()
        if name.startswith(_NO_REDUCTION)
        for constant in entry("hardware", name).constants
        if constant.role == "link" and constant.tags.get("direction") == "each-way"
    }
    if len(limits) == 1:
        (limit,) = limits.values()
        because = f"the links of {entry('hardware', limit.entry).title} carry {limit.text} each way"
        yield from _above(clause, float(limit.base), because, most=_BOTH_WAYS)


def _above(clause: Clause, limit: float, because: str, most: float = _FAR) -> Iterator[Claim]:
    for quantity in clause.quantities:
        own = quantity.base(_BANDWIDTH)
        if own is None or not _MARGIN * limit < own - quantity.slack(_BANDWIDTH) or own > most * limit:
            continue
        cause = (
            "bandwidth above that of the link: bytes are counted that never moved, or the time is too short"
        )
        shown = f"at most {limit / 1e9:.3g} GB/s"
        yield _made(clause, quantity.start, _text(clause, quantity), shown, cause, because)


def _tokens(clause: Clause, mention: Mention) -> Iterator[Claim]:
    """More tokens a second than the machines have operations for, two for each parameter."""
    named = models(clause.text)
    if len({one.names for one in named}) != 1 or _NO_TOKENS.search(clause.text):
        return
    known = {one.role: float(one.base) for one in entry("model", named[0].names[0]).constants}
    parameters = known.get("active_parameters", known.get("parameters"))
    peaks = [
        constant
        for name in mention.names
        for constant in entry("hardware", name).constants
        if constant.role == "peak"
        and constant.tags.get("sparsity") != "2:4"
        and constant.tags.get("precision") in ({name for name, _ in precisions(clause.text)} or _FAST)
    ]
    if parameters is None or not peaks:
        return
    peak = max(peaks, key=lambda constant: constant.base)
    for quantity in clause.quantities:
        rate = quantity.base(_PER_SECOND)
        if rate is None or "tok" not in quantity.literal.unit:
            continue
        most = mention.count * float(peak.base) / (2 * parameters)
        if rate - quantity.slack(_PER_SECOND) > _MARGIN * most and rate < _FAR * most:
            cause = "tokens above the peak: each takes two operations for every parameter"
            because = f"{mention.count} × {peak.text} / (2 × {parameters:.4g})"
            shown = f"at most {most:,.0f} tokens/s"
            yield _made(clause, quantity.start, _text(clause, quantity), shown, cause, because)


def _decoding(clause: Clause, mention: Mention) -> Iterator[Claim]:
    """More tokens a second to one stream than the memory can read the weights for."""
    if not _STREAM.search(clause.text) or _NO_TOKENS.search(clause.text) or _SPED_UP.search(clause.text):
        return
    named = models(clause.text)
    formats = {name for name, _ in precisions(clause.text) if name in WIDTHS}
    if len({one.names for one in named}) != 1 or len(formats) != 1:
        return
    known = {one.role: float(one.base) for one in entry("model", named[0].names[0]).constants}
    rates = [
        constant
        for name in mention.names
        for constant in entry("hardware", name).constants
        if constant.role == "bandwidth"
    ]
    if "parameters" not in known or "experts" in known or not rates:
        return
    rate, width = max(rates, key=lambda constant: constant.base), WIDTHS[formats.pop()]
    most = mention.count * float(rate.base) / (known["parameters"] * width)
    for quantity in clause.quantities:
        own = quantity.base(_PER_SECOND)
        if own is None or "tok" not in quantity.literal.unit:
            continue
        if own - quantity.slack(_PER_SECOND) > _MARGIN * most and own < _BOTH_WAYS * _FAR * most:
            cause = "faster than the memory: each token of a stream reads all weights once"
            because = f"{mention.count} × {rate.text} / ({known['parameters']:.4g} × {width:g} bytes)"
            yield _made(
                clause,
                quantity.start,
                _text(clause, quantity),
                f"at most {most:.3g} tokens/s",
                cause,
                because,
            )


def _fitting(clause: Clause, mention: Mention) -> Iterator[Claim]:
    fit = _FIT.search(clause.text)
    sizes = [float(size) for size in _SIZE.findall(clause.text)]
    named = {name for name, _ in precisions(clause.text) if name in WIDTHS}
    near = fit is not None and 0 <= mention.start - fit.end() < 24
    if (
        not near
        or fit is None
        or len(sizes) != 1
        or len(named) != 1
        or mention.count > 1
        or _NO_FIT.search(clause.text)
    ):
        return
    capacities = [
        c for name in mention.names for c in entry("hardware", name).constants if c.role == "capacity"
    ]
    if not capacities:
        return
    weights = sizes[0] * 1e9 * WIDTHS[named.pop()]
    capacity = max(float(constant.base) for constant in capacities)
    if weights > 1.1 * capacity and not re.search(r"\b[2-9]\s?[x×]|two|four|eight", clause.text):
        because = (
            f"{sizes[0]:g}B parameters are {weights / 1e9:.4g} GB, the memory holds {capacities[0].text}"
        )
        cause = "weights larger than the memory"
        yield _made(
            clause,
            fit.start(),
            clause.text[fit.start() : mention.end],
            f"{weights / 1e9:.4g} GB",
            cause,
            because,
        )


def _text(clause: Clause, quantity: Quantity) -> str:
    return clause.piece(quantity)


def _made(clause: Clause, place: int, text: str, expected: str, cause: str, because: str) -> Claim:
    hindered = clause.hindered()
    return Claim(
        line=clause.line(place),
        text=text,
        verdict="unsure" if hindered else "false",
        expected=expected,
        claimed=text,
        cause=hindered or cause,
        rule="impossible",
        because=because,
        cell=clause.block.cell,
    )
