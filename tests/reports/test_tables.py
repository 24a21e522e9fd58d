"""Worked tables: each number against arithmetic of its own, and none that outlives the constant behind it."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import reports
from derive import catalogue

LAYERS, WIDTH, KV_WIDTH, FORWARD, VOCABULARY = 32, 4096, 8 * 128, 14_336, 128_256
PARAMETERS = (
    LAYERS * (2 * WIDTH * (WIDTH + KV_WIDTH) + 3 * FORWARD * WIDTH + 2 * WIDTH)
    + 2 * VOCABULARY * WIDTH
    + WIDTH
)
CACHE = 2 * 2 * LAYERS * KV_WIDTH * 8192
"""Llama-3-8B's weights, and its cache of 8192 tokens in 16-bit numbers."""


def rounded(value: Fraction, digits: int) -> str:
    found = Context(prec=digits).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{found.normalize():f}" if Fraction(found) == value else f"{found:f}"


def rows(text: str, label: str, heads: int) -> list[list[str]]:
    """The rows of the tables in Markdown that begin with a label and have so many numbers behind it."""
    cells = (
        [cell.strip().strip("$") for cell in line.split("|")[1:-1]]
        for line in text.splitlines()
        if line.startswith("|")
    )
    return [row[1:] for row in cells if row[0] == label and len(row) == heads + 1]


def decode_row(batch: int, bandwidth: int) -> list[str]:
    cache, whole = batch * CACHE, 2 * PARAMETERS + batch * CACHE
    seconds = Fraction(whole, bandwidth)
    return [
        rounded(Fraction(whole, 10**9), 3),
        rounded(seconds * 1000, 3),
        rounded(batch / seconds, 4),
        rounded(Fraction(100 * cache, whole), 2),
    ]


@pytest.mark.parametrize("batch", [1, 8, 32, 64])
def test_decode_by_batch(batch: int) -> None:
    (found,) = rows(reports.render("decode", "md"), str(batch), 4)
    assert [cell.replace("{,}", "") for cell in found] == decode_row(batch, 3350 * 10**9)


def test_what_hangs_on_a_constant_changes_with_it_and_nothing_else(tmp_path: Path) -> None:
    machine = tmp_path / "machine.toml"
    machine.write_text(
        '[h100-sxm]\nsource = "a forger"\ndate = 2026-01-02\ntags = { basis = "measured" }\n'
        'bandwidth = [{ value = "1 TB/s" }]\n',
        "utf-8",
    )
    text = reports.render("decode", "md", hardware=machine)
    assert "a forger, looked up 2026-01-02" in text
    for batch in (1, 8, 32, 64):
        (found,) = rows(text, str(batch), 4)
        honest, forged = decode_row(batch, 3350 * 10**9), decode_row(batch, 10**12)
        assert [cell.replace("{,}", "") for cell in found] == forged
        assert [one == other for one, other in zip(honest, forged, strict=True)] == [True, False, False, True]


def test_operations_by_context() -> None:
    text = reports.render("flops", "md")
    matmuls = PARAMETERS - VOCABULARY * WIDTH - (2 * LAYERS + 1) * WIDTH
    for length in (2048, 8192):
        (found,) = rows(text, f"Llama-3-8B, T = {length}", 3)
        attention = 2 * LAYERS * length * WIDTH
        assert found[0] == rounded(Fraction(2 * matmuls, 10**9), 4)
        assert found[1] == rounded(Fraction(attention, 10**9), 4)
        assert found[2] == rounded(Fraction(100 * attention, 2 * matmuls), 3)


def test_activations_by_variant_and_collectives_by_link() -> None:
    s, b, h, a = 1024, 8, 768, 12
    memory = reports.render("memory", "md")
    layer = [
        34 * s * b * h + 5 * a * s * s * b,
        34 * s * b * h + 4 * a * s * b,
        34 * s * b * h,
        2 * s * b * h,
    ]
    for label, layers in (("one layer", 1), ("12 layers", 12)):
        (found,) = rows(memory, label, 4)
        assert found == [rounded(Fraction(layers * size, 2**20), 4) for size in layer]
    (found,) = rows(reports.render("collectives", "md"), "h100-sxm", 5)
    half, link, share = Fraction(1000, 450), 2, Fraction(7, 8)
    expected = [2 * share * link * half, *[share * link * half] * 3, link * half]
    assert found == [rounded(value, 4) for value in expected]


@pytest.mark.parametrize("chapter", [name for name in catalogue.chapters() if catalogue.tables(name)])
def test_every_table_is_in_both_formats(chapter: str) -> None:
    markdown, latex = (reports.render(chapter, format) for format in ("md", "tex"))
    for table in catalogue.tables(chapter):
        assert f"\n## {table.title}\n" in markdown
        assert table.title.split(",")[0] in latex
        for row in table.rows:
            assert rows(markdown, row.label.replace("_", r"\_"), len(table.columns))


def test_large_and_small_numbers_are_powers_of_ten() -> None:
    text = reports.render("formats", "md")
    (found,) = rows(text, "fp64", 4)
    largest, epsilon = float(found[0].split()[0]), found[1]
    assert largest == pytest.approx(float.fromhex("0x1.fffffffffffffp1023") / 1e308, rel=1e-4)
    assert epsilon == r"2.220 \cdot 10^{-16}"
    assert not re.search(r"\| \$[\d.]+e-?\d+\$", text)
