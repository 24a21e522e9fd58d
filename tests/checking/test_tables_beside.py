"""Tables that follow from other tables, from the numbers of machines, and from a constant that the text tells."""

from __future__ import annotations

import pytest

from derive.checking import check_text

MACHINES = """# A

| | H100 SXM | H200 SXM | MI300X | MI250X | A100 80 GB SXM |
|---|---:|---:|---:|---:|---:|
| Memory (GB) | 80 | 141 | 192 | 128 | 80 |
| Bandwidth (TB/s) | 3.35 | 4.8 | 5.3 | 3.28 | 2.04 |

# B

Eight accelerators each.

| 8× | H100 | H200 | MI300X | MI250X | A100 |
|---|---:|---:|---:|---:|---:|
| Memory (GB) | 640 | 1,128 | 1,536 | 1,024 | 640 |
| Bandwidth (TB/s) | 26.8 | {} | 42.4 | 26.2 | 16.3 |
"""
PRICES = """On demand, an hour.

| | H100 | H200 | MI300X | MI250X | A100 |
|---|---:|---:|---:|---:|---:|
| $ per hour | 2.40 | 3.10 | 2.20 | 1.10 | 1.30 |
| $ per dense PFLOP/s and hour | 2.43 | 3.13 | 1.68 | 2.87 | {} |
"""
RIDGES = """| Device | P [TFLOP/s] | B [TB/s] | I [FLOP/byte] |
|---|---|---|---|
| A100 80 GB | 312 | 2.039 | 153 |
| H100 SXM | 989 | 3.35 | 295 |
| H200 | 989 | 4.8 | {} |
| MI300X | 1307 | 5.3 | 247 |
| TPU v5e | 197 | 0.819 | 241 |
"""
SIZES = """The embeddings take 655 MB.

| b | linear layers (GB) | total (GB) |
|---:|---:|---:|
| 16 | 25.38 | 26.03 |
| 8 | 12.89 | 13.54 |
| 4 | 6.54 | 7.20 |
| 3 | 4.96 | {} |
| 2 | 3.37 | 4.03 |
"""
SPENT = """| Quarter | Spend |
|---|---|
| Q1 | 398,200 |
| Q2 | 421,350 |
| Q3 | 446,900 |
| Q4 (forecast) | 468,050 |
| Year | {} |
"""


@pytest.mark.parametrize(
    ("table", "right", "wrong", "expected"),
    [
        (MACHINES, "38.4", "34.8", "38.4 TB/s"),  # 8 × 4.8
        (PRICES, "4.17", "0.42", "4.17"),  # 1.30 / 0.312
        (RIDGES, "206", "260", "206 FLOP/byte"),  # 989 / 4.8
        (SIZES, "5.61", "6.51", "5.615 GB"),  # 4.96 + 0.655
        (SPENT, "1,734,500", "1,743,500", "1734500"),
    ],
)
def test_a_row_that_does_not_follow(table: str, right: str, wrong: str, expected: str) -> None:
    def falses(value: str) -> list[str]:
        return [
            claim.expected for claim in check_text(table.format(value)).claims if claim.verdict == "false"
        ]

    assert falses(right) == []
    assert falses(wrong) == [expected]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # a letter of another section: 16 × 8 × 50 GB/s = 6.4 TB/s
        ("# A\n\nG = 8\n\nb = 50 GB/s\n\n# B\n\nA half sends 16·G·b = 6.4 TB/s out.", []),
        ("# A\n\nG = 8\n\nb = 50 GB/s\n\n# B\n\nA half sends 16·G·b = 3.2 TB/s out.", ["3.2 TB/s"]),
        ("# A\n\nd = 4096\n\n# B\n\nIt is d / 2 = 64 here.", []),  # another d
        (
            "# A\n\nWith n = 4096 it is 6 n = 6 × 4096 = 24,576. Someone asked far behind in the room "
            "about n = 8192.",
            [],
        ),
        ("With U = 0.75 one GPU works 8,760 h × U = 6,570 hours a year.", []),
        ("With U = 0.75 one GPU works 8,760 h × U = 6,132 hours a year.", ["6,132 hours"]),
    ],
)
def test_letters_of_other_places(text: str, found: list[str]) -> None:
    assert [claim.claimed for claim in check_text(text).claims if claim.verdict == "false"] == found
