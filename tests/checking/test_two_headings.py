"""Headings in two rows, under a title, and with units of their own: in brackets, in thousands, in front."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import is_true

UNITS = """\
| kernel | read | speed | time |
|---|---:|---:|---:|
| | (GB) | (GB/s) | (ms) |
| gather | 12 | 400 | 30 |
| scatter | 45 | 500 | 90 |
| merge | 27 | 300 | {} |
| sort | 84 | 700 | 120 |
"""
TITLED = """\
  line      parcels   hours   parcels/h
  ------    -------   -----   ---------
  north        4200       7         600
  south        5400      12         450
  east         3840       8         {}
  west         6300       9         700
"""
THOUSANDS = """\
| site | hours | rate ($) | cost ({unit}) |
|---|---:|---:|---:|
| north | 4,200 | 15 | 63.0 |
| south | 3,500 | 18 | 63.0 |
| east | 2,600 | 25 | {{}} |
| west | 5,100 | 12 | 61.2 |
"""
MILLIONS = THOUSANDS.replace("63.0", "0.0630").replace("61.2", "0.0612").format(unit="$ million")
OF_ALL = """\
| part | hours | time (% of all) |
|---|---:|---:|
| wash | 45 | 18.0 |
| dry | 80 | {} |
| fold | 65 | 26.0 |
| iron | 60 | 24.0 |
"""
IN_FRONT = """\
| ring | GB sent per round | GB/s | time (s) |
|---|---:|---:|---:|
| a | 12 | 4 | 3 |
| b | 45 | 5 | 9 |
| c | 28 | 4 | {} |
| d | 84 | 7 | 12 |
"""
PER_WATT = """\
| box | TFLOPS | W | TFLOPS/W |
|---|---:|---:|---:|
| a | 240 | 300 | 0.80 |
| b | 126 | 350 | 0.36 |
| c | 90 | 72 | {} |
"""
DECIMALS = """\
| bill | euros |
|---|---:|
| May | 12.35 |
| June | 23.20 |
| Total | {} |
"""


@pytest.mark.parametrize(
    ("table", "right", "wrong", "expected", "form"),
    [
        pytest.param(UNITS, "90", "190", "90 ms", "markdown", id="second row"),  # 27 / 300 s
        pytest.param(UNITS, "90", "900", "90 ms", "markdown", id="second row, ten times"),
        pytest.param(THOUSANDS.format(unit="thousand $"), "65.0", "56.0", "$65", "markdown", id="thousand $"),
        pytest.param(THOUSANDS.format(unit="k$"), "65.0", "650", "$65", "markdown", id="k$"),  # 2,600 × 25
        pytest.param(THOUSANDS.format(unit="$k"), "65.0", "650", "$65", "markdown", id="$k"),
        pytest.param(THOUSANDS.format(unit="USD thousand"), "65.0", "6.5", "$65", "markdown", id="USD thousand"),
        pytest.param(MILLIONS, "0.0650", "0.650", "$0.065", "markdown", id="$ million"),
        pytest.param(OF_ALL, "32.0", "35.0", "32%", "markdown", id="% of all"),  # 80 / 250
        pytest.param(IN_FRONT, "7", "70", "7 s", "markdown", id="unit in front"),  # 28 / 4
        pytest.param(PER_WATT, "1.25", "2.15", "1.25 TFLOPS/W", "markdown", id="named by its heading"),  # 90 / 72
        pytest.param(DECIMALS, "35.55", "36.55", "35.55", "markdown", id="one digit of a sum"),
    ],
)  # fmt: skip
def test_a_cell_under_such_a_heading(table: str, right: str, wrong: str, expected: str, form: str) -> None:
    def falses(cell: str) -> list[str]:
        return [one.expected for one in check_text(table.format(cell), form).claims if one.verdict == "false"]

    assert falses(right) == []
    assert is_true(table.format(right), right, form)
    assert falses(wrong) == [expected]


@pytest.mark.parametrize(
    "title",
    ["Readings of the four sorting lines\n==================================\n", "  " + "-" * 42 + "\n", ""],
)
def test_a_rule_over_the_headings_is_that_of_a_title(title: str) -> None:
    right, wrong = (title + TITLED.format(cell) for cell in ("480", "840"))  # 3840 / 8
    assert is_true(right, "8 hours", "text")
    assert [one.claimed for one in check_text(right, "text").claims if one.verdict == "false"] == []
    found = check_text(wrong, "text").claims
    assert [(one.claimed, one.expected) for one in found if one.verdict == "false"] == [("840", "480")]


@pytest.mark.parametrize("first", ["| (all) | (GB) | (GB/s) | (ms) |", "| | (GB) | (GB/s) | 30 (ms) |"])
def test_a_first_row_with_a_label_or_with_numbers_is_no_second_heading(first: str) -> None:
    claims = check_text(UNITS.replace("| | (GB) | (GB/s) | (ms) |", first).format("190")).claims
    assert [one.text for one in claims if one.verdict != "unsure"] == []
