"""The costs of a checkpoint and of a failure balance at √(2δM), not at √(δM)."""

from derive import Derivation, Minimise, quantity, sqrt

tau = quantity("tau", "time between checkpoints", "s")
delta = quantity("delta", "time to write one", "s")
M = quantity("M", "mean time between failures", "s")

interval = Derivation(
    "tau",
    "Best time between checkpoints",
    unit="s",
    start=tau,
    steps=[
        Minimise(tau, delta / tau + tau / (2 * M), gives=sqrt(delta * M), because="the time lost is least")
    ],
)
