"""Files that a reader names: their text, within bounds, or one line that says what is wrong with them."""

from __future__ import annotations

import stat
from pathlib import Path

from derive.errors import DeriveError

_UNITS = ((2**20, "MiB"), (2**10, "KiB"))


def read_text(path: Path, due: str, largest: int) -> str:
    """The text of a regular file of at most `largest` bytes; `due` says what it should be.

    Raises DeriveError where it cannot be read as UTF-8 text.
    """
    origin = shown(path)
    try:
        # a pipe or a device would block or never end
        if not stat.S_ISREG(path.stat().st_mode):
            raise DeriveError(f"{origin}: is no regular file: give {due}")
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise DeriveError(f"{origin}: cannot be read ({reason}): give {due}") from error
    if len(data) > largest:
        size, unit = next((largest // size, unit) for size, unit in _UNITS if largest >= size)
        raise DeriveError(f"{origin}: is larger than {size} {unit}: give {due}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DeriveError(f"{origin}, line {line}: is no UTF-8 text: give {due}") from error


def shown(path: Path) -> str:
    """A path for a message: one line, shortened from the left."""
    text = "".join(letter if letter.isprintable() else "?" for letter in str(path))
    return text if len(text) <= 120 else f"…{text[-119:]}"
