"""A filled formula laid open: one numeric function of its inputs and of its ledgers' rows.

Letters that other derivations compute are replaced by those formulas, and each
ledger row gets a weight of 1, so that a slip anywhere below is one number
changed. The laid-open form is used only where it gives the evaluated value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import sympy

import units
from derive.derivation import Derivation
from derive.filling import Filled, put_value
from derive.ledger import Ledger
from derive.result import Evaluation
from derive.rounding import quantity_text
from derive.steps import Put, Solve, Use
from derive.symbols import letters_of, without_units
from derive.total import Total, expanded

_CLOSE = 1e-9


@dataclass(frozen=True)
class Row:
    """A ledger row inside a formula: the weight that stands before it, and what it counts."""

    weight: sympy.Symbol
    what: str
    amount: sympy.Expr


@dataclass
class Opened:
    """The expression, its filled letters and rows, and the function of both."""

    expression: sympy.Expr
    letters: dict[sympy.Symbol, Filled] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    computed: dict[sympy.Symbol, sympy.Expr] = field(default_factory=dict)

    def put(self, letter: sympy.Symbol, expression: sympy.Expr) -> None:
        """Replace a letter by what computes it."""
        self.expression = self.expression.xreplace({letter: expression})
        self.computed[letter] = expression

    def substitute(self, expression: sympy.Expr) -> sympy.Expr:
        """Another expression of the same letters, with the computed ones opened too."""
        return expression.xreplace(self.computed)

    def base(self) -> dict[sympy.Symbol, float]:
        """The values of all inputs and weights as they are."""
        values = {symbol: float(filled.value) for symbol, filled in self.letters.items()}
        return values | {row.weight: 1.0 for row in self.rows}

    def function(self) -> Callable[[Mapping[sympy.Symbol, float]], float | None]:
        """The value in base units at changed inputs; None where there is none."""
        symbols = list(self.base())
        compiled = sympy.lambdify(symbols, self.expression, modules="math", dummify=True)

        def value(at: Mapping[sympy.Symbol, float]) -> float | None:
            try:
                found = float(compiled(*(at[symbol] for symbol in symbols)))
            except (ZeroDivisionError, OverflowError, ValueError, TypeError):
                return None
            return found if found == found and abs(found) != float("inf") else None

        return value

    def told(
        self, changed: Mapping[sympy.Symbol, float], shown: Mapping[sympy.Symbol, str]
    ) -> tuple[str, str]:
        """The formula with changed rows put in, and the changed letters, written as `shown` says."""
        weights = {row.weight: sympy.nsimplify(changed.get(row.weight, 1)) for row in self.rows}
        text = formula_text(sympy.factor_terms(sympy.expand(self.expression.xreplace(weights))))
        chosen = {
            symbol: float(filled.value)
            for symbol, filled in self.letters.items()
            if (filled.letter.role or "").startswith("convention.")
        }
        told = {s: value for s, value in {**chosen, **changed}.items() if s in self.letters}
        letters = ", ".join(
            f"{symbol.name} = {shown.get(symbol) or _amount(self.letters[symbol], value)}"
            for symbol, value in told.items()
        )
        return text, letters


def _amount(filled: Filled, value: float) -> str:
    """Another value of a letter, in the letter's unit or one that reads better."""
    unit = filled.letter.unit
    return quantity_text(Fraction(value) / units.factor(unit)[0], unit, 6)


def open_up(evaluation: Evaluation) -> Opened:
    """Lay an evaluation open, rows and all; where the chain's start does not give its value, its formula is used."""
    opening = _Opening(evaluation)
    found = opening.from_start() if evaluation.derivation.chain else None
    if found is not None and _agrees(found, evaluation):
        return found
    return opening.from_result()


def opened_result(evaluation: Evaluation) -> Opened:
    """The evaluation's formula with the formulas below put in, without ledger rows."""
    return _Opening(evaluation).from_result()


def _agrees(opened: Opened, evaluation: Evaluation) -> bool:
    found = opened.function()(opened.base())
    due = evaluation.base_float
    return found is not None and abs(found - due) <= abs(due) * _CLOSE


class _Opening:
    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.given = {filled.letter: filled for filled in evaluation.inputs}

    def from_result(self) -> Opened:
        return self._closed(self.evaluation.formula, [])

    def from_start(self) -> Opened | None:
        rows: list[Row] = []
        expression = self._chain(self.evaluation.derivation, rows)
        return None if expression is None else self._closed(expression, rows)

    def _chain(self, derivation: Derivation, rows: list[Row]) -> sympy.Expr | None:
        if any(isinstance(step, Solve) for step in derivation.steps):
            return None
        if derivation.starts_from is not None:
            start = self._chain(derivation.starts_from, rows)
            if start is None:
                return None
        else:
            start = self._weighted(derivation.start, rows)
        for step in derivation.steps:
            if isinstance(step, Put) and step.fixed:
                start = start.xreplace({step.letter: step.value})
            elif isinstance(step, Use):
                used = self._chain(step.derivation, rows)
                if used is None:
                    return None
                start = start.xreplace({step.letter: used})
            elif isinstance(step, Put):
                filled = put_value(step.letter, step.value, derivation)
                if filled is not None:
                    self.given.setdefault(step.letter, filled)
        return start

    def _weighted(self, start: sympy.Expr, rows: list[Row]) -> sympy.Expr:
        """The start with a weight before every ledger row, the same one wherever the ledger stands."""
        known: dict[int, sympy.Expr] = {}

        def total(node: sympy.Expr) -> sympy.Expr:
            ledger = node.ledger
            if not isinstance(ledger, Ledger):
                return node.doit()
            if id(ledger) not in known:
                terms = []
                for row in ledger.rows:
                    weight = sympy.Dummy("w", positive=True)
                    rows.append(Row(weight, row.what, row.amount))
                    terms.append(weight * row.amount.doit())
                known[id(ledger)] = sympy.Add(*terms)
            return known[id(ledger)]

        return start.replace(lambda node: isinstance(node, Total), total)

    def _closed(self, expression: sympy.Expr, rows: list[Row]) -> Opened:
        """Unit symbols away, computed letters opened, and every letter given its value."""
        opened = Opened(without_units(expanded(expression)).doit(), {}, list(rows))
        for letter in letters_of(opened.expression):
            inner = self.evaluation.computed.get(letter.name)
            if inner is not None and inner.derivation.chain:
                below = open_up(inner) if rows else opened_result(inner)
                opened.put(letter, below.expression)
                opened.letters |= below.letters
                opened.rows += below.rows
            elif letter in self.given:
                opened.letters[letter] = self.given[letter]
            else:
                opened.put(letter, sympy.Integer(1))  # it cancels
        return opened


def formula_text(expression: sympy.Expr) -> str:
    """A formula as text with · and powers raised."""
    text: str = sympy.sstr(expression)
    for power, raised in (("**2", "²"), ("**3", "³"), ("**", "^"), ("*", "·")):
        text = text.replace(power, raised)
    return text
