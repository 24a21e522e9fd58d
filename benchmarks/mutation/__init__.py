"""Mutants of the catalogue: derivations with one thing changed, which the engine must refuse.

`expressions` changes an expression, `parts` finds what a derivation can be changed in
and builds it anew, `judging` has the engine judge the result and classifies what it lets pass.
"""
