"""Links told in other sentences, of buses, of drives, of ports, and numbers that are told again in bytes."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_texts

OTHER, WAYS, BITS = "another machine", "both ways and each way", "bit and byte"
SXM = "Every server holds eight H100 SXM modules.\n\n"
BOTH = "We have H100 SXM servers today, and H200 servers are on order.\n\n"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # NVLink without a direction, of a name that means the module where nobody speaks of cards
        ("Small messages wait: the H100's NVLink has {} and hardly notices them.", "900 GB/s", "600 GB/s",
         "900 GB/s [both-ways]", OTHER),
        ("NVLink on the H100 carries {} per GPU.", "900 GB/s", "600 GB/s", "900 GB/s [both-ways]", OTHER),
        ("The A100's twelve NVLinks add up to {}.", "600 GB/s", "900 GB/s", "600 GB/s [both-ways]", OTHER),
        ("NVLink 5 brings 1.8 TB/s per GPU, so communication halves against an H100 with its {}.", "900 GB/s",
         "600 GB/s", "900 GB/s [both-ways]", OTHER),
        (f"{BOTH}Cards talk over NVLink at {{}} per GPU (both directions added).", "900 GB/s", "600 GB/s",
         "900 GB/s [both-ways]", OTHER),
        ("Partitions:\n\n* `a100`: 600 GB/s per GPU over NVLink.\n* `v100`: {} per GPU over six links.\n", "300 GB/s",
         "900 GB/s", "300 GB/s [both-ways]", OTHER),
        ("Each H100 SXM has {} NVLinks of 50 GB/s.", "18", "12", "18 links", OTHER),
        ("Each H100 comes with {} fourth-generation NVLinks.", "18", "12", "18 links", OTHER),
        # PCI Express
        ("NVMe drives hang on PCIe 4.0 x4 and read at most {}.", "7.9 GB/s", "15.8 GB/s", "8 GB/s [each-way]", WAYS),
        ("An M.2 SSD on PCIe 5.0 x4 moves up to {}.", "15.8 GB/s", "31.5 GB/s", "16 GB/s [each-way]", WAYS),
        ("The drive sits on PCIe 4.0. The GPU has an x16 slot of the same generation; it takes {} in each direction.",
         "32 GB/s", "64 GB/s", "32 GB/s [each-way]", WAYS),
        ("Everything runs over PCIe 5.0 x16 ({} per direction).", "64 GB/s", "32 GB/s", "64 GB/s [each-way]", OTHER),
        ("The bus, PCIe 4.0 x16, gives {} in each direction. It is not used by the adapters.", "32 GB/s", "64 GB/s",
         "32 GB/s [each-way]", WAYS),
        # a line rate in bits, told again in bytes
        ("A server has one 400 Gb/s NDR port for its files. That is {} per server.", "50 GB/s", "400 GB/s", "50 GB/s",
         BITS),
        ("Each GPU has a 200 Gb/s adapter, i.e. {} at best.", "25 GB/s", "200 GB/s", "25 GB/s", BITS),
        ("Storage hangs on a single 100 Gb/s line; that means {}.", "12.5 GB/s", "100 GB/s", "12.5 GB/s", BITS),
        ("A server has eight 400 Gb/s ports. That is {} per server.", "400 GB/s", "3,200 GB/s", "400 GB/s", BITS),
        ("A server has four 200 Gb/s NICs, together {}.", "100 GB/s", "800 GB/s", "100 GB/s", BITS),
        ("The fabric is 400 Gb/s InfiniBand; that is {} per port.", "50 GB/s", "400 GB/s", "50 GB/s", BITS),
        ("Eight HDR ports give a server {} in each direction.", "200 GB/s", "400 GB/s", "200 GB/s", WAYS),
        ("Its 4 NDR InfiniBand ports carry {}.", "200 GB/s", "1,600 GB/s", "200 GB/s", BITS),
    ],
)  # fmt: skip
def test_a_link(text: str, right: str, wrong: str, expected: str, cause: str) -> None:
    assert false_causes(text.format(right)) == []
    found = [(shown, name) for number, shown, name in false_causes(text.format(wrong)) if wrong in number]
    assert found == [(expected, cause)] or (cause == OTHER and found == [(expected, "another machine")])


@pytest.mark.parametrize(
    "text",
    [
        # cards with a bridge, several links, a box, a measurement
        "A pair of H100 cards shares an NVLink bridge. The H100's NVLink has 600 GB/s.",
        "We rent H100 PCIe cards. NVLink on the H100 carries 600 GB/s per GPU.",
        "The H100 NVL has an NVLink of 600 GB/s.",
        "The H800 computes like the H100, but its NVLink is cut down from 900 to 400 GB/s.",
        "On the H100 we measured 600 GB/s over NVLink.",
        f"{SXM}GPUs talk over NVLink at 600 GB/s per GPU in our benchmark.",
        "NVLink on our A100 servers and on the H100 ones: 600 GB/s per GPU on the former.",
        "We have H100 SXM and A100 SXM servers.\n\nCards talk over NVLink at 600 GB/s per GPU (both directions added).",
        "An H100 has 18 NVLink 4 links of 50 GB/s.",
        "Two H100 talk over 12 links of their NVLink bridges.",
        # both ways, several drives
        "PCIe 5.0 x16 carries 128 GB/s.",
        "PCIe 4.0 x4 carries 15.8 GB/s in both directions.",
        "Two NVMe drives on PCIe 4.0 x4 give 15.8 GB/s together.",
        "A RAID of NVMe drives on PCIe 4.0 x4 gives 15.8 GB/s.",
        "There are PCIe 4.0 and PCIe 5.0 servers. An x16 slot has 64 GB/s in each direction.",
        "The drive uses PCIe 5.0 x4. The adapter has an x16 slot; it carries 64 GB/s in each direction.",
        # of several ports, of a node, of something else
        "A server has eight 400 Gb/s ports. That is 400 GB/s per server.",
        "The servers have 400 Gb/s ports. That is 400 GB/s per server.",
        "There are 200 Gb/s per GPU. That is 200 GB/s per node.",
        "Each node has a 400 Gb/s port, and its memory has 400 GB/s.",
        "A port of 400 Gb/s is not 400 GB/s.",
        "A common slip: a 400 Gb/s network is taken for 400 GB/s.",
        "Slips:\n\n* 200 Gb/s network taken for 200 GB/s. It is 25 GB/s.",
        "Each GPU has a 400 Gb/s port, i.e. 50 GB/s.",
        "One 400 Gb/s port per GPU. That is 400 GB/s per node.",
        "Eight HDR ports give a server 400 GB/s in both directions.",
        "Eight HDR ports per leaf carry the traffic of 1,600 GB/s.",
    ],
)
def test_what_is_no_slip_of_a_link(text: str) -> None:
    assert false_texts(text) == []
