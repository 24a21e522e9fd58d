"""The KV cache of so many tokens, by what the document has for one of them: 320 KiB a token, and 10.7 GB for 32,768.

The bytes of a token are the only ones that the section tells, or the document where the section tells none; where a
sentence names a model whose extents give others, they are not its. A number is false where K or V is left out or
counted twice, where every query head is given a cache, or by a slip of digits or units.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, meant_near
from derive.checking.model_facts import cached_elements
from derive.checking.slips import judged, plain
from derive.checking.statements import BYTES
from derive.checking.words import Dimension

_A_TOKEN: Dimension = (("byte", 1), ("token", -1))
_TOKENS: Dimension = (("token", 1),)
_CACHE = re.compile(r"\bKV\b|\b[Cc]ache\b")
_RESULT = re.compile(
    r"(?:\b(?:is|are|takes?|needs?|costs?|makes?|gives?|uses?|fills?|occup(?:y|ies)|comes? to|amounts? to|grows? to|"
    r"reach(?:es)?|to|be|holds?|weighs?|and|has|have)|[,:(=≈→])\s+"
    r"(?:up to |about |only |just |roughly |another )*[~≈]?\s*$"
)
_OTHER = re.compile(
    r"\b(?:per (?:GPU|card|device|rank|layer|head)|(?:each|every|one) (?:GPU|card|device|rank|layer|head)|GPUs|cards|"
    r"keys?(?! and values)|values? alone|for the values|half|layers?|left|free|budget|spare|"
    r"saves?|saved|weights?|FP8|INT8|INT4|FP4|(?:8|4)[- ]bit|"
    r"window|compress\w*|quanti\w*|prefix|shar(?:e|ed|ing|ded)|without|if|instead|older?|previous\w*|other|draft|pages?|"
    r"blocks?|chunks?|batch(?:es)?|more|"
    r"less|than|difference|extra|times|hit)\b",
    re.IGNORECASE,
)
_ONE_TOKEN = re.compile(
    r"\b(?:(?:cache|keys and values|KV) (?:of|for) (?:one|a|each|every) (?:single )?token|"
    r"(?:[Oo]ne|[Aa]|[Ee]ach|[Ee]very) (?:single )?(?:cached )?token),?(?: then| thus| therefore)?\s"
    r"(?:is|needs?|takes?|costs?|occupies|stores?|adds?|holds?|leaves?|keeps?)\b"
)
"""What leads to the bytes that a token has in the cache: one token needs, over all layers …"""
_SEVERAL = re.compile(
    r"\b(?:users|streams|sequences|requests|conversations|sessions|prompts|chats|clients)\b"
)
_NARROWER = re.compile(
    r"\b(?:FP8|INT8|INT4|FP4|(?:8|4)[- ]bit|E4M3|E5M2|instead|if|would|without)\b", re.IGNORECASE
)
_SLIPS = {
    0.5: "K+V: only one of K and V is counted",
    2.0: "counted twice: what a token takes holds K and V already",
    **dict.fromkeys((4.0, 5.0, 7.0, 8.0, 16.0), "heads and KV heads: every query head is given a cache"),
}
_NEAR, _REACH, _LEAST, _MOST, _BACK = 0.01, 0.006, 1024.0, 6, 2000
_WIDTHS = (2.0, 1.0)
_HOLDERS = {
    "context", "prompt", "request", "sequence", "conversation", "session", "stream", "user", "chat", "client",
}  # fmt: skip
"""What has so many tokens, each with its bytes in the cache."""


def claims(every: Sequence[Clause], known: Sizes) -> Iterator[Claim]:
    """The caches of sentences. known: the models of the document by size."""
    prose = [clause for clause in every if not clause.row]
    told = [clause for clause in prose if "token" in clause.text]
    rates = _rates(prose) if told else {}
    if not rates:
        return
    for clause in told:
        text = plain(clause.text)
        spoken = _CACHE.search(text) or _CACHE.search(
            clause.block.text, max(0, clause.offset - _BACK), clause.offset
        )
        if spoken and not _OTHER.search(text):
            rate = _rate_of(clause, rates, known)
            if rate is not None:
                yield from _of_sentence(clause, text, rate)


def _rates(prose: Sequence[Clause]) -> Mapping[int, list[Amount]]:
    """The bytes of a token that each section tells, but for those of a cache in fewer bits or of another one."""
    found: dict[int, list[Amount]] = defaultdict(list)
    for at, clause in enumerate(prose):
        if "token" not in clause.text or _NARROWER.search(clause.text):
            continue
        each = [one for one in amounts(clause) if one.kind == _A_TOKEN]
        if not each and (one_token := _ONE_TOKEN.search(plain(clause.text))):
            each = [one for one in amounts(clause) if one.kind == BYTES and one.start >= one_token.end()]
            if not each and clause.text.rstrip().endswith(":") and at + 1 < len(prose):
                clause = prose[at + 1]
                each = [one for one in amounts(clause) if one.kind == BYTES]
        for one in each:
            if not one.opaque and one.value.mid >= _LEAST and not clause.hindered(one.start):
                found[clause.section].append(one)
    return found


def _rate_of(clause: Clause, rates: Mapping[int, list[Amount]], known: Sizes) -> Amount | None:
    """The bytes of a token that hold for a sentence; None where that is open."""
    near = rates.get(clause.section) or [one for section in rates.values() for one in section]
    if not near or any(abs(one.value.mid / near[0].value.mid - 1) > _NEAR for one in near):
        return None
    rate = near[0]
    names = {name for one in meant_near(clause, known) for name in one.names}
    for name in names:
        each = cached_elements(name)[0]
        if each and not any(abs(rate.value.mid / (each * width) - 1) < _NEAR for width in _WIDTHS):
            return None
    return rate


def _are_tokens(one: Amount) -> bool:
    """Whether an amount is of tokens, be it for one of something: a 32,768-token context."""
    return one.kind == _TOKENS or (
        dict(one.kind).get("token") == 1 and bool(dict(one.kind).keys() & _HOLDERS)
    )


def _of_sentence(clause: Clause, text: str, rate: Amount) -> Iterator[Claim]:
    found = amounts(clause)
    if len(found) > _MOST or any(one.kind == _A_TOKEN or one.opaque for one in found):
        return
    for at, told in enumerate(found):
        begin = max((place + 1 for place in range(at) if found[place].kind == BYTES), default=0)
        quantity, earlier = told.quantity, found[begin:at]
        if told.kind != BYTES or quantity is None or quantity.about or not earlier:
            continue
        if not _RESULT.search(text, earlier[-1].end, told.start):
            continue
        tokens = [one for one in earlier if _are_tokens(one) and one.value.mid >= 2]
        holders = [one for one in earlier if one not in tokens and _are_holders(one)]
        if len(tokens) != 1 or len(tokens) + len(holders) < len(earlier) or len(holders) > 1:
            continue
        if bool(holders) != (_SEVERAL.search(text) is not None):
            continue
        used = (*tokens, *holders)
        right = rate.value.mid * math.prod(one.value.mid for one in used)
        because = " × ".join((rate.shown, *(one.shown for one in used)))
        yield from judged(clause, quantity, BYTES, right, because, _SLIPS, _REACH)


def _are_holders(one: Amount) -> bool:
    """Whether an amount counts what has a cache of its own: 64 requests."""
    return one.counts and len(one.kind) == 1 and one.kind[0][0] in _HOLDERS and one.kind[0][1] == 1
