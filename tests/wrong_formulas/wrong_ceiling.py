"""1 is passed where the peak is not kept to."""

from derive import SECOND, Ceiling, Derivation, quantity

F = quantity("F", "operations done", "FLOP")
P = quantity("P", "peak rate of arithmetic", "FLOP/s")

result = Derivation(
    "u",
    "Utilization",
    unit="dimensionless",
    start=F / (P * SECOND),
    facts=[
        Ceiling(
            1,
            where=F <= 2 * P * SECOND,
            because="nothing beats its peak",
            causes=("the peak is of another precision",),
        )
    ],
)
