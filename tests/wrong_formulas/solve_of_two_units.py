"""Bytes are set equal to operations."""

from derive import Derivation, Solve, count, quantity

B = count("B", "sequences decoded together")
e = quantity("e", "size of one stored element", "byte")
F = quantity("F", "operations done", "FLOP")

result = Derivation(
    "B",
    "Batch",
    unit="dimensionless",
    start=B,
    steps=[Solve(B, B * e, F, gives=F / e, because="the budget is spent")],
)
