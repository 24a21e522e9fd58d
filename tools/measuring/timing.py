"""Times that can be believed: windows long enough, medians, spread, and a gate against a busy machine.

A window is many calls between two readings of the clock, at least 50 ms. The
device is synchronized before each reading. On a CPU a window counts only where
its threads had the cores to themselves: CPU time of at least 0.9 of the wall
time, and of at least 0.9 of the time that they wanted a core, which Linux tells
and which elsewhere is taken for that of all threads. Where no window passed, the
timing says so and is not to be trusted.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch

Call = Callable[[], object]

WINDOW = 0.05
GATE = 0.9
_MOST_CALLS = 10**7


@dataclass(frozen=True)
class Window:
    """Seconds that so many calls took.

    cpu_seconds: those that this process computed meanwhile, None where no core is measured.
    waited: those that its threads waited for a core, None where the system does not tell.
    """

    seconds: float
    cpu_seconds: float | None = None
    waited: float | None = None

    def share(self, threads: int) -> float | None:
        """CPU time over the time that was wanted, at most 1; None where no core is measured."""
        if self.cpu_seconds is None:
            return None
        wanted = self.seconds * threads if self.waited is None else self.cpu_seconds + self.waited
        return min(self.cpu_seconds / max(wanted, self.seconds), 1.0)


class Clock(Protocol):
    """Runs a call a number of times and reads the time around all of them."""

    def window(self, call: Call, calls: int) -> Window:
        """One window of so many calls."""


class HostClock:
    """Wall and CPU time of this process; the device is synchronized before each reading."""

    def __init__(self, synchronize: Callable[[], None] | None = None) -> None:
        self._synchronize = synchronize or (lambda: None)
        self._gated = synchronize is None

    def window(self, call: Call, calls: int) -> Window:
        """One window of so many calls."""
        self._synchronize()
        waited, cpu, wall = waiting(), time.process_time(), time.perf_counter()
        for _ in range(calls):
            call()
        self._synchronize()
        seconds = time.perf_counter() - wall
        if not self._gated:
            return Window(seconds)
        spent, now = time.process_time() - cpu, waiting()
        return Window(seconds, spent, None if waited is None or now is None else now - waited)


class CudaClock:
    """Time between two events on the current stream."""

    def window(self, call: Call, calls: int) -> Window:
        """One window of so many calls."""
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        torch.cuda.synchronize()
        return Window(begin.elapsed_time(end) / 1e3)


@dataclass(frozen=True)
class Timing:
    """Seconds a call: median and least over the windows that passed, spread, and how many did.

    spread: half the range of the middle half over the median. share: the best share of
    the wanted CPU time; None where no core was measured. Where nothing passed, the
    numbers are over all windows and `trusted` is False.
    """

    seconds: float
    least: float
    spread: float
    passed: int
    taken: int
    share: float | None

    @property
    def trusted(self) -> bool:
        """Whether any window passed the gate."""
        return self.passed > 0

    @property
    def remark(self) -> str:
        """How far it can be trusted, in words."""
        if self.trusted:
            return f"±{100 * self.spread:.1f}%, {self.passed} of {self.taken} windows"
        return f"too busy: no window of {self.taken} passed, the best had {self.share or 0:.2f} of the cores it wanted"


def clock_of(device: str) -> Clock:
    """The clock for a device."""
    if device == "cuda":
        return CudaClock()
    return HostClock(torch.mps.synchronize if device == "mps" else None)


def measure(
    call: Call, clock: Clock, *, threads: int = 1, samples: int = 5, window: float = WINDOW
) -> Timing:
    """Time a call: warm up, find how many calls fill a window, take windows until enough have passed.

    threads: how many cores the call keeps busy, used where the system does not tell. At most three times
    `samples` windows are taken.
    """
    clock.window(call, 1)
    calls = _calls(call, clock, window)
    taken: list[tuple[float, float | None]] = []
    while len(taken) < 3 * samples and sum(_passes(share) for _, share in taken) < samples:
        one = clock.window(call, calls)
        taken.append((one.seconds / calls, one.share(threads)))
    passed = [seconds for seconds, share in taken if _passes(share)]
    used = passed or [seconds for seconds, _ in taken]
    shares = [share for _, share in taken if share is not None]
    return Timing(
        statistics.median(used),
        min(used),
        spread(used),
        len(passed),
        len(taken),
        max(shares) if shares else None,
    )


def spread(values: Sequence[float]) -> float:
    """Half the range of the middle half of some values over their median; 0 for a single one."""
    if len(values) < 2:
        return 0.0
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2 / middle


def waiting() -> float | None:
    """Seconds that all threads of this process have waited for a core so far, as Linux tells them."""
    total = 0
    try:
        for task in Path("/proc/self/task").iterdir():
            total += int((task / "schedstat").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return total / 1e9


def _passes(share: float | None) -> bool:
    return share is None or share >= GATE


def _calls(call: Call, clock: Clock, window: float) -> int:
    """How many calls fill a window."""
    calls = 1
    while calls < _MOST_CALLS:
        seconds = clock.window(call, calls).seconds
        if seconds >= window:
            break
        wanted = calls * window / seconds if seconds > 0 else 2 * calls
        calls = min(max(2 * calls, math.ceil(1.1 * wanted)), 100 * calls)
    return calls
