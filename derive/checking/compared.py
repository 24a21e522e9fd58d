"""Two amounts of one kind held against each other in a sentence: so many percent more or less, by so much.

Less is counted from the larger amount, more from the smaller one. A percentage that is right only from the other side
has the wrong base. What a link of words (from … to, instead of, against) ties leaves no room for anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.mistakes import REST
from derive.checking.nouns import HARD
from derive.checking.slips import cause_of, held, hindrance

_LESS = (
    r"(?:less|fewer|smaller|lower|shorter|cheaper|reduction|decrease|drop|cut|savings?|discount|off|decline|fall|"
    r"shrinkage|loss)"
)
_MORE = (
    r"(?:more|larger|higher|bigger|longer|greater|increase|growth|rise|gain|overhead|extra|dearer|costlier|on top|"
    r"improvement|uplift)"
)
_FALLS = r"(?:drop(?:s|ped)?|fall(?:s|en)?|fell|shr[ia]nks?|cuts?|reduces?d?|saves?d?|lower(?:s|ed)?|decreases?d?|down)"
_RISES = r"(?:rises?|rose|grows?|grew|increases?d?|gains?|raises?d?|improves?d?|went up|up)"
_GAP = r"(?: [a-z'-]+){0,3} (?:by|of) (?:about |only |some |roughly |nearly )?[~≈]?$"
_BEHIND = {
    -1: re.compile(rf"\s(?:[a-z]+ )?{_LESS}\b"),
    1: re.compile(rf"\s(?:[a-z]+ )?{_MORE}\b"),
}
_BEFORE = {
    -1: re.compile(rf"\b(?:{_FALLS}|{_LESS}){_GAP}"),
    1: re.compile(rf"\b(?:{_RISES}|{_MORE}){_GAP}"),
}
_UP = re.compile(r"[,(:]\s*(?P<way>up|down) (?:about |only |some |roughly |nearly )?[~≈]?$")
_THAN = re.compile(
    rf"\s(?P<way>{_LESS}|{_MORE})(?: [a-z]+){{0,2}} than (?:the |a |its |about )*[~≈]?\s*", re.IGNORECASE
)
_IS = re.compile(r"\s*(?:is|are|was|were|means|makes)\s+(?:about |only |some |roughly |nearly )?[~≈]?\s*")
_DIRECT = re.compile(
    r"\b(?:(?P<less>saves?|saved|cuts|sheds|shaves off)|gains?|gained|adds|costs an extra)\s(?:you |us )?"
    r"(?:about |only |some )?[~≈]?\s*$"
)
_TO = re.compile(
    r"\s*(?:\([^()\d]{0,30}\)\s*)?,? ?(?:up |down |back |now )?to (?:the |only |just |about )?(?:PUE )?[~≈]?\s*"
)
_FROM = re.compile(
    r"\b(?:[Ff]rom|brings?|takes|drop(?:s|ped)?|falls?|fell|rises?|rose|grows?|grew|cuts?|reduces?d?|lower(?:s|ed)?|"
    r"raises?d?)(?: [A-Za-z]+){0,3} (?:about )?[~≈]?\s*$"
)
_HELD = re.compile(
    r"\s*(?:[a-z]+ ){0,2}(?:instead of|rather than|against|versus|vs\.?|over|compared (?:with|to))\s+"
    r"(?:the |a |its |about |bare )*[~≈]?\s*"
)
_TIED = re.compile(
    rf"\s*(?:\([^()\d]{{0,30}}\))?[\s,:(~≈]*(?:(?:that|which|this|it|is|was|i\.e\.|or|so|hence|thus|an?|the|by|of|only|just|about|roughly|nearly|with|"
    rf"brings|takes|down|up|{_LESS}|{_MORE}|{_FALLS}|{_RISES})[\s,~≈]+)*"
)
_BY = re.compile(r"\bby (?:about |only |some )?[~≈]?\s*$")
_OF_WHICH = re.compile(r"\bof (?:which|them|these|those)\b")
_OUT_OF = re.compile(r"\s*(?:out )?of (?:the )?")
_PART_OF = re.compile(r"\b(?:of|off|from|in|on|within|per)\b")
"""What makes the first of two amounts a part of the second: 6.3 s off a step of 21.0 s."""
_LEAVES = re.compile(r"\b(?:leaves?|leaving)\s+(?:only |about )?[~≈]?\s*$")
_THING = re.compile(rf"\s(?:[a-z]+ )?(?:{_LESS}|{_MORE})(?: of)? ([a-z]{{3,}})\b")
_NO_THING = frozenset(
    ("than", "for", "and", "per", "with", "but", "the", "that", "over", "when", "while", "from", "since")
)
_OF_ANOTHER = re.compile(
    r"\s(?:[a-z]+ )?(?P<verb>cuts?|shortens?|reduces?|saves?|lowers?|shrinks?|raises?|increases?|lengthens?)"
    r"(?: [a-z-]+){1,7} by (?:about |only |some )?[~≈]?\s*"
)
"""A verb that tells what a change of two numbers does to something else."""
_FALLING = ("cut", "sho", "red", "sav", "low", "shr")
_GOING = re.compile(r"\b[Ff]rom (?:a |an )?(?:PUE of )?[~≈]?\s*$")
_RATIO = 3.0  # of two plain numbers below it, such as those of a PUE
_OFF, _LONGEST, _MOST, _MOST_PARTS = 0.02, 4_000, 24, 3


@dataclass(frozen=True)
class Pair:
    """Two amounts of one kind that words tie, in the order of the text."""

    first: Amount
    second: Amount


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of sentences that compare two amounts."""
    for clause in every:
        if (
            clause.row
            or clause.listed
            or not 2 <= len(clause.quantities) <= _MOST
            or len(clause.text) > _LONGEST
        ):
            continue
        if "%" in clause.text or "percent" in clause.text or " by " in clause.text:
            yield from _of_sentence(clause, amounts(clause), clause.plain)


def _of_sentence(clause: Clause, found: Sequence[Amount], text: str) -> Iterator[Claim]:
    pairs = list(pairs_of(found, text))
    for told in found:
        if told.quantity is None:
            continue
        if told.literal.unit == "%":
            yield from _of_pairs(told, pairs or _lone_pair(told, found, text), text)
            yield from _than(told, found, text)
            yield from _points(told, found, text)
            yield from _of_which(told, found, text)
            yield from _left(told, found, text)
        elif len(pairs) == 1 and _BY.search(text, 0, told.start):
            yield from _difference(told, pairs[0], text)


def pairs_of(found: Sequence[Amount], text: str) -> Iterator[Pair]:
    """The amounts of a sentence that words hold against each other."""
    for one, other in pairwise(found):
        if not one.value.mid or not other.value.mid or one.opaque or other.opaque:
            continue
        if not _are_alike(one, other) or "%" in (_unit(one), _unit(other)):
            continue
        between = text[one.end : other.start]
        if _HELD.fullmatch(between) or (
            _TO.fullmatch(between) and _FROM.search(text, max(0, one.start - 60), one.start)
        ):
            yield Pair(one, other)


def _lone_pair(told: Amount, found: Sequence[Amount], text: str) -> list[Pair]:
    """The only two amounts before a percentage that follows at once: 40 kW and the new one 30 kW, 25 % less."""
    given = [one for one in found if one.end <= told.start and not one.opaque]
    if len(given) != 2 or not given[0].kind or _unit(given[0]) != _unit(given[1]) or given[1].bare:
        return []
    if _PART_OF.search(text, given[0].end, given[1].start):
        return []
    pair = Pair(given[0], given[1])
    return [pair] if _is_beside(told, pair, text) and all(one.value.mid for one in given) else []


def _unit(one: Amount) -> str:
    return one.literal.unit if one.quantity is not None else ""


def _are_alike(one: Amount, other: Amount) -> bool:
    priced = _unit(one).startswith("USD") and _unit(other).startswith("USD")
    if one.is_year and other.is_year:
        return False
    return one.bare or other.bare or priced or one.measure == other.measure


def _values(pair: Pair) -> tuple[float, float]:
    """The smaller and the larger amount; a bare one has the unit of the other."""
    one, other = pair.first, pair.second
    if one.bare != other.bare and one.quantity is not None and other.quantity is not None:
        first, second = one.literal.value, other.literal.value
    else:
        first, second = one.value.mid, other.value.mid
    return min(first, second), max(first, second)


def direction(told: Amount, text: str) -> int:
    """Whether a percentage is told of more (1) or less (-1); 0 where the words do not say."""
    for way, words in _BEHIND.items():
        if words.match(text, told.end):
            return way
    moved = _UP.search(text, max(0, told.start - 40), told.start)
    if moved is not None:
        return -1 if moved["way"] == "down" else 1
    direct = _DIRECT.search(text, max(0, told.start - 40), told.start)
    if direct is not None:
        return -1 if direct["less"] else 1
    for way, words in _BEFORE.items():
        if words.search(text, max(0, told.start - 60), told.start):
            return way
    return 0


def _verb(text: str, place: int) -> int:
    """Whether the verb before a place says less (-1) or more (1); 0 where it says neither."""
    before = text[max(0, place - 60) : place]
    for way, verb in ((-1, _FALLS), (1, _RISES)):
        if re.search(rf"\b{verb}(?: from)?\s+[~≈]?$", before):
            return way
    return 0


def _of_pairs(told: Amount, pairs: Sequence[Pair], text: str) -> Iterator[Claim]:
    """`from 11.8 to 9.5 ms, a 19 % reduction`: of the larger amount where it is less, of the smaller where more."""
    way = direction(told, text)
    if not way and len(pairs) == 1 and _is_beside(told, pairs[0], text):
        way = _verb(text, pairs[0].first.start)
    if len(pairs) > 1:
        pairs = [pair for pair in pairs if _is_beside(told, pair, text)]
    if not way or len(pairs) != 1 or pairs[0].first.start < told.start < pairs[0].second.start:
        return
    low, high = _values(pairs[0])
    if low == high or _is_of_another(told, pairs[0], text):
        return
    pair = pairs[0]
    changes = _TO.fullmatch(text[pair.first.end : pair.second.start])
    fallen = (
        way > 0 and changes and pair.second.value.mid < pair.first.value.mid
    )  # a gain, as times are saved
    right, other = (1 - low / high, high / low - 1) if way < 0 else (high / low - 1, 1 - low / high)
    because = f"{pairs[0].first.shown} and {pairs[0].second.shown}"
    if _is(told, right):
        yield _told(told, "true", right, "", because)
    elif _is(told, other):
        if fallen or (told.digits < 2 and not (changes and _FROM.search(text, 0, pair.first.start))):
            return  # it may be taken of either
        base = "larger" if way < 0 else "smaller"
        yield _told(told, "false", right, f"wrong base: it is to be taken of the {base} amount", because)
    elif _is(told, low / high):
        yield _told(told, "false", right, "what is left is told as the change", because)
    elif abs(told.value.mid / right - 1) > _OFF and not _DIRECT.search(
        text, max(0, told.start - 40), told.start
    ):
        cause = _cause(told, right * 100)
        if cause != UNKNOWN or _is_beside(told, pairs[0], text):
            yield _told(told, "false", right, cause, because)


def _is_of_another(told: Amount, pair: Pair, text: str) -> bool:
    """Whether a percentage is of something else than two counts: 16 % more tokens, going from 8 to 16 cards."""
    thing = _THING.match(text, told.end)
    kinds = {base for one in (pair.first, pair.second) for base, _ in one.kind}
    if thing is None or thing[1] in _NO_THING or kinds & HARD:
        return False
    return not any(thing[1].rstrip("s") in kind.lower() for kind in kinds)


def _than(told: Amount, found: Sequence[Amount], text: str) -> Iterator[Claim]:
    """`1.31 ms is 40 % less time than 1.84 ms`: of the amount that comes last."""
    at = found.index(told)
    if not 0 < at < len(found) - 1:
        return
    one, other = found[at - 1], found[at + 1]
    than = _THAN.fullmatch(text[told.end : other.start])
    if than is None or not _IS.fullmatch(text[one.end : told.start]) or one.opaque or other.opaque:
        return
    if (
        not one.kind
        or one.measure != other.measure
        or not (one.value.mid and other.value.mid)
        or REST.match(text, other.end)
    ):
        return
    fallen = one.value.mid < other.value.mid
    if fallen != bool(re.fullmatch(_LESS, than["way"], re.IGNORECASE)):
        return  # of something else, or turned round
    yield from _of_base(told, one, other)


def _of_base(told: Amount, one: Amount, other: Amount) -> Iterator[Claim]:
    """A change to one amount, told as a share of another one that it is counted from."""
    right, base = abs(one.value.mid / other.value.mid - 1), abs(other.value.mid / one.value.mid - 1)
    because = f"{one.shown} and {other.shown}"
    if _is(told, right):
        yield _told(told, "true", right, "", because)
    elif _is(told, base):
        yield _told(told, "false", right, "wrong base: it is taken of the other amount", because)
    elif _is(told, one.value.mid / other.value.mid):
        yield _told(told, "false", right, "what is left is told as the change", because)
    elif abs(told.value.mid / right - 1) > _OFF:
        yield _told(told, "false", right, _cause(told, right * 100), because)


def _points(told: Amount, found: Sequence[Amount], text: str) -> Iterator[Claim]:
    """`from a PUE of 1.50 to 1.25 cuts the power by 25 %`: the difference told as a share of something else."""
    at = found.index(told)
    if at < 2:
        return
    one, other = found[at - 2], found[at - 1]
    ends = [amount.end if amount.quantity is None else amount.quantity.end for amount in (one, other)]
    changed = _OF_ANOTHER.fullmatch(text, ends[1], told.start)
    units = {_unit(one), _unit(other)}
    if changed is None or not (
        units == {"%"} or (units == {""} and one.value.mid < _RATIO > other.value.mid)
    ):
        return
    if not _TO.fullmatch(text[ends[0] : other.start]) or not _GOING.search(text, 0, one.start):
        return
    low, high = sorted((one.value.mid, other.value.mid))
    if low <= 0 or low == high:
        return
    fallen = changed["verb"].lower().startswith(_FALLING)
    right, base = (1 - low / high, high / low - 1) if fallen else (high / low - 1, 1 - low / high)
    because = f"{one.shown} and {other.shown}"
    if _is(told, right):
        yield _told(told, "true", right, "", because)
    elif _is(told, high - low) and not _is(told, base):
        yield _told(told, "false", right, "percentage points: the difference is told as a share", because)
    elif _is(told, base) and told.digits > 1:
        side = "larger" if fallen else "smaller"
        yield _told(told, "false", right, f"wrong base: it is to be taken of the {side} amount", because)


def _is_beside(told: Amount, pair: Pair, text: str) -> bool:
    """Whether nothing but such words stand between a pair and what is told of it that can be about no other thing."""
    between = (
        text[pair.second.end : told.start]
        if told.start > pair.second.end
        else text[told.end : pair.first.start]
    )
    return bool(_TIED.fullmatch(between))


def _difference(told: Amount, pair: Pair, text: str) -> Iterator[Claim]:
    """`from 52.4 to 53.9, that is by 1.5 points`."""
    if told.start < pair.second.end or not _FROM.search(
        text, max(0, pair.first.start - 60), pair.first.start
    ):
        return
    pointed = re.match(r"\s*(?:percentage )?points?\b", text[told.literal.start + len(told.literal.digits) :])
    same = told.kind in (pair.first.kind, pair.second.kind) and told.kind
    if not _is_beside(told, pair, text) or not (pointed or same):
        return
    low, high = _values(pair)
    right = high - low
    value = told.literal.value if pointed else told.value.mid
    slack = (told.slack + pair.first.slack + pair.second.slack) / 2
    because = f"{pair.second.shown} - {pair.first.shown}"
    if abs(value - right) <= slack * (1 + 1e-9) + 1e-9 * high:
        yield _told(told, "true", right, "", because)
    elif abs(value / right - 1) > _OFF:
        yield _told(told, "false", right, _cause(told, right), because)


def _of_which(told: Amount, found: Sequence[Amount], text: str) -> Iterator[Claim]:
    """`18.0M requests, of which 1.26M failed and 16.74M succeeded: 7.0 %`: a part of the whole, not of another part."""
    before = [one for one in found if one.end <= told.start and not one.opaque and _unit(one) != "%"]
    for order, whole in enumerate(before):
        parts = before[order + 1 :]
        if not 2 <= len(parts) <= _MOST_PARTS or not _OF_WHICH.search(text[whole.end : parts[0].start]):
            continue
        if not all(_are_alike(whole, part) and part.value.mid < whole.value.mid for part in parts):
            continue
        if any(_is(told, side) for part in parts for side in _sides(part.value.mid / whole.value.mid)):
            continue
        for one, other in combinations(parts, 2):
            low, high = sorted((one, other), key=lambda part: part.value.mid)
            if high.value.mid and _is(told, low.value.mid / high.value.mid):
                right = low.value.mid / whole.value.mid
                because = f"{low.shown} / {whole.shown}"
                yield _told(
                    told, "false", right, f"wrong base: taken of {high.shown} and not of the whole", because
                )
                return


def _left(told: Amount, found: Sequence[Amount], text: str) -> Iterator[Claim]:
    """`217 of 43,200 minutes leave 99.50 %`: what a part leaves of the whole."""
    at = found.index(told)
    if at < 2 or not _LEAVES.search(text, 0, told.start):
        return
    part, whole = found[at - 2], found[at - 1]
    if (
        not _are_alike(part, whole)
        or not _OUT_OF.fullmatch(text[part.end : whole.start])
        or not whole.value.mid
    ):
        return
    low, high = _values(Pair(part, whole))
    right = 1 - low / high
    because = f"1 - {part.shown} / {whole.shown}"
    if _is(told, right):
        yield _told(told, "true", right, "", because)
    else:
        yield _told(told, "false", right, _cause(told, right * 100), because)


def _sides(share: float) -> tuple[float, float]:
    return share, 1 - share


def _is(told: Amount, value: float) -> bool:
    """Whether a value rounds to the told one."""
    return abs(told.value.mid - value) <= told.slack * (1 + 1e-7)


def _cause(told: Amount, right: float) -> str:
    return UNKNOWN if told.quantity is None else cause_of(told.quantity, right)


def _told(told: Amount, verdict: str, right: float, cause: str, because: str) -> Claim:
    if told.quantity is None:
        raise ValueError("only a number in digits is told")
    found = held(told.clause, told.quantity, verdict, right, cause, because)
    if found.verdict == "unsure" and not hindrance(told.clause, told.start):
        return replace(found, verdict="false", cause=cause)
    return found
