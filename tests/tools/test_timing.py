"""Windows, medians, spread and the gate, on a clock that tells what the test says."""

from __future__ import annotations

import statistics
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

from measuring import timing
from measuring.timing import HostClock, Timing, Window, measure, spread


def nothing() -> None:
    pass


def test_a_quiet_machine_needs_no_more_windows_than_asked(fake_clock: Any) -> None:
    clock = fake_clock(seconds=2e-6)
    found = measure(nothing, clock, samples=5)
    assert found.seconds == pytest.approx(2e-6, rel=1e-12)
    assert (found.passed, found.taken, found.spread, found.share) == (5, 5, 0.0, 1.0)
    assert found.trusted


def test_windows_on_a_busy_machine_do_not_count(fake_clock: Any) -> None:
    clock = fake_clock(seconds=1.0, shares=[1.0, 1.0, 0.5, 1.0, 0.2, 0.95, 0.89])
    found = measure(nothing, clock, samples=3)  # warm-up, calibration, then the windows from 0.5 on
    assert (found.passed, found.taken) == (3, 6)
    assert found.seconds == pytest.approx(1.0)
    assert found.remark.endswith("3 of 6 windows")


def test_no_window_of_a_busy_machine_is_trusted(fake_clock: Any) -> None:
    found = measure(nothing, fake_clock(seconds=1.0, share=0.6), samples=3)
    assert (found.passed, found.taken, found.trusted) == (0, 9, False)
    assert found.share == pytest.approx(0.6)
    assert found.remark == "too busy: no window of 9 passed, the best had 0.60 of the cores it wanted"


def test_a_window_is_as_long_as_it_must_be() -> None:
    class Counting:
        longest = 0

        def window(self, call: object, calls: int) -> Window:
            self.longest = max(self.longest, calls)
            return Window(calls * 3e-5)

    clock = Counting()
    found = measure(nothing, clock, samples=3)
    assert clock.longest * 3e-5 >= timing.WINDOW == 0.05
    assert clock.longest * 3e-5 < 0.2
    assert (found.share, found.trusted) == (None, True)


def test_the_share_is_of_what_the_threads_wanted() -> None:
    assert Window(1.0, 2.0, 0.0).share(2) == 1.0
    assert Window(1.0, 1.0, 0.0).share(2) == 1.0  # one thread of two, and nothing waited
    assert Window(1.0, 1.5, 0.5).share(2) == 0.75
    assert Window(1.0, 0.5, 0.0).share(1) == 0.5  # it slept: no wait for a core, and not its time either
    assert Window(1.0, 1.5, None).share(2) == 0.75  # where the system does not tell
    assert Window(1.0).share(2) is None


def test_spread_is_half_the_middle_half_over_the_median() -> None:
    values = [10.0, 11.0, 12.0, 13.0, 14.0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    assert (low, middle, high) == (11.0, 12.0, 13.0)
    assert spread(values) == 1.0 / 12.0
    assert spread([5.0]) == 0.0


def test_the_real_clock_makes_every_call_between_two_readings() -> None:
    seen: list[int] = []
    window = HostClock().window(lambda: seen.append(len(seen)), 7)
    assert seen == list(range(7))
    assert window.seconds > 0
    assert window.cpu_seconds is not None


def test_a_synchronized_clock_waits_before_each_reading() -> None:
    order: list[str] = []
    window = HostClock(lambda: order.append("wait")).window(lambda: order.append("call"), 2)
    assert order == ["wait", "call", "call", "wait"]
    assert window.share(1) is None


def test_a_timing_is_trusted_only_where_a_window_passed() -> None:
    assert not Timing(1.0, 1.0, 0.0, 0, 9, None).trusted
