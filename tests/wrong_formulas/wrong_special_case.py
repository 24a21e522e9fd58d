"""Three equal matrices give 2n/(3e), not n/e."""

from derive import FLOP, Derivation, SpecialCase, count, quantity

m = count("m", "rows of A and C")
k = count("k", "columns of A, rows of B")
n = count("n", "columns of B and C")
e = quantity("e", "size of one stored element", "byte")

matmul = Derivation(
    "I",
    "Arithmetic intensity of a matmul",
    unit="FLOP/byte",
    start=2 * m * k * n * FLOP / (e * (m * k + k * n + m * n)),
    facts=[SpecialCase({m: n, k: n}, n * FLOP / e, because="three equal matrices")],
)
