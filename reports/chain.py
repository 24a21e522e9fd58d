"""Ledgers and the chain of steps as views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy

from derive import derivation as engine
from derive.derivation import Derivation
from derive.dimensions import dimension_text
from derive.ledger import Ledger
from derive.proofs import prove_equal
from derive.steps import Approx, Bound, Minimise, Put, Solve, Step, Use
from reports import view
from reports.facts import approximation_here, region, relation_latex
from reports.latex import formula, letter_latex, with_units
from reports.point import Point
from reports.quantities import amount
from reports.view import Equation, Formula, LedgerRow, LedgerTable, Link, Rich
from reports.wording import proof
from reports.worked import bare


def ledger_views(form: Derivation, point: Point) -> tuple[LedgerTable, ...]:
    """The ledgers that the derivation starts from, each with its total; those above a fraction line first."""
    above = sympy.fraction(form.start)[0]
    ledgers = sorted(form.ledgers, key=lambda ledger: not above.has(ledger.total))
    return tuple(_ledger(ledger, point) for ledger in ledgers)


def _ledger(ledger: Ledger, point: Point) -> LedgerTable:
    unit = dimension_text(ledger.dimension) if ledger.dimension else "dimensionless"

    def value(expression: sympy.Expr) -> Formula | None:
        number = point.number(expression) if point.evaluation is not None else None
        if number is None:
            return None
        return bare(amount(number, unit))

    total = sympy.factor_terms(sympy.Add(*(row.amount for row in ledger.rows)).doit())
    rows = tuple(
        LedgerRow(row.what, row.why, Formula(formula(row.amount)), value(row.amount)) for row in ledger.rows
    )
    counted = f"What is counted, in {unit}" if ledger.dimension else "What is counted"
    title = f"{counted}: {ledger.title}" if ledger.title else counted
    return LedgerTable(
        title, rows, Formula(formula(total)), value(total), proof(prove_equal(ledger.total, total))
    )


def chain_views(
    form: Derivation, links: Sequence[engine.Link], point: Point, shelf: Mapping[str, str]
) -> tuple[tuple[Equation, ...], tuple[view.Step, ...]]:
    """The first line of the chain, and its links. shelf: the document in which each id stands."""
    name = letter_latex(form.letter)
    shown = formula(form.start)
    start = () if shown == name else (Equation(name, "=", shown),)
    steps: list[view.Step] = []
    for number, (before, step, link) in enumerate(zip(form.chain, form.steps, links, strict=False), 1):
        right = formula(step.after(before))
        same = right == shown and step.relation in ("=", "put")
        equations = () if same else _equations(name, step, right, f"{number}", bool(start or steps))
        here = approximation_here(step, before, point, link.verdict) if isinstance(step, Approx) else ()
        steps.append(
            view.Step(
                number, _action(step, shelf, same=same), equations, step.because, proof(link.verdict), here
            )
        )
        shown = right
    return start, tuple(steps)


def _equations(name: str, step: Step, right: str, tag: str, begun: bool) -> tuple[Equation, ...]:
    if isinstance(step, Solve):
        condition = Equation(formula(step.left), "=", formula(step.right))
        return (condition, Equation(name, "=", right, tag))
    return (Equation("" if begun else name, relation_latex(step.relation), right, tag),)


def _action(step: Step, shelf: Mapping[str, str], *, same: bool) -> Rich:
    """What a link does, in words."""
    if isinstance(step, Put):
        return ("Put ", Formula(f"{letter_latex(step.letter.name)} = {with_units(step.value)}"))
    if isinstance(step, Use):
        used = step.derivation
        return (
            "Use ",
            Link(used.id, used.id or used.title, shelf.get(used.id, "")),
            ", ",
            Formula(f"{letter_latex(step.letter.name)} = {formula(used.general)}"),
        )
    if isinstance(step, Approx):
        bound = Formula(formula(step.error_at_most))
        return ("Approximate, with a relative error of at most ", bound, *region(step.where))
    if isinstance(step, Bound):
        return (f"Bound from {'above' if step.relation == '≤' else 'below'}", *region(step.where))
    if isinstance(step, Minimise):
        over = Formula(letter_latex(step.letter.name))
        return ("Minimise ", Formula(formula(step.formula)), " over ", over, *region(step.where))
    if isinstance(step, Solve):
        return ("Solve for ", Formula(letter_latex(step.letter.name)), *region(step.where))
    return ("That is" if same else "Rewrite",)
