"""Proofs: a statement goes in, a verdict comes out. Nothing here runs at import.

Only algebra proves. Sample points serve to refute, with the point as the
counterexample; agreement at sample points leaves a statement undecided.
"""

from derive.proofs.equality import prove_equal
from derive.proofs.limits import prove_limit
from derive.proofs.signs import prove_at_least, prove_positive
from derive.proofs.verdict import Verdict

__all__ = ["Verdict", "prove_at_least", "prove_equal", "prove_limit", "prove_positive"]
