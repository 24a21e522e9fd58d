"""What documents say of the bytes of models: of their weights, and of the KV cache."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, named
from derive.checking.quantities import Quantity
from derive.checking.subjects import entry, precisions
from derive.checking.values import half_unit
from derive.checking.words import Dimension
from derive.constants import catalogue
from derive.entries import Entry

_BYTES: Dimension = (("byte", 1),)
_SIZES = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "fp4": 0.5}
_OTHER = re.compile(
    r"KV|cache|activation|optimizer|gradient|logit|train|fine-?tun|overhead|context|total|"
    r"together|adam|state|headroom|download|disk|per (?:GPU|device|token|layer)|each|\bMoE\b|"
    r"active|buffer|batch",
    re.IGNORECASE,
)
_SHARDED = re.compile(
    r"\b(?:per|a|each|every)[ -](?:GPU|card|device|rank|chip|shard|stage)|/ ?(?:GPU|card|device|rank|chip)",
    re.IGNORECASE,
)
"""A share of the cache on one of several devices."""
_PER_TOKEN = re.compile(r"/ ?(?:tok(?:en)?)\b|per (?:cached |context )?token|a token", re.IGNORECASE)
_ONE_TOKEN = re.compile(r"\b(?:one|an?|each|every|per) (?:cached )?token\b[^,;:()\d]*(?:\d+B\b[^,;:()\d]*)?$")
_NEAR = 60
_SEQUENCE = re.compile(r"(\d+(?:\.\d+)?) ?([kK])?[- ]?tokens?\b|(\d+) ?([kK]) (?:context|sequence)")


def claims(clause: Clause, sizes: Sizes) -> Iterator[Claim]:
    """The statements of a clause about the one model that it names. sizes: the models of the document by size."""
    found = named(clause.text, sizes)
    names = {one.names for one in found}
    if len(names) != 1 or len(found[0].names) != 1 or found[0].names[0] not in catalogue("model"):
        return
    model = entry("model", found[0].names[0])
    known = {one.role: float(one.base) for one in model.constants if not isinstance(one.value, bool)}
    if "parameters" not in known:
        return
    for quantity in clause.quantities:
        if any(one.start <= quantity.start < one.end for one in found):
            continue
        if quantity.literal.options[0].dimension == _BYTES:
            yield from _cache(clause, quantity, model, known)
            yield from _weights(clause, quantity, model, known)


def _cache(clause: Clause, quantity: Quantity, model: Entry, known: dict[str, float]) -> Iterator[Claim]:
    if (
        not re.search(r"\bKV\b|cache", f"{clause.context} {clause.text}")
        or not {"layers", "kv_heads", "head_dim"} <= known.keys()
    ):
        return
    close = clause.text[quantity.start : quantity.end + 30]
    tokens = 1.0
    before = clause.text[max(0, quantity.start - _NEAR) : quantity.start]
    if not _PER_TOKEN.search(close) and not _ONE_TOKEN.search(before):
        sequence = _SEQUENCE.search(close[quantity.end - quantity.start :])
        if sequence is None:
            return
        tokens = float(sequence[1] or sequence[3]) * (1024.0 if sequence[2] or sequence[4] else 1.0)
    if re.search(r"per layer|a layer|/layer|each layer", clause.text, re.IGNORECASE) or _SHARDED.search(
        close
    ):
        return
    elements = 2 * known["layers"] * known["kv_heads"] * known["head_dim"] * tokens
    formats = [name for name, _ in precisions(clause.text) if name in _SIZES]
    sizes = {_SIZES[name] for name in formats} or {2.0}
    text = clause.piece(quantity)
    extents = "{layers:.0f} layers × {kv_heads:.0f} KV heads × {head_dim:.0f}".format(**known)
    because = f"2 × {extents} × {min(sizes):g} bytes" + (f" × {tokens:.0f} tokens" if tokens > 1 else "")
    right = min(sizes) * elements
    shown = _shown(right, quantity)
    if any(_fits(quantity, size * elements) for size in sizes):
        yield _claim(clause, quantity.start, text, model, because, shown, "true", "", "kv-cache")
        return
    if not formats and any(_fits(quantity, size * elements) for size in (1.0, 4.0, 0.5)):
        return
    own = quantity.base(_BYTES) or 0.0
    cause = _cache_cause(own / right, known)
    if cause == UNKNOWN:
        return
    if abs(own / right - 1) > 0.05:
        yield _false(clause, quantity.start, text, model, because, shown, cause, "kv-cache")


def _cache_cause(ratio: float, known: dict[str, float]) -> str:
    group = known["heads"] / known["kv_heads"] if known.get("heads") else 1.0
    for factor, cause in (
        (group, "heads and KV heads: every query head is given a KV head of its own"),
        (0.5, "K+V: only one of K and V is counted"),
        (1 / known["layers"], "per layer and per model: one layer is counted"),
        (2.0, "element size: an element is taken twice as wide"),
    ):
        if factor != 1 and abs(ratio / factor - 1) < 0.03:
            return cause
    return by_ratio(ratio)


def _weights(clause: Clause, quantity: Quantity, model: Entry, known: dict[str, float]) -> Iterator[Claim]:
    """`16.1 GB of weights` in a format that is named."""
    close = clause.text[max(0, quantity.start - 40) : quantity.end + 24]
    formats = {name for name, _ in precisions(clause.text) if name in _SIZES}
    if not re.search(r"\bweights?\b|\bweighs\b|\bparameters\b|checkpoint", close) or len(formats) != 1:
        return
    window = clause.text[max(0, quantity.start - 24) : quantity.end + 24]
    size = _SIZES[formats.pop()]
    right = known["parameters"] * size
    text, because = (
        clause.piece(quantity),
        f"{known['parameters'] / 1e9:.4g}B parameters × {size:g} bytes",
    )
    own = quantity.base(_BYTES) or 0.0
    nominal = re.search(r"(\d+)b$", model.name)
    rounded = float(nominal[1]) * 1e9 * size if nominal else right
    if _fits(quantity, right) or _fits(quantity, rounded):
        yield _claim(
            clause, quantity.start, text, model, because, _shown(right, quantity), "true", "", "model"
        )
    elif (
        abs(own / right - 1) > 0.1
        and not _OTHER.search(window)
        and size >= 1
        and not re.search(r"\bfits?|spare|leav|left|card|GPU", window)
    ):
        cause = by_ratio(own / right)
        if cause != UNKNOWN:
            yield _false(
                clause, quantity.start, text, model, because, _shown(right, quantity), cause, "model"
            )


def _fits(quantity: Quantity, right: float) -> bool:
    return any(
        quantity.agrees(right, option.dimension)
        or abs(quantity.literal.value * option.factor - right)
        <= 2 * half_unit(quantity.literal.digits) * option.factor
        for option in quantity.literal.options
    )


def _shown(right: float, quantity: Quantity) -> str:
    return f"{right / quantity.factor(_BYTES):.4g} {quantity.literal.unit}"


def _claim(
    clause: Clause,
    place: int,
    text: str,
    model: Entry,
    because: str,
    expected: str,
    verdict: str,
    cause: str,
    rule: str,
) -> Claim:
    return Claim(
        line=clause.line(place),
        text=text,
        verdict="true" if verdict == "true" else "false" if verdict == "false" else "unsure",
        expected=expected,
        claimed=text,
        cause=cause,
        rule=rule,
        because=f"{model.title}: {because}",
        cell=clause.block.cell,
    )


def _false(
    clause: Clause, place: int, text: str, model: Entry, because: str, expected: str, cause: str, rule: str
) -> Claim:
    """A false statement, unless the text around it stands in the way."""
    hindered = clause.hindered()
    return _claim(
        clause,
        place,
        text,
        model,
        because,
        expected,
        "unsure" if hindered else "false",
        hindered or cause,
        rule,
    )
