"""If every draft is accepted a pass makes k + 1 tokens, not k."""

from derive import Derivation, Limit, count, number

alpha = number("alpha", "chance that a drafted token is accepted", at_most=1)
k = count("k", "tokens drafted before a pass")

tokens = Derivation(
    "n",
    "Tokens of a pass of speculative decoding",
    unit="dimensionless",
    start=(1 - alpha ** (k + 1)) / (1 - alpha),
    facts=[Limit(alpha, 1, k, because="every draft is accepted")],
)
