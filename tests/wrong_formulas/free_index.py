"""The index of a sum is used outside of it."""

from sympy import Dummy

from derive import Derivation, Sum, count

T = count("T", "sequence length")
i = Dummy("i", positive=True)

result = Derivation("N", "Scores", unit="dimensionless", start=i * Sum(i, (i, 1, T)))
