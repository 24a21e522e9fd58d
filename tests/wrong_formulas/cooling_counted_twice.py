"""The machines are one part of PUE: what comes on top is PUE − 1."""

from derive import Derivation, Equal, Ledger, number, quantity

power = quantity("power", "power of the machines", "watt")
t = quantity("t", "time of the run", "s")
PUE = number("PUE", "power of the building over that of its machines")

drawn = Ledger(
    ("machines", power * t),
    ("cooling and conversion", PUE * power * t),
)

energy = Derivation(
    "E",
    "Energy of a run",
    unit="joule",
    start=drawn,
    steps=[Equal(PUE * power * t, because="the factor on what the machines draw")],
)
