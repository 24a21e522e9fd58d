"""Bytes of a model that a sentence speaks of: its weights in a format, its training state at so many bytes each.

The model is the one that the sentence names or gives the parameters of, or the one that its paragraph or the whole
document is about. The bytes of its weights are its parameters times the width of the format; those of a training
state are its parameters times the bytes that the document counts for each of them. A number is false only by a plain
slip, or where another number of bytes for each parameter leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, meant_near, named
from derive.checking.known_models import values
from derive.checking.names import Mention
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.sizes import FORMAT, width_of
from derive.checking.slips import judged, plain
from derive.checking.statements import BYTES
from derive.checking.words import counted

_LETTER = re.compile(r"(?<![\w.])[NPΨψ]\s*=\s*[~≈]?\s*$")
_SIZED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)B\b(?![/\w]|\s(?:tok|seq|FLOP|req|param))")
_NOMINAL = re.compile(r"-(\d+(?:\.\d+)?)b$")
_ENTRY = re.compile(r"weights|param|state|activation|tun|\bsame\b")
_LEAST, _SAME, _REACH, _BACK, _NEAR, _BEFORE = 5e7, 0.03, 0.01, 60, 30, 12
_ABOUT = r"(?: up| about| some| only| just)?\s+[~≈]?$"
_HOLDS = rf"(?:alone |themselves |only )?(?:take|occupy|need|are|weigh|come to|fill|use|make){_ABOUT}"
_WEIGHTS = Sought(
    rf"\b(?P<format>{FORMAT})(?:,? the)?(?: model)? (?:weights|parameters) {_HOLDS}|"
    rf"\b(?:[Tt]he |[Ii]ts )?(?:weights|parameters)(?: alone| themselves)?,? in (?P<also>{FORMAT}),? {_HOLDS}|"
    rf"\b[Ii]n (?P<too>{FORMAT})(?: precision)?,? (?:the |its |our )?(?:model )?(?:weights|parameters) {_HOLDS}",
    ("weights", "parameters"),
)
_STATE = Sought(
    r"\b(?:training|model|optimi[sz]er) states? (?:\w+ )?(?:is|are|takes?|occup(?:y|ies)|needs?|comes? to|weighs?|"
    rf"adds? up to|fills?|makes?){_ABOUT}",
    ("state",),
)
_VERB = re.compile(
    rf"\b(?:is|are|takes?|occup(?:y|ies)|needs?|wants?|requires?|costs?|comes? to|weighs?|adds? up to|makes?){_ABOUT}"
)
_OF_STATE = re.compile(r"\s*(?:of |for (?:the |its )?)(?:training |model |optimi[sz]er )states?\b")
_STATED = Sought(
    r"\b(?:model|training) states?\b|\bbefore (?:the|a|any)(?: first| single)? activations?\b|"
    r"\b[Ff]ull(?:[- ]parameter)? fine-?tun\w+|\bsame (?:recipe|accounting|arithmetic|rule)\b",
    ("state", "activation", "tun", "same"),
)
"""What tells that bytes are those of weights, gradients and optimizer together."""
_FIRST = re.compile(r"\b(before (?:the|a|any)) (?:first|single) (?=activation)")
_SAME_MODEL = re.compile(r"\b(?:same|this|that) model\b")
_TOTAL = re.compile(r"\W*(?:total|sum|all|together|in all)\b", re.IGNORECASE)
_OTHER_STATES = (2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0)
"""Bytes for each parameter that others count: weights alone, without gradients, without a master copy."""
_EACH = re.compile(
    r"=\s*(\d{1,2})\$?\s*(?:B|bytes?)\b|"
    r"(?<![\d.,])(\d{1,2})\s(?:B|bytes?) (?:per|for each|a|for every) (?:parameter|param|weight)\b"
)
_EACH_LINKED = re.compile(
    r"(?<![\d.,])(\d{1,2})\s(?:B|bytes?) (?:per|for each|a|for every) (?:parameter|param|weight),? "
    r"(?:altogether|in all|in total|together|that is|which (?:is|makes|gives)|i\.e\.,?|or|hence|so|thus|makes?|gives?)"
    r"(?: about| some)?\s+[~≈]?$"
)
_PER = re.compile(r"\b(?:per|for each|for every|each|an?) (?:parameter|param|weight)")
_PART = re.compile(
    r"\b(?:per|each|every|shard\w*|split|half|quarter|expert\w*|attention|embedding\w*|layers?|adapter\w*|LoRA|draft|"
    r"quanti\w*|without|non-|other|active|both(?! (?:Adam )?moments)|copies|GPUs|ranks|cards|ZeRO|FSDP|"
    r"first|second|8-bit|eight-bit|Adafactor|SGD|Lion|Muon|offload\w*)\b"
)
_SLIPS = {
    0.25: "element size", 0.5: "element size", 2.0: "element size", 4.0: "element size", 10.0: "power of ten",
    0.1: "power of ten", 8.0: "bit and byte", 0.125: "bit and byte",
}  # fmt: skip


def claims(every: Sequence[Clause], mentions: Sequence[Mention], known: Sizes) -> Iterator[Claim]:
    """The bytes of models. known: the models of the document by size."""
    told = [at for at, clause in enumerate(every) if not clause.row and _ENTRY.search(clause.text)]
    if not told:
        return
    only, each = _parameters(every, mentions), _bytes_each(every)
    for at in told:
        clause = every[at]
        sizes = _sizes(clause, known)
        many = _own(clause, every[max(0, at - _BEFORE) : at], known, only) if sizes else ()
        text = _FIRST.sub(r"\1 ", plain(clause.text))
        for one in sizes if many else ():
            if not one.about:
                yield from _of_weights(clause, text, one, many)
                yield from _of_its_each(clause, one, many)
                if each is not None:
                    yield from _of_state(clause, text, one, many, each, alone=len(sizes) == 1)


def _sizes(clause: Clause, known: Sizes) -> list[Quantity]:
    """The bytes of a sentence, the billions in the names of models left out."""
    found = [one for one in clause.quantities if one.has(BYTES) and not counted(one.literal.unit)]
    models = named(clause.text, known) if found else []
    return [one for one in found if not any(name.start <= one.start < name.end for name in models)]


def _own(clause: Clause, before: Sequence[Clause], known: Sizes, only: float | None) -> tuple[float, ...]:
    """The parameters of the model that a sentence speaks of, as its name rounds them, too; none where that is open."""
    told = {value for one in clause.quantities if (value := _told(one, clause)) >= _LEAST}
    found = meant_near(clause, known)
    if not found and _SAME_MODEL.search(clause.text):
        found = next((last for one in reversed(before) if (last := named(one.text, known))), [])
    models = {name for one in found for name in one.names}
    if len(models) > 1 or len(told) > 1:
        return ()
    if told:
        return tuple(told)
    if not models:
        return () if only is None else (only,)
    (name,) = models
    right = values(name, "parameters")
    nominal = _NOMINAL.search(name)
    return (*right[:1], *((float(nominal[1]) * 1e9,) if nominal and right else ()))


def _told(one: Quantity, clause: Clause) -> float:
    """The number of parameters that a quantity tells; 0 where it tells none."""
    mention = Mention(clause, one)
    if one.literal.options[0].dimension or not (
        mention.kind == ((), "parameter") or mention.noun.startswith(("param", "weight"))
    ):
        return 0.0
    return one.literal.value * one.literal.options[0].factor


def _parameters(every: Sequence[Clause], mentions: Sequence[Mention]) -> float | None:
    """The one number of parameters that a document tells, None where there is none or several."""
    found: list[float] = []
    lettered: set[float] = set()
    for one in mentions:
        value = one.quantity.literal.value * one.quantity.literal.options[0].factor
        named = one.kind == ((), "parameter") or one.noun.startswith(("param", "weight"))
        begin = max(0, one.quantity.start - _NEAR)
        letter = not one.kind[0] and _LETTER.search(plain(one.clause.text[begin : one.quantity.start]))
        if value >= _LEAST and (named or letter):
            found.append(value)
            lettered |= {value} if letter else set()
    if len(lettered) == 1:
        return lettered.pop()
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
        if clause.row:
            found |= {one.literal.value for one in clause.quantities if _is_total_of_each(clause, one)}
        for told in _EACH.finditer(text) if "byte" in text or " B" in text else ():
            if told[2] or _PER.search(text):
                found.add(float(told[1] or told[2]))
    large = {one for one in found if one > 8}
    return large.pop() if len(large) == 1 else None


def _is_total_of_each(clause: Clause, one: Quantity) -> bool:
    """Whether a number of a table is the total of its bytes for each parameter."""
    heading = clause.heading(one.start)
    return bool("byte" in heading and _PER.search(heading) and _TOTAL.match(clause.text))


def _of_weights(clause: Clause, text: str, one: Quantity, many: Sequence[float]) -> Iterator[Claim]:
    before = plain(clause.text[: one.start])
    told = _WEIGHTS.search(before, max(0, len(before) - 2 * _BACK), len(before))
    if told is None or _PART.search(text):
        return
    name = told["format"] or told["also"] or told["too"]
    yield from _of_each(clause, one, many, width_of(name), _SLIPS)


def _of_state(
    clause: Clause, text: str, one: Quantity, many: Sequence[float], each: float, alone: bool
) -> Iterator[Claim]:
    before = plain(clause.text[: one.start])
    said = _STATE.search(before, max(0, len(before) - 2 * _BACK), len(before)) is not None
    leads = _VERB.search(before, max(0, len(before) - _BACK)) is not None
    stated = alone and leads and (_STATED.search(text) or _OF_STATE.match(clause.text, one.end))
    if (said or stated) and not _PART.search(text):
        others = {other / each: "bytes a parameter" for other in _OTHER_STATES if other != each}
        yield from _of_each(clause, one, many, each, {**others, **_SLIPS} if stated else _SLIPS)


def _of_its_each(clause: Clause, one: Quantity, many: Sequence[float]) -> Iterator[Claim]:
    """`12 bytes per parameter, altogether 154.1 GB`: the sentence itself says how many bytes each parameter takes."""
    before = plain(clause.text[: one.start])
    told = _EACH_LINKED.search(before)
    if told is not None and not _PART.search(f"{before[: told.start()]} {clause.text[one.end :]}"):
        each = float(told[1])
        others = {other / each: "bytes a parameter" for other in _OTHER_STATES if other != each}
        yield from _of_each(clause, one, many, each, {**others, **_SLIPS})


def _of_each(
    clause: Clause, one: Quantity, many: Sequence[float], each: float, slips: dict[float, str]
) -> Iterator[Claim]:
    """Bytes held against so many for each parameter; many: the parameters, as a name rounds them, too."""
    found = [
        claim
        for size in many
        for claim in judged(clause, one, BYTES, size * each, f"{size:.4g} × {each:g} bytes", slips, _REACH)
    ]
    right = [claim for claim in found if claim.verdict == "true"]
    yield from (right or found)[:1]
