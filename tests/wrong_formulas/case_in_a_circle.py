"""Two letters are exchanged, which is no special case."""

from derive import Derivation, SpecialCase, count

m = count("m", "rows")
n = count("n", "columns")

result = Derivation(
    "N",
    "Rows less columns and ten",
    unit="dimensionless",
    start=m - n + 10,
    facts=[SpecialCase({m: n, n: m}, n - m + 10, because="square")],
)
