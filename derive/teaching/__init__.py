"""Teaching: lessons that reduce a formula, exercises that mark themselves, starter files.

Lessons (`lesson`) and exercises (`drawing`, `marking`) are made of the catalogue's own
derivations; what they state is proved or computed at the moment it is shown. How they
look is left to the layers above: a text here is a tuple of words and formulas.
"""
