"""Counts in groups of so many, and amounts that are said to fit: 128 GPUs in 16 nodes of 8; 640 GB hold 565 GB."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.slips import cause_of, held

_IN = re.compile(r",? ?\(?(?:in|on|across|over|as|spread (?:over|across)|split (?:into|over)|from) ")
_OF = re.compile(r",? (?:of|with|x|×|each with|each of|with up to) ")
_BESIDE = re.compile(r"\s*(?:and|plus|or|to|-|–|‥|\+|of)\s*\d|\s*,? (?:plus|spare)")
_HOLD = re.compile(
    r",? (?:which |that )?"
    r"(?:(?:can |will |easily |just )?(?:holds?|fits?)|(?:is|are) enough for|(?:has|have) room for) "
    r"(?:the |all |all of the |its |our )?[~≈]?"
)
_ENTRY = re.compile(r"\b(?:of\b|with\b|hold|fit)|enough for|room for")
_SHARE, _MOST = 0.02, 40


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences that count groups or say that something fits."""
    for clause in every:
        if clause.row or clause.listed or not 2 <= len(clause.quantities) <= _MOST:
            continue
        if _ENTRY.search(clause.text):
            found, text = amounts(clause), clause.plain
            for one, groups, each in zip(found, found[1:], found[2:], strict=False):
                yield from _in_groups(one, groups, each, text)
            for room, content in pairwise(found):
                yield from _fits(room, content, text)


def _in_groups(one: Amount, groups: Amount, each: Amount, text: str) -> Iterator[Claim]:
    """`128 GPUs in 16 nodes of 8`."""
    counts = all(part.counts and not part.opaque and not part.linked for part in (one, groups, each))
    if not counts or one.quantity is None or one.bare or groups.bare or one.kind == groups.kind:
        return
    if len(one.kind) != 1 or len(groups.kind) != 1 or not (each.bare or one.kind[0] in each.kind):
        return
    if not _IN.fullmatch(text[one.end : groups.start]) or not _OF.fullmatch(text[groups.end : each.start]):
        return
    if _BESIDE.match(text, each.end) or min(groups.value.mid, each.value.mid) < 2:
        return
    right = groups.value.mid * each.value.mid
    because = f"{groups.shown} × {each.shown}"
    if one.value.mid == right:
        yield held(one.clause, one.quantity, "true", right, "", because)
    else:
        yield held(
            one.clause, one.quantity, "false", right, cause_of(one.quantity, one.in_its_unit(right)), because
        )


def _fits(room: Amount, content: Amount, text: str) -> Iterator[Claim]:
    """`two boxes, 1,280 GB, hold the 1,342`: more than there is room for."""
    if room.measure != (("byte", 1),) or content.quantity is None or content.opaque or room.quantity is None:
        return
    if not room.value.mid:
        return
    if not (content.measure == room.measure or content.bare) or not _HOLD.fullmatch(
        text[room.end : content.start]
    ):
        return
    size = content.literal.value * room.value.mid / room.literal.value if content.bare else content.value.mid
    if size > room.value.mid * (1 + _SHARE):
        cause = f"it does not fit: {content.shown} are more than {room.shown}"
        right = room.literal.value if content.bare else room.value.mid
        yield held(content.clause, content.quantity, "false", right, cause, room.shown)
