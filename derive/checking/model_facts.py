"""What documents say of the bytes of models: of their weights, and of the KV cache."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from derive.checking.blocks import Block
from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, named
from derive.checking.known_models import mentioned, title, values
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import quoted
from derive.checking.subjects import WIDTHS, precisions
from derive.checking.values import half_unit
from derive.checking.words import Dimension

_BYTES: Dimension = (("byte", 1),)
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
_SHARDED_ANYWHERE = re.compile(
    rf"{_SHARDED.pattern}|\b(?:each|one) of the|\bTP\b|tensor[- ]parallel\w*|\b(?:split|shard|divid|spread)\w*|"
    r"\bon each\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|had|would|could|were|without|suppose|imagine|instead|hypothetical\w*|unless|full multi-head|MHA)\b|"
    r"['’]d\b",
    re.IGNORECASE,
)
_TASK = re.compile(r"\b(?:[Rr]epeat|[Ss]uppose|[Ii]magine|[Aa]ssume|[Ww]hat if)\b")
_NARROW = re.compile(
    r"\b(?:FP8|INT8|INT4|FP4|8[- ]bit|4[- ]bit|E4M3|E5M2|quanti[sz]\w*|compress\w*)\b", re.IGNORECASE
)
"""What the cache may be stored in, so that it has less bytes than in 16 bits."""
_CACHE = Sought(r"\bKV\b|\bcach", ("kv", "cach"), ignore_case=True)
_OF_A_LAYER = re.compile(r"per layer|a layer|/layer|each layer|one layer", re.IGNORECASE)
_PER_TOKEN = re.compile(r"/\s?(?:tok(?:en)?)\b|per\s(?:cached\s|context\s)?token|a\stoken", re.IGNORECASE)
_ONE_TOKEN = re.compile(
    r"\b(?:one|an?|each|every|per)\s(?:cached\s)?token\b[^,;:()\d]*(?:\d+B\b[^,;:()\d]*)?$"
)
_BITS = re.compile(r"\b(32|16|8|4)[- ]bits?\b", re.IGNORECASE)
_BROUGHT = re.compile(
    r"\b(?:halv\w+|from|goes|went|brings?|brought|shr[iau]nk\w*|reduc\w*|cuts?|down to|instead|becomes?)\b",
    re.IGNORECASE,
)
"""What tells of the same bytes in another format, too."""
_NEAR = 60
_SEQUENCE = re.compile(r"(\d+(?:\.\d+)?) ?([kK])?[- ]?tokens?\b|(\d+) ?([kK]) (?:context|sequence)")


def claims(clause: Clause, sizes: Sizes, alone: Only) -> Iterator[Claim]:
    """The statements of a clause about the one model that it names.

    sizes: the models of the document by size. alone: the only model of the document, of which "the cache" is.
    """
    if not any(one.literal.options[0].dimension == _BYTES for one in clause.quantities):
        return
    found = named(clause.text, sizes)
    names = {one.names for one in found}
    if not names and alone.model:
        yield from _of_the_only_one(clause, alone)
        return
    if len(names) != 1 or len(found[0].names) != 1:
        return
    model = found[0].names[0]
    for quantity in clause.quantities:
        if any(one.start <= quantity.start < one.end for one in found):
            continue
        if quantity.literal.options[0].dimension == _BYTES:
            yield from _cache(clause, quantity, model)
            yield from _weights(clause, quantity, model)


class Only(NamedTuple):
    """The one model that a document names, "" where it names several; narrow: its cache may be in less than 16 bits."""

    model: str
    narrow: bool


def only_one(blocks: Iterable[Block]) -> Only:
    """The one model that a document names."""
    found: set[tuple[str, ...]] = set()
    narrow = False
    for block in blocks:
        found |= {one.names for one in mentioned(block.text)}
        if len(found) > 1:
            return Only("", False)
        narrow = narrow or bool(_CACHE.search(block.text) and _NARROW.search(block.text))
    names = found.pop() if found else ()
    return Only(names[0] if len(names) == 1 else "", narrow)


def _of_the_only_one(clause: Clause, alone: Only) -> Iterator[Claim]:
    """The cache of a token, where a sentence speaks of it without a name: false for a slip that is beyond doubt."""
    if not _CACHE.search(clause.text) or (alone.narrow and _widths(clause.text) != {2.0}):
        return
    for quantity in clause.quantities:
        if quantity.literal.options[0].dimension == _BYTES:
            yield from _cache(clause, quantity, alone.model, token=True)


def cached_elements(model: str) -> tuple[float, str]:
    """The elements that a token has in the cache, and how they are counted; none where a model does not tell."""
    layers, heads, size = (
        max(values(model, role), default=0.0) for role in ("layers", "kv_heads", "head_dim")
    )
    latent, key = (max(values(model, role), default=0.0) for role in ("latent", "rope_dim"))
    if latent:
        return layers * (latent + key), f"{layers:.0f} layers × ({latent:.0f} + {key:.0f})"
    return 2 * layers * heads * size, f"2 × {layers:.0f} layers × {heads:.0f} KV heads × {size:.0f}"


def _cache(clause: Clause, quantity: Quantity, model: str, token: bool = False) -> Iterator[Claim]:
    """The cache of a token or of so many. token: only that of one token is asked for."""
    each, counted = cached_elements(model)
    if not each or not _CACHE.search(f"{clause.context} {clause.text}"):
        return
    close = clause.text[quantity.start : quantity.end + 30]
    tokens = 1.0
    before = clause.text[max(0, quantity.start - _NEAR) : quantity.start]
    if not _PER_TOKEN.search(close) and not _ONE_TOKEN.search(before):
        sequence = None if token else _SEQUENCE.search(close[quantity.end - quantity.start :])
        if sequence is None:
            return
        tokens = float(sequence[1] or sequence[3]) * (1024.0 if sequence[2] or sequence[4] else 1.0)
    if _OF_A_LAYER.search(clause.text) or _SHARDED.search(close):
        return
    elements = each * tokens
    near = _widths(clause.block.text[: clause.offset])
    formats = _widths(clause.text) or (near if near == {2.0} else set())
    sizes = formats | ({2.0} if not formats or _BROUGHT.search(clause.text) else set())
    text = clause.piece(quantity)
    because = f"{counted} × {min(sizes):g} bytes" + (f" × {tokens:.0f} tokens" if tokens > 1 else "")
    right = min(sizes) * elements
    if not right:
        return
    shown = _shown(right, quantity)
    if any(_fits(quantity, size * elements) for size in sizes):
        yield _claim(clause, quantity.start, text, model, because, shown, "true", "", "kv-cache")
        return
    if not formats and not token and any(_fits(quantity, size * elements) for size in (1.0, 4.0, 0.5)):
        return
    own = quantity.base(_BYTES) or 0.0
    cause = cache_cause(own / right, model)
    if cause == UNKNOWN or (token and not cause.startswith(("K+V", "heads and KV heads"))):
        return
    if abs(own / right - 1) > 0.05 and not (
        _SHARDED_ANYWHERE.search(clause.text)
        or _SUPPOSED.search(clause.text)
        or _TASK.search(clause.block.text, 0, clause.offset)
    ):
        yield _false(clause, quantity.start, text, model, because, shown, cause, "kv-cache")


def _widths(text: str) -> set[float]:
    """The bytes of an element in the formats that a text names, by their bits, too."""
    found = {WIDTHS[name] for name, _ in precisions(text) if name in WIDTHS}
    return found | {int(one[1]) / 8 for one in _BITS.finditer(text)}


def cache_cause(ratio: float, model: str) -> str:
    """The slip that makes the cache of a model so many times what it is."""
    heads, kv_heads, layers = (
        max(values(model, role), default=0.0) for role in ("heads", "kv_heads", "layers")
    )
    group = heads / kv_heads if heads and kv_heads else 1.0
    for factor, cause in (
        (group, "heads and KV heads: every query head is given a KV head of its own"),
        (0.5, "K+V: only one of K and V is counted"),
        (1 / layers, "per layer and per model: one layer is counted"),
        (2.0, "element size: an element is taken twice as wide"),
    ):
        if factor != 1 and abs(ratio / factor - 1) < 0.03:
            return cause
    return by_ratio(ratio)


def _weights(clause: Clause, quantity: Quantity, model: str) -> Iterator[Claim]:
    """`16.1 GB of weights` in a format that is named."""
    close = clause.text[max(0, quantity.start - 40) : quantity.end + 24]
    formats = _widths(clause.text)
    parameters = max(values(model, "parameters"), default=0.0)
    if (
        not parameters
        or not re.search(r"\bweights?\b|\bweighs\b|\bparameters\b|checkpoint", close)
        or len(formats) != 1
    ):
        return
    window = clause.text[max(0, quantity.start - 24) : quantity.end + 24]
    size = formats.pop()
    right = parameters * size
    text, because = (
        clause.piece(quantity),
        f"{parameters / 1e9:.4g}B parameters × {size:g} bytes",
    )
    own = quantity.base(_BYTES) or 0.0
    nominal = re.search(r"(\d+)b$", model)
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
        cause = _width_cause(own / right) or by_ratio(own / right)
        if cause != UNKNOWN:
            yield _false(
                clause, quantity.start, text, model, because, _shown(right, quantity), cause, "model"
            )


def _width_cause(ratio: float) -> str:
    for factor, words in ((0.5, "half as wide"), (2.0, "twice as wide")):
        if abs(ratio / factor - 1) < 0.02:
            return f"element size: an element is taken {words}"
    return ""


def _fits(quantity: Quantity, right: float) -> bool:
    return any(
        quantity.agrees(right, option.dimension)
        or abs(quantity.literal.value * option.factor - right)
        <= half_unit(quantity.literal.digits) * option.factor
        for option in quantity.literal.options
    )


def _shown(right: float, quantity: Quantity) -> str:
    return f"{right / quantity.factor(_BYTES):.4g} {quantity.literal.unit}"


def _claim(
    clause: Clause,
    place: int,
    text: str,
    model: str,
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
        because=f"{title(model)}: {because}",
        cell=clause.block.cell,
    )


def _false(
    clause: Clause, place: int, text: str, model: str, because: str, expected: str, cause: str, rule: str
) -> Claim:
    """A false statement, unless the text around it stands in the way."""
    hindered = quoted(clause, place) or clause.hindered(place)
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
