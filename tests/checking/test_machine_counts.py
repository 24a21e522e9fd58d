"""Power limits, multiprocessors, links and ports of machines, and the bits and ends of number formats beside others."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_texts


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        ("The H100 SXM has a TDP of {}.", "700 W", "1,000 W", "700 W"),
        ("An L4 is a card of 24 GB and a {} part.", "72 W", "150 W", "72 W"),
        ("For the power budget, note that an L4 is specified at {}.", "72 W", "150 W", "72 W"),
        ("The MI300X has a board power of {}.", "750 W", "500 W", "750 W"),
        ("The H100 SXM module is rated at up to {}, fans make up the rest.", "700 W", "350 W", "700 W"),
        ("Each H200 SXM is rated for up to {}.", "700 W", "600 W", "700 W"),
        ("The A100 SXM4-40GB is specified at {}.", "400 W", "250 W", "400 W"),
        ("The most power per GPU, TDP:\n\n- V100 SXM2: 300 W\n- A100 SXM, 80 GB: {}\n", "400 W", "300 W", "400 W"),
        ("Maximum power as published:\n\n* MI300X: 750 W\n* H100 SXM (80 GB): {}\n", "700 W", "350 W", "700 W"),
        ("Board power is as follows:\n\n1. MI325X: {}\n2. MI300X: 750 W\n", "1,000 W", "750 W", "1000 W"),
        ("Maximum power as published: V100 SXM2 300 W, A100 SXM {}, L4 GPU 72 W.", "400 W", "300 W", "400 W"),
        ("Cooling counts. The H100 SXM consumes {} at most.", "700 W", "350 W", "700 W"),
        ("With a TBP of {} the MI325X is easy to cool.", "1,000 W", "750 W", "1000 W"),
        ("The T4 consumes at most {} by its datasheet.", "70 W", "150 W", "70 W"),
        ("Each H200 SXM ({}) needs a cold plate.", "700 W", "1,000 W", "700 W"),
        ("The L40S is cheap. The card has a TGP of {}.", "350 W", "300 W", "350 W"),
        ("All runs are on one A100 SXM 80 GB.\n\nThe grid has 1024 blocks, on {}.", "108 SMs", "132 SMs", "108 SMs"),
        ("A V100 SXM2 has {}, each with eight tensor cores.", "80 SMs", "84 SMs", "80 SMs"),
        ("The A100 has {} of NVLink 3.", "12 links", "18 links", "12 links"),
        ("The nodes keep their ConnectX-6 adapters, which run at {}.", "200 Gb/s", "400 Gb/s", "200 Gb/s"),
        ("Site B has eight HDR ports per node at {} each.", "200 Gb/s", "400 Gb/s", "200 Gb/s"),
        ("We asked about the old HDR fabric; its 4x ports run at {}.", "200 Gb/s", "100 Gb/s", "200 Gb/s"),
        ("BF16 keeps the 8 exponent bits of FP32 and has {}.", "7 mantissa bits", "10 mantissa bits",
         "7 mantissa bits"),
        ("NVLink 4 gives {} in each direction.", "450 GB/s", "900 GB/s", "450 GB/s [each-way]"),
        ("An L40S has 864 GB/s and {}.", "48 GB", "24 GB", "48 GB [nominal]"),
        ("The L4 is a lovely card with 24 GB and about {}.", "300 GB/s", "600 GB/s", "300 GB/s"),
        ("The A40 has 48 GB at roughly {}.", "696 GB/s", "936 GB/s", "696 GB/s"),
        ("A v5e chip has 16 GB of HBM at {}.", "819 GB/s", "1,228 GB/s", "819 GB/s"),
        ("A v4 chip has 32 GB of HBM at {}.", "1,200 GB/s", "819 GB/s", "1200 GB/s"),
        ("We have 64 H100 SXM. Each card is rated at {}.", "700 W", "350 W", "700 W"),
        ("All nodes have H100 SXM cards.\n\nThe GPUs are rated at up to {} each.", "700 W", "350 W", "700 W"),
        ("We bought L40S cards.\n\nThe TDP of the card is {}, so eight fit a box.", "350 W", "300 W", "350 W"),
        ("The V100 SXM2 has a memory bandwidth of {}.", "900 GB/s", "732 GB/s", "900 GB/s"),
        ("The RTX 4090 has 24 GB and {} of memory bandwidth.", "1,008 GB/s", "936 GB/s", "1008 GB/s"),
        ("FP16, unlike BF16, has {}.", "5 exponent bits", "8 exponent bits", "5 exponent bits"),
        ("BF16 has the range of FP32; FP16 ends at {}.", "65,504", "65,536", "65504"),
        ("The vendor's sheet says {} of sequential reads for these drives of PCIe 4.0 x4.", "7.4 GB/s", "14 GB/s",
         "at most 8 GB/s"),
    ],
)  # fmt: skip
def test_what_a_machine_has_is_held_to_what_is_published(
    text: str, right: str, wrong: str, expected: str
) -> None:
    assert false_texts(text.format(right)) == []
    assert [(wrong in own, shown) for own, shown in false_texts(text.format(wrong))] == [(True, expected)]


TABLE = "| GPU | SMs | TDP W |\n|---|--:|--:|\n| A100 SXM | 108 | 400 |\n| H100 SXM | 132 | 700 |\n| {} |\n"


@pytest.mark.parametrize(
    ("right", "wrong", "false"),
    [
        ("V100 SXM2 | 80 | 300", "V100 SXM2 | 84 | 300", ("84", "80 SMs")),
        ("H100 PCIe | 114 | 350", "H100 PCIe | 114 | 700", ("700", "350 W")),
    ],
)
def test_cells_of_machines(right: str, wrong: str, false: tuple[str, str]) -> None:
    assert false_texts(TABLE.format(right)) == []
    assert false_texts(TABLE.format(wrong)) == [false]


POWER = "| Card | Max power (W) |\n|---|--:|\n| A100 SXM 80 GB | {} |\n| H100 PCIe | 350 |\n| A100 | 300 |\n"
TURNED = "| | A100 SXM 80 GB | A100 | L4 GPU |\n|---|--:|--:|--:|\n| {} | {} | 300 W | 72 W |\n"
LATEX = (
    "\\begin{{tabular}}{{lrr}}\n & A100 SXM & L40S \\\\ \\hline\nTDP & {} W & 350 W \\\\\n\\end{{tabular}}\n"
)


@pytest.mark.parametrize(
    ("table", "format", "right", "wrong", "false"),
    [
        (POWER, "markdown", ("400",), ("300",), ("300", "400 W")),
        (TURNED, "markdown", ("TDP", "400 W"), ("TDP", "300 W"), ("300 W", "400 W")),
        (TURNED, "markdown", ("Measured power", "300 W"), ("Max power (W)", "250"), ("250", "400 W")),
        (LATEX, "latex", ("400",), ("300",), ("300 W", "400 W")),
    ],
)
def test_cells_of_power_limits(
    table: str, format: str, right: tuple[str, ...], wrong: tuple[str, ...], false: tuple[str, str]
) -> None:
    def found(cells: tuple[str, ...]) -> list[tuple[str, str]]:
        claims = check_text(table.format(*cells), format).claims
        return [(one.text, one.expected) for one in claims if one.verdict == "false"]

    assert found(right) == []
    assert found(wrong) == [false]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("We cap the H100 SXM at 400 W, its TDP is more.", id="capped"),
        pytest.param("An A100 card has a TDP of 300 W.", id="some board"),
        pytest.param("Power drawn in our runs: V100 SXM2 250 W, A100 SXM 300 W.", id="a series of what was drawn"),
        pytest.param("We have 64 A100 80 GB. Each card is rated at 300 W.", id="in either form"),
        pytest.param("We have 64 H100 SXM.\n\nWe set the power limit of the GPUs to 350 W.", id="set"),
        pytest.param("We have H100 SXM cards.\n\nThe other card has a TDP of 350 W.", id="the other one"),
        pytest.param("We have H100 SXM.\n\nThe switches between the cards have a TDP of 300 W.", id="switches"),
        pytest.param("Measured power:\n\n- A100 SXM: 300 W\n- H100 SXM: 350 W\n", id="a list of what was drawn"),
        pytest.param("The TDP of an A100 80 GB is 300 W or 400 W, of which we use 300 W.", id="card or module"),
        pytest.param("The A100 SXM may draw up to 500 W: its TDP is rated at up to 500 W.", id="a custom module"),
        pytest.param("The A100 has a memory bandwidth of 1,935 GB/s, the TPU v4 1,228 GB/s.", id="another page"),
        pytest.param("A box of eight H100 SXM has a TDP of 10,200 W.", id="a box"),
        pytest.param("We limited the board power of the H100 SXM to 350 W.", id="limited"),
        pytest.param("The L4 replaces the 250 W card that we had.", id="replaced"),
        pytest.param("All runs are on one A100 SXM 80 GB.\n\nThe grid fills 80 SMs.", id="some of the only one's"),
        pytest.param("The kernel uses 96 SMs of the H100.", id="some of them"),
        pytest.param("Two bonded HDR ports run at 400 Gb/s together.", id="together"),
        pytest.param("An HDR100 port has 100 Gb/s, NDR200 has 200 Gb/s.", id="half ports"),
        pytest.param("HDR gives 200 Gb/s a port and its successor NDR 400 Gb/s.", id="next name"),
        pytest.param("FP16 and BF16 have 16 bits; both have a sign, 8 exponent bits or 5.", id="both"),
        pytest.param("E5M2 ends at 57,344 and E4M3 at 448; with infinities E4M3 would end at 240.", id="would"),
        pytest.param("For FP16 scale the loss so that no value ends at 70,000.", id="scaled"),
    ],
)  # fmt: skip
def test_other_numbers_are_left_alone(text: str) -> None:
    assert false_texts(text) == []


BITS = "| format | exponent | mantissa | total |\n|---|--:|--:|--:|\n| TF32 | 8 | 10 | {} |\n| BF16 | 8 | 7 | 16 |\n"


def test_the_bits_of_a_format_add_up() -> None:
    assert false_texts(BITS.format(19)) == []
    assert false_texts(BITS.format(32)) == [("32", "19 bits")]
    assert false_texts(BITS.format(32).replace("total", "bits in memory")) == []
