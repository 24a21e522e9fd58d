"""Letters that several chapters share. A formula's file may use them or declare its own."""

from __future__ import annotations

from derive.symbols import Letter, count, quantity

F: Letter = quantity("F", "floating-point operations done", "FLOP")
Q: Letter = quantity("Q", "bytes moved to and from memory", "byte")
P: Letter = quantity(
    "P",
    "peak rate of matrix arithmetic",
    "FLOP/s",
    role="hardware.peak",
    sparsity="@sparsity",
    precision="@precision",
)
W: Letter = quantity("W", "memory bandwidth", "byte/s", role="hardware.bandwidth")
R: Letter = quantity("R", "ridge point of the machine", "FLOP/byte", filled_by="roofline.ridge")
e: Letter = quantity("e", "size of one stored element", "byte", role="convention.element")
T: Letter = count("T", "sequence length")
