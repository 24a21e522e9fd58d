"""Machines by a part of their name: the memory, the form, "the card" of a document that has only one."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_texts

ONE = "Every node has eight H100 SXM cards.\n\nWe use them for training.\n\n"
TWO = "There are two kinds of H100, which differ in more than one way. "


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        # the memory beside the name tells which card it is
        ("The A100 of 40 GB has the same tensor cores, and its memory delivers {}.", "1,555 GB/s", "2,039 GB/s",
         "at most 1.555 TB/s"),
        ("The 40 GB A100 has a memory bandwidth of {}.", "1,555 GB/s", "2,039 GB/s", "1.555 TB/s"),
        ("The GPUs are A100 SXM\nwith 40 GB, which read their own memory at {}.", "1,555 GB/s", "2,039 GB/s",
         "1.555 TB/s"),
        ("The A100 with 40 GB reads its memory at {}.", "1,555 GB/s", "2,039 GB/s", "1.555 TB/s"),
        ("The A100 (80 GB) has a memory bandwidth of {}.", "2.039 TB/s", "1.555 TB/s", "2.039 TB/s"),
        ("The 80GB variant of the A100 offers {} of bandwidth.", "2,039 GB/s", "1,555 GB/s", "2.039 TB/s"),
        # "the PCIe card", "the SXM module" of the family that is spoken of
        (f"{TWO}The PCIe card has the same 80 GB, but HBM at {{}} as the smaller one.", "2.0 TB/s", "3.35 TB/s",
         "2 TB/s"),
        (f"{TWO}The SXM module has 80 GB of HBM3 at {{}}.", "3.35 TB/s", "2 TB/s", "3.35 TB/s"),
        (f"{TWO}The PCIe version has a TDP of {{}}.", "350 W", "700 W", "350 W"),
        (f"{TWO}The PCIe card has a dense BF16 peak of {{}}.", "756 TFLOP/s", "989 TFLOP/s",
         "756 TFLOP/s [dense, bf16]"),
        # the only machine of the document
        (f"{ONE}Tempting: the card's dense FP8 peak is {{}}.", "1,979 TFLOP/s", "3,958 TFLOP/s",
         "1979 TFLOP/s [dense, fp8]"),
        (f"{ONE}The GPUs exchange gradients over NVLink at {{}} per direction.", "450 GB/s", "900 GB/s",
         "450 GB/s [each-way]"),
        (f"{ONE}The memory bandwidth of the card is {{}}.", "3.35 TB/s", "2.0 TB/s", "3.35 TB/s"),
        ("It has the tensor cores of the H100: 989 TFLOP/s dense in BF16, and in FP8 {} dense.", "1,979 TFLOP/s",
         "3,958 TFLOP/s", "1979 TFLOP/s [dense, fp8]"),
        (f"{ONE}FP8 is tempting: the same card is rated at {{}} dense in FP8.", "1,979 TFLOP/s",
         "3,958 TFLOP/s", "1979 TFLOP/s [dense, fp8]"),
        (f"{ONE}This very GPU is rated at {{}} dense in BF16.", "989 TFLOP/s", "1,979 TFLOP/s",
         "989 TFLOP/s [dense, bf16]"),
        # what the tensor cores are said to do, in whatever words
        ("We left out the L4, a card of 24 GB: its tensor cores do {} dense in FP16, its memory runs at 300 GB/s.",
         "121 TFLOP/s", "242 TFLOP/s", "121 TFLOP/s [dense, bf16]"),
        ("A T4 has 16 GB and draws at most 70 W; its tensor cores reach {} in FP16.", "65 TFLOP/s", "130 TFLOP/s",
         "65 TFLOP/s [dense, fp16]"),
        ("The T4 GPU is slow, and its tensor cores can do up to {} in FP16.", "65 TFLOP/s", "130 TFLOP/s",
         "65 TFLOP/s [dense, fp16]"),
        ("The L40S has 48 GB; its tensor cores can reach up to {} in FP16.", "362 TFLOP/s", "733 TFLOP/s",
         "362 TFLOP/s [dense, bf16]"),
        ("The MI300X has 192 GB, and its matrix cores deliver {} dense in BF16.", "1,307 TFLOP/s", "2,615 TFLOP/s",
         "1307.4 TFLOP/s [dense, bf16]"),
        # the generation of NVLink tells the rate, whatever the document's machine
        ("Eight A100-SXM4-80GB each.\n\nInside, third-generation NVLink has {} per GPU, both directions together.",
         "600 GB/s", "900 GB/s", "600 GB/s [both-ways]"),
        ("Our nodes hold A100s.\n\nThe GPUs are connected by NVLink at {} each.", "600 GB/s", "900 GB/s",
         "600 GB/s [both-ways]"),
        ("Inside a node they use NVLink 4, which gives {} per GPU in both directions.", "900 GB/s", "600 GB/s",
         "900 GB/s [both-ways]"),
        ("The machine has second-generation NVLink with {} bidirectional per GPU.", "300 GB/s", "600 GB/s",
         "300 GB/s [both-ways]"),
        # a condition or a measurement elsewhere in the sentence is no matter
        ("If you shop around: the MI300X has 192 GB, and a bandwidth of {} on each MI300X looks good on paper.",
         "5.3 TB/s", "8 TB/s", "5.3 TB/s"),
        ("The T4 gets 26 TFLOP/s, and the newer L4 comes with 24 GB at {}, but both throttle.", "300 GB/s",
         "864 GB/s", "300 GB/s"),
        ("The H200 raises it to 4.8 TB/s; the H100 SXM comes with 80 GB at {}.", "3.35 TB/s", "4.8 TB/s",
         "3.35 TB/s"),
        ("An H100 SXM provides about {} of dense BF16.", "990 TFLOP/s", "2,000 TFLOP/s", "989 TFLOP/s [dense, bf16]"),
        ("HDR InfiniBand gives {} per port and direction.", "25 GB/s", "50 GB/s", "200 Gb/s [each-way]"),
        ("The TPU v5p does {} in bf16.", "459 TFLOP/s", "275 TFLOP/s", "459 TFLOP/s [dense, bf16]"),
        ("A PCIe 4.0 x8 link gives {} each way.", "16 GB/s", "32 GB/s", "16 GB/s [each-way]"),
        ("A PCIe 5.0 x8 link gives {} each way.", "32 GB/s", "16 GB/s", "32 GB/s [each-way]"),
        ("The H100 SXM (80 GB HBM3, {}) costs more than the A100 80 GB (HBM2e, 2.04 TB/s).", "3.35 TB/s", "2.0 TB/s",
         "3.35 TB/s"),
        ("TPU v5e: {} HBM, 819 GB/s, 197 TFLOP/s bf16.", "16 GB", "32 GB", "16 GB [nominal]"),
        ("Each MI325X has {} of HBM3E.", "256 GB", "192 GB", "256 GB [nominal]"),
    ],
)  # fmt: skip
def test_a_machine_may_be_told_by_a_part_of_its_name(
    text: str, right: str, wrong: str, expected: str
) -> None:
    assert false_texts(text.format(right)) == []
    assert false_texts(text.format(wrong))[0][1] == expected


@pytest.mark.parametrize(
    "text",
    [
        # memory that is not the card's, or of either card
        "We filled the A100 with 40 GB of weights and its memory delivers 2,039 GB/s.",
        "The 40 GB model needs A100s, each of which has 2,039 GB/s of memory bandwidth.",
        "The A100 comes with 40 or 80 GB; the latter has a bandwidth of 2,039 GB/s.",
        "The A100 (40 GB and 80 GB versions) has 1,555 GB/s and 2,039 GB/s.",
        "The 80GB PCIe variant of the A100 has a memory bandwidth of 1,935 GB/s.",
        # another machine than the only one, a measurement, sparse numbers that are called so
        f"{ONE}The next GPU has a dense FP8 peak of 4.5 PFLOP/s.",
        f"{ONE}The GPUs have a measured dense BF16 rate of 756 TFLOP/s.",
        "The A100 SXM 80 GB has 312 TFLOP/s and its tensor cores reach 624 TFLOP/s in BF16 with sparsity.",
        "The A100 has 40 GB, and we measured its tensor cores: they reach 280 TFLOP/s in BF16.",
        "A T4 has 16 GB; its tensor cores reach 130 TOPS in INT8 and 26 TFLOP/s in FP16 with our kernel.",
        "Third-generation NVLink has 4.8 TB/s in a node of eight, both directions together.",
        f"{ONE}The GPUs reduce over NVLink at 600 GB/s each.",
        "Fourth-generation NVLink connects two PCIe cards at 600 GB/s in both directions.",
        "Third-generation NVLink has 50 GB/s per link in both directions.",
        f"{ONE}The card's sparse FP8 peak is 3,958 TFLOP/s.",
        "We compared A100 SXM and H100 SXM.\n\nThe card's memory runs at 3.35 TB/s.",
        "A memory-bound kernel on the H200 has an effective bandwidth of 3.35 TB/s.",
        "An H100 delivers 312 TFLOP/s in bf16 in our training runs.",
        "The B200 has a bandwidth of 1.8 TB/s over NVLink.",
        "The L4 has a bandwidth of 64 GB/s over PCIe.",
        "HDR InfiniBand gives 50 GB/s per port, both ways together.",
        "| link | each way | both ways |\n|---|---|---|\n| InfiniBand HDR | 25 GB/s | 50 GB/s |\n",
        "The PCIe A100 reads its memory at 1,935 GB/s and has a TDP of 300 W.",
        "An MI250X has a theoretical bandwidth per GCD of 1638.4 GB/s.",
    ],
)
def test_what_may_be_of_another_is_left_alone(text: str) -> None:
    assert false_texts(text) == []
