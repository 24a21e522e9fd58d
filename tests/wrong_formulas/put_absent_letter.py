"""B does not occur, so nothing can be put for it."""

from derive import Derivation, Put, count, quantity

B = count("B", "sequences decoded together")
Q = quantity("Q", "bytes moved", "byte")
W = quantity("W", "memory bandwidth", "byte/s")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=Q / W,
    steps=[Put(B, 8, because="a batch of 8")],
)
