"""A row counts elements where the others count bytes."""

from derive import Derivation, Ledger, count, quantity

T = count("T", "sequence length")
d = count("d", "head dimension")
e = quantity("e", "size of one stored element", "byte")

traffic = Ledger(
    ("read Q, K and V", 3 * T * d * e),
    ("write S, read S", 2 * T**2 * e),
    ("write P, read P", 2 * T**2 * e),
    ("write O", T * d),
)
result = Derivation(
    "Q",
    "Traffic",
    unit="byte",
    start=traffic,
)
