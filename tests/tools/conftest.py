"""A clock that tells what a test says, so that no test waits for one or depends on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest


@dataclass
class FakeClock:
    """Each call takes `seconds`; its threads wait for a core so much that they get `share` of what they want.

    shares: those of the next windows, before `share` holds again.
    """

    seconds: float = 1e-3
    share: float = 1.0
    shares: list[float] = field(default_factory=list)
    windows: int = 0

    def window(self, call: Callable[[], object], calls: int) -> object:
        from measuring.timing import Window

        self.windows += 1
        share = self.shares.pop(0) if self.shares else self.share
        wall = self.seconds * calls / share
        return Window(wall, wall * share, wall * (1 - share))


@pytest.fixture
def fake_clock() -> type[FakeClock]:
    """The class of clocks to make one of."""
    return FakeClock
