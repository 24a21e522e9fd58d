"""Columns that are so many times another one by their headings, and rates in bits beside those in bytes."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers


def _table(*rows: str) -> str:
    head, *body = rows
    return "\n".join([head, "|---" * (head.count("|") - 1) + "|", *body])


@pytest.mark.parametrize(
    ("one", "many"), [("per rack", "six racks"), ("1 rack", "6 racks"), ("Each rack", "all 6 racks")]
)
def test_a_column_of_several_follows_that_of_one(one: str, many: str) -> None:
    head = f"| what | {one} | {many} |"
    rows = ("| servers | 8 | 48 |", "| power, kW | 21.4 | 128.4 |")
    assert false_numbers(_table(head, *rows, "| cooling, kW | 5.7 | 34.2 |")) == []
    assert false_numbers(_table(head, *rows, "| cooling, kW | 5.7 | 34.8 |")) == []  # no slip
    assert false_numbers(_table(head, *rows, "| cooling, kW | 5.7 | 43.2 |")) == [("43.2 kW", "34.2 kW")]
    assert false_numbers(_table(head, *rows, "| cooling, kW | 5.7 | 5.7 |")) == []
    assert false_numbers(_table(head, rows[0], "| cooling, kW | 5.7 | 43.2 |")) == []  # one row tells nothing


def test_rates_in_bits_beside_bytes() -> None:
    head = "| link | rate | GB/s |"
    rows = ("| A | 40 Gb/s | 5 |", "| B | 100 Gb/s | 12.5 |")
    assert false_numbers(_table(head, *rows, "| C | 200 Gb/s | 25 |")) == []
    # 200 / 8 = 25; 200 / 10 = 20
    assert false_numbers(_table(head, *rows, "| C | 200 Gb/s | 20 |")) == [("20 GB/s", "25 GB/s")]
    assert false_numbers(_table(head, *rows, "| C | 200 Gb/s | 200 |")) == [("200 GB/s", "25 GB/s")]


def test_a_total_of_counts_below_its_own_label() -> None:
    rows = ("| T4 | 16 | 48 |", "| L4 | 24 | 42 |", "| V100 | 32 | 30 |")
    assert false_numbers(_table("| card | GB | cards |", *rows, "| | **all** | 120 |")) == []
    assert false_numbers(_table("| card | GB | cards |", *rows, "| | **all** | 130 |")) == [("130", "120")]


def test_a_total_one_digit_below_the_sum() -> None:
    rows = ("| schedule | 180 |", "| pull | 95 |", "| load | 81 |")
    # 180 + 95 + 81 = 356
    assert false_numbers(_table("| step | seconds |", *rows, "| total | 356 |")) == []
    assert false_numbers(_table("| step | seconds |", *rows, "| total | 346 |")) == [
        ("346 seconds", "356 seconds")
    ]
    assert (
        false_numbers(_table("| step | seconds |", *rows, "| total | 366 |")) == []
    )  # a step may not be shown


def test_a_sum_under_a_rule_without_a_word_for_it() -> None:
    parts = "    four servers    37.6 kW\n    switches         3.1 kW\n"
    ledger = f"In a rack:\n\n{parts}    -----------------------\n    rack            {{}} kW\n"
    assert false_numbers(ledger.format("40.7")) == []
    assert false_numbers(ledger.format("47.0")) == [("47.0 kW", "40.7 kW")]
    assert false_numbers(ledger.format("52.0")) == []
