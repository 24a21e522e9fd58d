"""Measured beside derived: both values, their ratio, and what to suspect where they differ."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reports
from derive.errors import DeriveError
from derive.measurements import CAUSES
from reports.measured import MACHINE as MACHINE_TITLE
from reports.measured import SUMMARY, TITLE

N = 111_840


def measured(folder: Path, *measurements: dict[str, Any]) -> Path:
    path = folder / "measurements.json"
    machine = {"name": "a test", "device": "cpu", "processor": "none", "cores": 2, "system": "Linux"}
    found = {
        "format": "derive-measurements",
        "version": 1,
        "date": "2026-11-30",
        "machine": machine,
        "versions": {"python": "3.11.7"},
        "measurements": [{"how": "by hand", **one} for one in measurements],
    }
    path.write_text(json.dumps(found), "utf-8")
    return path


def table(text: str, heading: str = "## Derived and measured") -> list[list[str]]:
    lines = text[text.index(heading) :].splitlines()[1:]
    end = next(place for place, line in enumerate(lines) if line.startswith("#"))
    rows = [line.split("|")[1:-1] for line in lines[:end] if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if row[0].strip() != "---"]


def test_rows_that_were_measured_show_which_to_suspect(tmp_path: Path) -> None:
    rows = {"16-bit weights": 2 * N, "gradients": 2 * N, "fp32 master weights": 4 * N}
    rows |= {"Adam's first moment m": 4 * N, "Adam's second moment v": 4 * N + 48}
    file = measured(
        tmp_path,
        {"id": "memory.training_state", "given": {"N": f"{N} parameter"}, "value": 16 * N, "unit": "byte"},
        {
            "id": "memory.training_state",
            "given": {"N": f"{N} parameter"},
            "value": 16 * N + 48,
            "unit": "byte",
            "rows": rows,
        },
    )
    text = reports.render("memory.training_state", "md", measured=file)
    head, same, more = table(text)
    assert head[1:4] == [r"derived \[byte\]", r"measured \[byte\]", "ratio"]
    derived = f"${16 * N:,}$".replace(",", "{,}")
    assert same == [f"N = {N:,} parameter", derived, derived, "$1$", ""]
    assert more[2] == f"${16 * N + 48:,}$".replace(",", "{,}")
    ratio = Fraction(16 * N + 48, 16 * N)
    assert more[3] == rf"$\approx {float(ratio):.5f}$"
    assert more[4] == "suspect: the row “Adam's second moment v” (+48 byte)"
    assert "In every row: by hand." in text
    assert "Measured on a test (cpu), Linux, on 2026-11-30; python 3.11.7." in text


def test_a_count_without_rows_is_explained_by_a_slip(tmp_path: Path) -> None:
    given = {"s": 1024, "b": 8, "h": 768, "a": 12}
    layer = 34 * 1024 * 8 * 768 + 5 * 12 * 1024**2 * 8
    wider = layer + 2 * 1024 * 8 * 768 + 12 * 1024**2 * 8
    file = measured(
        tmp_path, {"id": "memory.activations_gpt3", "given": given, "value": wider, "unit": "byte"}
    )
    row = table(reports.render("memory.activations_gpt3", "md", measured=file))[1]
    assert row[1] == f"${layer:,}$".replace(",", "{,}")
    assert row[3] == rf"$\approx {float(Fraction(wider, layer)):.4g}$"
    assert "suspect: " in row[4]
    assert "mask" in row[4]


def test_times_show_their_spread_and_whether_to_trust_them(tmp_path: Path) -> None:
    given = {"F": "1e9 FLOP", "Q": "1e6 byte", "P": "1e12 FLOP/s", "W": "1e11 byte/s"}
    one = {"id": "roofline.time", "given": given, "value": 0.0015, "unit": "s", "spread": 0.02, "samples": 5}
    file = measured(tmp_path, one, {**one, "trusted": False})
    _, quiet, busy = table(reports.render("roofline.time", "md", measured=file))
    assert quiet[1:] == ["$1$", "$1.5$", "$1.5$", "spread 2 %"]
    assert busy[4].endswith("the machine was busy: do not trust it")
    assert quiet[0] == "F = 1 GFLOP, Q = 1 MB, P = 1 TFLOP/s, W = 100 GB/s"


@pytest.mark.parametrize(
    ("one", "message"),
    [
        ({"id": "utilization.mfu", "value": 1.07, "unit": "dimensionless"}, CAUSES[1]),
        ({"id": "memory.training_state", "value": 16, "unit": "byte"}, "does not give N: measure it anew"),
        (
            {"id": "memory.training_state", "given": {"N": "1 parameter"}, "value": 16, "unit": "s"},
            "is in s, and it is in byte",
        ),
        (
            {
                "id": "memory.training_state",
                "given": {"N": "1 parameter", "Z": 2},
                "value": 16,
                "unit": "byte",
            },
            "gives Z, which is no letter of it",
        ),
        (
            {"id": "memory.weights", "given": {"N": "1 parameter"}, "value": 2, "unit": "byte"},
            "nothing that is reported was measured",
        ),
    ],
)
def test_what_cannot_be_held_against_the_formula_is_one_line(
    one: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = measured(tmp_path, one)
    with pytest.raises(DeriveError) as refused:
        reports.write(["memory.training_state"], ["md"], tmp_path / "out", measured=file)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_a_reason_that_is_known_stands_in_place_of_the_row(tmp_path: Path) -> None:
    one = {"id": "memory.training_state", "given": {"N": f"{N} parameter"}, "unit": "byte"}
    note = "+48 byte: Adam's second moment v: twelve step counters"
    file = measured(tmp_path, {**one, "value": 16 * N + 48, "rows": {"gradients": 2 * N}, "note": note})
    (_, row) = table(reports.render("memory.training_state", "md", measured=file))
    assert row[4] == f"by hand; suspect: {note}"


MACHINE = (
    {"id": "hardware.bandwidth", "value": 44e9, "unit": "byte/s", "spread": 0.01},
    {
        "id": "hardware.peak",
        "given": {"sparsity": "dense", "precision": "bf16"},
        "value": 9e11,
        "unit": "FLOP/s",
    },
)


@pytest.mark.parametrize("format", ["md", "tex", "html"])
def test_a_book_shows_measurements_in_every_chapter_and_in_sum(format: str, tmp_path: Path) -> None:
    times = {"given": {"F": "1e9 FLOP", "Q": "1e6 byte", "P": "1e12 FLOP/s", "W": "1e11 byte/s"}, "unit": "s"}
    weights = {"id": "memory.weights", "given": {"N": f"{N} parameter"}, "value": 2 * N, "unit": "byte"}
    file = measured(
        tmp_path,
        *({"id": "roofline.time", "value": value, **times} for value in (0.0015, 0.002)),
        weights,
        *MACHINE,
    )
    reports.write(["all"], [format], tmp_path / "out", on="h100-sxm", measured=file)
    if format == "tex":
        texts = dict.fromkeys(
            ("index", "roofline", "memory"), (tmp_path / "out" / "book.tex").read_text("utf-8")
        )
    else:
        texts = {
            name: (tmp_path / "out" / f"{name}.{format}").read_text("utf-8")
            for name in ("index", "roofline", "memory", "decode")
        }
    for name in ("roofline", "memory"):
        assert TITLE in texts[name]
        assert MACHINE_TITLE in texts["roofline"]
    assert SUMMARY in texts["index"]
    if format == "md":
        assert TITLE not in texts["decode"]
        assert "| bandwidth | $44\\ \\mathrm{GB/s}$ | 3.35 TB/s | by hand; spread 1 % |" in texts["roofline"]
        assert (
            "| peak, dense, bf16 | $900\\ \\mathrm{GFLOP/s}$ | 989 TFLOP/s \\[dense, bf16\\] |"
            in texts["roofline"]
        )
        head, first, second = table(texts["index"], f"## {SUMMARY}")
        assert head[1:] == ["measurements", "exactly as derived", "least ratio", "greatest ratio"]
        assert first[1:] == ["2", "0", "$1.5$", "$2$"]
        assert second[0] == "[`memory.weights`](memory.md#memory.weights)"
        assert second[1:] == ["1", "1", "$1$", "$1$"]


def test_a_machines_rates_alone_are_a_report_of_the_roofline(tmp_path: Path) -> None:
    file = measured(tmp_path, *MACHINE)
    assert MACHINE_TITLE in reports.render("roofline", "md", measured=file)
    with pytest.raises(DeriveError, match="nothing that is reported was measured"):
        reports.render("matmul", "md", measured=file)
