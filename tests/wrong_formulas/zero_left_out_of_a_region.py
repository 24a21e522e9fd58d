"""The overhead may be zero, also where it is at most a microsecond, and then no relative error is left."""

from derive import SECOND, Approx, Derivation, quantity

t_0 = quantity("t_0", "overhead of a launch", "s", nonnegative=True)

result = Derivation(
    "t",
    "Overhead of two launches",
    unit="s",
    start=2 * t_0,
    facts=[Approx(t_0, error_at_most=1, where=t_0 <= SECOND / 10**6, because="within a factor of two")],
)
