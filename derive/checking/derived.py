"""Amounts that follow from other amounts, as their kinds tell: products and quotients.

Every open amount of a sentence before a result, with at most one that was told before, must make the kind of the
result, with what is counted. What agrees is true. What does not is false only where one slip leads to the printed
number and nothing else in the paragraph does (`mistakes`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.candidates import candidates, loosened, of_format, of_machine, restates_share
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.factors import Part, Product, value_of
from derive.checking.judging import value_in
from derive.checking.known_models import mentioned
from derive.checking.mistakes import REST, agrees, cause_of, is_explained
from derive.checking.nouns import HARD, THINGS
from derive.checking.words import Dimension

_LEAD = (
    r"\s*(?:(?:therefore|thus|hence|"
    r"about|roughly|some|around|only|just|nearly|almost|a|an|the|exactly|over|under|another|total of|at least|"
    r"at most|then|us|you|in all|together|it|steady|one every|once every|"
    r"stream of|rate of)\s+)*[~≈]?\s*$"
)
_RESULT = re.compile(
    r"(?:\b(?:is|are|was|were|be|makes?|gives?|takes?|took|needs?|costs?|holds?|means?|"
    r"can (?:send|receive|deliver|move|write|read|hold|take|draw|reach|serve)|i\.e\.|moves?|"
    r"reads?|draws?|uses?|fits?|gets?|sees?|see|process|lasts?|saves?|totals?|yields?|adds?|becomes?|weighs?|consumes?|requires?|"
    r"handles?|serves?|writes?|sends?|delivers?|produces?|burn(?:s|ed)?|carries|occup(?:y|ies)|have|has|does|"
    r"room for|enough for|that's|it's|processe[sd]|generates?|pay|paid|spend|keeps?|do|stores?|offers?|provides?|"
    r"reach(?:es)?|lasted|pay for|lies at|wastes?|"
    r"leaves?|allows?|supports?|ingests?|counts?|counted|got|expects?|finds?|found|contains?|fills?|comes? to|"
    r"amounts? to|adds? up to|sums? to|drew|wrote|sent|held|made|gave|moved|needed|used|handled|had|ran for|cost|"
    r"[Ss]o|[Hh]ence|[Tt]hus|gets through|gives room for|(?:so|thus|hence|therefore) (?:runs?|works?) at|"
    r"(?:[a-z]+(?:en|ed|ne|nt)|through|over|out|ready|there|goes|comes?|arrives?) (?:in|after))|[:→≈]|, or)"
    + _LEAD
)
_PERHAPS = re.compile(r"(?:\b(?:which|in|and|for)|[(,])" + _LEAD)
_BREAK = re.compile(r"[;:(] ?|, (?:and|so|which|that|i\.e\.|or|but|while)\b|\b(?:so|hence|thus) ")
_STEADY = re.compile(r"(?:,| and)\s*(?:(?:an?|steady|about|roughly|only|average of)\s+)*[~≈]?\s*")
_TOTAL = re.compile(r",? (?:in all|in total|together|altogether|all told)\b")
_BEHIND = re.compile(
    r"\s*,?\s*(?:at|with|of|on|for|over|from|using|across)\s+(?:the |a |an )?(?:about )?[~≈]?\s*"
)
_WEAK = re.compile(
    r"\b(?:but|whereas|measured?|actual(?:ly)?|instead|reach(?:ed)?|achiev\w*|sustain\w*|effective\w*|less|more|not|"
    r"without|efficien\w*|overhead|overlap\w*|compress\w*|versus|vs|than|if|limit\w*|until|next|last|plus|"
    r"minus|(?:an)?other (?=[\d~])|observed|benchmark\w*|in practice|saw|up to|at least|at most|maximum|minimum|"
    r"left|remain\w*|"
    r"extra|additional|old|new|later|earlier|previous\w*|average|mean|median|p\d\d)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"measur|observ|in practice|achiev|actual|benchmark|in reality", re.IGNORECASE)
_ASIDE = re.compile(r"[,;] (?:and|but|while|though|although|yet)\s")
"""What begins a statement of its own behind a told number: and in practice it is half of that."""
_MOVES = re.compile(
    r"\b(?:moves?|sends?|transfers?|writes?|loads?|copies|streams?|pushes|carries) (?:[~≈\w.,$]+ ){1,6}"
    r"in (?:about |only )?[~≈]?$"
)
_FOR_COMPARISON = re.compile(r"\b(?:[Ff]or|[Bb]y|[Ii]n) (?:comparison|contrast)\b|\b(?:[Uu]nlike|whereas)\b")
_EDGE = re.compile(r"[=≈→]|\bequals?\b(?=[^a-z]*$)")
_IN_TOTAL = re.compile(r"[a-z ]{0,30}\b(?:in all|in total|together|altogether|all told)\b")
_BATCH: Dimension = (("step", -1), ("token", 1))
_BELOW = ("bit and byte", "power of ten", "prefix", "digits swapped")
_PLAIN = (*_BELOW, "one digit", "seconds and", "hours and")
_CONCLUDES = re.compile(
    r"\b(?:so|hence|thus|therefore|consequently)\b|"
    r"^\s*(?:(?:a|one|each|every) (?:hour|day|week|month|year)|that|this|it|they|together|in all|in total|"
    r"altogether)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:that|this|it|them|they|these|together|in all|in total|altogether)\b", re.IGNORECASE
)
"""Words that tie a sentence to those before it, and words that may."""
_SET = re.compile(
    r"\b(?:every|within|budget\w*|timeouts?|deadlines?|until|allow\w*|target\w*|planned|interval\w*|limit\w*|"
    r"reserv\w*|SLO|goal|buys?|bought|if)\b",
    re.IGNORECASE,
)
"""Words of a number that is chosen and does not follow."""
_TENS = re.compile(r"\b(?:ten|hundred|thousand|chunk\w*)\b(?! times\b)", re.IGNORECASE)
_MANIFOLD = re.compile(
    r"\b(?:ten|tens|dozens?|hundreds?|thousands?|first|rest|chunk\w*|parts?|portion|whole|entire|halv\w*|half|twice|"
    r"doubl\w*|compress\w*|cached|copies|parallel|streams?|retri\w*|repeat\w*|shards?|pipelin\w*|"
    r"(?:an?|per|one|every|each) (?:million|billion|trillion))\b",
    re.IGNORECASE,
)
"""Words of a factor that no number tells; the first may stand for a power of ten."""
_IN_FORMAT = re.compile(r"\s*(?:in|as|at) (?:[Bb]?[Ff][Pp]?(?:32|16|8|4)|[Ii][Nn][Tt][48])\b")
_EACH = re.compile(
    r"\bper\b|/|\beach\b|\ba\b"
)  # a lone amount matters elsewhere only if it is told for each of something
_PORTABLE = HARD - {"second"}
_LONGEST, _EARLIER, _GAP, _RATES, _MANY = 4_000, 10, 120, 400, 3
_BEFORE, _AFTER = 14, 6
_SECOND: Dimension = (("second", 1),)
_PER_SECOND = (("second", -1),)


@dataclass(frozen=True)
class _Place:
    """Where a number is told: the amounts of its block, its order among them, the rates of the whole document.

    spent: the amounts, by identity, from which a result was told already.
    """

    found: Sequence[Amount]
    at: int
    rates: Sequence[Amount]
    spent: frozenset[int] = frozenset()


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of paragraphs whose amounts follow from each other."""
    blocks = []
    for _, group in groupby(every, key=lambda clause: id(clause.block)):
        sentences = [clause for clause in group if not clause.row and not clause.listed]
        many = sum(len(clause.quantities) for clause in sentences)
        if (
            many
            and len(sentences[-1].block.text) <= _LONGEST
            and (many > 1 or _EACH.search(sentences[0].block.text))
        ):
            blocks.append([one for clause in sentences for one in amounts(clause)])
    rates = _rates(blocks)
    for found in blocks:
        if found:
            yield from _of_block(found, rates)


def _rates(blocks: Sequence[Sequence[Amount]]) -> list[Amount]:
    """The amounts for each of something that have one value in the whole document: bytes a token, dollars a GB."""
    told: dict[Dimension, list[Amount]] = defaultdict(list)
    for found in blocks:
        for one in found:
            above = one.kind == _BATCH or any(base in _PORTABLE for base, power in one.kind if power > 0)
            if above and any(power < 0 for _, power in one.kind) and not one.opaque and len(told) <= _RATES:
                told[one.kind].append(one)
    return [
        same[0]
        for same in told.values()
        if all(abs(one.value.mid - same[0].value.mid) <= 0.01 * abs(one.value.mid) for one in same)
    ]


def _of_block(found: Sequence[Amount], rates: Sequence[Amount]) -> Iterator[Claim]:
    free: list[Amount] = []
    spent: frozenset[int] = frozenset()
    sentence = -1
    for at, told in enumerate(found):
        if told.sentence != sentence:
            free, sentence = [], told.sentence
        begin = found[at - 1].end if at and found[at - 1].sentence == sentence else 0
        gap = told.clause.plain[min(begin, told.start) : told.start]
        if _EDGE.search(gap):  # a calculation that is written out, and its result
            spent |= {id(one) for one in free}
            free = [told]
            continue
        if _may_be_told(told, gap):
            claim, used = _judged(told, free, _Place(found, at, rates, spent))
            if claim is not None:
                yield claim
                if claim.verdict == "true":
                    spent |= {id(one) for one in used}
                    free = [one for one in free if one not in used]
        free = _with(told, free)


def _with(told: Amount, free: Sequence[Amount]) -> list[Amount]:
    """The open amounts with one more; one that is told twice, as 8k-token (8,192), stays one."""
    for order, one in enumerate(free):
        near = abs(told.value.mid - one.value.mid) <= 0.03 * abs(told.value.mid)
        if near and not (one.linked or told.linked) and (one.bare or told.bare or one.kind == told.kind):
            named = one if told.bare else told
            both = replace(told, senses=named.senses, loose=named.loose, bare=one.bare and told.bare)
            return [*free[:order], both, *free[order + 1 :]]
    return [*free, told]


def _may_be_told(told: Amount, gap: str) -> bool:
    return (
        told.quantity is not None
        and not told.opaque
        and not told.linked
        and told.clause.text[told.quantity.end : told.quantity.end + 1] != "-"
        and any(base in HARD or base in THINGS for base, power in told.kind if power > 0 or told.bare)
        and len(gap) < _GAP
        and bool(_RESULT.search(gap) or _PERHAPS.search(gap))
        and not REST.match(told.clause.plain, told.end)
    )


def _judged(told: Amount, free: Sequence[Amount], place: _Place) -> tuple[Claim | None, tuple[Amount, ...]]:
    found, at = place.found, place.at
    text = told.clause.plain
    behind = [
        one
        for one in found[at + 1 : at + 2]
        if one.sentence == told.sentence
        and _BEHIND.fullmatch(text[told.end : one.start])
        and not REST.match(text, one.end)
    ]
    follows = _is_result(told, found, at, text) or bool(_IN_FORMAT.match(text, told.end))
    free = [one for one in free if not restates_share(one, text)]
    earlier = [one for one in found[max(0, at - _EARLIER) : at] if one not in free and not one.name][::-1]
    earlier.sort(key=lambda one: id(one) in place.spent)  # what has its result already comes last
    pulled, rates = (earlier, place.rates) if follows else ((), ())
    lone = [] if free or not follows else [*of_format(told), *of_machine(told)][:1]
    made = list(candidates(told, [*free, *behind, *lone], pulled, rates))
    if not made and behind:
        made = list(candidates(told, free, pulled, rates))
    part = [one for one in free if one.start >= _boundary(text, told)]
    if not made and 1 < len(part) < len(free):
        made = list(candidates(told, part, (), ()))
    for one in made:
        if len(one.parts) > 1 and agrees(told, one.value):
            return (_claim(told, one, "true", "") if one.certain else None), one.amounts
    of_one = _of_one(told, free, earlier, text)
    if of_one is not None:
        return _claim(told, of_one, "false", "the number of one is told for all of them"), ()
    if follows and not any(one.sure for one in made) and _is_tied(told):
        unspent = [one for one in earlier if id(one) not in place.spent]
        return _plainly_wrong(told, list(loosened(told, free, unspent)), place), ()
    blocks = {id(one.clause.block) for one in found}
    for one in made if follows else ():
        if any(
            id(part.clause.block) not in blocks
            or (part.value.mid == told.value.mid and dict(part.kind).get("parameter") != 1)
            for part in one.amounts
        ):
            continue  # what stands in another paragraph may be of another case; a copy is no result
        if any(part not in behind and _is_behind(part, told) for part in one.amounts):
            continue
        if _scales_a_time(one) or _is_of_another(told, one):
            continue
        cause = cause_of(told, one, found) if one.sure else ""
        if cause.startswith("power of ten") and _TENS.search(_from_the_first([one], told)):
            continue
        if cause:
            near = [*one.amounts, *found[max(0, at - _BEFORE) : at + _AFTER]]
            copied = any(part.value.mid == told.value.mid for part in one.amounts)  # parameters told as bytes
            doubted = any(part.clause.hindered(part.start) for part in one.amounts)
            open_ = doubted or (not copied and is_explained(told, near))
            return (None if open_ else _claim(told, one, "false", cause)), ()
    return None, ()


def _from_the_first(made: Sequence[Product], told: Amount) -> str:
    """The text from the sentence of the first amount of products to the end of that of a told one."""
    clause = told.clause
    places = [part.clause.offset for one in made for part in one.amounts if part.clause.block is clause.block]
    return clause.block.text[min([*places, clause.offset]) : clause.offset + len(clause.text)]


def _is_tied(told: Amount) -> bool:
    """Whether words say that a number follows from the sentences before; a pronoun is enough for one of many digits."""
    lead = told.clause.plain[: told.start]
    if _SET.search(lead):
        return False
    return bool(_CONCLUDES.search(lead) or (told.digits >= _MANY and _POINTS.search(lead)))


def _plainly_wrong(told: Amount, made: Sequence[Product], place: _Place) -> Claim | None:
    """What follows from the sentences before by its measure only: false by a slip of the keys or of its unit."""
    if any(agrees(told, one.value) for one in made):
        return None
    near = place.found[max(0, place.at - _BEFORE) : place.at + _AFTER]
    if _MANIFOLD.search(_from_the_first(made, told)):
        return None
    for one in made:
        cause = "" if _scales_a_time(one) else cause_of(told, one, place.found)
        rated = cause.startswith("bit and byte") and any(part.measure == told.measure for part in one.amounts)
        if cause.startswith(_PLAIN) and not rated:  # a rate told again has a rule of its own (`line_rates`)
            return None if is_explained(told, near) else _claim(told, one, "false", cause)
    return None


def _of_one(told: Amount, free: Sequence[Amount], earlier: Sequence[Amount], text: str) -> Product | None:
    """What several have, where the number that each of them has is told for all of them in total."""
    if len(free) != 1 or not free[0].counts or free[0].value.mid < 2 or free[0].bare:
        return None
    if not _IN_TOTAL.match(text, told.end):
        return None
    for one in earlier:
        each = any(power < 0 and base not in HARD for base, power in one.kind)
        if each and one.measure == told.measure and one.value.mid == told.value.mid and told.digits > 1:
            parts = (Part(free[0], 1), Part(one, 1))
            value = value_of(parts)
            return None if value is None else Product(parts, value, sure=True, certain=False)
    return None


def _is_of_another(told: Amount, one: Product) -> bool:
    """Whether the sentence of a number names a model, and those of what would make it another one."""
    own = {name for model in mentioned(told.clause.text) for name in model.names}
    other = {
        name
        for part in one.amounts
        if part.clause is not told.clause
        for model in mentioned(part.clause.text)
        for name in model.names
    }
    if not other:
        return bool(own) and _FOR_COMPARISON.search(told.clause.plain) is not None
    return bool(own) and not own & other


def _scales_a_time(one: Product) -> bool:
    """Whether a time is scaled by devices, on more of which it gets shorter: 36 s on 8 GPUs, 20 s on 16."""
    timed = any(part.amount.measure == _SECOND and part.sign > 0 for part in one.parts)
    counted = (part for part in one.parts if dict(part.amount.kind).get("device") == 1)
    signs = {part.sign for part in counted if part.amount.measure != _SECOND}  # GPU-hours are shared out
    return timed and len(signs) > 1


def _is_behind(one: Amount, told: Amount) -> bool:
    """Whether an amount of the paragraph comes after the one that is told."""
    return one.clause.block is told.clause.block and (one.sentence, one.start) > (told.sentence, told.start)


def _boundary(text: str, told: Amount) -> int:
    """Where the part of a sentence begins that leads to a told number."""
    return max((found.end() for found in _BREAK.finditer(text, 0, told.start)), default=-1)


def _is_result(told: Amount, found: Sequence[Amount], at: int, text: str) -> bool:
    """Whether words say that a number follows from others: not in a list, and not what the others are of."""
    last = found[at - 1] if at and found[at - 1].sentence == told.sentence else None
    gap = text[last.end if last else 0 : told.start]
    if _TOTAL.match(text, told.end):
        return True
    if _MOVES.search(text, 0, told.start):
        return True
    if not _RESULT.search(gap):
        return bool(_STEADY.fullmatch(gap)) and told.kind[-1:] == _PER_SECOND
    return not (last and re.search(r"\bor\b", gap) and last.kind == told.kind)


def _claim(told: Amount, one: Product, verdict: str, cause: str) -> Claim:
    clause, text = told.clause, told.clause.plain
    begin = min((part.start for part in one.amounts if part.sentence == told.sentence), default=told.start)
    begin = min(begin, told.start)
    hindered = ""
    if verdict == "false":
        aside = _ASIDE.search(text, told.end)
        weak = _WEAK.search(text[begin : told.end]) or _MEASURED.search(
            text, 0, aside.start() if aside else len(text)
        )
        if (
            weak
            and weak[0].lower() == "at least"
            and cause.startswith(_BELOW)
            and one.value.mid > told.value.mid
        ):
            weak = None  # nobody tells an eighth of it for the least
        hindered = clause.hindered(told.start) or (f"the words leave it open: {weak[0]}" if weak else "")
    because = " ".join(
        ("× " if part.sign > 0 else "/ ") + part.amount.shown
        for part in sorted(one.parts, key=lambda part: -part.sign)
    )
    literal = told.literal
    return Claim(
        line=clause.line(told.start),
        text=text[begin : told.end].strip(),
        verdict="true" if verdict == "true" else "unsure" if hindered else "false",
        expected=value_in(one.value.mid, literal, literal.options[0].dimension),
        claimed=told.shown,
        cause=hindered or cause,
        rule="chain",
        because=because.removeprefix("× "),
        cell=clause.block.cell,
    )
