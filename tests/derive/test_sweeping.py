"""Sweeps: values against plain Python, ranges and their refusals, files, plots, bounded memory."""

from __future__ import annotations

import csv
import math
import sys
import tracemalloc
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.sweeping import Sweep, sweep, write
from derive.sweeping.sweep import CHUNK

NAIVE = "attention.naive_intensity"


def rows(swept: Sweep) -> list[tuple[float, ...]]:
    return [row for columns in swept.chunks() for row in zip(*(one.tolist() for one in columns), strict=True)]


def values(letter: str, text: str) -> list[float]:
    """The values of a range of T or W alone."""
    id, given = (NAIVE, {"d": 128}) if letter == "T" else ("roofline.ridge", {"P": "1 FLOP/s"})
    return [row[0] for row in rows(sweep(id, [f"{letter}={text}"], given))]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("1024:8192:*2", [1024, 2048, 4096, 8192]),
        ("1000:1100:+50", [1000, 1050, 1100]),
        ("1000:1100:30", [1000, 1030, 1060, 1090]),
        ("2:5", [2, 3, 4, 5]),
        ("1:4:#3", [1, 2.5, 4]),
        ("64,128,256", [64, 128, 256]),
        ("1,024:4,096:*2", [1024, 2048, 4096]),
        ("7", [7]),
        ("3:3", [3]),
        ("1:1000:*10", [1, 10, 100, 1000]),
        ("1:999:*10", [1, 10, 100]),
        ("1e3:1e6:x10", [1e3, 1e4, 1e5, 1e6]),
        ("1:2:*1.25", [1, 1.25, 1.5625, 1.953125]),
    ],
)
def test_values_of_a_range(text: str, due: list[float]) -> None:
    assert values("T", text) == due


def test_a_range_with_units_is_in_the_letters_unit() -> None:
    assert values("W", "1 TB/s:2 TB/s:#3") == [1e12, 1.5e12, 2e12]
    assert values("W", "1 GB/s:8 GB/s:*2") == [1e9, 2e9, 4e9, 8e9]
    assert values("W", "1 GB/s:2 GB/s:+500 MB/s") == [1e9, 1.5e9, 2e9]


def test_a_fine_factor_ends_where_it_must() -> None:
    got = values("T", "1:10:*1.001")
    assert len(got) == 1 + math.floor(math.log(10) / math.log(1.001))
    assert got[-1] == pytest.approx(1.001 ** (len(got) - 1), rel=1e-12)


@pytest.mark.parametrize(
    ("over", "words"),
    [
        (["T=1:10:*1"], "a factor of 1 never reaches the end"),
        (["T=1:10:*0.5"], "never reaches the end"),
        (["T=1:10:+0"], "a step of 0 never reaches the end"),
        (["T=1:10:+-2"], "a step of -2 never"),
        (["T=10:1"], "ends below its start"),
        (["T=-5:10"], "must be at least 1, not -5"),
        (["T=0:10"], "must be at least 1, not 0"),
        (["T=1:10:#1"], "give 2 to"),
        (["T=1:10:#1e12"], "give 2 to"),
        (["T=1:10:#2.5"], "give 2 to"),
        (["T=1:1e15"], "values are too many"),
        (["T=1:1e300:*1.0000000001"], "too near 1"),
        (["T=1:10:*2 byte"], "must be a plain number"),
        (["T"], "is no range"),
        (["=3"], "is no range"),
        (["T="], "is no range"),
        (["T=1:2:3:4"], "start:end"),
        (["T=a:b"], "no number"),
        (["T=1,,2"], "missing between two commas"),
        (["T=1,024"], "write 1024 without one"),
        (["Q=1:4"], "has no letter 'Q'"),
        (["e=1 byte:4 byte:*2", "T=1:3"], "d"),
        (["T=1:4", "T=1:3"], "different letters"),
        ([], "give one to 6 ranges"),
        (["d=1:100000000:#100000000", "T=1:100000000:#100000000"], "points together"),
    ],
)
def test_bad_ranges(over: list[str], words: str) -> None:
    given: dict[str, object] = (
        {} if any(one.startswith("d=") or one.startswith("e=") for one in over) else {"d": 64}
    )
    with pytest.raises(DeriveError) as refused:
        sweep(NAIVE, over, given)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_letter_that_is_given_is_not_swept() -> None:
    with pytest.raises(DeriveError, match="T is both given and swept over"):
        sweep(NAIVE, ["T=1:4"], {"T": 3, "d": 64})


def test_a_unit_of_another_dimension_is_refused() -> None:
    with pytest.raises(DeriveError, match="it cannot be given in s"):
        sweep(NAIVE, ["T=1:4"], {"d": 64}, to="s")
    with pytest.raises(DeriveError, match="give a step behind a second colon"):
        sweep("roofline.ridge", ["W=1 GB/s:2 GB/s"], {"P": "1 FLOP/s"})


def test_what_is_computed_case_by_case_cannot_be_swept() -> None:
    with pytest.raises(DeriveError, match=r"formats\.representable"):
        list(sweep("formats.representable", ["E=1:2"], {"format": "fp4_e2m1"}).chunks())


def test_points_are_those_of_plain_python() -> None:
    got = rows(sweep(NAIVE, ["d=64,128", "T=1024:4096:*2"]))
    due = [(d, T, T * d / (2 * (T + d))) for d in (64, 128) for T in (1024, 2048, 4096)]
    assert got == due


@pytest.mark.parametrize(
    ("id", "over", "given", "on", "model"),
    [
        ("decode.step_time", "B=1:50:+7", {"T": 8192}, "h100-sxm", "llama-3-8b"),
        ("decode.step_time", "L=1:32:+5", {"T": 8192, "B": 2}, "h100-sxm", "llama-3-8b"),
        ("decode.fits", "T=1000:90000:#9", {}, "h100-sxm", "llama-3-8b"),
        ("matmul.time", "m=1:4096:*4", {"k": 4096, "n": 4096}, "h100-sxm", None),
        ("collectives.all_reduce_ring", "S=1 kB:1 GB:*100", {"n": 8, "alpha": "5 us"}, "h100-sxm", None),
        ("memory.activations_gpt3", "s=128:2048:*2", {"b": 1, "h": 768, "a": 12}, None, None),
    ],
)
def test_points_are_those_of_eval(
    id: str, over: str, given: dict[str, object], on: str | None, model: str | None
) -> None:
    swept = sweep(id, [over], given, on, model)
    for at, value in rows(swept):
        letter = swept.axes[0].letter
        put = at if letter.unit == "dimensionless" else f"{at!r} {letter.unit}"
        due = evaluate(id, {**given, letter.name: put}, on, model)
        assert value == pytest.approx(due.magnitude(), rel=1e-12)
    assert swept.conventions == due.conventions


def test_the_unit_of_the_result_and_the_header() -> None:
    swept = sweep("roofline.attainable", ["I=1 FLOP/byte:100 FLOP/byte:*10"], {}, "h100-sxm", to="TFLOP/s")
    assert swept.header == ["I [FLOP/byte]", "A [TFLOP/s]"]
    assert [row[1] for row in rows(swept)] == pytest.approx([3.35, 33.5, 335.0], rel=1e-15)


def test_points_without_a_value_are_nan() -> None:
    """d FLOP must exceed 2 R byte: on an H100 from d = 591 on; a utilization above 1 is none."""
    batches = rows(sweep("matmul.critical_batch", ["d=512,1024"], {}, "h100-sxm"))
    ridge = Fraction(989, 1) / Fraction("3.35")
    assert math.isnan(batches[0][1])
    assert batches[1][1] == pytest.approx(float(ridge * 1024 / (1024 - 2 * ridge)), rel=1e-12)
    given = {"T": 2048, "rate": "80000 token/s"}
    shares = [row[1] for row in rows(sweep("utilization.mfu", ["n=1:4"], given, "h100-sxm", "llama-3-8b"))]
    assert [math.isnan(share) for share in shares] == [True, True, True, False]


def test_large_counts_do_not_overflow() -> None:
    got = rows(sweep("matmul.flops", ["m=2147483648:4294967296:*2"], {"k": 2**31, "n": 2**31}))
    assert [row[1] for row in got] == [2.0**94, 2.0**95]


def test_csv_to_the_last_digit(tmp_path: Path) -> None:
    write(sweep("matmul.critical_batch", ["d=512,1000,4096"], {}, "h100-sxm"), tmp_path / "b.csv")
    with (tmp_path / "b.csv").open(newline="") as file:
        table = list(csv.reader(file))
    assert table[0] == ["d", "B"]
    assert [row[0] for row in table[1:]] == ["512", "1000", "4096"]
    assert table[1][1] == ""
    ridge = Fraction(989, 1) / Fraction("3.35")
    for row in table[2:]:
        d = int(row[0])
        assert float(row[1]) == pytest.approx(float(ridge * d / (d - 2 * ridge)), rel=1e-14)


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    from pyarrow import parquet

    swept = sweep("matmul.critical_batch", ["d=512,1000,4096"], {}, "h100-sxm")
    write(swept, tmp_path / "b.parquet")
    table = parquet.read_table(tmp_path / "b.parquet")
    assert table.column_names == ["d", "B"]
    assert table["d"].to_pylist() == [512.0, 1000.0, 4096.0]
    assert table["B"].to_pylist() == [None, *(row[1] for row in rows(swept)[1:])]


def test_many_points_stream_in_bounded_memory(tmp_path: Path) -> None:
    """Three million points are 72 MB as columns; a chunk at a time stays below 40 MB, list of texts included."""
    swept = sweep(NAIVE, ["T=1:3000:#3000", "d=1:1000"])
    list(next(swept.chunks(10)))
    heard: list[int] = []
    tracemalloc.start()
    for columns in swept.chunks():
        heard.append(len(columns[0]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(heard) == swept.size == 3_000_000
    assert max(heard) == CHUNK
    assert peak < 40 * 10**6


def test_progress_hears_every_chunk(tmp_path: Path) -> None:
    heard: list[int] = []
    swept = sweep(NAIVE, [f"T=1:{2 * CHUNK + 5}"], {"d": 64})
    write(swept, tmp_path / "t.csv", heard.append)
    assert heard == [CHUNK, CHUNK, 5]
    with (tmp_path / "t.csv").open() as file:
        assert sum(1 for _ in file) == 2 * CHUNK + 6


def svg(path: Path) -> list[str]:
    """The texts of a plot, which matplotlib writes as comments beside their outlines."""
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.parse(path, parser).getroot()
    return [node.text.strip() for node in root.iter() if callable(node.tag) and node.text]


def test_plots_bear_units_on_their_axes(tmp_path: Path) -> None:
    swept = sweep("collectives.all_reduce_ring", ["n=2,8", "S=1 kB:1 GB:*10"], {"alpha": "5 us"}, "h100-sxm")
    write(swept, tmp_path / "t.svg")
    texts = svg(tmp_path / "t.svg")
    assert "bytes of the full buffer, S [byte]" in texts
    assert "t [s]" in texts
    assert "Time of a ring all-reduce" in texts
    assert {"n = 2", "n = 8"} <= set(texts)
    write(swept, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "t.svg").read_bytes()
    write(swept, tmp_path / "t.png")
    assert (tmp_path / "t.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_ticks_of_a_narrow_range_are_whole_numbers(tmp_path: Path) -> None:
    write(sweep(NAIVE, ["T=400000:400020"], {"d": 128}), tmp_path / "n.svg")
    texts = svg(tmp_path / "n.svg")
    assert "400004" in texts
    assert not any(text.startswith(("+", "1e")) for text in texts)


@pytest.mark.parametrize(
    ("over", "words"),
    [
        (["T=1:9", "d=1:3"], "at most 8 values"),
        (["T=1:2", "d=1:2", "e=1 byte,2 byte"], "a plot shows one range"),
        (["T=1:200001"], "too many for a plot"),
    ],
)
def test_what_a_plot_cannot_show(tmp_path: Path, over: list[str], words: str) -> None:
    id, given = (NAIVE, {"d": 64}) if len(over) == 1 else ("attention.naive_traffic", {})
    with pytest.raises(DeriveError, match=words):
        write(sweep(id, over, given), tmp_path / "x.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_plot_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeriveError, match="no value anywhere"):
        write(sweep("matmul.critical_batch", ["d=8:64"], {}, "h100-sxm"), tmp_path / "x.svg")


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    swept = sweep(NAIVE, ["T=1:3"], {"d": 64})
    for path, words in (
        (tmp_path / "x.txt", "a sweep is written as .csv"),
        (tmp_path / "no" / "x.csv", "no such folder"),
        (Path("/proc/x.csv"), "x.csv"),
    ):
        with pytest.raises(DeriveError, match=words):
            write(swept, path)
    (tmp_path / "x.csv").mkdir()
    with pytest.raises(DeriveError, match=r"x\.csv"):
        write(swept, tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == [tmp_path / "x.csv"]


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept = sweep(NAIVE, ["T=1:3"], {"d": 64})
    for module, ending, extra in (("pyarrow", "parquet", "parquet"), ("matplotlib", "png", "plot")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(DeriveError, match=rf"{module} is not installed: pip install .*\[{extra}\]"):
            write(swept, tmp_path / f"x.{ending}")
    assert list(tmp_path.iterdir()) == []


class Interrupted(Sweep):
    """A sweep that is interrupted in its second chunk."""

    def chunks(self, size: int = CHUNK) -> Iterator[list[Any]]:
        yield [np.ones(3), np.ones(3)]
        raise KeyboardInterrupt


def test_an_interrupt_leaves_nothing_half_written_and_an_older_file_as_it_was(tmp_path: Path) -> None:
    swept = sweep(NAIVE, ["T=1:3"], {"d": 64})
    broken = Interrupted(**vars(swept))
    (tmp_path / "x.csv").write_text("older\n")
    with pytest.raises(KeyboardInterrupt):
        write(broken, tmp_path / "x.csv")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x.csv", "older\n")]
