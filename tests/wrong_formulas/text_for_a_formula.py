"""A formula in quotes is only text."""

from derive import Derivation

result = Derivation(
    "t",
    "Time",
    unit="s",
    start="F / P",
)
