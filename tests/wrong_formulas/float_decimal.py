"""0.5 hides how many of its digits are meant."""

from derive import FLOP, Derivation, count, quantity

T = count("T", "sequence length")
d = count("d", "head dimension")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=0.5 * T**2 * d * FLOP / P,
)
