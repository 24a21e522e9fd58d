"""Columns in proportion: one row that leaves it is false, whatever the format of the table."""

from __future__ import annotations

import pytest

from derive.checking import check_text

FORMATS = """\
| model | parameters (B) | BF16 (GB) | INT8 (GB) | 4 bit (GB) |
|---|---|---|---|---|
| small | 3.2 | 6.4 | 3.2 | 1.6 |
| medium | 13.1 | 26.2 | {} | 6.55 |
| large | 34.0 | 68.0 | 34.0 | 17.0 |
"""
WIDTHS = """\
<p>The model has 5.4 billion parameters.</p>
<table><tr><th>tensor</th><th>bytes per parameter</th><th>GB</th></tr>
<tr><td>weights</td><td>2</td><td>10.8</td></tr>
<tr><td>gradients</td><td>2</td><td>10.8</td></tr>
<tr><td>moments</td><td>8</td><td>{}</td></tr></table>
"""
CARDS = r"""
\begin{{tabular}}{{rr}}
\toprule
GPUs & memory (GB) \\
\midrule
4 & 320 \\ 8 & 640 \\ 32 & {} \\ 64 & 5,120 \\
\bottomrule
\end{{tabular}}
"""
TRAINING = """\
=======  ==============  ==========  ================
run      parameters (B)  tokens (B)  training FLOP
=======  ==============  ==========  ================
pilot    0.41            8.2         2.02e19
middle   1.4             28          {}
main     6.9             138         5.71e21
=======  ==============  ==========  ================
"""
PRICES = """\
| nodes | dollars |
|---|---|
| 2 | $59.20 |
| 4 | $118.40 |
| 8 | {} |
| 16 | $473.60 |
"""


@pytest.mark.parametrize(
    ("form", "text", "right", "wrong", "expected"),
    [
        pytest.param("markdown", FORMATS, "13.1", "26.2", "13.1 GB", id="two bytes for one"),
        pytest.param("html", WIDTHS, "43.2", "21.6", "43.2 GB", id="four bytes for eight"),
        pytest.param("latex", CARDS, "2,560", "2,650", "2560 GB", id="cards"),
        pytest.param("rst", TRAINING, "2.35e20", "7.84e19", "2.352e+20", id="no backward pass"),
        pytest.param("markdown", PRICES, "$236.80", "$238.60", "$236.8", id="dollars"),
    ],
)
def test_one_row_out_of_proportion_is_false(
    form: str, text: str, right: str, wrong: str, expected: str
) -> None:
    assert [one.text for one in check_text(text.format(right), form).claims if one.verdict == "false"] == []
    bad = [one for one in check_text(text.format(wrong), form).claims if one.verdict == "false"]
    assert [one.expected for one in bad] == [expected]


def test_a_row_whose_sizes_agree_has_a_wrong_count() -> None:
    text = FORMATS.format("13.1").replace("| medium | 13.1 |", "| medium | 31.1 |")
    wrong = [one for one in check_text(text).claims if one.verdict == "false"]
    assert [(one.text, one.expected) for one in wrong] == [("31.1 B", "13.1 B")]


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("GPUs | free memory (GB)\n1 | 12\n2 | 24\n4 | 48\n8 | 88", id="free"),
        pytest.param("batch | time (ms)\n1 | 12\n2 | 24\n4 | 48\n8 | 88", id="measured"),
        pytest.param("users | cost\n1 | $12\n2 | $24\n4 | $40\n8 | $64", id="discount"),
    ],
)
def test_columns_that_need_not_be_in_proportion_are_left_alone(table: str) -> None:
    head, *rows = (f"| {line} |" for line in table.split("\n"))
    text = "\n".join((head, "|---|---|", *rows)) + "\n"
    assert [one.text for one in check_text(text).claims if one.verdict == "false"] == []
