"""Documents that mean harm: they end with a report or one clear line, and nothing in them is run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from derive.checking import check_file, check_text
from derive.checking.sources import LARGEST
from derive.cli.app import run
from derive.errors import DeriveError

DEEP = 20_000


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("markdown", "1=2 " * 60_000),
        ("markdown", "the 7 is 8 GB and 9 x " * 4_000),
        ("markdown", "1 + " * 100_000 + "1 = 3"),
        ("markdown", "(" * 100_000 + "1 = 2"),
        ("markdown", "(1+" * DEEP + "1" + ")" * DEEP + " = 2"),
        ("markdown", "$" + "\\frac{1}{" * DEEP + "1" + "}" * DEEP + " = 2$"),
        ("markdown", "$a " * 50_000),
        ("markdown", "[" * 200_000),
        ("markdown", "*a " * 50_000),
        ("markdown", "---\n" + "a: 1\n" * 50_000),
        ("markdown", "|" + " 3 |" * 20_000 + "\n|" + "---|" * 20_000 + "\n|" + " 3 |" * 20_000),
        ("markdown", "9^9^9^9 = 1, 9e999 = 2, 10^(10^10) = 3, 0e-999 = 1, 2^-2000 = 0. " * 200),
        ("markdown", "\n\n".join("$x = y+y+y+y$, $y = z+z+z+z$, $z = x+x+x$, $2x = 7$" for _ in range(100))),
        ("latex", "{" * 100_000 + "}" * 100_000),
        ("latex", "\\begin{tabular}{" * 5_000),
        ("latex", "\\section{" + "[" * 50_000),
        ("html", "<" * 100_000),
        ("html", "<table><tr><td>" * 20_000),
        ("rst", "+--+\n| 3 |\n" * 20_000),
        ("notebook", json.dumps({"cells": [{"cell_type": "markdown", "source": ["3*4 = 12\n"] * 5_000}]})),
    ],
)
def test_what_is_built_to_choke_a_reader_ends_with_a_report(form: str, text: str) -> None:
    report = check_text(text, form)
    assert len(report.claims) <= 20_000


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"cells":' * 50_000, '{"cells": 3}', "[]", "x", '{"cells": [}']
)
def test_what_is_no_notebook_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(DeriveError, match="no notebook") as refused:
        check_text(text, "notebook")
    assert "\n" not in str(refused.value)


def test_more_relation_signs_than_are_read_are_told() -> None:
    report = check_text("2 * 3 = 6. " * 50_001)
    assert report.notes == ("more relation signs than the 50000 that are read: split the file",)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.md"
    with file.open("wb") as stream:
        stream.truncate(LARGEST + 1)
    with pytest.raises(DeriveError, match=r"large\.md: 16 MiB are more than"):
        check_file(file)


def test_binary_and_broken_text(tmp_path: Path) -> None:
    file = tmp_path / "post.md"
    file.write_bytes(b"8 GB = 9 GiB\0\x01")
    with pytest.raises(DeriveError, match="is binary"):
        check_file(file)
    file.write_bytes(b"\xff\xfe\x80 broken \xc3\x28 bytes, but 2 \xc3\x97 3 = 7 all the same.\r\n")
    assert [claim.verdict for claim in check_file(file).claims] == ["false"]


def test_links_and_things_that_are_no_files(tmp_path: Path) -> None:
    loop = tmp_path / "loop.md"
    loop.symlink_to(loop)
    with pytest.raises(DeriveError, match="symbolic links"):
        check_file(loop)
    device = tmp_path / "zero.md"
    device.symlink_to("/dev/zero")
    with pytest.raises(DeriveError, match="no regular file"):
        check_file(device)
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    with pytest.raises(DeriveError, match="no regular file"):
        check_file(pipe)
    with pytest.raises(DeriveError, match="is a directory"):
        check_file(tmp_path)
    with pytest.raises(DeriveError, match="No such file"):
        check_file(tmp_path / "none.md")
    (tmp_path / "code.py").write_text("2 * 3 == 7\n", "utf-8")
    with pytest.raises(DeriveError, match=r"unknown kind of document '\.py'"):
        check_file(tmp_path / "code.py")


def test_a_good_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "post.md").write_text("It is 2 * 3 = 7.\n", "utf-8")
    (tmp_path / "link.md").symlink_to(tmp_path / "post.md")
    assert [claim.verdict for claim in check_file(tmp_path / "link.md").claims] == ["false"]


def test_nothing_is_executed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mark = tmp_path / "mark"
    post = tmp_path / "post.md"
    run_it = f"__import__('os').mkdir('{mark}')"
    post.write_text(
        f"<!-- derive: attention.flops T={run_it} d=128 -->\n3 FLOP\n\n"
        f"It is {run_it} = 3 and $x = {run_it}$, `{run_it}` = 4.\n",
        "utf-8",
    )
    assert run(["check", str(post)]) in (0, 1)
    assert not mark.exists()
    assert "Traceback" not in capsys.readouterr().err


def test_bad_figures_are_refused_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.toml"
    for text in ("figure = 3\n", "[[figure]\n", "a = 1\n", "a = " + "[" * 5_000):
        file.write_text(text, "utf-8")
        assert run(["check", str(file)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
