"""What stands beside a number decides whose it is: labels of lists, corrections, the other of two machines."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers, false_texts, is_true

LABELLED = (
    ("b) 2.4 trillion tokens / 8 million = {} steps.", "300,000", "30,000"),
    ("(c) 2.4 trillion tokens / 8 million = {} steps.", "300,000", "30,000"),
    ("We need two numbers. (ii) 64 × 3.35 TB/s = {}.", "214.4 TB/s", "241.4 TB/s"),
    ("3) 48 × 700 W = {}.", "33.6 kW", "36.3 kW"),
)


@pytest.mark.parametrize(("sentence", "right", "wrong"), LABELLED)
def test_a_label_is_no_factor(sentence: str, right: str, wrong: str) -> None:
    assert is_true(sentence.format(right), right)
    assert not false_numbers(sentence.format(right))
    assert len(false_numbers(sentence.format(wrong))) == 1


def test_a_label_is_no_letter_of_the_text() -> None:
    text = "Let $d = 8192$ and $L = 64$.\n\n(d) $12Ld^2 = 12\\cdot64\\cdot8192^2 = 51.5$ B.\n"
    assert not false_texts(text)
    assert is_true(text, "51.5")


def test_what_a_second_calculation_makes_is_not_that_of_the_first() -> None:
    text = "One pass moves 31/32 × 26.9 = 26.06 GB, and both together 2 × 31/32 × 26.9 = {} GB."
    assert false_numbers(text.format("26.06")) == [("26.06 GB", "52.119 GB")]
    assert not false_numbers(text.format("52.12"))


CORRECTIONS = (
    "The share is 412 / 989 = 14.7 %. Nothing wrong there.",
    'A session takes 24 GiB (22.4 GB). An older page claimed "64k tokens fit in 3 GB"; that was wrong.',
    "48 requests per second would be 172,800 requests per day, but of course we do not run at the peak all day.",
    "91 GB at 10 Gb/s take 9.1 s at best, and in practice the provider doubles that.",
)


@pytest.mark.parametrize("text", CORRECTIONS)
def test_words_about_something_else_do_not_excuse(text: str) -> None:
    assert len(false_numbers(text)) == 1


CORRECTED = (
    "The share is 412 / 989 = 14.7 %. That is wrong.",
    'A session takes 24 GiB (22.4 GB). The old page said "22.4 GB", too, which was wrong.',
    "48 requests per second would be 172,800 requests per day, but the right number is 4,147,200.",
    "91 GB at 10 Gb/s take 9.1 s in practice.",
    "Goodput grows by 4.5 % - 0.3 % = 4.2 points.",
    "The peak demand is 1,520 concurrent streams = 1,520 s/s = 55% of that.",
)


@pytest.mark.parametrize("text", CORRECTED)
def test_words_about_the_number_do(text: str) -> None:
    assert not false_numbers(text)


RESTATED = (
    ("A session takes 24 GiB, or {}.", "25.8 GB", "22.4 GB", "GB and GiB"),
    ("A session takes 24 GiB or {}.", "25.8 GB", "22.4 GB", "GB and GiB"),
    ("It has 1.58 times the bandwidth, that is {} more.", "58 %", "158 %", "a ratio is told as a change"),
    ("It has 1.58x the bandwidth ({} more).", "58 %", "158 %", "a ratio is told as a change"),
    ("It is 2.4 times as fast, so {} faster.", "140 %", "240 %", "a ratio is told as a change"),
    ("The cache takes 2 × 80 × 8 × 128 × 2 = {} a token.", "327.7 KB", "327.7 MB", "prefix"),
)


@pytest.mark.parametrize(("sentence", "right", "wrong", "cause"), RESTATED)
def test_an_amount_told_again(sentence: str, right: str, wrong: str, cause: str) -> None:
    assert not false_numbers(sentence.format(right))
    assert is_true(sentence.format(right), right)
    assert [one[2] for one in false_causes(sentence.format(wrong))] == [cause]


@pytest.mark.parametrize(
    "text",
    [
        "That is 32,768 × 320 = 10.5 GB.",  # of KB each
        "It is 1.6 times as fast, and 160 % more people use it.",
        "We have 3 times the load, or 300 requests more.",
    ],
)
def test_what_may_be_meant_otherwise_is_left_open(text: str) -> None:
    assert not false_numbers(text)


MACHINES = (
    "My 4090 (24GB, 1008 GB/s) goes, two used 3090s (24GB, 936 GB/s each) come.",
    "The 4090 does 165.2 TFLOP/s in fp16 with fp32 accumulate.",
    "The H100 makes twice the A100's 3,550 tokens per second, at 1.75 times the board power (700 W against 400 W).",
    "The H100 SXM is old.\n\nFrom H100 to H200 the memory goes\nfrom 80 GB to 141 GB, and the bandwidth\n"
    "from 3.35 to 4.8 TB/s.",
    "| pod | chips | PFLOP/s |\n|---|---|---|\n| v5e | 256 | 50.4 |\n| v4 | 4,096 | 1,126 |\n| v6e | 256 | 235 |\n\n"
    "A v6e pod is faster than the same number of H100s with 253 PFLOP/s.",
    "We measured MFU:\n\n| chip | dense bf16 peak, TFLOPS | MFU | sustained TFLOPS |\n|---|---|---|---|\n"
    "| H100 SXM | 989 | 42 % | 415 |\n| A100 80GB | 312 | 50 % | 156 |\n| TPU v5p | 459 | 55 % | 252 |\n",
    "| GPU | 0.8 | 0.9 | speedup |\n|---|---|---|---|\n| A100 | 2,840 | 3,550 | 1.25 |\n"
    "| H100 | 5,120 | 7,168 | 1.40 |\n| MI300X | 5,480 | 6,850 | 1.25 |\n",
)


@pytest.mark.parametrize("text", MACHINES)
def test_a_number_of_another_machine_is_no_error(text: str) -> None:
    assert not false_texts(text)


OF_THE_WRONG_ONE = (
    ("* H200, 141 GB at 3.35 TB/s: about 108 GB of cache.", "3.35 TB/s", "4.8 TB/s"),
    ("The H100 PCIe has the same 3.35 TB/s, but only 350 W instead of 700 W.", "3.35 TB/s", "2 TB/s"),
    ("Two used RTX 3090s have 1008 GB/s each.", "1008 GB/s", "936 GB/s"),
    (
        "| GPU | FP8 dense (TFLOP/s) |\n|---|---|\n| H100 SXM | 1,979 |\n| H200 SXM | 1,979 |\n| MI300X | 5,230 |\n",
        "5,230",
        "2614.9 TFLOP/s [dense, fp8]",
    ),
)


@pytest.mark.parametrize(("text", "wrong", "right"), OF_THE_WRONG_ONE)
def test_a_number_of_another_machine_is_one_where_words_give_it_to_this(
    text: str, wrong: str, right: str
) -> None:
    assert false_texts(text) == [(wrong, right)]
    assert not is_true(text, wrong)
