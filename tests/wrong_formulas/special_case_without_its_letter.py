"""There is no B in this formula to put 1 for."""

from derive import FLOP, Derivation, SpecialCase, count, quantity

B = count("B", "sequences decoded together")
m = count("m", "rows of A and C")
k = count("k", "columns of A, rows of B")
n = count("n", "columns of B and C")
e = quantity("e", "size of one stored element", "byte")

matmul = Derivation(
    "I",
    "Arithmetic intensity of a matmul",
    unit="FLOP/byte",
    start=2 * m * k * n * FLOP / (e * (m * k + k * n + m * n)),
    facts=[
        SpecialCase({B: 1}, 2 * m * k * n * FLOP / (e * (m * k + k * n + m * n)), because="a batch of one")
    ],
)
