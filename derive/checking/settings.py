"""Settings that the document shows in a configuration or a command, and tells otherwise: `--max-num-seqs=128`.

"With our max-num-seqs of 256" tells what is set. Where the only configuration of the document sets another value, and
nothing speaks of a change, it is false.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from derive.checking.blocks import MATH, TEXT, Block, Document
from derive.checking.claims import Claim
from derive.checking.defaults import setting_words
from derive.checking.gates import of_text
from derive.checking.sources import Source

_NAME = r"[a-z][a-z\d]{0,20}(?:[_-][a-z\d]{1,20}){1,6}"
_SPELT = rf"(?:--{_NAME}|[a-z][a-z\d]{{0,20}}(?:(?:_[a-z\d]{{1,20}}){{1,6}}|(?:-[a-z\d]{{1,20}}){{2,6}}))"
"""How the text spells a setting: a word with one hyphen may be any."""
_VALUE = r"(?P<value>\d{1,3}(?:[_,]\d{3})+|\d{1,12}(?:\.\d{1,6})?)"
_LINE = re.compile(
    rf"^[ \t]{{0,40}}(?:- )?[\"']{{0,2}}(?:--)?(?P<name>{_NAME})[\"']?(?: ?[:=] ?| {{1,30}}[:=] ?){_VALUE},?"
    r"[ \t]{0,20}\\?(?:#[^\n]{0,200}|n\",?)?$",
    re.MULTILINE,
)
_ROW = re.compile(
    rf"^\|[ *`]{{0,9}}(?:--)?(?P<name>{_NAME})[ *`]{{0,30}}\|[ *`\t]{{0,30}}{_VALUE}[ *`\t]{{0,30}}\|",
    re.MULTILINE,
)
_FLAG = re.compile(rf"(?<![\w-])--(?P<name>{_NAME})(?:=| {{1,4}}){_VALUE}(?![\w.]*\w)")
_USES = re.compile(
    rf"(?<![\w-])(?P<whose>(?:[Oo]ur|[Tt]he|[Ww]ith|[Aa]t|[Ii]ts|[Ss]ince|[Aa]s|[Bb]ecause|[Tt]his)\s+)?"
    rf"(?P<name>{_SPELT})"
    rf"(?P<link>\s+(?:of|at|is|=|being|stays? at|is set to|set to)\s+|\s?=\s?)(?:only )?"
    rf"{_VALUE}(?![\w.,/–-]*\d|\s?[×x*/]|\w)"
)
_CHANGED = re.compile(
    r"\b(?:was|were|old|new|previous(?:ly)?|former(?:ly)?|used to|no longer|until|chang\w+|instead|if|would|could|try|"
    r"tried|raise\w*|lower\w*|increas\w+|reduc\w+|from|rather|than|versus|vs|default\w*|both|either|also|tests?|tested|"
    r"once|before|after|earlier|later|another|other|second|runs?|experiments?|each|ablation|sweep|unless|even|suggest\w*|recommend\w*|typical\w*|usual\w*)\b|"
    r"(?-i:\b[Ff]or (?:the )?[A-Z])",
    re.IGNORECASE,
)
_NEAR, _BEHIND, _MOST = 70, 30, 400


def claims(source: Source, document: Document) -> Iterator[Claim]:
    """The settings that the text tells otherwise than the one configuration has them."""
    text = source.text
    shown: dict[frozenset[str], set[float]] = defaultdict(set)
    lines: dict[frozenset[str], tuple[int, str]] = {}
    for pattern in (_LINE, _ROW, _FLAG) if "-" in text or "_" in text else ():
        for number, found in enumerate(pattern.finditer(text)):
            if number >= _MOST:
                return
            words = setting_words(found["name"])
            shown[words].add(_value(found["value"]))
            lines.setdefault(words, (text.count("\n", 0, found.start("name")) + 1, found["value"]))
    if shown:
        for block in document.blocks:
            yield from _told(block, shown, lines)


def _told(
    block: Block, shown: dict[frozenset[str], set[float]], lines: dict[frozenset[str], tuple[int, str]]
) -> Iterator[Claim]:
    text = block.text.replace(MATH, " ").replace(TEXT, " ").replace("\n", " ")
    for found in _USES.finditer(text):
        words = setting_words(found["name"].removeprefix("--"))
        if len(shown.get(words, ())) != 1 or not (found["whose"] or " is " in found["link"]):
            continue
        line, right = lines[words]
        begin = text.rfind(". ", 0, found.start()) + 1
        around = (
            text[max(begin, found.start() - _NEAR) : found.start()]
            + text[found.end() : found.end() + _BEHIND]
        )
        agrees = _value(found["value"]) in shown[words]
        if block.line(found.start("value")) == line or _CHANGED.search(around):
            continue
        hindered = "" if agrees else of_text(block, found.start("value"))
        yield Claim(
            line=block.line(found.start("value")),
            text=found["value"],
            verdict="true" if agrees else "unsure" if hindered else "false",
            expected=right,
            claimed=found["value"],
            cause=""
            if agrees
            else hindered
            or f"another value is set: line {line} has {found['name'].removeprefix('--')} {right}",
            rule="two-values",
            because=f"line {line}",
            cell=block.cell,
        )


def _value(digits: str) -> float:
    return float(digits.replace(",", "").replace("_", ""))
