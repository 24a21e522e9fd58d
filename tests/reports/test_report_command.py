"""`derive report`: each option from the command line to the file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from derive.cli.app import run

Captured = pytest.CaptureFixture[str]
NAIVE = ("attention.naive_intensity", "--on", "h100-sxm", "--set", "T=4096", "d=128")


def report(out: Path, *arguments: str) -> int:
    return run(["report", *arguments, "--out", str(out)])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_two_formats_are_two_files(tmp_path: Path, capsys: Captured) -> None:
    assert report(tmp_path, *NAIVE, "--format", "md,tex") == 0
    assert names(tmp_path) == ["attention.naive_intensity.md", "attention.naive_intensity.tex"]
    assert capsys.readouterr().out.split() == [str(tmp_path / name) for name in names(tmp_path)]
    assert all("62.06" in path.read_text("utf-8") for path in tmp_path.iterdir())


def test_a_comparison(tmp_path: Path) -> None:
    assert (
        report(tmp_path, "attention.flops", "--set", "T=1000", "d=64", "--compare", "mask=full,causal") == 0
    )
    text = (tmp_path / "attention.flops.md").read_text("utf-8")
    assert r"| value | $256\ \mathrm{MFLOP}$ | $128\ \mathrm{MFLOP}$ | $-128\ \mathrm{MFLOP}$ |" in text


def test_digits_and_a_template(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "document.md.jinja").write_text("{{ document.sections[0].summary | rich }}", "utf-8")
    assert report(tmp_path / "out", *NAIVE, "--digits", "7", "--template", str(own)) == 0
    text = (tmp_path / "out" / "attention.naive_intensity.md").read_text("utf-8")
    value = Fraction(4096 * 128, 2 * (4096 + 128))
    assert text.startswith(rf"$I \approx {float(value):.7g}\ \mathrm{{FLOP/byte}}$")


def test_a_book_of_ones_own_is_its_folder(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "only.py").write_text(
        '"""The only chapter."""\nfrom derive import FLOP, Derivation, count\n'
        'n = count("n", "things")\nwork = Derivation("F", "Work", unit="FLOP", start=2 * n * FLOP)\n',
        "utf-8",
    )
    (own / "book.toml").write_text('title = "Mine"\nchapters = ["only.py"]\n', "utf-8")
    assert report(tmp_path / "out", str(own)) == 0
    assert names(tmp_path / "out") == ["index.md", "only.md"]


def test_bytes_stand_in_both_prefixes(tmp_path: Path) -> None:
    assert report(tmp_path, "memory.kv_cache_sequence", "--model", "llama-3-8b", "--set", "T=8192") == 0
    text = (tmp_path / "memory.kv_cache_sequence.md").read_text("utf-8")
    size = 2 * 2 * 32 * 8 * 128 * 8192
    assert size == 2**30
    in_full = rf"$$= {size:,}\ \mathrm{{byte}}$$".replace(",", "{,}")
    lines = [in_full, rf"$$\approx {size / 1e9:.4g}\ \mathrm{{GB}}$$", r"$$= 1\ \mathrm{GiB}$$"]
    assert "\n\n".join(lines) in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--compare", "mask"), "give it as mask=full,causal"),
        (("--digits", "0"), "0 is no number of significant digits: give 1 to 15"),
        (("--digits", "four"), "'four' is not a valid integer"),
        (("--template", "nosuch"), "Directory 'nosuch' does not exist"),
        (("--measured", "nosuch.json"), "nosuch.json: cannot be read"),
        (("--format", "docx"), "unknown format 'docx'"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path, capsys: Captured
) -> None:
    assert report(tmp_path / "out", "attention.flops", *arguments) == 2
    told = capsys.readouterr().err
    assert message.lower() in told.lower()
    assert told.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_without_a_book_is_one_line(tmp_path: Path, capsys: Captured) -> None:
    assert report(tmp_path / "out", str(tmp_path)) == 2
    assert capsys.readouterr().err.startswith(f"derive: {tmp_path / 'book.toml'}: cannot be read")
