"""The mutation run: a sample of the catalogue has no false survivor, and one that is there is found."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

NOTHING_HOLDS_IT = '''"""A bare definition: no link and no example says what it must be."""

from derive import Derivation, letters

time = Derivation("t", "Time", unit="s", start=2 * letters.F / letters.P)
'''

HELD = '''"""The same with a closed form, an example and a looser bound to find."""

from derive import FLOP, Approx, Derivation, Equal, Example, Ledger, count, letters

T = count("T", "sequence length")
work = Ledger(("pairs", T**2 * FLOP), ("diagonal", T * FLOP))
time = Derivation(
    "t",
    "Time",
    unit="s",
    start=work.total / letters.P,
    steps=[Equal(T * (T + 1) * FLOP / letters.P, because="T is common")],
    facts=[Approx(T**2 * FLOP / letters.P, error_at_most=1 / T, because="drop 1 beside T")],
    examples=[Example({"T": 3, "P": "4 FLOP/s"}, "3 s")],
)
'''


def run(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "benchmarks/mutants.py", *arguments],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "150", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def counts(output: str) -> dict[str, int]:
    found = re.search(
        r"(?P<mutants>\d+) mutants: (?P<refused>\d+) refused \((?P<pointed>\d+) with a counterexample\), "
        r"(?P<equivalent>\d+) equivalent, (?P<weaker>\d+) true but weaker, "
        r"(?P<false>\d+) false survivors, (?P<crash>\d+) crashes",
        output,
    )
    assert found is not None, output
    return {name: int(number) for name, number in found.groupdict().items()}


@pytest.mark.parametrize("arguments", [("--chapter", "roofline"), ("--sample", "97")])
def test_no_false_mutant_of_the_catalogue_survives(arguments: tuple[str, ...]):
    status, output = run(*arguments)
    found = counts(output)
    assert (status, found["false"], found["crash"]) == (0, 0, 0), output
    assert found["mutants"] == found["refused"] + found["equivalent"] + found["weaker"]
    assert found["mutants"] > 200
    assert found["pointed"] > 20


def test_a_false_survivor_is_found_and_printed(tmp_path: Path):
    file = tmp_path / "bare.py"
    file.write_text(NOTHING_HOLDS_IT, encoding="utf-8")
    status, output = run("--file", str(file))
    assert status == 1
    assert counts(output)["false"] >= 4
    assert "false: bare.time, start, start: 2*F/P became 3*F/P (coefficient ±1)" in output


def test_survivors_come_with_the_proof_that_they_are_true(tmp_path: Path):
    file = tmp_path / "held.py"
    file.write_text(HELD, encoding="utf-8")
    status, output = run("--file", str(file), "--survivors")
    found = counts(output)
    assert (status, found["false"]) == (0, 0), output
    assert found["weaker"] >= 1
    assert "1/T became 2/T (coefficient ×2, ÷2): the bound 2/T ≥ 1/T is looser" in output
    assert "T**2 became T (exponent ±1)" not in output
