"""The field's formulas as products of inputs: each number that they make, with the inputs above and below the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from derive.checking.inputs import Input


@dataclass(frozen=True)
class Formula:
    """What a number is: the product of inputs above the line over those below it, times a factor.

    left_out: an input that is often forgotten, as a utilization.
    """

    above: tuple[str, ...]
    below: tuple[str, ...] = ()
    factor: float = 1.0
    left_out: str = ""

    @property
    def forgets(self) -> bool:
        """Whether it leaves out the utilization, or over how many devices the weights are split, where that is told."""
        return self.below in (("peak",), ("devices", "peak"), ("bandwidth",)) and not {
            "peak",
            "seen",
            "seen each",
        } & {*self.above}

    @property
    def roles(self) -> tuple[str, ...]:
        """All inputs."""
        return (*self.above, *self.below)

    def value(self, chosen: Sequence[Input]) -> float:
        """The value for one input of each role."""
        made = self.factor
        for place, one in enumerate(chosen):
            made = made * one.value if place < len(self.above) else made / one.value
        return made

    def because(self, chosen: Sequence[Input]) -> str:
        """The computation as a text."""
        above = [one.shown for one in chosen[: len(self.above)]]
        if self.factor != 1.0:
            above.insert(0, f"{self.factor:g}")
        below = [one.shown for one in chosen[len(self.above) :]]
        return " × ".join(above) + (f" / ({' × '.join(below)})" if below else "")


_WORKS = (("compute",), 1.0), (("parameters", "trained"), 6.0)
_OF_ALL = (("devices", "peak", "mfu"), ("devices", "sustained"), ("sustained by all",))
TIMES = tuple(
    Formula(above, below, factor, "mfu" if "mfu" in below else "")
    for above, factor in _WORKS
    for below in _OF_ALL
)
DEVICE_TIMES = tuple(
    Formula(above, below, factor, "mfu" if "mfu" in below else "")
    for above, factor in _WORKS
    for below in (("peak", "mfu"), ("sustained",))
)
TRAINING = (Formula(("parameters", "trained"), (), 6.0),)
TOKEN = (Formula(("parameters",), (), 2.0),)
PREFILL = tuple(
    Formula(above, (*many, *below), factor, "mfu" if "mfu" in below else "")
    for above, factor in ((("each", "prompt"), 1.0), (("parameters", "prompt"), 2.0), (("pass",), 1.0))
    for below in (("peak", "mfu"), ("sustained",), ("peak",))
    for many in ((), ("devices",))
)
RATE = tuple(
    Formula(above, below, 1.0 / factor, "mfu" if "mfu" in above else "")
    for above in (("peak", "mfu"), ("sustained",))
    for below, factor in ((("each",), 1.0), (("parameters",), 6.0))
)
SEEN = (Formula(("batch",), ("step",)),)
SEEN_EACH = (Formula(("batch",), ("step", "devices")),)
PASS = (Formula(("parameters", "prompt"), (), 2.0), Formula(("each", "prompt")))
RIDGE = (Formula(("peak",), ("bandwidth",)),)
READ = (
    Formula(("weights",), ("ways", "bandwidth"), left_out="ways"),
    Formula(("weights",), ("bandwidth",)),
)
SHARE = tuple(
    Formula((*above, *rate), below, factor)
    for above, factor in ((("each",), 1.0), (("parameters",), 6.0))
    for rate, below in ((("seen each",), ("peak",)), (("seen",), ("devices", "peak")))
)
