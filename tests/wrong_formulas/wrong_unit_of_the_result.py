"""The operations of a layer are no time."""

from derive import FLOP, Derivation, count

N = count("N", "elements")

result = Derivation(
    "t",
    "Time of a layer",
    unit="s",
    start=2 * N * FLOP,
)
