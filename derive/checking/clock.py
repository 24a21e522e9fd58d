"""Times of day and dates with the time between them, and what a day, an hour or a year has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.seeking import Sought
from derive.checking.slips import cause_of, held

_TIME = (
    r"(?:(?:(?P<{0}year>\d{{4}})-)?(?P<{0}month>\d\d)-(?P<{0}day>\d\d)[ T,]+)?"
    r"(?P<{0}hour>[01]?\d|2[0-3]):(?P<{0}minute>[0-5]\d)"
)
_SPAN = re.compile(
    rf"(?<![\d:.]){_TIME.format('a_')}(?: UTC)?\s*(?:to|until|till|through|and|-|–|‥|→)\s*"
    rf"{_TIME.format('b_')}(?![\d:])(?: UTC)?(?P<link>[^.;\d]{{0,40}}?)(?=\d)"
)
_LINK = re.compile(
    r"[\s,(:=]*(?:(?:that|this|it|which|i\.e\.|so|hence|is|was|are|takes?|took|lasts?|lasted|makes?|about|some|roughly|"
    r"exactly|just|only|a total of|or)[\s,:]+)*[~≈]?\s*|"
    r"\s(?:it|we|this|the [a-z]+) (?:was|were|is|had|ran|stood)(?: [a-z]+)?, (?:about |some )?[~≈]?"
)
_HAS = Sought(
    r"\b(?:an?|one|each|every) (?P<what>minute|hour|day|week|leap year|year) (?:only )?"
    r"(?:has|is|are|lasts|makes|counts)"
    r"\s+(?:exactly |only )?$",
    ("minute", "hour", "day", "week", "year"),
    ignore_case=True,
)
_LENGTHS = {
    "minute": (60.0,),
    "hour": (3600.0,),
    "day": (86_400.0,),
    "week": (604_800.0,),
    "year": (31_536_000.0, 31_557_600.0, 31_622_400.0, 31_556_952.0),
    "leap year": (31_622_400.0,),
}
_UNITS = ("s", "second", "seconds", "h", "hour", "hours", "minutes", "days")
_SECONDS = (("second", 1),)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY = 1440
_TWICE, _HALF_A_MINUTE = 2.0, 30.0


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences that tell how long something lasts."""
    for clause in every:
        if clause.row:
            continue
        text = clause.plain
        spans = list(_SPAN.finditer(text)) if text.count(":") > 1 else []
        lengths = _HAS.may_stand_in(text) and any(
            _HAS.search(text, max(0, one.start - 40), one.start) for one in clause.quantities
        )
        if spans or lengths:
            yield from _of_sentence(clause, spans, text)


def _of_sentence(clause: Clause, spans: Sequence[re.Match[str]], text: str) -> Iterator[Claim]:
    found = [one for one in amounts(clause) if one.kind == _SECONDS]
    for span in spans:
        told = next((one for one in found if one.start == span.end()), None)
        minutes = _between(span)
        if told is not None and minutes is not None and _LINK.fullmatch(span["link"]):
            because = f"{span['b_hour']}:{span['b_minute']} - {span['a_hour']}:{span['a_minute']}"
            yield from _held(told, (60.0 * minutes,), because)
    for told in found:
        named = _HAS.search(text, max(0, told.start - 40), told.start)
        if named and told.quantity is not None and told.literal.unit in _UNITS:
            what = named["what"].lower()
            yield from _held(told, _LENGTHS[what], f"the length of {'an' if what == 'hour' else 'a'} {what}")


def _between(span: re.Match[str]) -> int | None:
    """The minutes between two times; over midnight where the second one is earlier, None where days are missing."""
    first, second = (int(span[f"{side}hour"]) * 60 + int(span[f"{side}minute"]) for side in ("a_", "b_"))
    if bool(span["a_day"]) != bool(span["b_day"]):
        return None
    if span["a_day"] is None:
        return second - first if second > first else second - first + _DAY
    days = _day(span, "b_") - _day(span, "a_")
    minutes = days * _DAY + second - first
    return minutes if minutes > 0 else None


def _day(span: re.Match[str], side: str) -> int:
    """The day of a date, counted from a fixed one; without its year as in one without a leap day."""
    month, year = int(span[f"{side}month"]), int(span[f"{side}year"] or 1)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    past = year - 1
    days = 365 * past + past // 4 - past // 100 + past // 400
    return days + sum(_DAYS[: max(0, month - 1)]) + int(span[f"{side}day"]) + (leap and month > 2)


def _held(told: Amount, rights: Sequence[float], because: str) -> Iterator[Claim]:
    """A duration held against what it should be; one in hours and minutes is told to the minute."""
    if told.quantity is None:
        yield from _to_the_minute(told, rights[0], because)
        return
    if any(abs(told.value.mid - right) <= told.slack for right in rights):
        yield held(told.clause, told.quantity, "true", rights[0], "", because)
        return
    cause = cause_of(told.quantity, told.in_its_unit(rights[0]))
    if cause != UNKNOWN or 1 / _TWICE < told.value.mid / rights[0] < _TWICE:
        yield held(told.clause, told.quantity, "false", rights[0], cause, because)


def _to_the_minute(told: Amount, right: float, because: str) -> Iterator[Claim]:
    one = next((one for one in told.clause.quantities if told.start <= one.start < told.end), None)
    if one is None:
        return
    off = abs(told.value.mid - right)
    if off <= _HALF_A_MINUTE or 1 / _TWICE < told.value.mid / right < _TWICE:
        found = held(
            told.clause, one, "true" if off <= _HALF_A_MINUTE else "false", right, "miscounted", because
        )
        cause = "" if found.verdict == "true" else found.cause
        hours, minutes = divmod(round(right / 60), 60)
        yield replace(
            found, text=told.shown, claimed=told.shown, expected=f"{hours} h {minutes} min", cause=cause
        )
