"""What a layer has, and all layers of the document's one model: 356.5 MB per layer, or 14.26 GB for the stack.

The number of layers is one that the document tells. A number is false where none of them makes it, and one does if the
layers are counted half or twice; where there is only one, by a slip of digits or units, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from derive.checking.amounts import amounts
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.slips import agrees, judged
from derive.checking.statements import BYTES

_LAYERS = re.compile(
    r"(?<![\w.,/])(\d{1,3})[ -](?:transformer |decoder |attention |identical )?(?:layers?|blocks)\b|"
    r"\b[Ll]ayers?\b(?: {1,2}L\b)?\s{0,2}(?:[=:¦]|is|are)\s?(\d{1,3})(?![\d.,]*\w)|\bL\s?=\s?(\d{1,3})(?![\d.,]*\w)"
)
_EACH_BEFORE = re.compile(
    r"\b(?:[Oo]ne|[Aa]|[Ee]ach|[Ee]very|[Pp]er) layer,?\s(?:then |alone )?(?:\w+s |that is )?[~≈]?$"
)
_LINK = re.compile(
    r"[^.;:\d]{0,40}(?:\b(?:or|hence|so|thus|and|i\.e\.,?|makes?|is|which (?:is|makes|gives))|[,(=])\s(?:about )?[~≈]?"
)
_ALL = re.compile(
    r"\s*(?:for|in|over|across|on) (?:the (?:whole |entire |full )?(?:stack|model|network|depth)|all (?:the )?layers)\b"
)
_OTHER = re.compile(
    r"\b(?:GPU|rank|stage|shard\w*|split|half|quarter|every other|selected|expert\w*|instead|if|would|only)s?\b"
)
_SLIPS = {0.5: "half of the layers are counted, or half of each", 2.0: "counted twice"}
_REACH, _MOST = 0.006, 5


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """What sentences tell of a layer and of all of them."""
    found = {
        int(next(filter(None, one.groups()))) for clause in every for one in _LAYERS.finditer(clause.plain)
    }
    found -= {0, 1}
    for clause in every if 0 < len(found) <= _MOST else ():
        if not clause.row and "layer" in clause.text and not _OTHER.search(clause.plain):
            yield from _of_sentence(clause, found)


def _of_sentence(clause: Clause, layers: Set[int]) -> Iterator[Claim]:
    text = clause.plain
    found = [one for one in amounts(clause) if one.quantity is not None and one.measure == BYTES]
    for one, other in pairwise(found):
        each = dict(one.kind).get("layer") == -1 or _EACH_BEFORE.search(text, 0, one.start)
        between = text[one.end : other.start]
        if not each:
            continue
        if other.quantity is None or not _LINK.fullmatch(between) or not _ALL.match(text, other.quantity.end):
            continue
        told = [
            (many, factor)
            for factor in (1.0, *_SLIPS)
            for many in layers
            if agrees(other.quantity, factor * many * one.value.mid, BYTES, _REACH)
        ]
        counted = {many for many, factor in told if factor == told[0][1]} or layers
        if len(counted) == 1:
            (many,) = counted
            right, because = many * one.value.mid, f"{many} layers × {one.shown}"
            yield from judged(clause, other.quantity, BYTES, right, because, _SLIPS, _REACH)
