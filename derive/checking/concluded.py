"""Sentences that conclude from those before: what is left, a sum, a share or a change in percent, twice that.

Each needs the amounts of one kind that the one to three sentences before it tell, with nothing else beside them.
What agrees is true. What does not is false by a plain slip, or where the words leave nothing else: more is left than
the difference, twice that is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, permutations

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import ONE_DIGIT, SWAPPED, UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.nouns import HARD
from derive.checking.relating import FRACTIONS
from derive.checking.seeking import Sought
from derive.checking.slips import cause_of, held

_ABOUT = r"(?:(?:about|roughly|only|just|some|exactly|around|us|you|with|at)\s+){0,3}[~≈]?\s*"
_LEAVES = re.compile(
    r"(?:^\s*|\b(?:[Ss]o|[Tt]hus|[Hh]ence|[Tt]herefore),? )(?:(?:[Tt]hat|[Tt]his|[Ii]t|[Tt]hey|[Tt]ogether they)\s+)"
    rf"(?:(?:then|thus|therefore|hence|would)\s+)?leaves?\s+{_ABOUT}$"
)
_REMAINS = re.compile(rf"^\s*(?:[Ss]o|[Tt]hus|[Hh]ence|[Tt]herefore|[Tt]hen),?\s+{_ABOUT}$")
_LEFT = re.compile(r"\s*(?:of (?:memory|HBM|it) )?(?:(?:is|are) (?:left|free)|remains?)\b")
_SHARE = re.compile(
    r"(?:^\s*(?:(?:[Tt]hat|[Tt]his|[Ii]t|[Tt]hey)\s+|(?:[\w-]+\s+){1,3}(?=thus |therefore |hence ))"
    r"(?:(?:thus|therefore|hence)\s+)?"
    r"(?:is|are|was|makes?|corresponds? to|amounts? to|comes? to|means|takes?)|"
    r"^\s*(?:(?:so|thus|hence|therefore),? )?(?:(?:[Tt]he|[Oo]ur|[Ii]ts) )?(?:model |FLOPs? |compute )?"
    r"(?:[Uu]tili[sz]ation|MFU|[Ee]fficiency|[Ss]hare|[Ss]peed-?up|[Rr]atio) "
    r"(?:is|was|comes to|(?:is )?(?:thus|therefore|hence)(?: is)?))\s+"
    rf"(?:an? (?:utili[sz]ation|MFU|efficiency|share) of\s+)?{_ABOUT}$"
)
_TOGETHER = re.compile(
    r"^\s*(?:[Tt]ogether|[Ii]n all|[Ii]n total|[Aa]ltogether),? "
    r"(?:(?:they|these|that|this|it|both|the (?:two|three)|we) )?"
    r"(?:then |thus |therefore )?(?:takes?|needs?|makes?|costs?|weighs?|draws?|are|is|comes? to|uses?|have|has|holds?|"
    rf"occup(?:y|ies)|fills?|lasts?|reads?|moves?|adds? up to|sums? to)\s+{_ABOUT}$"
)
_AGAIN = re.compile(
    rf"^\s*(?:[Tt]hat|[Tt]his|[Ii]t) (?:is|are|makes|comes to|amounts to|means|corresponds to)\s+{_ABOUT}$"
)
_PER = re.compile(r"\bper (?:second|minute|hour|day|week)\b")
_NO_MORE = re.compile(r"\s*(?:[.,;)]|$|(?:and|or|on average)\b)")
_PERCENT_OF = re.compile(rf"%(?: of)? (?:that|this|it)(?:,|:| \(| is| are| or),? ?{_ABOUT}$")
_OF_PEAK = re.compile(r"\bpeak\b")
_OF_IT = re.compile(r"\s*(?:of (?:the|its|that|this) (?:[\w-]+ ){0,2}peak\b|utili[sz]ation\b|MFU\b|[.,;)]|$)")
_CHANGED = re.compile(
    r"\s*(?:more|less|fewer|faster|slower|higher|lower|larger|smaller|better|worse|above|below|over|under|longer|"
    r"shorter|cheaper|points?|off|up|down|saved|saving|overhead|growth|increase|decrease|reduction|drop)\b"
)
_MORE = re.compile(r"more|faster|higher|larger|better|above|over|longer|overhead|growth|increase|up")
_TIMES = Sought(
    r"\b(?P<fraction>[Tt]wice|[Dd]ouble|[Hh]alf|[Tt]hree times|[Ff]our times|[Ee]ight times|[Tt]en times|[Aa] third|"
    r"[Aa] quarter|[Aa] tenth|[Aa]n eighth)(?: of)? (?:that|this)"
    rf"(?:,|:| \(| is| are| or| would be),? ?{_ABOUT}$",
    ("wice", "ouble", "alf", "imes", "third", "quarter", "tenth", "eighth"),
)
_LOOSE = re.compile(
    r"\b(?:more|less|over|nearly|almost|about|roughly|up|not|than|at|least|most|around)\s+(?:to\s+)?$"
)
_OPEN = re.compile(
    r"\b(?:if|instead|per|each|shared?|offload\w*|compress\w*|quanti[sz]\w*|halv\w*|half|twice|two|doubl\w*|of which|"
    r"includ\w*|freed?|releas\w*|plus|or|would|could|saves?|between|from|to|up to|at least|at most|than|but|only part|"
    r"without|usable)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|instead|per|of which|includ\w*|or|would|could|from|than|but|average|mean|median|overlap\w*|hidden|half|"
    r"halv\w*|twice|doubl\w*|of (?:both|them)|another|other|both|sparse|sparsity|without|after|before|by|grew|fell|"
    r"rose)\b",
    re.IGNORECASE,
)
_ENTRY = Sought(
    r"\bleaves?\b|\bleft\b|\bfree\b|remain|%|(?:that|this|That|This)\b|ogether|\b[Ii]n (?:all|total)\b|times|×",
    ("leave", "left", "free", "remain", "%", "hat", "his", "ogether", "n all", "n total", "times", "×"),
)
_KEYS = (SWAPPED, ONE_DIGIT, "power of ten")
_FEWEST = 2
_LONGEST, _MOST, _BACK, _OFF, _WHOLE, _MORE_THAN = 4_000, 5, 3, 0.03, 0.01, 1.1
"""_MORE_THAN: less of a peak may be of useful operations only."""


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """What sentences conclude from those before them in their paragraph."""
    for _, group in groupby(every, key=lambda clause: id(clause.block)):
        sentences = [clause for clause in group if not clause.row and not clause.listed]
        if len(sentences) < 2 or len(sentences[-1].block.text) > _LONGEST:
            continue
        if _ENTRY.search(sentences[0].block.text):
            for at, clause in enumerate(sentences):
                if at and _ENTRY.search(clause.text):
                    yield from _of_clause(clause, sentences[max(0, at - _BACK) : at])


def _of_clause(clause: Clause, before: Sequence[Clause]) -> Iterator[Claim]:
    found = amounts(clause)
    text = clause.plain
    for order, told in enumerate(found):
        if told.quantity is None or told.opaque or told.linked:
            continue
        lead = text[: told.start]
        if order == 0:
            left = _REMAINS.search(lead) and _LEFT.match(text, told.end)
            if told.literal.unit in ("%", "times"):
                if _SHARE.search(lead):
                    yield from _share(told, before)
            elif told.measure and not told.bare:
                if _LEAVES.search(lead) or left:
                    yield from _left(told, before)
                elif _TOGETHER.search(lead):
                    yield from _summed(told, before)
                elif _AGAIN.search(lead) and _NO_MORE.match(text, told.end):
                    yield from _retold(told, before)
        share = found[order - 1] if order == 1 and _PERCENT_OF.search(lead) else None
        if share is not None and not _LOOSE.search(text[: share.start]):
            yield from _times(told, share.value.mid, (), before)
        times = _TIMES.search(text, max(0, told.start - 60), told.start)
        if times is not None and not _LOOSE.search(text[: times.start()]):
            yield from _times(told, FRACTIONS[times["fraction"].lower()], found[:order], before)


def _window(before: Sequence[Clause], fewest: int) -> list[Amount]:
    """The amounts of the sentences before, as many sentences as tell so many of them."""
    window: list[Amount] = []
    for clause in reversed(before):
        window = [*amounts(clause), *window]
        if len(window) >= fewest:
            break
    return window


def _is_plain(one: Amount) -> bool:
    return not (one.bare or one.opaque or one.linked or one.each or one.name) and one.value.mid > 0


def _said(given: Sequence[Amount], told: Amount) -> str:
    """The text from the first of some amounts to the one that is told, sentences without numbers too."""
    first = given[0].clause
    return first.block.text[first.offset : told.clause.offset + told.start].replace("\n", " ")


def _retold(told: Amount, before: Sequence[Clause]) -> Iterator[Claim]:
    """`The service gets 12 million requests a day. That is 139 requests per second.`: false by a plain slip."""
    given = amounts(before[-1])
    if len(given) != 1 or told.quantity is None or not _is_plain(given[0]):
        return
    (one,) = given
    between = _said(given, told)[len(before[-1].text) :].strip(" .\n")
    if one.kind != told.kind or one.quantity is None or not _AGAIN.search(f"{between} "):
        return
    if len(told.literal.digits) < _FEWEST or _unit(one) == _unit(told):
        return
    right = one.value.mid * one.senses[0].factor / told.senses[0].factor
    open_ = told.slack + _reach(one) * right / one.value.mid
    words = _PER.sub("", f"{one.clause.plain} {told.clause.plain}")
    if abs(told.value.mid - right) <= open_ or _UNSURE.search(words):
        return
    cause = cause_of(told.quantity, told.in_its_unit(right))
    if cause.startswith((*_KEYS, "bit and byte", "seconds and", "hours and")):
        yield held(told.clause, told.quantity, "false", right, cause, one.written_out)


def _reach(one: Amount) -> float:
    """How far an amount is open that others are counted from: whole numbers are told as they are."""
    return one.slack if "." in one.literal.digits else min(one.slack, _WHOLE * one.value.mid)


def _unit(one: Amount) -> str:
    """How an amount is written, without its number."""
    return re.sub(r"^[\W\d]+", "", one.written_out)


def _alike(told: Amount, before: Sequence[Clause]) -> list[Amount]:
    """The amounts of as many sentences before as tell of one kind only, that of a told one."""
    given: list[Amount] = []
    hard = any(base in HARD for base, _ in told.kind)
    for clause in reversed(before):
        found = amounts(clause)
        if not all(
            _is_plain(one) and one.quantity and (one.measure if hard else one.kind) == told.measure
            for one in found
        ):
            break
        given = [*found, *given]
    return given if 2 <= len(given) <= _MOST else []


def _summed(told: Amount, before: Sequence[Clause]) -> Iterator[Claim]:
    """`Loading takes 95 s. Compiling takes 140 s. Together they take 235 s.`: false by a slip of the keys."""
    given = _alike(told, before)
    if not given or told.quantity is None:
        return
    right = sum(one.value.mid for one in given)
    open_ = told.slack + sum(one.slack for one in given)
    for many in range(2, len(given) + 1):
        for some in combinations(given, many):
            if abs(sum(one.value.mid for one in some) - told.value.mid) <= open_:
                return
    if not _OPEN.search(_said(given, told)):
        cause = cause_of(told.quantity, told.in_its_unit(right))
        if cause.startswith(_KEYS):
            yield held(
                told.clause, told.quantity, "false", right, cause, " + ".join(one.shown for one in given)
            )


def _left(told: Amount, before: Sequence[Clause]) -> Iterator[Claim]:
    """`The card has 80 GB. The weights take 28 GB. That leaves 52 GB.`: the first without all others."""
    given = _alike(told, before)
    if not given or told.quantity is None or given[0].sentence == given[-1].sentence:
        return  # what one sentence tells may be taken off another whole
    whole, rest = given[0], given[1:]
    spent = sum(one.value.mid for one in rest)
    if whole.value.mid <= spent:
        return
    right = whole.value.mid - spent
    open_ = told.slack + sum(one.slack for one in given)
    because = " - ".join(one.shown for one in given)
    if abs(told.value.mid - right) <= open_ * (1 + 1e-7):
        yield held(told.clause, told.quantity, "true", right, "", because)
        return
    for many in range(1, len(given)):
        for some in combinations(rest, many):
            if abs(whole.value.mid - sum(one.value.mid for one in some) - told.value.mid) <= open_:
                return
    if _OPEN.search(_said(given, told)):
        return
    cause = cause_of(told.quantity, told.in_its_unit(right))
    more = right * (1 + _OFF) + open_ < told.value.mid < whole.value.mid
    if cause.startswith(_KEYS) or more:
        yield held(told.clause, told.quantity, "false", right, cause, because)


def _share(told: Amount, before: Sequence[Clause]) -> Iterator[Claim]:
    """`The peak is 989 TFLOP/s. We reach 405 TFLOP/s. The utilization is 41 %.`"""
    given = _window(before, 2)
    if len(given) != 2 or told.quantity is None or not all(map(_is_plain, given)):
        return
    some, whole = sorted(given, key=lambda one: one.value.mid)
    if some.measure != whole.measure or not any(base in HARD for base, _ in some.kind):
        return
    part = some.value.mid / whole.value.mid
    changed = _CHANGED.match(told.clause.plain, told.end)
    if told.literal.unit == "times":
        right, because = 1 / part, f"{whole.shown} / ({some.shown})"
    elif changed is None:
        right, because = part, f"{some.shown} / ({whole.shown})"
    elif _MORE.match(changed[0].strip()):
        right, because = 1 / part - 1, f"{whole.shown} / ({some.shown}) - 1"
    else:
        right, because = 1 - part, f"1 - {some.shown} / ({whole.shown})"
    near = [
        one for clause in before for one in amounts(clause) if one.measure == some.measure and one.value.mid
    ]
    shares = [one.value.mid / other.value.mid for one, other in permutations(near, 2)]
    others = (*shares, *(abs(1 - one) for one in shares), part / (1 + part))
    open_ = told.slack + right * sum(one.slack / one.value.mid for one in given)
    if abs(told.value.mid - right) <= open_:
        yield held(told.clause, told.quantity, "true", right, "", because)
        return
    if any(abs(told.value.mid - one) <= open_ + _OFF * one for one in others):
        return
    said = _said(given, told)
    if right <= 0 or _UNSURE.search(said) or _UNSURE.search(told.clause.plain, told.end):
        return
    cause = cause_of(told.quantity, told.in_its_unit(right))
    if _is_swapped(told, told.in_its_unit(right)):
        cause = SWAPPED
    peak = (
        told.literal.unit == "%"
        and _OF_PEAK.search(whole.clause.plain)
        and _OF_IT.match(told.clause.plain, told.end)
    )
    if cause.startswith(_KEYS) or (peak and told.value.mid > _MORE_THAN * right):
        yield held(told.clause, told.quantity, "false", right, cause, because)


def _is_swapped(told: Amount, right: float) -> bool:
    """Whether a whole number of two digits has those of the right one the other way round."""
    digits = told.literal.digits
    return len(digits) == 2 and digits.isdigit() and digits[0] != digits[1] and f"{right:.0f}" == digits[::-1]


def _times(
    told: Amount, factor: float, inside: Sequence[Amount], before: Sequence[Clause]
) -> Iterator[Claim]:
    """`A prefill takes 180 ms. The decode phase takes twice that, 360 ms.`"""
    given = list(inside) or _window(before[-1:], 1)
    if len(given) != 1 or told.quantity is None or not _is_plain(given[0]):
        return
    one = given[0]
    between = told.clause.block.text[one.clause.offset + len(one.clause.text) : told.clause.offset]
    if between.strip():
        return  # a sentence without numbers may tell of another one
    if one.quantity is None or not one.value.mid or not (one.measure == told.measure or told.bare):
        return
    scale = one.literal.value / one.value.mid if told.bare else 1.0  # twice 1,200 a minute is 2,400
    right = one.value.mid * factor * scale
    open_ = told.slack + _reach(one) * factor * scale
    because = f"{factor:.3g} × {one.shown}"
    if abs(told.value.mid - right) <= open_:
        yield held(told.clause, told.quantity, "true", right, "", because)
    elif right > 0 and abs(told.value.mid / right - 1) > _OFF:
        cause = cause_of(told.quantity, told.in_its_unit(right))
        cause = UNKNOWN if cause.startswith("GB and GiB") else cause
        yield held(told.clause, told.quantity, "false", right, cause, because)
