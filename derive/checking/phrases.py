"""Sentences that tie two or three numbers by words: a share, a ratio, a change, a part, a sum, what is left.

Each quantity of a sentence is replaced by a mark, and the patterns here are matched against what remains. A
number is false where the words leave no room for another meaning, or where a plain slip leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from derive.checking import relating
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.compared import hindrance
from derive.checking.marks import (
    ABOUT,
    FACTOR,
    GAIN,
    LOOSE,
    MARK,
    MORE,
    PERCENT,
    THAT,
    THE,
    TOGETHER,
    VERB,
    VERSUS,
    WORD,
    Q,
    skeleton,
    words,
)
from derive.checking.quantities import Quantity
from derive.checking.relating import FRACTIONS
from derive.checking.values import Interval
from derive.checking.worded import held
from derive.checking.words import counted

_WITH = re.compile(r"\b(?:on|with|for|at|by|per|in|than)\s+(?:the |a |all )?[~≈]?$")
_FOR_ALL = re.compile(r" (?:for|over|across|on) (?:all|the (?:whole|\d+|node|cluster))\b")
_GOES_ON = re.compile(r"\s*(?:[×*·] ?[\d(]|[\^/]|[-+] ?\d)")
"""What stands behind a number that is the first of a calculation."""
_SPEED = re.compile(
    r"\s?(?:x|×|times|-?fold)?\s(?:as )?(?:slow|fast|quick|long|short|cheap|dear|expensive)\w*"
)
_ARROW = re.compile(r"->|→|⇒")
_EACH_OF = re.compile(r"[\s\x02\x03]*(?:each|apiece|per)\b")
_DEVICES = re.compile(
    r"\s?(?:GPU|TPU|card|node|device|chip|rank|user|stream|worker|machine|server|replica|layer|thread)s?\b"
)
_N = f"[{Q}{FACTOR}]"
_HINTS = (" and ", " plus ", "ach of ")
_LABELLED = re.compile(r"\b[A-Za-z]{4,} $")
_LEAD = re.compile(r"\b(?:lead|gap|advantage|edge|premium|margin|difference|discount|headroom)\b")
"""What is no share of the larger amount."""
_INSTEAD = re.compile(r"instead of|rather than")
_ENTRY = re.compile(
    r"%|percent|times|factor|speed|\dx\b|[×x] |twice|double|triple|hal[fv]|third|quarter|plus|minus|leav|remain|left|"
    r"add|gain|fold|\b(?:each|per|over|across|among|between|by|on|together|all|total|and|of|with|at|having|a|every|second)\b"
)


@dataclass(frozen=True)
class _Phrase:
    """A pattern; what its marks are, in their order (a and b given, t told); what the told number must be.

    sure: nothing else can be meant, unless the group "loose" matched.
    """

    pattern: re.Pattern[str]
    roles: str
    relation: Callable[[Sequence[Quantity], re.Match[str]], Sequence[Interval]]
    sure: bool = True

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """Words of which a sentence must hold all."""
        return tuple(word for word in _HINTS if word in self.pattern.pattern)

    @cached_property
    def marks(self) -> frozenset[str]:
        """The percentage and the factor that a sentence must hold."""
        told = self.pattern.pattern
        lone = FACTOR in told and _N not in told  # where no other mark may stand in its place
        return frozenset((*((PERCENT,) if PERCENT in told else ()), *((FACTOR,) if lone else ())))


def _phrase(
    pattern: str,
    roles: str,
    relation: Callable[[Sequence[Quantity], re.Match[str]], Sequence[Interval]],
    *,
    sure: bool = True,
) -> _Phrase:
    return _Phrase(re.compile(pattern), roles, relation, sure)


_STEP = r"(?:token|step|iteration|query|request|image|sample|batch|frame)"
_IS = rf"(?:{THAT}| {VERB}|{LOOSE}) ?{ABOUT}"
_FRACTION = "|".join(sorted(FRACTIONS, key=len, reverse=True))
_PHRASES = (
    # a share: 656 of 671, hence 97.8 %
    _phrase(
        rf"{Q} (?:out )?of (?:every )?{THE}{Q}{words(4)}"
        rf"(?:{THAT}| {VERB}|,? or| \(|(?P<loose>,|:| →)) ?{ABOUT}{PERCENT}(?! (?:{MORE}|{GAIN})\b)",
        "abt",
        relating.share,
    ),
    _phrase(
        rf"{Q} in (?:every )?{THE}{Q}(?:,? or| \(|,? i\.e\.,?) ?{ABOUT}{PERCENT}(?! (?:{MORE}|{GAIN})\b)",
        "abt",
        relating.share,
    ),
    _phrase(rf"{Q} (?:out )?of {THE}{Q}{words(3)}, {ABOUT}{PERCENT},", "abt", relating.share),
    _phrase(rf"{Q}{words(2)}{_IS}{PERCENT} of {THE}{Q}", "atb", relating.share),
    _phrase(
        rf"{Q}{words(4)} (?:against|versus|vs\.?|compared (?:with|to)|out of) {THE}{Q}{words(4)}"
        rf"(?:{THAT}|(?P<loose>,? or|,)){words(7)} {ABOUT}{PERCENT}(?! (?:{MORE}|{GAIN})\b)",
        "abt",
        relating.share,
    ),
    _phrase(
        rf"{Q} (?:over|divided by) {THE}{Q} (?:is|are|gives|makes) {ABOUT}{PERCENT}(?! (?:{MORE}|{GAIN})\b)",
        "abt",
        relating.share,
    ),
    _phrase(
        rf"{PERCENT} of (?:{WORD} ){{1,6}}\({Q} (?:out )?of (?:the )?{Q}",
        "tab",
        relating.share,
    ),
    _phrase(rf"{PERCENT} of (?:{WORD} ){{1,6}}\({Q} (?:against|versus|vs\.?) {Q}\)", "tab", relating.share),
    # so many times: 58 is 3.4 times the 17.1
    _phrase(rf"{Q}{words(3)}{_IS}{FACTOR} {THE}{Q}", "atb", relating.quotient),
    _phrase(
        rf"{Q}{words(3)}(?:,|{THAT}| {VERB}) {ABOUT}{FACTOR} (?:as \w+ as|{MORE} than) {THE}{Q}",
        "atb",
        relating.ratios,
    ),
    _phrase(
        rf"{Q}{words(3)} {VERSUS} {THE}{Q}{words(4)}(?:{THAT}| {VERB}|,|,? or|:| \() ?{ABOUT}"
        rf"(?:a (?:factor|ratio) of {ABOUT}{_N}|{FACTOR})",
        "abt",
        relating.ratios,
    ),
    _phrase(rf"{Q} (?:over|divided by) {Q} (?:is|gives|makes) {ABOUT}{Q}", "abt", relating.quotient),
    _phrase(
        rf"(?:from|From) {THE}{Q}{words(3)} (?:up |down )?to {THE}{Q}{words(3)}(?:,|{THAT}| {VERB}|:| \()"
        rf"(?: (?:an?|by|its|it|them|this))? ?(?:{words(2)} {GAIN} (?:of|by) (?:a factor of )?{ABOUT}{_N}|"
        rf"(?:a )?factor (?:of )?{ABOUT}{_N}|{ABOUT}{FACTOR})",
        "abt",
        relating.ratios,
    ),
    _phrase(
        rf"{Q} (?:grows?|rises?|increases?|falls?|drops?|goes|went|fell|rose|shrinks?) to {THE}{Q}, {ABOUT}{FACTOR}",
        "abt",
        relating.ratios,
    ),
    _phrase(
        rf"{Q} ?(?:->|→|⇒) ?{Q}{words(2)}(?:,|{THAT}| {VERB}|:| \()(?: an?)? ?{ABOUT}{FACTOR} {GAIN}",
        "abt",
        relating.ratios,
    ),
    # so much more: 718 over 702 is 2.3 % more
    _phrase(
        rf"{Q}{words(2)}(?:,|{THAT}| {VERB}) {ABOUT}{PERCENT} {MORE} than {THE}{Q}", "atb", relating.change
    ),
    # a part: 60 % of 26.8 TB/s is 16.1 TB/s
    _phrase(rf"{PERCENT} of {THE}{Q}{words(4)}(?:{THAT}| {VERB}) {ABOUT}{Q}", "abt", relating.part),
    _phrase(
        rf"(?:At|at|With|with) {PERCENT}{words(3)},? {THE}{Q} (?:becomes?|turns? into) {ABOUT}{Q}",
        "abt",
        relating.part,
    ),
    _phrase(
        rf"(?<![\w-])(?P<fraction>(?i:{_FRACTION}))(?: of)? {THE}{Q}{words(3)}(?:{THAT}|,? or| {VERB}|:) {ABOUT}{Q}",
        "at",
        relating.fraction,
    ),
    # a sum, and what is left
    _phrase(
        rf"{Q}{words(4)} plus {THE}(?:another )?{Q}{words(4)}(?:{THAT}| {VERB}) {ABOUT}{Q}",
        "abt",
        relating.total,
    ),
    _phrase(
        rf"(?:Together|In all|In total|Combined),?{words(2)} {Q}{words(4)} and {THE}{Q}{words(4)} {VERB} {ABOUT}{Q}",
        "abt",
        relating.total,
    ),
    _phrase(
        rf"\({Q}\) and{words(4)} \({Q}\),? (?:(?:adds?|sums?) (?:up )?to|{VERB}) {ABOUT}{Q}",
        "abt",
        relating.total,
    ),
    _phrase(
        rf"{Q}{words(4)} and {THE}{Q}{words(4)} (?:make|give|total|come to) {ABOUT}{Q}",
        "abt",
        relating.total,
        sure=False,
    ),
    _phrase(
        rf"{Q}{words(3)} (?:minus|less) {THE}{Q}{words(3)},? (?:which )?"
        rf"(?:leaves?|leaving|is|are|gives?|makes?) {ABOUT}{Q}",
        "abt",
        relating.rest,
    ),
    _phrase(
        rf"[Ss]ubtract(?:ing|ed)? {THE}{Q}{words(3)} from {THE}{Q}{words(3)},? {words(3)} {ABOUT}{Q}",
        "bat",
        relating.rest,
    ),
    _phrase(
        rf"[Oo]f {THE}{Q}{words(2)},? {Q}{words(5)},? (?:which |and )?(?:leaves?|leaving) {ABOUT}{Q}",
        "abt",
        relating.rest,
        sure=False,
    ),
    _phrase(
        rf"{Q}{words(4)} (?:on|in|of|from) {THE}{Q}{words(3)},? (?:leaves?|leaving) {ABOUT}{Q}",
        "bat",
        relating.rest,
        sure=False,
    ),
    _phrase(
        rf"{Q}{words(4)} (?:on|in) {THE}{Q}{words(3)},? {Q} (?:remains?|are left|is left)",
        "bat",
        relating.rest,
        sure=False,
    ),
    _phrase(
        rf"[Aa]fter {THE}{Q}{words(3)},? {ABOUT}{Q} of {THE}{Q}{words(2)} (?:are left|is left|remains?)",
        "bta",
        relating.rest,
        sure=False,
    ),
    # so many, so much each
    _phrase(
        rf"{Q}{words(2)} (?:of|with|at|having) {THE}{Q} (?:each|apiece)(?:{THAT}| {VERB}|:|,) {ABOUT}{Q}",
        "abt",
        relating.many,
    ),
    _phrase(
        rf"{Q}{words(2)} at {Q}(?: each)?(?:{THAT}| {VERB}|:|,) {ABOUT}{Q}",
        "abt",
        relating.priced,
        sure=False,
    ),
    _phrase(
        rf"[Ee]ach of (?:the )?{Q}{words(2)} (?:has|holds|draws|takes|needs|delivers|moves|reads|does) {ABOUT}{Q}"
        rf"(?:,|{THAT}) {ABOUT}{Q},? (?:{TOGETHER}|for all)",
        "abt",
        relating.many,
    ),
    _phrase(
        rf"{Q}{words(2)} (?:of|with|at|having) {THE}{Q}(?:,|{THAT}| {VERB}) {ABOUT}{Q}(?:,? {TOGETHER})?",
        "abt",
        relating.many,
        sure=False,
    ),
    _phrase(
        rf"{Q}{words(3)} (?:over|across|among|between|by|on|divided by|divided among|split over) {THE}{Q}{words(2)}"
        rf"(?:{THAT}| {VERB}|,|:) {ABOUT}{Q} ?(?P<each>each\b|apiece|per {WORD}|a {WORD}|for each)?",
        "abt",
        relating.split,
    ),
    _phrase(
        rf"(?:[Oo]ver|[Aa]cross|[Aa]mong|[Bb]etween|[Oo]n) {THE}{Q}{words(2)},? {THE}{Q}{words(2)}"
        rf"(?:{THAT}| {VERB}|,|:) {ABOUT}{Q} ?(?P<each>each\b|apiece|per {WORD}|for each)?",
        "bat",
        relating.split,
    ),
    _phrase(
        rf"{Q}{words(3)} (?:holds?|fits?|(?:is|are) enough for|gives? room for) {ABOUT}{Q}{words(2)} "
        rf"(?:of|with|at) {ABOUT}{Q}",
        "atb",
        relating.quotient,
        sure=False,
    ),
    _phrase(
        rf"[Aa]t {Q}(?: (?:per|a|for each) {WORD}| each)?,? {THE}{Q}{words(4)} "
        rf"(?:holds?|fits?|(?:is|are) enough for) {ABOUT}{Q}",
        "bat",
        relating.quotient,
        sure=False,
    ),
    # a token takes 20 ms, so 50 tokens/s
    _phrase(rf"{Q} (?:per|an?|each|every) {_STEP}{words(2)}{_IS}{Q}", "at", relating.inverse, sure=False),
    _phrase(
        rf"{_STEP} (?:takes?|needs?|took|each|every|in) {ABOUT}{Q}{words(3)}(?:{THAT}|,? or|,|:| \() ?{ABOUT}{Q}",
        "at",
        relating.inverse,
        sure=False,
    ),
    _phrase(rf"{Q}{_IS}{Q}", "at", relating.inverse_each, sure=False),
    _phrase(
        rf"{Q}{words(2)},? (?:an?|each|every|one) token (?:costs?|needs?|takes?) {ABOUT}{Q}",
        "at",
        relating.per_token,
        sure=False,
    ),
    _phrase(
        rf"{Q}{words(2)} (?:in|at) (?:batches|chunks|groups|blocks|pieces|pages) of {Q}{words(2)} {VERB} {ABOUT}{Q}",
        "abt",
        relating.quotient,
        sure=False,
    ),
)


@cache
def _fitting(most: int, percent: bool, factor: bool) -> tuple[_Phrase, ...]:
    """The phrases of so many marks or fewer, which these may be among."""
    lacking = {mark for mark, is_there in ((PERCENT, percent), (FACTOR, factor)) if not is_there}
    return tuple(one for one in _PHRASES if len(one.roles) <= most and not one.marks & lacking)


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


def _held(clause: Clause, phrase: _Phrase, found: re.Match[str], matched: Sequence[Quantity]) -> Claim | None:
    given = [matched[phrase.roles.index(role)] for role in "ab" if role in phrase.roles]
    told = matched[phrase.roles.index("t")]
    if any(_restates(told, one) for one in given) or _GOES_ON.match(clause.text, told.end):
        return None
    values = phrase.relation(given, found)
    values = [
        value for value in values if any(value.dimension == one.dimension for one in told.literal.options)
    ]
    if not values or (told.literal.unit == "%") != (phrase.relation in (relating.share, relating.change)):
        return None
    if phrase.relation is relating.ratios and _is_of_another(clause, given, told):
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


def _is_of_another(clause: Clause, given: Sequence[Quantity], told: Quantity) -> bool:
    """Whether a ratio is that of something else than two counts: so many more cards are so many times faster.

    A loss of 7 points is no ratio either.
    """
    plain = not any(option.dimension for one in given for option in one.literal.options)
    last = given[-1]
    if plain and (
        (
            _ARROW.search(clause.text, given[0].end, last.start)
            and all(one.literal.digits.isdigit() for one in given)
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
