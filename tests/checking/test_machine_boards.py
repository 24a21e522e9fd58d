"""What a board of a name has: memory, bandwidth, power, links; told in brackets, in lists, of the sentence before."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_causes, false_texts, is_true

OTHER, BOARD, WAYS = "another machine", "no board of the name has this number", "both ways and each way"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # memory
        ("Our desks use the RTX 4090 ({}) for trials.", "24 GB", "16 GB", "24 GB [nominal]", OTHER),
        ("The bench has an L4 ({}) under the table.", "24 GB", "48 GB", "24 GB [nominal]", OTHER),
        ("The memory of the L4 is {}.", "24 GB", "48 GB", "24 GB [nominal]", OTHER),
        ("The memory of an H200 is {}.", "141 GB", "80 GB", "141 GB [nominal]", OTHER),
        ("The VRAM of the T4: {}.", "16 GB", "24 GB", "16 GB [nominal]", OTHER),
        ("The L40S carries {} of memory.", "48 GB", "80 GB", "48 GB [nominal]", OTHER),
        # a number that no board of the name has
        ("The L4 has a memory bandwidth of {}.", "300 GB/s", "400 GB/s", "300 GB/s", BOARD),
        ("The L4's memory bandwidth is {}.", "300 GB/s", "200 GB/s", "300 GB/s", BOARD),
        ("The MI300X has a memory bandwidth of {}.", "5.3 TB/s", "4.3 TB/s", "5.3 TB/s", BOARD),
        ("The TDP of the T4 is {}.", "70 W", "95 W", "70 W", BOARD),
        # lists of powers
        ("TDPs: H100 SXM 700 W, L4 {}, T4 70 W.", "72 W", "350 W", "72 W", OTHER),
        ("The TDPs are: L40S 350 W, A100 SXM {}, MI300X 750 W.", "400 W", "700 W", "400 W", OTHER),
        ("TDPs of our cards: T4 {}; L4 72 W; L40S 350 W.", "70 W", "75 W", "70 W", BOARD),
        # NVLink of the sentence before: half of 900 and of 600 GB/s each way
        ("Our H100 SXM boards are joined by NVLink. Each board can send {} each way.", "450 GB/s", "900 GB/s",
         "450 GB/s [each-way]", WAYS),
        ("We have a tray of A100 SXM cards. They are wired by NVLink. That gives {} each way.", "300 GB/s", "600 GB/s",
         "300 GB/s [each-way]", WAYS),
        # ports
        ("NDR InfiniBand gives {} per port.", "400 Gb/s", "200 Gb/s", "400 Gb/s", OTHER),
        ("The leaf is NDR InfiniBand with {} a port.", "400 Gb/s", "200 Gb/s", "400 Gb/s", OTHER),
        ("HDR InfiniBand has {} per port.", "200 Gb/s", "100 Gb/s", "200 Gb/s", OTHER),
        # the machine that the sentence goes on about
        ("In memory bandwidth they differ: at {} the L4 is slower than the L40S with 864 GB/s.", "300 GB/s",
         "4.8 TB/s", "300 GB/s", OTHER),
        ("In memory bandwidth they differ: at {} the L4 is slower than the L40S with 864 GB/s.", "300 GB/s",
         "200 GB/s", "300 GB/s", BOARD),
        # half-precision is no half of it
        ("In half-precision the H100 SXM has a peak of {}, dense.", "989 TFLOP/s", "1,979 TFLOP/s",
         "989 TFLOP/s [dense, bf16]", "sparse and dense"),
    ],
)  # fmt: skip
def test_a_number_of_a_board(text: str, right: str, wrong: str, expected: str, cause: str) -> None:
    assert false_texts(text.format(right)) == []
    assert is_true(text.format(right), right)
    found = false_causes(text.format(wrong))
    assert [(shown, named) for _, shown, named in found] == [(expected, cause)]
    assert wrong in found[0][0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The L4 reaches 240 GB/s of memory bandwidth in our test.", id="measured"),
        pytest.param("The L4 has an effective memory bandwidth of 240 GB/s.", id="effective"),
        pytest.param("We cap the L4 at 60 W.", id="capped"),
        pytest.param("TDPs: H100 SXM 700 W (capped to 500 W), L4 72 W.", id="capped in a list"),
        pytest.param("An A100 (40 GB) is enough.", id="a variant"),
        pytest.param("We rent an H200 (80 GB used).", id="used"),
        pytest.param("The memory of two L4 is 48 GB.", id="two"),
        pytest.param("Both H200 (141 GB) and four L4 (96 GB together) do.", id="together"),
        pytest.param("The memory of the L4 is 24 GB smaller than that of the L40S.", id="smaller"),
        pytest.param("NDR200 InfiniBand gives 200 Gb/s per port.", id="half a port"),
        pytest.param("An NDR InfiniBand cage splits into links of 200 Gb/s.", id="split"),
        pytest.param("Of the memory, an L4 has only 16 GB.", id="only"),
        pytest.param("Over NVLink an H100 SXM has 900 GB/s, i.e. 450 each way.", id="either"),
        pytest.param("At 512 GB/s the L4 is not to be had.", id="no word of what it is"),
    ],
)
def test_a_number_of_something_else_is_left_alone(text: str) -> None:
    assert false_texts(text) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The H200 with the compute of an H100 SXM reads {} of memory bandwidth.", "4.8 TB/s"),
        ("An L40S has the same chip as an L4, but {} of memory bandwidth.", "864 GB/s"),
        ("The H200 is like the H100 SXM, with a memory bandwidth of {}.", "4.8 TB/s"),
        ("The H200 has the chip of the H100 SXM (memory bandwidth {}).", "4.8 TB/s"),
    ],
)
def test_the_number_of_the_machine_that_another_is_compared_with(text: str, number: str) -> None:
    claims = check_text(text.format(number)).claims
    assert [(one.verdict, one.cause) for one in claims if number in one.text] == [
        ("unsure", "the number is that of another machine of the sentence")
    ]
