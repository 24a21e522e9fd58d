"""Stage 1 of ZeRO shares the optimizer only: weights and gradients stay whole."""

from derive import BYTE, PARAMETER, Derivation, Ledger, Limit, count, oo, quantity

N = quantity("N", "parameters", "parameter")
n = count("n", "devices")

state = Ledger(
    ("16-bit weights", 2 * N * BYTE / PARAMETER),
    ("16-bit gradients", 2 * N * BYTE / PARAMETER),
    ("optimizer", 12 * N * BYTE / (n * PARAMETER)),
)

kept = Derivation(
    "M",
    "Training state of a device",
    unit="byte",
    start=state,
    facts=[Limit(n, oo, 2 * N * BYTE / PARAMETER, because="only the weights stay whole")],
)
