"""What the words ID, CHAPTER and FILE.py stand for on the command line.

A formula of a file of one's own is `mine.py:name`, or `mine.py` alone where the
file holds one. Such a file is run; an id never makes a file run.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from derive.errors import DeriveError
from derive.suggest import nearest

if TYPE_CHECKING:
    from derive.derivation import Derivation


def one(text: str) -> Derivation:
    """The derivation that an ID or a file stands for. Raises DeriveError where it is none or several."""
    from derive import catalogue

    if _is_file(text):
        found = _of_file(text)
        if len(found) == 1:
            return found[0]
        path = text.partition(".py")[0] + ".py"
        names = ", ".join(f"{path}:{derivation.id.partition('.')[2]}" for derivation in found)
        raise DeriveError(f"{path} holds {len(found)} formulas: give one of {names}")
    if text in catalogue.chapters():
        raise DeriveError(f"{text!r} is a chapter: give one of {', '.join(catalogue.chapter(text))}")
    try:
        return catalogue.get(text)
    except DeriveError:
        stem, _, name = text.partition(".")
        if name and stem.isidentifier() and Path(f"{stem}.py").is_file():
            raise DeriveError(
                f"unknown id {text!r}: for a formula of the file give {stem}.py:{name}"
            ) from None
        raise


def many(texts: tuple[str, ...]) -> list[Derivation]:
    """The derivations of IDs, chapters and files, each once; the whole catalogue for none or "all".

    Raises DeriveError for a text that is none of these.
    """
    from derive import catalogue

    found: dict[str, Derivation] = {}
    for text in texts or ("all",):
        if text == "all":
            for chapter in catalogue.chapters():
                found |= catalogue.chapter(chapter)
        elif _is_file(text):
            found |= {derivation.id: derivation for derivation in _of_file(text)}
        elif "." not in text:
            found |= _chapter(text)
        else:
            derivation = one(text)
            found[derivation.id] = derivation
    return list(found.values())


def _chapter(text: str) -> dict[str, Derivation]:
    from derive import catalogue

    if text in catalogue.chapters():
        return catalogue.chapter(text)
    near = nearest(text, catalogue.chapters())
    raise DeriveError(
        f"unknown id or chapter {text[:80]!r}{near}: the chapters are {', '.join(catalogue.chapters())}"
    )


def _is_file(text: str) -> bool:
    return text.endswith(".py") or ".py:" in text


def _of_file(text: str) -> list[Derivation]:
    from derive import catalogue

    path, colon, name = text.rpartition(":") if ".py:" in text else (text, "", "")
    found = catalogue.load_file(path)
    if not colon:
        return list(found.values())
    stem = Path(path).stem
    if f"{stem}.{name}" not in found:
        names = [id.partition(".")[2] for id in found]
        raise DeriveError(
            f"{path} has no formula {name[:80]!r}{nearest(name, names)}: it holds {', '.join(names)}"
        )
    return [found[f"{stem}.{name}"]]
