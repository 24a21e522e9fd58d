"""2 to the power of some bytes."""

from derive import Derivation, count, quantity

T = count("T", "sequence length")
e = quantity("e", "size of one stored element", "byte")

result = Derivation(
    "V",
    "Values",
    unit="dimensionless",
    start=2**e * T,
)
