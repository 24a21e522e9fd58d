"""From I ≤ J and J ≥ K nothing follows for I and K."""

from derive import Bound, Derivation, count

n = count("n", "elements")
m = count("m", "rows")

result = Derivation(
    "N",
    "Products",
    unit="dimensionless",
    start=m * n,
    steps=[
        Bound(m * n + 1, because="one more"),
        Bound(n, relation="≥", because="there is at least one row"),
    ],
)
