"""The logarithm of bytes is not defined; that of their number is."""

from derive import Derivation, log, quantity

F = quantity("F", "operations done", "FLOP")
Q = quantity("Q", "bytes moved", "byte")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

result = Derivation(
    "t",
    "Time",
    unit="s",
    start=log(Q) * F / P,
)
