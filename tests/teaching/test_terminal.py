"""`derive drill` in a terminal, driven from the first question to the score, interrupts and full disks included."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from derive.teaching.drawing import draw
from derive.teaching.essentials import essentials

ROOT = Path(__file__).resolve().parents[2]
# the terminal becomes the process's own, so that Ctrl-C reaches it; with room = 0 no file may grow, as on a full disk
START = """
import fcntl, resource, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))
from derive.cli import main
main()
"""
STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A process on a pseudo-terminal: what it shows, and what is typed."""

    def __init__(self, home: Path, *arguments: str, full: bool = False) -> None:
        self.leader, follower = pty.openpty()
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {"XDG_DATA_HOME": str(home), "TERM": "xterm", "COLUMNS": "100", "HOME": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START.format(room=0 if full else -1), "drill", *arguments],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment,
            start_new_session=True,
        )
        os.close(follower)
        self.shown = ""

    def until(self, text: str) -> str:
        """What it shows until a text appears, which must be within a minute."""
        end = time.monotonic() + 60
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} never came; shown: {self.shown!r}"
            if not self._more():
                break
        assert text in self.shown, self.shown
        seen, _, rest = self.shown.partition(text)
        self.shown = rest
        return seen + text

    def rest(self) -> str:
        """What it shows until it ends."""
        while self._more():
            pass
        self.process.wait(timeout=60)
        return self.shown

    def type(self, text: str) -> None:
        os.write(self.leader, text.encode() + b"\n")

    def interrupt(self) -> None:
        """Press Ctrl-C until the score is told: one that comes before the read has begun is lost."""
        for _ in range(20):
            os.write(self.leader, b"\x03")
            until = time.monotonic() + 3
            while time.monotonic() < until:
                if " right." in self.shown or self.process.poll() is not None:
                    return
                self._more(wait=0.2)

    def _more(self, wait: float = 60) -> bool:
        if not select.select([self.leader], [], [], wait)[0]:
            return False
        try:
            part = os.read(self.leader, 65536)
        except OSError:  # how Linux tells that the other end is closed
            return False
        self.shown += STYLE.sub("", part.decode("utf-8", "replace")).replace("\r\n", "\n")
        return bool(part)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.leader)


@pytest.fixture
def opened() -> Iterator[list[Terminal]]:
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


def record(home: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((home / "derive" / "drill.json").read_text())
    return found


def test_a_whole_session(tmp_path: Path, opened: list[Terminal]) -> None:
    terminal = Terminal(tmp_path, "--essentials")
    opened.append(terminal)
    for number, exercise in enumerate(essentials(), 1):
        terminal.until(f"{number} of 15 · ")
        asked = terminal.until("> ")
        assert ("The clock runs until " in asked) == (exercise.kind == "estimate")
        if exercise.kind == "estimate":
            terminal.type("54.7")  # without its unit it is asked for again
            assert "54.7 has no unit: give a number with its unit" in terminal.until("> ")
            terminal.type("help")
            assert "Wanted is a number with its unit" in terminal.until("> ")
            terminal.type("27.3 ms")
            shown = terminal.until("The whole derivation")
            assert "No, it is 54.69 ms." in shown
            assert "both ways" in shown
            assert "Time of a ring all-reduce: t = " in shown
            assert "S = 2 GB, alpha = 0 s, beta = 64 GB/s, n = 8: t = 54.69 ms" in " ".join(shown.split())
        else:
            terminal.type(exercise.answer.text)
            terminal.until("Right.")
    shown = terminal.rest()
    assert "14 of 15 right. Streak 3, best 11." in shown
    assert "Review next: estimate in two minutes, collectives.all_reduce_ring" in " ".join(shown.split())
    assert terminal.process.returncode == 0
    kept = record(tmp_path)
    assert (kept["answered"], kept["right"], kept["streak"], kept["best"]) == (15, 14, 3, 11)


def test_an_interrupt_keeps_what_was_answered(tmp_path: Path, opened: list[Terminal]) -> None:
    first, _second = draw(8, 2)
    terminal = Terminal(tmp_path, "--seed", "8", "--count", "2")
    opened.append(terminal)
    terminal.until("1 of 2 · ")
    terminal.until("> ")
    terminal.type(first.answer.text)
    terminal.until("2 of 2 · ")
    terminal.until("> ")
    terminal.interrupt()
    shown = terminal.rest()
    assert "1 of 1 right. Streak 1, best 1." in shown
    assert "Traceback" not in shown
    assert terminal.process.returncode == 130
    assert record(tmp_path)["answered"] == 1


def test_a_full_disk_is_told_once_and_the_session_goes_on(tmp_path: Path, opened: list[Terminal]) -> None:
    exercises = draw(8, 2)
    terminal = Terminal(tmp_path, "--seed", "8", "--count", "2", full=True)
    opened.append(terminal)
    shown = ""
    for exercise in exercises:
        shown += terminal.until("> ")
        terminal.type(exercise.answer.text)
    shown += terminal.rest()
    assert shown.count("your answers cannot be kept: File too large; this session goes on without") == 1
    assert "2 of 2 right." in shown
    assert "Traceback" not in shown
    assert terminal.process.returncode == 2
    assert list((tmp_path / "derive").iterdir()) == []


def test_an_unreadable_record_is_told_in_one_line_and_kept(tmp_path: Path, opened: list[Terminal]) -> None:
    path = tmp_path / "derive" / "drill.json"
    path.parent.mkdir()
    path.write_text("not json")
    terminal = Terminal(tmp_path, "--seed", "8", "--count", "1")
    opened.append(terminal)
    assert "drill.json was no record of answers: it is kept as drill.json.unreadable" in " ".join(
        terminal.until("> ").split()
    )
    terminal.type("q")
    assert "0 of 0 right." in terminal.rest()
    assert (path.parent / "drill.json.unreadable").read_text() == "not json"


def test_the_end_of_input_ends_it(tmp_path: Path) -> None:
    first = draw(8, 1)[0]
    ran = subprocess.run(
        [sys.executable, "-m", "derive", "drill", "--seed", "8"],
        input=f"{first.answer.text}\n",
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "1 of 1 right." in ran.stdout
    assert "\x1b" not in ran.stdout
