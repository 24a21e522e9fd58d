"""Bytes of the one model that a document is about, and results for a period that the calculation leaves out."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers

MODEL = "# A\n\nOur model has 13.0 billion parameters.\n\n# B\n\n{}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 13.0e9 × 2 = 26 GB, × 16 = 208 GB
        ("The BF16 weights alone occupy 26 GB.", []),
        ("The BF16 weights alone occupy 52 GB.", [("52 GB", "26 GB")]),
        ("In FP8 the weights take 26 GB.", [("26 GB", "13 GB")]),
        ("The weights in FP32 take 52 GB.", []),
        ("Adam needs 16 bytes per parameter. The training state is 208 GB.", []),
        ("Adam needs 16 bytes per parameter. The training state is 104 GB.", [("104 GB", "208 GB")]),
        ("The BF16 weights alone occupy 3.25 GB per GPU.", []),
        ("The BF16 weights take 30 GB.", []),  # no slip: perhaps with something else
        ("A draft model of 6.5 billion parameters helps. The BF16 weights alone occupy 13 GB.", []),
    ],
)
def test_the_bytes_of_one_model(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(MODEL.format(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 6.40 million kWh × $0.085 per kWh = $544 thousand per year.", []),
        (
            "It is 6.40 million kWh × $0.085 per kWh = $544 million per year.",
            [("$544 million per year", "$0.544 million/year")],
        ),
        ("That looks tempting: 14,840 hours are 618 days of running.", []),
        ("That looks tempting: 14,840 hours are 61.8 days of running.", [("61.8 days", "618.3 days")]),
        ("- duration: 21 days, or 504 hours", []),
        ("- duration: 21 days, or 540 hours", [("540 hours", "504 hours")]),
        ("So 64 tokens every 8.47 ms is some 7,560 tokens/s.", []),
        ("So 64 tokens every 8.47 ms is some 75,600 tokens/s.", [("75,600 tokens/s", "7556.08 tokens/s")]),
        ("Some 12.9 of 46.7 billion parameters, 27.6 %, are active.", []),
        ("Some 12.9 of 46.7 billion parameters, 36.7 %, are active.", [("36.7 %", "27.62%")]),
        ("The 10 Gb/s uplink moves 98 GB in 78.4 s.", []),
        ("The 10 Gb/s uplink moves 98 GB in 9.8 s.", [("9.8 s", "78.4 s")]),
        ("It takes 300 × 64 s = 19,200 s, or 5.3 hours.", []),
        ("It went from 491.5 GB to 122.9 GB, a saving of 75 %, and fell from 0.941 to 0.936.", []),
        (
            "It went from 491.5 GB to 122.9 GB, a saving of 25 %, and fell from 0.941 to 0.936.",
            [("25 %", "75%")],
        ),
        ("The price of the stalls is 3 s in 1,800 s, or 0.167 %.", []),
        ("The price of the stalls is 3 s in 1,800 s, or 1.67 %.", [("1.67 %", "0.1667%")]),
        ("Then 327 GPU-hours at $2.50 are $817.50.", []),
        ("Then 327 GPU-hours at $2.50 are $8,175.", [("$8,175", "$817.5")]),
        ("Action 3 is 90 % of 42 GB/s.", []),
        ("We plan about 3 GB per card, 24 GB together.", []),
        ("On two A100\n80 GB SXM, together 4.08 TB/s, it is fast.", []),
        ("Attention is thus 104.9 M of 317.2 M, or 33 % of a layer.", []),
        ("Attention is thus 104.9 M of 317.2 M, or 43 % of a layer.", [("43 %", "33.1%")]),
        ("Going from 4,096 bytes to 128 bytes makes it 32 times smaller.", []),
        ("Going from 4,096 bytes to 128 bytes makes it 64 times smaller.", [("64 times", "32 times")]),
    ],
)
def test_what_a_sentence_tells_of_its_numbers(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found
