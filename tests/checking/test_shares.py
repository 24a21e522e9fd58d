"""Shares of a table's total told in the text, and bytes told again for another number format."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers

LOAD = """# Load

| service | requests |
|---|---:|
| Web app | 1,170,000 |
| Mobile | 780,000 |
| Batch jobs | 400,000 |
| Internal agents | 250,000 |
| **All** | **2,600,000** |

{}
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 1,170 / 2,600 = 45 %, 250 / 2,600 = 9.6 %, 400 / 2,600 = 15.4 %
        ("The web app makes 45 % of all requests; the internal agents make 9.6 % of them.", []),
        (
            "The web app makes 45 % of all requests; the internal agents make 19 % of them.",
            [("19 %", "9.62%")],
        ),
        (
            "The web app asks for 45 %, batch jobs for 15.4 %, and the agents for 15.4 % as well.",
            [("15.4 %", "9.615%")],
        ),
        ("The internal agents make 19 % of them.", []),  # nothing says of what
        ("The web app makes 45 % of all requests; the internal agents grew by 19 %.", []),
        ("The web app makes 45 % of all requests, and mobile traffic is 19 % cheaper.", []),
    ],
)
def test_the_share_of_a_row(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(LOAD.format(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cache in BF16 is 320 KiB. Storing it in FP8 instead would bring this down to 160 KiB.", []),
        (
            "The cache in BF16 is 320 KiB. Storing it in FP8 instead would bring this down to 80 KiB.",
            [("80 KiB", "160 KiB")],
        ),
        ("The message is 14 GB in BF16. If it were kept in FP32, it would be 56 GB.", [("56 GB", "28 GB")]),
        (
            "The message is 14 GB in BF16. If it were kept in FP32, it would be 30 GB.",
            [],
        ),  # other bytes with it
        ("The message is 14 GB in BF16. The optimizer holds 56 GB in FP32.", []),
        ("The card holds 14 GB in BF16. In FP8 there would be 14 GB left.", []),
    ],
)
def test_bytes_in_another_format(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found
