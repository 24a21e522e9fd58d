"""Tables with known truth: totals, columns computed from others, formats, machines, units in headers."""

from __future__ import annotations

import pytest

from derive.checking import check_text

COST = """\
| part | bytes/param | size (GB) |
|---|---:|---:|
| weights | 2 | 26 |
| gradients | 2 | 26 |
| master weights | 4 | 52 |
| moments | 8 | 104 |
| **Total** | 16 | {total} |
"""
RATE = """\
| matmul | work | time at 989 TFLOP/s |
|---|---|---|
| QKV | 8.6 GFLOP | 8.7 µs |
| MLP | 34.4 GFLOP | {time} |
"""
QUOTIENT = """\
| GPUs | tokens/s | tokens/s per GPU |
|---|---|---|
| 8 | 24,000 | 3000 |
| 16 | 46,400 | 2900 |
| 32 | 89,600 | {each} |
| 64 | 172,800 | 2700 |
"""
SIZES = """\
| format | weights |
|---|---|
| fp32 | 52 GB |
| bf16 | 26 GB |
| int8 | 13 GB |
| int4 | {int4} |
"""
CARDS = """\
| card | memory | bandwidth | dense bf16 |
|---|---|---|---|
| H100 SXM | 80 GB | 3.35 TB/s | 989 TFLOP/s |
| A100 80GB | 80 GB | 2.04 TB/s | {peak} |
"""
RIDGE = """\
| card | peak | bandwidth | ridge (FLOP/byte) |
|---|---|---|---|
| first | 200 TFLOP/s | 2 TB/s | {ridge} |
| second | 900 TFLOP/s | 3 TB/s | 300 |
"""
WORKED = """\
| params | 2 * 70 GB | 140 GB |
| optimizer | 8 * 70 GB | 560 GB |
| checkpoints | 2 * 8192 * 4e6 * 240 | {sum} |
"""
UNITS = """\
| buffer | GB | GiB |
|---|---|---|
| a | 8 | 7.45 |
| b | 24 | 22.35 |
| c | 80 | {gib} |
| d | 141 | 131.3 |
"""


@pytest.mark.parametrize(
    ("table", "right", "wrong", "rule", "cause"),
    [
        (COST, {"total": "208"}, {"total": "234"}, "table-total", "sum of the rows"),
        (RATE, {"time": "34.8 µs"}, {"time": "348 µs"}, "table-formula", "power of ten"),
        (RATE, {"time": "34.8 µs"}, {"time": "34.8 ms"}, "table-formula", "prefix"),
        (QUOTIENT, {"each": "2800"}, {"each": "5600"}, "table-formula", "twice"),
        (SIZES, {"int4": "6.5 GB"}, {"int4": "9.5 GB"}, "table-formats", "element size"),
        (CARDS, {"peak": "312 TFLOP/s"}, {"peak": "624 TFLOP/s"}, "hardware", "sparse and dense"),
        (RIDGE, {"ridge": "100"}, {"ridge": "200"}, "table-formula", "twice"),
        (WORKED, {"sum": "15.7 TB"}, {"sum": "20.9 TB"}, "table-formula", "no known slip"),
        (UNITS, {"gib": "74.5"}, {"gib": "80.0"}, "table-formula", "GB and GiB"),
    ],
)
def test_a_wrong_cell_is_found(
    table: str, right: dict[str, str], wrong: dict[str, str], rule: str, cause: str
) -> None:
    good = check_text(table.format(**right))
    assert [claim.text for claim in good.claims if claim.verdict == "false"] == []
    assert "true" in {claim.verdict for claim in good.claims if claim.rule == rule}
    bad = [claim for claim in check_text(table.format(**wrong)).claims if claim.verdict == "false"]
    assert [claim.rule for claim in bad] == [rule]
    assert cause in bad[0].cause
    (value,) = wrong.values()
    assert bad[0].line == next(
        n for n, line in enumerate(table.format(**wrong).split("\n"), 1) if value in line
    )


def test_a_mean_under_total_is_no_sum() -> None:
    text = "| run | MFU |\n|---|---|\n| a | 45% |\n| b | 47% |\n| total | 46% |\n"
    assert [claim for claim in check_text(text).claims if claim.verdict == "false"] == []


def test_a_total_of_subtotals_is_no_error() -> None:
    text = "| part | GB |\n|---|---|\n| a | 10 |\n| b | 20 |\n| a and b | 30 |\n| c | 5 |\n| total | 35 |\n"
    assert [claim for claim in check_text(text).claims if claim.verdict == "false"] == []


def test_measured_columns_are_left_alone() -> None:
    text = (
        "| batch | latency (ms) | tokens/s |\n|---|---|---|\n"
        "| 1 | 11 | 88 |\n| 2 | 12 | 161 |\n| 4 | 15 | 240 |\n| 8 | 24 | 310 |\n"
    )
    assert [claim for claim in check_text(text).claims if claim.verdict == "false"] == []


HTML = """\
<table><tr><th>part</th><th>GB</th></tr>
<tr><td>a</td><td>10</td></tr>
<tr><td>b</td><td>25</td></tr>
<tr><td>Total</td><td>{}</td></tr></table>
"""
LATEX = r"""
\begin{{tabular}}{{lr}}
part & GB \\ \hline
a & 10 \\
b & 25 \\
Total & {} \\
\end{{tabular}}
"""
GRID = """\
+-------+----+
| part  | GB |
+=======+====+
| a     | 10 |
+-------+----+
| b     | 25 |
+-------+----+
| Total | {} |
+-------+----+
"""
SIMPLE = """\
=====  ==
part   GB
=====  ==
a      10
b      25
Total  {}
=====  ==
"""
LISTED = """\
.. list-table::
   :header-rows: 1

   * - part
     - GB
   * - a
     - 10
   * - b
     - 25
   * - Total
     - {}
"""


@pytest.mark.parametrize(
    ("form", "text"),
    [("html", HTML), ("latex", LATEX), ("rst", GRID), ("rst", SIMPLE), ("rst", LISTED)],
)
def test_tables_of_every_format(form: str, text: str) -> None:
    verdicts = [
        [(claim.verdict, claim.expected) for claim in check_text(text.format(total), form).claims]
        for total in (35, 45)
    ]
    assert verdicts == [[("true", "35 GB")], [("false", "35 GB")]]


def test_the_same_number_once_in_gb_and_once_in_gib() -> None:
    text = (
        "# Cache\n\nThe KV cache is 8192 × 40 × 128 × 40 × 2 bytes × 2 = 6.7 GB.\n\n"
        "| batch | 1 | 8 |\n|---|---|---|\n| KV cache (GiB) | 6.7 | 53.6 |\n"
    )
    bad = [claim for claim in check_text(text).claims if claim.verdict == "false"]
    assert [(claim.rule, claim.line, claim.expected) for claim in bad] == [("two-values", 7, "6.25 GiB")]


@pytest.mark.parametrize(
    ("label", "count"), [("INT4", 1), ("INT4, groups of 64", 0), ("INT4 with scales", 0)]
)
def test_a_format_with_scales_is_wider_than_its_name(label: str, count: int) -> None:
    text = (
        f"| kept as | GB |\n|---|---|\n| FP32 | 28.0 |\n| BF16 | 14.0 |\n| INT8 | 7.0 |\n| {label} | 3.9 |\n"
    )
    bad = [claim.text for claim in check_text(text).claims if claim.verdict == "false"]
    assert bad == ["3.9 GB"] * count
