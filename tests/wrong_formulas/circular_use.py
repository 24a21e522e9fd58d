"""The bytes are computed from the time, and the time from the bytes."""

from derive import Derivation, quantity

W = quantity("W", "memory bandwidth", "byte/s")

t = quantity("t", "time of the kernel", "s", filled_by="circular_use.time")
moved = quantity("Q", "bytes moved", "byte", filled_by="circular_use.traffic")
time = Derivation(
    "t",
    "Time",
    unit="s",
    start=moved / W,
)
traffic = Derivation(
    "Q",
    "Traffic",
    unit="byte",
    start=t * W,
)
