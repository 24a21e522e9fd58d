"""Whom a number is about, where a sentence or a row names several models or machines."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from derive.checking.blocks import Block
from derive.checking.clauses import Clause
from derive.checking.known_models import mentioned
from derive.checking.seeking import Sought
from derive.checking.subjects import Mention, models

_LISTED = re.compile(
    r"\W*(?:and|or|vs\.?|versus|with|to|plus|as well as)?\W*(?:the |an? |NVIDIA )?\s*", re.IGNORECASE
)
_OF = re.compile(
    r"[\s\x02\x03]*(?:of|in|for|that|which)? ?(?:the |an? )?(?:(?:new|old|big|small|smaller|larger) )?"
)
_OTHERS = re.compile(
    r"\b(?:ours?|mine|yours?|theirs?|than|unlike|instead|rather|versus|vs|compared|against|whereas|others?|draft|"
    r"baselines?|while|into an?|an? (?:new |small\w* |tiny )?(?:model|variant|student|network))\b|"
    r"[;:]\s*\S+ \S+ \S+ \S+ |\n\s*\n",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\b(?:MiniMax|GLM|Kimi|InternLM|Command[ -]?R|Nemotron|Jamba|Arctic|OLMo\w*|Granite|Baichuan|StarCoder\w*|"
    r"SmolLM\w*|Claude|GPT-?[45]|Gemini|LLaVA|CLIP|T5|RoBERTa|DeBERTa|DistilBERT|Whisper|Vicuna|Alpaca|Pythia|"
    r"Hunyuan|Step-?\d|ERNIE|LongCat|GLaM|GShard)\b"
)
"""Makers, some of whose models the checker does not know."""
_APPOSITION = re.compile(
    r",? (?:which is |is )?an? (?:[\w-]+ ){0,3}?(?:model|network|mixture(?: of experts)?) "
    r"(?:with|of|that|which|whose)\b",
    re.IGNORECASE,
)
_SHAPE_OF = re.compile(
    r"\b(?:shape|config\w*|architecture|dimensions|layout|numbers|settings|extents|hyper-?parameters)\s(?:of|from)\s"
    r"(?:the |an? )?$"
)
_ITEM, _COLON = re.compile(r"\W*"), re.compile(r"[\s\x03*`)]*[:–—][\s*]")
_GOES_ON = re.compile(
    r"\W*(?:(?:its |the )?(?:config\w*|architecture|shape)\b[^.:]{0,20}:|it (?:has|is|was|uses|stacks|keeps)\b|its\b|"
    r"(?:the|this|that) (?:[a-z]+ )?(?:model|one) (?:has|is|uses|stacks)\b|"
    r"(?:hidden|d_model|vocab\w*|width|layers?|ffn|\d+ layers)\b)",
    re.IGNORECASE,
)
_BACK = 300
_SIZE = re.compile(
    r"(?<![\w.,/×-])(?:[Tt]he |[Aa]n? |[Oo]ld )(\d+(?:\.\d+)?|\d+[x×]\d+)B\b(?!/|\s(?:param|tok|weight|run|job))"
)
_MIXTURE = re.compile(r"(?<![\w.-])(\d+[x×]\d+)B\b")
_BILLIONS = re.compile(r"\dB\b")
_LABEL = re.compile(r"\W*(\d+(?:\.\d+)?|\d+[x×]\d+)B\W*")
_BEFORE_NAME = re.compile(r"\W*(?:meta[- ]?(?:llama/)?|Qwen/|mistralai/|Mistral AI )?", re.IGNORECASE)
_BEHIND_NAME = re.compile(r"(?:v?\d|base|hf|instruct|chat|it|model|\([^()]{0,40}\)|[^\w()])*", re.IGNORECASE)
_OWN = re.compile(
    r"\b(?:our|own|draft|student|toy|tiny|small|proxy|nano\w*) (?:[\w-]+ ){0,2}(?:models?|networks?|transformers?)\b"
    r"|\bfrom scratch\b",
    re.IGNORECASE,
)
"""Words of a model that has no name."""
_AGAIN = 2
_OURS = Sought(r"\b[Oo]ur (?:own )?(\d+(?:\.\d+)?)B\b", ("our ", "Our "))

Sizes = Mapping[str, tuple[str, ...]]


def sizes(texts: Iterable[str]) -> Sizes:
    """The models that a document names in full, by the billions of their names; sizes of its own are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    own: set[str] = set()
    for text in texts:
        for one in models(text):
            size = one.names[0].rpartition("-")[2]
            if size.endswith("b"):
                found[size.removesuffix("b")] |= set(one.names)
        own |= {one[1] for one in _OURS.finditer(text)}
    return {size: tuple(sorted(names)) for size, names in found.items() if size not in own}


def only_one(blocks: Sequence[Block]) -> str:
    """The one model that a document names again and again; "" where it may speak of others."""
    found: set[str] = set()
    times = 0
    for block in blocks:
        for one in mentioned(block.text):
            found |= set(one.names)
            times += 1
        if len(found) > 1:
            return ""
    if times < _AGAIN or any(_UNKNOWN.search(block.text) or _OWN.search(block.text) for block in blocks):
        return ""
    return found.pop()


def named(text: str, known: Sizes) -> list[Mention]:
    """The models of a text in their order, the short names of those that the document names in full with them."""
    found = list(mentioned(text))
    for short in _MIXTURE.finditer(text) if known else ():
        names = known.get(short[1].replace("×", "x"))
        if names and not any(one.start < short.end() and short.start() < one.end for one in found):
            found.append(Mention(names, short.start(), short.end()))
    for short in _SIZE.finditer(text) if known and _BILLIONS.search(text) else ():
        names = known.get(short[1].replace("×", "x"))
        if names and not any(one.start <= short.start(1) < one.end for one in found):
            found.append(Mention(names, short.start(1), short.end()))
    return sorted(found, key=lambda one: one.start)


def meant_by(clause: Clause, known: Sizes) -> list[Mention]:
    """The models that a sentence names, else the one of the sentences before that it goes on about."""
    found = named(clause.text, known)
    goes_on = None if found else spoken_of(clause, known)
    return [goes_on] if goes_on is not None else found


def meant_near(clause: Clause, known: Sizes) -> list[Mention]:
    """The models that a sentence names or goes on about, else the only one of its paragraph and what leads to it."""
    found = meant_by(clause, known)
    if found or _strange(clause.text, []):
        return found
    text = f"{clause.context[-_BACK:]} {clause.block.text[max(0, clause.offset - _BACK) : clause.offset]}"
    near = named(text, known)
    return (
        [Mention(near[0].names, 0, 0)]
        if len({one.names for one in near}) == 1 and not _strange(text, near)
        else []
    )


def _strange(text: str, found: Sequence[Mention], begin: int = 0, end: int = sys.maxsize) -> bool:
    """Whether a part of a text names a model that is not among those found."""
    return any(
        not any(one.start < match.end() and match.start() < one.end for one in found)
        for match in _UNKNOWN.finditer(text, begin, end)
    )


def spoken_of(clause: Clause, known: Sizes) -> Mention | None:
    """The one model of the sentences before, or of the heading, where a clause goes on about it without its name."""
    if not _GOES_ON.match(clause.text):
        return None
    text = f"{clause.context[-_BACK:]} {clause.block.before[-_BACK:]}"
    before = named(text, known)
    if len({one.names for one in before}) != 1 or _strange(clause.text, []) or _strange(text, before):
        return None
    return Mention(before[0].names, 0, 0)


def labelled(text: str, known: Sizes) -> Mention | None:
    """The one model that the label of a row or column names."""
    found = list(mentioned(text))
    if found:
        first = found[0]
        alone = _BEFORE_NAME.fullmatch(text[: first.start]) and _BEHIND_NAME.fullmatch(text[first.end :])
        return first if alone else None
    short = _LABEL.fullmatch(text)
    names = known.get(short[1].replace("×", "x")) if short else None
    return Mention(names, 0, len(text)) if names else None


def subject(clause: Clause, start: int, end: int, found: Sequence[Mention]) -> Mention | None:
    """The one entity that a number is about: the last before it, or the one that it is said to be of."""
    before = [one for one in found if one.end <= start]
    if before:
        last = before[-1]
        apposed = _APPOSITION.match(clause.text, last.end)  # DeepSeek-V3, a model with so many
        begin = apposed.end() if apposed else last.end
        lead = clause.text[: last.start]
        if not before[:-1] and (_ITEM.fullmatch(lead) or _SHAPE_OF.search(lead)):
            label = _COLON.match(clause.text, begin)  # Llama 3 8B: so many
            begin = label.end() if label else begin
        if _OTHERS.search(clause.text, begin, start) or _strange(clause.text, found, begin, start):
            return None
        listed = len(before) > 1 and _LISTED.fullmatch(clause.text[before[-2].end : last.start])
        return Mention((*before[-2].names, *last.names), last.start, last.end) if listed else last
    after = [one for one in found if one.start >= end]
    if after and after[0].start - end < 40 and _OF.fullmatch(clause.text[end : after[0].start]):
        return after[0]
    return None
