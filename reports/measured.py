"""Measured beside derived: each measurement with the value that the formula gives at its inputs, and their ratio."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import units
from derive.derivation import Derivation
from derive.entries import Entry
from derive.errors import DeriveError
from derive.measurements import Measurement
from derive.reconcile import reconcile_derivation
from derive.rounding import DIGITS
from reports.point import Asking, Point
from reports.quantities import Amount, amount, input_amount, percent_text, unit_text
from reports.setting import Setting
from reports.view import Entry as Cell
from reports.view import Grid, Link
from reports.wording import tidy
from reports.worked import bare

TITLE = "Derived and measured"
SUMMARY = "How far derived and measured agree"
MACHINE = "What the machine at hand reaches"
RATES = "roofline"
"""The chapter that tells what the machine at hand reaches."""
_HARDWARE = "hardware."
_WORDS = "how, and what to suspect"
_FULL = 10**18
_MOST_DIGITS = 13


def measured_rows(
    derivation: Derivation, measurements: Sequence[Measurement], hardware: str | Path | None
) -> tuple[MeasuredRow, ...]:
    """The measurements of a derivation, each beside what is derived at its inputs.

    Raises DeriveError where the formula has no value at a measurement's inputs or
    one of another unit.
    """
    own = [one for one in measurements if one.id == derivation.id and derivation.id]
    return tuple(_row(derivation, one, hardware) for one in own)


def measured_grid(rows: Sequence[MeasuredRow]) -> Grid | None:
    """A derivation's measurements as a table; None where there is none."""
    if not rows:
        return None
    shared = {unit_text(one.unit) for row in rows for one in (row.derived, row.measured)}
    unit = shared.pop() if len(shared) == 1 else ""
    behind = f" [{unit}]" if unit else ""
    heads = ("at", f"derived{behind}", f"measured{behind}", "ratio", _WORDS)
    how = _common([row.how for row in rows])
    about = (*where_measured(row.measurement for row in rows), *([f"In every row: {how}."] if how else []))
    cells = tuple(row.cells(how, bare_numbers=bool(unit)) for row in rows)
    return Grid(TITLE, about, heads, cells, (), texts=(0, len(heads) - 1))


def summary_grid(measured: Mapping[str, Sequence[MeasuredRow]], shelf: Mapping[str, str]) -> Grid | None:
    """How derived and measured agree, formula by formula; None where nothing was measured."""
    rows = {id: found for id, found in measured.items() if found}
    if not rows:
        return None
    heads = ("formula", "measurements", "exactly as derived", "least ratio", "greatest ratio")
    cells = tuple(
        (
            Link(id, id, shelf.get(id, "")),
            str(len(found)),
            str(sum(row.same for row in found)),
            *_ends([row.ratio for row in found if row.ratio is not None]),
        )
        for id, found in rows.items()
    )
    about = where_measured(row.measurement for found in rows.values() for row in found)
    return Grid(SUMMARY, about, heads, cells, ())


def machine_grid(measurements: Sequence[Measurement], machine: Entry | None) -> Grid | None:
    """What the reader's machine reached, beside what its maker says of the machine asked for; None without any."""
    own = [one for one in measurements if of_machine(one)]
    if not own:
        return None
    named = f"{machine.title}, as sourced" if machine is not None else ""
    heads = ("what", "measured", *([named] if named else []), "how")
    cells = tuple(_machine_row(one, machine) for one in own)
    return Grid(MACHINE, where_measured(own), heads, cells, (), texts=(0, len(heads) - 1))


def of_machine(one: Measurement) -> bool:
    """Whether a measurement is of a machine's rate, and not of a formula."""
    return one.id.startswith(_HARDWARE)


def where_measured(measurements: Iterable[Measurement]) -> tuple[str, ...]:
    """The machine, the day and the versions, a sentence for each that differs."""
    told = (
        f"Measured on {one.machine.name} ({one.machine.device}), {one.machine.system}, on {one.date.isoformat()}; "
        f"{', '.join(f'{name} {version}' for name, version in one.versions.items())}."
        for one in measurements
    )
    return tuple(dict.fromkeys(told))


def _machine_row(one: Measurement, machine: Entry | None) -> tuple[Cell, ...]:
    _, _, role = one.id.partition(".")
    what = ", ".join([role.replace("_", " "), *map(str, one.given.values())])
    value = amount(Fraction(str(one.value)), one.unit)
    told = (*([] if machine is None else [_sourced(one, role, machine)]), _spread(one))
    return (what, bare(value), *told)


def _sourced(one: Measurement, role: str, machine: Entry) -> Cell:
    """The constant of the machine that has the measurement's role and kind."""
    wanted = {name: str(value) for name, value in one.given.items()}
    found = [
        constant
        for constant in machine.constants
        if constant.role == role and all(constant.tags.get(tag) == value for tag, value in wanted.items())
    ]
    return found[0].described if len(found) == 1 else None


def _ends(ratios: Sequence[Fraction]) -> tuple[Cell, Cell]:
    if not ratios:
        return None, None
    return bare(_ratio(min(ratios))), bare(_ratio(max(ratios)))


def _common(texts: Sequence[str]) -> str:
    """The parts between semicolons with which all texts begin, where there are several."""
    split = [text.split("; ") for text in texts]
    shared = []
    for parts in zip(*split, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "; ".join(shared) if len(texts) > 1 else ""


@dataclass(frozen=True)
class MeasuredRow:
    """A measurement with what is derived at its inputs; ratio: measured over derived; same: whether they are
    one number; words: what to suspect.
    """

    measurement: Measurement
    at: str
    derived: Amount
    measured: Amount
    ratio: Fraction | None
    same: bool
    words: str

    @property
    def how(self) -> str:
        """How it was taken."""
        return tidy(self.measurement.how)

    def cells(self, common: str, *, bare_numbers: bool) -> tuple[Cell, ...]:
        """The cells; `bare_numbers` where the unit stands in the heading, `common` said above the table."""
        sides = (
            replace(one, unit="dimensionless") if bare_numbers else one
            for one in (self.derived, self.measured)
        )
        own = self.how.removeprefix(common).removeprefix("; ")
        words = "; ".join(filter(None, (own, self.words)))
        return (self.at, *map(bare, sides), None if self.ratio is None else bare(_ratio(self.ratio)), words)


def _row(derivation: Derivation, one: Measurement, hardware: str | Path | None) -> MeasuredRow:
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
    ratio = (measured / derived if differs else Fraction(1)) if derived else None
    return MeasuredRow(
        one,
        _at(one, point),
        _shown(derived, one.unit),
        _shown(measured, one.unit),
        ratio,
        not differs,
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
    """Its spread, and the row or the slip to suspect where it is off."""
    told = [*_uncertain(one)]
    if _differs(one, derived):
        suspects = _suspects(derivation, one, point, hardware)
        told += [f"suspect: {suspect}" for suspect in ([one.note] if one.note else suspects)]
    return tidy("; ".join(told))


def _uncertain(one: Measurement) -> Iterator[str]:
    if one.spread is not None:
        yield f"spread {percent_text(Fraction(str(one.spread)))}"
    if not one.trusted:
        yield "the machine was busy: do not trust it"


def _spread(one: Measurement) -> str:
    return tidy("; ".join((one.how, *_uncertain(one))))


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
