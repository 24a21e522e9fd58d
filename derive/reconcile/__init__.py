"""Reconciling: which convention or mistake turns our number into somebody's.

`reconcile` takes a quantity of the catalogue and a claimed value and ranks what
explains the difference within the digits given. It explains only by named causes:
a bare factor 2 is no explanation, and where nothing fits it says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from derive.calc import CalcError, Expression, parse
from derive.catalogue import get
from derive.derivation import Derivation
from derive.dimensions import dimension_text
from derive.errors import DeriveError, NoValue
from derive.filling import Given
from derive.reconcile.claim import Claim, read_claim
from derive.reconcile.line import Line
from derive.reconcile.line_slips import changes
from derive.reconcile.question import Question
from derive.reconcile.search import Explanation, Form, explain
from units import Dimension, dimension_of

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

    agrees: the two are the same within the digits claimed, and nothing needs
    explaining. ratio: None where ours is 0.
    """

    ours: str
    claimed: str
    ratio: float | None
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
    claim = read_claim(claimed)
    laid_open = Line(_fitted(line, claim))
    value = laid_open.function()(laid_open.base())
    if value is None:
        raise NoValue(f"{line!r} has no value")
    form = Form(None, laid_open, value)
    agrees = claim.fits(value)
    found = [] if agrees else explain([form], claim, lambda _: list(changes(laid_open)))
    return _reconciled(claim, value, found, agrees=agrees)


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
    question = Question(derivation, claim, given or {}, on, model, conventions or {}, hardware)
    ours = question.ours()
    if dimension_of(derivation.unit) != claim.dimension:
        raise _apart(derivation.name, dimension_of(derivation.unit), claim)
    value = ours.base_float
    agrees = claim.fits(value)
    found = [] if agrees else explain(list(question.forms(ours)), claim, question.changes)
    return _reconciled(claim, value, found, agrees=agrees)


def _fitted(line: str, claim: Claim) -> Expression:
    """The line checked, converted to the claim's unit where a named conversion (MAC to FLOP) is in between."""
    expression = parse(line)
    expression.answer()  # refuses a line with free letters
    if expression.dimension == claim.dimension:
        return expression
    try:
        return parse(line, to=claim.unit)
    except CalcError as error:
        raise _apart("the line", expression.dimension, claim) from error


def _apart(what: str, dimension: Dimension, claim: Claim) -> DeriveError:
    return DeriveError(
        f"{what} is in {dimension_text(dimension)}, and the claim {claim.text!r} is "
        f"{dimension_text(claim.dimension)}: give the claim in the unit of ours"
    )


def _reconciled(claim: Claim, value: float, found: list[Explanation], *, agrees: bool) -> Reconciliation:
    ratio = float(claim.value) / value if value else None
    return Reconciliation(claim.shown(value), claim.text, ratio, tuple(found), agrees)
