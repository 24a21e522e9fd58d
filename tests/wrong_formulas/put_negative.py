"""A count below nothing."""

from derive import FLOP, Derivation, Put, count, number, quantity

P = quantity("P", "peak rate of arithmetic", "FLOP/s")
N = count("N", "elements")
c = number("c", "operations an element")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=c * N * FLOP / P,
    steps=[Put(c, -1, because="the last one is saved")],
)
