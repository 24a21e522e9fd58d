"""Bits a weight of block formats, with their share of the scale."""

from __future__ import annotations

import pytest

from derive.checking import check_text

TABLE = "| format | bits per weight |\n|---|--:|\n| MXFP4 | {} |\n| NVFP4 | 4.5 |\n"


def _verdicts(text: str) -> list[tuple[str, str, str]]:
    found = check_text(text).claims
    return [(one.text, one.verdict, one.expected) for one in found if one.rule == "number-format"]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("MXFP4 costs {} bits per weight.", "4.25", "4.5"),  # 4 + 8/32
        ("In NVFP4 a weight costs {} bits per weight.", "4.5", "4.25"),  # 4 + 8/16
        ("With its scale MXFP8 takes {} bits a value.", "8.25", "8.5"),  # 8 + 8/32
    ],
)
def test_bits_a_weight(text: str, right: str, wrong: str) -> None:
    assert _verdicts(text.format(right)) == [(right, "true", f"{right} bits")]
    assert _verdicts(text.format(wrong)) == [(wrong, "false", f"{right} bits")]


def test_bits_of_a_column() -> None:
    assert [one for one in _verdicts(TABLE.format("4.25")) if one[1] != "true"] == []
    assert [one for one in _verdicts(TABLE.format("4.5")) if one[1] == "false"] == [
        ("4.5", "false", "4.25 bits")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "MXFP4 has 4 bits per element before its scale.",
        "MXFP4 and NVFP4 differ: 4.25 and 4.5 bits per weight.",
        "Instead of MXFP4 we use groups of 128, rather than it 4.16 bits per weight.",
    ],
)
def test_other_bits_are_left_alone(text: str) -> None:
    assert _verdicts(text) == []
