"""The size of an element is put, brought back and put to another value."""

from derive import BYTE, Derivation, Put, Use, count, quantity

n = count("n", "elements")
e = quantity("e", "size of an element", "byte")
Q = quantity("Q", "bytes moved", "byte")

traffic = Derivation("Q", "Traffic", unit="byte", start=n * e)
result = Derivation(
    "Q",
    "Traffic and one element",
    unit="byte",
    start=Q + e,
    steps=[
        Put(e, 2 * BYTE, because="bf16"),
        Use(Q, traffic),
        Put(e, 4 * BYTE, because="fp32"),
    ],
)
