"""Counts of the options of a table that the text tells again."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers, is_true

COUNTS = "| Racks | 24 | 18 | 12 |\n| Pumps | 6 | 5 | 4 |\n\n"
OVER = "| | A: two halls | B: one hall | C: rented |\n|---|--:|--:|--:|\n" + COUNTS
NAMED = "| | Option A | Option B | Option C |\n|---|--:|--:|--:|\n" + COUNTS
BEFORE = (
    "| Option | Racks | Pumps |\n|---|--:|--:|\n| A: two halls | 24 | 6 |\n| B: one hall | 18 | 5 |\n"
    "| C | 12 | 4 |\n\n"
)


@pytest.mark.parametrize("table", [OVER, BEFORE, NAMED], ids=["columns", "rows", "named"])
@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("With the {} of option B at full load the feed needs a second fuse.", "28 racks", "18 racks"),
        ("Option C has {} and nobody to look after them.", "5 pumps", "4 pumps"),
        ("The bill for option A’s {} comes every month.", "42 racks", "24 racks"),
    ],
)
def test_a_count_of_an_option(table: str, text: str, wrong: str, right: str) -> None:
    assert [one[:2] for one in false_causes(table + text.format(wrong))] == [(wrong, right)]
    assert false_numbers(table + text.format(right)) == []
    assert is_true(table + text.format(right), right)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("If the 28 racks of option B were full, the feed would be too small.", id="if"),
        pytest.param("The other 28 racks of option B stay in the store.", id="other"),
        pytest.param("The first 12 racks of option B arrive in May.", id="the first of them"),
        pytest.param("Option B needs 4 more racks than option C.", id="more"),
        pytest.param("The 28 lamps of option B are new to us.", id="another thing"),
        pytest.param("The 28 racks of option D are out of the question.", id="no such option"),
        pytest.param("The 28 racks of the north hall stay where they are.", id="no option"),
        pytest.param("The 14 of the racks of option B are for storage.", id="some of them"),
    ],
)
def test_other_counts(text: str) -> None:
    assert false_numbers(OVER + text) == []


def test_two_tables_that_differ_leave_it_open() -> None:
    later = OVER.replace("18", "20")
    assert false_numbers(f"{OVER}## Later\n\n{later}The 28 racks of option B are many.") == []
