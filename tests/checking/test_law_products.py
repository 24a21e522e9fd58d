"""Two laws over the numbers of a paragraph: 2·m·n·k of a product of matrices, 2·(N - 1)/N·S/B of a ring all-reduce."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_causes

RING = "A ring all-reduce over N ranks takes 2 (N - 1) / N × S / B.\n\n"
LINKS = "A ring joins 8 GPUs with links of 100 GB/s and reduces 16 GB: "


def _true(text: str) -> set[str]:
    return {one.text for one in check_text(text).claims if one.verdict == "true"}


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # 2 · 8192³ = 1.0995e12
        ("Verify that a product of two 8192 × 8192 matrices costs {}.", "1.1e12 operations", "5.5e11 operations",
         "1.1e+12 operations", "multiply-adds"),
        # 2 · 4096 · 1024 · 8192 = 6.87e10
        ("A (4096 × 1024) by (1024 × 8192) GEMM takes {}.", "6.87e10 FLOPs", "3.44e10 FLOPs", "6.872e+10 FLOPs",
         "multiply-adds"),
        ("The GEMM with M = 4096, N = 8192, K = 1024 is {}.", "68.7 GFLOP", "34.4 GFLOP", "68.72 GFLOP",
         "multiply-adds"),
        ("An 8,192 × 8,192 × 8,192 matmul is {} of work.", "1.10 TFLOP", "2.20 TFLOP", "1.1 TFLOP", "counted twice"),
        # 2 · 4096³ = 1.374e11
        ("A square product with n = 4096 in BF16 performs {} on three matrices.", "1.37e11 operations",
         "1.37e12 operations", "1.374e+11 operations", "power of ten"),
        # 2 · 127/128 · 16.06e9 / 50e9 = 0.637 s
        (RING + "Gradients in BF16 are 16.06 GB, N = 128, B = 50 GB/s. The formula gives {} for the all-reduce.",
         "0.64 s", "0.32 s", "0.637 s", "factor left out"),
        # 2 · 7/8 · 16e9 / 100e9 = 0.28 s
        (LINKS + "the all-reduce takes {}.", "280 ms", "140 ms", "280 ms", "factor left out"),
        (LINKS + "the all-reduce takes {}.", "0.28 s", "2.8 s", "0.28 s", "power of ten"),
    ],
)  # fmt: skip
def test_the_law_is_held_against_the_result(
    text: str, right: str, wrong: str, expected: str, cause: str
) -> None:
    assert false_causes(text.format(right)) == []
    assert right in _true(text.format(right))
    assert false_causes(text.format(wrong)) == [(wrong, expected, cause)]


@pytest.mark.parametrize(
    "text",
    [
        "Forward and backward together, the product of two 8192 × 8192 matrices costs 3.3e12 operations.",
        "A product of two 8192 × 8192 matrices costs 5.5e11 multiply-adds.",
        "The lower triangle of a product of two 8192 × 8192 matrices costs 5.5e11 operations.",
        "With Strassen, a product of two 8192 × 8192 matrices costs 9.6e11 operations.",
        "The kernel sustains 5.5e11 FLOPs on 8192 × 8192 × 8192 GEMMs.",
        "Multiplying two 1024 × 1024 matrices takes 2.1e9 FLOPs, batched 16 times 3.4e10 FLOPs.",
        RING + "For N = 8, S = 1 GB, B = 50 GB/s: 35 ms. A reduce-scatter alone takes 17.5 ms.",
        LINKS + "the all-reduce takes 280 ms, its first phase 140 ms.",
        LINKS + "the reduce-scatter half of the all-reduce takes 140 ms.",
        LINKS + "we measured 140 ms for the all-reduce in FP8.",
        "Ring all-reduce of 16.06 GB on 128 ranks at 50 GB/s. With 8 rails the all-reduce takes 0.08 s.",
        "The switch adds: 16 GB on 8 GPUs at 100 GB/s, the all-reduce takes 140 ms.",
    ],
)
def test_other_work_and_other_collectives_are_left_alone(text: str) -> None:
    assert false_causes(text) == []
