"""Utilizations from tokens a second, and streams that are faster than the memory."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_causes

TABLE = (
    "We ran on H100 SXM and A100 SXM cards, dense BF16.\n\n| model | GPUs | tok/s/GPU | MFU |\n|---|---|--:|--:|\n"
    "| 8.03B | 64 x H100 | 10,500 | 51.2 % |\n| 8.03B | 64 x A100 | 3,300 | {} |\n"
)


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # 6 · 8.03e9 · 3300 / 312e12 = 51.0 %, and over 989e12 16.1 %
        (TABLE, "51.0 %", "16.1 %", "51 %", "another machine"),
        # 6 · 6.738e9 · 3900 / 312e12 = 50.5 %, and a third of it
        ("Llama 2 7B reaches 3,900 tokens/s per GPU on the A100, {} MFU.", "50.5 %", "16.8 %", "50.5 %",
         "forward pass alone"),
        # 6 · 70.55e9 · 940 / 989e12 = 40.2 %, and 8/6 of it
        ("With Llama 3 70B an H100 SXM does 940 tokens/s/GPU, an MFU of {}.", "40.2 %", "53.6 %", "40.2 %",
         "recomputation counted"),
    ],
)  # fmt: skip
def test_a_utilization_follows_from_tokens_and_peak(
    text: str, right: str, wrong: str, expected: str, cause: str
) -> None:
    assert false_causes(text.format(right)) == []
    assert right in {one.text for one in check_text(text.format(right)).claims if one.verdict == "true"}
    assert false_causes(text.format(wrong)) == [(wrong, expected, cause)]


@pytest.mark.parametrize(
    "text",
    [
        "Llama 2 7B reaches 3,900 tokens/s per GPU on the A100, 16.8 % MFU in the forward pass.",
        "Llama 2 7B reaches 3,900 tokens/s per GPU on the A100, 67.4 % HFU with recomputation, which is no MFU.",
        "From 3,900 tokens/s per GPU on the A100 and 16.8 % MFU we went up with Llama 2 7B.",
    ],
)
def test_other_shares_are_left_alone(text: str) -> None:
    assert false_causes(text) == []


STREAM = "In BF16, Llama 3 8B decodes {} tokens/s on an L4 GPU at batch size 1."


def test_a_stream_is_no_faster_than_the_memory() -> None:
    # 300e9 / (8.03e9 · 2) = 18.7
    assert false_causes(STREAM.format(17.6)) == []
    assert [(text[:4], right) for text, right, _ in false_causes(STREAM.format(24.5))] == [
        ("24.5", "at most 18.7 tokens/s")
    ]
    assert false_causes(STREAM.format(24.5).replace("size 1", "size 16")) == []
    assert false_causes(STREAM.format(24.5).replace("decodes", "with a draft model decodes")) == []
