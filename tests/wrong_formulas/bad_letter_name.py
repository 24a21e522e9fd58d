"""A letter's name must be one word of ASCII."""

from derive import Derivation, count, quantity

e = quantity("e", "size of one stored element", "byte")
W = quantity("W", "memory bandwidth", "byte/s")

width = count("model width", "width of the model")
result = Derivation(
    "t",
    "Time",
    unit="s",
    start=width * e / W,
)
