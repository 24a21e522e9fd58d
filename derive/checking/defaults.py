"""The default values of settings: where the text names a default again, it must be the one that defines it.

`bucket_mb` (default 200), `--workers`: default is 4, "The default micro_batch_size is 4", a column of defaults:
these define. "Its default of 500", "the default micro batch of 8": these use, and differ from the only definition
where somebody forgot to change them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from derive.checking.blocks import MATH, TEXT, Block, Document
from derive.checking.claims import Claim
from derive.checking.gates import of_text
from derive.checking.inline import unmarked
from derive.checking.words import readings

_ENTRY = re.compile(r"\b[Dd]efault", re.ASCII)
_SETTING = re.compile(
    r"(?<![\w./-])(?:--)?([a-z][a-z\d]*(?:[_-][a-z\d]+)+|[a-z]+(?:[A-Z][a-z\d]+)+)(?![\w(/]|\.\w)"
)
_NUMBER = (
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e-?\d+)?)(?!\w|\.\d|[-:/×]\d)"
    r"(?:\s?(?P<unit>%|[A-Za-z]{1,7}\b))?"
)
_DEFINES = re.compile(
    rf"(?:\b(?:[Tt]he )?[Dd]efaults?(?: values?)?(?: of| for)? (?P<name>(?:[\w-]+ ){{0,3}}?[\w-]+)? ?(?:is|are|=)|"
    rf"\b[Dd]efault(?:s to| value|s)?(?: is| =| ?:)?|\bby default,?) ?(?:set to )?{_NUMBER}"
)
_USES = re.compile(
    rf"\b(?:its|the|our|their) default(?: value)?(?: (?P<name>(?:[\w-]+ ){{0,3}}?[\w-]+))? of {_NUMBER}"
)
_OTHER = re.compile(
    r"\b(?:was|were|old|new|previous(?:ly)?|former(?:ly)?|used to|no longer|since|until|deprecated|chang\w+|versions?|"
    r"instead|upstream|v\d|Windows|macOS|Linux|CPUs?|TPUs?|ROCm|applies|mode)\b|[\d.]+x\b|\b0\.\d+\b(?= )",
    re.IGNORECASE,
)
_HEADING = re.compile(r"defaults?(?: values?)?", re.IGNORECASE)
_PARTS = re.compile(r"[_-]|(?<=[a-z])(?=[A-Z])")
_NEAR = 160
_MOST = 400


@dataclass(frozen=True)
class _Default:
    """A setting by the words of its name, the value that is told for it, and where."""

    words: frozenset[str]
    value: float
    unit: str
    block: Block
    place: int
    text: str
    used: bool

    @property
    def line(self) -> int:
        return self.block.line(self.place)


def claims(document: Document) -> Iterator[Claim]:
    """The defaults that are used otherwise than they are defined."""
    found = [
        one
        for block in document.blocks
        if "efault" in block.text and _ENTRY.search(block.text)
        for one in _told(block)
    ]
    found = [*found, *_columns(document)][:_MOST]
    defined: dict[frozenset[str], set[float]] = defaultdict(set)
    for one in found:
        if not one.used:
            defined[one.words].add(one.value)
    for one in found:
        names = [words for words in defined if one.used and one.words <= words]
        if len(names) != 1 or len(defined[names[0]]) != 1:
            continue
        right = next(other for other in found if other.words == names[0] and not other.used)
        if right.unit == one.unit or not one.unit or not right.unit:
            yield _claim(one, right)


def _told(block: Block) -> Iterator[_Default]:
    text = block.text.replace(MATH, " ").replace(TEXT, " ").replace("\n", " ")
    for pattern, used in ((_USES, True), (_DEFINES, False)):
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - _NEAR) : found.start()]
            if _OTHER.search(f"{before[-50:]} {found[0]} {text[found.end() : found.end() + 40]}"):
                continue
            words = _name(found["name"] or "", before)
            if words:
                yield _default(words, found, block, found.start("number"), used)


def _name(named: str, before: str) -> frozenset[str]:
    """The words of the setting: named between, or the last one before."""
    inside = _SETTING.search(named)
    if inside is None and named:
        words = frozenset(word.lower().removesuffix("s") for word in re.split(r"[\s-]+", named) if word)
        return words if len(words) > 1 else frozenset()
    found = [inside] if inside else list(_SETTING.finditer(before))
    return setting_words(found[-1][1]) if found else frozenset()


def setting_words(setting: str) -> frozenset[str]:
    return frozenset(part.lower().removesuffix("s") for part in _PARTS.split(setting) if part)


def _columns(document: Document) -> Iterator[_Default]:
    """The cells of columns of defaults, beside the setting that begins the row."""
    number = re.compile(rf"\s*{_NUMBER}\s*")
    for table in document.tables:
        for place, cell in enumerate(table.header):
            if not place or not _HEADING.fullmatch(unmarked(cell.text)):
                continue
            for row in table.rows[:_MOST]:
                setting = _SETTING.fullmatch(unmarked(row[0].text))
                found = number.fullmatch(unmarked(row[place].text)) if place < len(row) else None
                if setting and found:
                    yield _default(setting_words(setting[1]), found, row[place], 0, used=False)


def _default(words: frozenset[str], found: re.Match[str], block: Block, place: int, used: bool) -> _Default:
    value = float(found["number"].replace(",", ""))
    unit = found["unit"] or ""
    measured = any(option.dimension for option in readings(unit))
    return _Default(words, value, unit if measured else "", block, place, found["number"], used)


def _claim(one: _Default, right: _Default) -> Claim:
    agrees = one.value == right.value
    hindered = "" if agrees else of_text(one.block, one.place)
    return Claim(
        line=one.line,
        text=one.text,
        verdict="true" if agrees else "unsure" if hindered else "false",
        expected=right.text,
        claimed=one.text,
        cause="" if agrees else hindered or f"another default there: line {right.line} has {right.text}",
        rule="two-values",
        because=f"line {right.line}",
        cell=one.block.cell,
    )
