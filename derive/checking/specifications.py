"""Specifications: lists and tables of two columns that give a value to each of several labels, some of which follow.

GPUs: 256, duration: 12 days, GPU-hours: 73,728; layers, width, heads and the dimension of a head; parameters, tokens
and 6ND. A label that stands twice is left out. A value is false only where a slip leads from the right one to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from derive.checking.blocks import Block, Document
from derive.checking.causes import SWAPPED, UNKNOWN, slip
from derive.checking.claims import Claim
from derive.checking.columns import Grid, with_heading
from derive.checking.gates import of_text
from derive.checking.inline import unmarked
from derive.checking.judging import value_in
from derive.checking.lists import items_of
from derive.checking.quantities import Quantity, quantities
from derive.checking.statements import BYTES, FLOPS
from derive.checking.words import Dimension, counted, magnitude

_SECOND: Dimension = (("second", 1),)
_DOLLAR: Dimension = (("dollar", 1),)
_WORK: Dimension = (("FLOP", 1),)
_DEVICE = r"(?:gpu|accelerator|chip|device|card|tpu)"
_MANY = r"(?:total |number of |# ?(?:of )?|no\. of |num )?"
_ROLES: tuple[tuple[str, str, Dimension], ...] = (
    ("gpus", rf"{_MANY}{_DEVICE}s?(?:,? (?:in )?total)?|world[ _]size", ()),
    ("nodes", rf"{_MANY}(?:nodes?|servers?|hosts?)", ()),
    ("gpus a node", rf"{_DEVICE}s?(?: per | ?/ ?)(?:node|server|host)", ()),
    ("time", r"(?:run ?time|duration|wall[- ]?clock(?: time)?|training time|elapsed(?: time)?|hours|days)", _SECOND),
    ("device time", rf"(?:total )?{_DEVICE}[- ]?hours?(?:,? (?:in )?total| used)?", ()),
    ("price", rf"(?:price|cost|rate)(?: per| of an?|/| a) ?{_DEVICE}[- ]?(?:hours?|h)", _DOLLAR),
    ("cost", r"(?:total )?(?:costs?|budget|bill)(?:,? (?:in )?total)?", _DOLLAR),
    ("heads", rf"{_MANY}(?:attention |query |q )?heads", ()),
    ("width", r"hidden(?: size| dim(?:ension)?)?|d_?model|model (?:width|dim(?:ension)?)|width|embedding dim", ()),
    ("head width", r"head[ _-](?:dim(?:ension)?|size|width)|d_?head|dimension of a head", ()),
    ("sequence", r"(?:sequence|context|seq)[ _-]?(?:len(?:gth)?)?|block[ _]size", ()),
    ("micro-batch", rf"micro[ _-]?batch(?:[ _-]size)?(?: per {_DEVICE})?|(?:batch(?: size)?) per {_DEVICE}", ()),
    ("data parallel", r"data[ _-]parallel(?:ism)?(?: degree| size| ranks)?|dp(?: degree| size)?", ()),
    ("accumulation", r"(?:gradient |grad )?accum(?:ulation)?(?:[ _-]steps)?", ()),
    ("batch", r"(?:global|effective|total)[ _-]batch(?:[ _-]size)?", ()),
    ("tokens a step", r"tokens (?:per|a|each|/) ?(?:step|batch|update|iteration)|batch in tokens|batch \(tokens\)", ()),
    ("steps", r"(?:training |total |number of |optimi[sz]er )?(?:steps|iterations|updates)", ()),
    ("step time", r"time (?:per|of a|a) step|step time|seconds per step|iteration time", _SECOND),
    ("tokens", r"(?:training |total |number of )?tokens(?: seen|,? (?:in )?total)?|training data|d", ()),
    ("parameters", r"(?:model |total |number of )?param(?:eter)?s|model size|n", ()),
    ("bytes each", r"bytes (?:per|a|each|/) ?(?:param(?:eter)?|weight|element)", ()),
    ("weights", r"(?:model )?weights(?: memory| size)?", BYTES),
    ("work", r"(?:training |total )?(?:flops?|compute)(?: ?= ?6 ?n ?d| 6nd|,? (?:in )?total)?|c", _WORK),
    ("peak", r"(?:bf16 |dense |theoretical )*peak(?: flops?| compute| performance)?", FLOPS),
    ("achieved", r"(?:achieved|sustained|reached)(?: flops?| compute| performance| throughput)?", FLOPS),
    ("utilization", r"mfu|(?:model )?(?:flops? )?utili[sz]ation", ()),
    ("memory", rf"(?:hbm|vram|{_DEVICE} memory|memory)(?: capacity)?(?: (?:per|of an?|a) {_DEVICE})?", BYTES),
    ("memory of all", r"(?:total|aggregate) (?:hbm|memory|vram)|(?:hbm|memory|vram),? (?:in )?total", BYTES),
)  # fmt: skip
_PATTERNS = tuple((role, re.compile(pattern, re.IGNORECASE), kind) for role, pattern, kind in _ROLES)
_RULES: tuple[tuple[str, float, tuple[str, ...], tuple[str, ...]], ...] = (
    ("gpus", 1.0, ("nodes", "gpus a node"), ()),
    ("device time", 1 / 3600, ("gpus", "time"), ()),
    ("cost", 1.0, ("device time", "price"), ()),
    ("head width", 1.0, ("width",), ("heads",)),
    ("batch", 1.0, ("micro-batch", "data parallel", "accumulation"), ()),
    ("tokens a step", 1.0, ("batch", "sequence"), ()),
    ("tokens a step", 1.0, ("micro-batch", "data parallel", "accumulation", "sequence"), ()),
    ("steps", 1.0, ("tokens",), ("tokens a step",)),
    ("time", 1.0, ("steps", "step time"), ()),
    ("weights", 1.0, ("parameters", "bytes each"), ()),
    ("work", 6.0, ("parameters", "tokens"), ()),
    ("utilization", 1.0, ("achieved",), ("peak",)),
    ("memory of all", 1.0, ("memory", "gpus"), ()),
)
"""What follows: a factor, what stands above the line and what below it."""
_ITEM = re.compile(r"^\W*(?P<label>[A-Za-z][^:=\n]{0,48}?)\s*(?::|=|\s[-–—]\s)\s*(?=[\d$~≈(\x02])")
_BRACKET = re.compile(r"\s*\([^()]*\)|[*`_$\x02\x03]+")
_FACTORS = {
    **dict.fromkeys((2.0, 0.5, 4.0, 0.25, 8.0, 0.125), "counted twice, or half"),
    **dict.fromkeys((10.0, 0.1, 100.0, 0.01), "power of ten"),
    **dict.fromkeys((1e3, 1e-3, 1e6, 1e-6), "prefix"),
    **dict.fromkeys((24.0, 1 / 24), "hours and days"),
    **dict.fromkeys((60.0, 1 / 60), "minutes and hours"),
    3.0: "operations: 6 a parameter and token, and not 2", 1 / 3: "operations: 2 a parameter and token, and not 6",
    6.0: "operations: 6 a parameter and token", 1 / 6: "operations: 6 a parameter and token",
}  # fmt: skip
_FEWEST, _NEAR, _TWO = 2, 0.006, 2


@dataclass(frozen=True)
class _Entry:
    """A labelled value: in base units, how far its digits leave it open, its number and where it stands."""

    value: float
    open: float
    quantity: Quantity
    kind: Dimension
    shown: str
    line: int
    block: Block
    place: int = 0


def claims(document: Document, grids: Sequence[Grid]) -> Iterator[Claim]:
    """The values of specifications that follow from others."""
    for found in (*_of_lists(document), *_of_tables(grids)):
        if len(found) > _FEWEST:
            for target, factor, above, below in _RULES:
                if target in found and all(role in found for role in (*above, *below)):
                    yield from _held(found, target, factor, above, below)


def _of_lists(document: Document) -> Iterator[Mapping[str, _Entry]]:
    for items in items_of(document):
        entries: list[tuple[str, _Entry]] = []
        for item in items:
            head = _ITEM.match(item.text)
            if head is not None:
                entries += _entry(head["label"], item.text[head.end() :], item.block, item.place + head.end())
        yield _single(entries)


def _of_tables(grids: Sequence[Grid]) -> Iterator[Mapping[str, _Entry]]:
    for grid in grids:
        entries: list[tuple[str, _Entry]] = []
        for cells in grid.table.rows if not grid.turned else ():
            if len(cells) == _TWO and len(cells[1].text) < 60:
                entries += [
                    (role, entry)
                    for role, entry in _entry(unmarked(cells[0].text), cells[1].text, cells[1], 0)
                ]
        yield _single(entries)


def _single(entries: Sequence[tuple[str, _Entry]]) -> Mapping[str, _Entry]:
    """The entries by role, without those of a role that stands twice."""
    roles = [role for role, _ in entries]
    return {role: entry for role, entry in entries if roles.count(role) == 1}


def _entry(label: str, text: str, block: Block, at: int) -> Iterator[tuple[str, _Entry]]:
    """The entry of a label, where its value is one number."""
    found = quantities(text[:80])
    name = " ".join(_BRACKET.sub(" ", unmarked(label)).split()).rstrip(" :")
    if len(found) != 1 or unmarked(text[: found[0].start]).strip(" ~≈=$"):
        return
    for role, pattern, kind in _PATTERNS:
        if not pattern.fullmatch(name):
            continue
        one = with_heading(found[0], label) if kind else found[0]
        if role == "batch" and ("token", 1) in counted(one.literal.unit):
            role = "tokens a step"
        value = _value(one, role, kind)
        if value is not None and value > 0 and math.isfinite(value):
            exact = not kind and "." not in one.literal.digits and magnitude(one.literal.unit) == 1
            slack = 0.0 if exact else one.slack(kind)
            yield role, _Entry(value, slack / value, one, kind, f"{name} {text[: found[0].end].strip()}",
                               block.line(at + found[0].start), block)  # fmt: skip
        return


def _value(one: Quantity, role: str, kind: Dimension) -> float | None:
    """The value of a number in its role; None for one with the unit of something else."""
    unit, plain = one.literal.unit, not any(option.dimension for option in one.literal.options[:1])
    if role == "price":
        return one.literal.value if unit.startswith("USD") else None
    if role == "device time" and not plain:
        seconds = one.base(_SECOND)
        return None if seconds is None else seconds / 3600
    if role == "bytes each" and not plain:
        return one.base(BYTES)
    if kind and not (role == "work" and plain):
        return one.base(kind)
    return one.literal.value * one.factor(()) if plain else None


def _held(
    found: Mapping[str, _Entry], target: str, factor: float, above: Sequence[str], below: Sequence[str]
) -> Iterator[Claim]:
    told = found[target]
    right = (
        factor
        * math.prod(found[role].value for role in above)
        / math.prod(found[role].value for role in below)
    )
    reach = sum(found[role].open for role in (*above, *below))
    if not right or not math.isfinite(right):
        return
    off = abs(told.value / right - 1)
    if off <= told.open * told.value / right + reach + 1e-9:
        yield _claim(told, right, "true", "", found, above, below)
        return
    ratio = told.value / right
    cause = next((name for one, name in _FACTORS.items() if abs(ratio / one - 1) < _NEAR + reach), "")
    expected = right / told.quantity.factor(told.kind)
    digits = told.quantity.literal.digits
    if not cause and len(digits) == _TWO and digits != digits[::-1] == f"{expected:.0f}":
        cause = SWAPPED
    if not cause and slip(told.quantity.literal, expected).startswith((SWAPPED, "one digit")):
        cause = slip(told.quantity.literal, expected)
    if cause and cause != UNKNOWN:
        yield _claim(told, right, "false", cause, found, above, below)


def _claim(
    told: _Entry, right: float, verdict: str, cause: str, found: Mapping[str, _Entry],
    above: Sequence[str], below: Sequence[str],
) -> Claim:  # fmt: skip
    hindered = of_text(told.block, 0) if verdict == "false" else ""
    because = " × ".join(found[role].shown for role in above)
    because += "".join(f" / {found[role].shown}" for role in below)
    literal = told.quantity.literal
    shown = f"{literal.digits} {literal.unit}".strip()
    return Claim(
        line=told.line,
        text=shown,
        verdict="true" if verdict == "true" else "unsure" if hindered else "false",
        expected=value_in(right, literal, told.kind),
        claimed=shown,
        cause=hindered or cause,
        rule="table-formula",
        because=because,
        cell=told.block.cell,
        place=told.place,
    )
