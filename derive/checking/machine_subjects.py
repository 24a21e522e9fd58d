"""Whom a number is about among machines: the one named before it, its variant by memory, or the one spoken of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from derive.checking.clauses import Clause, once
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.subjects import Mention, machines
from derive.constants import catalogue

_VARIANT = Sought(
    r"\b(?<!\band )(?<!\bor )(?:(?P<size>\d{2,3}) ?GB[ -](?:(?P<form>SXM\d?|PCI-?e) )?|"
    r"(?:(?:the|an?|its|each|every|this|that|both|of)|['’]s) (?P<alone>SXM\d?|PCI-?e|NVL) )"
    r"(?:modules?|versions?|cards?|parts?|variants?|models?|ones?|boards?|siblings?|editions?|forms?)\b",
    ("gb ", "gb-", "sxm", "pcie", "pci-e", "nvl"),
    ignore_case=True,
)
_LISTED = re.compile(
    r"\W*(?:and|or|vs\.?|versus|with|to|和|与|或|及|以及)?\W*(?:the |an? |NVIDIA )?\s*", re.IGNORECASE
)
_COMPARED = re.compile(
    r"\b(?:than|over|compared|against|vs|versus|of which(?! (?:we|you|they|I|one)\b))\b|\s/\s|/(?=(?-i:[A-Z]))",
    re.IGNORECASE,
)
_OTHER_FORM = Sought(
    r"\b(?:and|or|the|vs\.?|against)\s+(?:the )?(?:SXM\d?|PCI-?e|NVL)\b",
    ("sxm", "pci", "nvl"),
    ignore_case=True,
)
_CODE_NAME = re.compile(r"[\W_]{0,6}(a100|h100|h200|v100|b200|l40s|mi300x)(?:-\d{2}gb?)?[\W_]{0,4}:")
"""The name that a cluster gives to its machines, at the head of an item."""
_JOINED = re.compile(r"\band\b|,", re.IGNORECASE)
_FOR_IT = re.compile(r"[\s\x02\x03]+(?:for|on|of)\s(?:(?:the|an?|one|each)\s)?")
_ITS, _TRADED = (
    re.compile(r"['’]s\b|\s(?:to|at|with)\b"),
    re.compile(r"\b(?:trad|swap|exchang|replac|instead)"),
)
_OF_NEXT = re.compile(r"\b(?<!that )(?<!those )(?:for|of|on) (?:the |an? )?$")
_SPOKEN_OF = re.compile(
    r"\b(?:it|its|they|their|the (?:card|chip|part|GPU|board|module|accelerator)(?: itself)?|"
    r"each of (?:the|those|these|its) (?:cards|GPUs|chips)|each (?:card|chip|GPU))\b",
    re.IGNORECASE,
)
_THE_CARD = re.compile(
    r"\b(?:the|this|each|every|our|per|these|all) (?:\d+ |own |same |very )*"
    r"(?:card|GPU|chip|accelerator|module|board)s?\b",
    re.IGNORECASE,
)
_NOT_ITS_OWN = re.compile(
    r"\b(?:suppose|imagine|hypothetical|fictional|some|another|other|older|newer|next)\b", re.IGNORECASE
)
LINK = Sought(
    r"NV-?Link|NVSwitch|interconnect|\bpeers?\b|Infinity Fabric|\blinks?\b|\bICI\b|GPU-to-GPU|card-to-card",
    ("link", "nvswitch", "interconnect", "peer", "infinity fabric", "ici", "gpu-to-gpu", "card-to-card"),
    ignore_case=True,
)
_OTHER_WIRE = Sought(
    r"NV-?Link|NVSwitch|Infinity Fabric|\bICI\b|GPU-to-GPU|card-to-card",
    ("link", "nvswitch", "infinity fabric", "ici", "gpu-to-gpu", "card-to-card"),
    ignore_case=True,
)
_IN_BRACKETS = re.compile(r"[\s\x02\x03]?\([^()]*")
_AGAINST = re.compile(
    r"[\s\x02\x03]+(?:against|vs\.?|versus|compared (?:with|to)|instead of)[\s\x02\x03]+(?:only )?[~≈]?\d"
)
_AGAINST_IT = re.compile(
    r"\d[\s\x02\x03]?(?:[A-Za-zµ%/]{1,12}[\s\x02\x03]+)?(?:against|vs\.?|versus|compared (?:with|to)|instead of)"
    r"[\s\x02\x03]+(?:only )?[~≈]?$"
)
_BETWEEN = 40
_SENTENCE = re.compile(r"[.?!]\s")
_GOES_ON = re.compile(r"[\s\x02\x03]*,?\s(?:the|an?)\s")
"""What stands between a number and the machine that the sentence begins with it about: at 300 GB/s the L4 is."""
_BACK, _FAR, _ASIDE = 300, 1500, 80
_LABEL = 8  # how far the short name of a card may stand from either end of its label
_IN_KINDS = frozenset(("h100", "a100", "h200", "v100"))
"""Families that are sold as modules and as cards, or with two memories."""
_BRIDGE = Sought(r"\bbridges?\b|\bNVL\b|\bPCI-?e (?:cards?|GPUs?|versions?)\b", ("bridge", "NVL", "PCI"))
_CARD, _MODULE = ("h100-pcie",), "h100-sxm"
_NODE_OF = re.compile(
    r"\b(?:full|whole|entire) (?:node|server|box|machine|system) (?:of|with) (?:the |our )?$"
)
_NODE, _IN_A_NODE = 40, 8
WIRES = ("pcie", "ib-")
"""What the names of cables and buses begin with."""


Meant = Mapping[str, str]


def variants(texts: Iterable[str]) -> Meant:
    """The one variant that a document names in full, by family: the A100 of 80 GB."""
    found: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        for one in machines(text) if "A100" in text or "H100" in text else ():
            if len(one.names) == 1:
                found[one.names[0].partition("-")[0]].add(one.names[0])
    return {family: next(iter(names)) for family, names in found.items() if len(names) == 1}


def wired(texts: Iterable[str], meant: Meant) -> Meant:
    """The same for what is said of NVLink: an H100 is the module, where a document has neither card nor bridge."""
    for text in texts:
        if _BRIDGE.search(text) or ("H100" in text and any(_is_card(text, one) for one in machines(text))):
            return meant
    return {"h100": _MODULE, **meant}


def _is_card(text: str, mention: Mention) -> bool:
    """Whether a mention is of an H100 that is no module."""
    return mention.names == _CARD or (not mention.names and "H100" in text[mention.start : mention.end])


def narrowed(mention: Mention, meant: Meant) -> Mention:
    """A mention of a family as one of the variant that the document names."""
    families = {name.partition("-")[0] for name in mention.names}
    name = meant.get(min(families)) if len(mention.names) > 1 and len(families) == 1 else None
    return replace(mention, names=(name,)) if name is not None and name in mention.names else mention


@once
def spoken(clause: Clause) -> Sequence[Mention]:
    """The machines that a clause names, variants told by their memory with them: the older 40 GB module."""
    found = list(machines(clause.text))
    if clause.row and len(clause.columns) > 1 and not any(one.names for one in found):
        label = clause.text[: clause.columns[1][0]].rstrip(" ¦")
        found = [
            one for one in machines(f"{label} GPU") if one.start < _LABEL and one.end >= len(label) - _LABEL
        ]
    if not found and not clause.row and (item := _CODE_NAME.match(clause.text)):
        found = [replace(one, start=item.start(1), end=item.end(1)) for one in machines(item[1].upper())]
    for variant in () if clause.row else _VARIANT.finditer(clause.text):
        if not any(one.start < variant.end() and variant.start() < one.end for one in found):
            kinds = _kinds(clause, variant)
            found += [Mention(kinds, variant.start(), variant.end())] if kinds is not None else []
    return sorted(found, key=lambda one: one.start)


def _kinds(clause: Clause, variant: re.Match[str]) -> tuple[str, ...] | None:
    """The cards that "the PCIe card" or "the 40 GB one" may be, of the one family spoken of that has several kinds."""
    around = f"{clause.context} {clause.block.text[max(0, clause.offset - _FAR) : clause.offset + _FAR]}"
    families = {one.names[0].partition("-")[0] for one in machines(around) if one.names}
    mark = f"-{variant['size']}gb-" if variant["size"] else "-"
    form = (variant["form"] or variant["alone"] or "sxm").lower().replace("-", "")[:4].rstrip("0123456789")
    kinds = [name for name in catalogue("hardware") if name.partition("-")[0] in families & _IN_KINDS]
    if len({name.partition("-")[0] for name in kinds}) != 1 or (
        variant["size"] and not any("gb-" in name for name in kinds)
    ):
        return None
    return tuple(name for name in kinds if f"{mark}{form}" in name or (mark == "-" and name.endswith(form)))


def subject(clause: Clause, quantity: Quantity, found: Sequence[Mention]) -> Mention | None:
    """The one machine that a quantity belongs to: the only one, or in running text the last before it."""
    if any(one.start < quantity.end and quantity.start < one.end for one in found):
        return None  # the 80 GB of a name
    if len({one.names for one in found}) > 1 and not clause.row and _is_paired(clause.text, quantity):
        return None
    behind = [one.end for one in found if one.end <= quantity.start]
    if behind and _OTHER_FORM.search(clause.text, max(behind), quantity.start):
        return None
    if len({one.names for one in found}) == 1:
        only = next((one for one in reversed(found) if one.end <= quantity.start), found[0])
        near = only.end <= quantity.start and not _OTHER_WIRE.search(clause.text, only.end, quantity.start)
        wire = bool(only.names) and only.names[0].startswith(WIRES)
        if only.start >= quantity.end and not clause.row:
            between = clause.text[quantity.end : only.start]
            if len(between) > _ASIDE or _COMPARED.search(between):
                return None  # the machine that it is compared with
        return None if wire and not (near and quantity.start - only.end < 50) else only
    owner = next((one for one in found if one.start >= quantity.end), None)
    if owner is not None and not clause.row and _is_of(clause, quantity, owner):
        return owner
    if clause.row:
        named = {one.names for one in found if one.end < clause.text.find("¦")}
        return found[0] if found[0].end < quantity.start and len(named) == 1 else None
    before = [one for one in found if one.end <= quantity.start]
    if not before:
        return next((one for one in found if _GOES_ON.fullmatch(clause.text, quantity.end, one.start)), None)
    last = before[-1]
    between = clause.text[last.end : quantity.start]
    after = next((one for one in found if one.start >= quantity.end), None)
    if _IN_BRACKETS.fullmatch(between):
        return last
    if _COMPARED.search(between) or (
        after and (_JOINED.search(between) or _OF_NEXT.search(clause.text[quantity.end : after.start]))
    ):
        return None
    if len(before) > 1 and _LISTED.fullmatch(clause.text[before[-2].end : last.start]):
        if not last.names or not before[-2].names:
            return None
        return replace(last, names=(*before[-2].names, *last.names))  # of either: one of "A100 and H100"
    return last


def _is_paired(text: str, quantity: Quantity) -> bool:
    """Whether a number is held against another one, and words alone tell whose it is: 700 W against 400 W."""
    return bool(
        _AGAINST.match(text, quantity.end)
        or _AGAINST_IT.search(text, max(0, quantity.start - _BETWEEN), quantity.start)
    )


def _is_of(clause: Clause, quantity: Quantity, mention: Mention) -> bool:
    """Whether a quantity is said to be that of the machine right behind it: 3.35 TB/s for an H100."""
    return bool(
        _FOR_IT.fullmatch(clause.text, quantity.end, mention.start)
        and not _ITS.match(clause.text, mention.end)
        and not _TRADED.search(clause.text)
    )


def of_the_only_one(clause: Clause) -> bool:
    """Whether a sentence speaks of "the card", which is the one of a document that has only one kind."""
    told = not clause.row and _THE_CARD.search(clause.text)
    return bool(told and not _NOT_ITS_OWN.search(clause.text))


def spoken_of(clause: Clause, quantity: Quantity) -> Mention | None:
    """The one machine of the sentence before, where a pronoun or "the card" before a quantity stands for it."""
    if not _SPOKEN_OF.search(clause.text, max(0, quantity.start - 100), quantity.start):
        return None
    told = _SENTENCE.split(clause.block.text[max(0, clause.offset - _BACK) : clause.offset].rstrip(" .?!\n"))
    before = machines(f"{told[-1]} GPU")  # short names, too: a card is spoken of
    if not before or len({one.names for one in before}) != 1 or not before[0].names:
        return None
    return replace(before[0], start=0, end=0, count=1)


def of_a_node(clause: Clause, mention: Mention) -> Mention:
    """A machine of which a node is full, with the eight that the node has of it: a full node of H100s."""
    if mention.count > 1 or not _NODE_OF.search(clause.text, max(0, mention.start - _NODE), mention.start):
        return mention
    return replace(mention, count=_IN_A_NODE)
