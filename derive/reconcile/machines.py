"""Rates that belong to machines: which one a number is, and which other was taken for it."""

from __future__ import annotations

from collections.abc import Iterator

import units
from derive.constants import catalogue
from derive.entries import Constant, Entry
from derive.reconcile.slips import Slip

_NEAR = 1e-3  # 989 TFLOP/s is also printed as 989.4 and 989.5


def recognised(value: float, dimension: units.Dimension) -> tuple[Constant, Entry] | None:
    """The constant of the catalogue that a rate given as a number is, dense and each way before others."""
    if dict(dimension).get("second") != -1 or not value:
        return None
    found = []
    for entry in catalogue("hardware").values():
        for constant in rates(entry, ("peak", "bandwidth", "link"), dimension):
            off = abs(float(constant.base) / value - 1)
            if off <= _NEAR:
                usual = (
                    constant.tags.get("sparsity") != "2:4" and constant.tags.get("direction") != "both-ways"
                )
                half = constant.tags.get("precision") in (None, "bf16", "fp16")
                found.append(((not usual, not half, off), constant, entry))
    best = min(found, key=lambda one: one[0], default=None)
    return None if best is None else (best[1], best[2])


def others(
    name: str, value: float, used: Constant, owner: Entry, dimension: units.Dimension
) -> Iterator[Slip]:
    """Other kinds of the same constant, then the same kind of other machines."""
    roles = ("peak", "vector_peak") if used.role in ("peak", "vector_peak") else (used.role,)
    for constant in rates(owner, roles, dimension):
        if abs(float(constant.base) / value - 1) <= _NEAR:
            continue
        if _swapped(used, constant, "sparsity", "2:4") or _swapped(constant, used, "sparsity", "2:4"):
            cause, cost = "sparse and dense", 0.8
        elif used.role == "link":
            both = constant.tags.get("direction") == "both-ways"
            cause, cost = "both ways" if both else "each way", 0.8
        else:
            cause, cost = "peak of another precision", 1.3
        says = f"{name} is taken as the {constant.described} of {owner.name}"
        yield Slip(cause, says, float(constant.base), cost, constant.text, cause)
    for other in catalogue("hardware").values():
        if other.name != owner.name:
            for constant in rates(other, (used.role,), dimension):
                kind = {tag: text for tag, text in constant.tags.items() if tag != "basis"}
                if kind == {tag: text for tag, text in used.tags.items() if tag != "basis"}:
                    says = f"{name} is taken as that of {other.name}, {constant.text}"
                    yield Slip("another machine", says, float(constant.base), 1.6, constant.text, "machine")


def rates(owner: Entry, roles: tuple[str, ...], dimension: units.Dimension) -> Iterator[Constant]:
    """The numbers of a machine in these roles and of this dimension."""
    for constant in owner.constants:
        known = constant.role in roles and not isinstance(constant.value, bool)
        if known and units.dimension_of(constant.unit) == dimension:
            yield constant


def _swapped(one: Constant, other: Constant, tag: str, second: str) -> bool:
    """Whether `other` is `one` with its dense tag made sparse."""
    return one.tags.get(tag) == "dense" and dict(one.tags) | {tag: second} == dict(other.tags)
