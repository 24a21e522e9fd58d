"""Bytes told again for another number format: 320 KiB a token in BF16, which FP8 would bring down to 80 KiB.

The bytes of one format over those of another are as the widths of their elements. A number that is off from that by
another power of two is false; whatever else it is off by may be overhead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.slips import held, plain
from derive.checking.subjects import WIDTHS, precisions

_BYTES = (("byte", 1),)
_WHOLE = 1.0  # formats of less than a byte have scales beside their elements
_AGAIN = re.compile(
    r"\b(?:would|instead|halv\w+|doubl\w+|bring\w*|shrinks?|cuts?|if|were|becomes?|drops?|falls?|grows?|rises?|"
    r"down to|up to)\b"
)
_OTHER = re.compile(
    r"\b(?:left|free|spare|saves?|saved|saving|more|less|per (?:GPU|card|rank|device)|each|scales?|only the|of which)\b"
)
_OFF = 0.006
_BACK, _LEAST = 8, 1024.0


@dataclass(frozen=True)
class _Told:
    """Bytes that one format is told for."""

    quantity: Quantity
    clause: Clause
    format: str
    value: float


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences that tell the bytes of another format."""
    recent: list[_Told] = []
    section = -1
    for clause in every:
        if clause.row:
            continue
        if clause.section != section:
            recent, section = [], clause.section
        found = list(_told(clause))
        if len(found) == 1 and recent and _AGAIN.search(clause.text) and not _OTHER.search(clause.text):
            yield from _judged(found[0], recent[-1])
        recent = [*recent, *found][-_BACK:]


def _told(clause: Clause) -> Iterator[_Told]:
    """The bytes of a sentence that names one format, or that goes on about the one before."""
    sizes = [(one, value) for one in clause.quantities if (value := one.base(_BYTES) or 0.0) >= _LEAST]
    named = {name for name, _ in precisions(plain(clause.text))} if sizes else set()
    if len(named) != 1:
        return
    (name,) = named
    for one, value in sizes if WIDTHS.get(name, 0.0) >= _WHOLE else ():
        yield _Told(one, clause, name, value)


def _judged(one: _Told, before: _Told) -> Iterator[Claim]:
    ratio = WIDTHS[one.format] / WIDTHS[before.format]
    if ratio == 1.0 or one.quantity.about:
        return
    right = before.value * ratio
    off = one.value / right
    because = f"{ratio:g} × {before.clause.piece(before.quantity)}"
    if abs(off - 1) <= _OFF:
        yield held(one.clause, one.quantity, "true", right, "", because)
    elif any(abs(off / factor - 1) <= _OFF for factor in (0.25, 0.5, 2.0, 4.0)):
        cause = f"element size: it is {off:.3g} times what {one.format} makes of {before.format}"
        yield held(one.clause, one.quantity, "false", right, cause, because)
