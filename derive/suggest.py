"""The nearest known name to one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str:
    """ ", did you mean 'x'?" or nothing where none is near."""
    names = list(known)
    found = get_close_matches(name[:80], names, n=1, cutoff=0.5)
    if not found:  # a part of an id is often all that is remembered
        found = [full for full in names if name and name in full][:1]
    return f", did you mean {found[0]!r}?" if found else ""
