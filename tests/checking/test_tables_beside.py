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
RENTS = """| Instance | GPUs | $/h (instance) | $/GPU-h |
|---|---:|---:|---:|
| H100 SXM | 8 | 23.60 | 2.95 |
| H100 NVL | 8 | 17.52 | 2.19 |
| H200 | 8 | 27.92 | 3.49 |
| L4 | 4 | 2.84 | 0.71 |
| MI300X | 8 | 19.92 | {} |
| T4 | 1 | 0.35 | 0.35 |
"""
CODES = """The flat index takes 200 million × 4,096 bytes.

| Format | Bytes/vector | Index (GB) |
|---|---:|---:|
| FP32 | 4,096 | 819.2 |
| FP16 | 2,048 | 409.6 |
| INT8 | 1,024 | 204.8 |
| PQ, 128 | 128 | 25.6 |
| PQ, 64 | 64 | {} |
"""
CONTEXTS = """| model | per token | at 4,096 tokens |
|---|---|---|
| a | 512 KiB | 2 GiB |
| b | 800 KiB | {} |
| c | 128 KiB | 0.5 GiB |
| d | 320 KiB | 1.25 GiB |
"""
COSTS = """| Item | Quantity | Unit price | Cost |
|---|---|---|---|
| Electricity | 451,215 kWh | $0.09 | $40,609 |
| Rental | 368,640 GPU-h | $2.20 | $811,008 |
| Storage | 300 TB-month | $20 | {} |
"""
BILLS = """At 8.5 cents, $0.085 per kWh:

| PUE | Energy, MWh/a | Cost, k$/a |
|---|---|---|
| 1.10 | 5,635 | 479 |
| 1.25 | 6,404 | 544 |
| 1.40 | 7,172 | {} |
| 1.60 | 8,197 | 697 |
"""
TOKENS = """Both cards cost $5.00 an hour.

| Batch | tok/s per user | tok/s total | $ per M output tokens |
|------:|---------------:|------------:|----------------------:|
| 1 | 142 | 142 | 9.78 |
| 8 | 96 | 768 | 1.81 |
| 32 | 61 | 1,952 | 0.71 |
| 64 | 44 | 2,816 | {} |
"""


@pytest.mark.parametrize(
    ("table", "right", "wrong", "expected"),
    [
        (RENTS, "2.49", "2.59", "$2.49/hour"),  # 19.92 / 8, and eight cards are not 7.7 rounded
        (CODES, "12.8", "19.2", "12.8 GB"),  # 200e6 × 64
        (CONTEXTS, "3.125 GiB", "6.25 GiB", "3.125 GiB"),  # 800 KiB × 4,096
        (COSTS, "$6,000", "$60,000", "$6000"),  # 300 × 20
        (BILLS, "610", "710", "609.6"),  # 7,172 × 85
        (TOKENS, "0.49", "0.94", "0.494"),  # 5.00 / (2,816 × 3600) × 1e6
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
