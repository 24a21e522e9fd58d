"""Numbers tied to the catalogue by a comment: <!-- derive: attention.naive_intensity T=4096 d=128 -->."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from derive.checking.blocks import MATH, TEXT
from derive.checking.claims import Claim
from derive.checking.inline import plain, unmarked
from derive.checking.quantities import Quantity, quantities
from derive.checking.sources import Source
from derive.errors import DeriveError
from units.errors import UnitError

_COMMENT = re.compile(
    r"<!--\s*derive:\s*([a-z_]\w*\.\w+[^>]*?)\s*-->|(?:^|\s)(?:%|\.\.)\s*derive:\s*([a-z_]\w*\.\w+.*)$"
)
_MOST = 200
_AHEAD = 4


def claims(source: Source) -> Iterator[Claim]:
    """The numbers of a source that annotations tie to the catalogue."""
    if "derive:" not in source.text:
        return
    lines = source.text.split("\n")
    made = 0
    for number, line in enumerate(lines):
        for found in _COMMENT.finditer(line) if "derive:" in line else ():
            made += 1
            if made > _MOST:
                return
            yield _claim(found[1] or found[2], number, found, lines, source)


def _claim(asked: str, number: int, found: re.Match[str], lines: list[str], source: Source) -> Claim:
    place, quantity = _tied(number, found, lines, source)
    text = unmarked(quantity[1]) if quantity else asked
    try:
        if quantity is None:
            raise DeriveError("no number stands beside the annotation or in the lines below it")
        return _held(asked, place, quantity[0], text)
    except (DeriveError, UnitError) as error:
        return Claim(place + 1, text, "unsure", "", text if quantity else "", str(error), "annotation")


def _tied(
    number: int, found: re.Match[str], lines: list[str], source: Source
) -> tuple[int, tuple[Quantity, str] | None]:
    """The line and the quantity meant: behind the comment, before it, or the first of the next lines."""
    line = lines[number]
    behind, before = _quantities(line[found.end() :], source), _quantities(line[: found.start()], source)
    if behind:
        return number, behind[0]
    if before:
        return number, before[-1]
    for ahead in range(number + 1, min(len(lines), number + 1 + _AHEAD)):
        here = _quantities(lines[ahead], source)
        if here:
            return ahead, here[0]
    return number, None


def _quantities(line: str, source: Source) -> list[tuple[Quantity, str]]:
    text = plain(_COMMENT.sub(" ", line), markup=source.format != "latex").replace(MATH, "").replace(TEXT, "")
    found = quantities(text)
    with_units = [one for one in found if one.literal.unit]
    return [(one, text[one.start : one.end]) for one in (with_units or found)]


def _held(asked: str, place: int, quantity: Quantity, text: str) -> Claim:
    from derive.checking.structured import Asked, evaluated

    words = shlex.split(asked)
    pairs = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    if len(pairs) != len(words) - 1:
        raise DeriveError(f"annotation {asked[:60]!r}: behind the id only name=value is read, as T=4096")
    verdict, expected, cause, because = evaluated(Asked.of(words[0], pairs), text, quantity)
    return Claim(place + 1, text, verdict, expected, text, cause, "annotation", because)
