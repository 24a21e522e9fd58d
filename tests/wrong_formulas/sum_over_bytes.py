"""A sum runs over numbers, not over bytes."""

from sympy import Dummy

from derive import FLOP, Derivation, Sum, quantity

Q = quantity("Q", "bytes moved", "byte")
i = Dummy("i", positive=True)

result = Derivation("F", "Operations", unit="FLOP", start=Sum(i * FLOP, (i, 1, Q)))
