"""Cells that a sentence tells by the count in their row."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers

OVENS = (
    "| Batch | Bake time (ms) | Room (GB) | Loaves/s |\n|---:|---:|---:|---:|\n| 16 | 24.1 | 3.18 | 664 |\n"
    "| 32 | 27.8 | 5.92 | 1,151 |\n| 64 | 34.6 | 12.47 | 1,850 |\n\n## Talk\n\n"
)
SHELVES = (
    "| racks | fill time | draw, kW |\n|---|---|---|\n| 1,024 | 412 s | 18.3 |\n| 2,048 | 797 s | 36.9 |\n"
    "| 4,096 | 1,583 s | 74.2 |\n\n"
)


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (OVENS + "At batch 64 the bake takes {} on our oven.", "36.4 ms", "34.6 ms"),
        (OVENS + "With a batch of 32 the time is {} as the table shows.", "28.7 ms", "27.8 ms"),
        (OVENS + "For batch size 64 the room grows to {}, which is fine.", "12.74 GB", "12.47 GB"),
        (OVENS + "At batch = 16 the room is {} in the oven.", "3.81 GB", "3.18 GB"),
        (SHELVES + "The fill time with 2,048 racks is {} on a good day.", "779 s", "797 s"),
        (SHELVES + "The draw of the 4,096-rack hall is {} with all lamps lit.", "72.4 kW", "74.2 kW"),
        (SHELVES + "The draw of the 4,096-rack hall is {} with all lamps lit.", "84.2 kW", "74.2 kW"),
    ],
)
def test_a_cell_by_the_count_of_its_row(text: str, wrong: str, right: str) -> None:
    assert false_numbers(text.format(wrong)) == [(wrong, right)]
    assert false_numbers(text.format(right)) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(OVENS + "At batch 128 the bake takes 36.4 ms on our oven.", id="no such row"),
        pytest.param(OVENS + "At batch 64 the fan spins down for 36.4 ms.", id="no such column"),
        pytest.param(OVENS + "From batch 32 to batch 64 the bake goes to 36.4 ms.", id="two rows"),
        pytest.param(OVENS + "At batch 64 the bake would take 36.4 ms on the old oven.", id="supposed"),
        pytest.param(OVENS + "At batch 64 the bake takes 27.8 ms.", id="a cell of another row"),
        pytest.param(OVENS + "At batch 64 the bake takes about 36.4 ms.", id="about"),
        pytest.param(OVENS + "At batch 64 the bake takes 41.9 ms in the afternoon.", id="no slip"),
        pytest.param(OVENS + "At batch 64 the bake takes 36.4 GB of room.", id="another kind"),
        pytest.param(SHELVES + "With 2,048 boxes the fill time is 779 s.", id="another thing"),
    ],
)
def test_other_numbers_of_such_rows(text: str) -> None:
    assert false_numbers(text) == []
