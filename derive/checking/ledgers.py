"""Numbers set under each other with a line beneath them and their total: what a tool prints, or an author types.

Each line has a label, one number and perhaps its unit. They are read in code blocks too, where nothing else is
checked: a rule of dashes with a total under it is no program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.checking.causes import ONE_DIGIT, SWAPPED, UNKNOWN
from derive.checking.claims import Claim
from derive.checking.judging import value_in
from derive.checking.quantities import Quantity, quantities
from derive.checking.slips import summed_slip
from derive.checking.sources import Source

_RULE = re.compile(r"\s*(?:[-=_─━]{3,}|[-=_─━]+(?:\s{1,4}[-=_─━]+){1,3})\s*")
_ENTRY = re.compile(
    r"\s*[-+*•]?\s*(?P<label>(?:\d{1,4} |\d{1,2}(?:\.\d{1,2})+\s+)?[A-Za-z(][^|]*?)(?::|\s{2,}|\t)\s*"
    r"(?P<number>(?:[-+−]\s*)?[$€]?\d[\d,.]*(?: ?[A-Za-z$/%]+)?)\s*"
)
_ENDS = re.compile(r"^(?!\s*[$>#]).*[\d)][\d,.]*\s*[A-Za-z/%$€]{0,6}\s*$")
_TOTAL = re.compile(
    r"(?:grand |overall )?(?:total|sum|together|in (?:all|total)|all)\b[^.]{0,30}", re.IGNORECASE
)
_APART = re.compile(
    r"\b(?:of which|thereof|incl\w*|sub-?total|max\w*|min\w*|mean|avg|average|median|peak|free|left|rate|per)\b|%",
    re.IGNORECASE,
)
_MOST, _LONGEST, _FEWEST, _FAR = 40, 120, 2, 0.01


@dataclass(frozen=True)
class _Entry:
    """A line of a ledger: its label and number."""

    line: int
    label: str
    number: Quantity
    text: str
    sign: int


def claims(source: Source) -> Iterator[Claim]:
    """The totals of a source that stand under a rule."""
    if source.format in ("notebook", "figures"):
        return
    lines = source.text.split("\n")
    for at in range(_FEWEST, len(lines) - 1):
        if lines[at][:1] in "|+" or len(lines[at]) > _LONGEST or not _RULE.fullmatch(lines[at]):
            continue
        total = _entry(lines, at + 1)
        if total is None:
            continue
        parts = _above(lines, at)
        if len(parts) >= _FEWEST:
            yield from _held(total, parts, named=bool(_TOTAL.fullmatch(total.label)))


def _entry(lines: Sequence[str], at: int) -> _Entry | None:
    line = lines[at]
    found = _ENTRY.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None:
        return None
    numbers = quantities(found["number"].lstrip("-+− "))
    if len(numbers) != 1 or numbers[0].literal.unit == "%":
        return None
    sign = -1 if found["number"][0] in "-−" else 1
    return _Entry(at + 1, found["label"].strip(), numbers[0], found["number"].strip(), sign)


def _above(lines: Sequence[str], at: int) -> list[_Entry]:
    """The entries over a rule, as far as every line is one; none where another line with a number goes before them."""
    parts: list[_Entry] = []
    for place in range(at - 1, max(-1, at - 1 - _MOST), -1):
        entry = _entry(lines, place)
        if entry is None:
            return [] if _ENDS.search(lines[place]) else parts[::-1]
        parts.append(entry)
    return parts[::-1]


def _slack(number: Quantity) -> float:
    """How far a number is open; one without a unit counts things, as far as it is whole."""
    return (
        number.literal.slack if not number.literal.unit else number.slack(number.literal.options[0].dimension)
    )


def _held(total: _Entry, parts: Sequence[_Entry], named: bool) -> Iterator[Claim]:
    """A total; where nothing but the rule names it so, it must add up but for one or two digits."""
    kind = total.number.literal.options[0].dimension
    unit = total.number.literal.unit
    if any(_APART.search(one.label) or _TOTAL.fullmatch(one.label) for one in parts):
        return
    if any(one.number.literal.unit != unit for one in parts):
        return
    value = sum(one.sign * (one.number.base(kind) or 0.0) for one in parts)
    own = total.sign * (total.number.base(kind) or 0.0)
    slack = sum(_slack(one.number) for one in (total, *parts))
    if value <= 0 or own <= 0:
        return
    because = " + ".join(one.text for one in parts[:8]) + (" + …" if len(parts) > 8 else "")
    agrees = abs(value - own) <= slack * (1 + 1e-9)
    left = next(
        (one for one in parts if abs(value - one.sign * (one.number.base(kind) or 0.0) - own) <= slack), None
    )
    cause = "" if agrees else summed_slip(total.number, value / total.number.factor(kind))
    if not agrees and not cause.startswith("digits") and left is not None:
        cause = f"a line is left out: {left.label}"
    if cause == UNKNOWN and abs(value / own - 1) <= _FAR:
        return
    if not named and not agrees and not cause.startswith((SWAPPED, ONE_DIGIT)):
        return
    yield Claim(
        line=total.line,
        text=total.text,
        verdict="true" if agrees else "false",
        expected=value_in(value, total.number.literal, kind),
        claimed=total.text,
        cause=cause,
        rule="table-total",
        because=because,
    )
