"""The command as a process: what it loads, encodings, terminals, closed pipes and interrupts."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = "sympy pint numpy rich jinja2 matplotlib torch"
NAIVE = ["eval", "attention.naive_intensity", "--on", "h100-sxm", "--set", "T=4096", "d=128"]


def _environment(**changes: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **changes}


def _derive(*arguments: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "derive", *arguments]
    return subprocess.run(command, capture_output=True, env=_environment(**changes), timeout=120, check=False)


def _terminal(*arguments: str, columns: int, **changes: str) -> str:
    """What a terminal of this width receives."""
    leader, follower = pty.openpty()
    environment = _environment(TERM="xterm", COLUMNS=str(columns), **changes)
    with subprocess.Popen(
        [sys.executable, "-m", "derive", *arguments],
        stdout=follower,
        stderr=follower,
        stdin=follower,
        env=environment,
    ) as process:
        os.close(follower)
        received = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # how Linux tells that the other end is closed
                break
            if not part:
                break
            received += part
        process.wait(timeout=120)
    os.close(leader)
    return received.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        (["--help"], {}),
        (["--version"], {}),
        (["eval", "--help"], {}),
        (["nonsense"], {}),
        ([], {"_DERIVE_COMPLETE": "bash_complete", "COMP_WORDS": "derive ", "COMP_CWORD": "1"}),
        ([], {"_DERIVE_COMPLETE": "bash_complete", "COMP_WORDS": "derive eval att", "COMP_CWORD": "2"}),
        ([], {"_DERIVE_COMPLETE": "bash_complete", "COMP_WORDS": "derive eval x --on h", "COMP_CWORD": "4"}),
        ([], {"_DERIVE_COMPLETE": "bash_source"}),
    ],
)
def test_help_and_completion_load_nothing_heavy(arguments: list[str], changes: dict[str, str]) -> None:
    code = (
        "import atexit, sys\n"
        f"atexit.register(lambda: sys.stderr.write(repr([m for m in {HEAVY.split()!r} if m in sys.modules])))\n"
        f"sys.argv = ['derive', *{arguments!r}]\n"
        "from derive.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=_environment(**changes),
        timeout=60,
        check=False,
    )
    assert ran.stderr.endswith("[]")
    assert ran.stdout or arguments == ["nonsense"]


def test_completion_offers_commands_ids_and_machines() -> None:
    def complete(words: str, place: int) -> list[str]:
        ran = _derive(_DERIVE_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(place))
        return [line.partition(",")[2] for line in ran.stdout.decode().splitlines()]

    assert complete("derive ev", 1) == ["eval"]
    assert complete("derive eval attention.na", 2) == ["attention.naive_intensity", "attention.naive_traffic"]
    assert "h100-sxm" in complete("derive eval x --on h", 4)


def test_piped_output_is_plain_and_whole() -> None:
    ran = _derive(*NAIVE)
    assert ran.returncode == 0
    assert b"\x1b" not in ran.stdout
    assert "…" not in ran.stdout.decode()
    assert all(line == line.rstrip() for line in ran.stdout.decode().splitlines())
    wide = _derive("constants", "h100-sxm").stdout.decode()
    assert "printed as 3.9 TFLOPS of special functions; 132 SMs × 16 a cycle × 1.83 GHz = 3.87e12" in wide


@pytest.mark.parametrize(
    "changes", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}]
)
def test_an_encoding_without_these_letters_is_served(changes: dict[str, str]) -> None:
    for arguments, told in (
        (NAIVE, b"~ 62.06 FLOP/byte"),
        (["show", "attention.naive_intensity"], b"I -> d/2 as T -> oo"),
        (["show", "roofline.ridge", "--json"], b'"formula": "P/W"'),
    ):
        ran = _derive(*arguments, **changes)
        assert (ran.returncode, ran.stderr) == (0, b"")
        ran.stdout.decode("ascii")
        assert told in ran.stdout


@pytest.mark.parametrize("columns", [80, 50])
@pytest.mark.parametrize(
    "arguments", [NAIVE, ["show", "attention.naive_intensity"], ["list"], ["constants", "b200-sxm"]]
)
def test_a_terminal_is_not_overrun(arguments: list[str], columns: int) -> None:
    text = _terminal(*arguments, columns=columns, NO_COLOR="1")
    plain = text.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert "\x1b" not in plain
    assert "…" not in plain
    assert max(map(len, plain.splitlines())) <= columns


def test_colour_is_for_terminals_that_want_it() -> None:
    assert "\x1b[32m" in _terminal("show", "roofline.ridge", columns=80)
    assert "\x1b[32m" not in _terminal("show", "roofline.ridge", columns=80, NO_COLOR="1")


def test_a_reader_that_leaves_is_no_error() -> None:
    command = f"{sys.executable} -m derive list --json | head -c 10"
    ran = subprocess.run(
        command, shell=True, capture_output=True, env=_environment(), timeout=60, check=False
    )
    assert (ran.stdout, ran.stderr) == (b"[\n  {\n    ", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "derive", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=_environment(),
            timeout=60,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (2, b"derive: cannot write: No space left on device\n")


def test_an_interrupt_ends_without_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "slow.py"
    path.write_text(
        "import pathlib, time\npathlib.Path(__file__).with_suffix('.on').touch()\ntime.sleep(60)\n"
    )
    command = [sys.executable, "-m", "derive", "verify", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment()
    ) as process:
        until = time.monotonic() + 60
        while not path.with_suffix(".on").exists() and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err.strip()) == (b"", b"")
