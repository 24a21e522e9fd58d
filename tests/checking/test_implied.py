"""Calculations whose units or counted things are left to the reader: 24 h × 91 days, 780 hours × $2."""

from __future__ import annotations

import pytest

from derive.checking import check_text


@pytest.mark.parametrize(
    ("text", "verdict", "expected"),
    [
        # 384 × 24 × 91 = 838,656
        ("384 GPUs × 24 h × 91 days = 838,656 GPU-hours", "true", "838656 GPU-hours"),
        ("384 GPUs × 24 h × 91 days = 836,856 GPU-hours", "false", "838656 GPU-hours"),
        # 8 × 0.7 × 24 × 30 = 4,032
        ("8 × 0.7 kW × 24 h × 30 days = 4,032 kWh", "true", "4032 kWh"),
        ("8 × 0.7 kW × 24 h × 30 days = 403 kWh", "false", "4032 kWh"),
        ("16 months × 30 days = 480 days", "true", "480 days"),
        ("16 months × 30 days = 48 days", "false", "480 days"),
        # 2.788 × 2 = 5.576
        ("2.788 million hours × $2 = $5.576 million", "true", "$5.576 million"),
        ("2.788 million hours × $2 = $5.576 billion", "false", "$0.005576 billion"),
        ("64 GPUs × 720 h × $2.10 = $96,768", "true", "$96768"),
        ("64 GPUs × 720 h × $2.10 = $97,668", "false", "$96768"),
        ("64 GPUs × 24 h × 30 days × $2.10 = $96,768", "true", "$96768"),
        ("9.6 MWh × $0.12 = $1,152", "unsure", ""),  # a price for each kWh, perhaps
        ("41,950 M × $0.60 = $25,170", "true", "$25170"),  # a price for each million
        ("41,950 M × $0.60 = $25,710", "false", "$25170"),
        ("106.4 MWh × 0.24 kg/kWh = 25.5 tonnes", "true", "25.54 tonnes"),
        ("106.4 MWh × 0.24 kg/kWh = 25.5 kg", "false", "25536 kg"),
        ("2 × 12.9 billion = 25.8 GFLOP", "true", "25.8 GFLOP"),
        ("2 × 12.9 billion = 25.8 TFLOP", "false", "0.0258 TFLOP"),
        ("224 × 224 × 3 × 4 = 602,112 bytes", "true", "602112 bytes"),
        ("224 × 224 × 3 × 4 = 301,056 bytes", "false", "602112 bytes"),  # no factor left out makes it smaller
        ("16 × 8192 × 2 = 0 bytes", "unsure", "262144 bytes"),
        ("16 × 8192 × 2 = 524,288 bytes", "unsure", "262144 bytes"),  # two bytes each, perhaps
        ("2,048 cables × 2 ends = 4,096 transceivers", "true", "4096"),
        ("2,048 cables × 2 ends = 2,048 transceivers", "false", "4096"),
        ("48 racks × 9 trays × 4 boards = 1,728 boards", "true", "1728"),
        ("48 racks × 9 trays × 4 boards = 1,278 boards", "false", "1728"),
    ],
)
def test_what_is_left_to_the_reader(text: str, verdict: str, expected: str) -> None:
    assert [(claim.verdict, claim.expected) for claim in check_text(f"We have {text}.").claims] == [
        (verdict, expected)
    ]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The share is 2 * 63 / 64 = 1.97 of it.", "true"),
        ("The share is 2 * 63 / 64 = 1.94 of it.", "false"),  # 1.96875
        ("The rest is 210 * 8 / 256 = 6.56 of it.", "true"),
        ("The rest is 210 * 8 / 256 = 6.65 of it.", "false"),  # 6.5625
        ("The rest is 210.4 * 8 / 256 = 6.62 of it.", "unsure"),  # 6.575, and 210.4 is rounded
        ("With n = 4096 the work is 2 n³ = 2 × 4096³ here.", "true"),
        ("With n = 4096 the work is 3 n³ = 2 × 4096³ here.", "false"),
        ("With n = 4096 it reads 3 n² × 2 B = 3 × 4096² × 2 B of it.", "true"),
        ("With T = 8192 and d = 5120 it moves T d × 4 B = 8192 × 5120 × 4 B of it.", "true"),
    ],
)
def test_exact_numbers_and_letters_with_blanks(text: str, verdict: str) -> None:
    assert [claim.verdict for claim in check_text(text).claims][-1:] == [verdict]
