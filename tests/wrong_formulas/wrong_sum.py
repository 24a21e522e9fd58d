"""1 + 2 + … + T is T(T + 1)/2, not T²/2."""

from sympy import Dummy

from derive import FLOP, Derivation, Equal, Sum, count

T = count("T", "sequence length")
d = count("d", "head dimension")

i = Dummy("i", positive=True)
result = Derivation(
    "F",
    "Operations of causal scores",
    unit="FLOP",
    start=Sum(2 * i * d * FLOP, (i, 1, T)),
    steps=[Equal(T**2 * d * FLOP, because="half of the square")],
)
