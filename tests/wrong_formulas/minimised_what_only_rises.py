"""A time that only rises with the interval is least nowhere above zero."""

from derive import Derivation, Minimise, quantity

tau = quantity("tau", "time between checkpoints", "s")
M = quantity("M", "mean time between failures", "s")

interval = Derivation(
    "tau",
    "Best time between checkpoints",
    unit="s",
    start=tau,
    steps=[Minimise(tau, tau / (2 * M), gives=M, because="the time lost is least")],
)
