"""The file of measurements: what goes in comes back, and whatever is not as described is refused."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from derive.errors import DeriveError
from derive.measurements import Machine, Measurement, dump, load

MACHINE = Machine("Test CPU, 2 cores", "cpu", "Test CPU", 2, "Linux 6")
ONE = Measurement(
    "memory.activations_gpt3",
    717225984,
    "byte",
    "storages that autograd saved",
    MACHINE,
    {"python": "3.11.7", "torch": "2.13.0"},
    date(2026, 11, 30),
    given={"s": 1024, "b": 8, "h": 768, "a": 12},
    conventions={"precision": "bf16"},
    rows={"Q and K": 25165824},
)
TIME = dataclasses.replace(
    ONE,
    id="roofline.time",
    value=1.5e-3,
    unit="s",
    given={"F": "1e9 FLOP", "Q": "1e6 byte"},
    model="llama-3-8b",
    spread=0.02,
    samples=5,
    trusted=False,
    rows={},
    note="the machine was busy",
)


def written(folder: Path, change: Callable[[dict[str, Any]], object] = lambda found: None) -> Path:
    """A file of both measurements, changed."""
    found = json.loads(dump([ONE, TIME]))
    change(found)
    path = folder / "measured.json"
    path.write_text(json.dumps(found), "utf-8")
    return path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    assert load(written(tmp_path)) == [ONE, TIME]


def test_the_least_that_a_measurement_has(tmp_path: Path) -> None:
    def least(found: dict[str, Any]) -> None:
        found["measurements"] = [{"id": "matmul.flops", "value": 2, "unit": "FLOP", "how": "counted"}]

    (found,) = load(written(tmp_path, least))
    assert (found.value, found.spread, found.samples, found.trusted) == (2, None, 1, True)
    assert (found.given, found.model, found.note) == ({}, None, "")


def test_the_suspect_is_the_row_that_differs_most() -> None:
    measured = dataclasses.replace(ONE, rows={"a": 10, "b": 7, "extra": 2})
    assert measured.suspect({"a": 10, "b": 4}) == "b"
    assert measured.suspect({"a": 10, "b": 7}) == "extra"
    assert measured.suspect({"a": 10, "b": 7, "extra": 2}) == ""
    assert measured.suspect({"a": 10, "b": 7, "extra": 2, "lacking": 99}) == "lacking"
    assert dataclasses.replace(ONE, rows={}).suspect({"a": 10}) == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found.update(format="other"), 'is no file of "format": "derive-measurements"'),
        (lambda found: found.update(version=2), '"version": 1'),
        (lambda found: found.pop("machine"), "has no machine"),
        (lambda found: found.update(more=1), "unknown key 'more': one of date, format"),
        (lambda found: found.update(date="30.11.2026"), 'date: is no day: give it as "2026-01-31"'),
        (lambda found: found.update(date=20261130), "date: is no day"),
        (lambda found: found["machine"].update(cores=0), "machine: cores: is no whole number from 1"),
        (lambda found: found["machine"].update(name=""), "machine: a text is no line"),
        (lambda found: found["versions"].update(torch=2), "versions: a text is no line"),
        (lambda found: found.update(measurements={}), "measurements are no list"),
        (lambda found: found["measurements"].append(3), "measurement 3: is no object"),
        (lambda found: found["measurements"][0].pop("unit"), "measurement 1: has no unit"),
        (
            lambda found: found["measurements"][0].update(value="5"),
            "measurement 1: a value is no finite number",
        ),
        (
            lambda found: found["measurements"][0].update(value=True),
            "measurement 1: a value is no finite number",
        ),
        (lambda found: found["measurements"][0].update(value=10**400), "a value is no finite number"),
        (lambda found: found["measurements"][0].update(spread=-1), "measurement 1: spread is below 0"),
        (lambda found: found["measurements"][0].update(samples=1.5), "samples: is no whole number"),
        (lambda found: found["measurements"][0].update(trusted=1), "trusted is neither true nor false"),
        (lambda found: found["measurements"][0].update(note="a\nb"), "a text is no line"),
        (lambda found: found["measurements"][0].update(rows={"Q": "1"}), "rows: a value is no finite number"),
        (lambda found: found["measurements"][0].update(given=[1]), "given: is no object"),
        (lambda found: found["measurements"][0].update(wrong=1), "unknown key 'wrong'"),
    ],
)
def test_what_is_not_as_described_is_refused_in_one_line(
    change: Callable[[dict[str, Any]], object], said: str, tmp_path: Path
) -> None:
    path = written(tmp_path, change)
    with pytest.raises(DeriveError) as refused:
        load(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 100_000, "is nested too deeply"),
        (b"{", "is no JSON"),
        (b"\xff", "is no UTF-8 text"),
        (b'{"format": NaN}', "NaN is no measured value"),
        (b'{"format": 1, "format": 2}', "'format' stands twice in one object"),
        (b"[]", "is no object with date, format"),
        (b" " * (2**24 + 1), "is larger than 16 MiB"),
        (b'{"format": ' + b"9" * 5000 + b"}", "is no JSON"),
    ],
)
def test_what_is_no_file_of_measurements_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    path.write_bytes(content)
    with pytest.raises(DeriveError, match=r"give|one of|once|date") as refused:
        load(path)
    assert said in str(refused.value)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DeriveError, match="is no regular file"):
        load(tmp_path)
    with pytest.raises(DeriveError, match=r"cannot be read \(No such file"):
        load(tmp_path / "none.json")


@pytest.mark.parametrize(("value", "unit"), [(1.01, "dimensionless"), (101, "percent")])
def test_a_utilization_above_1_is_refused_with_its_causes(value: float, unit: str, tmp_path: Path) -> None:
    def above(found: dict[str, Any]) -> None:
        found["measurements"][0].update(id="utilization.mfu", value=value, unit=unit)

    for attempt in (
        lambda: load(written(tmp_path, above)),
        lambda: dump([dataclasses.replace(ONE, id="utilization.mfu", value=value, unit=unit)]),
    ):
        with pytest.raises(DeriveError, match=r"synchronize first.*tied embedding.*peak"):
            attempt()
    assert dump([dataclasses.replace(ONE, id="utilization.mfu", value=0.99, unit="dimensionless")])


def test_one_file_is_of_one_machine_and_day() -> None:
    with pytest.raises(DeriveError, match="no measurements to write"):
        dump([])
    with pytest.raises(DeriveError, match="several machines or days"):
        dump([ONE, dataclasses.replace(ONE, date=date(2026, 12, 1))])
