"""Bytes times bandwidth is no time."""

from derive import Derivation, quantity

Q = quantity("Q", "bytes moved", "byte")
W = quantity("W", "memory bandwidth", "byte/s")

result = Derivation(
    "t",
    "Memory time",
    unit="s",
    start=Q * W,
)
