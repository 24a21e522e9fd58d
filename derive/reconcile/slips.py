"""The slips that change a whole result, and what a slip is.

`cost` orders explanations: a named convention or a unit confusion that happens
daily is cheaper than a wrong machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from derive.reconcile.claim import Claim

_BINARY = (("k", "Ki", 1), ("M", "Mi", 2), ("G", "Gi", 3), ("T", "Ti", 4))
_SIZES = ((4.0, "fp32"), (2.0, "16 bit"), (1.0, "8 bit"), (0.5, "4 bit"))
_TIMES = (
    (60.0, "seconds", "minutes"),
    (3600.0, "seconds", "hours"),
    (24.0, "hours", "days"),
    (365.0, "days", "years"),
)


@dataclass(frozen=True)
class Slip:
    """A cause by its short name, the sentence that tells it, the value it leads to (or factor), and its cost.

    shown: the value as it is written into a formula, where that is not the number
    itself. group: of several slips of a group that lead to one value one is told.
    generic: told only where nothing more specific leads to the same value.
    """

    cause: str
    says: str
    value: float
    cost: float
    shown: str = ""
    group: str = ""
    generic: bool = False


def of_result(claim: Claim, ours: float) -> Iterator[Slip]:
    """Slips that multiply the result, by the claim's dimension and prefix."""
    bases = dict(claim.dimension)
    if not claim.value:
        yield Slip("not counted", "it is not counted at all, as by a tool that does not see it", 0.0, 1.0)
    if "byte" in bases:
        yield from _of_bytes(claim)
    if bases in ({"byte": 1, "parameter": -1}, {"byte": 1, "element": -1}):
        yield from _of_element(ours)
    if bases == {"byte": 1, "second": -1}:
        yield Slip("both ways", "both directions of the link are counted together", 2.0, 1.2)
        yield Slip(
            "each way", "one direction is taken of a number that is for one direction already", 0.5, 1.4
        )
    if bases == {"FLOP": 1, "second": -1}:
        yield Slip("sparse and dense", "2:4 sparsity is counted, twice the dense rate", 2.0, 0.9)
        yield Slip("sparse and dense", "a dense rate is halved as if it counted 2:4 sparsity", 0.5, 0.9)
    if bases.get("FLOP") or bases.get("MAC"):
        yield from _of_operations()
    if bases.get("second") and not bases.get("byte") and not bases.get("FLOP"):
        for ratio, small, large in _TIMES:
            cause = f"{small} and {large}"
            yield Slip(cause, f"{small} are taken for {large}", ratio, 2.2)
            yield Slip(cause, f"{large} are taken for {small}", 1 / ratio, 2.2)
    if not bases:
        yield Slip("percent", "a percentage is taken for a fraction", 100.0, 1.5)
        yield Slip("percent", "a fraction is taken for a percentage", 0.01, 1.5)
    for power in (1, 2, 3, 4):
        lost = (
            "a prefix (10³ each) is lost or added" if power < 4 else "a prefix such as tera is lost or added"
        )
        yield Slip("prefix", f"{lost}, {1000**power:.0e}".replace("+", ""), 1000.0**power, 1.5 + 0.4 * power)
        yield Slip("prefix", f"{lost}, {1000**-power:.0e}", 1000.0**-power, 1.5 + 0.4 * power)
    for power in (1, 2, 4, 5):
        for sign in (1, -1):
            says = f"the decimal exponent is off by {power}"
            yield Slip("power of ten", says, 10.0 ** (sign * power), 2.2 + 0.1 * power, generic=True)


def _of_operations() -> Iterator[Slip]:
    yield Slip("MAC and FLOP", "multiply-adds are counted once instead of as two operations", 0.5, 1.0)
    yield Slip("MAC and FLOP", "operations that already count both are doubled once more", 2.0, 1.2)
    yield Slip(
        "training and forward", "forward and backward are counted, three times the forward pass", 3.0, 1.4
    )
    yield Slip("training and forward", "only the forward pass is counted, a third of training", 1 / 3, 1.4)
    yield Slip("recomputation", "recomputing the forward pass is counted: 8N in place of 6N", 4 / 3, 1.8)
    yield Slip("recomputation", "the recomputed forward pass is left out: 6N in place of 8N", 3 / 4, 1.8)


def _of_bytes(claim: Claim) -> Iterator[Slip]:
    unit = claim.unit
    for decimal, binary, power in _BINARY:
        ratio = (1024 / 1000) ** power
        if unit.startswith(binary):
            good = unit.replace(binary, decimal, 1)
            yield Slip("GB and GiB", f"a value in {good} is labelled {unit}", ratio, 0.8)
        elif unit.startswith(decimal):
            bad = unit.replace(decimal, binary, 1)
            yield Slip("GB and GiB", f"a value in {bad} is labelled {unit}", 1 / ratio, 0.8)
            if power > 1:
                says = f"steps of 1024 and one of 1000 are mixed on the way to {unit}"
                yield Slip("mixed prefixes", says, 1.024 ** (1 - power), 1.8)
            if power > 2:
                says = f"one step of 1024 is taken among steps of 1000 on the way to {unit}"
                yield Slip("mixed prefixes", says, 1 / 1.024, 1.8)
    yield Slip("bit and byte", "bits are taken for bytes, eight times too many", 8.0, 1.0)
    yield Slip("bit and byte", "bytes are taken for bits, an eighth", 1 / 8, 1.0)
    if "second" not in dict(claim.dimension):
        for size, name in ((4.0, "fp32"), (2.0, "16 bit")):
            says = f"bytes are multiplied by the {size:.0f} bytes of {name} once more"
            yield Slip("bytes counted twice", says, size, 1.5, generic=True)


def _of_element(ours: float) -> Iterator[Slip]:
    """Bytes an element: the plain size in place of one with scales, or another format's."""
    for size, name in _SIZES:
        if ours and size != ours:
            nominal = size < ours < 1.35 * size
            cause = "block scales forgotten" if nominal else "another format"
            says = "the scales of the blocks are forgotten" if nominal else "another format is taken"
            yield Slip(cause, f"{says}, {name} an element", size / ours, 1.1 if nominal else 1.4)
