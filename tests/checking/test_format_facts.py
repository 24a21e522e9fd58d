"""What sentences say of number formats: ends, integers, exponents and their bias, the blocks that share a scale."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _found(text: str, verdict: str) -> list[tuple[str, str]]:
    found = check_text(text).claims
    return [
        (one.text, one.expected) for one in found if one.rule == "number-format" and one.verdict == verdict
    ]


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        ("FP8 E4M3 can represent values up to {}.", "448", "240", "448"),
        ("With E4M3 anything beyond {} saturates.", "448", "480", "448"),
        ("The largest FP4 (E2M1) value is {}.", "6", "7.5", "6"),
        ("The smallest subnormal of FP16 is {}.", "5.96e-8", "6.1e-5", "5.96046e-08"),
        ("FP16 spends {} bits on the exponent.", "5", "8", "5 exponent bits"),
        ("FP16 has an exponent bias of {}.", "15", "127", "bias 15"),
        # one more bit than are stored: 2^(10 + 1), 2^(7 + 1)
        ("FP16 represents all integers up to {} exactly.", "2048", "256", "2048"),
        ("BF16 represents integers exactly up to {}.", "256", "2048", "256"),
        ("NVFP4 shares one scale among {} elements.", "16", "32", "16"),
        ("In MXFP4 a scale for every {} values is stored.", "32", "16", "32"),
    ],
)
def test_a_limit_is_that_of_the_format(text: str, right: str, wrong: str, expected: str) -> None:
    assert _found(text.format(right), "false") == []
    assert [shown for own, shown in _found(text.format(right), "true") if right in own] == [expected]
    assert [(wrong in own, shown) for own, shown in _found(text.format(wrong), "false")] == [(True, expected)]


@pytest.mark.parametrize(
    "text",
    [
        "Our FP16 tensor holds values up to 1,000.",
        "FP16 holds up to 4 numbers in a 64-bit register.",
        "The buffer in FP32 stores up to 128 values.",
        "In FP16 anything above 1e4 is clipped by us.",
        "The bias of 127 neurons is kept in FP16.",
        "MXFP4 has 32 elements per block, while NVFP4 has blocks of 16.",
        "Unlike MXFP4, NVFP4 uses a scale per 16 elements.",
        "With MXFP4 we take blocks of 128 for the matrix product.",
        "FP8 E4M3 in the OCP form reaches 448, the FNUZ form up to 240.",
    ],
)
def test_limits_of_something_else_are_left_alone(text: str) -> None:
    assert _found(text, "false") == []
