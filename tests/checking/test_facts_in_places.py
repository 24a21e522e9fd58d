"""Facts and sums told in places of their own: subtotals, points, nodes, brackets, rows of two cells, short labels."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_causes, false_numbers, is_true

SUBTOTAL = (
    "| what | k$ |\n|---|---|\n| power | 21.4 |\n| staff | 96.0 |\n"
    "| subtotal | 117.4 |\n| tax | 23.5 |\n| total | {} |\n"
)


def test_a_total_adds_up_from_the_subtotal_on() -> None:
    # 117.4 + 23.5 = 140.9
    assert false_numbers(SUBTOTAL.format("140.9")) == []
    assert is_true(SUBTOTAL.format("140.9"), "140.9")
    assert false_causes(SUBTOTAL.format("149.0")) == [("149.0", "140.9", "digits swapped")]


def test_one_of_several_equal_rows_is_left_out() -> None:
    table = "| part | M |\n|---|---|\n| o | 16.8 |\n| gate | 58.7 |\n| up | 58.7 |\n| down | 58.7 |\n| total | {} |\n"
    # 16.8 + 3 × 58.7 = 192.9; without one of them 134.2
    assert false_numbers(table.format("192.9")) == []
    assert false_causes(table.format("134.2")) == [("134.2", "192.9", "a row is left out")]


def test_points_of_numbered_exercises_add_up() -> None:
    lines = "   2.1  Roofs      9\n   2.2  Bytes     12\n   2.3  Rings     10\n"
    sheet = f"Points:\n\n{lines}   ----------------\n   Total          {{}}\n"
    assert false_numbers(sheet.format("31")) == []
    assert false_numbers(sheet.format("33")) == [("33", "31")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A full node of H100s has 26.8 TB/s in aggregate.", []),
        ("A full node of H100s has 3.35 TB/s in aggregate.", [("3.35 TB/s", "8 × 3.35 TB/s")]),
        ("We have eight A100 80GB SXM (2,039 GB/s of memory bandwidth each).", []),
        (
            "We have eight A100 80GB SXM (1,555 GB/s of memory bandwidth each).",
            [("1,555 GB/s", "2.039 TB/s")],
        ),
        ("- NVIDIA T4: 16 GB, 320 GB/s", []),
        ("- NVIDIA T4: 24 GB, 320 GB/s", [("24 GB", "16 GB [nominal]")]),
        ("- NVIDIA B200: 192 GB, 8 TB/s", []),
        ("- v5p: 166 FLOP/byte\n", []),
        ("- v5p: 16.6 FLOP/byte\n", [("16.6 FLOP/byte", "166 FLOP/byte")]),
        ("- v4: 22 tokens/s\n", []),
        ("GPT-3 was trained with 3.2 million tokens per step.", []),
        ("In FP16 that is so. For GPT-3 the cache takes 4.5 MiB per token.", []),
        (
            "In FP16 that is so. For GPT-3 the cache takes 2.25 MiB per token.",
            [("2.25 MiB per token", "4.5 MiB/token")],
        ),
        ("With 4 bits it is 0.5 bytes × 6.0e9 = 3.0 GB.", []),
        ("With 4 bits it is 0.5 bytes × 6.0e9 = 3.0 GiB.", [("3.0 GiB", "2.79 GiB")]),
        # what only looks like an equation
        ("In BF16 it is 16.06 GB = 16.06 GB / 1.0737 = 14.96 GiB.", []),
        ("The sheet says 1,600 Gbps, which is 1,600 Gbps / 8 = 200 GB/s.", []),
        ("No. It would be an MFU of 104 %.", []),
    ],
)
def test_facts_of_sentences_and_items(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found


def test_dense_in_the_label_of_a_row() -> None:
    table = "| quantity | value |\n|---|---|\n| BF16 dense | 989 TFLOPS |\n| FP8 dense | {} TFLOPS |\n"
    assert false_numbers(table.format("1,979")) == []
    assert false_causes(table.format("3,958")) == [
        ("3,958 TFLOPS", "1979 TFLOP/s [dense, fp8]", "sparse and dense")
    ]


def test_chips_of_a_pod_beside_a_short_label() -> None:
    table = "| generation | chips in a full pod |\n|---|---|\n| v4 | {} |\n| v5e | 256 |\n"
    assert false_numbers(table.format("4,096")) == []
    assert false_numbers(table.format("8,960")) == [("8,960", "4096")]


def test_two_memories_of_a_board_are_both_right_in_a_column() -> None:
    table = "| node | memory (GB) |\n|---|---|\n| 8 × A100 80GB | 640 |\n| 8 × H200 | 1,128 |\n| 8 × MI300X | 1,536 |\n"
    for number in ("1,440", "1,536"):
        told = check_text(f"{table}| 8 × B200 | {number} |\n").claims
        assert [one.verdict for one in told if one.claimed == f"{number} GB" and one.line == 6] == ["true"]
    assert false_numbers(f"{table}| 8 × B200 | 1,128 |\n") == [("1,128 GB", "1440 GB")]


def test_the_power_of_machines_in_a_column() -> None:
    rows = "| 8 × A100 SXM | 3.2 |\n| 8 × H100 SXM | 5.6 |\n| 8 × H200 | 5.6 |\n"
    table = f"| node | kW |\n|---|---|\n{rows}| 8 × MI300X | {{}} |\n"
    assert false_numbers(table.format("6.0")) == []
    assert false_numbers(table.format("7.5")) == [("7.5 kW", "6 kW")]  # 8 × 750 W


def test_a_budget_for_each_device_adds_up() -> None:
    table = "| what | GB per GPU |\n|---|---|\n| weights | 35.3 |\n| cache | 32.3 |\n| rest | 5.7 |\n| sum | {} |\n"
    assert false_numbers(table.format("73.3")) == []
    assert false_numbers(table.format("75.3")) == [("75.3 GB", "73.3 GB")]


def test_a_throughput_for_each_device_follows_from_the_whole() -> None:
    table = (
        "| GPUs | tokens/s | tokens/s per GPU | hours |\n|---|---|---|---|\n| 1 | 178,000 | 178,000 | 15.6 |\n"
        "| 2 | 352,000 | 176,000 | 7.9 |\n| 4 | 696,000 | 174,000 | 4.0 |\n| 8 | 1,360,000 | {} | 2.0 |\n"
    )
    assert false_numbers(table.format("170,000")) == []
    assert [right for _, right in false_numbers(table.format("175,000"))] == ["170000 tokens/s/GPU"]


def test_the_pcie_card_of_a_sentence_is_no_bus() -> None:
    text = "Be careful with the PCIe card: the H100 PCIe 80 GB has {} TB/s."
    assert false_numbers(text.format("2.0")) == []
    assert false_numbers(text.format("3.35")) == [("3.35 TB/s", "2 TB/s")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Take the A100; the first version came with 40 GB of HBM2 at 1,555 GB/s.", []),
        (
            "Take the A100; the first version came with 40 GB of HBM2 at 2,039 GB/s.",
            [("2,039 GB/s", "1.555 TB/s")],
        ),
        ("It has 37 billion active out of 671 billion.", []),
        ("It has 57 billion active out of 671 billion.", [("57 billion active", "37B parameters")]),
        ("It has 57 billion active out of 690 billion.", []),
        ("An NVLink 4 link has 25 GB/s per direction.", []),
        # four times as much for another model
        ("A context of 32,768 tokens takes 8 GiB. For comparison, Llama 2 7B stores 512 KiB per token.", []),
        # errors to be found
        ("Find the mistakes: a node with 8 × 400 Gb/s has 3.2 TB/s of network.", []),
        # a mistake that the next paragraph quotes is its own
        (
            'For 16 ranks it is 2 × 15/16 = 1.785.\n\nNote that "a ring takes S / B" is a mistake.',
            [("1.785", "1.875")],
        ),
        ("For 16 ranks it is 2 × 15/16 = 1.785.\n\nThat is a mistake.", []),
        ("In all 39.3M H100-hours. At 700 W that is 39.3e6 × 0.7 kW = 27.5 GWh.", []),
    ],
)
def test_facts_and_what_stands_around_them(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found


def test_a_label_that_looks_like_a_unit() -> None:
    rows = "| us | 4 | 32 |\n| eu | 3 | 24 |\n| ap | 2 | 16 |\n"
    table = f"| region | nodes | GPUs |\n|---|---|---|\n{rows}| total | 9 | {{}} |\n"
    assert false_numbers(table.format("72")) == []
    assert false_numbers(table.format("80")) == [("80", "72")]


def test_a_caption_tells_the_direction_of_links() -> None:
    rows = "| NVLink 4 (H100) | 450 |\n| NVLink 5 (B200) | {} |\n"
    table = f"Peak rates, per direction:\n\n| link | GB/s |\n|---|---|\n{rows}"
    assert false_numbers(table.format("900")) == []
    assert false_numbers(table.format("1800")) == [("1800", "900 GB/s [each-way]")]


def test_reported_numbers_need_not_be_computed_ones() -> None:
    rows = "| a | 3.14e23 | 3.14e23 |\n| b | 5.04e23 | {} |\n| c | 5.88e23 | 5.88e23 |\n| d | 3.79e25 | 3.79e25 |\n"
    table = f"| model | 6ND (FLOP) | reported |\n|---|---|---|\n{rows}"
    assert false_numbers(table.format("6.31e23")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We also looked at TPU v5e. It has 16 GB of HBM per chip.", []),
        ("We also looked at TPU v5e. It has 32 GB of HBM per chip.", [("32 GB", "16 GB [nominal]")]),
        ("We also looked at TPU v5e. It needs 32 GB of memory.", []),
        ("We also looked at TPU v5e and v6e. It has 32 GB of HBM.", []),
    ],
)
def test_the_memory_of_the_machine_before(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DeepSeek-V3 has 256 routed experts, of which 8 are chosen for a token.", []),
        (
            "DeepSeek-V3 has 256 routed experts, of which 6 are chosen for a token.",
            [("6 are chosen for a token", "8")],
        ),
        # 399,000 / 86,400 = 4.62
        ("The 399,000 s are 110.8 hours or 4.62 days of running.", []),
        ("The 399,000 s are 110.8 hours or 6.42 days of running.", [("6.42 days", "4.617 days")]),
        ("We reached 65 % of the plan, a loss of 35 %.", []),
        ("We reached 65 % of the plan, a loss of 45 %.", [("45 %", "35%")]),
        ("We reached 65 % of the plan; a loss of 45 % came later.", []),
        # 131,072 × 32,768 = 4 GiB
        ("KV cache: 131,072 bytes per token. A conversation of 32,768 tokens therefore occupies 4 GiB.", []),
        (
            "KV cache: 131,072 bytes per token. A conversation of 32,768 tokens therefore occupies 2 GiB.",
            [("2 GiB", "4 GiB")],
        ),
        ("Weights: 131,072 bytes per token. A conversation of 32,768 tokens therefore occupies 2 GiB.", []),
    ],
)
def test_what_follows_from_the_words_before(text: str, found: list[tuple[str, str]]) -> None:
    assert false_numbers(text) == found


def test_a_total_of_devices_adds_up() -> None:
    rows = "| Prefill GPUs | 75 | 81 |\n| Decode GPUs | 42 | 35 |\n"
    table = f"| | H200 | MI300X |\n|---|---|---|\n{rows}| Total GPUs | {{}} | 116 |\n"
    assert false_numbers(table.format("117")) == []
    assert false_numbers(table.format("127")) == [("127", "117")]
