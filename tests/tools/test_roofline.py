"""The roofline on a clock that the test holds, and its file as `derive eval` takes it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

from derive.cli.app import run as derive_command
from derive.constants import hardware
from derive.errors import DeriveError
from measuring import hardware_file, plot, roofline, session

SIZE = 2**20


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, fake_clock: Any) -> Any:
    """Measure with every call taking 1 ms, arrays of 1 MiB and matmuls of 64 and 128."""
    monkeypatch.setattr(roofline, "stream_bytes", lambda device: SIZE)
    monkeypatch.setattr(roofline, "cache_bytes", lambda device: SIZE)

    def run(share: float = 1.0, **options: Any) -> Any:
        begun = session.start("cpu", quick=True)
        options = {"sizes": (64, 128), "precisions": ["fp32"], **options}
        return (begun, *roofline.run(begun, clock=fake_clock(share=share), **options))

    return run


def test_rates_are_amounts_over_the_time(measured: Any) -> None:
    _, findings, found = measured()
    n, rows = SIZE // 4, SIZE // 4 // 4096
    expected = {
        "matmul fp32": 2 * 128**3,
        "copy": 8 * n,
        "triad": 12 * n,
        "matrix-vector product": 4 * (n + 4096 + rows),
        "copy in cache": SIZE // 8,
    }
    for name, amount in expected.items():
        assert found.get(name).value == pytest.approx(amount / 1e-3, rel=1e-9)
    assert found.get("launch").value == pytest.approx(1e-3)
    assert found.get("first touch").value == 0
    assert found.bandwidth.name == "triad"
    assert found.peak("fp32").timing.trusted
    assert findings.wrong == []
    ridge = next(row for row in findings.sections[0].rows if row[0] == "ridge fp32")
    assert ridge[1] == f"{2 * 128**3 / (12 * n):.4g} FLOP/byte"


def test_the_file_stands_for_the_machine(
    measured: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, _, found = measured()
    files, remark = hardware_file.files(begun, found, "mine", accept_busy=False)
    assert remark == ""
    path = tmp_path / "hardware.toml"
    path.write_text(files["hardware.toml"], "utf-8")
    entry = hardware("mine", path)
    peak = entry.pick("peak", sparsity="dense", precision="fp32", basis="measured")
    assert peak.text == "4.194 GFLOP/s"  # 2·128³ in a millisecond
    assert peak.source.date == begun.date
    assert "torch" in peak.source.document
    assert "±0.0%" in peak.source.note
    assert float(entry.pick("vector_peak", precision="fp32").base) == float(peak.base)
    arguments = ("eval", "roofline.ridge", "--hardware", str(path), "--on", "mine", "--json")
    assert derive_command((*arguments, "--convention", "precision=fp32")) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["value"] == pytest.approx(4.194e9 / 3.146e9, rel=1e-9)
    assert {one["source"] for one in told["inputs"]} == {"mine"}


def test_what_a_busy_machine_measured_is_left_out_unless_it_is_accepted(measured: Any) -> None:
    begun, findings, found = measured(share=0.5)
    assert not found.bandwidth.timing.trusted
    assert not any(one.trusted for one in findings.measurements)
    assert "too busy to trust" in findings.sections[0].notes[1]
    files, remark = hardware_file.files(begun, found, "mine", accept_busy=False)
    assert files == {}
    assert remark.startswith("hardware.toml is not written: peak, bandwidth, exp_rate, vector_peak: ")
    files, remark = hardware_file.files(begun, found, "mine", accept_busy=True)
    assert "too busy: no window of 9 passed" in files["hardware.toml"]
    assert remark == ""
    slow = dataclasses.replace(found.bandwidth, timing=dataclasses.replace(found.bandwidth.timing, passed=3))
    found.rates[[rate.name for rate in found.rates].index(slow.name)] = slow
    files, remark = hardware_file.files(begun, found, "mine", accept_busy=False)
    assert "bandwidth = [" in files["hardware.toml"]
    assert "peak" not in files["hardware.toml"]
    assert remark.startswith("hardware.toml lacks peak, exp_rate, vector_peak: ")


def test_a_utilization_above_1_is_refused_with_its_causes(measured: Any) -> None:
    _, findings, _ = measured(sizes=(2048,), specification="laptop-cpu")  # 17 TFLOP/s of 0.768
    (refused,) = findings.wrong
    assert refused.startswith("matmul fp32: a utilization of 22.4 of 0.768 TFLOP/s, above 1: ")
    assert "synchronize" in refused
    assert "tied embedding" in refused
    assert "peak" in refused
    shares = {row[0]: row[3] for row in findings.sections[1].rows}
    assert shares == {"matmul fp32": "REFUSED", "triad": "3.5%"}


def test_unknown_precisions_and_names_are_refused(measured: Any) -> None:
    with pytest.raises(DeriveError, match="unknown precision 'fp9': give one of fp32, tf32"):
        measured(precisions=["fp9"])
    with pytest.raises(DeriveError, match="cpu does no tf32 matmul here: give one of fp32"):
        measured(precisions=["tf32"])
    begun, _, found = measured()
    with pytest.raises(DeriveError, match="is no name"):
        hardware_file.files(begun, found, "a b", accept_busy=False)
    with pytest.raises(DeriveError, match="fp16 was not measured here"):
        found.peak("fp16")


def test_the_plot_is_drawn_in_both_formats(measured: Any) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    begun, _, found = measured()
    drawn = plot.files(begun, found, [("triad", 1 / 6, 5e8)])
    assert drawn["roofline.png"].startswith(b"\x89PNG")
    assert b"<svg" in drawn["roofline.svg"]
    assert plot.files(begun, found, [("triad", 1 / 6, 5e8)])["roofline.svg"] == drawn["roofline.svg"]
