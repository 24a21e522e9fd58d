"""Sentences of lessons and exercises as the rich text of a view: formulas become LaTeX."""

from __future__ import annotations

import sympy

from derive.teaching.exercise import Maths, Text
from reports.latex import formula, letter_latex
from reports.view import Equation, Formula, Rich

_RELATIONS = {"≈": r"\approx", "≤": r"\leq", "≥": r"\geq", "→": r"\to", "solve": "="}


def rich(text: Text) -> Rich:
    """A sentence with its formulas as LaTeX."""
    return tuple(part if isinstance(part, str) else _formula(part) for part in text)


def equation(part: Maths) -> Equation:
    """A named formula for a display."""
    relation = _RELATIONS.get(part.relation, part.relation)
    return Equation(letter_latex(part.name), relation, formula(sympy.factor_terms(part.expression)))


def _formula(part: Maths) -> Formula:
    shown = equation(part)
    if not part.name:
        return Formula(shown.right)
    return Formula(f"{shown.left} {shown.relation} {shown.right}")
