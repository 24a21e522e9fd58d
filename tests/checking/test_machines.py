"""Statements about machines: what the catalogue decides, and what it must leave alone."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def falses(text: str) -> list[str]:
    return [claim.text for claim in check_text(text).claims if claim.verdict == "false"]


LEFT_ALONE = (
    # variants that the catalogue does not hold
    "| card | memory |\n|---|---|\n| NVIDIA B200 SXM | 192 GB HBM3e |\n",
    "The RTX 4090 D sold there has 48 GB of VRAM.",
    "Two 4090s give 48 GB VRAM.",
    "An H100 NVL carries 94 GB of HBM3.",
    "The A100 PCIe has a memory bandwidth of 1,935 GB/s.",
    "The HDR InfiniBand link here runs at 100 Gb/s.",
    # ordinary units, and units that accumulate in fp16
    "The RTX 4090 reaches an fp16 tensor peak of 330 TFLOP/s.",
    "| card | FP16 | FP32 |\n|---|---|---|\n| RTX 3090 | 35.6 TFLOPS | 35.6 TFLOPS |\n",
    # the dense and the sparse number side by side, or a footnote
    "| card | BF16 |\n|---|---|\n| A100 SXM | 312 TFLOPS/624 TFLOPS |\n",
    "| card | BF16 |\n|---|---|\n| A100 SXM | 624 TFLOPS† |\n",
    # a list of machines with a number each
    "The bf16 peaks of A100 and H100 are 312 TFLOP/s and 989 TFLOP/s.",
    "A100 和 H100 的 BF16 峰值为 312 TFLOP/s 和 989 TFLOP/s。",
    "H100 SXM 的 FP8 提供 1979 TFLOPS 的峰值，是其 BF16 单元（989 TFLOPS）的两倍。",
    "An H100 sends to its peers at 450 GB/s and receives at 450 GB/s.",
    "We sold the 4090s :)\n \n112 GB VRAM is not bad.",
    "One die of an MI250X has 1.6 TB/s of memory bandwidth.",
    # one of several, a factor, a machine further on
    "The eight H100 SXM read at 3.35 TB/s each, together at eight times as much.",
    "- NVLink 3 (A100): 12 links × 50 GB/s = 600 GB/s, both ways together.",
    "We compared an A100 SXM with an H100 SXM. The card has 312 TFLOP/s dense in BF16.",
    "- A100 SXM: 231 TFLOP/s BF16 in our runs.",
    # the format, the direction and the kind of card are those told beside the number
    "The H100 SXM does 1,979 TFLOPS dense in FP8 and\n989 dense BF16 TFLOPS.",
    "Our box holds H200 cards. NVLink moves 450 GB/s in each direction.",
    "Our box holds A100 SXM cards. NVLink moves 600 GB/s, both directions together.",
    "A PCIe 4.0 x16 slot carries 31.5 GB/s each way.",
    "PCIe 5.0 x16 moves 126 GB/s, both ways together.",
    "Ours are A100 SXM cards with 40 GB, whose memory has 1,555 GB/s.",
    "We filled the A100 SXM with 48 GB of weights and read 2,039 GB/s from its memory.",
    "The sweep ran on 16 TPU v5e chips, with 197 TFLOPS in bfloat16 each.",
    "We ran it on A100 SXM cards with 231 TFLOP/s in BF16.",
    # a box of them
    "Eight A100s behind an NVSwitch have a total aggregate NVLink bandwidth of 4.8 TB/s.",
)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_may_be_meant_is_left_alone(text: str) -> None:
    assert falses(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The A100 SXM has a dense bf16 peak of 624 TFLOP/s.", "624 TFLOP/s"),
        ("The RTX 4090 has a dense bf16 tensor peak of 330 TFLOP/s.", "330 TFLOP/s"),
        ("The H100 PCIe has a memory bandwidth of 3.35 TB/s.", "3.35 TB/s"),
        ("The H200 has 192 GB of HBM3e.", "192 GB"),
        ("NVLink gives an H100 900 GB/s per direction.", "900 GB/s per direction"),
        ("The H100 has a dense bf16 peak of 312 TFLOP/s.", "312 TFLOP/s"),
        ("The PCIe card of the H100 has 3.35 TB/s of memory bandwidth.", "3.35 TB/s"),
        ("Which V100 we assume matters little: each peaks at 250 TFLOP/s in fp16.", "250 TFLOP/s"),
        ("The PCIe card of the H100, with the same 80 GB, has 3.35 TB/s too.", "3.35 TB/s"),
        ("A TPU v5e chip, with its 394 TFLOP/s in BF16, would be fast enough.", "394 TFLOP/s"),
        ("A TPU v5e offers 393 TFLOP/s in bf16.", "393 TFLOP/s"),
        ("An H100 can send at 900 GB/s to its peers and receive as much.", "900 GB/s"),
        ("An A100 has 600 GB/s in each direction.", "600 GB/s"),
        ("PCIe 4.0 x16 gives 64 GB/s each way, of which we need 25.", "64 GB/s"),
        ("InfiniBand NDR carries 400 GB/s per direction on a port.", "400 GB/s per direction"),
        # the machine stands in the sentence before
        ("We rented an L4 for it. The card has 242 TFLOP/s dense in FP16.", "242 TFLOP/s"),
        ("An A100 SXM is cheap now. It does have 624 TFLOP/s in BF16.", "624 TFLOP/s"),
        ("We looked at the T4 GPU first. In FP16 it offers 130 TFLOP/s.", "130 TFLOP/s"),
        ("An H200 is the larger one. In FP8 you get 3,958 TFLOP/s of dense work from it.", "3,958 TFLOP/s"),
        ("Our V100 SXM2 is old. Nevertheless the chip peaks at 15.7 TFLOP/s in FP16.", "15.7 TFLOP/s"),
        # items that list what a machine has
        ("- A100 40 GB SXM: 312 TFLOP/s BF16, 2,039 GB/s.", "2,039 GB/s"),
        ("- H100 PCIe: 756 TFLOP/s BF16, 80 GB, 3,350 GB/s.", "3,350 GB/s"),
        ("- V100 SXM2: 152 TFLOP/s FP16, 900 GB/s.", "152 TFLOP/s"),
        ("- H200: 998 TFLOP/s BF16, 141 GB.", "998 TFLOP/s"),
        ("- L4: 211 TFLOP/s BF16, 24 GB.", "211 TFLOP/s"),
        ("- H200: 989 TFLOP/s BF16, 114 GB, 4.8 TB/s.", "114 GB"),
        # the link of the machine before, a slot, and cards told by their memory
        ("Our box holds H200 cards. NVLink moves 900 GB/s in each direction.", "900 GB/s"),
        ("We rent an A100 SXM. Over NVLink it sends 600 GB/s one way.", "600 GB/s"),
        ("Those are H100 SXM. Their NVLink has 900 GB/s per direction.", "900 GB/s per direction"),
        ("A PCIe 4.0 x16 slot carries 63 GB/s each way.", "63 GB/s"),
        ("The cards sit on PCIe 3.0 x16, rated 31.5 GB/s each way.", "31.5 GB/s"),
        ("PCIe 5.0 x16 moves 126 GB/s per direction.", "126 GB/s per direction"),
        ("Ours are A100 SXM cards with 40 GB, whose memory has 2,039 GB/s.", "2,039 GB/s"),
        ("We use GPUs: A100 SXM of 80 GB, with 1,555 GB/s of memory bandwidth.", "1,555 GB/s"),
        ("The GPUs are A100 SXM with only 40 GB, with HBM at 2,039 GB/s.", "2,039 GB/s"),
        # the peak in integers called one in floating point, though a run is told of
        ("The sweep ran on 16 TPU v5e chips, with 394 TFLOPS in bfloat16 each.", "394 TFLOPS"),
        ("We ran it on L4 cards with 242 TFLOP/s dense in BF16.", "242 TFLOP/s"),
        ("It was measured on A100 SXM cards, which have 624 TFLOP/s dense in BF16.", "624 TFLOP/s"),
        # so many of them together
        ("Four H200s together stream from HBM at 4.8 TB/s.", "4.8 TB/s"),
        ("The eight H100 SXM of a node have 80 GB in total.", "80 GB"),
        ("The node has 8 A100 SXM 80GB, and combined they read at 2,039 GB/s.", "2,039 GB/s"),
    ],
)
def test_slips_about_one_machine_are_found(text: str, wrong: str) -> None:
    assert falses(text) == [wrong]
