"""A row of operations in a ledger of bytes."""

from derive import FLOP, Derivation, Ledger, count, quantity

T = count("T", "sequence length")
d = count("d", "head dimension")
e = quantity("e", "size of one stored element", "byte")

traffic = Ledger(
    ("read Q, K and V", 3 * T * d * e),
    ("write S, read S", 2 * T**2 * e),
    ("write P, read P", 2 * T**2 * e),
    ("write O", T * d * FLOP),
)
result = Derivation(
    "Q",
    "Traffic",
    unit="byte",
    start=traffic,
)
