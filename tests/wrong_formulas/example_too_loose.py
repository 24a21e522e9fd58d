"""Zero is what 0.4 s rounds to, and says nothing."""

from derive import Derivation, Example, quantity

t = quantity("t", "time of a step", "s")

result = Derivation("t", "Half a step", unit="s", start=t / 2, examples=[Example({"t": "0.8 s"}, "0 s")])
