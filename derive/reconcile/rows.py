"""The slips of a formula: ledger rows left out or counted twice, and factors and terms forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import sympy

from derive.opened import Opened, Row, formula_text
from derive.reconcile.claim import Claim
from derive.reconcile.search import Change
from derive.reconcile.slips import Slip
from derive.result import Evaluation
from derive.symbols import without_units

_WITHOUT = {"values": ("K without V", 0.8), "keys": ("V without K", 1.1)}
_MOST_ROWS = 13
_CHANCE = 0.05  # how many sets of rows may meet a claim by chance for one that does to be told


def of_rows(opened: Opened) -> Iterator[Change]:
    """A ledger row left out, counted twice, or kept at twice the width."""
    if len(opened.rows) < 2:
        return
    for row in opened.rows:
        masks = any(
            getattr(symbol, "role", "") == "convention.mask_element" for symbol in row.amount.free_symbols
        )
        cause, cost = _WITHOUT.get(row.what, (f"{row.what} left out", 1.1 if masks else 1.3))
        says = f"the row {row.what!r} is left out"
        slip = Slip(cause, says, 0.0, cost, group="row left out")
        yield Change(slip, {row.weight: 0.0})
        says = f"the row {row.what!r} is counted twice or twice as wide"
        yield Change(Slip(f"{row.what} doubled", says, 2.0, 1.5, group="row doubled"), {row.weight: 2.0})
        if not masks:
            says = f"the row {row.what!r} is counted at half its width"
            slip = Slip(f"{row.what} halved", says, 0.5, 1.9, group="row halved", generic=True)
            yield Change(slip, {row.weight: 0.5})


def of_several_rows(opened: Opened, claim: Claim) -> Iterator[Change]:
    """Three rows or more left out, where the claim's digits are too many to be met by chance."""
    rows = opened.rows
    if not 4 <= len(rows) <= _MOST_ROWS or claim.width * 2 ** len(rows) > _CHANCE:
        return
    value, base = opened.function(), opened.base()
    whole = value(base)
    if whole is None:
        return
    shares = []
    for row in rows:
        rest = value({**base, row.weight: 0.0})
        shares.append(0.0 if rest is None else whole - rest)
    for size in range(3, len(rows)):
        fitting = [
            chosen
            for chosen in combinations(range(len(rows)), size)
            if claim.fits(whole - sum(shares[index] for index in chosen))
        ]
        if fitting:
            yield _only([rows[index] for index in fitting[0]])
            return


def _only(rows: list[Row]) -> Change:
    names = ", ".join(row.what for row in rows)
    slip = Slip("rows left out", f"these rows are left out: {names}", 0.0, 1.5 + 0.1 * len(rows))
    return Change(slip, {row.weight: 0.0 for row in rows})


def of_factors(result: Evaluation) -> Iterator[Change]:
    """A factor or a term of the formula forgotten, a factor counted twice."""
    numbers = {
        filled.letter: sympy.Rational(filled.value.numerator, filled.value.denominator)
        for filled in result.inputs
    }
    plain = without_units(result.formula)
    formula = sympy.factor(plain) if result.formula.is_rational_function() else plain
    whole = formula.xreplace(numbers)
    if not whole.is_number or whole == 0:
        return
    for term in formula.args if isinstance(formula, sympy.Add) else ():
        yield from _left_out("term", term, 1 - term.xreplace(numbers) / whole)
    for factor in sympy.Mul.make_args(formula):
        number = factor.xreplace(numbers)
        yield from _left_out("factor", factor, 1 / number)
        if factor.is_Symbol or factor.is_Integer:
            says = f"the factor {formula_text(factor)} counts twice"
            slip = Slip("factor counted twice", says, float(number), 1.7, group="factor", generic=True)
            yield from _change(slip)
        base, exponent = factor.as_base_exp()
        if isinstance(base, sympy.Add):
            for term in base.args:
                rest = (base - term).xreplace(numbers)
                if rest.is_positive:
                    ratio = (rest / base.xreplace(numbers)) ** exponent
                    cause = f"{formula_text(base - term)} for {formula_text(base)}"
                    yield from _left_out("term", term, ratio, cause)


def _left_out(kind: str, part: sympy.Expr, ratio: sympy.Expr, cause: str = "") -> Iterator[Change]:
    says = f"the {kind} {formula_text(part)} is left out"
    says += f", {cause}" if cause else ""
    slip = Slip(
        cause or f"{kind} left out", says, float(ratio), 1.5, group="factor", generic=kind == "factor"
    )
    yield from _change(slip)


def _change(slip: Slip) -> Iterator[Change]:
    if slip.value > 0 and slip.value != 1:
        yield Change(slip, factor=slip.value)


def of_ratio() -> Iterator[Change]:
    """A plain ratio turned upside down."""
    slip = Slip("ratio turned round", "the ratio is turned upside down", -1.0, 1.4)
    yield Change(slip, after=lambda value: 1 / value, wrap="1 / ({})")
