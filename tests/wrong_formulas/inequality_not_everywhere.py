"""The scores outnumber the heads' entries only where T > d: the inequality needs a region."""

from derive import Derivation, Inequality, count, quantity

T = count("T", "sequence length")
d = count("d", "head dimension")
e = quantity("e", "size of one stored element", "byte")

scores = Derivation("Q", "Traffic of the scores", unit="byte", start=T**2 * e)
result = Derivation(
    "Q",
    "Traffic of one head",
    unit="byte",
    start=T * d * e,
    facts=[Inequality(T * d * e, "<", scores.whole, because="the square takes over")],
)
