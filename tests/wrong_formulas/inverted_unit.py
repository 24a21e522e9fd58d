"""Bytes over operations, declared as operations a byte."""

from derive import Derivation, quantity

F = quantity("F", "operations done", "FLOP")
Q = quantity("Q", "bytes moved", "byte")

result = Derivation(
    "I",
    "Arithmetic intensity",
    unit="FLOP/byte",
    start=Q / F,
)
