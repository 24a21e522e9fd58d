"""The ledger forgets that O is written."""

from derive import BYTE, FLOP, Derivation, Equal, Ledger, Put, count, quantity

T = count("T", "sequence length")
d = count("d", "head dimension")
e = quantity("e", "size of one stored element", "byte")

work = Ledger(
    ("S = QKᵀ", 2 * T**2 * d * FLOP),
    ("O = PV", 2 * T**2 * d * FLOP),
)
traffic = Ledger(
    ("read Q, K and V", 3 * T * d * e),
    ("write S, read S", 2 * T**2 * e),
    ("write P, read P", 2 * T**2 * e),
)

intensity = Derivation(
    "I",
    "Arithmetic intensity of naive attention",
    unit="FLOP/byte",
    start=work.total / traffic.total,
    steps=[
        Equal(T * d * FLOP / (e * (T + d)), because="4T cancels above and below"),
        Put(e, 2 * BYTE, because="bf16 stores an element in 2 bytes"),
        Equal(T * d * FLOP / (2 * (T + d) * BYTE), because="2 bytes an element"),
    ],
)
