"""Sums of whole numbers, conversions in brackets, changes told with their base, and what only looks like them."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_causes, false_numbers


@pytest.mark.parametrize(
    ("text", "claimed", "right"),
    [
        # 3,512 - 1,204 = 2,308
        ("Of these 3,512 - 1,204 = 2,318 remain.", "2,318", "2308"),
        # 1,024 + 512 + 256 = 1,792
        ("The ranks are 1,024 + 512 + 256 = 1,782.", "1,782", "1792"),
        # 84.6 GB / 1.073741824 = 78.8 GiB; times it 90.8
        ("The file takes 84.6 GB (90.8 GiB) on disk.", "90.8 GiB", "78.79 GiB"),
        ("On disk 84.6 GiB (78.8 GB) are used.", "78.8 GB", "90.84 GB"),
        # 2,232 / 24 = 93
        ("It would take 2,232 hours, or 39 days, if no node ever failed.", "39 days", "93 days"),
        # 31 / 540 = 5.7 %
        ("A token passes through 31 of 540 billion, about 7.5 %.", "7.5 %", "5.74%"),
        # 1 - 1.2 / 1.5 = 20 %; 1.5 / 1.2 - 1 = 25 %
        ("The new kernel's 1.20 ms is 25 % less time than 1.50 ms.", "25 %", "20%"),
        ("A rack of 48 kW is 17 % more power than 40 kW.", "17 %", "20%"),
        # 92 / 80 - 1 = 15 %; 1 - 80 / 92 = 13 %
        ("The fleet grew from 80 to 92 servers, up 13 % in a year.", "13 %", "15%"),
        # 1.57 billion × 2 bytes
        ("The table has 1.57 billion parameters, or 1.57 GB in FP16.", "1.57 GB", "3.14 GB"),
        # 6 × 7e9 × 300e9 = 1.26e22
        (
            "6 × 7e9 × 300e9 = 4.2e21 FLOP. A model twice as large costs 2 × 2 = 4 times as much.",
            "4.2e21 FLOP",
            "1.26e+22 FLOP",
        ),
        # 988 GB / 3.2 GB/s = 309 s
        (
            "A restart reads 988 GB. From tape at 3.2 GB/s it would be 309 minutes.",
            "309 minutes",
            "5.146 minutes",
        ),
    ],
)
def test_a_wrong_number_is_false_with_the_right_one(text: str, claimed: str, right: str) -> None:
    assert (claimed, right) in false_numbers(text)


@pytest.mark.parametrize(
    "text",
    [
        "Of these 3,512 - 1,204 = 2,308 remain.",
        "The file takes 84.6 GB (78.8 GiB) on disk.",
        "The card has 80 GB (85.9 GB as the tool counts).",
        "The new kernel's 1.20 ms is 20 % less time than 1.50 ms.",
        "A rack of 48 kW is 20 % more power than 40 kW.",
        "The fleet grew from 80 to 92 servers, up 15 % in a year.",
        "The fleet grew from 80 to 92 servers, and traffic was up 13 %.",
        "The table has 1.57 billion parameters, or 1.57 GB in FP8.",
        # a third of 112 %
        "With 2ND it is 112 / 3 = 37 %.",
        # the addends may be rounded
        "Of the lines 33 + 33 + 33 = 100 are green.",
        "Of these 3,500 - 1,200 = 2,400 remain.",
        "The draft had 3,512 - 1,204 = 2,318, which is wrong.",
        "It would take 2,232 hours, or 93 days, if no node ever failed.",
    ],
)
def test_a_right_or_open_number_is_not_false(text: str) -> None:
    assert false_numbers(text) == []


def test_a_rounded_sum_is_not_called_true() -> None:
    (claim,) = check_text("Of these 3,500 - 1,200 = 2,400 remain.").claims
    assert claim.verdict == "unsure"


def test_the_cause_of_a_sum_is_its_digit() -> None:
    assert false_causes("So 2664 + 119 + 5 = 2778.") == [
        ("2664 + 119 + 5 = 2778", "2788", "one digit is another")
    ]


@pytest.mark.parametrize(
    ("text", "claimed", "right"),
    [
        # 6.87 / 10.3 = 66.7 %
        ("In FP8 it is 76 % (6.87 ms against 10.3 ms).", "76 %", "66.7%"),
        # 1 - 550 / 700 = 21.4 %; 700 / 550 - 1 = 27.3 %
        ("The limit is a cut of 27.3 % (700 -> 550 W).", "27.3 %", "21.43%"),
        ("This is a 27 % reduction (700 → 550 W).", "27 %", "21.4%"),
        # 16 / 4.5 = 3.556
        ("That is a factor of 4.56 (16 bits -> 4.5 bits).", "4.56", "3.556"),
        ("It is a 4.1x speed-up (240 ms → 100 ms).", "4.1", "2.4"),
    ],
)
def test_a_bracket_tells_what_a_change_is_of(text: str, claimed: str, right: str) -> None:
    assert (claimed, right) in false_numbers(text)


@pytest.mark.parametrize(
    "text",
    [
        "In FP8 it is 67 % (6.87 ms against 10.3 ms).",
        "In FP8 it takes 33 % less (6.87 ms against 10.3 ms).",
        "We save 33 % (6.87 ms against 10.3 ms).",
        "The limit is a cut of 21.4 % (700 -> 550 W).",
        "A speed-up of 27 % (700 → 550 ms).",
        "The MFU is 38 % (8 of 12 nodes).",
        "That is a factor of 3.56 (16 bits -> 4.5 bits).",
        "Each has 65,536 × 8,192 = 0.54B parameters, or 1.07 GB in BF16, so the pair is 1.07B parameters.",
    ],
)
def test_a_bracket_that_bears_it_out_is_left_alone(text: str) -> None:
    assert false_numbers(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 320 - 141.2 = 178.8
        ("So 320 GB - 141.2 GB leaves 178.8 GB.", []),
        ("So 320 GB - 141.2 GB leaves 187.8 GB.", [("187.8 GB", "178.8 GB")]),
        # 1.5 / 1.2 = 1.25
        ("Storage goes from 1.2 PB to 1.5 PB, an increase of 25 %.", []),
        ("Storage goes from 1.2 PB to 1.5 PB, an increase of 20 %.", [("20 %", "25%")]),
        # 4.8 / 3.35 = 1.43
        ("Bandwidth goes up by 4.8 / 3.35 = 1.34×, memory by 141 / 80 = 1.76×.", [("1.34", "1.433")]),
        ("So 4.8 / 3.35 = 1.43 × 10 is 14.3.", []),
        # 12.9 / 46.7 = 27.6 %; what comes instead of what has no number
        ("It takes 12.9 / 46.7 = 36 % of the time and serves one user instead of many.", [("36 %", "27.6%")]),
        ("It takes 12.9 / 46.7 = 36 % instead of 27.6 %.", []),
        # 1.03e6 × 4 = 4.12e6
        ("Of 1.03 million tokens/s we store 1.03e6 × 4 bytes = 4.12 MB/s.", []),
        ("Of 1.03 million tokens/s we store 1.03e6 × 4 bytes = 41.2 MB/s.", [("41.2 MB/s", "4.12 MB/s")]),
        # one calculation that goes on
        ("We save every 20 minutes, which is 24 h × 3 = 72 saves a day.", []),
        ("The 16 bytes per parameter are 13e9 × 16 bytes = 208 GB.", []),
        # 268 / 235 = 1.14
        ("The box is 268 / 235 = 14 % dearer.", []),
    ],
)
def test_what_a_calculation_leads_to(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found
