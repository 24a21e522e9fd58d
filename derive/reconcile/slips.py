"""The slips that change a number: what each does to a value, and how it is told.

A slip of an input replaces a letter's value; a slip of the result multiplies
what came out. `cost` orders explanations: a named convention or a unit confusion
that happens daily is cheaper than a wrong machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import units
from derive.constants import catalogue
from derive.entries import Entry
from derive.filling import Filled
from derive.reconcile.claim import Claim

_BINARY = (("k", "Ki", 1), ("M", "Mi", 2), ("G", "Gi", 3), ("T", "Ti", 4))
_ELEMENTS = ((4, "fp32"), (2, "16-bit"), (1, "8-bit"), (0.5, "4-bit"))


@dataclass(frozen=True)
class Slip:
    """A cause by its short name, the sentence that tells it, the value it leads to (or factor), and its cost."""

    cause: str
    says: str
    value: float
    cost: float


def of_result(claim: Claim) -> Iterator[Slip]:
    """Slips that multiply the result, by the claim's dimension and prefix."""
    bases = dict(claim.dimension)
    if "byte" in bases:
        yield from _bytes_result(claim)
    if bases.get("FLOP"):
        yield Slip("MAC and FLOP", "multiply-adds are counted once instead of as two operations", 0.5, 1.0)
        yield Slip("MAC and FLOP", "operations that already count both are doubled once more", 2.0, 1.2)
        yield Slip(
            "training and forward", "forward and backward are counted, three times the forward pass", 3.0, 1.8
        )
        yield Slip(
            "training and forward", "only the forward pass is counted, a third of training", 1 / 3, 1.8
        )
        yield Slip("recomputation", "recomputing the forward pass is counted: 8N in place of 6N", 4 / 3, 2.0)
    if "second" in bases and not bases.get("byte") and not bases.get("FLOP"):
        yield Slip("minutes and seconds", "minutes are taken for seconds or hours for minutes", 60.0, 2.2)
        yield Slip("minutes and seconds", "seconds are taken for minutes or minutes for hours", 1 / 60, 2.2)
    if not bases:
        yield Slip("percent", "a percentage is taken for a fraction", 100.0, 1.5)
        yield Slip("percent", "a fraction is taken for a percentage", 0.01, 1.5)
    else:
        for power in (1, 2):
            yield Slip("prefix", f"the prefix is off by 10^{3 * power}", 1000.0**power, 1.6 + 0.6 * power)
            yield Slip("prefix", f"the prefix is off by 10^{3 * power}", 1000.0**-power, 1.6 + 0.6 * power)


def _bytes_result(claim: Claim) -> Iterator[Slip]:
    unit = claim.unit
    for decimal, binary, power in _BINARY:
        ratio = (1024 / 1000) ** power
        if unit.startswith(binary):
            good = unit.replace(binary, decimal, 1)
            yield Slip("GB and GiB", f"a value in {good} is labelled {unit}", ratio, 0.8)
        elif unit.startswith(decimal) and not unit.startswith(binary):
            bad = unit.replace(decimal, binary, 1)
            yield Slip("GB and GiB", f"a value in {bad} is labelled {unit}", 1 / ratio, 0.8)
            if power > 1:
                mixed = 1 / 1.024 ** (power - 1)
                yield Slip("mixed prefixes", "steps of 1024 and of 1000 are mixed on the way", mixed, 2.0)
                yield Slip("mixed prefixes", "one step of 1024 is taken among steps of 1000", 1 / 1.024, 2.0)
    yield Slip("bit and byte", "bits are taken for bytes, eight times too many", 8.0, 1.0)
    yield Slip("bit and byte", "bytes are taken for bits, an eighth", 1 / 8, 1.0)


def of_input(filled: Filled, owner: Entry | None) -> Iterator[Slip]:
    """Slips of one input: another reading, another kind, another machine."""
    letter = filled.letter
    dimension = dict(units.dimension_of(letter.unit))
    value, name = float(filled.value), letter.name
    role = (letter.role or "").partition(".")[2]
    if dimension == {"byte": 1, "second": -1}:
        yield Slip("GB and GiB", f"GB/s of {name} are read as GiB/s", value * 1024**3 / 1e9, 1.0)
        yield Slip("GB and GiB", f"TB/s of {name} are read as TiB/s", value * 1024**4 / 1e12, 1.4)
        yield Slip("GB and GiB", f"GiB/s of {name} are read as GB/s", value * 1e9 / 1024**3, 1.6)
        yield Slip("bit and byte", f"bytes a second of {name} are read as bits", value / 8, 1.4)
        yield Slip("bit and byte", f"bits a second of {name} are read as bytes", value * 8, 1.4)
        if role == "link":
            yield Slip("both ways", f"{name} counts both directions of the link", value * 2, 0.9)
            yield Slip("each way", f"{name} is halved although it is each way already", value / 2, 1.1)
    elif dimension == {"byte": 1}:
        yield from _byte_input(filled, value, role)
    elif not dimension and value == int(value):
        yield from _count_input(filled, value, role, owner)
    if role and owner is not None and owner.kind == "hardware":
        yield from _other_constants(filled, owner, role, value)


def _byte_input(filled: Filled, value: float, role: str) -> Iterator[Slip]:
    name = filled.letter.name
    if role == "element":
        for size, kind in _ELEMENTS:
            if size != value:
                yield Slip("element size", f"an element is taken as {size:g} byte ({kind})", size, 1.3)
        return
    if role == "mask_element":
        yield Slip("mask bytes", "masks are left out", 0.0, 1.2)
        yield Slip("mask bytes", "a mask element is a bit", 1 / 8, 1.6)
        return
    for power, unit in ((3, "GB"), (2, "MB")):
        ratio = (1024 / 1000) ** power
        yield Slip(
            "GB and GiB", f"{unit} of {name} are read as {unit[0]}iB", value * ratio, 1.0 + 0.2 * (power == 2)
        )
        yield Slip(
            "GB and GiB", f"{unit[0]}iB of {name} are read as {unit}", value / ratio, 1.1 + 0.2 * (power == 2)
        )
    yield Slip("bit and byte", f"bits of {name} are read as bytes", value * 8, 1.5)
    yield Slip("bit and byte", f"bytes of {name} are read as bits", value / 8, 1.5)


def _count_input(filled: Filled, value: float, role: str, owner: Entry | None) -> Iterator[Slip]:
    name, meaning = filled.letter.name, filled.letter.meaning
    model = (
        {c.role: float(c.base) for c in owner.constants}
        if owner is not None and owner.kind == "model"
        else {}
    )
    if role == "kv_heads" and model.get("heads", value) != value:
        yield Slip(
            "query heads for KV heads", "every query head is given a KV head of its own", model["heads"], 0.9
        )
    if role == "heads" and model.get("kv_heads", value) != value:
        yield Slip("KV heads for query heads", "KV heads are counted as query heads", model["kv_heads"], 1.4)
    if role == "head_dim" and "hidden" in model:
        yield Slip("hidden for head", "the hidden size is taken for the head dimension", model["hidden"], 1.6)
    if role == "vocabulary":
        for step in (64, 128):
            yield Slip(
                "padded vocabulary",
                f"the vocabulary is padded to a multiple of {step}",
                math.ceil(value / step) * step,
                1.4,
            )
    if role == "ffn" and "hidden" in model:
        yield Slip(
            "width of the MLP",
            "the MLP is taken as four times the hidden size wide",
            4 * model["hidden"],
            1.4,
        )
    if value > 1:
        one = (
            "a layer instead of the whole model"
            if name == "L"
            else f"one of {name} instead of {value:g} ({meaning})"
        )
        yield Slip(f"factor {name}", f"counted for {one}", 1.0, 1.2 if name in ("L", "n", "B") else 1.8)
        yield Slip(f"{name} − 1", f"{name} − 1 is taken for {name} ({meaning})", value - 1, 2.2)


def _other_constants(filled: Filled, owner: Entry, role: str, value: float) -> Iterator[Slip]:
    """Other kinds of the same constant, then the same kind of other machines."""
    name, used = filled.letter.name, filled.constant
    roles = ("peak", "vector_peak") if role in ("peak", "vector_peak") else (role,)
    for constant in owner.constants:
        if constant.role in roles and constant != used and not isinstance(constant.value, bool):
            if units.dimension_of(constant.unit) != units.dimension_of(filled.letter.unit):
                continue
            if float(constant.base) == value:
                continue
            sparse = (
                constant.tags.get("sparsity") == "2:4"
                and used
                and dict(used.tags) | {"sparsity": "2:4"} == dict(constant.tags)
            )
            cause = (
                "sparse and dense" if sparse else "both ways" if role == "link" else "another kind of peak"
            )
            yield Slip(
                cause,
                f"{name} is the {constant.described} of {owner.name}",
                float(constant.base),
                0.8 if sparse else 1.3,
            )
    if used is None:
        return
    for other in catalogue("hardware").values():
        if other.name == owner.name:
            continue
        for constant in other.constants:
            if (
                constant.role == role
                and dict(constant.tags) == dict(used.tags)
                and float(constant.base) != value
            ):
                yield Slip(
                    "another machine",
                    f"{name} is that of {other.name}, {constant.text}",
                    float(constant.base),
                    1.9,
                )
