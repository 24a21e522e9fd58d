"""The scores are counted twice."""

from derive import FLOP, Derivation, Equal, Ledger, count

T = count("T", "sequence length")
d = count("d", "head dimension")

work = Ledger(
    ("S = QKᵀ", 2 * T**2 * d * FLOP),
    ("S = QKᵀ again", 2 * T**2 * d * FLOP),
    ("O = PV", 2 * T**2 * d * FLOP),
)
flops = Derivation(
    "F",
    "Operations of attention",
    unit="FLOP",
    start=work,
    steps=[Equal(4 * T**2 * d * FLOP, because="both matmuls cost the same")],
)
