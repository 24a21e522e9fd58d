"""Columns that follow from others: what counts as evidence, and what a measured table may do."""

from __future__ import annotations

import pytest

from derive.checking import check_text

SERVED = """\
| clients | throughput (req/s) | mean latency (s) |
|---|---|---|
| 1 | 4.55 | 0.220 |
| 2 | 8.40 | 0.238 |
| 4 | 14.96 | 0.267 |
| 8 | 24.90 | 0.321 |
| 16 | {last} | 0.422 |
"""
TILES = """\
All shapes in total:

| M | N | K | cycles |
|---|---|---|---|
| 32 | 32 | 8 | 64 |
| 16 | 16 | 4 | 32 |
| 32 | 32 | 4 | 64 |
| 16 | 16 | 8 | 32 |
| 4 | 4 | 4 | 16 |
"""
PARTS = """\
| layer | weights | states | total |
|---|---|---|---|
| a | 113 | 226 | 339 |
| b | 207 | 415 | 622 |
| c | 371 | 741 | {third} |
| d | 512 | 1023 | 1535 |
| e | 625 | 1251 | 1876 |
"""

LATENCIES = """\
| batch | eager (ms) | fused (ms) | speedup | tuned (ms) | speedup |
|---|---|---|---|---|---|
| 1 | 4.97 | 1.69 | 2.94 | 1.76 | 2.82 |
| 8 | 13.20 | 9.21 | 1.43 | 9.23 | 1.43 |
| 16 | 97.15 | 75.50 | {sixteen} | 75.60 | 1.29 |
| 32 | 193.09 | 148.65 | 1.30 | 150.63 | 1.28 |
"""
CACHES = """\
| model | bytes/token | size |
|---|---|---|
| a | 156991 | 153 KB/token |
| b | 49152 | 48 KB/token |
| c | 81920 | 80 KB/token |
| d | 1749384 | {last} MB/token |
| e | 131072 | 128 KB/token |
"""


def falses(text: str) -> list[str]:
    return [claim.text for claim in check_text(text).claims if claim.verdict == "false"]


def test_measured_rates_and_times_need_not_multiply() -> None:
    assert falses(SERVED.format(last="32.79")) == []


def test_few_different_numbers_are_no_evidence() -> None:
    assert falses(TILES) == []


@pytest.mark.parametrize(("third", "found"), [("1112", []), ("2224", ["2224"])])
def test_a_sum_that_the_heading_names(third: str, found: list[str]) -> None:
    assert falses(PARTS.format(third=third)) == found


@pytest.mark.parametrize(("sixteen", "found"), [("1.29", []), ("1.92", ["1.92"])])
def test_a_column_follows_the_neighbour_that_all_rows_follow(sixteen: str, found: list[str]) -> None:
    assert falses(LATENCIES.format(sixteen=sixteen)) == found


def test_prefixes_of_1024_in_one_row_are_no_error() -> None:
    assert falses(CACHES.format(last="1.67")) == []


@pytest.mark.parametrize(
    ("table", "right", "wrong", "expected"),
    [
        # 78 / 171 - 1 = -54.4 %
        ("op|before|after|change (%)\na|655|641|-2.1\nb|248|104|-58.1\nc|171|78|{}\nd|62|62|0\ne|90|72|-20.0", "-54.4",
         "-45.6", "-54.39%"),
        ("job|GPUs|hours|GPU-hours\na|64|31.5|2,016\nb|128|12.4|{}\nc|512|90.2|46,182", "1,587", "15,872", "1587.2"),
        ("op|got (TFLOP/s)|peak (TFLOP/s)|share\na|612|989|61.9 %\nb|233|312|{}\nc|104|121|86.0 %", "74.7 %", "77.4 %",
         "74.68%"),
        ("host|hours|price ($/h)|cost ($)\na|118|2.10|247.80\nb|342|1.35|461.70\nc|75|4.40|{}", "330", "303", "$330"),
    ],
)  # fmt: skip
def test_three_rows_are_enough_where_the_heading_names_the_relation(
    table: str, right: str, wrong: str, expected: str
) -> None:
    def false(cell: str) -> list[str]:
        head, *rows = (f"| {line.replace('|', ' | ')} |" for line in table.format(cell).split("\n"))
        text = "\n".join((head, "|---|---|---|---|", *rows)) + "\n"
        return [one.expected.split(" ")[0] for one in check_text(text).claims if one.verdict == "false"]

    assert false(right) == []
    assert false(wrong) == [expected]
