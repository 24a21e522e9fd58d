"""Columns that follow from the catalogue or from what their headings say."""

from __future__ import annotations

import pytest

from derive.checking import check_text

RIDGES = """\
Dense bf16 peak over memory bandwidth.

| card | ridge (FLOP/byte) |
|---|---|
| A100 SXM 80GB | 153 |
| H100 SXM | 295 |
| H200 SXM | {h200} |
| MI300X | 247 |
"""
NODES = """\
| node | memory (GB) | bandwidth (TB/s) |
|---|---|---|
| 8x A100 80GB | 640 | 16.3 |
| 8x H100 SXM | 640 | 26.8 |
| 8x H200 SXM | {memory} | 38.4 |
| 8x MI300X | 1,536 | 42.4 |
"""
SHARES = """\
| model | card | TFLOPS/GPU | MFU (%) |
|---|---|---|---|
| small | A100 80GB | 157.7 | 50.5 |
| small | H100 SXM | 367.9 | {mfu} |
| large | H100 SXM | 389.0 | 39.3 |
"""
CACHES = """\
| model | layers | KV heads | head dim | KiB per token |
|---|---|---|---|---|
| first | 32 | 32 | 128 | 512 |
| second | 40 | 40 | 128 | {second} |
| third | 80 | 8 | 128 | 320 |
| fourth | 24 | 4 | 64 | 24 |
"""
LENGTHS = """\
The KV cache by context:

| context (tokens) | cache (GiB) |
|---|---|
| 2,048 | 0.625 |
| 8,192 | 2.5 |
| 32,768 | {longer} |
| 131,072 | 40 |
"""
TRAINING = """\
<table><caption>Training compute, C = 6ND, N and D in billions.</caption>
<tr><th>model</th><th>N</th><th>D</th><th>C (FLOPs)</th></tr>
<tr><td>a</td><td>175</td><td>300</td><td>3.15e23</td></tr>
<tr><td>b</td><td>280</td><td>300</td><td>5.04e23</td></tr>
<tr><td>c</td><td>70</td><td>1,400</td><td>{third}</td></tr>
<tr><td>d</td><td>8.03</td><td>15,000</td><td>7.23e23</td></tr>
</table>
"""
PARTS = """\
| model | weights | gradients | optimizer | total |
|---|---|---|---|---|
| a | 13.5 | 13.5 | 80.9 | 107.9 |
| b | 26.0 | 26.0 | 156.2 | 208.3 |
| c | 138.0 | 138.0 | 827.7 | {total} |
"""
SUMS = """\
| matrix | elements |
|---|---|
| q | 131,072 |
| k | 81,920 |
| v | 81,920 |
| sum per layer | {sum} |
"""

TABLES = (
    (RIDGES, "h200", "206", "260", "markdown"),
    (NODES, "memory", "1,128", "1,182", "markdown"),
    (SHARES, "mfu", "37.2", "18.6", "markdown"),
    (CACHES, "second", "800", "400", "markdown"),
    (LENGTHS, "longer", "10", "20", "markdown"),
    (TRAINING, "third", "5.88e23", "5.88e24", "html"),
    (PARTS, "total", "1,103.7", "1,013.7", "markdown"),
    (SUMS, "sum", "294,912", "249,912", "markdown"),
)


def falses(text: str, form: str) -> list[str]:
    return [claim.claimed for claim in check_text(text, form).claims if claim.verdict == "false"]


@pytest.mark.parametrize(("table", "field", "right", "wrong", "form"), TABLES)
def test_one_wrong_cell_is_found_and_a_right_one_is_not(
    table: str, field: str, right: str, wrong: str, form: str
) -> None:
    assert falses(table.format(**{field: right}), form) == []
    (found,) = falses(table.format(**{field: wrong}), form)
    assert found.startswith(wrong)


def test_two_cells_that_do_not_follow_are_of_another_rule() -> None:
    text = RIDGES.format(h200="260").replace("| 295 |", "| 310 |")
    assert falses(text, "markdown") == []


def test_a_cell_near_the_catalogue_may_be_a_variant() -> None:
    rows = ("A100 80GB | 80", "H100 SXM | 80", "H200 SXM | 141", "MI300X | 205")
    text = "| card | memory (GB) |\n|---|---|\n" + "".join(f"| {row} |\n" for row in rows)
    assert falses(text, "markdown") == []
