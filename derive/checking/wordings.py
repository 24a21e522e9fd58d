"""The words that tie two or three numbers of a sentence, as patterns over sentences whose numbers are marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from derive.checking import relating
from derive.checking.marks import (
    ABOUT,
    FACTOR,
    GAIN,
    LOOSE,
    MORE,
    PERCENT,
    THAT,
    THE,
    TOGETHER,
    VERB,
    VERSUS,
    WORD,
    Q,
    words,
)
from derive.checking.quantities import Quantity
from derive.checking.relating import FRACTIONS, PERIODS
from derive.checking.values import Interval

_N = f"[{Q}{FACTOR}]"
_HINTS = (" and ", " plus ", "ach of ")


@dataclass(frozen=True)
class Phrase:
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
) -> Phrase:
    return Phrase(re.compile(pattern), roles, relation, sure)


_STEP = r"(?:token|step|iteration|query|request|image|sample|batch|frame)"
_IS = rf"(?:{THAT}| {VERB}|{LOOSE}) ?{ABOUT}"
_EACH_TIME = rf" (?:per|an?|each|every) (?P<time>{PERIODS})\b"
_FRACTION = "|".join(sorted(FRACTIONS, key=len, reverse=True))
PHRASES = (
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
    _phrase(rf"{Q} (?:out )?of {THE}{Q}{words(3)}, {ABOUT}{PERCENT}(?:,|$|[.;)])", "abt", relating.share),
    _phrase(rf"{Q}{words(2)}{_IS}{PERCENT} of {THE}{Q}", "atb", relating.share),
    _phrase(
        rf"{Q}{words(4)} (?:against|versus|vs\.?|compared (?:with|to)|out of) {THE}{Q}{words(4)}"
        rf"(?:{THAT}|(?P<loose>,? or|,)){words(7)} {ABOUT}{PERCENT}(?! (?:{MORE}|{GAIN}|up|down|off)\b)",
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
    _phrase(
        rf"{PERCENT} of (?:{WORD} ){{1,6}}\({Q} (?:against|versus|vs\.?) {Q}\)",
        "tab",
        relating.share_or_change,
    ),
    _phrase(rf"{PERCENT} \({Q} (?:against|versus|vs\.?|/) {THE}{Q}\)", "tab", relating.share_or_change),
    _phrase(rf"{PERCENT} \({Q} (?:out )?of {THE}{Q}\)", "tab", relating.share_or_change, sure=False),
    _phrase(
        rf"[Oo]f (?:every )?{THE}{Q}{words(3)},? {Q}{words(3)}(?:{THAT}|,? or| \() ?{ABOUT}{PERCENT}"
        rf"(?! (?:{MORE}|{GAIN}|of)\b)",
        "bat",
        relating.share,
    ),
    _phrase(
        rf"\b[Oo]ne (?:in|out of) (?:every )?{ABOUT}{Q}{words(3)}(?:{THAT}|,? or|:| \(|,) ?{ABOUT}{PERCENT}",
        "at",
        relating.one_in,
    ),
    _phrase(
        rf"[Ss]peed-?up (?:of|is|was) {ABOUT}{_N}{words(2)} (?:on|with|from|over) {Q}{words(4)},? "
        rf"(?:an |a |the |that is |which is |so )*{words(2)} ?efficiency (?:of|is) {ABOUT}{PERCENT}",
        "abt",
        relating.share,
    ),
    # so many times: 58 is 3.4 times the 17.1
    _phrase(
        rf"[Rr]atio of {THE}{Q}{words(2)} to {THE}{Q}{words(2)} (?:is|was|gives|comes to) {ABOUT}{_N}",
        "abt",
        relating.ratios,
    ),
    _phrase(rf"{Q}{words(3)}{_IS}{FACTOR} {THE}{Q}", "atb", relating.quotient),
    _phrase(
        rf"{Q}{words(3)}(?:,|{THAT}| {VERB}) {ABOUT}{FACTOR} (?:as \w+ as|{MORE} than) {THE}{Q}",
        "atb",
        relating.ratios,
    ),
    _phrase(
        rf"{Q}{words(3)} {VERSUS} {THE}{Q}{words(4)}(?:{THAT}(?: (?:it|they) (?:is|are|runs?))?| {VERB}|,|,? or|:| \()"
        rf" ?{ABOUT}"
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
    _phrase(
        rf"\bby {Q} to {Q}{words(4)}(?:,? so|,|:| \()(?: (?:it|which|that) is)? {ABOUT}{PERCENT} {MORE}",
        "abt",
        relating.change_either,
    ),
    _phrase(
        rf"{PERCENT} {MORE}(?: {WORD}){{0,3}} \({Q} (?:vs\.?|versus|against|instead of) {Q}\)",
        "tab",
        relating.change_either,
    ),
    _phrase(
        rf"{GAIN} (?:of|by) {ABOUT}{PERCENT} \((?:from )?{Q} ?(?:->|→|⇒|to) ?{THE}{Q}\)",
        "tab",
        relating.changed,
    ),
    _phrase(
        rf"{PERCENT} (?:{GAIN}|{MORE}) \((?:from )?{Q} ?(?:->|→|⇒|to) ?{THE}{Q}\)", "tab", relating.changed
    ),
    _phrase(
        rf"(?:a )?(?:factor|ratio) of {ABOUT}{_N} \((?:from )?{Q} ?(?:->|→|⇒|to|/|vs\.?|against) ?{THE}{Q}\)",
        "tab",
        relating.ratios,
    ),
    _phrase(
        rf"{FACTOR} {GAIN} \((?:from )?{Q} ?(?:->|→|⇒|to|/|vs\.?|against) ?{THE}{Q}\)", "tab", relating.ratios
    ),
    _phrase(
        rf"(?:rose|rises?|gr[eo]ws?|fell|falls?|drop(?:s|ped)?|went (?:up|down)|increased?s?|decreased?s?|shr[ia]nks?|"
        rf"up|down|{GAIN}) (?:by |of )?{ABOUT}{PERCENT},? from {THE}{Q}{words(2)} to {THE}{Q}",
        "tab",
        relating.risen,
    ),
    _phrase(
        rf"{PERCENT} of (?:the |its |our )?(?:{WORD} ){{0,2}}{WORD}, "
        rf"an? (?:loss|drop|cut|savings?|reduction|decrease|shortfall) of {ABOUT}{PERCENT}",
        "at",
        relating.complement,
    ),
    # a part: 60 % of 26.8 TB/s is 16.1 TB/s
    _phrase(rf"{PERCENT} of {THE}{Q}{words(4)}(?:{THAT}| {VERB}) {ABOUT}{Q}", "abt", relating.part),
    _phrase(
        rf"{PERCENT} on {THE}{Q}{words(4)}(?:{THAT}| {VERB}) {ABOUT}{Q}(?! (?:points?|percent|times)\b)",
        "abt",
        relating.part,
        sure=False,
    ),
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
    # every 30 minutes, 48 times a day; the downtime that an availability leaves; entries and their bytes
    _phrase(
        rf"\bevery {ABOUT}{Q}(?:{THAT}|,? or| \(|:) ?{ABOUT}{_N}{words(2)}{_EACH_TIME}",
        "at",
        relating.frequency,
    ),
    _phrase(
        rf"\bevery {ABOUT}{Q}{words(3)} {ABOUT}{_N}{words(3)}{_EACH_TIME}",
        "at",
        relating.frequency,
        sure=False,
    ),
    _phrase(
        rf"{PERCENT} (?:availability|uptime)\b{words(4)} {ABOUT}{Q}{words(3)}{_EACH_TIME}",
        "at",
        relating.downtime,
    ),
    _phrase(
        rf"{Q}(?:,? or|{THAT}|,| \() ?{ABOUT}{Q} (?:in|as|at) (?P<format>[A-Za-z]{{1,4}}\d{{1,2}})\b",
        "at",
        relating.in_format,
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
