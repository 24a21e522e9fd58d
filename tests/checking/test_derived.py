"""Amounts that follow from other amounts by their kinds; every number here is worked out in the comment or by hand."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _verdicts(text: str, format: str = "markdown") -> dict[str, str]:
    """The verdict of each number that is claimed; the worst where there are several."""
    order = {"true": 0, "unsure": 1, "false": 2}
    found: dict[str, str] = {}
    for claim in check_text(text, format).claims:
        old = found.get(claim.claimed)
        if old is None or order[claim.verdict] > order[old]:
            found[claim.claimed] = claim.verdict
    return found


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        # 3 × 250 GB / (25 GB/s) = 30 s
        ("A shard has 250 GB. Over one 200 Gb/s port a copy of 3 shards takes {}.", "30 s", "3.75 s"),
        # 96 GPUs × 14 d × 24 h = 32,256 GPU-hours
        ("We used 96 GPUs for 14 days, which is {}.", "32,256 GPU-hours", "1,344 GPU-hours"),
        ("We used 96 accelerators for 14 days, which is {}.", "32,256 GPU-hours", "32,265 GPU-hours"),
        # 352 MB × 58 = 20.4 GB
        ("A layer's share is 352 MB, and over the 58 layers each GPU holds {}.", "20.4 GB", "2.04 GB"),
        # 56 KiB × 32,768 = 1.75 GiB
        (
            "It is 56 KiB per token. At 32,768 tokens one chat holds {}, at 131,072 tokens 7 GiB.",
            "1.75 GiB",
            "0.875 GiB",
        ),
        # 714.8 kW × 5 / 60 h = 59.6 kWh
        ("The batteries carry the load: 714.8 kW for 5 minutes is {}.", "59.6 kWh", "143 kWh"),
        # 15.2 GB × 8 / (10 Gb/s) = 12.2 s
        (
            "On 1 Gb/s it takes 15.2 GB / 0.125 GB/s = 122 s. We have 10 Gb/s, and there 15.2 GB at 10 Gb/s takes {}. "
            "Reading it at 3.5 GB/s takes 4.3 s.",
            "12.2 s",
            "1.5 s",
        ),
        # 4.8e9 tokens / 2,097,152 tokens = 2,289 steps
        ("The 4.8 billion tokens take {} at 2,097,152 tokens each.", "2,289 steps", "22,890 steps"),
        # 262,144 B × 8,192 = 2.147 GB
        (
            "Every token keeps 262,144 bytes. A chat of 8,192 tokens therefore needs {}.",
            "2.147 GB",
            "1.074 GB",
        ),
        # 5.1e16 / (16 × 312e12 × 0.4) = 25.5 s
        (
            "All in all 5.1e16. With the sixteen GPUs at 40 % of the dense peak of 312 TFLOPS each, this is {}.",
            "25.5 s",
            "409 s",
        ),
        # 840 MWh × $0.12/kWh = $100,800
        ("The hall used 840 MWh. At $0.12/kWh that is {}.", "$101k", "$1.01M"),
        # 22,000 tokens/s × 3,600 = 79.2 million an hour
        ("The pool writes 22,000 tokens/s, or {}.", "79.2 million per hour", "1.90 billion per hour"),
        # 25 tokens/s: one every 40 ms
        ("A reader gets 25 tokens/s, that is one every {}.", "40 ms", "25 ms"),
        # 3.6 TB a day = 41.67 MB/s = 333 Mbit/s
        ("The logs grow by 3.6 TB a day, a steady {}.", "333 Mbit/s", "41.7 Mbit/s"),
        # 32 nodes × 8 × 500 W = 128 kW
        (
            "The room has 32 nodes of 8 GPUs, 256 GPUs in all. Each GPU draws 500 W, so the GPUs draw {}.",
            "128 kW",
            "16.0 kW",
        ),
        # 72 kW × 1.25 = 90 kW
        ("The racks take 72 kW. At a PUE of 1.25 this is {}.", "90.0 kW", "57.6 kW"),
        # 1.2 million × 512 B = 614 MB
        ("1.2 million samples of 512 bytes each make {}.", "614 MB", "61.4 MB"),
        # 2 h 30 min = 9,000 s; 9,000 s × 40 GB/s = 360 TB
        ("Within 2 h 30 min at 40 GB/s the drain moves {}.", "360 TB", "36.0 TB"),
        # 1 TiB of tokens: 2e12 / 4,194,304 = 476,837 steps
        ("A step is 4,194,304 tokens per step. The 2 T tokens make {}.", "476,837 steps", "524,288 steps"),
        # 300 h × 64 = 19,200 card-hours = 800 card-days
        ("A run of 300 hours on 64 cards burns {}.", "800 card-days", "19,200 card-days"),
        # 140 GB / 3.35 TB/s = 41.8 ms
        ("Reading 140 GB of weights at 3.35 TB/s takes {}.", "41.8 ms", "418 ms"),
        # 560 GB / 5 GB/s = 112 s
        ("One checkpoint is 560 GB; at 5 GB/s it is written in {}.", "112 s", "11.2 s"),
        # 32 × 218 million = 6.98 billion
        (
            "With 32 layers of 218 million parameters each we get {}.",
            "6.98 billion parameters",
            "7.98 billion parameters",
        ),
        # 12/s × 1,800 = 21,600 tokens a second
        (
            "Each request costs 1,800 tokens, and 12 requests arrive a second, so the service reads {} a second.",
            "21,600 tokens",
            "2,160 tokens",
        ),
        # 600 / 250 = 2.4 s
        ("At 250 tokens per second an answer of 600 tokens takes {}.", "2.4 s", "24 s"),
        # 98.32 × 168 = 16,518; × 24 = 2,360
        ("A node costs $98.32 an hour, so a week costs {}.", "$16,518", "$2,360"),
        # 3.2e9 / 2.1e6 = 1,524
        (
            "An epoch of 3.2 billion tokens at 2.1 million tokens a step takes {}.",
            "1,524 steps",
            "15,240 steps",
        ),
        # 15e12 / 1.2e6 s = 12.5e6 s = 144.7 days
        (
            "The set has 15T tokens; at 1.2 million tokens a second one pass takes {}.",
            "145 days",
            "14.5 days",
        ),
        # 2 TB / 7 GB/s = 285.7 s = 4.76 min
        ("The disk reads 7 GB/s, so 2 TB are through in {}.", "286 seconds", "4.76 seconds"),
        # 1.2 MWh / 8 h = 150 kW
        ("The job used 1.2 MWh in 8 hours, so it drew {}.", "150 kW", "15 kW"),
        # 70e9 × 1 B = 70 GB
        ("A 70 billion parameter model in 8-bit needs {}.", "70 GB", "700 GB"),
        # 46,000 × 2.10 = 96,600
        ("A GPU-hour costs $2.10. The run of 46,000 GPU-hours cost {}.", "$96,600", "$966,000"),
        # 3,000 × 86,400 = 259.2 million
        (
            "It generates 3,000 tokens a second. In a day that is {}.",
            "259 million tokens",
            "25.9 million tokens",
        ),
        ("5 min 20 s are {}.", "320 s", "350 s"),
        # 2.5 s × 90,000 = 62.5 h
        ("A step takes 2.5 s and there are 90,000 of them, so the run takes {}.", "62.5 hours", "625 hours"),
        # 40 × 3,600 = 144,000
        ("It handles 40 requests a second, so {} an hour.", "144,000 requests", "2,400 requests"),
        # 34 B × 8 / 32 = 8.5
        ("The format takes 34 bytes per 32 weights, hence {} each.", "8.5 bits", "8.25 bits"),
        # 600 W / 300e12/s = 2 pJ
        ("For this card, 600 W over 300 TFLOP/s is {}.", "2.0 pJ", "2.0 nJ"),
        # 12 × 4 × 8 = 384
        (
            "The pool has 12 racks of 4 nodes, and each node has 8 GPUs, so there are {}.",
            "384 GPUs",
            "348 GPUs",
        ),
        # 64 × 4,096 × 0.5 MB = 131 GB
        (
            "A context costs 0.5 MB per token, so 64 users with 4,096 tokens each need {}.",
            "131 GB",
            "13.1 GB",
        ),
        # 6 × 8 × 5 = 240
        ("We lost 6 nodes of 8 GPUs for 5 hours, that is {}.", "240 GPU-hours", "420 GPU-hours"),
        # 3,600 / 8.4 = 429
        ("It takes 8.4 s per step, so an hour has {}.", "429 steps", "4,286 steps"),
        # 2 TB/s / 16 GB = 125
        (
            "The model reads 16 GB per token, and at 2 TB/s that is {} a second.",
            "125 tokens",
            "12.5 tokens",
        ),
        # 8 × 80 = 640
        ("The eight cards of a node have 80 GB each, {} in total.", "640 GB", "560 GB"),
        # 16 × 26 = 416
        ("Each GPU holds 26 GB, so the 16 GPUs hold {}.", "416 GB", "208 GB"),
        # 8.4e22 / (1,024 × 400e12) = 205,078 s = 57 h
        (
            "The run needs 8.4e22 FLOPs. At 400 TFLOP/s on each of the 1,024 GPUs this takes {}.",
            "57.0 hours",
            "570 hours",
        ),
        # 3 × 1,250 = 3,750
        (
            "A run takes 1,250 GPU-hours. With its three seeds the baseline used {} of our budget in total.",
            "3,750 GPU-hours",
            "1,250 GPU-hours",
        ),
        # 3 y × $20,000/month × 12 = $720,000
        ("We pay $20,000 a month. Over three years this adds {} to the bill.", "$720,000", "$60,000"),
    ],
)
def test_what_amounts_make_is_computed(text: str, right: str, wrong: str) -> None:
    assert _verdicts(text.format(right)).get(right) != "false"
    assert _verdicts(text.format(wrong)).get(wrong) == "false"


@pytest.mark.parametrize(
    "text",
    [
        "The queue of 60,000 requests, at 20 a second, takes 50 minutes.",
        "With 2 GPUs of 80 GB each we can serve a model of 70 GB in FP8, or one of 140 GB in BF16.",
        "A rack has 4 nodes, and a node draws 10.2 kW; the rack is fed with 60 kW.",
        "The 16 GB/s of the slot are for one way; both ways make 32 GB/s.",
        "The 30 % of 16 requests that fail cost 4 minutes each.",
        "8 cards with 80 GB have 600 GB for the cache.",
        "If we rent it for a year this costs about $238k per month.",
        "Some 30 % of 9,000 or 3,000 prompts fail.",
        "At 8 × 4 GB/s the 5.7 GB take 0.18 s.",
        "15 × 10^12 tokens at 4.19 million per step are 3.58 million steps.",
        "Quantized to 54 % of BF16, which is close, the gap is just 0.14 ms and not 6.58 ms.",
        "The latency fell by 96 %, from 870 µs to 34 µs.",
        "Resuming with 16k tokens takes about 47 seconds, at 347 t/s, so the rest is about 34 seconds.",
        "The run had 64 requests of 8,192 tokens, and 128 requests of 512 tokens.",
        "We tried 16, 32 and 64 GPUs with 2, 4 and 8 layers each.",
        "Two nodes have 80 GB cards; one card reads 3.35 TB/s, and the node writes 10 GB/s.",
        "With 8 GPUs, 640 GB are there, of which 576 GB may be used.",
        "The 4 links of a GPU do 100 GB/s, but we measured 38 GB/s over 2 of them.",
        "A batch of 32 takes 40 ms, a batch of 64 takes 70 ms.",
        "It needs 16 GB for 8,192 tokens. Without the cache it would be 1.6 GB.",
        "Each card has 80 GB. The 8 cards have 10 GB each to spare.",
        "A request of 128K (131,072 tokens) is the longest.",
    ],
)
def test_what_only_looks_alike_is_not_false(text: str) -> None:
    assert "false" not in _verdicts(text).values()
