"""Training costs three times the forward pass, not twice."""

from derive import FLOP, Derivation, Identity, count

N = count("N", "elements")

forward = Derivation(
    "F",
    "Forward pass",
    unit="FLOP",
    start=2 * N * FLOP,
)
training = Derivation(
    "F",
    "Training",
    unit="FLOP",
    start=6 * N * FLOP,
    facts=[Identity(6 * N * FLOP, 2 * forward.whole, because="backward costs as much as forward")],
)
