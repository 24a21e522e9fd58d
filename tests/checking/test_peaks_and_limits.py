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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Take an L4 instead. It has 24 GB and 300 GB/s, and draws 72 W.", []),
        ("Take an L4 instead. It has 24 GB and 864 GB/s, and draws 72 W.", [("864 GB/s", "300 GB/s")]),
        ("We have A100 80GB SXM cards.\n\nIn the node the cards have 600 GB/s of NVLink, enough for us.", []),
        (
            "We have A100 80GB SXM cards.\n\nIn the node the cards have 900 GB/s of NVLink, enough for all-reduces.",
            [("900 GB/s", "600 GB/s [both-ways]")],
        ),
        ("On the H100 SXM a link has 50 GB/s both ways.", []),
        ("E4M3 goes up\nto 448, so scaling matters.", []),
        ("E4M3 has a largest value\nof 57,344, so scaling matters.", [("57,344", "448")]),
        (
            "It has the shape of Llama 3 70B: 80 layers, hidden size 8,192, 64 query heads and 16 KV heads.",
            [("16 KV heads", "8")],
        ),
    ],
)
def test_what_pronouns_shapes_and_formats_are_said_to_have(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found
