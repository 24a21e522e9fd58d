"""Totals: which sums are wrong in which format, and which columns are not to be added up."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_numbers

STATE = """\
| tensor | bytes/param | GB |
|---|---:|---:|
| weights | 2 | 27.4 |
| gradients | 2 | 27.4 |
| master copy | 4 | 54.8 |
| moments | 8 | 109.6 |
| **Total** | **16** | **{}** |
"""
FOOT = """\
<table><caption>What the rack costs</caption>
<thead><tr><th>Item</th><th>USD</th></tr></thead>
<tbody><tr><td>Machines</td><td>412,000</td></tr><tr><td>Switches</td><td>38,500</td></tr>
<tr><td>Installation</td><td>9,200</td></tr></tbody>
<tfoot><tr><th>Sum</th><th>{}</th></tr></tfoot></table>
"""
BOOKTABS = r"""
\begin{{tabular}}{{lr}}
\toprule
Block & Parameters \\
\midrule
Attention & 1,610,612,736 \\
Experts & 4,831,838,208 \\
Norms & 266,240 \\
\midrule
\textbf{{Total}} & \textbf{{{}}} \\
\bottomrule
\end{{tabular}}
"""
BRACED = r"""
\begin{{tabular}}{{lr}}
\toprule
Stage & chip-hours \\
\midrule
Warm-up & 6{{,}}120 \\
Main & 71{{,}}400 \\
Anneal & 10{{,}}010 \\
\midrule
Total & {} \\
\bottomrule
\end{{tabular}}
"""
GRID = """\
+-----------+----------+
| phase     | GPU h    |
+===========+==========+
| pretrain  | 51,200   |
+-----------+----------+
| anneal    | 6,400    |
+-----------+----------+
| evaluate  | 960      |
+-----------+----------+
| In all    | {}   |
+-----------+----------+
"""
LIST = """\
.. list-table::
   :header-rows: 1

   * - shard
     - files
     - TB
   * - news
     - 410
     - 3.15
   * - code
     - 230
     - 1.72
   * - books
     - 95
     - 0.64
   * - Total
     - 735
     - {}
"""
LINES = """\
Budget for one card, in GB:

    weights      14.5
    cache         8.0
    workspace     1.2
    -----------------
    total        {}
"""


@pytest.mark.parametrize(
    ("form", "text", "right", "wrong", "expected"),
    [
        pytest.param("markdown", STATE, "219.2", "291.2", "219.2 GB", id="far off"),
        pytest.param("markdown", STATE, "219.2", "212.9", "219.2 GB", id="digits"),
        pytest.param("html", FOOT, "459,700", "495,700", "$459700", id="foot"),
        pytest.param("latex", BOOKTABS, "6,442,717,184", "6,442,177,184", "6442717184", id="booktabs"),
        pytest.param("rst", GRID, "58,560", "57,600", "58560 GPU h", id="grid, last row left out"),
        pytest.param("text", LINES, "23.7", "27.3", "23.7", id="lines"),
        pytest.param("html", FOOT, "459,700", "456,700", "$459700", id="one digit"),
        pytest.param("latex", BRACED, "87{,}530", "87{,}350", "87530 chip-hours", id="braced commas"),
        pytest.param("latex", BRACED, "87{,}530", "87{,}930", "87530 chip-hours", id="braced, one digit"),
        pytest.param("rst", LIST, "5.51", "5.41", "5.51 TB", id="the other total is complete"),
    ],
)
def test_a_wrong_sum_is_found(form: str, text: str, right: str, wrong: str, expected: str) -> None:
    good = check_text(text.format(right), form)
    assert [claim.text for claim in good.claims if claim.verdict == "false"] == []
    assert "table-total" in {claim.rule for claim in good.claims if claim.verdict == "true"}
    bad = [claim for claim in check_text(text.format(wrong), form).claims if claim.verdict == "false"]
    assert [(claim.rule, claim.expected) for claim in bad] == [("table-total", expected)]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(
            "| weights | 14.2 |\n| cache | 31.5 |\n| of which keys | 15.7 |\n| total | 45.7 |\n",
            id="of which",
        ),
        pytest.param(
            "| a | 12.5 |\n| b | 30.5 |\n| a and b | 43.0 |\n| c | 7.25 |\n| total | 50.25 |\n",
            id="sub-total",
        ),
        pytest.param("| monday | 41.2 |\n| tuesday | 44.8 |\n| total | 43.0 |\n", id="a mean"),
        pytest.param(
            "| weights | 61.5 |\n| cache | 12.5 |\n| headroom | 6.0 |\n| total | 74.0 |\n", id="headroom"
        ),
        pytest.param("| a | 3.3 |\n| b | 3.3 |\n| c | 3.3 |\n| total | 10 |\n", id="rounded"),
    ],
)
def test_sums_with_a_reason_are_left_alone(rows: str) -> None:
    text = "| part | GB |\n|---|---|\n" + rows
    assert [claim.text for claim in check_text(text).claims if claim.verdict == "false"] == []


def test_prices_of_one_are_not_added_up() -> None:
    text = (
        "| class | count | each (TB) | TB |\n|---|---|---|---|\n| day | 30 | 0.91 | 27.3 |\n"
        "| week | 12 | 0.91 | 10.9 |\n| export | 40 | 0.13 | 5.2 |\n| sum | 82 | {} | {} |\n"
    )
    assert [
        one.text for one in check_text(text.format("0.53", "43.4")).claims if one.verdict == "false"
    ] == []
    wrong = [one for one in check_text(text.format("0.53", "34.4")).claims if one.verdict == "false"]
    assert [(one.text, one.expected) for one in wrong] == [("34.4 TB", "43.4 TB")]


def test_where_a_row_is_false_its_total_is_not_blamed() -> None:
    text = (
        "| tensor | bytes/param | GB |\n|---|---|---|\n| BF16 weights | 2 | 6.4 |\n| BF16 gradients | 2 | 6.4 |\n"
        "| FP32 copy | 4 | 6.4 |\n| FP32 mean | 4 | 12.8 |\n| FP32 variance | 4 | 12.8 |\n| total | 16 | 51.2 |\n"
    )
    wrong = [claim for claim in check_text(text).claims if claim.verdict == "false"]
    assert [(claim.line, claim.expected) for claim in wrong] == [(5, "12.8 GB")]


COUNTED = """\
| tensor | {heading} |
|---|---:|
| weights | 2 |
| gradients | 2 |
| master copy | 4 |
| m | 4 |
| v | 4 |
| total | {total} |
"""


@pytest.mark.parametrize(
    ("heading", "total", "verdict"),
    [
        ("bytes/param", "16", "true"),
        ("bytes/param", "18", "false"),  # bytes of an element are not rounded
        ("bytes/param", "17", "false"),
        ("hours", "16", "true"),
        ("hours", "18", "true"),  # five hours rounded by half an hour each
    ],
)
def test_what_is_counted_was_not_rounded(heading: str, total: str, verdict: str) -> None:
    found = check_text(COUNTED.format(heading=heading, total=total)).claims
    assert [claim.verdict for claim in found if claim.rule == "table-total"] == [verdict]


OVERALL = """| Stage | Latency (ms) |
|---|---|
| queue | 14 |
| prefill | 190 |
| decode | 620 |
| send | 7 |
| end-to-end | {} |
"""
SUBTOTAL = """| Item | kW |
|---|---|
| GPUs | 42.6 |
| CPUs | 7.8 |
| Subtotal compute | {} |
| Fans | 4.1 |
| Losses | 3.3 |
| Total | {} |
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (OVERALL.format("831"), []),
        (OVERALL.format("813"), [("813 ms", "831 ms")]),
        (OVERALL.format("790"), []),  # stages may overlap
        (SUBTOTAL.format("50.4", "57.8"), []),
        (SUBTOTAL.format("49.4", "57.8"), [("49.4 kW", "50.4 kW")]),  # the total bears it out
        (SUBTOTAL.format("49.4", "56.8"), []),
    ],
)
def test_sums_that_others_bear_out(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found
