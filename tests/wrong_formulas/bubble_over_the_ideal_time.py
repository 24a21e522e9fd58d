"""The share of the whole step has p − 1 below the line as well."""

from derive import Derivation, Equal, Ledger, count, quantity

p = count("p", "stages of the pipeline")
m = count("m", "micro-batches in a step")
t = quantity("t", "time of a micro-batch on one stage", "s")

waiting = Ledger(("filling and emptying", (p - 1) * t))
step = Ledger(("micro-batches", m * t), ("filling and emptying", (p - 1) * t))

bubble = Derivation(
    "q",
    "Share of a step that a pipeline waits",
    unit="dimensionless",
    start=waiting.total / step.total,
    steps=[Equal((p - 1) / m, because="the time of a micro-batch cancels")],
)
