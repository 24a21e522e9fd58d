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


def falses(text: str) -> list[str]:
    return [claim.text for claim in check_text(text).claims if claim.verdict == "false"]


def test_measured_rates_and_times_need_not_multiply() -> None:
    assert falses(SERVED.format(last="32.79")) == []


def test_few_different_numbers_are_no_evidence() -> None:
    assert falses(TILES) == []


@pytest.mark.parametrize(("third", "found"), [("1112", []), ("2224", ["2224"])])
def test_a_sum_that_the_heading_names(third: str, found: list[str]) -> None:
    assert falses(PARTS.format(third=third)) == found
