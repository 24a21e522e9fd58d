"""Ridge points that documents give to machines: peak over memory bandwidth, of the right variant and format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.machine_subjects import Meant, narrowed, spoken, subject
from derive.checking.quantities import Quantity
from derive.checking.statements import BANDWIDTH, FLOPS, constants_of, hindered, said
from derive.checking.subjects import Mention, entry, machines, precisions
from derive.checking.words import Dimension
from derive.constants import catalogue

_INTENSITY: Dimension = (("FLOP", 1), ("byte", -1))
_RIDGE = re.compile(
    r"\bridge|machine balance|\bbalance point|peak (?:over|divided by) (?:the )?(?:memory )?bandwidth",
    re.IGNORECASE,
)
_NO_RIDGE = re.compile(
    r"\bL[12]\b|cache|SRAM|shared|on-chip|register|network|NV-?Link|PCI|measured|achiev\w+|kernel|below|above|far|times|"
    r"left of|right of|intensity (?:is|of)",
    re.IGNORECASE,
)
_BACK, _NEAR = 400, 0.004


def claims(clause: Clause, meant: Meant) -> Iterator[Claim]:
    """The ridge points of a clause. meant: the variants that the document speaks of."""
    told = [one for one in clause.quantities if one.literal.options[0].dimension == _INTENSITY]
    if not told or clause.row:
        return
    back = clause.block.before + clause.block.text[max(0, clause.offset - _BACK) : clause.offset]
    if not _RIDGE.search(f"{back} {clause.text}"):
        return
    found = spoken(clause)
    for quantity in told:
        mention = subject(clause, quantity, found)
        if mention is None or not mention.names or _NO_RIDGE.search(clause.around(quantity, 40, 20)):
            continue
        yield from _held(clause, quantity, narrowed(mention, meant), f"{back} {clause.text}")


def _held(clause: Clause, quantity: Quantity, mention: Mention, around: str) -> Iterator[Claim]:
    wanted = {name for name, _ in precisions(clause.text)} or {"bf16", "fp16"}
    own = quantity.base(_INTENSITY) or 0.0
    right = [value for name in mention.names for value, *_ in _ridges(name, wanted, "dense")]
    if not right or not own:
        return
    shown = f"{right[0]:.4g} {quantity.literal.unit}"
    if any(quantity.agrees(value, _INTENSITY) or abs(own / value - 1) < _NEAR for value in right):
        yield _claim(clause, quantity, mention, shown, "true", "")
        return
    reason = hindered(clause, quantity)
    for value, cause in _others(mention, wanted, around):
        if quantity.agrees(value, _INTENSITY) and abs(own / value - 1) < _NEAR:
            yield _claim(clause, quantity, mention, shown, "unsure" if reason else "false", reason or cause)
            return


def _ridges(name: str, wanted: set[str], sparsity: str) -> Iterator[tuple[float, str, str]]:
    """Peak over bandwidth of a machine in formats, with both as they are written."""
    one = Mention((name,), 0, 0)
    for rate in constants_of(one, ("bandwidth",), BANDWIDTH):
        for peak in constants_of(one, ("peak",), FLOPS):
            if peak.tags.get("precision") in wanted and peak.tags.get("sparsity") == sparsity:
                yield float(peak.base / rate.base), peak.text, rate.text


def _others(mention: Mention, wanted: set[str], around: str) -> Iterator[tuple[float, str]]:
    """The ridge points that it may have been taken for: sparse, of a sibling, of a machine named beside it."""
    for name in mention.names:
        for value, peak, _ in _ridges(name, wanted, "2:4"):
            yield value, f"sparse and dense: {peak} is the number [2:4]"
    family = mention.names[0].partition("-")[0]
    beside = [one for other in machines(around) for one in other.names]
    siblings = [name for name in catalogue("hardware") if name.partition("-")[0] == family]
    for name in dict.fromkeys((*siblings, *beside)):
        for value, *_ in _ridges(name, wanted, "dense") if name not in mention.names else ():
            yield value, f"another machine: this is the ridge point of {entry('hardware', name).title}"


def _claim(
    clause: Clause, quantity: Quantity, mention: Mention, expected: str, verdict: Verdict, cause: str
) -> Claim:
    because = f"{entry('hardware', mention.names[0]).title}: peak over memory bandwidth"
    text = clause.piece(quantity)
    return said(clause, quantity.start, text, expected, verdict, cause, "hardware", because)
