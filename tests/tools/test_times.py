"""Predictions with and without the named terms, on rates and a clock that the test holds."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

from measuring import session, times, works
from measuring.roofline import Rate, Roofline
from measuring.timing import Timing


def timing(seconds: float, *, trusted: bool = True) -> Timing:
    return Timing(seconds, seconds, 0.01, 3 if trusted else 0, 3, 1.0)


def roofline(*, trusted: bool = True, peak: float = 1e9) -> Roofline:
    rates = {
        "matmul fp32": ("peak", peak, "FLOP/s"),
        "copy": ("bandwidth", 1e8, "byte/s"),
        "copy in cache": ("cache_bandwidth", 1e9, "byte/s"),
        "exp": ("exp_rate", 1e6, "1/s"),
        "exp in softmax": ("exp_rate", 2e6, "1/s"),
        "erf": ("erf_rate", 4e6, "1/s"),
        "erf in GELU": ("erf_rate", 1e6, "1/s"),
        "launch": ("launch", 1e-5, "s"),
        "first touch": ("first_touch", 1e-9, "s/byte"),
    }
    return Roofline(
        [
            Rate(name, role, value, unit, timing(1.0, trusted=trusted), "given", {"precision": "fp32"})
            for name, (role, value, unit) in rates.items()
        ]
    )


def work(**changes: Any) -> works.Work:
    given: dict[str, Any] = {"flops": 10**6, "traffic": 10**6, **changes}
    return works.Work("work", make=lambda: lambda: None, **given)


def test_the_roofline_and_the_named_terms() -> None:
    plain = times.compare(work(), roofline(), timing(0.02), cache=0)
    assert plain.roofline == pytest.approx(max(1e6 / 1e9, 1e6 / 1e8))
    assert plain.predicted == pytest.approx(0.01 + 1e-5)
    assert plain.ratios == pytest.approx((2.0, 0.02 / 0.01001))
    many = times.compare(
        work(calls=3, exponentials=10**5, error_functions=10**5, fresh=10**6),
        roofline(),
        timing(0.1),
        cache=0,
    )
    arithmetic = 1e6 / 1e9 + 1e5 / 2e6 + 1e5 / 4e6  # above the 0.01 s of the memory
    assert many.roofline == pytest.approx(0.01)
    assert many.predicted == pytest.approx(arithmetic + 3e-5 + 1e-3)
    cached = times.compare(work(), roofline(), timing(0.001), cache=10**6)
    assert cached.predicted == pytest.approx(1e-3 + 1e-5)
    assert "memory" not in cached.terms


def test_a_difference_is_explained_by_its_likeliest_reason() -> None:
    def reason(seconds: float, **changes: Any) -> str:
        trusted = changes.pop("trusted", True)
        return times.explained(
            times.compare(work(**changes), roofline(), timing(seconds, trusted=trusted), 0)
        )

    assert reason(0.1, trusted=False) == "the machine was busy while it was timed"
    assert reason(0.1, hint="few rows") == "few rows"
    assert reason(0.1).startswith("memory is the largest term")
    assert reason(0.001).startswith("memory decides the prediction, and this shape is faster")


def test_a_run_counts_what_holds_and_writes_what_it_was_on(
    monkeypatch: pytest.MonkeyPatch, fake_clock: Any
) -> None:
    grid = [work(traffic=traffic) for traffic in (8 * 10**7, 5 * 10**7, 10**7, 10**8)]
    monkeypatch.setattr(times, "grid", lambda device, quick: grid)
    monkeypatch.setattr(times, "cache_bytes", lambda device: 0)
    found, points = times.run(session.start("cpu", quick=True), roofline(), clock=fake_clock(seconds=0.8))
    counts = {row[0]: row[1:] for row in found.sections[1].rows}
    assert counts["roofline"] == ("3 of 4", "2 of 4", "2 of 4")  # 0.8 s over 0.8, 0.5, 0.1 and 1 s
    assert "ratio 8.00" in found.sections[1].notes[0]
    assert points[0] == ("work", 10**6 / (8 * 10**7), 10**6 / 0.8)
    first = found.measurements[0]
    assert (first.id, first.value) == ("roofline.time", pytest.approx(0.8))
    assert dict(first.given) == {
        "F": "1000000 FLOP",
        "Q": "80000000 byte",
        "P": "1000000000.0 FLOP/s",
        "W": "100000000.0 byte/s",
    }


def test_nothing_is_counted_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch, fake_clock: Any) -> None:
    monkeypatch.setattr(times, "grid", lambda device, quick: [work(), work()])
    begun = session.start("cpu", quick=True)
    found, _ = times.run(begun, roofline(trusted=False), clock=fake_clock())
    assert found.sections[1].rows == []
    assert (
        "Nothing is counted: the machine was too busy to trust matmul fp32, copy"
        in found.sections[1].notes[0]
    )
    found, _ = times.run(begun, roofline(), clock=fake_clock(share=0.5))
    assert found.sections[1].rows[0][1:] == ("0 of 0",) * 3
    assert found.sections[1].notes == ("2 timed on a busy machine are not counted.",)


def test_the_utilization_of_a_training_step(monkeypatch: pytest.MonkeyPatch, fake_clock: Any) -> None:
    monkeypatch.setattr(times, "grid", lambda device, quick: [work()])
    begun = session.start("cpu", quick=True)
    found, _ = times.run(begun, roofline(peak=1e12), clock=fake_clock(seconds=0.1))
    N, L, T, d, tokens = 2 * 12 * 512**2 + 512 * 4096, 2, 256, 512, 1024
    expected = (6 * N + 6 * L * T * d) * tokens / 0.1 / 1e12
    (utilization,) = [one for one in found.measurements if one.id == "utilization.mfu"]
    assert utilization.value == pytest.approx(expected, rel=1e-9)
    assert found.wrong == []
    impossible, _ = times.run(begun, roofline(peak=1e12), clock=fake_clock(seconds=1e-3))
    (refused,) = impossible.wrong
    assert "above 1" in refused
    assert "synchronize" in refused
    assert impossible.sections[-1].rows[0][-1] == "REFUSED"
    busy, _ = times.run(begun, roofline(trusted=False), clock=fake_clock(seconds=0.1))
    assert busy.sections[-1].rows == []
    assert "nothing to divide by" in busy.sections[-1].notes[0]


def test_the_grid_counts_by_the_catalogue_and_runs() -> None:
    found = {one.name: one for one in works.grid("cpu", quick=True)}
    square = found["matmul 256×256×256 fp32"]
    assert (square.flops, square.traffic) == (2 * 256**3, 4 * 3 * 256**2)
    half = found["matmul 1024×1024×1024 bf16"]
    assert (half.traffic, half.precision) == (2 * 3 * 1024**2, "bf16")
    added = found["sum of 100,000"]
    assert (added.flops, added.traffic) == (100_000, 4 * 3 * 100_000)
    naive = found["naive attention, T 512, d 64"]
    assert (naive.flops, naive.traffic) == (4 * 512**2 * 64, 4 * (4 * 512**2 + 4 * 512 * 64))
    decode = found["decode step of GPT-2 small, B 1, T 256"]
    weights, cache = 124_439_808 - 1024 * 768, 2 * 12 * 768 * 256
    assert decode.traffic == 4 * (weights + cache)
    for name in (
        "matmul 256×256×256 fp32",
        "sum of 100,000",
        "GELU of 100,000",
        "softmax of 1024×1024",
        "naive attention, T 512, d 64",
        "fused attention, T 512, d 64",
    ):
        found[name].make()()
