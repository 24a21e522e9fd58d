"""Operations grow without bound."""

from derive import FLOP, Derivation, Ledger, Limit, count, oo

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
    facts=[Limit(T, oo, 4 * d * FLOP, because="each query costs the same")],
)
