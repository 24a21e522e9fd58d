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
from derive.entries import Constant, Entry
from derive.filling import Filled
from derive.reconcile.claim import Claim

_BINARY = (("k", "Ki", 1), ("M", "Mi", 2), ("G", "Gi", 3), ("T", "Ti", 4))


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


@dataclass(frozen=True)
class Input:
    """A number that goes into a result: its name, meaning, role, value in base units, and the constant that gave it."""

    name: str
    meaning: str
    role: str
    dimension: units.Dimension
    value: float
    constant: Constant | None = None

    @classmethod
    def of(cls, filled: Filled) -> Input:
        """A filled letter as an input."""
        letter = filled.letter
        role = (letter.role or "").partition(".")[2]
        dimension = units.dimension_of(letter.unit)
        return cls(letter.name, letter.meaning, role, dimension, float(filled.value), filled.constant)


def of_input(given: Input, owner: Entry | None) -> Iterator[Slip]:
    """Slips of one input: another reading, another kind, another machine."""
    dimension = dict(given.dimension)
    value, name = given.value, given.name
    if dimension == {"byte": 1, "second": -1}:
        yield from _rate_input(given)
    elif dimension == {"FLOP": 1, "second": -1}:
        if given.constant is None:
            yield Slip(
                "sparse and dense", f"{name} is taken with 2:4 sparsity, twice the dense rate", value * 2, 1.0
            )
            yield Slip(
                "sparse and dense", f"{name} counts 2:4 sparsity, and its dense half is used", value / 2, 1.0
            )
    elif dimension == {"byte": 1}:
        yield from _byte_input(given)
    elif not dimension and value == int(value):
        yield from _count_input(given, owner)
    known, machine = (given.constant, owner) if given.constant else _recognised(given)
    if known is not None and machine is not None and machine.kind == "hardware":
        yield from _other_constants(given, known, machine)


def _recognised(given: Input) -> tuple[Constant | None, Entry | None]:
    """The constant of the catalogue that a rate given as a number is, if it is one."""
    if dict(given.dimension).get("second") != -1:
        return None, None
    for entry in catalogue("hardware").values():
        for constant in entry.constants:
            same = not isinstance(constant.value, bool) and float(constant.base) == given.value
            if same and units.dimension_of(constant.unit) == given.dimension:
                return constant, entry
    return None, None


def _rate_input(given: Input) -> Iterator[Slip]:
    name, value = given.name, given.value
    yield Slip("GB and GiB", f"GB/s of {name} are read as GiB/s", value * 1024**3 / 1e9, 1.0)
    yield Slip("GB and GiB", f"TB/s of {name} are read as TiB/s", value * 1024**4 / 1e12, 1.4)
    yield Slip("GB and GiB", f"GiB/s of {name} are read as GB/s", value * 1e9 / 1024**3, 1.6)
    yield Slip("bit and byte", f"bytes a second of {name} are read as bits", value / 8, 1.4)
    yield Slip("bit and byte", f"bits a second of {name} are read as bytes", value * 8, 1.4)
    if given.role in ("link", "literal"):
        known = 0.0 if given.role == "link" else 0.5
        yield Slip("both ways", f"{name} counts both directions of the link", value * 2, 0.9 + known)
        yield Slip(
            "each way", f"{name} counts both directions, and half of it is used", value / 2, 1.1 + known
        )


def _byte_input(given: Input) -> Iterator[Slip]:
    name, value = given.name, given.value
    if given.role == "element":
        yield Slip("element size", "an element is taken as half a byte (4-bit)", 0.5, 1.3)
        return  # other sizes are choices of the convention precision
    if given.role == "mask_element":
        yield Slip("mask bytes", "masks are left out", 0.0, 1.2)
        yield Slip("mask bytes", "a mask element is a bit", 1 / 8, 1.6)
        return
    for power, unit in ((3, "GB"), (2, "MB")):
        ratio, dearer = (1024 / 1000) ** power, 0.2 * (power == 2)
        yield Slip("GB and GiB", f"{unit} of {name} are read as {unit[0]}iB", value * ratio, 1.0 + dearer)
        yield Slip("GB and GiB", f"{unit[0]}iB of {name} are read as {unit}", value / ratio, 1.1 + dearer)
    yield Slip("bit and byte", f"bits of {name} are read as bytes", value * 8, 1.5)
    yield Slip("bit and byte", f"bytes of {name} are read as bits", value / 8, 1.5)


def _count_input(given: Input, owner: Entry | None) -> Iterator[Slip]:
    name, meaning, value, role = given.name, given.meaning, given.value, given.role
    model: dict[str, float] = {}
    if owner is not None and owner.kind == "model":
        model = {constant.role: float(constant.base) for constant in owner.constants}
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
            padded = math.ceil(value / step) * step
            yield Slip("padded vocabulary", f"the vocabulary is padded to a multiple of {step}", padded, 1.4)
    if role == "ffn" and "hidden" in model:
        wide = 4 * model["hidden"]
        yield Slip("width of the MLP", "the MLP is taken as four times the hidden size wide", wide, 1.4)
    if value > 1 and role != "literal":
        layers = name == "L"
        one = "one layer instead of the whole model" if layers else f"a single one of {name} ({meaning})"
        yield Slip(f"factor {name}", f"counted for {one}", 1.0, 1.2 if name in ("L", "n", "B") else 1.8)
    if value > 1:
        yield Slip(f"{name} − 1", f"{name} − 1 is taken for {name} ({meaning})", value - 1, 2.2)


def _other_constants(given: Input, used: Constant, owner: Entry) -> Iterator[Slip]:
    """Other kinds of the same constant, then the same kind of other machines."""
    roles = ("peak", "vector_peak") if used.role in ("peak", "vector_peak") else (used.role,)
    for constant in _numbers(owner, roles, given):
        sparse = _swapped(used, constant, "sparsity") or _swapped(constant, used, "sparsity")
        cause = (
            "sparse and dense" if sparse else "both ways" if used.role == "link" else "another kind of peak"
        )
        says = f"{given.name} is the {constant.described} of {owner.name}"
        yield Slip(cause, says, float(constant.base), 0.8 if sparse else 1.3)
    for other in catalogue("hardware").values():
        if other.name != owner.name:
            for constant in _numbers(other, (used.role,), given):
                if dict(constant.tags) == dict(used.tags):
                    says = f"{given.name} is that of {other.name}, {constant.text}"
                    yield Slip("another machine", says, float(constant.base), 1.9)


def _swapped(one: Constant, other: Constant, tag: str) -> bool:
    """Whether `other` is `one` with its dense tag made sparse."""
    return one.tags.get(tag) == "dense" and dict(one.tags) | {tag: "2:4"} == dict(other.tags)


def _numbers(owner: Entry, roles: tuple[str, ...], given: Input) -> Iterator[Constant]:
    for constant in owner.constants:
        if constant.role in roles and not isinstance(constant.value, bool):
            same = units.dimension_of(constant.unit) == given.dimension
            if same and float(constant.base) != given.value:
                yield constant
