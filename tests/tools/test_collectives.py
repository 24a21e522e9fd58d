"""Two real gloo processes, the fit on times that are known, and the checks of results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

import torch

from derive.errors import DeriveError
from derive.measurements import load
from measuring import collectives, launching, session
from measuring.collectives import Sample, fit

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "measure.py"


def ring(name: str, size: int, n: int, alpha: float, beta: float) -> float:
    factor = 2 if name == "all_reduce" else 1
    return factor * (n - 1) * (size / n / beta + alpha)


def test_two_processes_exchange_and_check_every_element(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "collectives", "--quick", "--sizes", "4100,1048576"]
    environment = {name: value for name, value in os.environ.items() if name != "RANK"}
    done = subprocess.run(
        [*command, "--out", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    report = (tmp_path / "report.md").read_text("utf-8")
    assert "Every element of every result was checked on each of 2 ranks." in report
    assert "torchrun --nnodes=M --nproc-per-node=2" in report
    for name in collectives.NAMES:
        plain = name.replace("_", "\\_")
        assert f"| {plain} | 4,104 byte |" in report  # two whole shares of fp32 numbers
        assert f"| {plain} | 1,048,576 byte |" in report
    for one in load(tmp_path / "measurements.json"):
        assert one.id in collectives.IDS.values()
        assert one.given["n"] == 2
        assert one.value > 0


@pytest.mark.parametrize("name", collectives.NAMES)
@pytest.mark.parametrize("n", [2, 5])
def test_the_fit_finds_latency_and_bandwidth(name: str, n: int) -> None:
    sizes = [2**power for power in range(10, 28, 3)]
    found = fit([Sample(name, size, (ring(name, size, n, 2e-5, 3e9),)) for size in sizes], n)
    assert found.alpha == pytest.approx(2e-5, rel=1e-6)
    assert found.beta == pytest.approx(3e9, rel=1e-6)
    assert found.error == pytest.approx(0, abs=1e-6)


def test_small_buffers_weigh_as_much_as_large_ones() -> None:
    sizes = [2**power for power in range(10, 28)]
    times = [ring("all_gather", size, 2, 2e-5, 3e9) * (1.1 if size == sizes[-1] else 1.0) for size in sizes]
    found = fit([Sample("all_gather", size, (t,)) for size, t in zip(sizes, times, strict=True)], 2)
    assert found.alpha == pytest.approx(2e-5, rel=0.02)
    assert found.beta == pytest.approx(3e9, rel=0.05)


def test_neither_latency_nor_bandwidth_comes_out_below_0() -> None:
    flat = fit([Sample("all_gather", size, (1e-3 / size,)) for size in (2**20, 2**22)], 2)
    assert flat.alpha >= 0
    assert flat.beta is None
    steep = fit([Sample("all_gather", size, (1e-18 * size**2,)) for size in (2**10, 2**20, 2**28)], 2)
    assert steep.alpha == 0
    assert steep.beta is not None
    single = fit([Sample("all_gather", 2**20, (1e-3,))], 2)
    assert single.alpha >= 0


def test_a_report_compares_with_the_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    n, sizes = 2, (2**12, 2**20)
    samples = [
        Sample(name, size, (ring(name, size, n, 1e-5, 1e9),) * 3)
        for name in collectives.NAMES
        for size in sizes
    ]
    found = collectives.report(session.start("cpu"), samples, n, "gloo", [])
    row = next(row for row in found.sections[0].rows if row[:2] == ("all_reduce", "1,048,576 byte"))
    t = ring("all_reduce", 2**20, n, 1e-5, 1e9)
    assert row[3:6] == (f"{1e6 * t:.4g} µs", f"{1e6 * t:.4g} µs", "1.00")
    assert row[6] == f"{2**20 / t / 1e9:.3g} GB/s"
    assert len(found.measurements) == 8
    bad = collectives.report(
        session.start("cpu"), samples, n, "gloo", ["all_gather on rank 1: 3 of 8 elements"]
    )
    assert bad.wrong == ["all_gather on rank 1: 3 of 8 elements"]


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def zeros(out: torch.Tensor, *_given: Any) -> None:
        out.zero_()

    for name in ("reduce_scatter_tensor", "all_gather_into_tensor", "all_to_all_single", "all_reduce"):
        monkeypatch.setattr(torch.distributed, name, zeros)
    for name, wrong in (("all_reduce", 8), ("reduce_scatter", 4), ("all_gather", 8), ("all_to_all", 8)):
        call, check = collectives.prepared(name, 32, 2, 1, "cpu")
        call()
        assert check() == [f"{name} on rank 1: {wrong} of {wrong} elements are wrong"]


def test_ranks_are_as_many_as_cores_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collectives, "cores", lambda: 2)
    monkeypatch.delenv("RANK", raising=False)
    collectives.check_ranks(2, backend="gloo", oversubscribe=False)
    collectives.check_ranks(9, backend="gloo", oversubscribe=True)
    with pytest.raises(DeriveError, match=r"3 ranks on 2 cores .* give at most 2, or --oversubscribe"):
        launching.collectives(session.start("cpu"), SCRIPT, ranks=3)
    with pytest.raises(DeriveError, match="1 ranks exchange nothing: give --ranks 2 or more"):
        launching.collectives(session.start("cpu"), SCRIPT, ranks=1)


def test_a_rank_that_fails_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    broken = tmp_path / "broken.py"
    broken.write_text("raise ValueError('no such link')\n", "utf-8")
    with pytest.raises(DeriveError, match=r"a rank failed: .*ValueError: no such link"):
        launching.collectives(session.start("cpu"), broken, ranks=2)


def test_what_a_rank_hands_over_comes_back_whole(tmp_path: Path) -> None:
    begun = session.start("cpu")
    samples = [Sample(name, 2**20, (1e-3, 2e-3), name != "all_gather") for name in collectives.NAMES]
    found = collectives.report(begun, samples, 2, "gloo", ["one is wrong"])
    assert "in 1 of 4 rows a rank waited for a core" in found.sections[0].notes[-1]
    path = tmp_path / "findings.json"
    path.write_text(launching.written(found), "utf-8")
    assert json.loads(path.read_text("utf-8"))["wrong"] == ["one is wrong"]
    back = launching.read(path, begun)
    assert back.sections == found.sections
    assert back.wrong == found.wrong
    assert back.measurements == found.measurements
    assert [one.trusted for one in back.measurements] == [True, True, False, True]


def test_windows_in_which_a_rank_waited_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [(0.06, 0.0), (0.08, 0.05), (0.5, 0.9), (0.07, 0.09)]
    monkeypatch.setattr(collectives, "_slowest", lambda call, calls: told.pop(0))
    assert collectives._times(lambda: None, 0.05, quick=True) == ((0.08, 0.07), True)
    told = [(0.06, 0.0), (0.3, 0.5), (0.4, 0.6), (0.5, 0.9)]
    assert collectives._times(lambda: None, 0.05, quick=True) == ((0.3, 0.4, 0.5), False)
