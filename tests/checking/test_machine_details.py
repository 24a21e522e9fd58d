"""Cores, shared memory, the width of a bus and the chips of a pod, by the machine before them."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from derive.checking.machine_details import details
from derive.constants import catalogue


def _found(text: str, verdict: str) -> list[tuple[str, str]]:
    return [(one.text, one.expected) for one in check_text(text).claims if one.verdict == verdict]


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        ("An A100 SM has up to {} of shared memory.", "164 KB", "228 KB", "164"),
        ("The H100 SXM has {} CUDA cores.", "16,896", "6,912", "16896"),
        ("The H100 SXM has {} tensor cores.", "528", "640", "528"),
        ("The H100 has a {} memory bus.", "5120-bit", "4096-bit", "5120"),
        ("A TPU v5p pod has {} chips.", "8,960", "4,096", "8960"),
    ],
)
def test_a_detail_is_that_of_the_machine(text: str, right: str, wrong: str, expected: str) -> None:
    assert [shown for own, shown in _found(text.format(right), "true") if right in own] == [expected]
    assert [(wrong in own, shown) for own, shown in _found(text.format(wrong), "false")] == [(True, expected)]


@pytest.mark.parametrize(
    "text",
    [
        "The kernel uses 164 KB of shared memory on the H100.",
        "FlashAttention tiles of 96 KB of shared memory fit on the A100.",
        "With 64 KB of shared memory per block the A100 keeps two blocks.",
        "We ran on a TPU v5p slice with 4,096 chips.",
        "The H100 SXM has 132 SMs, each with 4 tensor cores.",
        "The full GV100 die of the V100 SXM2 would have 5,376 CUDA cores.",
    ],
)
def test_a_part_of_it_is_left_alone(text: str) -> None:
    assert _found(text, "false") == []


def test_details_are_of_machines_of_the_catalogue_and_have_a_source() -> None:
    assert set(details()) <= set(catalogue("hardware"))
    assert all(
        one.source and all(min(values) > 0 for values in one.values.values()) for one in details().values()
    )
