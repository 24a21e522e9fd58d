"""Measurements: what a machine said of the catalogue's formulas, and the file that they travel in.

A file is JSON with the machine, the versions and the day once, and a list of
measurements, each of which names a formula and what filled it, so that the
derived value can be computed beside it:

    {"format": "derive-measurements", "version": 1, "date": "2026-11-30",
     "machine": {"name": "…", "device": "cpu", "processor": "…", "cores": 2, "system": "Linux"},
     "versions": {"python": "3.11.7", "torch": "2.13.0"},
     "measurements": [
       {"id": "memory.activations_gpt3", "given": {"s": 1024, "b": 8, "h": 768, "a": 12},
        "value": 717225984, "unit": "byte", "how": "storages saved by autograd",
        "rows": {"Q and K": 25165824}}]}

The file is data from anywhere: it is bounded, and whatever is not as described is
refused in one line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from derive.errors import DeriveError
from derive.textfile import read_text, shown

Number = int | float

FORMAT, VERSION = "derive-measurements", 1
_BYTES = 2**24
_MOST = 10_000
_TEXT = 500
_ENTRIES = 200
_UTILIZATIONS = ("utilization.mfu", "utilization.hfu")

CAUSES = (
    "the clock stopped before the device had finished (synchronize first)",
    "a tied embedding was counted twice",
    "the peak is that of another precision or machine",
)
"""Why a measured utilization comes out above 1."""


@dataclass(frozen=True)
class Machine:
    """Where something was measured. device: "cpu", "cuda" or "mps"; processor: its maker's name for it."""

    name: str
    device: str
    processor: str
    cores: int
    system: str


@dataclass(frozen=True)
class Measurement:
    """One measured value and the question that it answers.

    id, given, model and conventions: what `derive.evaluate` takes to compute the derived
    value. value: in `unit`, a median where there were several samples. spread: half of the
    range of the middle half of the samples over their median; None for an exact count.
    samples: how many. trusted: False where the machine was too busy for a time to mean
    anything. how: how it was taken. rows: the measured part of each ledger row, where it is
    known; a row that the ledger lacks is one that the formula leaves out. note: the
    likeliest reason for a difference, or "".
    """

    id: str
    value: Number
    unit: str
    how: str
    machine: Machine
    versions: Mapping[str, str] = field(hash=False)
    date: date
    given: Mapping[str, Number | str] = field(default_factory=dict, hash=False)
    model: str | None = None
    conventions: Mapping[str, str] = field(default_factory=dict, hash=False)
    spread: float | None = None
    samples: int = 1
    trusted: bool = True
    rows: Mapping[str, Number] = field(default_factory=dict, hash=False)
    note: str = ""

    def suspect(self, derived: Mapping[str, Number]) -> str:
        """The row that differs most from the derived rows; "" where all agree or none was measured."""
        if not self.rows:
            return ""
        apart = {row: abs(self.rows.get(row, 0) - derived.get(row, 0)) for row in {**derived, **self.rows}}
        row = max(apart, key=lambda name: apart[name])
        return row if apart[row] else ""


def load(path: Path) -> list[Measurement]:
    """The measurements of a file.

    Raises DeriveError for a file that cannot be read, is larger than 16 MiB, holds more
    than 10,000 measurements or anything that is not as described above, and for a
    utilization above 1.
    """
    where = shown(path)
    text = read_text(path, "a JSON file that derive measure wrote", _BYTES)
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError as error:
        raise DeriveError(f"{where}: is nested too deeply: give a file that derive measure wrote") from error
    except DeriveError as error:
        raise DeriveError(f"{where}: {error}") from error
    except ValueError as error:
        raise DeriveError(
            f"{where}: is no JSON ({_shown(str(error))}): give what derive measure wrote"
        ) from error
    top = _keys(found, where, {"format", "version", "date", "machine", "versions", "measurements"})
    if top["format"] != FORMAT or top["version"] != VERSION:
        raise DeriveError(f'{where}: is no file of "format": "{FORMAT}", "version": {VERSION}')
    shared = (_machine(top["machine"], f"{where}: machine"), _texts(top["versions"], f"{where}: versions"))
    day = _day(top["date"], f"{where}: date")
    listed = top["measurements"]
    if not isinstance(listed, list) or len(listed) > _MOST:
        raise DeriveError(f"{where}: measurements are no list of at most {_MOST:,}")
    return [
        _measurement(one, shared, day, f"{where}: measurement {number}")
        for number, one in enumerate(listed, 1)
    ]


def dump(measurements: Sequence[Measurement]) -> str:
    """The text of a file that `load` reads back. All must be of one machine and one day.

    Raises DeriveError for none, for several machines, and for a utilization above 1.
    """
    if not measurements:
        raise DeriveError("there are no measurements to write: measure something first")
    first = measurements[0]
    for one in measurements:
        if (one.machine, one.versions, one.date) != (first.machine, first.versions, first.date):
            raise DeriveError("the measurements are of several machines or days: write a file for each")
        _refuse_above_one(one.id, one.value, one.unit, one.id)
    found = {
        "format": FORMAT,
        "version": VERSION,
        "date": first.date.isoformat(),
        "machine": vars(first.machine),
        "versions": dict(first.versions),
        "measurements": [_as_json(one) for one in measurements],
    }
    return json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _as_json(one: Measurement) -> dict[str, Any]:
    full = {
        "id": one.id,
        "given": dict(one.given),
        "model": one.model,
        "conventions": dict(one.conventions),
        "value": one.value,
        "unit": one.unit,
        "spread": one.spread,
        "samples": one.samples,
        "trusted": one.trusted,
        "how": one.how,
        "rows": dict(one.rows),
        "note": one.note,
    }
    return {key: value for key, value in full.items() if value not in (None, "", {})}


def _measurement(
    found: object, shared: tuple[Machine, Mapping[str, str]], day: date, where: str
) -> Measurement:
    optional = {"given", "model", "conventions", "spread", "samples", "trusted", "rows", "note"}
    row = _keys(found, where, {"id", "value", "unit", "how"}, optional)
    id, value, unit = _text(row["id"], where), _number(row["value"], where), _text(row["unit"], where)
    spread, samples, trusted = row.get("spread"), row.get("samples", 1), row.get("trusted", True)
    if spread is not None and _number(spread, f"{where}: spread") < 0:
        raise DeriveError(f"{where}: spread is below 0: give a share of the value, as 0.02")
    if not isinstance(trusted, bool):
        raise DeriveError(f"{where}: trusted is neither true nor false")
    _refuse_above_one(id, value, unit, where)
    return Measurement(
        id,
        value,
        unit,
        _text(row["how"], where),
        *shared,
        day,
        given=_mapping(row.get("given", {}), f"{where}: given", texts=True),
        model=None if row.get("model") is None else _text(row["model"], where),
        conventions=_texts(row.get("conventions", {}), f"{where}: conventions"),
        spread=None if spread is None else float(spread),
        samples=_count(samples, f"{where}: samples"),
        trusted=trusted,
        rows=_numbers(row.get("rows", {}), f"{where}: rows"),
        note=_text(row["note"], where) if row.get("note") else "",
    )


def _refuse_above_one(id: str, value: Number, unit: str, where: str) -> None:
    whole = 100 if unit == "percent" else 1
    if id in _UTILIZATIONS and value > whole:
        raise DeriveError(f"{where}: {id} is {value:.4g} {unit}, above {whole}: {'; or '.join(CAUSES)}")


def _machine(found: object, where: str) -> Machine:
    row = _keys(found, where, {"name", "device", "processor", "cores", "system"})
    texts = {key: _text(row[key], where) for key in ("name", "device", "processor", "system")}
    return Machine(cores=_count(row["cores"], f"{where}: cores"), **texts)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DeriveError(f"{_shown(twice)!r} stands twice in one object: give it once")
    return found


def _no_constant(name: str) -> None:
    raise DeriveError(f"{name} is no measured value: give a finite number")


def _keys(found: object, where: str, due: set[str], optional: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise DeriveError(f"{where}: is no object with {', '.join(sorted(due))}")
    for key in found:
        if key not in due | (optional or set()):
            known = ", ".join(sorted(due | (optional or set())))
            raise DeriveError(f"{where}: unknown key {_shown(key)!r}: one of {known}")
    for key in sorted(due - found.keys()):
        raise DeriveError(f"{where}: has no {key}: give it as derive measure writes it")
    return found


def _text(found: object, where: str) -> str:
    if not isinstance(found, str) or not 0 < len(found) <= _TEXT or not found.isprintable():
        raise DeriveError(f"{where}: a text is no line of 1 to {_TEXT} characters")
    return found


def _number(found: object, where: str) -> Number:
    if isinstance(found, bool) or not isinstance(found, int | float) or not _finite(found):
        raise DeriveError(f"{where}: a value is no finite number below 1e308: give one, as 4.5e-3")
    return found


def _finite(value: Number) -> bool:
    return math.isfinite(value) if isinstance(value, float) else abs(value) < 10**308


def _count(found: object, where: str) -> int:
    if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found < 10**9:
        raise DeriveError(f"{where}: is no whole number from 1: give one")
    return found


def _day(found: object, where: str) -> date:
    try:
        return date.fromisoformat(found if isinstance(found, str) else "")
    except ValueError as error:
        raise DeriveError(f'{where}: is no day: give it as "2026-01-31"') from error


def _mapping(found: object, where: str, *, texts: bool) -> Mapping[str, Any]:
    if not isinstance(found, dict) or len(found) > _ENTRIES:
        raise DeriveError(f"{where}: is no object of at most {_ENTRIES} entries")
    made = {}
    for key, value in found.items():
        name = _text(key, where)
        made[name] = _text(value, where) if texts and isinstance(value, str) else _number(value, where)
    return MappingProxyType(made)


def _numbers(found: object, where: str) -> Mapping[str, Number]:
    return _mapping(found, where, texts=False)


def _texts(found: object, where: str) -> Mapping[str, str]:
    if not isinstance(found, dict) or len(found) > _ENTRIES:
        raise DeriveError(f"{where}: is no object of at most {_ENTRIES} texts")
    return MappingProxyType({_text(key, where): _text(value, where) for key, value in found.items()})


def _shown(text: str) -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in text[:121])
    return clean if len(clean) <= 120 else f"{clean[:119]}…"
