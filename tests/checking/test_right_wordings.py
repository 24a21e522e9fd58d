"""Wordings that look like an error and are none, each beside one that is."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _false(text: str) -> list[tuple[str, str]]:
    return [(one.claimed, one.expected) for one in check_text(text).claims if one.verdict == "false"]


@pytest.mark.parametrize(
    ("right", "wrong", "found"),
    [
        pytest.param(
            "We were down for 72 min of 43,200 min, so 99.83% available.",
            "We were down for 72 of 720 minutes, that is 1%.",
            [("1%", "10%")],
            id="what is left of the whole",
        ),
        pytest.param(
            "Going from batch 1 to 64 costs 2.8 times the time.",
            "Going from 14 ms to 35 ms is a factor of 2.8.",
            [("2.8", "2.5")],
            id="what a change costs",
        ),
        pytest.param(
            "It makes 4.644 M tok/h at $11.20/h, so $2.41 per M.",
            "Cost: $11.20/h over 4.644 million tokens per hour, so $4.21 per million.",
            [("$4.21 per million", "$2.412/million")],
            id="per million",
        ),
        pytest.param(
            "A ring all-reduce of 2 GB across 16 ranks sends 2 × 15/16 × 2 GB = 3.75 GB per rank.",
            "In a ring all-reduce of 2 GB across 16 ranks each rank sends 1.875 GB.",
            [("1.875 GB", "3.75 GB")],
            id="what is calculated with",
        ),
        pytest.param(
            "Gaudi uses 24 Ethernet ports of 200 Gbit/s, that is 4.8 Tbit/s.",
            "Gaudi uses 24 Ethernet ports of 200 Gbit/s, that is 8.4 Tbit/s.",
            [("8.4 Tbit/s", "4.8 Tbit/s")],
            id="ports together",
        ),
        pytest.param(
            "Version 2 of this page had 4,500 TFLOP/s as the dense BF16 peak of the B200.",
            "The B200 has a dense BF16 peak of 4,500 TFLOP/s.",
            [("4,500 TFLOP/s", "2.25 PFLOP/s [dense, bf16]")],
            id="an older version of the page",
        ),
        pytest.param(
            "Card: one H200. 141 GB of HBM3e at 4.8 TB/s, and the compute side of an H100: 989 TFLOP/s dense.",
            "Card: one H100. 80 GB of HBM3 at 4.8 TB/s, and 989 TFLOP/s dense.",
            [("4.8 TB/s", "3.35 TB/s")],
            id="the memory before says whose",
        ),
        pytest.param(
            "The H200 has the H100's arithmetic with 141 GB of HBM3e at 4.8 TB/s.",
            "The H100 comes with 141 GB of HBM3 at 3.35 TB/s.",
            [("141 GB", "80 GB [nominal]")],
            id="what one lends another",
        ),
        pytest.param(
            "Llama 2 7B stores 4 times what Llama 3.1 8B stores, because it has 32 KV heads where the newer has 8.",
            "Llama 3.1 8B has 32 KV heads.",
            [("32 KV heads", "8")],
            id="a pronoun among two models",
        ),
        pytest.param(
            "Llama-3-8B keeps 128 KiB of cache per token.\n\n"
            "1. Repeat it for 32 KV heads. (Answer: the cache grows to 512 KiB per token.)",
            "Llama-3-8B keeps 512 KiB of cache per token.",
            [("512 KiB", "128 KiB")],
            id="a task",
        ),
        pytest.param(
            "With the full 16,384-token cache it would be 4.96 ms, or 201 tokens/s.",
            "A token takes 4.96 ms, or 2,016 tokens/s.",
            [("2,016 tokens/s", "201.61 tokens/s")],
            id="a token of context",
        ),
        pytest.param(
            "There were 32 stops in 336 hours, one every 10.5 hours. On 1,024 GPUs this is 10,752 GPU-hours.",
            "They ran for 10.5 hours on 1,024 GPUs, which is 17,052 GPU-hours.",
            [("17,052 GPU-hours", "10752 GPU-hours")],
            id="a count that is not needed",
        ),
        pytest.param(
            "If decode gained the full 43 % of bandwidth (4.8 against 3.35 TB/s), it would be cheaper.",
            "It reached 96 % of the link (3.35 against 4.8 TB/s).",
            [("96 %", "69.8%")],
            id="a share or a change",
        ),
        pytest.param(
            "The RTX 4090 has 24 GB at 1,008 GB/s, and a 3090 (24 GB, 936 GB/s, 350 W) has less.",
            "The RTX 4090 has 24 GB of memory at 936 GB/s.",
            [("936 GB/s", "1008 GB/s")],
            id="a card by its number alone",
        ),
    ],
)
def test_right_beside_wrong(right: str, wrong: str, found: list[tuple[str, str]]) -> None:
    assert _false(right) == []
    assert _false(wrong) == found


def test_what_follows_from_a_wrong_number_is_not_told_twice() -> None:
    text = (
        "175 B parameters, 300 B tokens, factor 6:\n\n    6 x 175e9 x 300e9 = 3.15e22 FLOP.\n\n"
        "On 1,024 A100, 1,024 x 140 = 143 PFLOP/s, the 3.15e22 FLOP take 25 days."
    )
    assert _false(text) == [("3.15e22 FLOP", "3.15e+23 FLOP")]


def test_a_rate_that_is_quoted_as_wrong_is_no_rate() -> None:
    text = (
        "The cache takes 160 KiB per token, and it grows.\n\nIt is kept in HBM.\n\n"
        "The old page said 320 KiB per token, which is wrong.\n\nAt 16,384 tokens the cache is {}."
    )
    assert _false(text.format("2.68 GB")) == []
    assert _false(text.format("1.34 GB")) == [("1.34 GB", "2.684 GB")]


def test_powers_of_two_in_a_sheet_of_formats() -> None:
    text = (
        "  format      sign/exp/mant   largest       smallest normal   eps\n"
        "  FP32        1 / 8 / 23      3.403e38      1.175e-38         2^-23\n"
        "  BF16        1 / 8 / 7       3.390e38      1.175e-38         2^-7\n"
        "  FP16        1 / 5 / 10      65,504        6.104e-5          2^-10\n"
    )
    assert not [one for one in check_text(text, "text").claims if one.verdict == "false"]
    wrong = [
        one.claimed
        for one in check_text(text.replace("65,504", "56,504"), "text").claims
        if one.verdict == "false"
    ]
    assert wrong == ["56,504"]


def test_a_caption_says_what_peaks_are() -> None:
    text = (
        "Cards in the cluster (dense bf16 / fp16 tensor peak).\n\n"
        "| Card | Peak (TFLOP/s) | Memory (GB) |\n|---|---|---|\n"
        "| T4 | 65 | 16 |\n| A100 80GB | 312 | 80 |\n| H100 SXM | {} | 80 |\n"
    )
    assert _false(text.format("989")) == []
    assert _false(text.format("1979")) == [("1979", "989 TFLOP/s [dense, bf16]")]
    assert _false(text.format("1979").replace("dense bf16 / fp16 ", "")) == []
