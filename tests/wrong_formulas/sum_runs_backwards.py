"""For fewer than five rows there is nothing to add, and the closed form is negative."""

from sympy import Dummy

from derive import Derivation, Equal, Sum, count

n = count("n", "rows")
i = Dummy("i", positive=True)

result = Derivation(
    "N",
    "Rows from the fifth on",
    unit="dimensionless",
    start=Sum(i, (i, 6, n)),
    steps=[Equal(n * (n + 1) / 2 - 15, because="1 + … + n less 1 + … + 5")],
)
