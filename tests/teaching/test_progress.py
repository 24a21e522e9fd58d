"""What is kept: where, whole or not at all, put aside where it is unreadable, forgotten on demand."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from derive.errors import DeriveError
from derive.teaching import progress
from derive.teaching.progress import Progress, Topic


def answered(*outcomes: tuple[str, bool]) -> Progress:
    made = Progress()
    for topic, right in outcomes:
        made.count(topic, right=right)
    return made


def test_counts_streaks_and_topics() -> None:
    made = answered(("a", True), ("a", True), ("b", False), ("b", True))
    assert (made.answered, made.right, made.streak, made.best) == (4, 3, 1, 2)
    assert made.topics == {"a": Topic(2, 2, 2), "b": Topic(2, 1, 1)}


def test_a_topic_is_due_until_it_was_right_twice_in_a_row() -> None:
    made = answered(("a", False), ("b", False), ("b", True), ("c", True))
    assert made.review() == ["a", "b"]  # the smaller share of right answers first
    made.count("b", right=True)
    assert made.next == ["a"]


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "drill.json"
    made = answered(("value matmul.time", True), ("unit cpu.peak", False))
    progress.save(made, path)
    assert progress.load(path) == (made, "")
    assert [one.name for one in path.parent.iterdir()] == ["drill.json"]


def test_nothing_kept_is_a_beginning(tmp_path: Path) -> None:
    assert progress.load(tmp_path / "drill.json") == (Progress(), "")


GOOD = {"version": 1, "answered": 1, "right": 1, "streak": 1, "best": 1}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"' + "x" * 1_000_001 + '"',
        "[" * 100_000,
        json.dumps({**GOOD, "version": 0, "topics": {}}),
        json.dumps({**GOOD, "topics": []}),
        json.dumps({**GOOD, "answered": -1, "topics": {}}),
        json.dumps({**GOOD, "right": 2, "topics": {}}),
        json.dumps({**GOOD, "streak": True, "topics": {}}),
        json.dumps({**GOOD, "topics": {"a": {"asked": 1, "right": 2, "row": 0}}}),
        json.dumps({**GOOD, "topics": {"a": {"asked": 0, "right": 0, "row": 0}}}),
        json.dumps({**GOOD, "topics": {"a": 3}}),
    ],
)
def test_what_is_unreadable_is_kept_aside(text: str, tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    path.write_text(text)
    found, told = progress.load(path)
    assert found == Progress()
    assert (
        told
        == f"{path} was no record of answers: it is kept as drill.json.unreadable, and counting begins anew"
    )
    assert (tmp_path / "drill.json.unreadable").read_text() == text
    path.write_text(text)
    assert "drill.json.unreadable1" in progress.load(path)[1]


def test_what_a_newer_version_wrote_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    text = json.dumps({"version": 2, "whatever": []})
    path.write_text(text)
    with pytest.raises(DeriveError) as told:
        progress.load(path)
    assert str(told.value) == (
        f"{path} was written by a newer derive: update this one, or give --reset to begin anew"
    )
    assert path.read_text() == text
    assert progress.reset(path)


def test_bytes_that_are_no_text_are_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    path.write_bytes(b"\xff\xfe\x00{")
    assert "drill.json.unreadable" in progress.load(path)[1]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "drill.json"
    before = answered(("a", True))
    progress.save(before, path)

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(progress.os, "fsync", full)
    with pytest.raises(DeriveError) as told:
        progress.save(answered(("a", True), ("a", True)), path)
    assert str(told.value) == f"{path}: your answers cannot be kept: No space left on device"
    assert progress.load(path) == (before, "")
    assert [one.name for one in tmp_path.iterdir()] == ["drill.json"]


def test_reset_forgets(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    assert not progress.reset(path)
    progress.save(answered(("a", True)), path)
    assert progress.reset(path)
    assert not path.exists()


def test_the_place_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert progress.place() == tmp_path / "derive" / "drill.json"
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(progress.sys, "platform", "linux")
    assert progress.place() == tmp_path / "home" / ".local" / "share" / "derive" / "drill.json"
    monkeypatch.setattr(progress.sys, "platform", "darwin")
    assert progress.place() == tmp_path / "home" / "Library" / "Application Support" / "derive" / "drill.json"
