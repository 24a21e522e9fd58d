"""Estimates by the field's formulas whose inputs stand elsewhere in the document."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers, is_true

RUN = """# Budget

We train a model of 7.0 billion parameters on 2 trillion tokens. The cluster has 512 H100 GPUs, and we assume an MFU
of 40 % of the dense BF16 peak of 989 TFLOP/s.

{}
"""
TABLE = """# Plan

| item | value |
|---|---|
| parameters N | 13e9 |
| tokens D | 1.5e12 |
| GPUs | 1,024 |
| peak per GPU | 312 TFLOP/s |
| MFU | 45 % |
| global batch | 4,194,304 tokens |
| step time | 2.28 s |

{}
"""
DECODE = """# Decoding

The weights take 70 GB in FP8. {} The memory of each GPU reads 4.8 TB/s.

{}
"""


@pytest.mark.parametrize(
    ("text", "expected", "cause"),
    [
        # 6 × 7e9 × 2e12 = 8.4e22 FLOP; / (512 × 989e12 × 0.4) = 414,700 s = 4.80 days
        ("By the 6ND rule the compute is 2.8e22 FLOP.", "8.4e+22 FLOP", "forward pass alone"),
        ("The run takes 4.8 hours.", "115 hours", "hours and days"),
        ("Training lasts about 115 days.", "4.8 days", "hours and days"),
        ("The run takes 8.4 days.", "4.8 days", "digits swapped"),
        ("So the training takes 2.4 days.", "4.8 days", "sparse and dense"),
        ("The run takes 1.92 days.", "4.8 days", "a factor is left out (40 %)"),
        # 989e12 × 0.4 / (6 × 7e9) = 9,419 tokens/s
        ("Each GPU processes 4,919 tokens per second.", "9419 tokens/second", "digits swapped"),
        ("Each GPU processes 28,257 tokens per second.", "9419.05 tokens/second", "forward pass alone"),
    ],
)
def test_a_training_told_in_sentences(text: str, expected: str, cause: str) -> None:
    ((_, right, name),) = false_causes(RUN.format(text))
    assert (right, name) == (expected, cause)


@pytest.mark.parametrize(
    "text",
    [
        "By the 6ND rule the compute is 8.4e22 FLOP.",
        "The run takes 4.8 days.",
        "Training lasts about 115 hours.",
        "Each GPU processes 9,419 tokens per second.",
    ],
)
def test_right_estimates_of_a_training(text: str) -> None:
    assert is_true(RUN.format(text), text.replace("6ND", ""))


@pytest.mark.parametrize(
    "text",
    [
        "The actual run took 8.4 days.",
        "On half of the cluster the run takes 8.4 days.",
        "With an MFU of 20 % the run takes 9.6 days.",
        "The run of the 3.5B model takes 2.4 days.",
        "On 256 GPUs the run takes 9.6 days.",
        "Fine-tuning takes 2.4 hours.",
        "The deadline is in 8.4 days, and the run must be done.",
        "Restarts included, the run takes 9.6 days.",
        "The run takes 5.5 days.",
        "The evaluation needs 2.8e22 FLOP.",
    ],
)
def test_what_may_be_of_something_else(text: str) -> None:
    assert false_numbers(RUN.format(text)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 6 × 13e9 × 1.5e12 / (1,024 × 312e12 × 0.45) = 9.42 days
        ("At the sustained rate of the cluster the run takes 9.42 days.", []),
        ("At the sustained rate of the cluster the run takes 4.92 days.", [("4.92 days", "9.419 days")]),
        ("At the sustained rate of the cluster the run takes 18.84 days.", [("18.84 days", "9.419 days")]),
        # 4,194,304 / 2.28 s = 1.84 million
        ("The cluster processes 1.84 million tokens per second.", []),
        (
            "The cluster processes 1.48 million tokens per second.",
            [("1.48 million tokens per second", "1.84 million tokens/second")],
        ),
    ],
)
def test_a_training_told_in_a_table(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(TABLE.format(text)) == found


@pytest.mark.parametrize(
    ("split", "text", "found"),
    [
        ("", "A decode step takes at least 14.6 ms.", []),
        ("", "A decode step takes at least 16.4 ms.", [("16.4 ms", "14.58 ms")]),
        ("With tensor parallelism over 2 GPUs it fits.", "A step reads them in 7.29 ms.", []),
        (
            "With tensor parallelism over 2 GPUs it fits.",
            "A step reads them in 14.6 ms.",
            [("14.6 ms", "7.292 ms")],
        ),
        ("", "With the KV cache a step takes 16.4 ms.", []),
        ("", "A step of the old kernel takes 16.4 ms.", []),
    ],
)
def test_a_step_that_reads_the_weights(split: str, text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(DECODE.format(split, text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 2 × 8.03e9 = 16.06 GFLOP a token
        ("One generated token takes 16.1 GFLOP.", []),
        ("One generated token takes 48.2 GFLOP.", [("48.2 GFLOP", "16.06 GFLOP")]),
        ("A prompt of 4,096 tokens takes 56.8 TFLOP.", [("56.8 TFLOP", "65.78 TFLOP")]),
        ("In training each token takes 48.2 GFLOP.", []),
        ("With the draft model a token takes 48.2 GFLOP.", []),
    ],
)
def test_the_operations_of_tokens(text: str, found: list[tuple[str, str]]) -> None:
    given = f"The model has 8.03 billion parameters. A forward pass costs two FLOPs per parameter and token.\n\n{text}"
    assert false_numbers(given) == found


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("153 FLOP/byte", []),
        ("135 FLOP/byte", [("135 FLOP/byte", "153 FLOP/byte")]),
        ("306 FLOP/byte", [("306 FLOP/byte", "153 FLOP/byte")]),
        ("140 FLOP/byte", []),
    ],
)
def test_a_ridge_point_of_an_unnamed_device(told: str, found: list[tuple[str, str]]) -> None:
    given = "The device has a peak of 312 TFLOP/s and a memory bandwidth of 2,039 GB/s."
    assert false_numbers(f"{given} The ridge point is therefore {told}.") == found


@pytest.mark.parametrize(
    ("told", "found"),
    [
        # 2 × 7/8 × 14 GB = 24.5 GB, in 54.4 ms at 450 GB/s
        ("A ring all-reduce over 8 GPUs moves 24.5 GB per GPU.", []),
        ("A ring all-reduce over 8 GPUs moves 12.25 GB per GPU.", [("12.25 GB per GPU", "24.5 GB/GPU")]),
        ("A ring all-reduce over 8 GPUs sends 42.5 GB through each link.", [("42.5 GB", "24.5 GB")]),
        ("A ring all-reduce over 8 GPUs moves about 28 GB per GPU.", []),
        ("Over a ring of 8 GPUs the reduce-scatter moves 12.25 GB.", []),
        ("Over a ring of 8 GPUs the reduce-scatter moves 24.5 GB.", [("24.5 GB", "12.25 GB")]),
        ("Half of a ring all-reduce over 8 GPUs moves 12.25 GB per GPU.", []),
        (
            "A ring all-reduce over 8 GPUs moves 24.5 GB per GPU. At 450 GB/s this takes 45.4 ms.",
            [("45.4 ms", "54.44 ms")],
        ),
        ("A ring all-reduce over 8 GPUs moves 24.5 GB per GPU. At 450 GB/s this takes 54.4 ms.", []),
    ],
)
def test_what_a_ring_moves(told: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(f"The gradients are 14 GB in BF16. {told}") == found


@pytest.mark.parametrize("told", ["0 tokens", "1e300 tokens", "0 parameters"])
def test_zeros_and_huge_numbers(told: str) -> None:
    run = "Training it on 0 GPUs at an MFU of 0 % takes 0.0 days, or 12 days."
    assert false_numbers(f"A model of 7 billion parameters and {told}. {run}") == []
