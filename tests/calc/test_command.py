"""`derive calc` in the terminal."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from derive.cli.calc import command


def test_the_answer_shows_how_the_line_was_read_and_each_step() -> None:
    result = CliRunner().invoke(command, ["16 GB / 900 GB/s [both-ways] as each-way"])
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "35.6 ms",
        "  read as: 16 GB / (900 GB/s [both-ways] as each-way)",
        "  step: 900 GB/s [both-ways] as each-way: × 1/2, as both directions together carry twice what each one does; "
        "= 450 GB/s [each-way]",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["7e9 param * 4 bit/param", "--to", "GB"],
            {"value": 3.5, "unit": "GB", "text": "3.5 GB (3.26 GiB)"},
        ),
        (["128 KiB", "--to", "B"], {"value": 131072, "unit": "B", "text": "131,072 B (131 kB, 128 KiB)"}),
        (["-2^2"], {"value": -4, "unit": "dimensionless", "text": "-4"}),
        (["-2 GB * 3"], {"value": -6, "unit": "GB", "text": "-6 GB (-5.59 GiB)"}),
        (["--", "-3 s"], {"value": -3, "unit": "s", "text": "-3 s"}),
        (["16", "GB", "*", "2"], {"value": 32, "unit": "GB", "text": "32 GB (29.8 GiB)"}),
        (["1/3", "--digits", "6"], {"value": 1 / 3, "unit": "dimensionless", "text": "0.333333"}),
        (["1 GiB > 1 GB"], {"value": True, "unit": "dimensionless", "text": "true"}),
    ],
)
def test_json_holds_value_unit_and_text(arguments: list[str], said: dict[str, object]) -> None:
    result = CliRunner().invoke(command, ["--json", *arguments])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found == said
    assert type(found["value"]) is type(said["value"])


def test_a_refusal_in_json_goes_to_standard_output() -> None:
    result = CliRunner().invoke(command, ["16 GB + 4", "--json"])
    assert result.exit_code == 2
    assert result.stderr == ""
    said = json.loads(result.stdout)
    assert said["error"] == "bare-number"
    assert said["message"].startswith("4 has no unit")


def test_a_refusal_in_the_terminal_says_place_reason_and_hint() -> None:
    result = CliRunner().invoke(command, ["16 GB + 4"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        "bare-number: 4 has no unit and 16 GB is in GB: they cannot be added",
        "  16 GB + 4",
        "          ^",
        "  why: a number without a unit cannot be checked, and it is right in one unit at most",
        "  try: give it its unit, as in 4 GB",
    ]


def test_a_target_that_is_no_unit_is_shown_itself() -> None:
    result = CliRunner().invoke(command, ["16 GB", "--to", "gigabits/fortnight"])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1] == "  gigabits/fortnight"


def test_a_cold_start_takes_neither_sympy_nor_rich() -> None:
    code = (
        "import sys; from derive.calc import calculate; calculate('16 GB / 3.35 TB/s'); "
        "print(sorted({'sympy', 'rich', 'jinja2', 'matplotlib', 'click'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
