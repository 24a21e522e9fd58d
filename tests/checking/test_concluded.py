"""Results whose amounts stand in the sentences before: what is left, shares, multiples, products by their measures."""

from __future__ import annotations

import pytest

from derive.checking import check_text

CASES = (
    # what is left
    ("The card has 96 GB. The weights take 41 GB. That leaves {} for the cache.", "55 GB", "65 GB", "55 GB"),
    (
        "A GPU has 80 GB. The weights take 35.2 GB and the buffers 6.4 GB. This leaves {}.",
        "38.4 GB",
        "34.8 GB",
        "38.4 GB",
    ),
    ("The budget is 40 ms. The prefill uses 27 ms. So {} are left.", "13 ms", "18 ms", "13 ms"),
    # shares in percent
    ("The peak is 989 TFLOP/s. We reach 412 TFLOP/s. The utilization is {}.", "41.7 %", "51.7 %", "41.66"),
    (
        "The chip has a peak of 312 TFLOP/s. Our kernel runs at 203 TFLOP/s. That is {} of the peak.",
        "65 %",
        "75 %",
        "65",
    ),
    (
        "The step takes 638 ms. Waiting for data takes 88 ms. That is {} of the step.",
        "13.8 %",
        "18.3 %",
        "13.79",
    ),
    (
        "A checkpoint takes 45 s. One hour of work lies in between, that is 3,600 s. It is {} of it.",
        "1.25 %",
        "12.5 %",
        "",
    ),
    # twice or half of that
    ("A prefill takes 180 ms. The decoding takes twice that, {}.", "360 ms", "390 ms", "360 ms"),
    ("A replica serves 1,250 requests a minute. Twice that is {}.", "2,500", "2,700", "2500"),
    ("The model reads 18 GB. Half of that, {}, is attention.", "9 GB", "12 GB", "9 GB"),
    ("The run took 12.4 days. A quarter of this is {}.", "3.1 days", "3.6 days", "3.1 days"),
    # the same amount again
    (
        "The server answers 12 million requests a day. That is {}.",
        "139 requests per second",
        "1,390 requests per second",
        "138.89 requests",
    ),
    ("The run takes 18 days. That is {}.", "432 hours", "423 hours", "432 hours"),
    ("The service writes 1.2 GB an hour. That is {}.", "333 kB/s", "33.3 kB/s", "333.3 kB/s"),
    (
        "The memory has 3.35 TB/s. The kernel reaches 85 % of that, {}.",
        "2.85 TB/s",
        "2.58 TB/s",
        "2.848 TB/s",
    ),
    # sums and changes
    ("Loading takes 95 s. Compiling takes 140 s. Together they take {}.", "235 s", "253 s", "235 s"),
    (
        "The weights take 140 GB, and the cache takes 46 GB. Together they need {}.",
        "186 GB",
        "168 GB",
        "186 GB",
    ),
    ("The old card reads 3.35 TB/s. The new one reads 4.8 TB/s. That is {} more.", "43 %", "34 %", "43.3%"),
    ("The old kernel took 5.2 s. The new kernel takes 3.9 s. That is {} less.", "25 %", "52 %", "25%"),
    (
        "The window is 131,072 tokens. The prompt takes 96,000 tokens. That leaves {}.",
        "35,072 tokens",
        "53,072 tokens",
        "35072 tokens",
    ),
    ("There are 96 nodes. Each draws 10.2 kW. Together they draw {}.", "979 kW", "97.9 kW", "979.2 kW"),
    (
        "The team used 5.5 million GPU-hours at $2 each. This makes {}.",
        "$11 million",
        "$110 million",
        "$11 million",
    ),
    (
        "We pay $3.20 for a GPU-hour. Last month we used 118,000 GPU-hours. We paid {}.",
        "$377,600",
        "$37,760",
        "$377600",
    ),
    # products of what the sentences tell, by their measures
    (
        "The weights are 140 GB. Each GPU has 3.35 TB/s. Reading them once takes {}.",
        "41.8 ms",
        "4.18 ms",
        "41.79 ms",
    ),
    (
        "The step takes 5.2 s. The run has 120,000 steps. In all it takes {}.",
        "7.2 days",
        "72 days",
        "7.22 days",
    ),
    (
        "The corpus has 1.4 trillion tokens. The batch is 4 million tokens. So training takes {}.",
        "350,000 steps",
        "35,000 steps",
        "350000 steps",
    ),
    (
        "A training sample has 600 kB. The loader reads 3,200 samples per second. That is {}.",
        "1.92 GB/s",
        "19.2 GB/s",
        "1.92 GB/s",
    ),
    (
        "We have 2,048 GPUs. The run takes 1.9 million GPU-hours. So it takes {}.",
        "928 hours",
        "9,280 hours",
        "927.73 hours",
    ),
    (
        "A decode step takes 24 ms. The batch is 48. So the replica generates {}.",
        "2,000 tokens/s",
        "200 tokens/s",
        "2000 tokens/s",
    ),
)

LEFT_ALONE = (
    "The card has 80 GB. The weights take 28 GB. That leaves 48 GB for the cache, since 4 GB are reserved.",
    "The card has 80 GB. The weights take 28 GB. With two cards that leaves 132 GB for the cache.",
    "The card has 80 GB. The weights take 28 GB. FP8 halves them. That leaves 66 GB for the cache.",
    "The card has 80 GB. The weights take 27.6 GB. This leaves some 50 GB for the cache.",
    "The peak is 989 TFLOP/s. We reach 405 TFLOP/s. That is 59 % less.",
    "The peak with sparsity is 1,979 TFLOP/s. We reach 405 TFLOP/s. That is 41 % of the dense peak.",
    "The all-reduce takes 38 ms. A step takes 412 ms. Half of it is hidden. That is 4.6 % of the step.",
    "The all-reduce takes 38 ms. A step takes 412 ms. That is 8.4 % of both together.",
    "The peak is 989 TFLOP/s. With eager code we reach 405 TFLOP/s. With graphs it is 640 TFLOP/s. That is 64.7 %.",
    "The card has 71.6 GB. The weights take 35.2 GB and the buffers 6.4 GB. This leaves 30 GB.",
    "The weights take 35.2 GB and the buffers 6.4 GB. This leaves 30 GB of the card.",
    "The peak of the card is 989 TFLOP/s. We reach 405 TFLOP/s. Our MFU is 38 %, as the embedding is not counted.",
    "The peak of the card is 989 TFLOP/s. We reach 405 TFLOP/s. The GPU utilization is 98 %.",
    "The peak of the card is 989 TFLOP/s. We reach 405 TFLOP/s. That is 55 % of what the library reaches.",
    "We have 12 racks of 4 nodes. Each draws 10.2 kW. In all they draw 490 kW.",
    "We have 12 racks of 4 nodes. Each draws 40.8 kW. In all they draw 490 kW.",
    "Loading takes 95 s. Compilation takes 140 s. Together they take 200 s, as they overlap.",
    "The step took 5.2 s. It now takes 3.9 s. That is 33 % more steps an hour.",
    "The budget is 200 ms. The network takes 30 ms. There and back this leaves 140 ms.",
    "The node has 640 GB. The weights take 140 GB. That leaves 62.5 GB on each GPU.",
    "The team used 5.5 million GPU-hours at $2 each. This makes $5,400 for each of the 2,048 GPUs.",
    "The service gets 12 million requests a day. That is 417 requests per second at noon.",
    "The run takes 18 days. That is 300 hours, with the breaks taken off.",
    "A link has 400 Gb/s. That is 45 GB/s, after the headers.",
    "The memory has 3.35 TB/s. We reach more than 85 % of that, 2.9 TB/s.",
    "A prefill takes 180 ms. The decoding takes more than twice that, 390 ms.",
    "A prefill takes 180 ms. The decoding takes twice that, 0.36 s.",
    "We have 2 TB of checkpoints. The store delivers 20 GB/s. We write them once every 1,000 s.",
    "The corpus has 300 billion tokens. The batch is 4 million tokens. So each of the ten epochs takes 7,500 steps.",
    "Each file has 2.4 TB. The store has 20 GB/s. We restore ten files. So it takes 20 minutes.",
    "The prompt has 12,000 tokens. Prefill runs at 8,000 tokens a second. It is chunked, so the first takes 150 ms.",
    "A step takes 5.2 s. The run has 120,000 steps. It took 10 days.",
    "A GPU costs $2.50 an hour. The run took 36 hours. It cost $5,760, as it used 64 GPUs.",
    "The time between failures of a GPU is 50,000 hours. With 2,048 GPUs one fails every 24.4 hours.",
    "A node makes 25,200 tokens in that minute. The node costs $26 an hour, so a million costs $17.20.",
)


@pytest.mark.parametrize(("text", "right", "wrong", "expected"), CASES)
def test_a_result_follows_from_the_sentences_before(text: str, right: str, wrong: str, expected: str) -> None:
    assert not [one for one in check_text(f"{text.format(right)}\n").claims if one.verdict == "false"]
    (found,) = [one for one in check_text(f"{text.format(wrong)}\n").claims if one.verdict == "false"]
    assert found.expected.startswith(expected)
    assert found.cause
    assert found.because


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_may_be_meant_is_left_alone(text: str) -> None:
    assert not [one for one in check_text(f"{text}\n").claims if one.verdict == "false"]
