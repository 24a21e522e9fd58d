"""Operations and bytes cannot be added."""

from derive import Derivation, quantity

F = quantity("F", "operations done", "FLOP")
Q = quantity("Q", "bytes moved", "byte")
W = quantity("W", "memory bandwidth", "byte/s")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=(F + Q) / W,
)
