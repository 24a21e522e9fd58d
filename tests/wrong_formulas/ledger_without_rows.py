"""A ledger that counts nothing."""

from derive import Derivation, Ledger

traffic = Ledger()
result = Derivation(
    "Q",
    "Traffic",
    unit="byte",
    start=traffic,
)
