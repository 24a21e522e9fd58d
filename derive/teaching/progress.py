"""What a learner has answered: counted, kept in a file of the user's data folder, told as what to review.

The file is written whole or not at all. One that cannot be read is kept aside under
another name, and counting begins anew; one of a newer version is left alone. Nothing
leaves the machine.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from derive.errors import DeriveError

_VERSION = 1
_LARGEST = 1_000_000
_ASIDE = 100
_REVIEWED = 3


@dataclass(frozen=True)
class Topic:
    """How often a topic was asked and answered right, and how many right answers in a row it has."""

    asked: int = 0
    right: int = 0
    row: int = 0

    @property
    def due(self) -> bool:
        """Whether it wants review: not answered right twice in a row since it was last wrong."""
        return self.right < self.asked and self.row < 2


@dataclass
class Progress:
    """Counts over all sessions. streak: right answers in a row; best: the longest such row."""

    answered: int = 0
    right: int = 0
    streak: int = 0
    best: int = 0
    topics: dict[str, Topic] = field(default_factory=dict)

    def count(self, topic: str, *, right: bool) -> None:
        """Take an answer into account."""
        old = self.topics.get(topic, Topic())
        self.topics[topic] = Topic(old.asked + 1, old.right + right, old.row + 1 if right else 0)
        self.answered += 1
        self.right += right
        self.streak = self.streak + 1 if right else 0
        self.best = max(self.best, self.streak)

    def review(self) -> list[str]:
        """The topics that want review, those with the smallest share of right answers first."""
        due = [(topic.right / topic.asked, name) for name, topic in self.topics.items() if topic.due]
        return [name for _, name in sorted(due)]

    @property
    def next(self) -> list[str]:
        """The first few of `review`."""
        return self.review()[:_REVIEWED]


def place() -> Path:
    """Where the counts are kept: $XDG_DATA_HOME/derive, or the platform's folder for a user's data."""
    named = os.environ.get("XDG_DATA_HOME", "")
    if named and Path(named).is_absolute():
        base = Path(named)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path.home() / ".local" / "share"
    return base / "derive" / "drill.json"


def load(path: Path) -> tuple[Progress, str]:
    """The counts of a file, and a line to tell where it could not be read and was put aside.

    Raises DeriveError where the file is there and the system does not let it be read, and where
    a newer version wrote it: that one is left as it is.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return Progress(), ""
    except OSError as error:
        raise DeriveError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        if len(data) > _LARGEST:
            raise ValueError("too large")
        record = json.loads(data)
        if _is_newer(record):
            raise DeriveError(
                f"{path} was written by a newer derive: update this one, or give --reset to begin anew"
            )
        return _read(record), ""
    except (ValueError, RecursionError):
        kept = _put_aside(path)
        return (
            Progress(),
            f"{path} was no record of answers: it is kept as {kept.name}, and counting begins anew",
        )


def save(progress: Progress, path: Path) -> None:
    """Write the counts, whole or not at all. Raises DeriveError where they cannot be written."""
    record = {
        "version": _VERSION,
        "answered": progress.answered,
        "right": progress.right,
        "streak": progress.streak,
        "best": progress.best,
        "topics": {
            name: {"asked": topic.asked, "right": topic.right, "row": topic.row}
            for name, topic in sorted(progress.topics.items())
        },
    }
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with unfinished.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise DeriveError(f"{path}: your answers cannot be kept: {error.strerror or error}") from error


def reset(path: Path) -> bool:
    """Forget all counts; whether there were any. Raises DeriveError where the file cannot be removed."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise DeriveError(f"{path}: cannot be removed: {error.strerror or error}") from error
    return True


def _put_aside(path: Path) -> Path:
    for number in range(_ASIDE):
        kept = path.with_name(f"{path.name}.unreadable{number or ''}")
        if not kept.exists():
            break
    else:
        raise DeriveError(f"{path}: no record of answers, and {_ASIDE} such files lie beside it: remove them")
    try:
        path.rename(kept)
    except OSError as error:
        raise DeriveError(
            f"{path}: no record of answers, and cannot be moved: {error.strerror or error}"
        ) from error
    return kept


def _is_newer(record: object) -> bool:
    version = record.get("version") if isinstance(record, dict) else None
    return isinstance(version, int) and version > _VERSION


def _read(record: object) -> Progress:
    """A record as it was written. Raises ValueError for anything else."""
    fields = _mapping(record)
    if fields.get("version") != _VERSION:
        raise ValueError("another version")
    topics = {name: _topic(_mapping(one)) for name, one in _mapping(fields.get("topics")).items()}
    answered, right, streak, best = (_count(fields, name) for name in ("answered", "right", "streak", "best"))
    if not streak <= best <= right <= answered:
        raise ValueError("counts that contradict each other")
    return Progress(answered, right, streak, best, topics)


def _topic(fields: Mapping[str, Any]) -> Topic:
    topic = Topic(*(_count(fields, name) for name in ("asked", "right", "row")))
    if not topic.row <= topic.right <= topic.asked or not topic.asked:
        raise ValueError("counts that contradict each other")
    return topic


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("no table")
    return value


def _count(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} is no count")
    return value
