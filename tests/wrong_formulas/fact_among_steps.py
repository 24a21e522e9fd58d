"""A limit is a fact, not a link of the chain."""

from derive import Derivation, Limit, oo, quantity

F = quantity("F", "operations done", "FLOP")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=F / P,
    steps=[Limit(P, oo, 0, because="infinitely fast")],
)
