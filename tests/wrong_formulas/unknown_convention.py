"""There is no convention called masking."""

from derive import FLOP, Choice, Derivation, count

T = count("T", "sequence length")
d = count("d", "head dimension")

causal = Derivation(
    "F",
    "Operations of causal attention",
    unit="FLOP",
    start=4 * T**2 * d * FLOP,
)
result = Derivation(
    "F",
    "Operations of attention",
    unit="FLOP",
    start=4 * T**2 * d * FLOP,
    choice=Choice("masking", "full", {"causal": causal}),
)
