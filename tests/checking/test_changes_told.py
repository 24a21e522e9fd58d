"""Changes that a sentence tells of two numbers: as points, directly, of the wrong base, and of something else."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers, false_texts, is_true

POINTS = "percentage points"
BASE = "wrong base"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # 1 - 1.2 / 1.6 = 25 %, where 1.6 - 1.2 are 40 points and 1.6 / 1.2 - 1 = 33 %
        ("Going from a PUE of 1.60 to 1.20 cuts the energy of the hall by {}.", "25 %", "40 %", "25%", POINTS),
        ("Going from a PUE of 1.60 to 1.20 cuts the energy of the hall by {}.", "25 %", "33 %", "25%", BASE),
        # 50 / 40 - 1 = 25 %, and 1 - 40 / 50 = 20 %
        ("From 40 % to 50 % utilisation raises the tokens of a day by {}.", "25 %", "10 %", "25%", POINTS),
        ("From 40 % to 50 % lowers the time of a run by {}.", "20 %", "10 %", "20%", POINTS),
        # 1 - 48 / 75 = 36 %, and 75 / 48 - 1 = 56 %
        ("The new pump needs 48 kWh instead of 75 kWh, which saves {}.", "36 %", "56 %", "36%", BASE),
        ("Going from 75 kWh to 48 kWh a day saves {}.", "36 %", "56 %", "36%", BASE),
        # 64 / 50 - 1 = 28 %, and 1 - 50 / 64 = 22 %
        ("The line goes from 50 to 64 parcels a minute and gains {}.", "28 %", "22 %", "28%", BASE),
        ("The line went from 50 GB/s to 64 GB/s and gained {}.", "28 %", "21.9 %", "28%", BASE),
        # 52 / 40 - 1 = 30 %, and 1 - 40 / 52 = 23 %
        ("From 40 ms to 52 ms: the filter adds {}.", "30 %", "23 %", "30%", BASE),
    ],
)  # fmt: skip
def test_a_change_that_is_told(text: str, right: str, wrong: str, expected: str, cause: str) -> None:
    assert false_texts(text.format(right)) == []
    assert is_true(text.format(right), right)
    assert false_causes(text.format(wrong)) == [(wrong, expected, cause)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("From 8 to 16 cards: 16 % more tokens.", id="more tokens"),
        pytest.param("From 8 to 16 cards, that is 86 % more tokens.", id="nearly twice the tokens"),
        pytest.param("From 10 to 15 looms, that is 33 % more cloth.", id="more cloth"),
        pytest.param("From 40 % to 50 % of the peak, that is 10 points.", id="points as points"),
        pytest.param("Going from 75 kWh to 48 kWh a day saves 9 % of the bill.", id="of the bill"),
        pytest.param("From 40 % to 50 % utilisation saves 20 % of the cards.", id="of the cards"),
    ],
)
def test_a_change_of_something_else_is_left_alone(text: str) -> None:
    assert false_texts(text) == []


@pytest.mark.parametrize(
    ("text", "wrong", "expected"),
    [
        ("Going from 10 to 15 looms is {} more.", "33 %", "50%"),  # 15 / 10 - 1
        ("Going from 75 kWh to 48 kWh is {} less energy.", "56 %", "36%"),
    ],
)
def test_the_same_change_of_the_numbers_themselves_is_still_judged(
    text: str, wrong: str, expected: str
) -> None:
    assert false_causes(text.format(wrong)) == [(wrong, expected, BASE)]
    assert false_texts(text.format(expected)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 5 / 3 - 1 = 67 %; 1 - 3 / 5 = 40 %
        ("Going from three boards to five is a 67 % increase.", []),
        ("Going from three boards to five is a 40 % increase.", [("40 %", "66.7%")]),
        ("Going from five boards to three is a 67 % reduction.", [("67 %", "40%")]),
        ("Going from three boards to five, we see a 40 % increase.", []),
        ("Going from three boards to five is a 40 % reduction of the wait.", []),
        # 512 / 128 = 4
        ("It goes from 512 KiB to 128 KiB per token, a fourfold saving.", []),
        ("It goes from 512 KiB to 128 KiB per token, an eightfold saving.", [("eightfold", "fourfold")]),
        ("It goes from 512 KiB to 110 KiB per token, a fourfold saving.", []),
        ("It goes from 512 KiB to 128 KiB per token. An eightfold saving needs FP8, too.", []),
    ],
)
def test_changes_with_numbers_in_words(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found
