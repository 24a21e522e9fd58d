"""Q does not occur in the arithmetic time."""

from derive import Derivation, Use, count, quantity

T = count("T", "sequence length")
e = quantity("e", "size of one stored element", "byte")
F = quantity("F", "operations done", "FLOP")
Q = quantity("Q", "bytes moved", "byte")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

traffic = Derivation(
    "Q",
    "Traffic",
    unit="byte",
    start=4 * T**2 * e,
)
result = Derivation(
    "t",
    "Time",
    unit="s",
    start=F / P,
    steps=[Use(Q, traffic)],
)
