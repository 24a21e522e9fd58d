"""The LaTeX compiles in a plain TeX Live, without a warning that a reader would see."""

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
from derive.symbols import BYTE, FLOP, count, quantity

TEX = shutil.which("pdflatex")
pytestmark = pytest.mark.skipif(TEX is None, reason="no pdflatex on the PATH")

SEEN = re.compile(
    r"^(?:Overfull|Underfull|!|Missing character|LaTeX Warning|LaTeX Font Warning|Package \w+ Warning|pdfTeX warning)"
)
HOSTILE = r"50 % of a_b & #1 $x$ {y} \input{z} ^ ~ <b> | *bold* `c` × → ≤ QKᵀ x² ŋ 中 😀 é " + "w" * 200


def compiled(path: Path) -> list[str]:
    """What a reader of the log would stumble over, after two runs."""
    for _ in range(2):
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


@pytest.mark.parametrize("chapter", catalogue.chapters())
def test_a_chapter(chapter: str, tmp_path: Path) -> None:
    (path,) = reports.write([chapter], ["tex"], tmp_path, on="h100-sxm", model="llama-3-8b")
    assert compiled(path) == []


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
