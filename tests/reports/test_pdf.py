"""The LaTeX compiles in a plain TeX Live, without a warning that a reader would see, to the same bytes each time."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import reports
from derive import catalogue
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.symbols import BYTE, FLOP, count, quantity

TEX = shutil.which("pdflatex")
pytestmark = pytest.mark.skipif(TEX is None, reason="no pdflatex on the PATH")

SEEN = re.compile(
    r"^(?:Overfull|Underfull|!|Missing character|LaTeX Warning|LaTeX Font Warning|Package \w+ Warning|pdfTeX warning)"
)
HOSTILE = r"50 % of a_b & #1 $x$ {y} \input{z} ^ ~ <b> | *bold* `c` × → ≤ QKᵀ x² ŋ 中 😀 é " + "w" * 200


def compiled(path: Path, runs: int = 2) -> list[str]:
    """What a reader of the log would stumble over, after so many runs."""
    for _ in range(runs):
        done = subprocess.run(
            [str(TEX), "-interaction=nonstopmode", "-halt-on-error", path.name],
            cwd=path.parent,
            capture_output=True,
            timeout=120,
            check=False,
        )
    log = path.with_suffix(".log").read_text("utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert path.with_suffix(".pdf").stat().st_size > 10_000
    return [line for line in log.splitlines() if SEEN.match(line)]


@pytest.mark.parametrize("chapter", ["roofline", "formats"])
def test_a_chapter(chapter: str, tmp_path: Path) -> None:
    path, *_ = reports.write([chapter], ["tex"], tmp_path, on="h100-sxm", model="llama-3-8b")
    assert compiled(path) == []


def test_the_book(tmp_path: Path) -> None:
    path, *_ = reports.write(["all"], ["tex"], tmp_path, on="h100-sxm", model="llama-3-8b")
    assert compiled(path, runs=3) == []
    written = path.with_suffix(".pdf").read_bytes()
    text = subprocess.run(
        ["pdftotext", "-layout", str(path.with_suffix(".pdf")), "-"],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout.decode()
    assert "??" not in text
    assert text.count("\\") == 0
    for chapter in catalogue.chapters():
        for derivation in catalogue.chapter(chapter).values():
            assert derivation.id in text.replace("\n", ""), derivation.id
    assert len(written) > 500_000


def test_a_pdf_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    given = {"T": 4096, "d": 128}
    for folder in ("one", "two"):
        (path,) = reports.write(
            ["attention.naive_intensity"], ["pdf"], tmp_path / folder, on="h100-sxm", given=given
        )
        assert path.name == "attention.naive_intensity.pdf"
        assert [one.name for one in path.parent.iterdir()] == [path.name]
    one, two = ((tmp_path / folder / path.name).read_bytes() for folder in ("one", "two"))
    assert one == two
    assert one.startswith(b"%PDF-")
    assert b"CreationDate" not in one


def test_a_chapter_with_a_figure_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (path,) = reports.write(["roofline"], ["pdf"], tmp_path / folder, on="h100-sxm")
    one, two = ((tmp_path / folder / path.name).read_bytes() for folder in ("one", "two"))
    assert one == two
    assert b"CreationDate" not in one


@pytest.mark.parametrize(
    ("id", "asked"),
    [
        ("attention.naive_intensity", {"on": "h100-sxm", "given": {"T": 4096, "d": 128}}),
        ("attention.naive_intensity", {}),
        ("matmul.critical_batch", {"on": "h100-sxm", "given": {"d": 512}}),
        ("parameters.total", {"model": "gpt2-xl"}),
    ],
)
def test_a_single_derivation(id: str, asked: dict[str, Any], tmp_path: Path) -> None:
    (path,) = reports.write([id], ["tex"], tmp_path, **asked)
    assert compiled(path) == []


def test_hostile_texts(tmp_path: Path) -> None:
    n = count("n", HOSTILE)
    hostile = Derivation("F", HOSTILE, unit="FLOP", start=n * FLOP, about=HOSTILE, sources=[HOSTILE])
    (path,) = reports.write([hostile], ["tex"], tmp_path)
    # a line of nothing but a word of 200 letters cannot be filled to the end
    assert [line for line in compiled(path) if not line.startswith("Underfull")] == []


def test_a_formula_of_many_terms(tmp_path: Path) -> None:
    letters = [count(f"n_{index}", f"extent {index}") for index in range(12)]
    e = quantity("e", "size of an element", "byte")
    long = sum((letter**2 * other * e for letter in letters for other in letters), 0 * BYTE)
    wide = Derivation("Q", "A long sum", unit="byte", start=long)
    (path,) = reports.write([wide], ["tex"], tmp_path)
    assert compiled(path) == []


def test_a_pdf_without_an_engine_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeriveError) as refused:
        reports.write(["roofline.ridge"], ["pdf"], tmp_path / "out")
    assert str(refused.value).startswith("no pdflatex on the PATH: install TeX Live")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_what_the_engine_refuses_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "preamble.tex.jinja").write_text("\\nosuchcommand\n", "utf-8")
    with pytest.raises(
        DeriveError, match=r"^roofline\.ridge\.pdf: pdflatex failed: Undefined control sequence"
    ):
        reports.write(["roofline.ridge"], ["pdf"], tmp_path / "out", templates=tmp_path / "own")
    assert not (tmp_path / "out").exists()


def test_the_engine_reads_and_runs_nothing_of_the_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("SECRET", "utf-8")
    own = tmp_path / "own"
    own.mkdir()
    for name, line in (
        ("reads", rf"\input{{{secret}}}"),
        ("runs", rf"\immediate\write18{{touch {tmp_path}/ran}}"),
    ):
        (own / "preamble.tex.jinja").write_text(
            rf'<% include "derive/preamble.tex.jinja" %>\AtBeginDocument{{{line}}}' + "\n", "utf-8"
        )
        if name == "reads":
            with pytest.raises(DeriveError, match="pdflatex failed"):
                reports.write(["roofline.ridge"], ["pdf"], tmp_path / name, templates=own)
        else:
            reports.write(["roofline.ridge"], ["pdf"], tmp_path / name, templates=own)
        assert not (tmp_path / "ran").exists()
