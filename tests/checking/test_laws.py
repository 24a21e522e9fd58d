"""Formulas over the numbers of a document: operations of a run, bytes of a cache, shares of a peak."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes

SIZES = (
    "Heron has 3.21B parameters.\n\n| model | N |\n|---|--:|\n| Heron | 3.21B |\n\nIt saw 1.20T tokens.\n\n"
)
PER_TOKEN = "One token takes 2 × 80 × 8 × 128 × 2 bytes = 327,680 bytes of cache.\n\n"
LLAMA = "We serve Llama 3.1 8B with a KV cache.\n\n"
SHARES = "| kernel | TFLOP/s | {} |\n|---|--:|--:|\n| old | 370 | 37.4 % |\n| new | 640 | {} |\n"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # 6 · 3e9 · 1e11 = 1.8e21, and a third of it
        ("Somebody asked about a 3B model on 100B tokens; that is {} FLOPs.", "1.8e21", "6.0e20", "1.8e+21 FLOPs",
         "forward pass alone"),
        # 6 · 405.85e9 · 15.6e12 = 3.80e25, and half of it
        ("Training Llama 3.1 405B with 15.6T tokens took {} FLOP.", "3.80e25", "1.90e25", "3.799e+25 FLOP",
         "multiply-adds"),
        # 6 · 3.21e9 · 1.2e12 = 2.31e22, and a third of it
        (SIZES + "It was trained on 1.2T tokens. With C = 6·N·D the run needed {} FLOP (attention aside).",
         "2.31e22", "7.70e21", "2.311e+22 FLOP", "forward pass alone"),
        # 8192 · 327680 = 2.684e9, eight times that
        (PER_TOKEN + "A sequence of 8,192 tokens holds {} of cache.", "2.68 GB", "21.5 GB", "2.684 GB",
         "heads and KV heads"),
        (PER_TOKEN + "The cache for 32,768 tokens is {}.", "10.7 GB", "5.37 GB", "10.74 GB", "K+V"),
        # 2 · 32 · 8 · 128 · 2 = 131072 = 128 KiB
        (LLAMA + "In FP16 one token of the 8B model needs {} of cache.", "128 KiB", "512 KiB", "128 KiB",
         "heads and KV heads"),
    ],
)  # fmt: skip
def test_a_slip_of_a_formula_is_found(text: str, right: str, wrong: str, expected: str, cause: str) -> None:
    assert false_causes(text.format(right)) == []
    found = false_causes(text.format(wrong))
    assert [(shown, why) for _, shown, why in found] == [(expected, cause)]
    assert found[0][0].startswith(wrong[:4])


@pytest.mark.parametrize("heading", ["Utilisation", "MFU", "% of peak"])
def test_a_share_of_a_peak_is_at_most_1(heading: str) -> None:
    assert false_causes(SHARES.format(heading, "64.7 %")) == []
    assert [text for text, _, _ in false_causes(SHARES.format(heading, "119.3 %"))] == ["119.3 %"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The forward pass of a 3B model on 100B tokens is 6.0e20 FLOPs.", id="forward"),
        pytest.param("A 3B model on 100B tokens and a 7B model on 20B tokens take 6.0e20 FLOPs.", id="two models"),
        pytest.param(PER_TOKEN + "On each GPU a sequence of 8,192 tokens holds 0.335 GB of cache.", id="a share"),
        pytest.param(PER_TOKEN + "With FP8 the cache of 8,192 tokens is 1.34 GB.", id="another width"),
        pytest.param(SHARES.format("speed-up, relative to peak use", "173 %"), id="relative"),
        pytest.param("Evaluating a 7B model on 2B tokens costs 2.8e19 FLOPs per run.", id="evaluation"),
        pytest.param(PER_TOKEN + "Of this cache 8,192 tokens fill 1.34 GB for the keys.", id="keys"),
        pytest.param(PER_TOKEN + "On 2 GPUs the cache of 8,192 tokens is 1.34 GB each.", id="each"),
        pytest.param(SHARES.format("MFU", "104 % of the old one"), id="of another"),
        pytest.param(SHARES.format("CPU utilization", "640 %"), id="cores"),
    ],
)  # fmt: skip
def test_other_amounts_are_left_alone(text: str) -> None:
    assert false_causes(text) == []
