"""Power limits, memories and peaks of machines in relative clauses, of cards of the other form, of each of several."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_texts

OTHER, SPARSE, FORMAT = "another machine", "sparse and dense", "peak of another precision"
A100 = "The servers hold eight A100-SXM4-80GB each, 64 in all. "


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # cards whose name is that of a module
        ("The last box has A100 80GB PCIe cards, which are specified with up to {} each.", "300 W", "400 W", "300 W",
         OTHER),
        ("The TDP of our cards differs: an A100 PCIe 40GB has a TDP of {}.", "250 W", "400 W", "250 W", OTHER),
        ("A V100 PCIe card has a TDP of {}.", "250 W", "300 W", "250 W", OTHER),
        ("The A100 80GB PCIe reads its memory at {}.", "1,935 GB/s", "2,039 GB/s", "1,935 GB/s", OTHER),
        # power
        ("We dropped the T4 and added the B200, of which we know that a module may draw up to {}.", "1000 W", "700 W",
         "1000 W", OTHER),
        ("The H200's power limit is {}, the same as that of the H100 SXM.", "700 W", "1000 W", "700 W", OTHER),
        # memory
        ("They own the H100 PCIe card, which also has 80 GB, but its memory runs at {}.", "2.0 TB/s", "3.35 TB/s",
         "2 TB/s", OTHER),
        (f"{A100}Each GPU has a dense BF16 peak of 312 TFLOP/s and 80 GB of HBM2e, which delivers {{}}.", "2.039 TB/s",
         "3.35 TB/s", "2.039 TB/s", OTHER),
        ("The A100 40GB streams its HBM2 at {}.", "1,555 GB/s", "2,039 GB/s", "1.555 TB/s", OTHER),
        ("The H200 keeps the cores of the H100 and goes to 141 GB at {}.", "4.8 TB/s", "3.35 TB/s", "4.8 TB/s", OTHER),
        ("The H100 SXM has {} of memory per GPU.", "80 GB", "40 GB", "80 GB [nominal]", OTHER),
        ("The L2 cache of the A100 is {}, that of the H100 50 MB.", "40 MB", "50 MB", "40 MB", OTHER),
        # a number that is said to be of the machine right behind it
        ("Bandwidth: 4.8 TB/s for an H200 and {} for an H100 SXM.", "3.35 TB/s", "2.0 TB/s", "3.35 TB/s", OTHER),
        ("It has 141 GB of HBM3e against 80, and {} for an H200.", "4.8 TB/s", "3.9 TB/s", "4.8 TB/s", OTHER),
        ("The dense BF16 peak is {} for the A100 and 989 TFLOP/s for the H100 SXM.", "312 TFLOP/s", "624 TFLOP/s",
         "312 TFLOP/s [dense, bf16]", SPARSE),
        # peaks
        ("A box of eight is faster: each H100 SXM has {} of dense bf16.", "989 TFLOP/s", "1,513 TFLOP/s",
         "989 TFLOP/s [dense, bf16]", OTHER),
        ("We take the MFU against the H100 SXM's {} (dense BF16).", "989 TFLOP/s", "1,979 TFLOP/s",
         "989 TFLOP/s [dense, bf16]", SPARSE),
    ],
)  # fmt: skip
def test_a_sentence(text: str, right: str, wrong: str, expected: str, cause: str) -> None:
    assert false_causes(text.format(right)) == []
    assert [(shown, name) for number, shown, name in false_causes(text.format(wrong)) if wrong in number] == [
        (expected, cause)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "We set the A100 80GB PCIe cards to 250 W.",
        "The A100 80GB PCIe cards draw 250 W in this test.",
        "Beside the A100 80GB PCIe cards, each 300 W, stand A100 SXM modules of 400 W.",
        "The A100 80GB PCIe has a memory bandwidth of 1,935 GB/s.",
        "We run the H100 SXM cards at a limit of 350 W.",
        "Of the B200 we only know its 1,000 W.",
        "The job runs at 2.0 TB/s on an H100 SXM.",
        "We got 150 TFLOP/s for the A100 and 400 TFLOP/s for the H100 in BF16.",
        "The A100 trades 2.0 TB/s for the H100's 3.35 TB/s.",
        "With 78 GFLOP per token that is 156 TFLOP/s, and 50 % MFU on the A100's 312 TFLOP/s of dense BF16.",
        "The kernel runs at 1.4 TB/s on the A100 40GB.",
        "The H200 is larger than the H100, 80 GB at 3.35 TB/s.",
        "The H100 SXM has 40 GB of memory left per GPU.",
        "The H100 SXM needs 40 GB of memory per GPU.",
        "The L2 cache of the A100 is 40 MB, that of the H100 50 MB.",
        "A box of eight H100 SXM has 7,912 TFLOP/s of dense bf16.",
        "We take the MFU against the H100 SXM's 989 TFLOP/s (dense BF16).",
        "The H100 SXM's 756 TFLOP/s in our BF16 benchmark are a good MFU.",
    ],
)
def test_what_is_told_of_something_else(text: str) -> None:
    assert false_texts(text) == []


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        ("Mixtral 8x7B: {} total and 12.9B active parameters.", "46.7B", "56B", "46.7B parameters"),
        (
            "DeepSeek-V3 has 671B parameters.\n\nDeepSeek-V3 is large.\n\nIt was trained on {} tokens.",
            "14.8 trillion",
            "14.8 billion",
            "14.8T tokens",
        ),
        ("DeepSeek-V3 has {} parameters, of which 37B are active.", "671B", "617B", "671B parameters"),
    ],
)
def test_a_model(text: str, right: str, wrong: str, expected: str) -> None:
    assert false_texts(text.format(right)) == []
    assert [shown for number, shown in false_texts(text.format(wrong)) if wrong in number] == [expected]
