"""At a = b the quotient grows without end."""

from derive import Derivation, Limit, count, number, oo

n = count("n", "devices")
a, b = number("a", "one cost"), number("b", "another cost")

result = Derivation(
    "x",
    "Share",
    unit="dimensionless",
    start=n / ((a - b) * n**2 + 1),
    facts=[Limit(n, oo, 0, because="n² outgrows n")],
)
