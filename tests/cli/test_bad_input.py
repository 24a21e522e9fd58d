"""A wrong question gets one line that says what to give instead, status 2 and nothing on standard output."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NAIVE = "attention.naive_intensity"

REFUSED = {
    "missing letters with their units": (
        ["eval", "roofline.time"],
        "roofline.time needs F (floating-point operations done, in FLOP), P (peak rate of matrix arithmetic, in "
        "FLOP/s), Q (bytes moved to and from memory, in byte), W (memory bandwidth, in byte/s): give --set F=… "
        "--set P=… --set Q=… --set W=…, or --on",
    ),
    "a unit where none is due": (
        ["eval", NAIVE, "--set", "T=4096GB", "d=128"],
        "T (sequence length) is a plain number, and '4096GB' is not: give it without a unit",
    ),
    "a negative count": (
        ["eval", NAIVE, "--set", "T=-1", "d=128"],
        "T (sequence length) must be at least 1, not -1",
    ),
    "a count of zero": (
        ["eval", NAIVE, "--set", "T=0", "d=128"],
        "T (sequence length) must be at least 1, not 0",
    ),
    "a half of a thing": (
        ["eval", NAIVE, "--set", "T=0.5", "d=128"],
        "T (sequence length) must be at least 1, not 0.5",
    ),
    "not a number": (
        ["eval", NAIVE, "--set", "T=nan", "d=128"],
        "T (sequence length) is a plain number: 'nan' is no number with a unit: write it as 3.35 TB/s or 1e9",
    ),
    "infinity": (
        ["eval", NAIVE, "--set", "T=inf", "d=128"],
        "T (sequence length) is a plain number: 'inf' is no number with a unit: write it as 3.35 TB/s or 1e9",
    ),
    "beyond all range": (
        ["eval", NAIVE, "--set", "T=1e400", "d=128"],
        "T (sequence length) is a plain number: '1e400' is outside the range 1e-300 to 1e300",
    ),
    "code for a value": (
        ["eval", NAIVE, "--set", "T=__import__('os').getcwd()", "d=128"],
        "T (sequence length) is a plain number: \"__import__('os').getcwd()\" is no number with a unit: write it as "
        "3.35 TB/s or 1e9",
    ),
    "a result that no float holds": (
        ["eval", "roofline.ridge", "--set", "P=1.5e300 FLOP/s", "W=7e-300 byte/s", "--json"],
        "2.143e599 is outside the range of a float, 1e-323 to 1e308",
    ),
    "a letter without a value": (
        ["eval", NAIVE, "--set", "T"],
        "--set 'T' is no name=value: give it as --set T=4096",
    ),
    "a value without a letter": (
        ["eval", NAIVE, "--set", "=4096"],
        "--set '=4096' is no name=value: give it as --set T=4096",
    ),
    "a letter twice": (
        ["eval", NAIVE, "--set", "T=1", "--set", "d=2", "--set", "T=3"],
        "--set gives T twice, '1' and '3': leave one out",
    ),
    "a letter that is not there": (
        ["eval", NAIVE, "--set", "T=4096", "d=128", "x=3"],
        "attention.naive_intensity has no letter 'x': it has T, d, e",
    ),
    "a convention without a choice": (
        ["eval", NAIVE, "--convention", "precision"],
        "--convention 'precision' is no name=value: give it as --convention precision=fp8",
    ),
    "a choice that is not there": (
        ["eval", NAIVE, "--convention", "precision=fp7"],
        "convention precision has no choice 'fp7': one of fp32, tf32, bf16, fp16, fp8",
    ),
    "a convention that does not bear": (
        ["eval", NAIVE, "--set", "T=1", "d=1", "--convention", "mask=causal"],
        "convention 'mask' does not bear on attention.naive_intensity: leave it out",
    ),
    "a result in another dimension": (
        ["eval", NAIVE, "--set", "T=1", "d=1", "--to", "GB"],
        "attention.naive_intensity is in FLOP/byte: it cannot be given in GB",
    ),
    "an unknown machine": (
        ["eval", "roofline.ridge", "--on", "h900"],
        "unknown machine 'h900', did you mean 'h200'?",
    ),
    "an unknown model": (
        ["eval", "parameters.total", "--model", "llama-3-80b"],
        "unknown model 'llama-3-80b', did you mean 'llama-3-8b'?",
    ),
    "a chapter for an id": (
        ["eval", "roofline"],
        "'roofline' is a chapter: give one of roofline.compute_time, roofline.memory_time, roofline.time, "
        "roofline.time_with_launch, roofline.ridge, roofline.attainable",
    ),
    "a second id": (
        ["eval", NAIVE, "roofline.ridge"],
        "got unexpected extra argument (roofline.ridge) (see derive eval --help)",
    ),
    "no id": (["eval"], "missing argument 'ID' (see derive eval --help)"),
    "an option without its value": (["eval", NAIVE, "--set"], "option '--set' requires an argument"),
    "no such command": (
        ["evaluate"],
        "unknown command 'evaluate', did you mean 'eval'?: one of list, show, constants, eval, ",
    ),
    "a file that is not there": (["eval", "nowhere.py"], "nowhere.py: no such file"),
    "a chapter that is not there": (
        ["verify", "matmull"],
        "unknown id or chapter 'matmull', did you mean 'matmul'?",
    ),
    "a chapter where a file is due": (
        ["list", "matmul"],
        "'matmul' is no Python file: for a chapter give --chapter matmul (see derive list --help)",
    ),
    "an unknown machine or model": (
        ["constants", "h900"],
        "unknown machine or model 'h900', did you mean 'h200'?: `derive constants` lists them all",
    ),
    "a letter both given and asked for": (
        ["solve", NAIVE, "--for", "T", "--set", "T=3"],
        "T is both given and asked for: leave one out",
    ),
    "a result of the wrong unit": (
        ["solve", NAIVE, "--for", "T", "--equals", "5 GB"],
        "I (Arithmetic intensity of naive attention) is a value in FLOP/byte, and '5 GB' is not: give I in FLOP/byte",
    ),
    "an endless file": (
        ["eval", NAIVE, "--on", "x", "--hardware", "/dev/zero"],
        "/dev/zero: is no regular file: give a TOML file of constants",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_one_line_and_status_2(what: str, cli: Callable[..., Any]) -> None:
    arguments, line = REFUSED[what]
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"derive: {line}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("id", ["attention.naive_intensty", "naive_intensity"])
def test_an_unknown_id_suggests_the_nearest(id: str, cli: Callable[..., Any]) -> None:
    ran = cli("eval", id)
    assert ran.status == 2
    assert "did you mean 'attention.naive_intensity'?" in ran.err
    assert ran.err.count("\n") == 1


def test_letters_that_cannot_be_printed_do_not_reach_the_terminal(cli: Callable[..., Any]) -> None:
    ran = cli("eval", "a\x1b[31m\nb.c")
    assert ran.status == 2
    assert "\x1b" not in ran.err
    assert ran.err.count("\n") == 1


HOSTILE = {
    "no TOML": b"[x\n",
    "no UTF-8": b"\xff\xfe[x]",
    "an unknown role": b'[x]\nsource = "s"\ndate = 2026-01-01\nvalues = { wings = 2 }\n',
    "a constant without a source": b'[x]\ndate = 2026-01-01\nbandwidth = [{ value = "1 TB/s" }]\n',
    "a unit of another dimension": (
        b'[x]\nsource="s"\ndate=2026-01-01\ntags={basis="measured"}\nbandwidth=[{value="1 GB"}]'
    ),
    "nested without end": b"x = " + b"[" * 100_000,
    "a number without end": b"x = " + b"9" * 100_000,
    "a key without end": b"a" + b".a" * 50_000 + b" = 1",
    "larger than any such file": b"#" * 2**21,
    "code": b'[x]\nsource = "s"\ndate = 2026-01-01\nbandwidth = [{ value = "__import__(\'os\')" }]\n',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_bad_file_of_machines_is_refused(what: str, tmp_path: Path, cli: Callable[..., Any]) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(HOSTILE[what])
    for arguments in (
        ["eval", "roofline.ridge", "--on", "x"],
        ["constants"],
        ["constants", "h100-sxm"],
        ["solve", "roofline.ridge", "--for", "P", "--on", "x"],
        ["report", "roofline.ridge", "--on", "x", "--out", str(tmp_path / "out")],
    ):
        ran = cli(*arguments, "--hardware", str(path))
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("derive: ")
        assert str(path) in ran.err
        assert ran.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_file_of_machines_without_a_machine_is_not_ignored(tmp_path: Path, cli: Callable[..., Any]) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        '[my-gpu]\nsource = "bench"\ndate = 2026-01-01\ntags = { basis = "measured" }\n'
        'bandwidth = [{ value = "1 TB/s" }]\n'
    )
    ran = cli("eval", "roofline.memory_time", "--set", "Q=1 GB", "--hardware", str(path))
    assert ran.err == f"derive: --hardware {path} holds machines (my-gpu): say with --on which one is meant\n"
    assert ran.status == 2
    ran = cli(
        "eval", "roofline.memory_time", "--set", "Q=1 GB", "--hardware", str(path), "--on", "my-gpu", "--json"
    )
    assert (ran.json["value"], ran.json["unit"]) == (0.001, "s")


FILES = {
    "syntax": ("x = (\n", "{path}:1: SyntaxError: '(' was never closed"),
    "an exception": ("x = 1\n1 / 0\n", "{path}:2: ZeroDivisionError: division by zero"),
    "leaving": (
        "raise SystemExit(3)\n",
        "{path}:1: the file ends the program that reads it: leave sys.exit out",
    ),
    "no formula": ("x = 1\n", "{path}: declares no Derivation at its top level"),
}


@pytest.mark.parametrize("what", FILES)
def test_a_file_that_fails_is_told_in_one_line(what: str, tmp_path: Path, cli: Callable[..., Any]) -> None:
    text, line = FILES[what]
    path = tmp_path / "failing.py"
    path.write_text(text, encoding="utf-8")
    for command in ("list", "verify", "show", "eval"):
        ran = cli(command, str(path))
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(f"derive: {line.format(path=path)}")
        assert ran.err.count("\n") == 1


def test_an_unwritable_place_is_refused_and_nothing_is_left(tmp_path: Path, cli: Callable[..., Any]) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file, not a folder")
    ran = cli("report", "roofline.ridge", "--out", str(taken / "below"))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("derive: ")
    assert ran.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert stat.S_ISREG(taken.stat().st_mode)
