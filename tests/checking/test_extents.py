"""Bytes of the cache for a token, from the extents that the paragraph tells."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _claims(text: str) -> list[tuple[str, str, str]]:
    return [
        (one.verdict, one.claimed, one.expected) for one in check_text(text).claims if one.rule == "kv-cache"
    ]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("In BF16 the net with 40 layers and 8 KV heads of 128 needs {} per token.", "160 KiB", "80 KiB"),
        (
            "With 48 layers, 4 key/value heads and head dimension 64 the FP8 cache takes {} per token.",
            "24 KiB",
            "48 KiB",
        ),
        (
            "It has 28 layers and 4 KV heads of 128. In FP16 that makes {} of cache per token.",
            "56 KiB",
            "28 KiB",
        ),
        ("36 layers with 2 KV heads of 256: in bf16 we get {}/token.", "73,728 bytes", "2,048 bytes"),
    ],
)
def test_the_extents_decide(text: str, right: str, wrong: str) -> None:
    assert [verdict for verdict, _, _ in _claims(text.format(right))] == ["true"]
    assert [verdict for verdict, _, _ in _claims(text.format(wrong))] == ["false"]


def test_the_formula_of_the_section_tells_the_width() -> None:
    text = (
        "## Cache\n\nThe small one has 2 × 24 × 8 × 64 × 2 = 49,152 bytes.\n\n"
        "The large one (60 layers, 8 KV heads of 128) has {} per token.\n"
    )
    assert [one[0] for one in _claims(text.format("240 KiB"))] == ["true"]
    assert [one[2] for one in _claims(text.format("120 KiB")) if one[0] == "false"] == ["240 KiB/token"]


@pytest.mark.parametrize(
    "text",
    [
        "The net with 40 layers and 8 KV heads of 128 needs 80 KiB per token.",  # in a format that nobody names
        "In BF16 the net with 40 layers and 8 KV heads of 128 needs 40 KiB per token on each GPU.",
        "In BF16 a net with 40 layers, or 80 layers, and 8 KV heads of 128 needs 80 KiB per token.",
    ],
)
def test_what_the_extents_leave_open_is_left_alone(text: str) -> None:
    assert [one for one in _claims(text) if one[0] == "false"] == []
