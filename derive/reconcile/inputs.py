"""The slips of one number that goes into a result: another reading, another kind, another machine."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import units
from derive.entries import Constant, Entry
from derive.filling import Filled
from derive.reconcile.machines import others, recognised
from derive.reconcile.slips import Slip

_ELEMENTS = ((4.0, "fp32"), (2.0, "16 bit"), (1.0, "8 bit"), (0.5, "4 bit"))
_ENTIRELY = ("L", "n", "B", "b")
_FORMAT = ("reserved", "missing", "least_code", "bias", "sign_bits")
_MODEL = ("hidden", "heads", "kv_heads", "head_dim", "ffn", "layers")


@dataclass(frozen=True)
class Input:
    """A number that goes into a result: its name, meaning, role, value in base units, and the constant that gave it."""

    name: str
    meaning: str
    role: str
    dimension: units.Dimension
    value: float
    constant: Constant | None = None
    model: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, filled: Filled, owner: Entry | None) -> Input:
        """A filled letter as an input; the owner is the machine or model that its role belongs to."""
        letter = filled.letter
        model: dict[str, float] = {}
        if owner is not None and owner.kind == "model":
            model = {one.role: float(one.base) for one in owner.constants if not isinstance(one.value, bool)}
        return cls(
            letter.name,
            letter.meaning,
            (letter.role or "").partition(".")[2],
            units.dimension_of(letter.unit),
            float(filled.value),
            filled.constant,
            model,
        )


def of_input(given: Input, owner: Entry | None) -> Iterator[Slip]:
    """Slips of one input of a formula or of a line."""
    dimension = dict(given.dimension)
    if dimension == {"byte": 1, "second": -1}:
        yield from _of_bandwidth(given)
    elif dimension == {"byte": 1} and given.role != "literal":
        yield from _of_bytes(given)
    elif dimension.get("byte") == 1 and given.role == "literal":
        yield from of_element(given, given.value)
        if dimension == {"byte": 1}:
            yield from _of_bytes(given)
    elif not dimension and given.value == int(given.value) and given.role != "literal":
        yield from _of_count(given)
    known = (
        (given.constant, owner)
        if given.constant is not None and owner is not None and owner.kind == "hardware"
        else recognised(given.value, given.dimension)
    )
    elsewhere = [] if known is None else list(others(given.name, given.value, *known, given.dimension))
    yield from elsewhere
    if dimension == {"FLOP": 1, "second": -1}:
        dearer = 0.0 if known else 0.3
        if not any(slip.cause == "sparse and dense" for slip in elsewhere):
            says = f"{given.name} is taken with 2:4 sparsity, twice the dense rate"
            yield Slip("sparse and dense", says, given.value * 2, 0.9 + dearer)
        says = f"{given.name} is halved as if it counted 2:4 sparsity"
        yield Slip("sparse and dense", says, given.value / 2, 1.0 + dearer)


def _of_bandwidth(given: Input) -> Iterator[Slip]:
    name, value = given.name, given.value
    yield Slip("GB and GiB", f"GB/s of {name} are read as GiB/s", value * 1.024**3, 1.0)
    yield Slip("GB and GiB", f"TB/s of {name} are read as TiB/s", value * 1.024**4, 1.4)
    yield Slip("GB and GiB", f"GiB/s of {name} are read as GB/s", value / 1.024**3, 1.6)
    yield Slip("bit and byte", f"bytes a second of {name} are read as bits", value / 8, 1.4)
    yield Slip("bit and byte", f"bits a second of {name} are read as bytes", value * 8, 1.4)
    if given.role in ("link", "literal"):
        dearer = 0.0 if given.role == "link" else 0.2
        yield Slip(
            "both ways",
            f"{name} counts both directions of the link",
            value * 2,
            0.9 + dearer,
            group="both ways",
        )
        says = f"{name} is halved as if it counted both directions"
        yield Slip("each way", says, value / 2, 1.1 + dearer, group="each way")


def of_element(given: Input, size: float) -> Iterator[Slip]:
    """Another width of an element, where a literal is one of the usual widths."""
    if size in [usual for usual, _ in _ELEMENTS]:
        for other, name in _ELEMENTS:
            if other != size:
                says = f"{given.name} is taken as {other:g} byte ({name})"
                yield Slip("element size", says, other, 1.2, group="element")


def _of_bytes(given: Input) -> Iterator[Slip]:
    name, value = given.name, given.value
    if given.role == "element":
        yield Slip("element size", "an element is taken as half a byte (4 bit)", 0.5, 1.2)
        return  # other sizes are choices of the convention precision
    if given.role == "mask_element":
        yield Slip("masks left out", "masks are left out", 0.0, 1.2)
        yield Slip("mask bytes", "a mask element is a bit", 1 / 8, 1.6)
        return
    if value < 1000:
        return
    for power, unit in ((3, "GB"), (2, "MB")):
        ratio, dearer = 1.024**power, 0.2 * (power == 2)
        yield Slip("GB and GiB", f"{unit} of {name} are read as {unit[0]}iB", value * ratio, 1.0 + dearer)
        yield Slip("GB and GiB", f"{unit[0]}iB of {name} are read as {unit}", value / ratio, 1.1 + dearer)
    yield Slip("bit and byte", f"bits of {name} are read as bytes", value * 8, 1.5)
    yield Slip("bit and byte", f"bytes of {name} are read as bits", value / 8, 1.5)


def _of_count(given: Input) -> Iterator[Slip]:
    name, meaning, value, role, model = given.name, given.meaning, given.value, given.role, given.model
    if role == "kv_heads" and model.get("heads", value) != value:
        says = "every query head is given a KV head of its own"
        yield Slip("query heads for KV heads", says, model["heads"], 0.9)
    if role == "heads" and model.get("kv_heads", value) != value:
        yield Slip("KV heads for query heads", "KV heads are counted as query heads", model["kv_heads"], 1.4)
    if role == "experts" and model.get("experts_per_token", value) != value:
        says = "only the experts that a token visits are counted"
        yield Slip("active for total experts", says, model["experts_per_token"], 0.9)
    if role == "experts_per_token" and model.get("experts", value) != value:
        says = "all experts are counted, not those that a token visits"
        yield Slip("total for active experts", says, model["experts"], 0.9)
    if role == "head_dim" and "hidden" in model:
        says = "the hidden size is taken for the head dimension"
        yield Slip("hidden size for head dimension", says, model["hidden"], 1.3)
    if role == "vocabulary":
        for step in (64, 128):
            says = f"the vocabulary is padded to a multiple of {step}"
            yield Slip("padded vocabulary", says, math.ceil(value / step) * step, 1.2)
    if role == "ffn" and "hidden" in model:
        says = "the MLP is taken as four times the hidden size wide"
        yield Slip("width of the MLP", says, 4 * model["hidden"], 1.4)
    yield from _of_format(name, role, value)
    if role in _MODEL:
        for other in _MODEL:
            if model.get(other, value) != value:
                says = f"{other.replace('_', ' ')} is taken for {role.replace('_', ' ')} ({name})"
                yield Slip("another extent of the model", says, model[other], 2.1, generic=True)
    if value > 1 and role not in _FORMAT:
        one = "one layer instead of the whole model" if name == "L" else f"a single one of {name} ({meaning})"
        yield Slip(f"{name} left out", f"counted for {one}", 1.0, 1.2 if name in _ENTIRELY else 1.6)
        yield Slip(f"{name} − 1", f"{name} − 1 is taken for {name} ({meaning})", value - 1, 2.0)
        yield Slip(f"{name} + 1", f"{name} + 1 is taken for {name} ({meaning})", value + 1, 2.2)


def _of_format(name: str, role: str, value: float) -> Iterator[Slip]:
    """Another bias, or other codes kept for infinity and NaN."""
    if role == "reserved" and value:
        yield Slip("special values", "the top exponent is taken for numbers, not infinity and NaN", 0.0, 1.1)
    if role == "reserved" and not value:
        yield Slip("special values", "the top exponent is kept for infinity and NaN", 1.0, 1.1)
    if role == "missing":
        says = "a top code is NaN" if not value else "no code is NaN"
        yield Slip("special values", says, float(not value), 1.1)
    if role == "bias":
        for other in (value - 1, value + 1):
            yield Slip("exponent bias", f"the bias is taken as {other:g} ({name})", other, 1.3)
