"""A length does not become negative."""

from derive import Derivation, Limit, count

T = count("T", "sequence length")

result = Derivation(
    "N",
    "Positions and one",
    unit="dimensionless",
    start=T + 1,
    facts=[Limit(T, -1, 0, because="both cancel")],
)
