"""Links, ports and numbers without a unit in tables of machines; the extents of one model, a row for each."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_texts

CLUSTERS = (
    "| | perch | trout |\n|---|---|---|\n| GPUs | 8 x A100 SXM 80GB | 8 x H100 SXM |\n"
    "| NVLink per GPU, one direction (GB/s) | 300 | {} |\n| Ports per server | 8 x HDR | 8 x NDR |\n"
    "| Rate of a port (Gb/s) | 200 | {} |\n"
)
_HEADING = "| GPU | NVLink (GB/s, both directions) |\n|---|---|\n"
WAYS = f"{_HEADING}| V100 SXM2 | 300 |\n| A100 SXM | {{}} |\n| H100 SXM | 900 |\n"
NAMED = "| Network | Port (Gb/s) |\n|---|---|\n| EDR | 100 |\n| HDR | {} |\n| NDR | 400 |\n"
KEYS = (
    "| Key | Device | Peak | Memory | Bandwidth |\n|---|---|---|---|---|\n| `a` | V100 SXM2 32GB | 125 | 32 | 900 |\n"
    "| `b` | T4 | 65 | 16 | 320 |\n| `c` | A100 SXM 80GB | 312 | 80 | 2039 |\n| `d` | L4 | {} | {} | {} |\n"
    "| `e` | H100 SXM | 989 | 80 | 3350 |\n| `f` | H200 SXM | 989 | 141 | 4800 |\n"
)
SMALL = (
    "# A walk through GPT-2 small\n\nWe load GPT-2 small.\n\n"
    "| Item | Symbol | Value |\n|---|---|---|\n| layers | L | {} |\n"
    "| width | d | 768 |\n| heads | h | 12 |\n| vocabulary | V | 50,257 |\n| context | T | {} |\n"
)


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        (CLUSTERS, ("450", "400"), ("900", "400"), "450 GB/s"),
        (CLUSTERS, ("450", "400"), ("450", "200"), "400 Gb/s"),
        (WAYS, ("600",), ("300",), "600"),
        (WAYS, ("600",), ("1800",), "600"),
        (WAYS.replace(", both directions", ""), ("600",), ("1800",), "600 GB/s"),
        (NAMED, ("200",), ("400",), "200 Gb/s"),
        (NAMED, ("200",), ("100",), "200 Gb/s"),
        (KEYS, ("121", "24", "300"), ("242", "24", "300"), "121"),
        (KEYS, ("121", "24", "300"), ("121", "48", "300"), "24"),
        (KEYS, ("121", "24", "300"), ("121", "24", "864"), "300"),
        (SMALL, ("12", "1,024"), ("12", "2,048"), "1024"),
        (SMALL, ("12", "1,024"), ("24", "1,024"), "12"),
    ],
)
def test_a_table(text: str, right: tuple[str, ...], wrong: tuple[str, ...], expected: str) -> None:
    assert false_texts(text.format(*right)) == []
    assert expected in [shown.partition(" [")[0] for _, shown in false_texts(text.format(*wrong))]


@pytest.mark.parametrize(
    "text",
    [
        CLUSTERS.replace("one direction", "measured, one direction").format("900", "400"),
        CLUSTERS.replace("NVLink per GPU", "NVLink per node").format("900", "400"),
        NAMED.replace("Port (Gb/s)", "Total (Gb/s)").format("400"),
        KEYS.replace("T4 |", "T4 FP8 |").replace("L4 |", "L4 FP8 |").format("242", "24", "300"),
        KEYS.replace("L4 |", "L4 with sparsity |").format("242", "24", "300"),
        KEYS.format("200", "24", "300"),
        f"The peaks are those of the best format, FP8 where there is one.\n\n{KEYS}".format(
            "242", "24", "300"
        ),
        f"Peaks with sparsity.\n\n{KEYS}".format("242", "24", "300"),
        # a model of one's own, a padded vocabulary, a document that does not name it
        SMALL.replace("# A walk through GPT-2 small", "# Our own variant of GPT-2 small").format(
            "12", "2,048"
        ),
        SMALL.replace("50,257", "50,304").format("12", "1,024"),
        SMALL.replace("GPT-2 small", "it").format("12", "2,048"),
        SMALL.replace("768", "1,024").format("12", "2,048"),
    ],
)
def test_what_a_table_leaves_open(text: str) -> None:
    assert false_texts(text) == []
