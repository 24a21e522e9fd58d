"""A filled formula laid open: one numeric function of its inputs and of its ledgers' rows.

Letters that other derivations compute are replaced by those formulas, and each
ledger row gets a weight of 1, so that a slip anywhere below is one number
changed. The laid-open form is used only where it gives the evaluated value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import sympy

from derive.derivation import Derivation
from derive.filling import Filled, put_value
from derive.ledger import Ledger
from derive.result import Evaluation
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
class Flat:
    """The expression, its filled letters and rows, and the function of both."""

    expression: sympy.Expr
    letters: dict[sympy.Symbol, Filled] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

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

    def shown(self, changed: Mapping[sympy.Symbol, float]) -> str:
        """The formula with changed weights put in, as text; rows unchanged count once."""
        weights = {row.weight: sympy.nsimplify(changed.get(row.weight, 1)) for row in self.rows}
        return formula_text(sympy.factor_terms(sympy.expand(self.expression.xreplace(weights))))


def flatten(evaluation: Evaluation) -> Flat:
    """Lay an evaluation open; where the chain's start does not give its value, its formula is used."""
    opened = _Opening(evaluation)
    flat = opened.from_start() if evaluation.derivation.chain else None
    if flat is not None and _agrees(flat, evaluation):
        return flat
    return opened.from_result()


def _agrees(flat: Flat, evaluation: Evaluation) -> bool:
    found = flat.function()(flat.base())
    due = float(evaluation.value or 0)
    return found is not None and abs(found - due) <= abs(due) * _CLOSE


class _Opening:
    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.given = {filled.letter: filled for filled in evaluation.inputs}

    def from_result(self) -> Flat:
        return self._closed(self.evaluation.formula, [])

    def from_start(self) -> Flat | None:
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

    def _closed(self, expression: sympy.Expr, rows: list[Row]) -> Flat:
        """Unit symbols away, computed letters opened, and every letter given its value."""
        flat = Flat(without_units(expanded(expression)).doit(), {}, list(rows))
        for letter in letters_of(flat.expression):
            inner = self.evaluation.computed.get(letter.name)
            if inner is not None and inner.value is not None and inner.derivation.chain:
                below = flatten(inner)
                flat.expression = flat.expression.xreplace({letter: below.expression})
                flat.letters |= below.letters
                flat.rows += below.rows
            elif letter in self.given:
                flat.letters[letter] = self.given[letter]
            else:
                flat.expression = flat.expression.xreplace({letter: sympy.Integer(1)})  # it cancels
        return flat


def formula_text(expression: sympy.Expr) -> str:
    """A formula as text with · and powers raised."""
    text: str = sympy.sstr(expression)
    for power, raised in (("**2", "²"), ("**3", "³"), ("**", "^"), ("*", "·")):
        text = text.replace(power, raised)
    return text
