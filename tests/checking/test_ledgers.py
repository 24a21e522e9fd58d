"""Numbers under each other with a rule and their total, in text and in code; lists with their sum behind them."""

from __future__ import annotations

import pytest

from derive.checking import check_text

PRINTED = """```console
$ sizer --model tiny
weights         16.06 GB
kv cache        34.36 GB
reserve          2.50 GB
------------------------
total           {} GB
device          80.00 GB
```
"""
TYPED = """For Adam we need, in GB:

   weights, BF16               93.4
   gradients, BF16             93.4
   master weights, FP32       186.8
   moments, FP32              373.6
   --------------------------------
   total                      {}
"""
LISTED = """- state: 15.5 GB
- activations: 9.1 GB
- workspace: 1.5 GB

In all {} per card{}, well inside of 80 GB.
"""


@pytest.mark.parametrize(
    ("text", "verdict", "cause"),
    [
        (PRINTED.format("52.92"), "true", ""),  # 16.06 + 34.36 + 2.50 = 52.92
        (PRINTED.format("62.92"), "false", "one digit is another"),
        (PRINTED.format("50.42"), "false", "a line is left out: reserve"),
        (TYPED.format("747.2"), "true", ""),  # 2 × 93.4 + 186.8 + 373.6 = 747.2
        (TYPED.format("653.8"), "false", "a line is left out: weights, BF16"),
        (LISTED.format("26.1 GB", ""), "true", ""),  # 15.5 + 9.1 + 1.5 = 26.1
        (LISTED.format("28.1 GB", ""), "false", "one digit is another"),
    ],
)
def test_a_total_is_the_sum_above_it(text: str, verdict: str, cause: str) -> None:
    assert [(claim.verdict, claim.cause) for claim in check_text(text).claims] == [(verdict, cause)]


@pytest.mark.parametrize(
    "text",
    [
        LISTED.format("24.6 GB", " (not counting the workspace)"),
        LISTED.format("60 GB", ""),  # no slip: perhaps of something else
        PRINTED.format("62.92").replace("kv cache ", "max cache"),
        PRINTED.format("62.92").replace("------------------------", "$ free -h"),
        "a   12\nb   13\n-----\ndevice   99\n",
    ],
)
def test_what_need_not_be_a_sum_is_left_alone(text: str) -> None:
    assert [claim.text for claim in check_text(text).claims if claim.verdict == "false"] == []
