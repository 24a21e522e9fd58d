"""What a told number must be, of the numbers given in a phrase: the likeliest first, none where they do not fit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.checking.nouns import TIMES
from derive.checking.quantities import Quantity
from derive.checking.subjects import WIDTHS, precisions
from derive.checking.values import Interval, half_unit, over, plus, times
from derive.checking.worded import printed, ratio
from derive.checking.words import counted

_LESS = re.compile(r"faster|slower|quicker|speed-?up|speedup|throughput|cheaper", re.IGNORECASE)
_FASTER = re.compile(r"\b(?:faster|quicker|more throughput|higher throughput)\b")
_FEWER = re.compile(r"\b(?:less|fewer|lower|smaller|shorter|cheaper|faster|quicker)\b", re.IGNORECASE)
_EACH = re.compile(r"\b(?:each|apiece)\b")
_WHOLE, _LITTLE = 1.5, 1e-3
_SECOND = (("second", 1),)
PERIODS = "|".join(TIMES)
_ENTRIES = {(noun, 1) for noun in ("entry", "entries", "element", "value", "number")}
FRACTIONS = {
    "half": 0.5, "one half": 0.5, "a half": 0.5, "a third": 1 / 3, "one third": 1 / 3, "two thirds": 2 / 3,
    "a quarter": 0.25, "one quarter": 0.25, "three quarters": 0.75,
    "a fifth": 0.2, "a tenth": 0.1, "an eighth": 0.125, "twice": 2.0,
    "double": 2.0, "three times": 3.0, "four times": 4.0, "triple": 3.0, "eight times": 8.0, "ten times": 10.0,
}  # fmt: skip


def _quotient(one: Quantity, other: Quantity) -> Interval | None:
    """The quotient of two amounts of one kind that count the same, or say nothing of it."""
    first, second = counted(one.literal.unit), counted(other.literal.unit)
    return ratio(one, other) if first == second or not first or not second else None


def share(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """A part as a share of its whole."""
    some, whole = given
    value = _quotient(some, whole)
    if value is not None and not some.literal.unit and value.mid < _LITTLE:
        value = over(printed(some), printed(whole))  # 176 of the 218 million
    return [value] if value is not None and 0 < value.mid < _WHOLE else []


def ratios(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """How many times one is the other, the larger over the smaller first."""
    both = [_quotient(given[0], given[1]), _quotient(given[1], given[0])]
    return sorted((one for one in both if one is not None), key=lambda one: -one.mid)


def quotient(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """The first over the second."""
    value = _quotient(given[0], given[1])
    return [] if value is None else [value]


def change(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """By how much the first is more or less than the second; where it is about speed, perhaps of the times."""
    values = []
    pairs = [given, given[::-1]] if _LESS.search(found.string, found.start()) else [given]
    if len(pairs) > 1 and _FASTER.search(found[0]) and any(map(_is_rate, given)):
        pairs = [sorted(given, key=lambda one: -one.literal.value)]  # so much faster than the slower one
    for one, other in pairs:
        value = _quotient(one, other)
        more = None if value is None else plus(value, Interval(1.0, 1.0, 1.0), -1)
        if more is not None and more.mid:
            values.append(Interval(-more.high, -more.mid, -more.low) if more.mid < 0 else more)
    return values


def _is_rate(one: Quantity) -> bool:
    """Whether an amount is one a second."""
    return any(dict(option.dimension).get("second") == -1 for option in one.literal.options)


def change_either(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """The same where the words leave open which of the two comes first: the one that is more, or the one that was."""
    less = _FEWER.search(found[0]) is not None
    fitting = (given[0].literal.value < given[1].literal.value) == less
    orders = (given, given[::-1]) if fitting else (given[::-1], given)
    return [value for order in orders for value in change(order, found)]


def changed(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """By how much the second is more or less than the first, of which it is counted."""
    return change(given[::-1], found) if _LESS.search(found.string) is None else []


def risen(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """By how much the second is more or less than the first, both to the last digit that is printed."""
    value = _quotient(given[1], given[0])
    if value is None or not value.mid or _LESS.search(found.string) is not None:
        return []
    reach = sum(
        half_unit(one.literal.digits, loose=False) / one.literal.value for one in given if one.literal.value
    )
    change, off = abs(value.mid - 1), value.mid * reach
    return [Interval(change - off, change, change + off)]


def share_or_change(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """One as a share of the other, or by how much it is more or less: 76 % (6.9 ms against 9.1 ms)."""
    shares = [value for order in (given, given[::-1]) for value in share(order, found)]
    return [*shares, *change_either(given, found)]


def complement(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """What a percentage leaves of the whole: 65 % of the plan, a loss of 35 %."""
    value = given[0].literal.at({})
    left = plus(Interval(1.0, 1.0, 1.0), value, -1)
    return [left] if left is not None and 0 < left.mid < 1 else []


def one_in(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """One in so many as a share."""
    value = over(Interval(1.0, 1.0, 1.0), given[0].literal.at({}))
    return [value] if value is not None and not value.dimension and 0 < value.mid < 1 else []


def frequency(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """How often in a day something comes that comes every so many minutes: a number, or so many a day."""
    value = given[0].literal.at({})
    if value.dimension != _SECOND or not value.mid:
        return []
    period = TIMES[found["time"]]
    often = over(Interval(period, period, period, _SECOND), value)
    turned = over(Interval(1.0, 1.0, 1.0), value)
    return [one for one in (often, turned) if one is not None]


def downtime(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """The time of a year or month that an availability leaves; a month has 30 days, or a twelfth of a year."""
    left = plus(Interval(1.0, 1.0, 1.0), given[0].literal.at({}), -1)
    if left is None or not 0 < left.mid < 1:
        return []
    periods = (30 * TIMES["day"], TIMES["month"]) if found["time"] == "month" else (TIMES[found["time"]],)
    return [times(left, Interval(period, period, period, _SECOND)) for period in periods]


def in_format(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """The bytes of so many entries in a number format."""
    unit = counted(given[0].literal.unit)
    named = precisions(found["format"])
    if not named or named[0][0] not in WIDTHS or not set(unit) & _ENTRIES:
        return []
    width = WIDTHS[named[0][0]]
    return [times(given[0].literal.at({}), Interval(width, width, width, (("byte", 1),)))]


def part(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """So many percent of an amount."""
    percent, whole = given
    return [times(percent.literal.at({}), whole.literal.at({}))] if percent.literal.unit == "%" else []


def fraction(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """A half, a third or twice an amount."""
    value = FRACTIONS.get(found["fraction"].lower())
    if value is None or not given[0].literal.unit:
        return []
    return [times(Interval(value, value, value), given[0].literal.at({}))]


def _alike(given: Sequence[Quantity]) -> list[Interval]:
    """The values of amounts of one kind, or of counts; [] where they are not."""
    values = [one.literal.at({}) for one in given]
    units = {one.literal.unit for one in given if one.literal.unit}
    alike = bool(values[0].dimension) or (len(units) == 1 and "%" not in units)
    return values if alike and len({value.dimension for value in values}) == 1 else []


def total(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """The sum of two amounts."""
    values = _alike(given)
    whole = plus(values[0], values[1], 1) if values else None
    return [] if whole is None else [whole]


def rest(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """What is left of the first without the second."""
    values = _alike(given)
    left = plus(values[0], values[1], -1) if values else None
    return [] if left is None or left.mid <= 0 else [left]


def many(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """So many of so much each."""
    count, each = given
    if not each.literal.unit or "%" in (each.literal.unit, count.literal.unit):
        return []
    if count.literal.options[0].dimension and not _EACH.search(found[0]):
        return []
    return [
        times(
            printed(count) if count.literal.options[0].dimension else count.literal.at({}),
            each.literal.at({}),
        )
    ]


def priced(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """So many hours or kWh at a price for each: the number as it is printed."""
    count, price = given
    if price.literal.unit != "USD" or not count.literal.options[0].dimension or "USD" in count.literal.unit:
        return []  # cards at a price may be told for so many hours
    return [times(printed(count), price.literal.at({}))]


def split(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """So much over so many."""
    whole, count = given
    if count.literal.options[0].dimension or "%" in (whole.literal.unit, count.literal.unit):
        return []
    value = over(whole.literal.at({}), count.literal.at({}))
    return [value] if value is not None and whole.literal.unit else []


def inverse(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """So many a second where one takes so long."""
    value = given[0].literal.at({})
    turned = over(Interval(1.0, 1.0, 1.0), value) if value.dimension == (("second", 1),) else None
    return [] if turned is None else [turned]


def inverse_each(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """The same where the unit says for what: ms/token."""
    return inverse(given, found) if counted(given[0].literal.unit) else []


def per_token(given: Sequence[Quantity], found: re.Match[str]) -> Sequence[Interval]:
    """The operations of a token: two for each parameter, or six in training."""
    literal = given[0].literal
    if counted(literal.unit) != (("parameter", 1),):
        return []
    return [times(Interval(each, each, each, (("FLOP", 1),)), literal.at({})) for each in (2.0, 6.0)]
