"""Numbers held against what they should be, false only where a plain slip leads from the right number to them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from derive.checking.blocks import MATH, TEXT
from derive.checking.causes import UNKNOWN, fits_kind, slip
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.gates import of_text
from derive.checking.judging import value_in
from derive.checking.quantities import Quantity
from derive.checking.words import Dimension

_INSTEAD = re.compile(r"instead of|rather than")
_WORKED_BEFORE = re.compile(r"[×*·÷/]\s*(?:[$€£]\s?)?$")
_WORKED_BEHIND = re.compile(r"\s*(?:[×*·÷] ?[(\d]|\)? ?/ ?\d)")
_PLAIN = ("bit and byte", "power of ten", "prefix", "digits swapped", "seconds and", "hours and")


def judged(
    clause: Clause,
    quantity: Quantity,
    kind: Dimension,
    right: float,
    because: str,
    slips: dict[float, str],
    reach: float = 0.0,
) -> Iterator[Claim]:
    """A number held against what it should be; false where one of the slips, or a plain one, leads to it.

    reach: how far what it should be is open, as a part of itself.
    """
    if not math.isfinite(right):
        return
    if agrees(quantity, right, kind, reach):
        yield held(clause, quantity, "true", right, "", because)
        return
    for factor, name in slips.items():
        if agrees(quantity, right * factor, kind, reach):
            cause = f"{name}: it is {factor:.3g} times what it should be"
            yield held(clause, quantity, "false", right, cause, because)
            return
    cause = slip(quantity.literal, right / quantity.factor(kind))
    if cause.startswith(_PLAIN):
        yield held(clause, quantity, "false", right, cause, because)


def agrees(quantity: Quantity, value: float, kind: Dimension, reach: float) -> bool:
    """Whether a value, open by so much of itself, rounds to a number."""
    return abs((quantity.base(kind) or 0.0) - value) <= quantity.slack(kind) + reach * value


def held(clause: Clause, quantity: Quantity, verdict: str, right: float, cause: str, because: str) -> Claim:
    """A claim of a sentence with its verdict, unless the text around it stands in the way."""
    hindered = clause.hindered(quantity.start) or _as_operand(clause, quantity) if verdict == "false" else ""
    text = clause.piece(quantity)
    return Claim(
        line=clause.line(quantity.start),
        text=text,
        verdict="true" if verdict == "true" else "unsure" if hindered else "false",
        expected=value_in(right, quantity.literal, quantity.literal.options[0].dimension),
        claimed=text,
        cause=hindered or cause,
        rule="chain",
        because=because,
        cell=clause.block.cell,
    )


def _as_operand(clause: Clause, quantity: Quantity) -> str:
    """Whether a number is calculated with, so that a result stands behind it: 2 × 15/16 × 2 GB = 3.75 GB."""
    worked = _WORKED_BEFORE.search(clause.plain, 0, quantity.start) or _WORKED_BEHIND.match(
        clause.plain, quantity.end
    )
    return "a calculation goes on from it" if worked and "=" in clause.plain[quantity.end :] else ""


def cause_of(quantity: Quantity, right: float) -> str:
    """The plain slip that leads from a value, in the unit of a number, to it: one that fits what it measures."""
    found = slip(quantity.literal, right)
    return found if fits_kind(found, quantity.literal.options[0].dimension) else UNKNOWN


def summed_slip(quantity: Quantity, right: float) -> str:
    """The slip that leads from a sum, in the unit of a number, to it: one prefix is no slip where all have one unit."""
    found = cause_of(quantity, right)
    return UNKNOWN if found.startswith("GB and GiB") else found


def shown(quantity: Quantity) -> str:
    """A quantity as it was written."""
    return f"{quantity.literal.digits} {quantity.literal.unit}".strip()


def plain(text: str) -> str:
    """A text without the marks of mathematics."""
    return text.replace(MATH, "").replace(TEXT, "")


def hindrance(clause: Clause, place: int) -> str:
    """What stands in the way of a comparison whose "instead of" corrects nothing; "" where nothing does."""
    text = _INSTEAD.sub(lambda words: "." * len(words[0]), clause.block.text)
    return of_text(replace(clause.block, text=text), clause.offset + place)
