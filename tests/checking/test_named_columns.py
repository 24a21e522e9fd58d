"""Columns whose headings say how they are made, and columns that follow from the text beside the table."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers

MEMORY = """| Card | Memory (GB) | Weights (GB) | Left for KV (GB) |
|---|---|---|---|
| A100 | 80 | 30 | 50 |
| L40S | 48 | 30 | {} |
| H200 | 141 | 30 | 111 |
"""
ENERGY = """| Job | GPUs | W per GPU | Hours | kWh |
|---|---|---|---|---|
| short | 8 | 640 | 50 | 256 |
| middle | 32 | 640 | 50 | {} |
| long | 128 | 690 | 120 | 10,598 |
"""
FACILITY = """| Hall | IT load (MW) | PUE | Facility (MW) |
|---|---|---|---|
| North | 9.0 | 1.20 | 10.8 |
| East | 6.0 | 1.25 | {} |
| South | 15.0 | 1.40 | 21.0 |
"""
BATCH = """| Micro-batch | Grad. accumulation | DP | Global batch |
|---|---|---|---|
| 4 | 8 | 32 | 1,024 |
| 2 | 16 | 32 | 1,024 |
| 2 | 8 | 64 | {} |
| 1 | 64 | 32 | 2,048 |
"""
BLOCKS = """| Block | Params per layer | Layers | Total |
|---|---|---|---|
| Attention | 41.9M | 40 | 1.68B |
| MLP | 212.3M | 40 | {} |
| Norms | 10,240 | 40 | 410k |
"""
BUBBLE = """| Stages | Micro-batches | Bubble |
|---|---|---|
| 4 | 12 | 20.0% |
| 8 | 24 | {} |
| 8 | 56 | 11.1% |
"""
PRICES = """| Card | $/h | tok/s | $ per 1M tokens |
|---|---|---|---|
| A100 | 1.60 | 1,100 | 0.404 |
| H100 | 2.70 | 2,600 | {} |
| L4 | 0.60 | 240 | 0.694 |
"""
BALANCE = """| Chip | Peak | Bandwidth | Balance point |
|---|---|---|---|
| one | 300 TFLOP/s | 1.5 TB/s | 200 FLOP/B |
| two | 900 TFLOP/s | 3.6 TB/s | 250 FLOP/B |
| three | 1,600 TFLOP/s | 6.4 TB/s | {} FLOP/B |
"""
SHARES = """| Phase | s | % of total |
|---|---|---|
| Load | 9 | 7.5 |
| Forward | 33 | {} |
| Backward | 66 | 55 |
| Save | 12 | 10 |
"""
CACHE = """| Model | Layers | KV heads | Head dim | KV bytes per token (fp16) |
|---|---|---|---|---|
| small | 24 | 8 | 64 | 49,152 |
| middle | 32 | 8 | 128 | {} |
| large | 64 | 8 | 128 | 262,144 |
"""


@pytest.mark.parametrize(
    ("table", "wrong", "right"),
    [
        (MEMORY, "30", "18 GB"),  # the number beside it
        (MEMORY, "81", "18 GB"),
        (ENERGY, "256", "1024 kWh"),  # that of the row above
        (ENERGY, "10,240", "1024 kWh"),
        (FACILITY, "4.8", "7.5 MW"),  # 6 / 1.25
        (FACILITY, "6.0", "7.5 MW"),
        (BATCH, "2,048", "1024"),
        (BLOCKS, "1.68B", "8.492 B"),
        (BLOCKS, "84.9B", "8.492 B"),
        (BUBBLE, "25.2%", ""),
        (PRICES, "0.828", "0.2885"),
        (BALANCE, "25", "250 FLOP/B"),
        (SHARES, "33", "27.5%"),
        (CACHE, "65,536", "131072"),
    ],
)
def test_the_one_cell_that_does_not_follow(table: str, wrong: str, right: str) -> None:
    assert [expected for _, expected in false_numbers(table.format(wrong))] == ([right] if right else [])


@pytest.mark.parametrize(
    ("table", "right"),
    [
        (MEMORY, "18"), (ENERGY, "1,024"), (FACILITY, "7.5"), (BATCH, "1,024"), (BLOCKS, "8.49B"), (BUBBLE, "22.6%"),
        (PRICES, "0.288"), (BALANCE, "250"), (SHARES, "27.5"), (CACHE, "131,072"),
    ],
)  # fmt: skip
def test_right_cells(table: str, right: str) -> None:
    assert not false_numbers(table.format(right))


@pytest.mark.parametrize(
    "text",
    [
        MEMORY.format("9") + "\nThe last row leaves nothing in reserve.\n",
        FACILITY.format("6.0") + "\nThe East hall is cooled by the building next door.\n",
        BATCH.format("2,048") + "\nThe third row accumulates twice.\n",
        BLOCKS.replace("Norms", "Norms†").format("4.25B") + "\n† of every second layer\n",
        # a share of a larger whole
        SHARES.format("20").replace("7.5", "5").replace("55", "40").replace("| 10 |", "| 7 |"),
        # a model with another cache
        CACHE.replace("middle", "latent").format("36,864"),
    ],
)
def test_rows_that_may_be_right(text: str) -> None:
    assert not false_numbers(text)


NODES = """{}

| Nodes | GPUs | Memory (TB) |
|---|---|---|
| 2 | 16 | 1.28 |
| 6 | {} | 3.84 |
| 12 | 96 | 7.68 |
| 20 | 160 | 12.8 |
"""
COSTS = """All runs are billed at $1.50 per GPU-hour.

| GPUs | Days | Cost |
|---|---|---|
| 32 | 10 | $11,520 |
| 64 | 6 | {} |
| 128 | 4 | $18,432 |
| 256 | 3 | $27,648 |
"""
WAYS = """| TP | Weights per GPU (GB) |
|---|---|
| 1 | 144 |
| 2 | 72 |
| 4 | {} |
| 8 | 18 |
"""
STAGES = """A 13B model trained with Adam, 16 bytes per parameter, on 8 GPUs.

| ZeRO stage | Memory per GPU (GB) |
|---|---|
| 0 | 208.0 |
| 1 | {} |
| 2 | 48.8 |
| 3 | 26.0 |
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (NODES.format("Each node has 8 H100.", "48"), []),
        (NODES.format("Each node has 8 H100.", "84"), ["48"]),
        (NODES.format("All nodes with eight GPUs.", "16"), ["48"]),
        (NODES.format("There are 8 GPUs per node.", "96"), ["48"]),
        (COSTS.format("$13,824"), []),
        (COSTS.format("$11,520"), ["$13824"]),
        (COSTS.format("$138,240"), ["$13824"]),
        (WAYS.format("36"), []),
        (WAYS.format("72"), ["36 GB"]),
        (WAYS.format("37.9"), []),
        (WAYS.format("72") + "\nAt TP 4 both halves are kept twice.\n", []),
        (STAGES.format("71.5"), []),
        (STAGES.format("715"), ["71.5 GB"]),
        (STAGES.format("48.8"), ["71.5 GB"]),
        (STAGES.replace("with Adam, 16 bytes per parameter,", "").format("48.8"), []),
    ],
)
def test_columns_that_follow_from_the_text(text: str, found: list[str]) -> None:
    assert [expected for _, expected in false_numbers(text)][:1] == found


RUNNING = """| Phase | Tokens (B) | Cumulative (B) |
|---|---|---|
| one | 300 | 300 |
| two | 450 | 750 |
| three | 150 | {} |
| four | 80 | 980 |
"""
CHANGES = """| Quarter | GPU-hours | Change |
|---|---|---|
| Q1 | 80,000 | - |
| Q2 | 100,000 | +25.0% |
| Q3 | 112,500 | {} |
| Q4 | 135,000 | +20.0% |
"""
VERSIONS = """| Version | Latency (ms) | vs. v1 |
|---|---|---|
| v1 | 90 | - |
| v2 | 72 | -20.0% |
| v3 | 54 | {} |
| v4 | 45 | -50.0% |
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RUNNING.format("900"), []),
        (RUNNING.format("850"), ["900 B"]),
        (RUNNING.format("750"), ["900 B"]),
        (
            RUNNING.replace("980", "990").format("910"),
            [],
        ),  # from there on all are off: rows that are not shown
        (CHANGES.format("+12.5%"), []),
        (CHANGES.format("+11.1%"), ["12.5%"]),
        (CHANGES.format("+40.6%"), ["12.5%"]),
        (CHANGES.format("+25.0%"), ["12.5%"]),
        (CHANGES.format("+40.6%") + "\nThe third quarter is against Q1.\n", []),
        (VERSIONS.format("-40.0%"), []),
        (VERSIONS.format("-25.0%"), ["-40%"]),
        (VERSIONS.format("-33.0%"), []),  # no slip
    ],
)
def test_columns_that_go_on_from_the_row_before(text: str, found: list[str]) -> None:
    assert [expected for _, expected in false_numbers(text)] == found


FORMATS = """| Model | FP32 | BF16 | INT8 | INT4 |
|---|---|---|---|---|
| 3B | 12 GB | 6 GB | 3 GB | 1.5 GB |
| 8B | 32 GB | 16 GB | {} | 4 GB |
"""
LINKS = """| Payload | Size | PCIe 5 (64 GB/s) | NVLink (450 GB/s) |
|---|---|---|---|
| states | 3 GB | 46.9 ms | 6.7 ms |
| cache | 24 GB | 375 ms | {} |
| weights | 130 GB | 2,031 ms | 289 ms |
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (FORMATS.format("8 GB"), []),
        (FORMATS.format("16 GB"), ["8 GB"]),
        (FORMATS.format("8.6 GB"), []),  # scales
        (LINKS.format("53.3 ms"), []),
        (LINKS.format("5.3 ms"), ["53.3 ms"]),
        # what the link reaches, not what it is named by
        (LINKS.format("59 ms").replace("6.7 ms", "7.4 ms").replace("289 ms", "321 ms"), []),
    ],
)
def test_sizes_and_times_of_a_row(text: str, found: list[str]) -> None:
    assert [expected for _, expected in false_numbers(text)][:1] == found


TOTALS = """| Option | Purchase ($M) | Power ($M) | Total ($M) |
|---|---|---|---|
| A | 14.2 | 3.9 | 18.1 |
| B | 21.5 | 4.8 | {} |
| C | 8.8 | 2.7 | 11.5 |
"""
SAVED = """| Kernel | Before (us) | After (us) | Saved (us) |
|---|---|---|---|
| rope | 44 | 12 | 32 |
| norm | 29 | 8 | {} |
| softmax | 61 | 33 | 28 |
"""
GAIN = """| Kernel | Old (ms) | New (ms) | Gain |
|---|---|---|---|
| attention | 9.0 | 6.0 | 1.50x |
| mlp | 13.2 | 12.0 | 1.10x |
| experts | 20.0 | 12.5 | {} |
"""
GROUPS = """| Model | Q heads | KV heads | Group |
|---|---|---|---|
| one | 32 | 8 | 4 |
| two | 96 | 8 | {} |
| three | 40 | 8 | 5 |
"""
HEADS = """| Model | Hidden | Heads | Head dim |
|---|---|---|---|
| one | 4,096 | 32 | 128 |
| two | 5,120 | 40 | {} |
| three | 3,072 | 32 | 96 |
"""
READS = """| File | Size (GiB) | Read (s) | GiB/s |
|---|---|---|---|
| one | 14 | 4 | 3.5 |
| two | 44 | 20 | {} |
| three | 9 | 2 | 4.5 |
"""
EXPERTS = """| Experts per GPU | GPUs | Experts |
|---|---|---|
| 8 | 16 | 128 |
| 4 | 24 | {} |
| 2 | 80 | 160 |
| 1 | 256 | 256 |
"""
STEPS = """| Phase | Steps | Tokens per step (M) | Tokens (B) |
|---|---|---|---|
| warm-up | 3,000 | 4 | 12 |
| main | 210,000 | 4 | {} |
| decay | 15,000 | 8 | 120 |
"""
REQUESTS = """| Card | Free (GB) | GB per request | Requests |
|---|---|---|---|
| A | 40 | 0.7 | 57 |
| B | 56 | 0.5 | {} |
| C | 90 | 1.5 | 60 |
"""
TRIPS = """| Hop | One way (us) | Round trip (us) |
|---|---|---|
| one | 1.3 | 2.6 |
| two | 2.6 | {} |
| three | 17 | 34 |
"""
MIXTURE = """| Source | Weight | Tokens (B) |
|---|---|---|
| web | 0.60 | 900 |
| code | 0.25 | 375 |
| books | 0.10 | {} |
| math | 0.05 | 75 |
"""


@pytest.mark.parametrize(
    ("table", "right", "wrong", "found"),
    [
        (TOTALS, "26.3", "25.3", ["26.3"]),  # a carry
        (TOTALS, "26.3", "18.1", ["26.3"]),
        (TOTALS, "26.3", "27.0", []),  # nothing leads to it
        (SAVED, "21", "37", ["21"]),  # added
        (SAVED, "21", "29", ["21"]),
        (GAIN, "1.60x", "0.63x", ["1.6"]),
        (GROUPS, "12", "5", ["12"]),
        (GROUPS, "12", "8", ["12"]),
        (HEADS, "128", "182", ["128"]),
        (HEADS, "128", "256", []),  # it may be chosen freely
        (READS, "2.2", "0.45", ["2.2"]),
        (EXPERTS, "96", "69", ["96"]),
        (EXPERTS, "96", "128", ["96"]),
        (STEPS, "840", "84", ["840"]),
        (REQUESTS, "112", "121", ["112"]),
        (REQUESTS, "112", "100", []),  # a reserve
        (TRIPS, "5.2", "2.6", ["5.2"]),
        (MIXTURE, "150", "75", ["150"]),
    ],
)
def test_more_columns_that_headings_name(table: str, right: str, wrong: str, found: list[str]) -> None:
    assert not false_numbers(table.format(right))
    told = [
        expected.partition(" ")[0].lstrip("$").removesuffix("M")
        for _, expected in false_numbers(table.format(wrong))
    ]
    assert told == found


def test_shares_that_do_not_add_up() -> None:
    table = "| Region | Nodes | Share |\n|---|---|---|\n| east | 90 | 45% |\n| west | 70 | {} |\n| north | 40 | 20% |\n"
    assert not false_numbers(table.format("35%"))
    assert false_numbers(table.format("48%")) == [("48%", "35%")]
    # the share of another whole: the rest is not shown
    assert not false_numbers(table.replace("45%", "36%").replace("20%", "16%").format("28%"))
