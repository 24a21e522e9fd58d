"""A SymPy symbol has no meaning and no unit."""

from sympy import Symbol

from derive import Derivation, quantity

e = quantity("e", "size of one stored element", "byte")
W = quantity("W", "memory bandwidth", "byte/s")

h = Symbol("h")
result = Derivation(
    "t",
    "Time",
    unit="s",
    start=h * e / W,
)
