"""Perfect overlap takes the longer of the two times, not the shorter."""

from derive import Derivation, Equal, Max, Min, quantity

F = quantity("F", "operations done", "FLOP")
Q = quantity("Q", "bytes moved", "byte")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")
W = quantity("W", "memory bandwidth", "byte/s")

result = Derivation(
    "t",
    "Roofline time",
    unit="s",
    start=Max(F / P, Q / W),
    steps=[Equal(Min(F / P, Q / W), because="they overlap")],
)
