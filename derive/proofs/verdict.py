"""What a proof says of a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

import sympy

from derive.symbols import without_units

_BRANCHING = re.compile(r"\bM(ax|in)\(")

Outcome = Literal["proved", "refuted", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """proved, refuted (with a counterexample where there is one) or undecided, and the reason in words."""

    outcome: Outcome
    reason: str
    counterexample: dict[str, str] = field(default_factory=dict)

    @property
    def proved(self) -> bool:
        return self.outcome == "proved"

    @property
    def text(self) -> str:
        """The reason, with the counterexample behind it."""
        if not self.counterexample:
            return self.reason
        point = ", ".join(f"{name} = {value}" for name, value in self.counterexample.items())
        return f"{self.reason} at {point}"


def proved(reason: str) -> Verdict:
    return Verdict("proved", reason)


def undecided(reason: str) -> Verdict:
    return Verdict("undecided", reason)


def refuted(reason: str, point: dict[sympy.Symbol, sympy.Rational] | None = None) -> Verdict:
    shown = {
        symbol.name: str(value) for symbol, value in sorted((point or {}).items(), key=lambda p: p[0].name)
    }
    return Verdict("refuted", reason, shown)


def shown(expression: sympy.Basic) -> str:
    """An expression for a sentence: units dropped, max and min as formulas print them, at most 100 characters."""
    typed = sympy.sstr(without_units(expression) if isinstance(expression, sympy.Expr) else expression)
    text = _BRANCHING.sub(r"m\1(", typed)
    return text if len(text) <= 100 else text[:97] + "…"
