"""Words that tie the numbers of a sentence: ratios, shares, means, rests, how often, downtime, bytes in a format."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers, is_true

TIED = (
    ("The ratio of 989 to 312 is {}.", "3.17", "3.71"),
    ("Of 1,000 requests 37 failed, i.e. {}.", "3.7 %", "37 %"),
    ("Of every 512 GPUs 8 are spare, or {}.", "1.6 %", "6.4 %"),
    ("It rose by {} from 250 to 275 tokens/s.", "10 %", "12 %"),
    ("The step time fell by {} from 8.0 s to 6.0 s.", "25 %", "33 %"),
    ("An MFU of 40 % on 989 TFLOPS means {}.", "396 TFLOPS", "39.6 TFLOPS"),
    ("A failure rate of 0.2 % on 50,000 requests is {}.", "100 requests", "1,000 requests"),
    ("A step takes 3.1 ms instead of 4.8 ms, so it is {} times as fast.", "1.55", "1.35"),
    ("We save every 30 minutes, i.e. {} times a day.", "48", "24"),
    ("The job saves every 15 minutes, or {} times an hour.", "4", "6"),
    ("99.9 % availability allows {} of downtime a year.", "8.76 hours", "87.6 hours"),
    ("99.95 % uptime leaves {} of downtime a month.", "21.9 minutes", "219 minutes"),
    ("A tensor of 67.1 million elements, or {} in bf16.", "134.2 MB", "67.1 MB"),
    ("The three runs took 41, 44 and 50 minutes, on average {}.", "45 minutes", "48 minutes"),
    ("Latencies of 12, 14 and 19 ms average to {}.", "15 ms", "18 ms"),
    ("The runs took 5.2 s, 5.4 s and 5.9 s, {} on average.", "5.5 s", "5.8 s"),
    ("One in 500 requests fails, or {}.", "0.2 %", "0.02 %"),
    ("A speed-up of 6.4 on 8 GPUs, an efficiency of {}.", "80 %", "64 %"),
    ("The average of 12 ms and 18 ms is {}.", "15 ms", "16.5 ms"),
    ("A year of 300 kW is {}.", "2,628 MWh", "263 MWh"),
    ("Of the 80 GB, 35 GB are weights and 10 GB activations, which leaves {}.", "35 GB", "45 GB"),
    ("At 0.7 kW a GPU, 512 of them need {}.", "358 kW", "35.8 kW"),
    ("The run used 516,096 GPU-hours on 1,024 GPUs, so it lasted {}.", "21 days", "12 days"),
    (
        "Training on 2 trillion tokens at 4 million tokens per batch takes {}.",
        "500,000 steps",
        "50,000 steps",
    ),
    ("The disk writes 2 GB/s, so 1.2 TB take {}.", "10 minutes", "6 minutes"),
    ("A week of 8 H100 at $2.50 an hour costs {}.", "$3,360", "$336"),
    ("Power with a PUE of 1.2: 5.6 kW × 1.2 = {}.", "6.72 kW", "7.62 kW"),
    ("A 400 Gb/s NIC moves {}.", "50 GB per second", "400 GB per second"),
)


@pytest.mark.parametrize(("sentence", "right", "wrong"), TIED)
def test_words_tie_a_number_to_the_others(sentence: str, right: str, wrong: str) -> None:
    assert not false_numbers(sentence.format(right))
    assert len(false_numbers(sentence.format(wrong))) == 1
    assert not is_true(sentence.format(wrong), wrong)


@pytest.mark.parametrize(
    "text",
    [
        "The median of 12, 14 and 19 ms is 14 ms.",
        "The runs took 41, 44 and 50 minutes; weighted by tokens the average is 48 minutes.",
        "Of the 80 GB, 35 GB are weights and 10 GB activations, 5 GB of which leaves 40 GB.",
        "We save every 30 minutes, and eight jobs write 384 times a day.",
        "The disk writes 2 GB/s, so with four disks 1.2 TB take 2.5 minutes.",
        "The disk writes 2 GB/s, so 1.2 TB take 12 minutes.",  # and the rest of the time it waits
        "The share of 99.9 % is for a month with 8 hours of maintenance a year.",
        'Somebody said "the 400 Gb/s NIC does 400 GB/s". It does 50 GB/s.',
        "The ratio of 16:1 × 2 = 32 is odd.",
        "An accuracy of 71.2 % on 12,000 questions is 2.1 points better than before.",
        "The array reads 12 GB/s, and 1.2 TB take 50 s with two of them.",
        "Compression halves it: at 2 GB/s, 1.2 TB take 5 minutes.",
        "5,400 s are 1 h 30 min.",
        "It rose by 25 % from 2023 to 2024.",
        "From 2019 to 2023, a fall of 40 %.",
        "It rose by 12 % from Monday on, from 250 in the old to 310 in the new week.",
    ],
)
def test_words_that_leave_it_open(text: str) -> None:
    assert not false_numbers(text)


def test_hours_with_minutes_are_no_hours() -> None:
    assert not is_true("5,400 s are 1 h 50 min.", "1")
