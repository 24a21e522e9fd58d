"""What documents say of the shape of models: layers, heads, widths, vocabularies, in sentences and in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, labelled, meant_by, subject
from derive.checking.known_models import families, names, title, values
from derive.checking.statements import said
from derive.checking.subjects import Mention, models

_N = r"(?P<n>\d{1,3}(?:,\d{3})+|\d+)(?P<k>[kK])?(?!\w|\.\d|,\d|-(?!entry vocab)\w| ?[×/*+])"
_IS = (
    r"[ _-]?(?:size|dim(?:ension)?s?|width|length|count|window|num(?:ber)?)?(?:\s(?:there|here))?"
    r"(?:\s?(?:of|is|are|=|:|≈)\s?|\s)"
)
_LEFT = r"(?<![\w.,/×*-])"


_NO_PART = "".join(
    f"(?<!{part} )"
    for part in (
        "head",
        "inner",
        "value",
        "kv",
        "forward",
        "mlp",
        "ffn",
        "expert",
        "heads of",
        "mlp of",
        "ffn of",
        "block of",
        "network of",
    )
)
"""No width of a head or of the feed-forward block."""


@dataclass(frozen=True)
class Extent:
    """One whole number of a model: its role, how sentences tell it, how headings name it, what it is taken for."""

    role: str
    prose: re.Pattern[str]
    heading: re.Pattern[str]
    mistaken: tuple[str, ...] = ()


def _extent(role: str, behind: str, before: str, heading: str, mistaken: tuple[str, ...] = ()) -> Extent:
    """behind: the nouns after the number; before: those in front of it; "" for none."""
    parts = [
        rf"{_LEFT}{_N}[ -](?:{behind})\b" if behind else "",
        rf"\b(?:{before}){_IS}{_N}" if before else "",
    ]
    joined = "|".join(
        part.replace("?P<n>", f"?P<n{at}>").replace("?P<k>", f"?P<k{at}>")
        for at, part in enumerate(parts)
        if part
    )
    return Extent(
        role, re.compile(joined, re.IGNORECASE), re.compile(rf"(?:{heading})", re.IGNORECASE), mistaken
    )


_NOTHING = r"(?!)"  # what sentences say of experts is read elsewhere
EXTENTS = (
    _extent(
        "layers", r"(?:transformer |decoder |hidden )?(?:layers|blocks)", r"(?:n_|num_|number of )(?:hidden_)?layers",
        r"(?:#|n_|num_|no\. of |number of )?(?:hidden_|transformer |decoder )?(?:layers?|blocks?)|depth",
    ),
    _extent(
        "kv_heads", r"(?:KV|K/V|key[-/ ](?:and[- ])?value|grouped) heads?",
        r"(?:n_kv_heads|num_key_value_heads)",
        r"(?:#|n_|num_|number of )?(?:KV|K/V|key[-_/ ]?value)[ _-]?heads?", ("heads",),
    ),
    _extent(
        "heads", r"(?:query|attention|Q) heads?", r"(?:n_heads|num_attention_heads)",
        r"(?:#|n_|num_|number of )?(?:query |attention |q |attention_)?heads?",
        ("kv_heads", "head_dim"),
    ),
    _extent("any_heads", r"heads(?! of)", "", _NOTHING, ("head_dim",)),
    _extent(
        "hidden", "", rf"hidden(?!_dim)|d_?model|model width|model dim(?:ension)?|{_NO_PART}width",
        r"d_?\(?model\)?|hidden(?:[ _](?:size|dim(?:ension)?|width))?|width|model dim(?:ension)?",
        ("ffn", "vocabulary"),
    ),
    _extent(
        "ffn", "", r"d_?ff|d_?ffn|ffn|mlp(?= (?:width|size|dim))|feed-?forward|intermediate|inner",
        r"d_?\(?ffn?\)?|(?:ffn|feed-?forward|intermediate|mlp)(?:[ _](?:size|dim(?:ension)?|width))?", ("hidden",),
    ),
    _extent(
        "vocabulary", r"(?:vocabulary )?entries|entry vocabulary|rows of vocabulary|vocabulary tokens",
        r"vocab(?:ulary)?(?: (?:has|have|holds|counts|contains|comprises|spans|consists of))?",
        r"(?:vocab(?:ulary)?)(?:[ _]size)?",
    ),
    _extent(
        "head_dim", "", r"head[ _-]?(?:dim(?:ension)?|size|width)|heads of(?: dimension| width| size)?|d_?head",
        r"(?:d_?\(?head\)?|head[ _-]?(?:dim(?:ension)?|size|width))",
    ),
    _extent("window", "", r"(?:sliding|attention)[ -]window(?: attention)?", r"(?:sliding )?window"),
    _extent(
        "context", "",
        r"(?:native |max(?:imum)? |(?:has|have|supports?|offers?) an? )context(?=[ -](?:window|length|size))|"
        r"context (?:window|length|size) of (?:the )?[A-Za-z][\w. -]{1,20}?(?= is)|(?:has|have) an? context(?= of)",
        _NOTHING,
    ),
    _extent("experts", _NOTHING, "", r"(?:#|number of )?(?:routed )?experts"),
    _extent("experts_per_token", _NOTHING, "", r"(?:active experts|experts (?:per|a) token|top[- ]?k)"),
    _extent("shared_experts", _NOTHING, "", r"(?:#|number of )?shared experts"),
)  # fmt: skip
_PARTLY = re.compile(
    r"\b(?:per|each|every|first|last|skip\w*|prun\w*|distill?\w*|fewer|some|remaining|LoRA|cut\w*|trim\w*|shard\w*|split\w*|"
    r"frozen?|freez\w*|add\w*|drop\w*|replac\w*|lower|upper|another|extra|would|if|could|reduc\w*|scal\w*|shrink\w*|"
    r"instead|not|stage|rank|GPUs?|devices?|nodes?|host|offload\w*|on (?:each|one|every|an?|\d)|onto|across|over|"
    r"among|between|after|before|at|until|than|vision|adapter|speculat\w*|MTP|padded|extended|fine-?tuned?|tuned|custom|tiny|toy|mini|half|quarter|"
    r"twice|one|two|three|four|followed|models|others?)\b|n't\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"\b(?:prun|distill|cut|trim|shrink|shrunk|drop|remov|truncat|slim)\w*\b", re.IGNORECASE)
_OF_WHICH = re.compile(r"\b(?:it|they|that one|the \w+ one)\s(?:has|have|had|uses?|keeps?)\b")
_OF_ALL = re.compile(r"[ -]?of (?:the|its|them|these|all|those|\d)")
_ONE_OF_SEVERAL = re.compile(r"\d,? (?:and|or|to) $")
_INNER = re.compile(r"\b(?:MLP|FFN|feed-?forward|SwiGLU|expert)\b", re.IGNORECASE)
CONTEXT = re.compile(
    r"(?:max(?:imum)? |native )?(?:context(?: (?:length|window|size))?|positions?|n_ctx|n_positions|block_size)"
    r"(?: ?\((?:tokens|max)\))?",
    re.IGNORECASE,
)
"""What tables call the context of models, or of whoever uses them."""
_EXTENDED = ("qwen", "mistral", "mixtral")
"""Models whose context is told as trained and as extended."""
_OF_FAMILIES = ("vocabulary", "context")
_WIDE, _PLAIN = ("vocabulary", "hidden", "ffn"), 1000
_AGAINST = re.compile(r"\s(?:against|vs\.?|versus|instead of|where|to|and) (?:the )?(?:other )?\d")
_MARK = re.compile(r"[,;:.()]")
_DEFINITE = re.compile(
    r"\b(?:the|its|their|this)\s(?:(?:tokenizer|model|network|decoder|checkpoint)(?:['’]s)?\s(?:has an?\s)?)?"
    r"(?:embedding\s|output\s)?$",
    re.IGNORECASE,
)
_MAKER = re.compile(r"[a-z]+")
_CLOSE = 0.03
_NEAR = 40


def claims(clause: Clause, known: Sizes, alone: str = "") -> Iterator[Claim]:
    """The extents that a clause gives to models.

    known: the models of the document by size. alone: the only model of the document, whose vocabulary is "the" one.
    """
    if clause.row:
        yield from _of_row(clause, known)
        return
    found = meant_by(clause, known)
    whole = [
        one
        for one in families(clause.text)
        if not any(one.start < at.end and at.start < one.end for at in found)
    ]
    found = sorted((*found, *whole), key=lambda one: one.start)
    if not found and alone:
        yield from _of_the_only_one(clause, alone)
    if not found or "respectively" in clause.text:
        return
    taken: set[int] = set()
    told = [(extent, match) for extent in EXTENTS for match in extent.prose.finditer(clause.text)]
    ends = {match.end() for _, match in told}
    for extent, match in told:
        value, at = _number(match)
        several = _ONE_OF_SEVERAL.search(clause.text, 0, at)
        if at in taken or (several and several.start() + 1 not in ends):
            continue
        if extent.role == "hidden" and _INNER.search(
            clause.text, max(0, match.start() - _NEAR), match.start()
        ):
            continue
        within = any(match.start() < one.start < at for one in found)
        mention = subject(clause, at if within else match.start(), match.end(), found)
        if mention is None or (len(found) > 1 and _AGAINST.match(clause.text, match.end())):
            continue
        if mention in whole and extent.role not in _OF_FAMILIES:
            continue
        taken.add(at)
        yield from _told(clause, match, extent, mention, value, at)


def _of_the_only_one(clause: Clause, alone: str) -> Iterator[Claim]:
    """Widths and the vocabulary, where they are told without a name: false where they are those of a sibling."""
    mention = Mention((alone,), 0, 0)
    for extent in EXTENTS:
        for match in extent.prose.finditer(clause.text) if extent.role in _WIDE else ():
            value, at = _number(match)
            if extent.role == "hidden" and _INNER.search(clause.text):
                continue
            if value < _PLAIN or not _DEFINITE.search(
                clause.text, max(0, match.start() - _NEAR), match.start()
            ):
                continue
            if value in values_of(mention, extent.role) or value in _of_siblings(alone, extent):
                yield from _told(clause, match, extent, mention, value, at)


def _of_siblings(alone: str, extent: Extent) -> set[float]:
    """What other models of the same maker have in a role, or the model itself in one that it is taken for."""
    maker = _MAKER.match(alone)
    return {
        value
        for name in names()
        for role in ((extent.role,) if name != alone else extent.mistaken)
        for value in values(name, role)
        if maker is not None and name.startswith(maker[0])
    }


def _number(match: re.Match[str]) -> tuple[float, int]:
    """The number of a match, and where it stands."""
    groups = {name: text for name, text in match.groupdict().items() if text}
    name = next(name for name in groups if name.startswith("n"))
    thousands = 1000.0 if groups.get(name.replace("n", "k")) else 1.0
    return float(groups[name].replace(",", "")) * thousands, match.start(name)


def _told(
    clause: Clause, match: re.Match[str], extent: Extent, mention: Mention, value: float, at: int
) -> Iterator[Claim]:
    values = values_of(mention, extent.role)
    if not values:
        return
    text = match[0].strip(" ~")
    right = max(values) if extent.role in ("context", "any_heads") else min(values)
    if value in values:
        yield _claim(clause, at, text, extent, mention, right, "true", "")
        return
    begin = mention.end if mention.end <= match.start() else max(0, match.start() - 30)
    between = clause.text[begin : match.start()]
    if _CUT.search(between) or (_OF_WHICH.search(between) and _is_of_another(clause, extent, value)):
        return
    close = _MARK.split(between)[-1] if extent.role == "vocabulary" else between
    around = f"{close} ¦ {_MARK.split(clause.text[match.end() : match.end() + 18])[0]}"
    if (
        _CUT.search(clause.text, 0, mention.start)
        or _PARTLY.search(around)
        or _OF_ALL.match(clause.text, match.end())
        or clause.hindered(at)
    ):
        return
    padded = extent.role == "vocabulary" and any(abs(value / one - 1) <= _CLOSE for one in values)
    if not padded or any(sorted(f"{value:.0f}") == sorted(f"{one:.0f}") for one in values):
        yield _claim(clause, at, text, extent, mention, right, "false", _cause(value, extent, mention))


def _is_of_another(clause: Clause, extent: Extent, value: float) -> bool:
    """Whether another model of the paragraph has a number, which a pronoun may be about."""
    named = models(clause.block.text[: clause.offset + len(clause.text)])
    return any(value in values_of(one, extent.role) for one in named if one.names)


def values_of(mention: Mention, role: str) -> set[float]:
    """What the models that a name may mean have in a role."""
    roles = ("heads", "kv_heads") if role == "any_heads" else (role,)
    found = {value for name in mention.names for one in roles for value in values(name, one)}
    if role != "context":
        return found
    if any(name.startswith(_EXTENDED) for name in mention.names):
        return set()
    return found | {1000 * value / 1024 for value in found}  # 8k are 8,192


def _cause(value: float, extent: Extent, mention: Mention) -> str:
    for role in extent.mistaken:
        if value in values_of(mention, role):
            return f"{role.replace('_', ' ')} taken for {extent.role.replace('_', ' ')}"
    return "another model"


def _of_row(clause: Clause, known: Sizes) -> Iterator[Claim]:
    """Cells where the row of a model meets the heading of an extent, or the row of an extent that of a model."""
    cells = _cells(clause)
    if len(cells) < 2:
        return
    label = cells[0][1]
    whole = labelled(label, known)
    for begin, text, heading in cells[1:]:
        mention = whole or labelled(heading, known)
        name = heading if whole else label
        extent = next((one for one in EXTENTS if one.heading.fullmatch(name.strip(" $\x02\x03()"))), None)
        number = re.fullmatch(r"[\s\x02\x03]*(\d{1,3}(?:,\d{3})+|\d+)[\s\x02\x03]*", text)
        if mention is None or extent is None or number is None:
            continue
        values, value = values_of(mention, extent.role), float(number[1].replace(",", ""))
        place = begin + number.start(1)
        if value in values:
            yield _claim(clause, place, number[1], extent, mention, min(values), "true", "")
        elif values and not clause.hindered(place):
            cause = _cause(value, extent, mention)
            yield _claim(clause, place, number[1], extent, mention, min(values), "false", cause)


def _cells(clause: Clause) -> Sequence[tuple[int, str, str]]:
    """The cells of a row: where each begins, its text, its heading."""
    begins = [begin for begin, _ in clause.columns]
    ends = [*begins[1:], len(clause.text)]
    return [
        (
            begin,
            clause.text[begin:end].removesuffix(" ¦ ").strip()
            if at == 0
            else clause.text[begin:end].removesuffix(" ¦ "),
            heading,
        )
        for at, ((begin, heading), end) in enumerate(zip(clause.columns, ends, strict=True))
    ]


def _claim(
    clause: Clause,
    at: int,
    text: str,
    extent: Extent,
    mention: Mention,
    right: float,
    verdict: Verdict,
    cause: str,
) -> Claim:
    because = f"{title(mention.names[0])}: {extent.role.replace('_', ' ')}"
    return said(clause, at, text, f"{right:.0f}", verdict, cause, "model", because)
