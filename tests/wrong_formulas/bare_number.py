"""A count of operations needs its unit."""

from derive import Derivation, count

m = count("m", "rows of A and C")
k = count("k", "columns of A, rows of B")
n = count("n", "columns of B and C")

result = Derivation(
    "F",
    "Operations of a matmul",
    unit="FLOP",
    start=2 * m * k * n,
)
