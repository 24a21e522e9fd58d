"""Conversions whose factor is written out, and products that only look like one."""

from __future__ import annotations

import pytest

from derive.checking import check_text


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("400 Gb/s / 8 = 50 GB/s", "true"),
        ("400 Gb/s / 8 = 40 GB/s", "false"),
        ("50 GB/s × 8 = 400 Gb/s", "true"),
        ("50 GB/s = 400 Gb/s / 8", "true"),
        ("8 × 50 GB/s = 400 Gb/s", "true"),
        ("8 × 400 Gb/s = 3.2 TB/s", "false"),  # eight ports, in bits
        ("16 days × 24 × 256 = 98,304 chip-hours", "true"),
        ("16 days × 24 × 256 = 98,034 chip-hours", "false"),
        ("16 days × 256 = 98,304 chip-hours", "true"),
        ("3 days × 24 = 72 hours", "true"),
        ("3 days × 24 = 27 hours", "false"),
        ("72 hours / 24 = 3 days", "true"),
        ("2 years × 365 = 730 days", "true"),
        ("0.25 s × 1000 = 250 ms", "true"),
        ("7,200 s / 3600 = 2 h", "true"),
        ("7,200 s / 60 = 2 h", "false"),
        ("131,072 bytes / 1024 = 128 KiB", "true"),
        ("4 × 2^30 bytes / 2^30 = 4 GiB", "true"),
        ("16.06 GB / 1.0737 = 14.96 GiB", "true"),
        ("16.06 GB × 1.0737 = 17.24 GiB", "false"),  # the wrong way round
        ("8.03e9 × 4.25 bits / 8 = 4.27 GB", "true"),
        ("8.03e9 × 4.25 bits / 8 = 34.1 GB", "false"),
        ("14 billion × 2 bytes / 1e9 = 28 GB", "true"),
        ("0.131 × 100 = 13.1 %", "true"),
        ("2 TB × 1024 = 2048 GB", "unsure"),  # only where a TB is 1024 GB
        ("7.24 B * 2 = 14.5 GB", "true"),
        ("16 B × 1024 = 16 KiB", "true"),
    ],
)
def test_a_factor_between_two_units_may_stand_there(text: str, verdict: str) -> None:
    assert [claim.verdict for claim in check_text(f"So {text}.").claims] == [verdict]


@pytest.mark.parametrize(
    ("text", "verdict", "cause"),
    [
        ("The rate fell by (136 - 99) / 136 = 27 % at full load.", "true", ""),
        ("The rate fell by (136 - 99) / 136 = 37 % at full load.", "false", "one number for another"),
        ("Multiply by (136 - 99) / 136 = 37 % then.", "unsure", "the left side may begin earlier"),
        ("It gains 4.8/3.35 = 1.43x in bandwidth.", "true", ""),
        ("It gains 4.8/3.35 = 1.34x in bandwidth.", "false", "digits swapped"),
        ("It takes 4.8/3.35 = 1.43 x 5 blocks.", "unsure", "a running calculation"),
        ("The racks have 25 GbE (25 Gb/s, 3.125 GB/s) only.", "true", ""),
        ("The racks have 25 GbE (25 Gb/s, 31.25 GB/s) only.", "false", "power of ten"),
    ],
)
def test_where_a_side_begins_and_ends(text: str, verdict: str, cause: str) -> None:
    found = check_text(text).claims
    assert [claim.verdict for claim in found] == [verdict]
    assert found[0].cause.startswith(cause)


def test_what_a_changelog_corrects_is_not_false() -> None:
    told = "the link of the H100 SXM: NVLink has 900 GB/s each way."
    assert [claim.verdict for claim in check_text(f"On {told}").claims] == ["false"]
    assert [claim.verdict for claim in check_text(f"20 Nov: fixed the part that said of {told}").claims] == [
        "unsure"
    ]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("1e6 / 18.7 / 3600 * 0.50 = 7.43", "true"),
        ("1e6 / 18.7 / 3600 * 0.50 = 9.43", "false"),  # 1e6 and 3600 are no rounded numbers
        ("1000 / 18.7 = 53.5", "true"),
        ("1000 / 18.7 = 55.4", "false"),
        ("2000 / 18.7 = 109", "true"),  # 2000 may stand for 2040
    ],
)
def test_what_converts_is_exact(text: str, verdict: str) -> None:
    assert [claim.verdict for claim in check_text(f"So {text}.").claims] == [verdict]


def test_units_of_siunitx_are_read() -> None:
    text = (
        r"The ridge is $989/3.35 = \SI{295}{\flop\per\byte}$, the cache has \SI{50}{\mega\byte}, i.e. "
        r"\SI{47.7}{\mebi\byte}, and "
        r"$\SI{126.88}{\mega\byte}/\SI{3.35}{\tera\byte\per\second} = \SI{37.9}{\micro\second}$."
    )
    found = check_text(text, "latex").claims
    assert [claim.verdict for claim in found] == ["true"] * 3
    wrong = check_text(text.replace("37.9", "3.79"), "latex").claims
    assert [claim.claimed for claim in wrong if claim.verdict == "false"] == ["3.79 µs"]
