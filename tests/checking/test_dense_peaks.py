"""Peaks that no machine has dense, whoever they are said to be of."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers


@pytest.mark.parametrize(
    ("text", "claimed", "right"),
    [
        ("In FP8 both reach 3,958 TFLOPS dense.", "3,958 TFLOPS", "1979 TFLOP/s [dense, fp8]"),
        (
            "We compared two cards. The one has 624 TFLOP/s dense in BF16.",
            "624 TFLOP/s",
            "312 TFLOP/s [dense, bf16]",
        ),
        ("Its dense BF16 peak is 1,979 TFLOP/s.", "1,979 TFLOP/s", "989 TFLOP/s [dense, bf16]"),
        ("The budget assumes 1,979 TFLOP/s of dense BF16.", "1,979 TFLOP/s", "989 TFLOP/s [dense, bf16]"),
        ("The L4 that we rent does 242 TFLOPS (BF16, dense).", "242 TFLOPS", "121 TFLOP/s [dense, bf16]"),
    ],
)
def test_a_sparse_peak_called_dense_is_false(text: str, claimed: str, right: str) -> None:
    assert (claimed, right) in false_numbers(text)
    assert all(cause == "sparse and dense" for _, _, cause in false_causes(text))


@pytest.mark.parametrize(
    "text",
    [
        "In FP8 both reach 1,979 TFLOPS dense.",  # the H100
        "Two of them have 1,979 TFLOP/s of dense BF16.",
        "Two cards have 1,979 TFLOP/s of dense BF16 together.",
        "In BF16 it is 1,979 TFLOP/s, dense it is 989.",
        "In BF16 it is 1,979 TFLOP/s with sparsity and 989 TFLOP/s dense.",
        "It is wrong to write 1,979 TFLOP/s of dense BF16.",
        "Our dense layers reach 620 TFLOP/s in BF16.",
        "A dense model runs at 1,979 TFLOP/s on the node.",
    ],
)
def test_what_is_dense_or_of_several_is_left_alone(text: str) -> None:
    assert false_numbers(text) == []
