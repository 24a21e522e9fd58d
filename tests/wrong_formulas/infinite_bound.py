"""Everything is at most infinite; that says nothing."""

from derive import Bound, Derivation, count, oo

n = count("n", "elements")

result = Derivation(
    "N", "Elements", unit="dimensionless", start=n, steps=[Bound(oo, because="nothing is larger")]
)
