"""Files: which there are, whole or not at all, and what is refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import reports
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.symbols import FLOP, count


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_file_for_each_target_and_format(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    paths = reports.write(
        ["cpu", "attention.flops", "cpu"],
        ["md", "tex", "md"],
        tmp_path / "new" / "folder",
        progress=lambda *step: told.append(step),
    )
    assert [path.name for path in paths] == [
        "cpu.md",
        "cpu.tex",
        "attention.flops.md",
        "attention.flops.tex",
    ]
    assert names(tmp_path / "new" / "folder") == {path.name for path in paths}
    assert told == [(1, 2, "cpu"), (2, 2, "attention.flops")]
    assert all(path.read_text("utf-8").endswith("\n") for path in paths)


def test_a_derivation_without_an_id_is_named_by_its_title(tmp_path: Path) -> None:
    n = count("n", "things")
    loose = Derivation("F", "Work: a/b & <c>", unit="FLOP", start=n * FLOP)
    (path,) = reports.write([loose], ["md"], tmp_path)
    assert path == tmp_path / "work-a-b-c.md"
    assert path.read_text("utf-8") == reports.render(loose, "md")


def test_written_and_rendered_are_the_same_bytes(tmp_path: Path) -> None:
    given = {"T": 4096, "d": 128}
    for format in reports.FORMATS:
        (path,) = reports.write(["attention.naive_intensity"], [format], tmp_path, on="h100-sxm", given=given)
        once = path.read_bytes()
        reports.write(["attention.naive_intensity"], [format], tmp_path, on="h100-sxm", given=given)
        assert path.read_bytes() == once
        assert once.decode() == reports.render(
            "attention.naive_intensity", format, on="h100-sxm", given=given
        )


@pytest.mark.parametrize(
    ("targets", "formats", "message"),
    [
        (["roofline"], ["docx"], "unknown format 'docx': one of md, tex, html"),
        (["roofline"], ["text"], "unknown format 'text', did you mean 'tex'?: one of md, tex"),
        (["rofline"], ["md"], "unknown chapter 'rofline', did you mean 'roofline'?"),
        (["attention.naive_intensty"], ["md"], "did you mean 'attention.naive_intensity'?"),
        ([], ["md"], "nothing to report"),
        (["roofline"], [], "nothing to report"),
    ],
)
def test_a_wrong_question_is_one_line_and_writes_nothing(
    targets: list[str], formats: list[str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(DeriveError) as refused:
        reports.write(targets, formats, tmp_path / "out")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert names(tmp_path) == set()


def test_a_letter_that_nobody_has_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(DeriveError, match="no letter 'zeta'"):
        reports.write(["roofline"], ["md"], tmp_path / "out", given={"zeta": 1})
    assert names(tmp_path) == set()


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(DeriveError) as refused:
            reports.write(["roofline"], ["md"], out)
        assert str(refused.value).startswith(f"{out}: ")
        assert "\n" not in str(refused.value)
    assert names(tmp_path) == {"file"}


def test_a_failed_move_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "roofline.md").mkdir()
    with pytest.raises(DeriveError, match=r"roofline\.md: cannot be written"):
        reports.write(["roofline"], ["md"], tmp_path)
    assert names(tmp_path) == {"roofline.md"}


def test_a_file_gets_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (path,) = reports.write(["cpu"], ["md"], tmp_path)
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
