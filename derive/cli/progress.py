"""A progress bar on standard error, only on a terminal and only where the work takes more than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_MOMENT = 1.0

Advance = Callable[[int, int, str], None]


@contextmanager
def bar() -> Iterator[Advance]:
    """Gives a function to call with (done, of how many, what is under way)."""
    if not sys.stderr.isatty():
        yield lambda done, total, what: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from derive.cli.console import console

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    progress = Progress(*columns, console=console(sys.stderr), transient=True)
    task = progress.add_task("")
    began, started = time.monotonic(), False

    def advance(done: int, total: int, what: str) -> None:
        nonlocal started
        progress.update(task, completed=done, total=total, description=what)
        if not started and time.monotonic() - began > _MOMENT:
            progress.start()
            started = True

    try:
        yield advance
    finally:
        progress.stop()
