"""d is a head dimension and, later, a model width."""

from derive import Derivation, count, quantity

d = count("d", "head dimension")
e = quantity("e", "size of one stored element", "byte")
W = quantity("W", "memory bandwidth", "byte/s")

d_model = count("d", "width of the model")
result = Derivation(
    "t",
    "Time",
    unit="s",
    start=d * d_model * e / W,
)
