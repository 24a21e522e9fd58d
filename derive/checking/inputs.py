"""What the numbers of a document are in the formulas of the field: parameters, tokens, devices, peaks, utilizations.

Sentences, rows of two cells, and the names of models and machines tell them. A formula takes the value that is told
nearest to where its result stands: in the paragraph, else in the section, else in the document.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, named
from derive.checking.known_models import values
from derive.checking.quantities import Quantity
from derive.checking.statements import BANDWIDTH, BYTES, FLOPS, constants_of
from derive.checking.subjects import machines
from derive.checking.words import Dimension

_FLOP: Dimension = (("FLOP", 1),)
_EACH_TOKEN: Dimension = (("FLOP", 1), ("token", -1))
_OF_PROMPT: tuple[Dimension, ...] = ((("token", 1),), (("sequence", -1), ("token", 1)))
_OF_BATCH: tuple[Dimension, ...] = (
    (("token", 1),),
    (("step", -1), ("token", 1)),
    (("batch", -1), ("token", 1)),
)
OF_STEP: tuple[Dimension, ...] = ((("second", 1),), (("second", 1), ("step", -1)))
_SEEN: Dimension = (("second", -1), ("token", 1))
_SEEN_EACH: Dimension = (("device", -1), ("second", -1), ("token", 1))
_PART = re.compile(
    r"\b(?:active|activated|embedding\w*|experts?|adapters?|LoRA|draft|trainable|shared|other|another|smaller|"
    r"larger|"
    r"first|second|per (?:layer|stage|GPU|device|rank)|than|like|unlike|vs\.?|versus|compared)\b"
)
_MODEL = re.compile(r"[\s-]*(?:[a-z]+[- ])?(?:model|network|transformer|LLM|decoder|checkpoint|parameter)\b")
_PROMPT = re.compile(r"\bprompts?\b|\bprefill\w*|\bcontext\b", re.IGNORECASE)
_N = re.compile(
    r"\bN\s*(?:=|of|is)\s*[~≈]?\s*$|\bparameters?(?:,|:| \(| \(N\)| N)?(?: is| are| =|:)? \(?[~≈]?$"
)
_D = re.compile(r"\bD\s*(?:=|of|is)\s*[~≈]?\s*$|\btokens?(?:,|:| \(| \(D\)| D)?(?: is| are| =|:)? \(?[~≈]?$")
_FEW_DEVICES = re.compile(
    r"\b(?:tensor|pipeline|expert|parallel\w*|nodes? (?:of|with)|per|each|stages?|fail\w*|spare|idle|other|"
    r"another|first|"
    r"more|extra|TP|PP|every|from|instead|than|up to)\b"
)
_PEAK = re.compile(r"\bpeaks?\b|\bdense\b|\btheoretical\b|\bdatasheet\b", re.IGNORECASE)
_SUSTAINED = re.compile(
    r"\b(?:sustain\w*|achiev\w*|reach\w*|effective\w*|deliver\w*|actual\w*|measured|get|gets|runs? at)\b",
    re.IGNORECASE,
)
_AT = re.compile(r"\b[Aa]t (?:about )?[~≈]?$")
_OF_PEAK = re.compile(r"%\s*of (?:the |its |their |a )?(?:\w+ ){0,3}~?$")
_ALL = re.compile(
    r"\b(?:cluster|together|total|aggregate|all|combined|altogether|whole|machine|system)\b", re.IGNORECASE
)
_SPARSE = re.compile(
    r"\bspars|\bFP8\b|\bINT8\b|\bFP4\b|\bFP32\b|\bTF32\b|\bFP64\b|\b2:4\b|vector", re.IGNORECASE
)
_USED = re.compile(
    r"\bMFU\b|utili[sz]ation|\befficien\w+|of (?:the |its |their |that |this )?(?:\w+ ){0,2}peak|\bof (?:which|"
    r"that)\b",
    re.IGNORECASE,
)
_NO_MFU = re.compile(
    r"\bHFU\b|\bSM\b|occupan|\bbandwidth|\bMBU\b|\bscaling\b|\bpower\b|parallel", re.IGNORECASE
)
_MEMORY = re.compile(r"\bHBM|\bmemory\b|\bbandwidth\b|\bDRAM\b", re.IGNORECASE)
_LINK = re.compile(
    r"NV-?Link|\blinks?\b|network|\bNIC|PCI|Infini|Ethernet|\bL[12]\b|cache|shared|disk|storage|NVMe|SSD|host|"
    r"CPU|per direction",
    re.IGNORECASE,
)
_BATCH = re.compile(r"\bbatch\b|\bper step\b|\b(?:a|each|every) step\b")
_STEP = re.compile(r"\b(?:a|each|every|per|one|training) step\b|\bsteps? (?:time|take|of|last)|s/step\b")
_SPLIT = re.compile(r"\b[Tt]ensor[- ]parallel\w*|\bTP\b")
_WEIGHTS = re.compile(r"\b[Ww]eights?\b")
_LABELS = (
    ("parameters", re.compile(r"^\W*(?:total |model |number of |non-?embedding )?param(?:eter)?s?\b|"
        r"^\W*model size\b|^\W*\$?N\$?\W*$", re.IGNORECASE)),
    ("trained", re.compile(r"^\W*(?:training |total |number of )?tokens?(?:,? D| \(D\))?\W*$|^\W*\$?D\$?\W*$|"
        r"^\W*(?:training )?data(?:set)?(?: size)?\W*$", re.IGNORECASE)),
    ("devices", re.compile(r"^\W*(?:number of |total )?(?:GPUs?|accelerators?|cards?|chips?|"
        r"devices?)\b(?!.*(?:per|/|peak|memory|hour))", re.IGNORECASE)),
    ("peak", re.compile(r"\bpeak\b(?!.*(?:bandwidth|power))", re.IGNORECASE)),
    ("mfu", re.compile(r"\bMFU\b|utili[sz]ation\b", re.IGNORECASE)),
    ("batch", re.compile(r"^\W*(?:global |total )?(?:token )?batch(?: size)?\b|\btokens (?:per|a|/) ?(?:step|"
        r"batch)\b", re.IGNORECASE)),
    ("step", re.compile(r"^\W*(?:time (?:per|of a) step|step time|seconds per step|"
        r"iteration time)\b", re.IGNORECASE)),
    ("weights", re.compile(r"^\W*(?:model )?weights?\b", re.IGNORECASE)),
    ("bandwidth", re.compile(r"\b(?:memory|HBM\w*) (?:bandwidth|BW)\b|^\W*bandwidth\W*$", re.IGNORECASE)),
)  # fmt: skip
_DIMENSIONS: Mapping[str, Dimension] = {
    "peak": FLOPS, "bandwidth": BANDWIDTH, "step": (("second", 1),), "weights": BYTES,
}  # fmt: skip
_LEAST = {
    "parameters": 5e7, "trained": 1e9, "devices": 2.0, "peak": 1e12, "bandwidth": 1e11, "mfu": 0.02, "batch": 1e4,
    "step": 1e-3, "weights": 1e8,
}  # fmt: skip
OF = " of "
"""What stands in an input that a name gives, before the name: 312 TFLOP/s of a100-80gb-sxm."""
_SETTLED = ("parameters", "trained", "devices", "peak", "bandwidth", "batch", "step")
"""What may be told behind its result, as it follows from nothing else."""
_BEFORE, _BEHIND, _SAME, _MOST, _KEPT = 44, 26, 0.03, 4000, 200
_FEW, _ONE_DEVICE, _LARGE = 1.2e15, 6e15, 1e18


class Input(NamedTuple):
    """A number in its role, in base units; at: the order of its clause, which stands in block of section, on line."""

    role: str
    value: float
    shown: str
    at: int
    block: int
    section: int
    line: int


Inputs = Mapping[str, Sequence[Input]]
"""The inputs of a document by role."""


def of_document(every: Sequence[Clause], known: Sizes) -> Inputs:
    """The inputs that the clauses of a document tell. known: its models by size."""
    found: dict[str, list[Input]] = defaultdict(list)
    for at, clause in enumerate(every[:_MOST]):
        told = _of_row(clause) if clause.row else _of_sentence(clause)
        for role, value, shown in (*told, *_of_names(clause, known)):
            if value > 0 and len(found[role]) < _KEPT:
                found[role].append(
                    Input(role, value, shown, at, id(clause.block), clause.section, clause.line(0))
                )
    return found


def near(inputs: Inputs, role: str, clause: Clause, at: int) -> list[Input]:
    """The inputs of a role that are told nearest to a clause, one for each value."""
    every = inputs.get(role, ())
    line = clause.line(0)  # rows of tables come behind all sentences
    before = [one for one in every if one.line <= line and (one.at <= at or one.block != id(clause.block))]
    for found in (
        [one for one in before if one.at == at],
        [one for one in before if one.block == id(clause.block)],
        [one for one in before if one.section == clause.section],
        every if role in _SETTLED else before,
    ):
        if found:
            return distinct(found)
    return []


def distinct(found: Iterable[Input]) -> list[Input]:
    """One input for each value; what a name rounds is the same as its number in full."""
    kept: list[Input] = []
    for one in found:
        if not any(abs(one.value / other.value - 1) < _SAME for other in kept):
            kept.append(one)
    return kept


def _of_sentence(clause: Clause) -> Iterator[tuple[str, float, str]]:
    text = clause.plain
    for one in amounts(clause):
        if not one.opaque and one.value.mid > 0:
            role = _role(one, text)
            if role:
                yield role, one.value.mid, one.shown


def _role(one: Amount, text: str) -> str:
    """What an amount of a sentence is; "" where it is nothing that formulas take."""
    value, kind = one.value.mid, one.kind
    before = text[max(0, one.start - _BEFORE) : one.start]
    around = before + text[one.start : one.end + _BEHIND]
    percent = one.quantity is not None and one.quantity.literal.unit == "%"
    if percent:
        return "mfu" if _USED.search(around) and not _NO_MFU.search(around) else ""
    if kind == (("parameter", 1),) or (one.name and _MODEL.match(text, one.end)):
        return "parameters" if value >= _LEAST["parameters"] and not _PART.search(around) else ""
    if kind in _OF_BATCH and value >= _LEAST["batch"] and _BATCH.search(around):
        return "batch"
    if kind in OF_STEP and _STEP.search(around):
        return "step"
    if kind == (("token", 1),) and value >= _LEAST["trained"]:
        return "trained"
    if kind in _OF_PROMPT:
        return "prompt" if value > 1 and _PROMPT.search(text) else ""
    if kind == (("device", 1),) and _SPLIT.search(around):
        return "ways"
    if kind == (("device", 1),):
        return "devices" if value >= 2 and not _FEW_DEVICES.search(around) else ""
    if one.bare and value >= _LEAST["parameters"]:
        return "parameters" if _N.search(before) else "trained" if _D.search(before) else ""
    measures = tuple((base, power) for base, power in kind if base != "device")
    if measures == FLOPS:
        return _rate(before, around, value, each=measures != kind)
    if measures == BANDWIDTH:
        if value < _LEAST["bandwidth"] or _LINK.search(around):
            return ""
        return "bandwidth" if _MEMORY.search(around) or value >= 1e12 else ""
    if kind == BYTES:
        return "weights" if _WEIGHTS.search(around) else ""
    if kind == _FLOP:
        return "compute" if value >= _LARGE else "pass" if _PROMPT.search(text) else ""
    return {_EACH_TOKEN: "each", _SEEN: "seen", _SEEN_EACH: "seen each"}.get(kind, "")


def _rate(before: str, around: str, value: float, each: bool) -> str:
    """Whether operations a second are the peak of a device, or what one or all of them sustain."""
    if _SPARSE.search(around):
        return ""
    whole = value > _ONE_DEVICE or (not each and value > _FEW and _ALL.search(around) is not None)
    if _OF_PEAK.search(before) or (_PEAK.search(before) and not _SUSTAINED.search(before)):
        return "" if whole else "peak"
    if _SUSTAINED.search(before):
        return "sustained by all" if whole else "sustained"
    if _PEAK.search(around):
        return "" if whole else "peak"
    return "sustained by all" if whole else "sustained" if _AT.search(before) else ""


def _of_row(clause: Clause) -> Iterator[tuple[str, float, str]]:
    """The inputs of a row with a label and a number: | GPUs | 512 |."""
    starts = [begin for begin, _ in clause.columns]
    label = clause.text[: starts[1]].rstrip("¦ ") if len(starts) > 1 else ""
    if len(starts) != 2 or not label:
        return
    for one in clause.quantities[:1] if len(clause.quantities) == 1 else ():
        for role, pattern in _LABELS:
            if one.start >= starts[1] and pattern.search(label) and not _SPARSE.search(label):
                value = _value(one, role, clause)
                if value is not None and value >= _LEAST[role]:
                    yield role, value, clause.piece(one)
                break


def _value(one: Quantity, role: str, clause: Clause) -> float | None:
    """The value of a number in a row in its role."""
    if role in _DIMENSIONS:
        return one.base(_DIMENSIONS[role])
    value = one.literal.value * one.factor(())
    return None if any(option.dimension for option in one.literal.options[:1]) else value


def _of_names(clause: Clause, known: Sizes) -> Iterator[tuple[str, float, str]]:
    """The parameters of the models that a clause names, the peak and the bandwidth of its machines."""
    for model in named(clause.text, known):
        for name in model.names[:1]:
            for value in values(name, "parameters")[:1] if not values(name, "active") else ():
                yield "parameters", value, name
    for machine in machines(clause.text):
        for role, kind in (("peak", FLOPS), ("bandwidth", BANDWIDTH)):
            every = [
                one
                for one in constants_of(machine, (role,), kind)
                if role != "peak"
                or (one.tags.get("sparsity"), one.tags.get("precision")) == ("dense", "bf16")
            ]
            for place, one in enumerate(every):  # the first variant is meant where the text tells none
                yield role + "?" * (place > 0), float(one.base), f"{one.text}{OF}{one.entry}"
