"""The things that numbers count: one name for one thing, found in the words behind a number."""

from __future__ import annotations

import re
from functools import lru_cache

from derive.checking.words import Dimension, counted, is_device

NUMBERS = {
    "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0,
    "ten": 10.0, "eleven": 11.0, "twelve": 12.0, "sixteen": 16.0, "twenty": 20.0, "twenty-four": 24.0, "thirty": 30.0,
    "thirty-two": 32.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "sixty-four": 64.0, "eighty": 80.0, "ninety": 90.0,
}  # fmt: skip
HARD = frozenset(("byte", "FLOP", "OP", "MAC", "second", "joule", "dollar"))
THINGS = frozenset(
    (
        "device", "node", "sequence", "token", "parameter", "step", "layer", "request", "sample", "element", "batch",
        "head", "expert", "epoch", "page", "bucket", "rack",
    )
)  # fmt: skip
"""What a number may count that others make."""

_ALIKE = {
    "card": "device", "server": "node", "host": "node", "machine": "node", "box": "node", "rank": "device",
    "conversation": "sequence", "session": "sequence", "user": "sequence", "prompt": "sequence", "stream": "sequence",
    "tok": "token", "param": "parameter", "weight": "parameter", "iteration": "step",
    "query": "request", "querie": "request", "call": "request", "example": "sample", "document": "sample",
    "image": "sample", "entry": "element", "entrie": "element", "value": "element", "number": "element",
    "logit": "element", "score": "element", "batch": "step", "batche": "step", "instance": "node",
    "people": "person",
}  # fmt: skip
TIMES = {
    "second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2_628_000.0,
    "year": 31_536_000.0,
}  # fmt: skip
_STOPS = {
    "a", "an", "the", "and", "or", "of", "in", "on", "at", "with", "for", "per", "each", "every", "to", "from",
    "by", "is", "are", "was", "were", "be", "has", "have", "had", "that", "this", "which", "it", "its", "so",
    "as", "if", "when", "while", "but", "than", "then", "into", "over", "under", "between", "across", "through",
    "i.e", "e.g", "not", "no", "does", "do", "can", "could", "would", "may", "needs", "need", "takes", "take",
    "makes", "make", "gives", "give", "holds", "hold", "means", "costs", "cost", "reads", "read", "moves",
    "move", "uses", "use", "fit", "fits", "draws", "draw", "sees", "see", "get", "gets", "will", "must", "plus",
    "minus", "times", "more", "less", "left", "only", "about", "both", "all", "half", "we", "you", "they",
    "our", "your", "their", "there", "where", "who", "what", "how", "after", "before", "until", "since",
    "during", "without", "within", "against", "instead", "because", "even", "still", "apiece", "together",
    "altogether", "total", "later", "ago", "long", "wide", "deep", "away", "also", "too", "again", "sit",
    "sits", "run", "runs", "share", "shares", "come", "comes", "go", "goes", "work", "works", "held", "add",
    "adds", "divide", "divided", "spread",
}  # fmt: skip
_WORD = re.compile(r"\s*([A-Za-z][\w'’]*(?:-[A-Za-z]\w*)*)")
PER = re.compile(
    r"\s*(?:of (?:(?!per\b|a\b|an\b|each\b|every\b|the\b)[A-Za-z-]+ ){1,3})?"
    r"(?:(?:arrive|come in|come|flow in|are [a-z]+ed) (?=an?\b|per\b|each\b|every\b))?"
    r"(?P<how>(?:per|an?|each|every|for (?:each|every|one|an?)|in (?:an?|one|that))(?=\s)|/)\s*"
    r"(?P<words>(?:[A-Za-z][\w-]* ){0,2}?)(?P<noun>[A-Za-z][\w-]*)"
)


@lru_cache(maxsize=8192)
def thing(word: str) -> str:
    """The thing that a noun counts; one name for one thing."""
    noun = word.rpartition("-")[2]
    if is_device(word) or is_device(noun):
        return "device"
    noun = noun.lower()
    noun = noun[:-1] if noun.endswith("s") and not noun.endswith("ss") and len(noun) > 3 else noun
    return _ALIKE.get(noun, noun)


def noun_behind(text: str, at: int) -> tuple[int, str, str]:
    """What the words behind a number count: where they end, the thing, and of what each has so many (8-GPU node)."""
    if text[at : at + 1] == "-":
        word = _WORD.match(text, at + 1)
        if word is None:
            return at, "", ""
        after = _WORD.match(text, word.end())
        over = thing(after[1]) if after and after[1].lower() not in _STOPS else ""
        return word.end(), thing(word[1].partition("-")[0]), over
    first = _WORD.match(text, at)
    if first is not None and thing(first[1]) in THINGS and not _is_plural(first[1]):
        after = _WORD.match(text, first.end())  # a 70 billion parameter model
        if after is not None and after[1].lower() not in _STOPS and not _is_plural(after[1]):
            return first.end(), thing(first[1]), ""
    place, device = at, 0
    for _ in range(4):
        word = _WORD.match(text, place)
        if word is None or word[1].lower() in _STOPS:
            break
        place = word.end()
        device = place if is_device(word[1]) else device
        if _is_plural(word[1]):
            return place, "device" if device else thing(word[1]), ""
    return (_with_variant(text, device), "device", "") if device else (at, "", "")


def _with_variant(text: str, end: int) -> int:
    """Where the name of a device ends with its variant: eight H100 SXM."""
    while (word := _WORD.match(text, end)) is not None and word[1].isupper():
        end = word.end()
    return end


def _is_plural(word: str) -> bool:
    return (word.lower().endswith("s") and not word.lower().endswith("ss")) or word in (
        "tok",
        "people",
        "batch",
    )


def divisor(per: re.Match[str]) -> str:
    """The thing or time behind a "per"; "" where there is none."""
    noun = per["noun"].lower()
    words = per["words"].split()
    if any(word.lower() in _STOPS for word in words) or noun in _STOPS or noun in ("way", "direction"):
        return ""
    if noun.removesuffix("s") in TIMES:
        return noun.removesuffix("s")
    named = thing(per["noun"])
    if per["how"].startswith("in ") or (per["how"] in ("a", "an") and named not in THINGS):
        return ""
    if (noun.endswith("s") and per["how"] != "/") or (per["how"] in ("a", "an") and words):
        return ""
    return named


@lru_cache(maxsize=4096)
def counted_in(unit: str) -> Dimension:
    """What a unit counts besides its dimension, one name for one thing."""
    return tuple(sorted((thing(noun), power) for noun, power in counted(unit) if not noun.startswith("usd")))
