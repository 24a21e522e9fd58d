"""Statements in parallel, and headings of LaTeX tables in several rows."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_numbers, false_texts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 18 bytes for each parameter: 1.5e9 → 27 GB, 3.2e9 → 57.6 GB, 7.4e9 → 133.2 GB, 35e9 → 630 GB
        (
            "- a model of 1.5 billion parameters takes 27 GB;\n- one of 3.2 billion takes 57.6 GB;\n"
            "- one of 7.4 billion takes 133 GB;\n- one of 35 billion takes {}.\n",
            [("6.3 TB", "0.63 TB")],
        ),
        # 48.6 GB/s × time: 2.43 s → 118 GB, 3.5 s → 170 GB, 5.1 s → 248 GB
        (
            "In 2.43 s we move 118 GB. Then 3.5 s are 170 GB, 5.1 s are 248 GB, and 6.4 s are {}.",
            [("311 TB", "0.311 TB")],
        ),
        # 72 s × GPUs is constant
        (
            "On 24 GPUs the step takes 36 s, on 48 GPUs it takes 18 s, and on 96 GPUs it is {}.",
            [("90 s", "9 s")],
        ),
    ],
)
def test_the_one_out_of_proportion_is_false(text: str, found: list[tuple[str, str]]) -> None:
    (claimed, right) = found[0]
    assert claimed in [number for number, _ in false_numbers(text.format(claimed))]
    assert false_numbers(text.format(right)) == []


@pytest.mark.parametrize(
    "text",
    [
        "- a model of 1.5 billion parameters takes 27 GB;\n- one of 7.4 billion takes 148 GB;\n"
        "- one of 35 billion takes 700 GB.\n",
        "With 8 GPUs a step takes 36 s, with 16 GPUs it takes 20 s, with 32 GPUs 13 s.",
        "In 2.5 s we move 100 GB. In 5 s we move 1,900 GB.",
    ],
)
def test_what_is_in_no_proportion_is_left_alone(text: str) -> None:
    assert false_numbers(text) == []


TABLE = r"""
\begin{tabular}{lrrr}
\toprule
 & \multicolumn{3}{c}{GB per device} \\
\cmidrule{2-4}
Stage & weights & optimizer & total \\
\midrule
none & 12.0 & 72.0 & 84.0 \\
one & 12.0 & 1.13 & 13.1 \\
two & 0.19 & 1.13 & TOTAL \\
\bottomrule
\end{tabular}
"""


def test_headings_over_several_columns_stand_over_each_of_them() -> None:
    # 0.19 + 1.13 = 1.32
    assert false_texts(TABLE.replace("TOTAL", "1.32"), "latex") == []
    assert false_texts(TABLE.replace("TOTAL", "1.82"), "latex") == [("1.82 GB", "1.32 GB")]


def test_a_cell_over_several_columns_of_a_row_keeps_the_others_in_place() -> None:
    rows = r"\begin{tabular}{lrr} part & cards & GB \\ \midrule a & 3 & 120 \\ b & 5 & 200 \\ c & 2 & 84 \\ \midrule "
    text = rows + r"\multicolumn{2}{r}{total} & 404 \\ \end{tabular}"
    assert [claim.verdict for claim in check_text(text, "latex").claims if claim.claimed == "404 GB"] == [
        "true"
    ]


def test_billions_beside_millions_and_trillions_are_no_bytes() -> None:
    # 5.0e6 × 24 = 120e6, 50e6 × 24 = 1.2e9, 500e6 × 24 = 12e9, 50e9 × 24 = 1.2e12
    table = "| N | D |\n|---|---|\n| 5.17 M | 124 M |\n| 51.7 M | 1.24 B |\n| 517 M | 12.4 B |\n| 51.7 B | 1.24 T |\n"
    assert false_numbers(table) == []
