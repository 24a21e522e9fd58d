"""Columns that are counted from the row which their heading names, and extents whose product counts."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers, is_true

CHANGES = """\
| paint | drying (min) | change vs primer |
|---|---:|---:|
| primer | 40 | – |
| matt | 50 | +25 % |
| satin | 56 | +40 % |
| gloss | 64 | {} |
| chalk | 34 | −15 % |
"""
SPEEDUPS = """\
| engine | frames/s | speed-up over stock |
|---|---:|---:|
| stock | 25 | 1.0 |
| tuned | 40 | 1.6 |
| fused | 65 | {} |
| packed | 90 | 3.6 |
"""
TIMES = """\
| engine | ms | speed-up vs. stock |
|---|---:|---:|
| stock | 90 | 1.0 |
| tuned | 60 | 1.5 |
| fused | 36 | {} |
| packed | 20 | 4.5 |
"""
SAVED = """\
| format | MB | saved vs plain |
|---|---:|---:|
| plain | 250 | |
| thin | 200 | 20 % |
| tight | 160 | {} |
| tiny | 50 | 80 % |
"""
SLICES = """\
| slice | chips | links |
|---|---:|---:|
| 2x2x4 | 16 | 4 |
| 4x4x4 | 64 | 16 |
| 4x4x8 | {} | 16 |
| 4x8x8 | 256 | 32 |
| 8x8x8 | 512 | 64 |
"""
MESHES = """\
| run | mesh | chips |
|---|---|---:|
| a | 2x4 | 8 |
| b | 4x8 | 32 |
| c | 8x12 | {} |
| d | 8x16 | 128 |
"""
SPACED = """\
| run | mesh | chips |
|---|---|---:|
| a | 3 × 5 × 2 | 30 |
| b | 4 × 5 × 6 | 120 |
| c | 6 × 6 × 8 | {} |
| d | 8 × 8 × 6 | 384 |
"""


@pytest.mark.parametrize(
    ("table", "right", "wrong", "expected"),
    [
        pytest.param(CHANGES, "+60 %", "+37.5 %", ("37.5%", "60%"), id="base"),  # 64 / 40 - 1, not 1 - 40 / 64
        pytest.param(SPEEDUPS, "2.6", "6.2", ("6.2", "2.6"), id="rates"),  # 65 / 25
        pytest.param(TIMES, "2.5", "5.2", ("5.2", "2.5"), id="times"),  # 90 / 36
        pytest.param(SAVED, "36 %", "56.25 %", ("56.25%", "-36%"), id="saved"),  # 1 - 160 / 250, not 250 / 160 - 1
        pytest.param(SLICES, "128", "256", ("256", "128"), id="slices"),  # 4 × 4 × 8
        pytest.param(SLICES, "128", "182", ("182", "128"), id="slices, digits"),
        pytest.param(MESHES, "96", "69", ("69", "96"), id="meshes"),  # 8 × 12
        pytest.param(SPACED, "288", "828", ("828", "288"), id="spaced"),  # 6 × 6 × 8
    ],
)  # fmt: skip
def test_a_cell_that_does_not_follow(table: str, right: str, wrong: str, expected: tuple[str, str]) -> None:
    assert false_numbers(table.format(right)) == []
    assert is_true(table.format(right), right)
    assert false_numbers(table.format(wrong)) == [expected]


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(TIMES.format("5.2") + "| cut | 75 | 2.1 |\n| raw | 72 | 1.25 |\n", id="more than one differs"),
        pytest.param(CHANGES.replace("vs primer", "vs the other").format("+37.5 %"), id="no such row"),
        pytest.param(CHANGES.replace("change vs primer", "mark vs primer").replace(" %", "").format("+7"),
                     id="no change"),
        pytest.param(MESHES.replace("chips", "hours").replace("128", "51").replace("32", "17").format("69"),
                     id="no product"),
    ],
)  # fmt: skip
def test_columns_of_something_else_are_left_alone(table: str) -> None:
    assert false_numbers(table) == []
