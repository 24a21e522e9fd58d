"""Numbers of a table's row told in the text: alone, times a count, or as a multiple of another row."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers

RACKS = """| Rack type | Racks | kW per rack |
|---|---|---|
| GPU | 16 | 40.8 |
| Storage | 2 | 19.0 |
| Network | 3 | 13.4 |

{}
"""
PRICES = """| Device | $/h | $ per dense PFLOP/s and hour | $ per TB/s and hour |
|---|---:|---:|---:|
| H100 SXM | 2.50 | 2.53 | 0.75 |
| H200 SXM | 3.20 | 3.24 | 0.67 |
| MI300X | 2.10 | 1.61 | 0.40 |
| A100 80G | 1.40 | 4.49 | 0.69 |

{}
"""


@pytest.mark.parametrize(
    ("table", "text", "found"),
    [
        # 8 × 40.8 = 326.4
        (RACKS, "A row of eight GPU racks draws 326.4 kW.", []),
        (RACKS, "A row of eight GPU racks draws 362.4 kW.", [("362.4 kW", "326.4 kW")]),
        (RACKS, "A row of eight GPU racks draws 350.0 kW.", []),  # no slip of the digits
        (RACKS, "A row of eight GPU racks has 362.4 kW to spare, 362.4 kW left of the feed.", []),
        (RACKS, "A row of eight GPU and storage racks draws 362.4 kW.", []),  # two rows
        # 4.49 / 2.53 = 1.77, 4.49 / 1.61 = 2.79
        (PRICES, "Per dense PFLOP/s the A100 costs 1.8 times as much as the H100.", []),
        (
            PRICES,
            "Per dense PFLOP/s the A100 costs 2.8 times as much as the H100.",
            [("2.8 times", "1.77 times")],
        ),
        (PRICES, "Per dense PFLOP/s the A100 costs 2.8 times as much as the MI300X.", []),
        (PRICES, "The A100 is 2.8 times as much trouble as the H100.", []),  # no column is named
        (PRICES, "Per dense PFLOP/s the A100 costs 2.2 times as much as the H100.", []),  # of no third row
    ],
)
def test_what_the_text_tells_of_rows(table: str, text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(table.format(text)) == found


@pytest.mark.parametrize("where", ["of another group", "that we had before"])
def test_a_number_of_another_thing_with_the_label_of_a_row(where: str) -> None:
    text = "| oven | bake (ms) |\n|---|--:|\n| Falcon | 41.2 |\n| Osprey | 24.6 |\n| Kite | 19.8 |\n\n"
    assert false_numbers(f"{text}The Falcon {where} bakes in 42.1 ms.") == []
    assert false_numbers(f"{text}The Falcon of this hall bakes in 42.1 ms.") == [("42.1 ms", "41.2 ms")]
