"""Worked tables: each cell is the evaluation of its row and column, in the column's unit and digits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from derive.catalogue import chapters
from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.tables import Column, Row, Table


def cells(table: Table, extra: Path | None = None) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.cells(extra)]


def test_the_decode_table() -> None:
    """Batches 1 to 64 of Llama-3-8B at 8192 tokens on an H100, worked out by hand."""
    weights, cache = 2 * 8030261248, 2 * 32 * 8 * 128 * 8192 * 2
    table = Table(
        "Decoding",
        heading="batch",
        columns=[
            Column("traffic", "decode.step_traffic", "GB"),
            Column("step", "decode.step_time", "ms", digits=3),
            Column("share of the caches", "decode.kv_share", "percent"),
        ],
        rows=[Row(str(batch), {"B": batch}) for batch in (1, 8, 32, 64)],
        given={"T": 8192},
        on="h100-sxm",
        model="llama-3-8b",
    )
    assert table.headings == ["batch", "traffic [GB]", "step [ms]", "share of the caches [%]"]
    due = []
    for batch in (1, 8, 32, 64):
        traffic = Fraction(weights + batch * cache)
        shares = (traffic / 10**9, traffic / 3350 / 10**6, 100 * batch * cache / traffic)
        due.append([float(share) for share in shares])
    got = [[float(text) for text in row] for row in cells(table)]
    for ours, theirs in zip(got, due, strict=True):
        assert ours == pytest.approx(theirs, rel=5e-3)  # three digits
    assert cells(table)[0] == ["17.13", "5.11", "6.267"]


def test_rows_override_what_holds_for_all() -> None:
    table = Table(
        "Ridges",
        heading="machine",
        columns=[
            Column("ridge", "roofline.ridge", "FLOP/byte", digits=4),
            Column(
                "peak", "", "TFLOP/s", constant={"role": "peak", "precision": "bf16", "sparsity": "dense"}
            ),
        ],
        rows=[
            Row("H100", on="h100-sxm"),
            Row("H100, 2:4", on="h100-sxm", conventions={"sparsity": "2:4"}),
            Row("A100", on="a100-80gb-sxm"),
        ],
    )
    assert cells(table) == [["295.2", "989"], ["590.7", "989"], ["153.0", "312"]]
    assert [cell.evaluation is None for cell in table.cells()[0]] == [False, True]
    found = table.cells()[2][0].evaluation
    assert found is not None
    assert found.exact() == evaluate("roofline.ridge", on="a100-80gb-sxm").exact()


def test_machines_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        "[mine]\n"
        'title = "Mine"\nsource = "a note"\ndate = 2026-01-01\ntags = { basis = "measured" }\n'
        'values = { bandwidth = "1 TB/s" }\n'
        'peak = [{ value = "100 TFLOP/s", tags = { sparsity = "dense", precision = "bf16" } }]\n',
        encoding="utf-8",
    )
    table = Table("Mine", heading="", columns=[Column("ridge", "roofline.ridge")], rows=[Row("a", on="mine")])
    assert cells(table, tmp_path / "mine.toml") == [["100 FLOP/byte"]]


def test_what_cannot_be_evaluated_is_an_error_unless_it_is_optional() -> None:
    columns = [Column("time", "matmul.time", "us"), Column("operations", "matmul.flops", "GFLOP")]
    given = {"m": 1024, "k": 1024, "n": 1024}
    with pytest.raises(DeriveError, match="needs P"):
        Table("T", heading="", columns=columns, rows=[Row("a")], given=given).cells()
    spare = Table("T", heading="", columns=columns, rows=[Row("a")], given=given, optional=["time"])
    assert cells(spare) == [["", "2.147"]]


def test_every_table_of_the_catalogue_is_live() -> None:
    from importlib import import_module

    found = 0
    for name in chapters():
        module = import_module(f"derive.formulas.{name}")
        for table in vars(module).values():
            if isinstance(table, Table):
                found += 1
                rows = table.cells()
                assert len(rows) == len(table.rows)
                assert all(len(row) == len(table.columns) for row in rows)
                assert any(cell.text for row in rows for cell in row)
    assert found >= 4
