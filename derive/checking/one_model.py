"""Bytes of the one model that a document is about: its weights in a format, its training state at so many bytes each.

The document must tell one number of parameters and no other. The bytes of its weights are then that many times the
width of the format; those of a training state that many times the bytes that the document counts for each parameter.
A number is false only by a plain slip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.names import Mention
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.sizes import FORMAT, width_of
from derive.checking.slips import judged, plain
from derive.checking.statements import BYTES
from derive.checking.words import counted

_LETTER = re.compile(r"(?<![\w.])[NPΨψ]\s*=\s*[~≈]?\s*$")
_SIZED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)B\b(?![/\w]|\s(?:tok|seq|FLOP|req|param))")
_LEAST, _SAME, _REACH, _BACK, _NEAR = 5e7, 0.03, 0.01, 60, 30
_ABOUT = r"(?: up| about| some| only| just)?\s+[~≈]?$"
_HOLDS = rf"(?:alone |themselves |only )?(?:take|occupy|need|are|weigh|come to|fill|use|make){_ABOUT}"
_WEIGHTS = Sought(
    rf"\b(?P<format>{FORMAT})(?:,? the)?(?: model)? (?:weights|parameters) {_HOLDS}|"
    rf"\b(?:[Tt]he |[Ii]ts )?(?:weights|parameters) in (?P<also>{FORMAT}),? {_HOLDS}|"
    rf"\b[Ii]n (?P<too>{FORMAT})(?: precision)?,? (?:the |its |our )?(?:model )?(?:weights|parameters) {_HOLDS}",
    ("weights", "parameters"),
)
_STATE = Sought(
    r"\b(?:training|model|optimi[sz]er) states? (?:\w+ )?(?:is|are|takes?|occup(?:y|ies)|needs?|comes? to|weighs?|"
    rf"adds? up to|fills?|makes?){_ABOUT}",
    ("state",),
)
_EACH = re.compile(
    r"=\s*(\d{1,2})\$?\s*(?:B|bytes?)\b|"
    r"\b(\d{1,2})\s(?:B|bytes?) (?:per|for each|a|for every) (?:parameter|param|weight)\b"
)
_PER = re.compile(r"(?:per|for each|for every|each) (?:parameter|param|weight)")
_PART = re.compile(
    r"\b(?:per|each|every|shard\w*|split|half|quarter|expert\w*|attention|embedding\w*|layers?|adapter\w*|LoRA|draft|"
    r"quanti\w*|without|non-|other|active|both|copies|GPUs|ranks|cards|ZeRO|FSDP|first|second)\b"
)
_SLIPS = {
    0.25: "element size", 0.5: "element size", 2.0: "element size", 4.0: "element size", 10.0: "power of ten",
    0.1: "power of ten", 8.0: "bit and byte", 0.125: "bit and byte",
}  # fmt: skip


def claims(every: Sequence[Clause], mentions: Sequence[Mention]) -> Iterator[Claim]:
    """The bytes of the only model of a document."""
    told = [
        clause for clause in every if not clause.row and ("weights" in clause.text or "state" in clause.text)
    ]
    many = _parameters(every, mentions) if told else None
    if many is None:
        return
    each = _bytes_each(every)
    for clause in told:
        text = plain(clause.text)
        for one in clause.quantities:
            if one.has(BYTES) and not counted(one.literal.unit) and not one.about:
                yield from _of_weights(clause, text, one, many)
                if each is not None:
                    yield from _of_state(clause, text, one, many, each)


def _parameters(every: Sequence[Clause], mentions: Sequence[Mention]) -> float | None:
    """The one number of parameters that a document tells, None where there is none or several."""
    found: list[float] = []
    for one in mentions:
        value = one.quantity.literal.value * one.quantity.literal.options[0].factor
        named = one.kind == ((), "parameter") or one.noun.startswith(("param", "weight"))
        begin = max(0, one.quantity.start - _NEAR)
        letter = not one.kind[0] and _LETTER.search(plain(one.clause.text[begin : one.quantity.start]))
        if value >= _LEAST and (named or letter):
            found.append(value)
    sized = (float(size[1]) * 1e9 for clause in every for size in _SIZED.finditer(clause.text))
    found += [one for one in sized if one >= _LEAST]
    exact = [one for one in found if any(abs(one / other - 1) <= _SAME for other in found)]
    if not exact or any(abs(one / exact[0] - 1) > _SAME for one in found):
        return None
    return max(exact, key=lambda one: len(f"{one:.6g}".rstrip("0")))


def _bytes_each(every: Sequence[Clause]) -> float | None:
    """The bytes for each parameter that a document counts, None where it tells several."""
    found: set[float] = set()
    for clause in every:
        text = plain(clause.text)
        for told in _EACH.finditer(text) if "byte" in text or " B" in text else ():
            if told[2] or _PER.search(text):
                found.add(float(told[1] or told[2]))
    large = {one for one in found if one > 8}
    return large.pop() if len(large) == 1 else None


def _of_weights(clause: Clause, text: str, one: Quantity, many: float) -> Iterator[Claim]:
    before = plain(clause.text[: one.start])
    told = _WEIGHTS.search(before, max(0, len(before) - 2 * _BACK), len(before))
    if told is None or _PART.search(text):
        return
    name = told["format"] or told["also"] or told["too"]
    width = width_of(name)
    yield from judged(clause, one, BYTES, many * width, f"{many:.4g} × {width:g} bytes", _SLIPS, _REACH)


def _of_state(clause: Clause, text: str, one: Quantity, many: float, each: float) -> Iterator[Claim]:
    before = plain(clause.text[: one.start])
    if _STATE.search(before, max(0, len(before) - 2 * _BACK), len(before)) and not _PART.search(text):
        yield from judged(clause, one, BYTES, many * each, f"{many:.4g} × {each:g} bytes", _SLIPS, _REACH)
