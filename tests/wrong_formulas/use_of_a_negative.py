"""A time cannot be what may fall below zero."""

from derive import Derivation, Use, quantity

t = quantity("t", "exposed time", "s")
t_a, t_b = quantity("t_a", "time of communication", "s"), quantity("t_b", "time hidden", "s")

exposed = Derivation("t", "Exposed time", unit="s", start=t_a - t_b)
result = Derivation("t", "Twice the exposed time", unit="s", start=2 * t, steps=[Use(t, exposed)])
