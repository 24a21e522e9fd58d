"""Quantities that the text states again in words: in another unit, as a share, as a change, as a time at a rate.

What agrees is true. What does not is false only where the words leave no room for another
meaning, or where a plain slip leads from the right number to the printed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.checking.blocks import MATH, TEXT
from derive.checking.causes import UNKNOWN, slip
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.gates import AMOUNT_BEFORE
from derive.checking.grammar import Operation
from derive.checking.inline import unmarked
from derive.checking.judging import judge, value_in
from derive.checking.quantities import Quantity
from derive.checking.scope import Evaluator, Scope
from derive.checking.values import Interval, over, plus, times
from derive.checking.words import readings

_ABOUT = (
    r"(?:(?:about|roughly|around|nearly|almost|only|just|some|exactly|an?|at (?:least|most)|over|under)\s+)*"
    r"[~≈]?\s*"
)
_AGAIN = re.compile(
    rf"\s*(?:,\s*)?(?:(or)|(i\.e\.,?)|((?:[a-z-]+ ){{0,2}}\()(?:or |i\.e\.,? |that is,? )?|,)\s*{_ABOUT}"
)
_OF = re.compile(
    r"\s*(?:out )?of\s+(?:the |its |our |their |a |an |all )?(?:theoretical |peak |possible )?~?"
)
_AGAINST = re.compile(r"[a-z ]{0,40}\b(?:against|versus|compared (?:with|to)|out of)\s+(?:the )?[~≈]?\s*")
_AMONG = re.compile(rf"[a-z -]{{0,40}},? (?:i\.e\.,?|which is|that is|or|(?:this|it) is)\s*{_ABOUT}")
_WHICH = re.compile(rf"\s*(?:(,? ?(?:which|that|this|it) is|,? i\.e\.,?|is|are)|,? or|,|:|\(|→)\s*{_ABOUT}")
_FROM = re.compile(r"\bfrom\s+(?:about |roughly )?[~≈]?\s*$")
_TO = re.compile(r"\s*(?:up |down |back )?to\s+(?:about |roughly |only )?[~≈]?\s*")
_CHANGE = re.compile(
    rf"\s*[,(:]?\s*(?:(?:that is|which is|is|means|makes|i\.e\.,?|or|and so)\s+)?(?:a |an |by |its |with )?\s*"
    rf"{_ABOUT}(?:\w+ )??(loss|drop|fall|cut|decrease|reduction|decline|saving|gain|increase|rise|growth|"
    rf"factor|by)?\s*(?:of )?{_ABOUT}"
)
_CHANGED = re.compile(r"\s*(?:drop|fall|cut|decrease|reduction|decline|gain|increase|rise|growth)\b")
_AT = re.compile(r"\s*(?:[a-z-]+\s+){0,4}(?:at|over|with|through)\s+(?:the |a |an |its |our )?[~≈]?\s*")
_TAKES = re.compile(rf"[^.;:,()\d]{{0,40}}\b(?:takes?|took|needs?|lasts?|is|are|costs?|makes?|in)\s+{_ABOUT}")
_LINKED = re.compile(r"[^.;|=≈]{1,70}", re.DOTALL)
_ENTRY = re.compile(
    r"%|\bor\b|i\.e\.|(?<![*/×+=-] )(?<![*/×+=-])\((?:or |i\.e\.,? |that is,? )?\W?\d|,\s[~≈$]?\d|\bfactor\b|"
    r"\b(?:at|over|with|through)\b.*\b(?:takes?|took|needs?|lasts?|costs?|makes?|is|are|in)\b"
)
_MORE = re.compile(
    r"\s*(?:per|each|a|an|every|more|less|of|larger|smaller|faster|slower|to|and|with|for|on|/)\b|\s*[-–+*/×^‥]"
)
_BOUND = re.compile(r"\b(?:at least|at most|over|under|up to|more than|less than)\s+[~≈]?$")
_WITH = re.compile(r"\b(?:on|with|for|at|by|per|in|than)\s+(?:the |a |all )?[~≈]?$")
_WHOLE = 1.5
_MOST = 24


def claims(clause: Clause) -> Iterator[Claim]:
    """The claims of a sentence that restate its quantities."""
    if clause.row or not _ENTRY.search(clause.text):
        return
    found = clause.quantities[:_MOST]
    for one, other in pairwise(found):
        yield from _in_another_unit(clause, one, other)
    changed = "from" in clause.text
    for trio in zip(found, found[1:], found[2:], strict=False):
        yield from _share(clause, trio)
        if changed:
            yield from _change(clause, trio)
        yield from _worked_out(clause, trio)


def _in_another_unit(clause: Clause, one: Quantity, other: Quantity) -> Iterator[Claim]:
    """`59.5 h, or 214,200 s`, `80 GB (74.5 GiB)`."""
    if not one.literal.unit or not other.literal.unit or _same_unit(one, other):
        return
    link = _AGAIN.fullmatch(_gap(clause, one, other))
    if link is None:
        return
    behind = clause.text[other.end :].lstrip(TEXT)
    if (link[3] and not behind.startswith(")")) or _MORE.match(behind) or _counted(other) - _counted(one):
        return
    lefts, rights = _options(one), _options(other)
    if not any(a.dimension == b.dimension != () for _, a in lefts for _, b in rights):
        return
    judged = judge(one.literal, lefts, other.literal, rights, "≈", other.about)
    dimension = rights[0][1].dimension
    expected = value_in(judged.expected, other.literal, dimension)
    if judged.verdict == "true":
        yield _claim(clause, one, other, "true", expected, "", "conversion", clause.piece(one))
    elif link[1] and AMOUNT_BEFORE.search(clause.text, max(0, one.start - 16), one.start):
        return  # a list of amounts
    elif judged.verdict == "false" and (link[1] or link[2] or link[3]) and not _BOUND.search(link[0]):
        cause = slip(other.literal, judged.expected / other.factor(dimension))
        if cause != UNKNOWN and (link[2] or not cause.startswith("prefix")):
            yield _claim(clause, one, other, "false", expected, cause, "conversion", clause.piece(one))


def _counted(quantity: Quantity) -> set[str]:
    """The words of a unit that are no unit: the tray of GB/s per tray."""
    words = re.findall(r"[^\W\d]+", quantity.literal.unit)
    return {word for word in words if not any(option.dimension for option in readings(word))}


def _gap(clause: Clause, one: Quantity, other: Quantity) -> str:
    """The words between two quantities, without the marks of mathematics."""
    gap = clause.text[one.end : other.start]
    return gap.replace(MATH, "").replace(TEXT, "") if MATH in gap or TEXT in gap else gap


def _same_unit(one: Quantity, other: Quantity) -> bool:
    first, second = one.literal.options[0], other.literal.options[0]
    return (first.factor, first.dimension) == (second.factor, second.dimension)


def _options(quantity: Quantity) -> list[tuple[dict[str, int], Interval]]:
    return Evaluator(Scope(), -1, 0).options(quantity.literal)


def _share(clause: Clause, trio: Sequence[Quantity]) -> Iterator[Claim]:
    """`4,900 tokens/s, which is 65 % of 7,556`, `380 of 989 TFLOP/s is 38 %`."""
    first, second, third = trio
    if second.literal.unit == "%":
        part, percent, whole = first, second, third
        link, of = _WHICH, _OF
    elif third.literal.unit == "%":
        part, whole, percent = first, second, third
        link, of = _OF, _WHICH
    else:
        return
    if "%" in (part.literal.unit, whole.literal.unit):
        return
    between = link.fullmatch(_gap(clause, first, second))
    behind = of.fullmatch(_gap(clause, second, third))
    if between is not None and behind is not None:
        sure = bool((between if link is _WHICH else behind)[1])
    elif (
        link is _OF
        and _AGAINST.fullmatch(_gap(clause, first, second))
        and _AMONG.fullmatch(_gap(clause, second, third))
    ):
        sure = False
    else:
        return
    sure = sure and not _WITH.search(clause.text[: part.start])
    value = _ratio(part, whole)
    if value is not None and value.mid < _WHOLE:
        yield from _percent(
            clause, first, third, percent, value, sure, f"{clause.piece(part)} / {clause.piece(whole)}"
        )


def _ratio(part: Quantity, whole: Quantity) -> Interval | None:
    """A quotient of two amounts of one kind; a bare one has the unit of the other."""
    one, other = part.literal.at({}), whole.literal.at({})
    if one.dimension != other.dimension:
        if part.literal.unit and whole.literal.unit:
            return None
        one, other = (Interval(*_printed(side)) for side in (part, whole))
    return over(one, other)


def _printed(quantity: Quantity) -> tuple[float, float, float]:
    literal = quantity.literal
    return literal.value - literal.slack, literal.value, literal.value + literal.slack


def _change(clause: Clause, trio: Sequence[Quantity]) -> Iterator[Claim]:
    """`from 2.10 to 1.68 M tokens/s, a loss of 20 %`, `from 112 to 1994, a factor of 17.8`."""
    old, new, told = trio
    if not _FROM.search(clause.text[max(0, old.start - 24) : old.start]) or not _TO.fullmatch(
        _gap(clause, old, new)
    ):
        return
    words = _CHANGE.fullmatch(_gap(clause, new, told))
    if words is None:
        return
    noun = words[1] or _CHANGED.match(clause.text, told.end)
    because = f"{clause.piece(old)} to {clause.piece(new)}"
    ratio = _ratio(new, old)
    if ratio is None or not noun:
        return
    if told.literal.unit == "%" and noun != "factor":
        change = plus(ratio, Interval(1.0, 1.0, 1.0), -1)
        if change is not None:
            value = Interval(-change.high, -change.mid, -change.low) if change.mid < 0 else change
            yield from _percent(clause, old, told, told, value, True, because)
    elif noun == "factor" and not told.literal.unit:
        factor = ratio if ratio.mid >= 1 else over(Interval(1.0, 1.0, 1.0), ratio)
        if factor is not None:
            yield from _held(clause, old, told, told, factor, True, because)


def _percent(
    clause: Clause, first: Quantity, last: Quantity, told: Quantity, value: Interval, sure: bool, because: str
) -> Iterator[Claim]:
    if 0 < value.mid < 20:
        yield from _held(clause, first, last, told, value, sure, because)


def _worked_out(clause: Clause, trio: Sequence[Quantity]) -> Iterator[Claim]:
    """`27 GB at 50 GB/s takes 0.54 s`, `3 h at 2 kW are 6 kWh`: false only by a slip, and where nothing is between.

    Three amounts of different kinds of which one is the product or quotient of the others are
    one calculation, if the numbers agree as well.
    """
    one, other, told = trio
    if not all(quantity.literal.options[0].dimension for quantity in trio):
        return
    first, second = _gap(clause, one, other), _gap(clause, other, told)
    if not _LINKED.fullmatch(first) or not _LINKED.fullmatch(second):
        return
    a, b = one.literal.at({}), other.literal.at({})
    kind = told.literal.options[0].dimension
    close = bool(_AT.fullmatch(first) and _TAKES.fullmatch(second))
    left, right = clause.piece(one), clause.piece(other)
    for value, because in (
        (over(a, b), f"{left} / ({right})"),
        (over(b, a), f"{right} / ({left})"),
        (times(a, b), f"{left} × {right}"),
    ):
        if value is None or value.dimension != kind:
            continue
        yield from (
            claim
            for claim in _held(clause, one, told, told, value, False, because)
            if close or claim.verdict == "true"
        )


def _held(
    clause: Clause, first: Quantity, last: Quantity, told: Quantity, value: Interval, sure: bool, because: str
) -> Iterator[Claim]:
    """A number held against what the words make of the others. sure: nothing else can be meant."""
    worked = Operation("/", (first.literal, last.literal))
    judged = judge(worked, [({}, value)], told.literal, _options(told), "≈", told.about)
    expected = value_in(value.mid, told.literal, value.dimension)
    if judged.verdict == "true":
        yield _claim(clause, first, last, "true", expected, "", "chain", because, told)
    elif judged.verdict == "false" and not _BOUND.search(clause.text[: told.start][-16:]):
        cause = slip(told.literal, value.mid / told.factor(value.dimension))
        if sure or cause != UNKNOWN:
            yield _claim(clause, first, last, "false", expected, cause, "chain", because, told)


def _claim(
    clause: Clause,
    first: Quantity,
    last: Quantity,
    verdict: str,
    expected: str,
    cause: str,
    rule: str,
    because: str,
    told: Quantity | None = None,
) -> Claim:
    hindered = clause.hindered(first.start) if verdict == "false" else ""
    return Claim(
        line=clause.line((told or last).start),
        text=unmarked(clause.text[first.start : last.end]),
        verdict="true" if verdict == "true" else "unsure" if hindered else "false",
        expected=expected,
        claimed=clause.piece(told or last),
        cause=hindered or cause,
        rule=rule,
        because=because,
        cell=clause.block.cell,
    )
