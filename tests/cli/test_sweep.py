"""`derive sweep`: the table, files, progress, interruption and refusals."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
NAIVE = ("sweep", "attention.naive_intensity", "--set", "d=128", "--over")


def test_a_table_in_the_terminal(cli: Cli) -> None:
    ran = cli(*NAIVE, "T=1024:4096:*2")
    assert ran.status == 0
    lines = [line.split() for line in ran.out.splitlines() if line.strip()]
    assert lines[0] == ["T", "I", "[FLOP/byte]"]
    assert lines[2:] == [["1024", "56.8889"], ["2048", "60.2353"], ["4096", "62.0606"]]
    assert ran.err == ""


def test_several_ranges_and_a_formula_of_ones_own(cli: Cli, mine: Path) -> None:
    lines = cli("sweep", str(mine), "--over", "d=64,128", "--over", "T=1,64").out.splitlines()
    assert [line.split()[:2] for line in lines[2:]] == [
        ["64", "1"],
        ["64", "64"],
        ["128", "1"],
        ["128", "64"],
    ]


def test_a_file_is_named_when_it_is_written(cli: Cli, tmp_path: Path) -> None:
    ran = cli(*NAIVE, "T=1:3", "--out", str(tmp_path / "t.csv"))
    assert (ran.status, ran.out.strip(), ran.err) == (0, str(tmp_path / "t.csv"), "")
    assert (tmp_path / "t.csv").read_text().splitlines() == [
        "T,I [FLOP/byte]",
        *(f"{T},{T * 128 / (2 * (T + 128))!r}" for T in (1, 2, 3)),
    ]


def test_progress_is_for_a_terminal_only(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that starts at once where standard error is a terminal; not a character elsewhere."""
    monkeypatch.setattr("derive.cli.progress._MOMENT", -1.0)
    arguments = (*NAIVE, "T=1:200000", "--out", str(tmp_path / "t.csv"))
    assert cli(*arguments).err == ""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    assert cli(*arguments).status == 0
    assert "200000/200000" in shown.getvalue()


def test_an_interrupt_ends_with_its_status_and_no_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("derive.sweeping.writing._cell", interrupted)
    assert cli(*NAIVE, "T=1:9", "--out", str(tmp_path / "t.csv")).status == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*NAIVE, "T=1:10000"), "too many to print: give --out"),
        ((*NAIVE, "T=1:4", "--set", "T=3"), "both given and swept"),
        ((*NAIVE, "Q=1:4"), "has no letter 'Q'"),
        ((*NAIVE, "T=1:4", "--out", "x.txt"), ".csv, .parquet, .png, .svg"),
        ((*NAIVE, "T=1:4", "--to", "s"), "cannot be given in s"),
        ((*NAIVE, "T=4:1"), "ends below its start"),
        (("sweep", "matmul.flops"), "--over"),
    ],
)
def test_bad_questions_are_one_line(cli: Cli, arguments: tuple[str, ...], words: str) -> None:
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1
