"""Sentences that tie two or three numbers by words: a share, a ratio, a change, a part, a sum, what is left.

Each quantity of a sentence is replaced by a mark, and the patterns here are matched against what remains. A
number is false where the words leave no room for another meaning, or where a plain slip leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from derive.checking import relating
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.marks import (
    FACTOR,
    MARK,
    PERCENT,
    skeleton,
)
from derive.checking.quantities import Quantity
from derive.checking.slips import hindrance
from derive.checking.worded import held
from derive.checking.wordings import PHRASES, Phrase
from derive.checking.words import counted

_WITH = re.compile(r"\b(?:on|with|for|at|by|per|in|than)\s+(?:the |a |all )?[~≈]?$")
_FOR_ALL = re.compile(r" (?:for|over|across|on) (?:all|the (?:whole|\d+|node|cluster))\b")
_GOES_ON = re.compile(r"\s*(?:[×*·] ?[\d(]|[\^/]|[-+] ?\d)")
"""What stands behind a number that is the first of a calculation."""
_SPEED = re.compile(
    r"\s?(?:x|×|times|-?fold)?\s(?:as )?(?:slow|fast|quick|long|short|cheap|dear|expensive)\w*"
)
_COSTS = re.compile(r" (?:costs?|takes?|needs?|gives?|brings?|buys?|adds?|uses?|draws?) ")
"""What a change of a count does to something else: going from 1 to 64 costs 2.8 times as much."""
_SAME = 1e-9
_ARROW = re.compile(r"->|→|⇒")
_IN_PERCENT = (
    relating.share,
    relating.one_in,
    relating.change,
    relating.change_either,
    relating.changed,
    relating.risen,
    relating.share_or_change,
    relating.complement,
)
_EACH_OF = re.compile(r"[\s\x02\x03]*(?:each|apiece|per)\b")
_DEVICES = re.compile(
    r"\s?(?:GPU|TPU|card|node|device|chip|rank|user|stream|worker|machine|server|replica|layer|thread)s?\b"
)
_LABELLED = re.compile(r"\b[A-Za-z]{4,} $")
_LEAD = re.compile(r"\b(?:lead|gap|advantage|edge|premium|margin|difference|discount|headroom)\b")
"""What is no share of the larger amount."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_INSTEAD = re.compile(r"instead of|rather than")
_ENTRY = re.compile(
    r"%|percent|times|factor|speed|\dx\b|[×x] |twice|double|triple|hal[fv]|third|quarter|plus|minus|leav|remain|left|"
    r"add|gain|fold|ratio|\b(?:each|per|over|across|among|between|by|on|together|all|total|and|of|with|at|having|a|every|second)\b"
)


@cache
def _fitting(most: int, percent: bool, factor: bool) -> tuple[Phrase, ...]:
    """The phrases of so many marks or fewer, which these may be among."""
    lacking = {mark for mark, is_there in ((PERCENT, percent), (FACTOR, factor)) if not is_there}
    return tuple(one for one in PHRASES if len(one.roles) <= most and not one.marks & lacking)


def claims(clause: Clause) -> Iterator[Claim]:
    """The claims of a sentence in which words tie two or three numbers."""
    if clause.row or len(clause.quantities) < 2 or not _ENTRY.search(clause.text):
        return
    text, marked = skeleton(clause)
    places = [mark.start() for mark in MARK.finditer(text)]
    told: set[int] = set()
    for phrase in _fitting(min(len(marked), 3), PERCENT in text, FACTOR in text):
        if not all(map(text.__contains__, phrase.hints)):
            continue
        for found in phrase.pattern.finditer(text):
            first = sum(place < found.start() for place in places)
            matched = marked[first : first + len(phrase.roles)]
            claim = _held(clause, phrase, found, matched)
            if claim is not None and matched[phrase.roles.index("t")].start not in told:
                told.add(matched[phrase.roles.index("t")].start)
                yield claim


def _held(clause: Clause, phrase: Phrase, found: re.Match[str], matched: Sequence[Quantity]) -> Claim | None:
    given = [matched[phrase.roles.index(role)] for role in "ab" if role in phrase.roles]
    told = matched[phrase.roles.index("t")]
    if all(_YEAR.fullmatch(one.literal.digits) and not one.literal.unit for one in given):
        return None
    if any(_restates(told, one) for one in given) or _GOES_ON.match(clause.text, told.end):
        return None
    values = phrase.relation(given, found)
    values = [
        value for value in values if any(value.dimension == one.dimension for one in told.literal.options)
    ]
    if not values or (told.literal.unit == "%") != (phrase.relation in _IN_PERCENT):
        return None
    if phrase.relation is relating.ratios and _is_of_another(clause, given, told, found[0]):
        return None
    if phrase.relation is relating.share and _is_rest(told, values[0].mid):
        return None
    if phrase.relation is relating.many and counted(told.literal.unit) != counted(given[1].literal.unit):
        return None
    if phrase.relation is relating.split and _EACH_OF.match(clause.text, given[0].end):
        return None  # what each has is not split
    if phrase.relation is relating.split and set(counted(given[1].literal.unit)) & set(
        counted(told.literal.unit)
    ):
        return None  # so many days on so many devices are device-hours
    groups = found.groupdict()
    loose = bool(groups.get("loose")) or (
        "each" in groups and not groups["each"] and "/" not in told.literal.unit
    )
    if phrase.relation is relating.part and (
        _FOR_ALL.match(clause.text, told.end) or matched[0] != clause.quantities[0]
    ):
        loose = True  # perhaps so many times as much
    if phrase.relation is relating.share and _LEAD.search(found[0]):
        loose = True
    if phrase.roles == "atb" and _is_numbered(clause, given[0], given[1]):
        return None
    if phrase.relation is relating.share and _WITH.search(clause.text, 0, given[0].start):
        loose = True
    return held(
        clause,
        matched[0],
        matched[-1],
        told,
        values,
        " and ".join(clause.piece(one) for one in given),
        sure=phrase.sure and not loose,
        alike=_unit(told) in {_unit(one) for one in given},
        prefixes=phrase.sure,
        hindered=hindrance(clause, matched[0].start) if _INSTEAD.search(found[0]) else None,
    )


def _is_rest(told: Quantity, share: float) -> bool:
    """Whether a percentage is what a part leaves of the whole: 72 min of 43,200 min down, so 99.83 %."""
    own, slack = told.literal.value / 100, told.literal.slack / 100
    return abs(own - (1 - share)) <= slack + _SAME < abs(own - share)


def _is_of_another(clause: Clause, given: Sequence[Quantity], told: Quantity, found: str) -> bool:
    """Whether a ratio is that of something else than two counts: so many more cards are so many times faster.

    A loss of 7 points is no ratio either.
    """
    plain = not any(option.dimension for one in given for option in one.literal.options)
    last = given[-1]
    if plain and (
        (
            _COSTS.search(found)
            or (
                _ARROW.search(clause.text, given[0].end, last.start)
                and all(one.literal.digits.isdigit() for one in given)
            )
        )
        or _SPEED.match(clause.text, told.end)
        or _DEVICES.match(clause.text, last.end)
        or counted(last.literal.unit)
    ):
        return True
    apart = abs(given[0].literal.value - given[-1].literal.value)
    return abs(apart - told.literal.value) <= told.literal.slack + 1e-9 * apart


def _is_numbered(clause: Clause, part: Quantity, whole: Quantity) -> bool:
    """Whether a bare number belongs to a word before it, and is no part of an amount: action 3 is 90 % of 42 GB/s."""
    bare = part.literal.digits.isdigit() and not part.literal.unit and bool(whole.literal.unit)
    return bare and _LABELLED.search(clause.text, 0, part.start) is not None


def _restates(told: Quantity, one: Quantity) -> bool:
    """Whether a number only tells another one again in its own unit: 194 h, 8.1 days."""
    dimension = one.literal.options[0].dimension
    own = one.base(dimension)
    return bool(dimension and own) and _unit(told) != _unit(one) and told.agrees(own or 0.0, dimension)


def _unit(quantity: Quantity) -> str:
    return quantity.literal.unit.partition("/")[0]
