"""Reconciling: which convention or mistake turns our number into somebody's.

`reconcile` takes a quantity of the catalogue and a claimed value and ranks what
explains the difference within the digits given. It explains only by named causes:
a bare factor 2 is no explanation, and where nothing fits it says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy

from derive.calc import parse
from derive.catalogue import get
from derive.conventions import CONVENTIONS
from derive.derivation import Derivation
from derive.dimensions import dimension_text
from derive.entries import Entry
from derive.errors import DeriveError, NoValue
from derive.evaluation import entries, evaluate_derivation
from derive.filling import Given
from derive.opened import Opened, formula_text, open_up
from derive.reconcile.claim import read_claim
from derive.reconcile.line import Line
from derive.reconcile.search import Change, Explanation, Form, explain
from derive.reconcile.slips import Input, Slip, of_input
from derive.result import Evaluation
from derive.symbols import without_units
from units import dimension_of

__all__ = [
    "Explanation",
    "Reconciliation",
    "read_claim",
    "reconcile",
    "reconcile_derivation",
    "reconcile_line",
]


@dataclass(frozen=True)
class Reconciliation:
    """Ours, theirs, their ratio (theirs over ours), and the explanations, likeliest first.

    agrees: the two are the same within the digits claimed, and nothing needs explaining.
    """

    ours: str
    claimed: str
    ratio: float
    explanations: tuple[Explanation, ...]
    agrees: bool

    def as_json(self) -> dict[str, Any]:
        """What `derive reconcile --json` prints."""
        return {
            "ours": self.ours,
            "claimed": self.claimed,
            "ratio": self.ratio,
            "agrees": self.agrees,
            "explanations": [explanation.as_json() for explanation in self.explanations],
        }


def reconcile_line(line: str, claimed: str) -> Reconciliation:
    """Explain a claimed value of a line of arithmetic such as "2*7/8 * 2 GB / (64 GB/s)".

    Raises derive.calc.CalcError for a line that is refused and DeriveError for a
    claim of another dimension.
    """
    expression, claim = parse(line), read_claim(claimed)
    expression.answer()  # refuses a line with free letters
    if expression.dimension != claim.dimension:
        raise DeriveError(
            f"the line is in {dimension_text(expression.dimension)}, and the claim {claimed!r} is "
            f"{dimension_text(claim.dimension)}"
        )
    laid_open = Line(expression)
    value = laid_open.function()(laid_open.base())
    if value is None:
        raise NoValue(f"{line!r} has no value")
    agrees = claim.fits(value)
    form = Form(None, laid_open, value)
    found = [] if agrees else explain([form], claim, lambda _: list(laid_open.changes()))
    ratio = float(claim.value) / value if value else float("inf")
    return Reconciliation(claim.shown(value), claimed, ratio, tuple(found), agrees)


def reconcile(
    id: str,
    claimed: str,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
) -> Reconciliation:
    """Explain a claimed value of a quantity; inputs as for `derive.evaluate`.

    Raises DeriveError where the quantity cannot be evaluated or the claim is of
    another dimension.
    """
    return reconcile_derivation(get(id), claimed, given, on, model, conventions, hardware)


def reconcile_derivation(
    derivation: Derivation,
    claimed: str,
    given: Given | None = None,
    on: str | None = None,
    model: str | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
) -> Reconciliation:
    """`reconcile` for a derivation at hand."""
    claim = read_claim(claimed)
    question = _Asked(derivation, given or {}, on, model, dict(conventions or {}), hardware)
    ours = question.evaluate({})
    if dimension_of(derivation.unit) != claim.dimension:
        raise DeriveError(
            f"{derivation.name} is in {dimension_text(dimension_of(derivation.unit))}, and the claim "
            f"{claimed!r} is {dimension_text(claim.dimension)}"
        )
    if ours.value is None:
        raise NoValue(f"{derivation.name} has no value here: {ours.none}")
    value = ours.base_float
    agrees = claim.fits(value)
    found = [] if agrees else explain(list(question.forms(ours)), claim, question.changes)
    ratio = float(claim.value) / value if value else float("inf")
    return Reconciliation(claim.shown(value), claimed, ratio, tuple(found), agrees)


class _Asked:
    """A question, and every way to ask it slightly differently."""

    def __init__(
        self,
        derivation: Derivation,
        given: Given,
        on: str | None,
        model: str | None,
        conventions: dict[str, str],
        hardware: str | Path | None,
    ) -> None:
        self.derivation, self.given, self.on, self.model = derivation, given, on, model
        self.conventions, self.hardware = conventions, hardware
        self.owners = dict(zip(("hardware", "model"), entries(on, model, hardware), strict=True))
        self.opened: dict[int, tuple[Opened, Evaluation]] = {}

    def evaluate(self, changed: Mapping[str, str]) -> Evaluation:
        return evaluate_derivation(
            self.derivation,
            given=self.given,
            on=self.on,
            model=self.model,
            conventions={**self.conventions, **changed},
            extra=self.hardware,
        )

    def forms(self, ours: Evaluation) -> Iterator[Form]:
        """As asked, then under each other choice of each convention in force, then of two conventions."""
        yield self._form(None, ours)
        singles = [(name, choice) for name in ours.conventions for choice in CONVENTIONS[name].choices]
        singles = [(name, choice) for name, choice in singles if ours.conventions[name] != choice]
        for name, choice in singles:
            yield from self._under({name: choice})
        for number, (name, choice) in enumerate(singles):
            for other, second in singles[number + 1 :]:
                if other != name:
                    yield from self._under({name: choice, other: second})

    def _under(self, changed: Mapping[str, str]) -> Iterator[Form]:
        try:
            result = self.evaluate(changed)
        except DeriveError:
            return  # this choice asks for something that was not given
        if result.value is None:
            return
        says = ", and ".join(
            f"{CONVENTIONS[name].choices[choice]} ({name} = {choice})" for name, choice in changed.items()
        )
        cause = " and ".join(changed)
        yield self._form(
            Slip(cause, says, result.base_float, 0.9 * len(changed) + 0.5 * (len(changed) - 1)), result
        )

    def _form(self, slip: Slip | None, result: Evaluation) -> Form:
        opened = open_up(result)
        self.opened[id(opened)] = opened, result
        return Form(slip, opened, result.base_float)

    def changes(self, form: Form) -> Sequence[Change]:
        """Slips of the inputs, of the ledger rows and of the formula's own factors."""
        opened, result = self.opened[id(form.opened)]
        return [*self._inputs(opened), *_rows(opened), *_factors(result)]

    def _inputs(self, opened: Opened) -> Iterator[Change]:
        for symbol, filled in opened.letters.items():
            owner = self._owner((filled.letter.role or "").partition(".")[0])
            for slip in of_input(Input.of(filled), owner):
                yield Change(slip, {symbol: slip.value})

    def _owner(self, kind: str) -> Entry | None:
        return self.owners.get(kind)


_WITHOUT = {"values": "K without V", "keys": "V without K"}


def _rows(opened: Opened) -> Iterator[Change]:
    """A ledger row left out, counted twice, or kept at twice the width."""
    if len(opened.rows) < 2:
        return
    for row in opened.rows:
        masks = any(
            getattr(symbol, "role", "") == "convention.mask_element" for symbol in row.amount.free_symbols
        )
        without = _WITHOUT.get(row.what, f"{row.what} left out")
        yield Change(
            Slip(without, f"the row {row.what!r} is left out", 0.0, 1.1 if masks else 1.3), {row.weight: 0.0}
        )
        yield Change(
            Slip(f"{row.what} doubled", f"the row {row.what!r} is counted twice or twice as wide", 2.0, 1.5),
            {row.weight: 2.0},
        )


def _factors(result: Evaluation) -> Iterator[Change]:
    """A factor or a term of the formula forgotten."""
    numbers = {
        filled.letter: sympy.Rational(filled.value.numerator, filled.value.denominator)
        for filled in result.inputs
    }
    formula = (
        sympy.factor(without_units(result.formula))
        if result.formula.is_rational_function()
        else without_units(result.formula)
    )
    whole = formula.xreplace(numbers)
    if not whole.is_number or whole == 0:
        return
    for term in formula.args if isinstance(formula, sympy.Add) else ():
        yield from _left_out("term", term, 1 - term.xreplace(numbers) / whole)
    for factor in sympy.Mul.make_args(formula):
        yield from _left_out("factor", factor, 1 / factor.xreplace(numbers))
        base, exponent = factor.as_base_exp()
        if isinstance(base, sympy.Add):
            for term in base.args:
                rest = (base - term).xreplace(numbers)
                if rest.is_positive:
                    ratio = (rest / base.xreplace(numbers)) ** exponent
                    yield from _left_out("term", term, ratio, inside=formula_text(base))


def _left_out(kind: str, part: sympy.Expr, ratio: sympy.Expr, inside: str = "") -> Iterator[Change]:
    number = float(ratio)
    if number <= 0 or number == 1:
        return
    where = f" of {inside}" if inside else ""
    says = f"the {kind} {formula_text(part)}{where} is left out"
    yield Change(Slip(f"{kind} left out", says, number, 1.5), factor=number)
