"""No batch is one larger than itself."""

from derive import FLOP, Derivation, Put, count

B = count("B", "sequences decoded together")
n = count("n", "operations a sequence")

result = Derivation(
    "F",
    "Operations",
    unit="FLOP",
    start=B * n * FLOP,
    steps=[Put(B, B + 1, because="one more sequence joins")],
)
