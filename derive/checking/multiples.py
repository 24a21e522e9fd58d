"""So much for each of them, so many of them, and so much in all: three numbers of neighbouring sentences.

`Each layer takes 2 GB. With 32 layers that is 64 GB.` The thing counted must be the same word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter

from derive.checking.blocks import MATH, TEXT, Block, Document
from derive.checking.causes import slip
from derive.checking.claims import Claim
from derive.checking.gates import of_text
from derive.checking.grammar import Operation
from derive.checking.inline import unmarked
from derive.checking.judging import judge, value_in
from derive.checking.quantities import Quantity, quantities
from derive.checking.scope import Evaluator, Scope

_HOLDS = r"(?:takes|needs|has|holds|uses|costs|reads|moves|sends|stores|draws|adds|brings|delivers|offers|provides|is)"
_ABOUT = r"(?:(?:about|roughly|only|just|some|another|exactly)\s+)?[~≈]?\s*"
_EACH = re.compile(
    rf"\b(?:each|every|one|an?) (?:single )?([a-z]{{3,}}) {_HOLDS}\s+{_ABOUT}(?=[$\d])", re.IGNORECASE
)
_PER = re.compile(r"\s*(?:per|a|an|each|for each|for every|/)\s+([A-Za-z]{3,})\b")
_ALL = re.compile(
    r"\b(\d[\d,]*) (?:such |of these |of them )?([A-Za-z]{3,}?)(?:s|es)\b,?[^.;:\d]{0,24}?"
    r"\b(?:(?:that|this|it|which) (?:is|makes|gives)|makes?|comes? to|needs?|takes?|uses?|holds?|costs?|draws?|"
    rf"have|has|delivers?|offers?|gives?|are|is)\s+(?:a total of |in all |together )?{_ABOUT}(?=[$\d])"
)
_OPEN = re.compile(
    r"\b(?:another|extra|more|plus|minus|except|share[sd]?|besides|also|overhead|instead|if|when)\b",
    re.IGNORECASE,
)
_EACH_AGAIN = re.compile(r"\s*(?:per|each|a|an|every|more|less|/)\b")
_start = attrgetter("start")
_AHEAD = 260
_MOST, _LONGEST = 400, 20_000


def claims(document: Document) -> Iterator[Claim]:
    """The totals of a document that follow from a part and a count."""
    made = 0
    for block in document.blocks:
        if len(block.text) > _LONGEST or made > _MOST or not _ALL.search(block.text):
            continue
        for claim in _of_block(block):
            made += 1
            yield claim


def _of_block(block: Block) -> Iterator[Claim]:
    text = block.text.replace(MATH, " ").replace(TEXT, " ")  # places stay as they are
    found = quantities(text)
    starts = {one.start: one for one in found}
    for count in _ALL.finditer(text):
        total = starts.get(count.end())
        part = _part(text, found, starts, count)
        if total is not None and part is not None:
            yield from _held(block, text, part, count, total)


def _part(
    text: str, found: list[Quantity], starts: dict[int, Quantity], count: re.Match[str]
) -> Quantity | None:
    """What each of the things counted has, told last before the count."""
    begin = max(0, count.start() - _AHEAD)
    parts = [
        starts[match.end()]
        for match in _EACH.finditer(text, begin, count.start())
        if match.end() in starts and match[1].lower() == count[2].lower()
    ]
    for one in found[bisect_left(found, begin, key=_start) : bisect_left(found, count.start(), key=_start)]:
        behind = _PER.match(text, one.end)
        unit = one.literal.unit.rpartition("/")
        if (behind and behind[1] == count[2]) or (unit[1] and unit[2].strip() == count[2]):
            parts.append(one)
    return max(parts, key=lambda one: one.start, default=None)


def _held(block: Block, text: str, part: Quantity, count: re.Match[str], total: Quantity) -> Iterator[Claim]:
    evaluator = Evaluator(Scope(), -1, 0)
    many = quantities(count[1])[0]
    worked = Operation("×", (many.literal, part.literal))
    values, claimed = evaluator.options(worked), evaluator.options(total.literal)
    if not any(value.dimension == other.dimension != () for _, value in values for _, other in claimed):
        return
    judged = judge(worked, values, total.literal, claimed, "≈", total.about or part.about)
    if judged.verdict == "unsure" or _EACH_AGAIN.match(text, total.end):
        return
    between = text[part.end : total.start]
    cause = hindered = ""
    if judged.verdict == "false":
        other = (
            _OPEN.search(between)
            or re.search(r"\b(?:and|with)\b", count[0])
            or re.search(r"\d", text[part.end : count.start()])
        )
        hindered = of_text(block, total.start) or ("something else may be counted" if other else "")
        cause = slip(total.literal, judged.expected / total.factor(claimed[0][1].dimension))
    yield Claim(
        line=block.line(total.start),
        text=unmarked(text[count.start() : total.end]),
        verdict="unsure" if hindered else judged.verdict,
        expected=value_in(judged.expected, total.literal, claimed[0][1].dimension),
        claimed=unmarked(text[total.start : total.end]),
        cause=hindered or cause,
        rule="chain",
        because=f"{count[1]} × {unmarked(text[part.start : part.end])}",
        cell=block.cell,
    )
