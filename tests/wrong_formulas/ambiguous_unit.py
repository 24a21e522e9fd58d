"""KB may be 1000 or 1024 bytes."""

from derive import Derivation, quantity

W = quantity("W", "memory bandwidth", "byte/s")

M = quantity("M", "size of the cache", "KB")
result = Derivation(
    "t",
    "Time",
    unit="s",
    start=M / W,
)
