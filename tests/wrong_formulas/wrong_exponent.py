"""One T too few in the closed form of the operations."""

from derive import FLOP, Derivation, Equal, Ledger, count

T = count("T", "sequence length")
d = count("d", "head dimension")

work = Ledger(
    ("S = QKᵀ", 2 * T**2 * d * FLOP),
    ("O = PV", 2 * T**2 * d * FLOP),
)
flops = Derivation(
    "F",
    "Operations of attention",
    unit="FLOP",
    start=work,
    steps=[Equal(4 * T * d * FLOP, because="both matmuls cost the same")],
)
