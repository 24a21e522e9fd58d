"""The sum of both times is no branch of their maximum."""

from derive import Derivation, Max, Regime, quantity

F = quantity("F", "operations done", "FLOP")
Q = quantity("Q", "bytes moved", "byte")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")
W = quantity("W", "memory bandwidth", "byte/s")

result = Derivation(
    "t",
    "Roofline time",
    unit="s",
    start=Max(F / P, Q / W),
    facts=[Regime(F / P + Q / W, when=F / Q >= P / W, because="both take their time")],
)
