"""Model FLOPs utilizations from tokens a second: six operations a parameter and token, over the peak of the machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, named
from derive.checking.known_models import values
from derive.checking.machine_subjects import Meant, narrowed, spoken
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import FLOPS, constants_of, hindered, said
from derive.checking.subjects import Mention, entry, machines, precisions
from derive.checking.words import Dimension
from derive.entries import Constant

_PER_SECOND: Dimension = (("second", -1),)
_MFU = Sought(r"\bMFU\b|model FLOPs? utili[sz]ation", ("MFU", "model FLOP"))
_TOKENS = re.compile(r"tok(?:en)?s?\b", re.IGNORECASE)
_EACH = re.compile(r"(?:/|per |each |a )(?:GPU|gpu|card|chip|device)\b")
_OPEN = re.compile(
    r"\b(?:HFU|recomput\w*|checkpointing|attention|forward|inference|decod\w*|if|would|instead|from)\b",
    re.IGNORECASE,
)
_SLIPS = (
    (1 / 3, "forward pass alone: 2N a token, not 6N"),
    (4 / 3, "recomputation counted: 8N a token, not 6N"),
    (1 / 2, "sparse and dense: the peak is that with 2:4 sparsity, or multiply-adds are counted"),
)
_LEAST, _NEAR = 1e8, 0.006


def claims(clause: Clause, known: Sizes, meant: Meant) -> Iterator[Claim]:
    """The utilization of a clause that has the parameters, the tokens a second of one device and the machine too."""
    if not _MFU.search(f"{clause.text} {' '.join(heading for _, heading in clause.columns)}"):
        return
    own = [one for one in clause.quantities if _is_share(clause, one)]
    rates = [one for one in clause.quantities if _is_rate(clause, one)]
    found = [one for one in spoken(clause) if one.names]
    if (
        len(own) != 1
        or len(rates) != 1
        or len({one.names for one in found}) != 1
        or _OPEN.search(clause.text)
    ):
        return
    parameters = _parameters(clause, known)
    peaks = _peaks(narrowed(found[0], meant), clause)
    if len(parameters) == 1 and peaks:
        yield from _held(clause, own[0], 6 * parameters.pop() * (rates[0].base(_PER_SECOND) or 0.0), peaks)


def _is_share(clause: Clause, one: Quantity) -> bool:
    if one.literal.unit != "%":
        return False
    around = clause.heading(one.start) if clause.row else clause.around(one, 24, 12)
    return bool(_MFU.search(around))


def _is_rate(clause: Clause, one: Quantity) -> bool:
    """Whether a number is the tokens a second of one device."""
    if clause.row:
        heading = clause.heading(one.start)
        return bool(_TOKENS.search(heading) and _EACH.search(heading)) and one.has(_PER_SECOND)
    unit = one.literal.unit + clause.text[one.end : one.end + 10]
    return one.has(_PER_SECOND) and bool(_TOKENS.search(one.literal.unit) and _EACH.search(unit))


def _parameters(clause: Clause, known: Sizes) -> set[float]:
    """The parameters that a clause names, by a model or as a number."""
    models = named(clause.text, known)
    if models:
        alone = len({one.names for one in models}) == 1
        first = models[0].names[0]
        return set(values(first, "active") or values(first, "parameters")) if alone else set()
    return {
        one.literal.value * one.factor(())
        for one in clause.quantities
        if not one.literal.options[0].dimension
        and one.literal.value * one.factor(()) >= _LEAST
        and "tok" not in one.literal.unit
    }


def _peaks(mention: Mention, clause: Clause) -> list[Constant]:
    wanted = {name for name, _ in precisions(clause.text)} or {"bf16"}
    return [
        one
        for one in constants_of(mention, ("peak",), FLOPS)
        if one.tags.get("sparsity") == "dense" and one.tags.get("precision") in wanted
    ]


def _held(clause: Clause, own: Quantity, rate: float, peaks: Sequence[Constant]) -> Iterator[Claim]:
    rights = [rate / float(peak.base) for peak in peaks]
    shown, because = f"{100 * rights[0]:.3g} %", f"{rate / 1e12:.4g} TFLOP/s / ({peaks[0].text})"
    if any(own.agrees(right, ()) for right in rights):
        yield _claim(clause, own, shown, "true", "", because)
        return
    others = [
        (
            rights[0] * float(peaks[0].base / peak.base),
            f"another machine: over the peak of {entry('hardware', name).title}",
        )
        for one in machines(f"{clause.context} {clause.before}")
        for name in one.names
        for peak in _peaks(Mention((name,), 0, 0), clause)
    ]
    reason = hindered(clause, own)
    for value, cause in (*((rights[0] * factor, cause) for factor, cause in _SLIPS), *others):
        if own.agrees(value, ()) and abs(own.literal.value * own.factor(()) / value - 1) < _NEAR:
            yield _claim(clause, own, shown, "unsure" if reason else "false", reason or cause, because)
            return


def _claim(clause: Clause, own: Quantity, expected: str, verdict: Verdict, cause: str, because: str) -> Claim:
    text = clause.piece(own)
    return said(clause, own.start, text, expected, verdict, cause, "hardware", because)
