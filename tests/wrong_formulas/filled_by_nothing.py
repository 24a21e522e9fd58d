"""No derivation has this id."""

from derive import Derivation, quantity

W = quantity("W", "memory bandwidth", "byte/s")

M = quantity("M", "bytes of the model", "byte", filled_by="roofline.weights_of_all")
result = Derivation(
    "t",
    "Time",
    unit="s",
    start=M / W,
)
