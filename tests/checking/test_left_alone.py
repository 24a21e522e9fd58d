"""Equalities that are no claims, or that only look wrong: none of them is called false."""

from __future__ import annotations

import pytest

from derive.checking import check_text

LOOK_WRONG = (
    "| case | ms |\n|---|---|\n| b=4 s=4096 h=16 d=128 | 0.34 |\n",
    "started: n_threads=12 n_batch=-1 total_threads=24 cores=3",
    "scores at length 512 = -0.024 for the large one",
    "run 3 (2.188 bpw) +26 experts moved PPL=3.8887",
    "$6 = 3 \\times 2 = 3!$ ways",
    "a ratio of 3.27 : 1 = (955 / 4) : (1314 / 18)",
    "the layer has 1024 * 1024 * 2 (2 bytes per weight) = 2 MB",
    "thread 3 of block 2 gets idx = 2 * 256 + 3 = 515",
    "4 * 531,671,296 = 2,126,685,184 params * 18 = 38.28 GB",
    "the factor is $\\exp(1-6/2) \\approx 0.135$",
    "with $\\operatorname{rank}(3 \\cdot 4) = 3$",
    "we expect $1000 \\times 1 / 5 = 200$ requests/1k ticks",
    "163,000 × 256 kB = 42.7 GB",
    "groups of 256 chunks hold 16MB, 128MB, or 1GB by their size",
    "29 568 / 256 = 115 full blocks",
    "An H100 has 18 NVLink 4 links of 50 GB/s, both directions added; the ports run at 400 Gb/s.",
    "Llama 3 8B has 32 layers, hidden size 4096, an MLP width of 14336 and a vocabulary of 128,256.",
    "Each node has a port of 25 Gb/s. We measured that the local NVMe delivers 7 GB/s.",
    "- **2 × H200**: 282 GB together, 141 GB left.",
)


@pytest.mark.parametrize("text", LOOK_WRONG)
def test_what_only_looks_wrong_is_not_called_false(text: str) -> None:
    assert [claim.text for claim in check_text(text).claims if claim.verdict == "false"] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("the cache takes 3 × 16 GB = 45 GB.", "3 × 16 GB = 45 GB"),
        ("each holds 24 GB / 2 = 16 GB of it", "24 GB / 2 = 16 GB"),
        ("we need 12 GB + 5 GB = 19 GB!", "12 GB + 5 GB = 19 GB"),
        ("163,000 × 256 kB = 52.7 GB", "163,000 × 256 kB = 52.7 GB"),
        ("The cache takes 128 MB, or 1.28 GB.", "128 MB, or 1.28 GB"),
        ("12 * 12 * 2 = 268", "12 * 12 * 2 = 268"),
    ],
)
def test_plain_slips_beside_them_are_found(text: str, wrong: str) -> None:
    assert [claim.text for claim in check_text(text).claims if claim.verdict == "false"] == [wrong]
