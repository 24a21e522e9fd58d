"""Calculations that a document sets off from its text: lines of arithmetic in a block without a language.

Programs, logs and the output of tools are passed over: a block counts only where none of
its lines looks like code, and a line only where arithmetic with numbers stands before its
sign of equality, which no program can assign to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.checking import aligned
from derive.checking.blocks import Document
from derive.checking.inline import plain

_LABELS = {"", "text", "txt", "plain", "plaintext", "math", "calc", "none"}
_CODE = re.compile(
    r"""[;{}\\@]|[=!<>+*/%-]=|=[=>]|->\s*\w+:|//|\bdef\b|\breturn\b|\bimport\b|\bprint\b|\bfor\b.*:\s*$|\w\(\w*\)|\w\[|"""
    r"""["'`]|^\s*(?:[$#>]|>>>|In \[|Out\[)|\d\d:\d\d:\d\d|\b(?:INFO|DEBUG|WARN\w*|ERROR)\b|"""
    r"""\b(?:step|epoch|loss|iter)\b\s*[=:#(\[]?\s*\d"""
)
_WORKED = re.compile(
    r"(?:[\d)%A-Za-z]\s*(?:[*×·/^]|\bx\b)|[\d)A-Za-z]\s+(?:[+−-]|\+(?: [A-Za-z]{3,}){1,3}))"
    r"\s*[$€(]*\d[^=≈]*[=≈]\s*(?:about |roughly )?[~≈$€]?\s?\d"
)
_WORTH = re.compile(
    r"[×·]|\d\s*(?:[kMGTPE]i?[Bb]|[mµun]?s|FLOP|byte|GPU|W|%)|\d[\d,.e]{3}|[$€]|\d \+ [A-Za-z]{3,} [A-Za-z ]{0,20}\d"
)
_LONGEST = 160
_MOST = 60


def is_worked(line: str) -> bool:
    """Whether a line is a calculation with its result, and long enough to be meant as one."""
    return len(line) <= _LONGEST and bool(_WORKED.search(line) and _WORTH.search(line))


def add(source: Sequence[str], lines: Sequence[int], into: Document, label: str = "") -> None:
    """Append the tables of a block, and its lines that are calculations; label: the language that the block names."""
    if label.strip().lower() not in _LABELS:
        return
    for table in aligned.tables(source):
        table.into(into, lines, lambda cell: plain(cell, markup=False))
    if len(source) > _MOST:
        return
    if any(len(line) > _LONGEST or _CODE.search(line) for line in source):
        return
    for line, number in zip(source, lines, strict=False):
        if is_worked(line):
            into.add(plain(line, markup=False), (number,), set_off=True)
