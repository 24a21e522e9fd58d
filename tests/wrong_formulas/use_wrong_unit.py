"""Operations are replaced by a result in bytes."""

from derive import Derivation, Use, count, quantity

T = count("T", "sequence length")
e = quantity("e", "size of one stored element", "byte")
F = quantity("F", "operations done", "FLOP")
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
    steps=[Use(F, traffic)],
)
