"""The pass adds a token of its own: the sum has k + 1 terms, not k."""

from sympy import Dummy

from derive import Derivation, Equal, Sum, count, number

alpha = number("alpha", "chance that a drafted token is accepted", at_most=1)
k = count("k", "tokens drafted before a pass")
i = Dummy("i", nonnegative=True)

tokens = Derivation(
    "n",
    "Tokens of a pass of speculative decoding",
    unit="dimensionless",
    start=Sum(alpha**i, (i, 0, k)),
    steps=[Equal((1 - alpha**k) / (1 - alpha), because="a geometric sum")],
)
