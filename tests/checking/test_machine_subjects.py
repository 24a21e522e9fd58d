"""Whom a number is about among machines: by name, by memory, by a pronoun, by the sentence that it shares."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_texts


def _true(text: str) -> set[str]:
    return {one.text for one in check_text(text).claims if one.verdict == "true"}


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        pytest.param(
            "We use A100 SXM 80 GB cards. An older study ran on the 40 GB version, whose memory bandwidth is {}.",
            "1,555 GB/s", "2,039 GB/s", "1.555 TB/s", id="variant"),
        pytest.param("A node of MI300X is large; each of those cards reads at {}.", "5.3 TB/s", "8 TB/s",
                     "5.3 TB/s", id="each of those"),
        pytest.param("An L4 is small. Its memory is slow, the card reads its GDDR6 memory at {}.", "300 GB/s",
                     "864 GB/s", "300 GB/s", id="the card"),
        pytest.param("Over NVLink an H100 SXM has 900 GB/s both ways and an A100 has {}.", "600 GB/s", "900 GB/s",
                     "600 GB/s [both-ways]", id="shared words"),
        pytest.param("NVLink gives the H100 and the H200 {} in each direction.", "450 GB/s", "900 GB/s",
                     "450 GB/s [each-way]", id="either of two"),
        pytest.param("A T4 offers 130 TOPS in INT8 and an L4 {} dense.", "242 TOPS", "485 TOPS",
                     "242.5 TOP/s [dense, int8]", id="format of the first"),
        pytest.param("With A100 80GB SXM and HDR InfiniBand we have NVLink ({} per GPU, both directions together).",
                     "600 GB/s", "900 GB/s", "600 GB/s [both-ways]", id="a cable beside it"),
        pytest.param("Our nodes carry A100 80GB SXM cards. Their HBM2e delivers {}.", "2,039 GB/s", "1,555 GB/s",
                     "2.039 TB/s", id="their"),
        pytest.param("The H200 (141 GB, {}) is rich in memory.", "4.8 TB/s", "3.35 TB/s", "4.8 TB/s", id="bracket"),
        pytest.param("An RTX 3090 has 24 GB and {}.", "936 GB/s", "1,008 GB/s", "936 GB/s", id="behind the capacity"),
        pytest.param("An A100 has {} of L2 cache.", "40 MB", "80 MB", "40 MB", id="cache"),
        pytest.param("16 H100 SXM give {} of dense BF16.", "15.8 PFLOP/s", "31.7 PFLOP/s", "989 TFLOP/s [dense, bf16]",
                     id="all of them"),
        pytest.param("It is far too small to care, though NVLink offers an H100 {} in each direction.", "450 GB/s",
                     "900 GB/s", "450 GB/s [each-way]", id="a remark elsewhere"),
    ],
)  # fmt: skip
def test_a_number_is_of_the_machine_that_is_spoken_of(
    text: str, right: str, wrong: str, expected: str
) -> None:
    assert false_texts(text.format(right)) == []
    found = false_texts(text.format(wrong))
    assert [shown for _, shown in found] == [expected]
    assert wrong in found[0][0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The A100 comes with 80 GB; the 80 GB PCIe card has 1,935 GB/s of memory bandwidth.", id="pcie"),
        pytest.param("NVLink on the A100 is 600 GB/s in total, which means 300 GB/s out.", id="two directions"),
        pytest.param("The DGX B200, a box of eight, has 18.0 PFLOP/s in BF16, dense.", id="a box"),
        pytest.param("The H100 and the A100 differ. The card reads its memory at 3.35 TB/s.", id="which card"),
        pytest.param("It is a myth that NVLink gives an H100 900 GB/s in each direction.", id="a myth"),
        pytest.param("The H100 PCIe (114 SMs, 350 W) and the SXM (132 SMs, 700 W) differ.", id="another form"),
        pytest.param("An RTX 4090 laptop GPU has 16 GB and a TDP of 175 W.", id="laptop"),
        pytest.param("Compared with an A100 the H100 SXM has more, 3.35 TB/s of memory bandwidth.", id="compared"),
    ],
)  # fmt: skip
def test_numbers_of_other_machines_are_left_alone(text: str) -> None:
    assert false_texts(text) == []


def test_measured_rows_under_a_caption_with_a_machine_are_no_peaks() -> None:
    table = "| kernel | inputs | TFLOP/s |\n|---|---|--:|\n| old | BF16 | 370 |\n| new | BF16 | 640 |\n"
    assert false_texts("H100, forward pass.\n\n" + table) == []
