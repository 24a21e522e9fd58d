"""Measured beside derived: each measurement with the value that the formula gives at its inputs, and their ratio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import units
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.measurements import Measurement
from derive.reconcile import reconcile_derivation
from derive.rounding import DIGITS
from reports.point import Asking, Point
from reports.quantities import Amount, amount, input_amount, percent_text, unit_text
from reports.setting import Setting
from reports.view import Entry, Grid
from reports.wording import tidy
from reports.worked import bare

TITLE = "Derived and measured"
_WORDS = "how, and what to suspect"
_FULL = 10**18
_MOST_DIGITS = 13


def measured_grid(
    derivation: Derivation, measurements: Sequence[Measurement], hardware: str | Path | None
) -> Grid | None:
    """The measurements of a derivation as a table; None where there is none.

    Raises DeriveError where the formula has no value at a measurement's inputs or
    one of another unit.
    """
    own = [one for one in measurements if one.id == derivation.id and derivation.id]
    if not own:
        return None
    rows = [_row(derivation, one, hardware) for one in own]
    shared = {unit_text(one.unit) for row in rows for one in (row.derived, row.measured)}
    unit = shared.pop() if len(shared) == 1 else ""
    behind = f" [{unit}]" if unit else ""
    heads = ("at", f"derived{behind}", f"measured{behind}", "ratio", _WORDS)
    where = dict.fromkeys(
        f"Measured on {one.machine.name} ({one.machine.device}), {one.machine.system}, on {one.date.isoformat()}; "
        f"{', '.join(f'{name} {version}' for name, version in one.versions.items())}."
        for one in own
    )
    cells = tuple(row.cells(bare_numbers=bool(unit)) for row in rows)
    return Grid(TITLE, tuple(where), heads, cells, (), texts=(0, len(heads) - 1))


@dataclass(frozen=True)
class _Row:
    at: str
    derived: Amount
    measured: Amount
    ratio: Amount | None
    words: str

    def cells(self, *, bare_numbers: bool) -> tuple[Entry, ...]:
        """The cells; `bare_numbers` where the unit stands in the heading."""
        sides = (
            replace(one, unit="dimensionless") if bare_numbers else one
            for one in (self.derived, self.measured)
        )
        return (self.at, *map(bare, sides), None if self.ratio is None else bare(self.ratio), self.words)


def _row(derivation: Derivation, one: Measurement, hardware: str | Path | None) -> _Row:
    setting = Setting(None, one.model, one.given, one.conventions, hardware)
    asking = Asking(setting)
    try:
        point = asking.point(derivation, alone=True)
    except DeriveError as error:
        raise DeriveError(f"a measurement of {derivation.id}: {error}") from error
    if unknown := sorted(set(one.given) - asking.used):
        raise DeriveError(f"a measurement of {derivation.id} gives {unknown[0]}, which is no letter of it")
    if point.evaluation is None or point.from_example:
        missing = ", ".join(sorted(point.from_example)) or point.note
        raise DeriveError(f"a measurement of {derivation.id} does not give {missing}: measure it anew")
    scale, dimension = units.factor(one.unit)
    if dimension != units.dimension_of(derivation.unit):
        raise DeriveError(
            f"a measurement of {derivation.id} is in {one.unit}, and it is in {derivation.unit}"
        )
    value = point.evaluation.value
    if not isinstance(value, Fraction | bool):
        raise DeriveError(f"a measurement of {derivation.id}: it has no single number to hold against it")
    derived, measured = Fraction(value) / scale, Fraction(str(one.value))
    differs = _differs(one, derived)
    ratio = _ratio(measured / derived if differs else Fraction(1)) if derived else None
    return _Row(
        _at(one, point),
        _shown(derived, one.unit),
        _shown(measured, one.unit),
        ratio,
        _explained(derivation, one, point, derived, hardware),
    )


def _ratio(value: Fraction) -> Amount:
    """To four digits, or to as many as tell it from 1."""
    several = (amount(value, "dimensionless", digits) for digits in range(DIGITS, _MOST_DIGITS))
    return next((one for one in several if one.number.strip("0.") != "1"), amount(value, "dimensionless"))


def _at(one: Measurement, point: Point) -> str:
    """Where it was measured: letters with their values, the model, the conventions."""
    values = {filled.letter.name: input_amount(filled).text for filled in point.values.values()}
    at = [f"{name} = {values.get(name, given)}" for name, given in one.given.items()]
    at += [one.model] if one.model else []
    at += [f"{name} = {choice}" for name, choice in one.conventions.items()]
    return tidy(", ".join(at)) or "its defaults"


def _shown(value: Fraction, unit: str) -> Amount:
    """An exact count in full, anything else rounded."""
    if value.denominator == 1 and abs(value) < _FULL:
        return Amount(str(value.numerator), unit, exact=True)
    return amount(value, unit)


def _explained(
    derivation: Derivation, one: Measurement, point: Point, derived: Fraction, hardware: str | Path | None
) -> str:
    """How it was taken, its spread, and the row or the slip to suspect where it is off."""
    told = [one.how]
    if one.spread is not None:
        told.append(f"spread {percent_text(Fraction(str(one.spread)))}")
    if not one.trusted:
        told.append("the machine was busy: do not trust it")
    if _differs(one, derived):
        told += [f"suspect: {suspect}" for suspect in _suspects(derivation, one, point, hardware)]
        told += [one.note] if one.note else []
    return tidy("; ".join(told))


def _differs(one: Measurement, derived: Fraction) -> bool:
    """Whether it differs: a whole number at all, a float as floats do."""
    return one.value != derived if isinstance(one.value, int) else one.value != float(derived)


def _suspects(
    derivation: Derivation, one: Measurement, point: Point, hardware: str | Path | None
) -> list[str]:
    """The row that differs most where rows were measured; for other exact counts a slip that explains it all."""
    if one.rows:
        derived = _rows(point, one.unit)
        row = one.suspect(derived)
        if not row:
            return []
        more = Fraction(str(one.rows.get(row, 0))) - Fraction(str(derived.get(row, 0)))
        sign = "+" if more > 0 else ""
        return [f"the row “{row}” ({sign}{amount(more, one.unit).text})"]
    if one.spread is not None or one.note:
        return []
    found = reconcile_derivation(
        derivation,
        f"{one.value} {unit_text(one.unit)}",
        one.given,
        None,
        one.model,
        one.conventions,
        hardware,
    )
    return [explanation.says for explanation in found.explanations[:1]]


def _rows(point: Point, unit: str) -> Mapping[str, int | float]:
    """The rows of the ledgers at a point, in `unit`."""
    scale, _ = units.factor(unit)
    amounts = {
        row.what: number / scale
        for ledger in point.form.ledgers
        for row in ledger.rows
        if (number := point.number(row.amount)) is not None
    }
    return {what: int(value) if value.denominator == 1 else float(value) for what, value in amounts.items()}
