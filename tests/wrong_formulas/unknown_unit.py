"""GBs is no unit: GB/s is."""

from derive import Derivation, quantity

Q = quantity("Q", "bytes moved", "byte")

M = quantity("M", "bandwidth of the link", "GBs")
result = Derivation(
    "t",
    "Time",
    unit="s",
    start=Q / M,
)
