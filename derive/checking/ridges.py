"""Ridge points that documents give to machines: peak over memory bandwidth, of the right variant and format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from derive.checking.causes import SWAPPED, misprint, slip
from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.machine_subjects import Meant, narrowed, spoken, subject
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import BANDWIDTH, FLOPS, constants_of, hindered, said
from derive.checking.subjects import Mention, entry, machines, precisions
from derive.checking.words import Dimension
from derive.constants import catalogue

_INTENSITY: Dimension = (("FLOP", 1), ("byte", -1))
_RIDGE = Sought(
    r"\bridge|machine balance|\bbalance point|peak (?:over|divided by) (?:the )?(?:memory )?bandwidth",
    ("ridge", "balance", "bandwidth"),
    ignore_case=True,
)
_OTHER_ROOF = re.compile(
    r"\bL[12]\b|cache|SRAM|shared|on-chip|register|network|NV-?Link|PCI|measured|achiev\w+|effective|sustain\w+",
    re.IGNORECASE,
)
_NO_RIDGE = re.compile(
    rf"{_OTHER_ROOF.pattern}|kernel|below|above|far|times|left of|right of|intensity (?:is|of)",
    re.IGNORECASE,
)
_IS_RIDGE = re.compile(
    r"\b(?:ridge(?: point)?|machine balance|balance point)(?:\s(?:of|is|at|lies at|sits at|remains|stays at|=))?"
    r"(?:\s(?:the|this|our|that) (?:card|GPU|machine|chip|device)(?: is| of|,)?)?[\s\x02\x03(=~≈]*$",
    re.IGNORECASE,
)
_TPU = re.compile(r"[\s\W_]{0,6}(v[2-6][ep]?)[\W_]{0,3}:")
_ALONE = re.compile(r"[\s\W_]{0,6}[\w ]{2,24}: *[~≈]?[\d.,]+ ?FLOPs?(?:/| per )byte\W*")
"""An item of a list that has a machine and its operations a byte, and nothing else."""
_MOST, _SAID = 4, 3  # machines, and digits of a ridge point
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_BACK, _NEAR = 400, 0.004


def of_document(texts: Sequence[str], meant: Meant) -> Mapping[float, str]:
    """The ridge points of the machines that a document names, in every format, with what they are of.

    Where it names many, only those that it prints: else some ridge point has any digits.
    """
    if not any(map(_RIDGE.search, texts)):
        return {}
    named = {
        name for text in texts for one in machines(text) if one.names for name in narrowed(one, meant).names
    }
    told = {number for text in texts for number in _NUMBER.findall(text)}
    formats = {"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "fp4"}
    return {
        value: f"{entry('hardware', name).title}: {peak} / ({rate})"
        for name in sorted(named)
        for value, peak, rate in _ridges(name, formats, "dense")
        if len(named) <= _MOST or f"{value:.3g}" in told
    }


def claims(clause: Clause, meant: Meant, points: Mapping[float, str]) -> Iterator[Claim]:
    """The ridge points of a clause.

    meant: the variants that the document speaks of. points: the ridge points of its machines.
    """
    told = [one for one in clause.quantities if one.literal.options[0].dimension == _INTENSITY]
    if not told or clause.row:
        return
    back = clause.block.before + clause.block.text[max(0, clause.offset - _BACK) : clause.offset]
    if not (_RIDGE.search(f"{back} {clause.text}") or _ALONE.fullmatch(clause.text)):
        return
    found = spoken(clause) or _of_item(clause)
    for quantity in told:
        if (
            not found
            and points
            and _IS_RIDGE.search(clause.text, 0, quantity.start)
            and not _OTHER_ROOF.search(clause.text)
        ):
            yield from _told_again(clause, quantity, points)
        mention = subject(clause, quantity, found)
        if mention is None or not mention.names or _NO_RIDGE.search(clause.around(quantity, 40, 20)):
            continue
        yield from _held(clause, quantity, narrowed(mention, meant), f"{back} {clause.text}")


def _of_item(clause: Clause) -> Sequence[Mention]:
    """The TPU that the short label of a list item names: v5p: 166 FLOP/byte."""
    item = _TPU.match(clause.text)
    named = machines(f"TPU {item[1]}") if item else ()
    return [replace(one, start=item.start(1), end=item.end(1)) for one in named[:1]] if item else ()


def _told_again(clause: Clause, quantity: Quantity, points: Mapping[float, str]) -> Iterator[Claim]:
    """The ridge point without its machine: false where two digits stand the other way round in one that fits."""
    unit = quantity.factor(_INTENSITY)
    digits = quantity.literal.digits.replace(".", "").strip("0")
    if len(digits) < _SAID or any(quantity.agrees(value, _INTENSITY) for value in points):
        return
    swapped = [value for value in points if misprint(quantity.literal, value / unit) == SWAPPED]
    if len({f"{value:.3g}" for value in swapped}) == 1:
        cause = f"digits swapped: {points[swapped[0]]}"
        shown, text = f"{swapped[0]:.4g} {quantity.literal.unit}", clause.piece(quantity)
        reason = hindered(clause, quantity)
        verdict: Verdict = "unsure" if reason else "false"
        yield said(
            clause, quantity.start, text, shown, verdict, reason or cause, "hardware", points[swapped[0]]
        )


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
    digits = quantity.literal.digits.replace(".", "").strip("0")
    cause = slip(quantity.literal, right[0] / quantity.factor(_INTENSITY)) if len(digits) >= _SAID else ""
    if cause.startswith((SWAPPED, "power of ten")) and len({f"{value:.3g}" for value in right}) == 1:
        yield _claim(clause, quantity, mention, shown, "unsure" if reason else "false", reason or cause)


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
