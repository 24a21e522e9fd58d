"""The traffic is computed from itself."""

from derive import Derivation, Use, count, quantity

n = count("n", "elements")
Q = quantity("Q", "bytes moved", "byte")

doubled = Derivation("Q", "Traffic there and back", unit="byte", start=2 * Q)
result = Derivation("Q", "Traffic of all", unit="byte", start=n * Q, steps=[Use(Q, doubled)])
