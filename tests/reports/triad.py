"""The triad a = b + s·c of a vector: the kernel that memory bandwidth is measured with.

Arrays are far larger than the caches, so that every element travels. Write-allocate traffic is left out.
"""

from derive import BYTE, FLOP, Derivation, Equal, Example, Ledger, count

n = count("n", "elements of an array")

work = Ledger(("multiply", "by s", n * FLOP), ("add", "to b", n * FLOP))
moved = Ledger(("read b", n * 8 * BYTE), ("read c", n * 8 * BYTE), ("write a", n * 8 * BYTE))

intensity = Derivation(
    "I",
    "Arithmetic intensity of the triad",
    unit="FLOP/byte",
    start=work.total / moved.total,
    steps=[Equal(FLOP / (12 * BYTE), because="2n operations over 24n bytes of fp64")],
    examples=[Example({}, "0.08333 FLOP/byte")],
)
