"""Below the ridge memory decides; the relation is the wrong way round."""

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
    facts=[Regime(F / P, when=F / Q <= P / W, because="below the ridge")],
)
