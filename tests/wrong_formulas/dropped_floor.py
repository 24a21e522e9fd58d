"""A share of a sequence cannot be served."""

from derive import Derivation, Equal, floor, quantity

e = quantity("e", "size of one stored element", "byte")
Q = quantity("Q", "bytes moved", "byte")

result = Derivation(
    "B",
    "Sequences that fit",
    unit="dimensionless",
    start=floor(Q / e),
    steps=[Equal(Q / e, because="the cache is full")],
)
