"""The chain starts with d and is solved for B."""

from derive import FLOP, Derivation, Solve, count, quantity

d = count("d", "head dimension")
B = count("B", "sequences decoded together")
e = quantity("e", "size of one stored element", "byte")
R = quantity("R", "ridge point", "FLOP/byte")

critical_batch = Derivation(
    "B",
    "Batch that reaches the ridge",
    unit="dimensionless",
    start=d,
    steps=[
        Solve(
            B,
            2 * B * d * FLOP / (e * (2 * B + d)),
            R,
            gives=R * e * d / (2 * (d * FLOP - R * e)),
            where=d * FLOP > R * e,
            because="the intensity is set equal to the ridge",
        ),
    ],
)
