"""A batch is at least one sequence."""

from derive import Derivation, Put, count, quantity

B = count("B", "sequences decoded together")
Q = quantity("Q", "bytes moved", "byte")
W = quantity("W", "memory bandwidth", "byte/s")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=B * Q / W,
    steps=[Put(B, 0, because="nobody asks")],
)
