"""Tables: two rows alone, columns that two others contradict, headings in thousands and in carbon, sums per month."""

from __future__ import annotations

import pytest

from derive.checking import check_text

FLEET = """
| partition | nodes | GPUs per node | memory | total |
|---|---|---|---|---|
| big | 40 | 8 | 80 GB | 25.6 TB |
| small | 24 | 4 | 48 GB | {} |
"""
DAYS = """
| MFU | Wall clock (days) | GPU-hours (thousands) |
|---:|---:|---:|
| 45 % | 26.2 | 644 |
| 40 % | 29.5 | 724 |
| 36 % | 32.7 | 805 |
| 32 % | {} | 905 |
"""
COST = """
| Offer | Sustained | k chip-hours | Price | Cost (k$) |
|---|---|---|---|---|
| one | 405 | 167.7 | $2.40 | 402 |
| two | 415 | 163.7 | $2.95 | {} |
| three | 444 | 153.0 | $2.10 | 321 |
| four | 855 | 79.5 | $5.10 | 406 |
| five | 239 | 284.9 | $1.90 | 541 |
"""
CARBON = """
Emissions are energy times the intensity of the grid. For the 38.0 GWh above:

| Grid | g CO2 per kWh | Tonnes |
|---|---|---|
| hydro | 30 | 1,140 |
| mixed | 250 | 9,500 |
| gas | 400 | {} |
| coal | 750 | 28,500 |
"""
MONTH = """
| item | count | unit price | per month |
|---|---:|---:|---:|
| prefill cards | 22 | $1.10 / h | $17,424 |
| decode cards | 20 | $1.10 / h | $15,840 |
| gateways | 4 | $0.42 / h | $1,209.60 |
| **total** | | | **{}** |
"""


def _false(text: str) -> list[tuple[str, str]]:
    return [(one.claimed, one.expected) for one in check_text(text).claims if one.verdict == "false"]


@pytest.mark.parametrize(
    ("table", "right", "wrong", "expected"),
    [
        (FLEET, "4.6 TB", "9.2 TB", "4.61 TB"),  # 24 × 4 × 48 = 4,608
        (DAYS, "36.8", "23.6", "36.82"),  # 905,000 / 1,024 / 24
        (COST, "483", "393", "482.9"),  # 163.7 × 2.95
        (CARBON, "15,200", "11,398", "15200"),  # 38.0 × 400
        (MONTH, "$34,473.60", "$36,473.60", "$34473.6"),
    ],
)
def test_the_one_number_that_does_not_follow(table: str, right: str, wrong: str, expected: str) -> None:
    assert _false(table.format(right)) == []
    ((claimed, told),) = _false(table.format(wrong))
    assert claimed.lstrip("$").startswith(wrong.lstrip("$"))
    assert told.lstrip("$").startswith(expected.lstrip("$"))


@pytest.mark.parametrize("total", ["7.9 TB", "4.9 TB", "1.15 TB"])
def test_two_rows_need_a_slip(total: str) -> None:
    """7.9 is no slip away, 4.9 is near, and 1.15 is right with one GPU each, where the other row would be wrong."""
    assert _false(FLEET.format(total)) == []


@pytest.mark.parametrize(("total", "cause"), [("36.9 TB", "bit and byte"), ("46.1 TB", "power of ten")])
def test_two_rows_name_the_slip(total: str, cause: str) -> None:
    ((found, expected, told),) = [
        (one.claimed, one.expected, one.cause)
        for one in check_text(FLEET.format(total)).claims
        if one.verdict == "false"
    ]
    assert (found, expected) == (total, "4.608 TB")
    assert told == f"{cause}; the other row follows"


def test_what_differs_between_machines_contradicts_nothing() -> None:
    text = """
| Offer | $ per chip-hour | $ per server-hour | $ per EFLOP |
|---|---|---|---|
| H100, on demand | 2.90 | 23.20 | 0.81 |
| H100, one year | 2.10 | 16.80 | 0.59 |
| H200, one year | 2.60 | 20.80 | 0.73 |
| MI300X, one year | 1.90 | 15.20 | 0.40 |
"""
    assert _false(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "| part | shape | parameters |\n|---|---|---|\n| embedding | 128,256 × 4,096 | 525,336,576 |\n"
            "| output | 4,096 × 128,256 | 525,336,576 |\n| linear weights, per layer | | 218,103,808 |\n"
            "| linear weights, 32 layers | | 6,979,321,856 |\n| norms | 65 × 4,096 | 266,240 |\n"
            "| **total** | | **8,030,261,248** |\n",
            [],
        ),
        (
            "| | bytes | GB | cards |\n|---|---|---|---|\n| weights | 2 | 811.7 | 11 |\n"
            "| gradients | 2 | 811.7 | 11 |\n| optimizer | 12 | 4,870.2 | 61 |\n| all | 16 | 6,493.7 | 82 |\n\n"
            "The last column divides by 80 GB and rounds up.",
            [],
        ),
        (
            "| model | layers | KV heads | head dim | cache dtype | bytes per token |\n|---|---|---|---|---|---|\n"
            "| Llama 3.1 8B | 32 | 8 | 128 | BF16 | 131,072 |\n| Llama 3.1 8B | 32 | 8 | 128 | FP8 | 65,536 |\n"
            "| Llama 3.1 70B | 80 | 8 | 128 | BF16 | 327,680 |\n"
            "| Llama 3.1 405B | 126 | 8 | 128 | BF16 | 516,096 |\n",
            [],
        ),
        (
            "| | H100 SXM | pair of H100 | H200 SXM |\n|---|---|---|---|\n| HBM | 80 GB | 160 GB | 141 GB |\n"
            "| power limit | 700 W | 1,400 W | 700 W |\n",
            [],
        ),
        (
            "| box | GPUs | bandwidth per GPU (TB/s) | bandwidth of the box (TB/s) |\n|---|---|---|---|\n"
            "| H100 SXM | 2 | 3.35 | 6.70 |\n| MI300X | 1 | 5.3 | 5.30 |\n| L40S | 4 | 0.864 | 3.46 |\n",
            [],
        ),
    ],
)
def test_right_tables_of_several_kinds_of_rows(text: str, found: list[tuple[str, str]]) -> None:
    assert _false(text) == found


def test_letters_with_an_index_in_cells() -> None:
    text = (
        "Unsharded this is $16 N = 16 \\times 1.284 \\times 10^{10} = 205.4$ GB. With $N_d = 64$:\n\n"
        "| Stage | Bytes per parameter | GB per GPU |\n|---|---|---|\n| none | $16$ | 205.4 |\n"
        "| 1 | $4 + 12/N_d$ | 53.8 |\n| 2 | $2 + 14/N_d$ | {} |\n| 3 | $16/N_d$ | 3.21 |\n"
    )
    assert _false(text.replace("{}", "28.5")) == []
    assert [claimed for claimed, _ in _false(text.replace("{}", "34.3"))] == ["34.3 GB"]


def test_an_empty_cell_of_a_list_table_keeps_its_place() -> None:
    rows = [
        ("experts", "36", "57.98 B"),
        ("attention", "36", "1.51 B"),
        ("embeddings", "2", "0.54 B"),
        ("sum", "", "63.0 B"),
    ]
    body = "".join(f"   * - {a}\n     -{' ' + b if b else ''}\n     - {c}\n" for a, b, c in rows)
    text = f".. list-table::\n   :header-rows: 1\n\n   * - part\n     - many\n     - total\n{body}"
    found = [one.expected for one in check_text(text, "rst").claims if one.verdict == "false"]
    assert found == ["60.03 B"]


@pytest.mark.parametrize("heading", ["m GPU-hours", "GPU-hours (m)", "K node-hours", "GPU-days (Billion)"])
def test_thousands_are_read_in_any_case(heading: str) -> None:
    table = (
        f"| run | {heading} | GPUs |\n|---|---|---|\n| a | 1.5 | 8 |\n| b | 3.0 | 16 |\n| c | 4.5 | 24 |\n"
    )
    assert _false(table) == []
