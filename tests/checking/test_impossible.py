"""Values that cannot be: more than the memory, the lanes, the port or the tensor cores can do."""

from __future__ import annotations

import pytest

from derive.checking import check_text

DRIVE = "The drives sit in PCIe 4.0 x4 slots. On one host we measured sequential reads of a drive at {}.\n"
PORT = "Every node has one 200 Gb/s port.\n\nThe rails are even; the best of the NICs was logged at {}.\n"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        (DRIVE, "6.9 GB/s", "9.4 GB/s", "at most 8 GB/s"),
        (DRIVE.replace("4.0 x4", "3.0 x4"), "3.4 GB/s", "5.1 GB/s", "at most 4 GB/s"),
        (PORT, "24.6 GB/s", "27.3 GB/s", "at most 25 GB/s"),
        (
            "On the second L4 host the DRAM delivered {} with arrays of 2 GiB.",
            "271 GB/s",
            "344 GB/s",
            "at most 300 GB/s",
        ),
        ("Our copy kernel achieved {} on a T4 GPU.", "251 GB/s", "352 GB/s", "at most 320 GB/s"),
        (
            "With two H100 SXM, Llama 3 70B in BF16 prefills {}.",
            "9,000 tokens/s",
            "17,500 tokens/s",
            "at most 14,018 tokens/s",
        ),
        (
            "One A100 SXM runs Llama 3 8B in BF16 at {}.",
            "16,000 tokens/s",
            "26,000 tokens/s",
            "at most 19,427 tokens/s",
        ),
    ],
)
def test_more_than_there_can_be_is_false(text: str, right: str, wrong: str, expected: str) -> None:
    assert [one.text for one in check_text(text.format(right)).claims if one.verdict == "false"] == []
    bad = [one for one in check_text(text.format(wrong)).claims if one.verdict == "false"]
    assert [(one.rule, one.text, one.expected) for one in bad] == [("impossible", wrong, expected)]


@pytest.mark.parametrize(
    "text",
    [
        "The drives sit in PCIe 4.0 x4 slots. Two drives together reached 13 GB/s.",
        "The drives sit in PCIe 4.0 x4 slots, the card in PCIe 4.0 x16. We measured 11 GB/s for one drive.",
        "The drives sit in PCIe 4.0 x4 slots. From the page cache we measured 14 GB/s for a drive.",
        "Nodes have 200 Gb/s ports or 400 Gb/s ports. The best NIC was logged at 41 GB/s.",
        "With prefix caching Llama 3 8B reaches 61,000 tokens/s on an A100 SXM in BF16.",
    ],
)
def test_what_may_be_is_left_alone(text: str) -> None:
    assert [one.text for one in check_text(text).claims if one.verdict == "false"] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The node has A100 SXM cards. For an all-reduce we measured a busbw of 341 GB/s.", ["341 GB/s"]),
        ("The node has A100 SXM cards. For an all-reduce we measured a busbw of 236 GB/s.", []),
        ("On our V100s the log says: bus bandwidth of 171 GB/s achieved.", ["171 GB/s"]),
        ("On our V100s the log says: bus bandwidth of 131 GB/s achieved.", []),
        ("On the A100 box NCCL reached a busbw of 412 GB/s.", ["412 GB/s"]),
        ("On the H100 box NCCL reached a busbw of 478 GB/s.", []),  # its switches add
    ],
)
def test_a_bus_bandwidth_is_at_most_that_of_the_links(text: str, wrong: list[str]) -> None:
    assert [one.text for one in check_text(text).claims if one.verdict == "false"] == wrong


@pytest.mark.parametrize(
    ("heading", "reached", "last", "wrong"),
    [
        ("ceiling (tok/s)", "measured (tok/s)", "71.0", ["71.0 tok/s"]),
        ("ceiling (tok/s)", "measured (tok/s)", "39.0", []),
        ("theoretical (GB/s)", "achieved (GB/s)", "64.2", ["64.2 GB/s"]),
        ("theoretical (GB/s)", "achieved (GB/s)", "40.1", []),
        ("upper bound (GB/s)", "observed (GB/s)", "55.0", ["55.0 GB/s"]),
        ("estimate (GB/s)", "observed (GB/s)", "55.0", []),
    ],
)
def test_a_measured_cell_is_at_most_the_limit_of_its_row(
    heading: str, reached: str, last: str, wrong: list[str]
) -> None:
    rows = f"| p | 11.7 | 10.2 |\n| q | 23.9 | 19.8 |\n| r | 91.3 | 77.7 |\n| s | 42.1 | {last} |\n"
    text = f"| case | {heading} | {reached} |\n|---|---|---|\n{rows}"
    assert [one.text for one in check_text(text).claims if one.verdict == "false"] == wrong
