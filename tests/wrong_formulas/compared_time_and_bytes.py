"""The larger of a time and an amount of bytes means nothing."""

from derive import Derivation, Max, quantity

F = quantity("F", "operations done", "FLOP")
Q = quantity("Q", "bytes moved", "byte")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

result = Derivation(
    "t",
    "Roofline time",
    unit="s",
    start=Max(F / P, Q),
)
