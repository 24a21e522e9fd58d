"""Tables that borrow from other tables and from the catalogue, formulas beside them, rows that gather the others."""

from __future__ import annotations

import pytest

from derive.checking import check_text

JOINED = """\
  name    card           GB/s peak
  -----   ------------   ---------
  red     first             2000
  blue    second             640
  green   third             4100
  grey    fourth            1150

  name    GB/s copied    % of peak
  -----   -----------    ---------
  red         1742          87.1
  blue         531          83.0
  green       3485          85.0
  grey         989          {}
"""
RELATIVE = r"""
\caption{{Dense BF16 peak relative to the A100.}}
\begin{{tabular}}{{lrlr}}
\toprule
V100   & 0.40 & H100 SXM & 3.17 \\
MI250X & 1.23 & TPU v5p  & 1.47 \\
MI300X & 4.19 & TPU v5e  & {} \\
\bottomrule
\end{{tabular}}
"""
ITEMS = """\
Bytes a parameter on each of N ranks:

- none: 18
- part: 6 + 12/N
- full: 18/N

Weights of 20 billion parameters, GB a rank:

| kind | N = 16 | N = 50 |
|---|---|---|
| none | 360 | 360 |
| part | 135 | {} |
| full | 22.5 | 7.2 |
"""
STAGES = """\
GB a GPU for weights, gradients and optimizer:

| parameters | GPUs | stage 1 | stage 2 | stage 3 |
|---|---:|---:|---:|---:|
| 3.2B | 16 | 15.2 | 9.2 | 3.2 |
| 3.2B | 96 | 13.2 | 6.87 | 0.53 |
| 21B | 16 | 99.8 | {} | 21.0 |
| 21B | 96 | 86.6 | 45.1 | 3.5 |
"""
CELLS = """\
For a model of 9 billion parameters:

| layout | bytes each | on d = 24 ranks |
|---|---|---|
| whole | $18$ | 162 GB |
| half | $6 + 12/d$ | {} |
| all | $18/d$ | 6.75 GB |
"""
IDLE = """\
The idle share is $(p-1)/(m+p-1)$ with $p = 6$ stages.

| $m$ | idle |
|---:|---:|
| 5 | 50.0 % |
| 15 | 25.0 % |
| 30 | {} |
| 60 | 7.7 % |
"""
NOTED = """\
| site | load (MW) |
|---|---|
| first | 21.4 |
| second† | 9.8 |
| third | 13.1 |
| **Total** | **{}** |

† Opens next year and is not included.
"""
MIXED = """\
| kind | share (%) | input tokens | output tokens | turns |
|---|---|---|---|---|
| short | 50 | 400 | 120 | 2 |
| middle | 30 | 900 | 260 | 5 |
| long | 20 | 2,600 | 640 | 11 |
| weighted mean | | 990 | 266 | {} |
"""
FACTORS = """\
| change | speed-up |
|---|---|
| kernels | 1.5× |
| batches | 1.3× |
| caching | 1.2× |
| all three | {} |
"""
DIGITS = "| run | hours |\n|---|---|\n| a | 7,360 |\n| b | 41,800 |\n| c | 118,400 |\n| Total | {} |\n"
PART = "| run | hours |\n|---|---|\n| a | 7,360 |\n| b | {} |\n| c | 118,400 |\n| Total | 167,560 |\n"
SET_OFF = """\
  part             ms    share, %
  -------------------------------
  forward          41.2      26.8
  backward         83.9      54.6
  exchange         21.5      {}
  update            7.2       4.7
  -------------------------------
  step            153.8
"""
USED = """\
MFU counts 6 × parameters × tokens against the dense BF16 peak of the card.

| parameters | card | tokens/s per GPU | MFU |
|---|---|---:|---:|
| 6.9e9 | H100 SXM | 11,240 | 47.1 % |
| 6.9e9 | A100 80GB SXM | 4,120 | {} |
| 32.5e9 | H100 SXM | 2,350 | 46.3 % |
"""

CASES = (
    (JOINED, "86.0", "43.0", ["43.0%"], "text"),
    (USED, "54.7 %", "17.2 %", ["17.2%"], "markdown"),
    (RELATIVE, "0.63", "1.58", ["1.58"], "latex"),
    (ITEMS, "124.8", "148.2", ["148.2"], "markdown"),
    (STAGES, "60.4", "99.8", ["99.8"], "markdown"),
    (CELLS, "58.5 GB", "54.8 GB", ["54.8 GB"], "markdown"),
    (IDLE, "14.3 %", "16.7 %", ["16.7%"], "markdown"),
    (NOTED, "34.5", "44.3", ["44.3 MW"], "markdown"),
    (MIXED, "4.7", "6.0", ["6.0"], "markdown"),
    (FACTORS, "2.34×", "2.0×", ["2.0"], "markdown"),
    (PART, "41,800", "48,100", ["48,100 hours"], "markdown"),
    (DIGITS, "167,560", "165,760", ["165,760 hours"], "markdown"),
    (SET_OFF, "14.0", "17.9", ["17.9%"], "text"),
)


@pytest.mark.parametrize(("text", "right", "wrong", "found", "form"), CASES)
def test_one_wrong_cell_is_found_and_a_right_one_is_not(
    text: str, right: str, wrong: str, found: list[str], form: str
) -> None:
    def falses(cell: str) -> list[str]:
        claims = check_text(text.format(cell), form).claims
        return [one.claimed for one in claims if one.verdict == "false"]

    assert falses(right) == []
    assert falses(wrong) == found


ALONE = (
    JOINED.format("61.4").replace("grey         989          61.4", "grey         706          61.4"),
    "| run | speed-up |\n|---|---|\n| a | 1.5× |\n| b | 1.3× |\n| all runs | 1.4× |\n",
    "| kind | share (%) | turns |\n|---|---|---|\n| a | 60 | 2 |\n| b | 40 | 7 |\n| mean | | 3.4 |\n",
    "| step | s |\n|---|---|\n| a | 3.1 |\n| b | 2.2 |\n| elapsed | 4.0 |\n",
)


@pytest.mark.parametrize("text", ALONE)
def test_rows_that_may_mean_something_else_are_left_alone(text: str) -> None:
    form = "text" if text.startswith("  ") else "markdown"
    assert [one.claimed for one in check_text(text, form).claims if one.verdict == "false"] == []
