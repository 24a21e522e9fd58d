"""Sentences right below a table that compare two of its rows, add them up, or tell the share of one."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers

STEPS = """| GPU | Step (ms) |
|---|---|
| A100 | 450 |
| H100 | 180 |
| H200 | 150 |

{}
"""
SIZES = """| Format | Size (GB) | Perplexity |
|---|---|---|
| fp16 | 26.0 | 5.11 |
| int8 | 13.6 | 5.13 |
| int4 | 7.8 | 5.34 |

{}
"""
SWEEP = """| Batch | tokens/s |
|---|---|
| 1 | 50 |
| 8 | 360 |
| 64 | 1,900 |

{}
"""
HOURS = """| Run | Loss | Hours |
|---|---|---|
| first | 2.4 | 140 |
| middle | 2.3 | 165 |
| longest | 2.2 | 230 |

{}
"""
BUDGET = """| Component | GB |
|---|---|
| Weights | 16 |
| KV cache | 40 |
| Workspace | 8 |

{}
"""


@pytest.mark.parametrize(
    ("table", "text", "found"),
    [
        (STEPS, "The H100 is 2.5x faster than the A100 on this step.", []),
        (STEPS, "The H100 is 3.0x faster than the A100 on this step.", ["2.5"]),  # that of the H200
        (STEPS, "The H100 is 5.2x faster than the A100 on this step.", ["2.5"]),
        (STEPS, "The step of the H100 is shorter by a factor of 25 than that of the A100.", ["2.5"]),
        (STEPS, "With the fused kernel the H100 would be 3.0x faster than the A100 on this step.", []),
        (STEPS, "The peak of the H100 is 3.2x higher than that of the A100.", []),
        (STEPS, "The H100 costs 1.7x more than the A100.", []),
        (SIZES, "int4 cuts the size by 70% against fp16.", []),
        (SIZES, "int4 cuts the size by 30% against fp16.", ["70%"]),  # what is left
        (SIZES, "int4 cuts the size by 48% against fp16.", ["70%"]),  # that of int8
        (SIZES, "int4 raises the perplexity by 4.5% against fp16.", []),
        (SIZES, "int4 makes decoding 48% faster than fp16.", []),
        (SWEEP, "From batch 1 to batch 64 the throughput grows by a factor of 38.", []),
        (SWEEP, "From batch 1 to batch 64 the throughput grows by a factor of 64.", ["38"]),
        (SWEEP, "From batch 1 to batch 64 the throughput grows by a factor of 7.2.", ["38"]),
        (SWEEP, "From batch 1 to batch 64 the latency grows by a factor of 1.7.", []),
        (HOURS, "Together the three runs took 535 hours.", []),
        (HOURS, "Together the three runs took 525 hours.", ["535 hours"]),
        (HOURS, "Together the three runs took 395 hours.", ["535 hours"]),
        (HOURS, "Together with the broken run that is 635 hours.", []),
        (HOURS, "In total the project took 900 hours.", []),
        (BUDGET, "Of the 64 GB in the table the KV cache takes 62.5%.", []),
        (BUDGET, "Of the 64 GB in the table the KV cache takes 65.2%.", ["62.5%"]),
        (BUDGET, "Of the 64 GB in the table the KV cache takes 25%.", ["62.5%"]),
        (BUDGET, "Of the 80 GB of the card the KV cache takes 50%.", []),
    ],
)
def test_rows_that_a_sentence_compares(table: str, text: str, found: list[str]) -> None:
    assert [expected for _, expected in false_numbers(table.format(text))] == found


@pytest.mark.parametrize(
    "text",
    ["Of the 56 GB in the table the cache needs most.", "The 64 GB of the table fit on the card.", "The 24 GB from the "
     "table, weights and workspace, are fixed."],
)  # fmt: skip
def test_sums_of_a_table_are_taken_from_it(text: str) -> None:
    assert not false_numbers(BUDGET.format(text))


PHASES = """| Phase | Time (s) |
|---|---|
| load | 14 |
| compile | 46 |
| warm-up | 30 |

{}
"""
RATES = """| Config | tok/s |
|---|---|
| eager | 1,500 |
| compile | 2,100 |
| cuda graphs | 2,700 |

{}
"""


@pytest.mark.parametrize(
    ("table", "text", "found"),
    [
        (PHASES, "The three phases take 90 s in total.", []),
        (PHASES, "The three phases take 98 s in total.", ["90 s"]),
        (PHASES, "The three phases overlap and take 70 s in total.", []),
        (PHASES, "The first phases take 60 s in total.", []),
        (RATES, "Compile raises the throughput by 40% over eager.", []),
        (RATES, "Compile raises the throughput by 80% over eager.", ["40%"]),
        (RATES, "Compile raises the power by 80% over eager.", []),
        (RATES, "At batch 64 compile raises the throughput by 80% over eager.", []),
        (RATES, "Cuda graphs raise the throughput by 80%, compile by 40%.", []),
    ],
)
def test_sums_and_changes_of_rows(table: str, text: str, found: list[str]) -> None:
    assert [expected for _, expected in false_numbers(table.format(text))] == found
