"""The bytes of a ring all-reduce, 2·(N - 1)/N·S, and its time at B bytes/s, from what its paragraph gives.

A reduce-scatter or an all-gather moves half of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product

from derive.checking.causes import SWAPPED, misprint
from derive.checking.claims import Claim
from derive.checking.judging import value_in
from derive.checking.names import Mention
from derive.checking.seeking import Sought
from derive.checking.slips import judged
from derive.checking.statements import BANDWIDTH, BYTES
from derive.checking.words import Dimension

_SECONDS: Dimension = (("second", 1),)
_ALL_REDUCE = re.compile(r"\ball-?\s?reduc\w*", re.IGNORECASE)
_RING = Sought(
    r"\brings?\b|\b2 ?[×*·]? ?\(?\(?[NnPpKk] ?[-−–] ?1\)?",
    ("ring", "-1", "- 1", "−1", "− 1", "–1", "– 1"),
    ignore_case=True,
)
_PARTS = re.compile(
    r"reduce-?\s?scatter|all-?\s?gather|\bhal(?:f|ves)\b|one[- ]way|one direction|\bSHARP\b|in-network|NVLS|"
    r"\btrees?\b|"
    r"\b(?:FP8|INT8|8-bit|compress\w*|quanti[sz]\w*|rails|buckets?|phases?|pass|layers?|shard\w*|first|second)\b|"
    r"hierarch\w*|measur\w*|observ\w*|\bif\b.{0,30}\bhalf\b|hidden|exposed|overlap\w*|lower bound|at least",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?<![\w.,])(?:N|n|p|P|W|R|k)[\s\x02\x03]*=[\s\x02\x03]*(\d{1,3}(?:,\d{3})+|\d{1,6})(?![\w.]|,\d)|"
    r"(?<![\w.,/×])(\d{1,3}(?:,\d{3})+|\d{1,6})[\s\x02\x03]+(?:\w+[- ])?"
    r"(?:ranks|GPUs|workers|nodes|members|cards|devices|chips|processes|replicas)\b"
)
_MOVED = re.compile(
    r"\b(?:mov(?:es?|ing)|sends?|sending|transfers?|receiv(?:es?|ing)|traffic|volume|carries|through (?:each|"
    r"every|its|the) link)\b"
)
_PHASE = re.compile(r"\b(?:reduce-?\s?scatter|all-?\s?gather|each phase\b)", re.IGNORECASE)
_NO_VOLUME = re.compile(
    r"\bSHARP\b|in-network|NVLS|\btrees?\b|hierarch\w*|\b(?:if|instead|without|naive\w*|total|in all|together|"
    r"both|compress\w*|"
    r"FP8|INT8|buckets?|layers?|shards?|per step|nodes?|measured|remaining|other)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:this|that|it|which)\b", re.IGNORECASE)
_NEAR, _MOST, _CLOSE, _LED, _OPEN, _BACK = 60, 4, 0.03, 40, 0.006, 160
_WHOLE = {0.5: "factor left out: an all-reduce moves the buffer twice, 2·(N - 1)/N times"}
_HALF = {
    2.0: "counted twice: a reduce-scatter or an all-gather moves (N - 1)/N of the buffer, not 2·(N - 1)/N"
}
_SLIPS = ((0.5, "factor left out: an all-reduce moves the buffer twice, 2·(N - 1)/N times"),)
_BITS = re.compile(r"[KMGT](?:b|bit)")
_BIT_SLIPS = (
    (8.0, "bit and byte: it is 8 times what it should be"),
    (1 / 8, "bit and byte: it is an eighth of what it should be"),
)
_PLAIN_SLIPS = (
    (1e3, "ms and s: it is 1000 times what it should be"),
    (1e-3, "ms and s: it is a thousandth of what it should be"),
    (10.0, "power of ten: it is 10 times what it should be"),
    (0.1, "power of ten: it is a tenth of what it should be"),
)


def claims(mentions: Sequence[Mention]) -> Iterator[Claim]:
    """The times of all-reduces, paragraph by paragraph."""
    rings: set[int] = set()
    for _, group in groupby(
        (one for one in mentions if not one.clause.row), key=lambda one: id(one.clause.block)
    ):
        found = list(group)
        clause = found[0].clause
        text = f"{clause.context} {clause.block.before} {clause.block.text}"
        if _RING.search(text):
            rings.add(clause.section)
        if clause.section in rings and _ALL_REDUCE.search(clause.block.text):
            yield from _of_paragraph(found)
        if _MOVED.search(text) and (_ALL_REDUCE.search(text) or _PHASE.search(text)):
            yield from _volumes(found)


def _volumes(found: Sequence[Mention]) -> Iterator[Claim]:
    """What each rank moves, where a paragraph tells the buffer and the number of ranks before."""
    for place, one in enumerate(found):
        clause, start = one.clause, one.quantity.start
        if (
            one.kind[0] != BYTES
            or one.kind[1] not in ("", "device^-1")
            or not _MOVED.search(clause.plain, 0, start)
        ):
            continue
        sizes = _values(
            other for other in found[:place] if other.kind == (BYTES, "") and not _MOVED.search(_led(other))
        )
        ranks = _ranks(clause.block.text[: clause.offset + start])
        whole = _ALL_REDUCE.search(clause.text) is not None
        parts = _PARTS.search(clause.text)
        if len(sizes) != 1 or len(ranks) != 1 or (parts if whole else not _PHASE.search(clause.text)):
            continue
        if _NO_VOLUME.search(clause.text):
            continue
        (size,), (rank,) = sizes, ranks
        times = 2 if whole else 1
        right = times * (rank - 1) / rank * size
        because = f"{times} × {rank - 1}/{rank} × {size:.4g} bytes"
        if _rough(one, times * size):
            continue
        yield from judged(clause, one.quantity, BYTES, right, because, _WHOLE if whole else _HALF, _OPEN)


def _rough(one: Mention, value: float) -> bool:
    """Whether a number is what many ranks come to, with 1/N left out."""
    return one.quantity.agrees(value, BYTES)


def _led(one: Mention) -> str:
    """The words before a number of a sentence."""
    return one.clause.plain[max(0, one.quantity.start - _LED) : one.quantity.start]


def _ranks(text: str) -> set[int]:
    """The numbers of ranks that a text tells."""
    found = (int((match[1] or match[2]).replace(",", "")) for match in _COUNT.finditer(text))
    return {rank for rank in found if rank > 1}


def _of_paragraph(found: Sequence[Mention]) -> Iterator[Claim]:
    text = found[0].clause.block.text
    sizes = _values(one for one in found if one.kind == (BYTES, ""))
    rates = _values(one for one in found if one.kind[0] == BANDWIDTH)
    ranks = _ranks(text)
    sizes = {
        size
        for size in sizes
        if not any(
            abs(size / (2 * (rank - 1) / rank * other) - 1) < _OPEN for other in sizes for rank in ranks
        )
    }  # not what each rank moves of another of them
    if not (sizes and rates and ranks) or max(len(sizes), len(rates), len(ranks)) > _MOST:
        return
    rights = {
        2 * (rank - 1) / rank * size / rate: f"2 × {rank - 1}/{rank} × {size:.4g} bytes / {rate:.4g} bytes/s"
        for size, rank, rate in product(sizes, ranks, rates)
    }
    times = [one for one in found if one.kind == (_SECONDS, "")]
    agreeing = [one for one in times if any(one.quantity.agrees(right, _SECONDS) for right in rights)]
    for one in agreeing if len(rights) == 1 else ():
        ((right, because),) = rights.items()
        if _is_of_the_whole(one):
            yield one.claim("true", value_in(right, one.quantity.literal, _SECONDS), "", because)
    if agreeing:
        return  # what else takes time is a part of it, or something else
    bits = any(one.kind[0] == BANDWIDTH and _BITS.match(one.quantity.literal.unit) for one in found)
    slips = (
        *_SLIPS,
        *(_PLAIN_SLIPS if len(rights) == 1 else ()),
        *(_BIT_SLIPS if bits and len(rights) == 1 else ()),
    )
    for one in times:
        if _is_of_the_whole(one):
            yield from _held(one, rights, slips)


def _values(mentions: Iterable[Mention]) -> set[float]:
    return {one.value for one in mentions if one.value > 0}


def _is_of_the_whole(one: Mention) -> bool:
    """Whether a time is said to be that of an all-reduce, and of no part of it."""
    clause, start, end = one.clause, one.quantity.start, one.quantity.end
    near = clause.text[max(0, start - _NEAR) : end + _NEAR]
    if _POINTS.search(near) and not _PHASE.search(near):
        near += clause.block.text[
            max(0, clause.offset - _BACK) : clause.offset
        ]  # this of the sentence before
    return bool(_ALL_REDUCE.search(near)) and not _PARTS.search(clause.text)


def _held(one: Mention, rights: dict[float, str], slips: Sequence[tuple[float, str]]) -> Iterator[Claim]:
    if len(rights) == 1:
        ((right, because),) = rights.items()
        cause = misprint(one.quantity.literal, right / one.quantity.factor(_SECONDS))
        if cause == SWAPPED:
            yield one.claim("false", value_in(right, one.quantity.literal, _SECONDS), cause, because)
            return
    for factor, cause in slips:
        for right, because in rights.items():
            if (
                one.quantity.agrees(right * factor, _SECONDS)
                and abs(one.value / (right * factor) - 1) < _CLOSE
            ):
                yield one.claim("false", value_in(right, one.quantity.literal, _SECONDS), cause, because)
                return
