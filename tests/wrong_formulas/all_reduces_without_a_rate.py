"""Bytes over devices are bytes still: a link's rate makes a time of them."""

from derive import Derivation, count, quantity

S = quantity("S", "bytes of the full buffer", "byte")
n = count("n", "devices")

time = Derivation(
    "t",
    "Time of four all-reduces",
    unit="s",
    start=8 * S * (n - 1) / n,
)
