"""The total of a ledger as a node of a formula."""

from __future__ import annotations

from typing import Any

import sympy


class Total(sympy.Expr):
    """The unevaluated sum of a ledger's rows; `doit` adds them up."""

    ledger: Any = None  # the Ledger that made it; lost where a letter is replaced
    is_commutative = True

    def __new__(cls, *rows: sympy.Expr) -> Total:
        made: Total = sympy.Expr.__new__(cls, *rows)
        return made

    def doit(self, **_hints: Any) -> sympy.Expr:
        return sympy.Add(*self.args)

    def _eval_is_positive(self) -> bool | None:
        return True if all(row.is_positive for row in self.args) else None

    def _sympystr(self, printer: Any) -> str:
        return "(" + " + ".join(printer.doprint(row) for row in self.args) + ")"

    def _latex(self, printer: Any) -> str:
        return r"\left(" + " + ".join(printer.doprint(row) for row in self.args) + r"\right)"

    def _pretty(self, printer: Any) -> Any:
        return printer._print(sympy.Add(*self.args, evaluate=False))


def expanded(formula: sympy.Expr) -> sympy.Expr:
    """The formula with every ledger total added up."""
    return formula.replace(lambda node: isinstance(node, Total), lambda node: node.doit())
