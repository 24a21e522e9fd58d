"""Watts are joules a second: a run's energy needs its time."""

from derive import Derivation, count, quantity

power = quantity("power", "power that a device draws", "watt")
n = count("n", "devices")

energy = Derivation(
    "E",
    "Energy of a run",
    unit="kWh",
    start=n * power,
)
