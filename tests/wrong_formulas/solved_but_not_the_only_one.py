"""A quadratic equation may have another root: nothing here says why this is the one."""

from derive import Derivation, Solve, count, quantity, sqrt

T = count("T", "sequence length")
e = quantity("e", "size of one stored element", "byte")
Q = quantity("Q", "bytes moved", "byte")

length = Derivation(
    "T",
    "Length whose scores fill a budget",
    unit="dimensionless",
    start=T,
    steps=[Solve(T, T**2 * e, Q, gives=sqrt(Q / e), because="the scores are T² elements")],
)
