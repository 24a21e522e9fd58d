"""The width is put first and then comes back with the traffic."""

from derive import BYTE, Derivation, Put, Use, count, quantity

n = count("n", "rows")
k = count("k", "columns")
Q = quantity("Q", "bytes moved", "byte")

traffic = Derivation("Q", "Traffic", unit="byte", start=2 * n * k * BYTE)
result = Derivation(
    "Q",
    "Traffic of k such matrices",
    unit="byte",
    start=k * Q,
    steps=[Put(k, n, because="square"), Use(Q, traffic)],
)
