"""Two amounts held against each other: the base of a percentage, a difference, what is left."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _false(text: str) -> list[str]:
    return [claim.claimed for claim in check_text(text).claims if claim.verdict == "false"]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        # 1 - 12.6 / 16.8 = 25 %; 16.8 / 12.6 - 1 = 33.3 %
        ("The step went down from 16.8 to 12.6 ms, a {} reduction.", "25 %", "33 %"),
        ("With the new kernel a step takes 12.6 ms instead of 16.8 ms, {} less.", "25 %", "33.3 %"),
        # 5.5 / 4.0 - 1 = 37.5 %; 1 - 4.0 / 5.5 = 27.3 %
        ("Compared with 4.0 bits, 5.5 instead of 4.0 is an overhead of {}.", "37.5 %", "27.3 %"),
        ("Throughput rose from 4,000 to 5,500 tokens/s, an increase of {}.", "37.5 %", "27.3 %"),
        # $5.00 - $3.50 is 30 % off, 70 % are left
        ("The {} discount brings $5.00 down to $3.50.", "30 %", "70 %"),
        # 0.9M / 15M = 6.0 %; 0.9M / 14.1M = 6.38 %
        (
            "We saw 15.0M queries, of which 0.9M failed and 14.1M succeeded: an error rate of {}.",
            "6.0 %",
            "6.4 %",
        ),
        # 1 - 120 / 8,000 = 98.5 %
        ("The 120 of 8,000 minutes leave {}.", "98.5 %", "99.85 %"),
        # 41 + 6 + 58 + 17 = 122
        (
            "A call sees 41 ms of queueing, 6 ms of parsing, 58 ms of prefill and 17 ms of decoding; "
            "that adds up to {}.",
            "122 ms",
            "132 ms",
        ),
        # 2.5 + 4.5 + 9 = 16
        ("We keep 2.5 GB of weights, 4.5 GB of gradients and 9 GB of state, {} in all.", "16 GB", "19 GB"),
        # 24 × 8 = 192
        ("The order is for {} in 24 nodes of 8.", "192 GPUs", "182 GPUs"),
        # 71.9 - 68.2 = 3.7
        ("The score goes up from 68.2 to 71.9, that is by {} points.", "3.7", "4.7"),
    ],
)
def test_what_a_percentage_is_taken_of(text: str, right: str, wrong: str) -> None:
    assert _false(text.format(right)) == []
    assert wrong in _false(text.format(wrong))


def test_what_does_not_fit() -> None:
    assert _false("Three boxes of eight 24 GB cards, 576 GB, hold the 671 GB.") == ["671 GB"]
    assert _false("Three boxes of eight 24 GB cards, 576 GB, do not hold the 671 GB.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Latency fell from 1.608 s to 1.082 s, and the gain held at the tail: p95 fell by 30.14 %.",
        "Growing the cache from 256 to 1,024 entries improved throughput by 32.0 %.",
        "It went from 12 ms to 9 ms, which is 33 % faster.",
        "Of 18 runs, 3 failed, and 12 % of the time was lost.",
        "We keep 80 layers, 8 KV heads of 128, two bytes each.",
        "The 640 GB hold the 565 GB of weights and 60 GB of cache.",
        "It needs 3 GB, 2 GB and 7 GB, and each of the 4 ranks 3 GB in all.",
        "The peak rises from 20.03 to 94.03 GiB, and throughput drops by 4.1 %.",
    ],
)
def test_what_is_about_something_else_is_not_false(text: str) -> None:
    assert _false(text) == []
