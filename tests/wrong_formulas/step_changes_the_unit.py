"""The step forgets the division by the peak."""

from derive import Derivation, Equal, quantity

F = quantity("F", "operations done", "FLOP")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=F / P,
    steps=[Equal(F, because="the peak is a constant")],
)
