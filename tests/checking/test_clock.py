"""Times of day, dates and the lengths of days and years."""

from __future__ import annotations

import pytest

from derive.checking import check_text


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        # 04:12 to 07:05 is 2 h 53 min = 173 min
        ("The outage went from 04:12 to 07:05, {}.", "2 h 53 min", "3 h 53 min"),
        ("From 04:12 to 07:05 UTC it is {}.", "173 minutes", "137 minutes"),
        ("22:40 until 01:10 (about {}).", "2.5 hours", "3.5 hours"),
        # 5 June 23:30 to 8 June 11:00: 2 days 11.5 h = 59.5 h
        ("It ran from 06-05 23:30 to 06-08 11:00, that is {}.", "59.5 h", "95.5 h"),
        # over the end of a February with 29 days: 2 days
        ("It ran from 2024-02-28 10:00 to 2024-03-01 10:00, which is {}.", "48 hours", "84 hours"),
        ("A day has {}.", "86,400 s", "84,600 s"),
        ("A year has {}.", "8,760 hours", "8,670 hours"),
        ("A week is {}.", "168 hours", "186 hours"),
    ],
)
def test_how_long_it_takes(text: str, right: str, wrong: str) -> None:
    assert [claim.verdict for claim in check_text(text.format(right)).claims] == ["true"]
    assert [claim.verdict for claim in check_text(text.format(wrong)).claims] == ["false"]


@pytest.mark.parametrize(
    "text",
    [
        "We met from 9:00 to 10:30 for 3 reasons.",
        "The day has 24 working hours nowhere; a day has 8 hours of work.",
        "A year has 250 working days.",
        "Between 02:14 and 05:51 the rate was 12 GB/s.",
    ],
)
def test_what_tells_no_length_is_left_alone(text: str) -> None:
    assert check_text(text).claims == ()
