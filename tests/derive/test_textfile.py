"""Files that a reader names are read within bounds, and refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from derive.errors import DeriveError
from derive.textfile import read_text, shown


def test_a_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes("\ufeffT² = 1\n".encode())
    assert read_text(file, "a file", 64) == "T² = 1\n"


@pytest.mark.parametrize(("largest", "size"), [(2**16, "64 KiB"), (2**24, "16 MiB")])
def test_a_larger_file_is_refused_with_the_bound(tmp_path: Path, largest: int, size: str) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes(b"#" * largest)
    assert len(read_text(file, "less", largest)) == largest
    file.write_bytes(b"#" * (largest + 1))
    with pytest.raises(DeriveError) as caught:
        read_text(file, "less", largest)
    assert str(caught.value) == f"{shown(file)}: is larger than {size}: give less"


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "book.toml"
    os.mkfifo(pipe)
    with pytest.raises(DeriveError, match=r"book\.toml: is no regular file: give a book$"):
        read_text(pipe, "a book", 64)


def test_the_line_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes(b"a\nb\n\xff\n")
    with pytest.raises(DeriveError, match=r"a\.toml, line 3: is no UTF-8 text: give text$"):
        read_text(file, "text", 64)


def test_a_path_is_shown_in_one_line_and_shortened() -> None:
    assert shown(Path("a\nb.toml")) == "a?b.toml"
    assert shown(Path("x" * 500)) == "…" + "x" * 119
