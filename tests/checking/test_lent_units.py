"""Units that a calculation leaves to the words before it, multiples told again, tonnes, and changes with an arrow."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_texts, is_true


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        # units lent: 800 Gb/s / 8 = 100 GB/s
        ("The uplink runs at 800 Gb/s, and 800 / 8 = {} reach the disks.", "100 GB/s", "50 GB/s", "100 GB/s"),
        ("Each feeder carries 200 Gb/s. Since 200 / 8 = {}, a reader keeps up.", "25 GB/s", "52 GB/s", "25 GB/s"),
        ("The crate holds 96 GB and has four drawers: 96 / 4 = {} in each.", "24 GB", "42 GB", "24 GB"),
        ("The fan used 96 kWh in the 24 h of a day, 96 / 24 = {} on the mean.", "4 kW", "6 kW", "4 kW"),
        # multiples told again: 4 × 10 / 8, 6 × 100 / 8, 3 × 90 / 60
        ("Two shelves share 6 × 100 Gb/s ({}).", "75 GB/s", "600 GB/s", "75 GB/s"),
        ("The night shift has 3 x 90 min ({}).", "4.5 h", "45 h", "4.5 h"),
        # tonnes: 240,000 kWh × 0.35 kg = 84,000 kg
        ("The ferries burnt 240 MWh × 0.35 kg/kWh = {} of CO2.", "84 t", "8.4 t", "84 t"),
        ("The trucks bring 12 × 3.5 t = {}.", "42 t", "48 t", "42 t"),
        # arrows: 58 / 14.5 = 4, 43.4 / 12.4 = 3.5, 54 / 18 = 3
        ("14.5 -> 58 is a {} speedup.", "4.0x", "2.5x", "4"),
        ("The filter went 14.5 -> 58 TFLOP/s, a {} speedup.", "4.0x", "3.0x", "4"),
        ("Throughput: 12.4 → 43.4 GB/s is a {} gain.", "3.5x", "5.3x", "3.5"),
        ("Copying, 18 GB/s -> 54 GB/s: a {} gain.", "3x", "2x", "3"),
        ("The sort takes less, 58 -> 14.5 ms is a {} speedup.", "4.0x", "3.0x", "4"),
    ],
)  # fmt: skip
def test_what_the_words_before_a_number_lend_it(text: str, right: str, wrong: str, expected: str) -> None:
    assert false_texts(text.format(right)) == []
    assert is_true(text.format(right), right)
    found = false_texts(text.format(wrong))
    assert [shown for _, shown in found] == [expected]
    assert wrong.rstrip("x") in found[0][0]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The switch has 4 x 10 Gb/s ({}) to the core.", "5 GB/s"),
        ("A shelf has 6 × 512 MB ({}) of scratch.", "3.07 GB"),
        ("The rack has 6 × 40 Gb/s ({}).", "30 GB/s"),
    ],
)
def test_a_multiple_is_told_again_for_all_and_for_one(text: str, number: str) -> None:
    one = {"5 GB/s": "1.25 GB/s", "3.07 GB": "512 MB", "30 GB/s": "5 GB/s"}[number]
    assert false_texts(text.format(number)) == []
    assert is_true(text.format(number), number)
    assert false_texts(text.format(one)) == []  # 10 / 8, and 40 / 8: of one of them


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "The uplink has 400 Gb/s. With 400 / 8 = 50 looms a row the hall is full.", id="no unit"
        ),
        pytest.param("From 16 to 8 presses is 1.5x slower.", id="slower with fewer"),
        pytest.param("Going from 4 to 12 presses is 2.5x as fast.", id="faster with more"),
        pytest.param("A desk has 20 GB/user = 160 GB.", id="told for so many"),
    ],
)
def test_calculations_of_other_things_are_left_alone(text: str) -> None:
    assert false_texts(text) == []


def test_a_letter_t_in_a_formula_is_no_tonne() -> None:
    assert is_true("At t = 3 it is 2 t + 4 = 10.", "10")
