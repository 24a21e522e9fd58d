"""Numbers that a document has otherwise: of a part and of the whole, in a summary, in a table, with one digit off."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_texts

PRESSES = """\
Each press draws 3.4 kW. A rack holds 4 presses, so a rack draws 13.6 kW.

Lower down we note that a rack draws {}.
"""
SERVERS = """\
Every server draws 6.2 kW. There are 5 servers per rack. In sum 31 kW go into it.

Cooling takes {} per rack out of the hall.
"""
DISK = """\
# Storage

The index takes 46.5 GB of disk space. With 46.5 GB of disk space for the index there is room.

# Summary

The index takes {} of disk space.
"""
COOLANT = """\
# Size

The tank of the cooling loop holds 3 × 15.5 = 46.5 litres. So 46.5 litres of coolant fill the loop.

# {heading}

- {words}: {number} litres
"""
PHASES = """\
| phase | sent | time |
|---|---:|---:|
| first | 12.25 GB | 24.5 ms |
| second | 3.15 GB | 63.0 ms |
| third | 7.35 GB | 14.7 ms |

Its 12.25 GB take {} on the line.
"""
OVENS = """\
| oven | burnt | cost |
|---|---:|---:|
| left | 41.6 kWh | $5.20 |
| middle | 36.4 kWh | $4.55 |
| right | 58.4 kWh | $7.30 |

The 36.4 kWh of the middle cost {}.
"""
LEDGER = """\
# Copy

The copy of the ledger takes 3 × 14.29 GB = 42.87 GB on the spare disk.

# Later

The copy of the ledger on the spare disk takes {}.
"""
KILN = """\
The kiln of the mill burns 4 × 18.36 kWh = 73.44 kWh in a shift.

A shift of the kiln of the mill burns {} of gas.
"""


def _coolant(number: str, heading: str = "Key numbers", words: str = "coolant in the loop") -> str:
    return COOLANT.format(heading=heading, words=words, number=number)


@pytest.mark.parametrize(
    ("right", "wrong", "claimed", "expected", "cause"),
    [
        pytest.param(PRESSES.format("13.6 kW"), PRESSES.format("3.4 kW"), "3.4 kW", "13.6 kW",
                     "the number of a part is told for a rack", id="presses"),  # 4 × 3.4
        pytest.param(SERVERS.format("31 kW"), SERVERS.format("6.2 kW"), "6.2 kW per rack", "31 kW/rack",
                     "the number of a part is told for a rack", id="servers"),  # 5 × 6.2
        pytest.param(DISK.format("46.5 GB"), DISK.format("41.5 GB"), "41.5 GB", "46.5 GB", "out of date", id="disk"),
        pytest.param(_coolant("46.5"), _coolant("48.5"), "48.5", "46.5", "out of date", id="coolant"),
        pytest.param(_coolant("46.5", "In a nutshell"), _coolant("46.9", "In a nutshell"), "46.9", "46.5",
                     "out of date", id="nutshell"),
        pytest.param(PHASES.format("24.5 ms"), PHASES.format("49.0 ms"), "49.0 ms", "24.5 ms",
                     "the table has 24.5 ms beside it", id="twice"),
        pytest.param(PHASES.format("24.5 ms"), PHASES.format("25.4 ms"), "25.4 ms", "24.5 ms",
                     "the table has 24.5 ms beside it", id="swapped"),
        pytest.param(OVENS.format("$4.55"), OVENS.format("$45.50"), "$45.50", "$4.55",
                     "the table has $4.55 beside it", id="ten times"),
        pytest.param(LEDGER.format("42.87 GB"), LEDGER.format("42.57 GB"), "42.57 GB", "42.87 GB",
                     "one digit is another", id="one digit"),
        pytest.param(KILN.format("73.44 kWh"), KILN.format("78.44 kWh"), "78.44 kWh", "73.44 kWh",
                     "one digit is another", id="one digit of a kiln"),
    ],
)  # fmt: skip
def test_a_number_that_the_document_has_otherwise(
    right: str, wrong: str, claimed: str, expected: str, cause: str
) -> None:
    assert false_texts(right) == []
    assert false_causes(wrong) == [(claimed, expected, cause)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PRESSES.format("3.4 kW") + "\nAt night, too, a rack draws 3.4 kW.\n", id="said again"),
        pytest.param(PRESSES.format("3.4 kW").replace("A rack holds 4 presses, so a rack draws", "The hall draws"),
                     id="nobody says how many"),
        pytest.param(PRESSES.replace("a rack draws {}", "one press draws {}").format("3.4 kW"), id="of the part"),
        pytest.param(_coolant("48.5", "Winter"), id="no summary"),
        pytest.param(_coolant("48.5", words="coolant in the next loop"), id="of another loop"),
        pytest.param(_coolant("31.5"), id="two digits differ"),
        pytest.param(PHASES.replace("3.15 GB", "12.25 GB").format("49.0 ms"), id="two rows have it"),
        pytest.param(PHASES.replace("63.0 ms", "49.0 ms").format("49.0 ms"), id="of another row"),
        pytest.param(KILN.replace("A shift of the kiln", "A shift of another kiln").format("78.44 kWh"), id="another"),
        pytest.param(LEDGER.replace("The copy of the ledger on", "The older copy of the ledger on").format("42.57 GB"),
                     id="older"),
    ],
)  # fmt: skip
def test_numbers_of_something_else_are_left_alone(text: str) -> None:
    assert false_texts(text) == []
