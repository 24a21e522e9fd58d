"""T² cancels, so there is no limit in T to speak of."""

from derive import FLOP, Derivation, Limit, count, oo, quantity

T = count("T", "sequence length")
d = count("d", "head dimension")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

result = Derivation(
    "t",
    "Time a score",
    unit="s",
    start=4 * T**2 * d * FLOP / P / (T**2),
    facts=[
        Limit(d, oo, oo, because="wide heads cost more"),
        Limit(T, oo, 4 * d * FLOP / P, because="long sequences"),
    ],
)
