"""How many fit: room for 32,000 tokens and requests of 2,000 tokens each are 16 requests, and not 32.

A paragraph tells what one of something takes and what there is for all of them, in bytes or in tokens. The number of
those that fit is the quotient. It is false where a plain slip leads from the quotient to it, or where more are said to
fit than there is room for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import ONE_DIGIT, SWAPPED, UNKNOWN
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.mistakes import is_explained
from derive.checking.nouns import thing
from derive.checking.seeking import Sought
from derive.checking.slips import cause_of, held
from derive.checking.words import Dimension

_ALIKE = {
    "request": "sequence", "chat": "sequence", "dialogue": "sequence", "sample": "sequence", "client": "sequence",
    "customer": "sequence", "context": "sequence", "window": "sequence", "prefixe": "prefix", "copie": "copy",
}  # fmt: skip
"""Things that documents take for one another: a user has one conversation, which is one sequence."""
_NO_ITEMS = frozenset(("device", "node", "rack", "token", "parameter", "step", "second", "byte", "bit", "gb"))
"""Things of which there may be more than one needs, or fewer."""
_ITEMS = frozenset(
    (
        "sequence", "block", "page", "checkpoint", "snapshot", "prefix", "shard", "adapter", "replica", "copy", "model",
        "batch", "file", "chunk", "save",
    )
)  # fmt: skip
_ABOUT = (
    r"(?:(?:about|roughly|only|just|some|exactly|around|up|to|almost|nearly|over|another|at most|at least)\s+){0,3}"
    r"[~≈]?\s*"
)
_TAKES = (
    r"(?:takes?(?: up)?|needs?|costs?|uses?|is|weighs?|holds?|has|keeps?|occupies|occupy|requires?|consumes?|fills?|"
    r"runs? (?:up )?to|goes (?:on |up )?to|covers?|stores?|comes? to|grows? to|spans?|wants?|eats?|reserves?|writes?)"
)
_ONE = re.compile(
    r"\b(?P<how>[Aa]n?|[Oo]ne|[Ee]ach|[Ee]very|[Aa] single|[Pp]er|[Tt]he cache (?:of|for) an?)\s+"
    r"(?P<words>(?:[\w,.%-]+ ){1,9}?)(?:(?:then|thus|therefore|hence|now|also|alone) )?"
    rf"{_TAKES}\s+{_ABOUT}$"
)
_OF = re.compile(
    r"\b(?P<noun>[A-Za-z]+)(?:,? each)? (?:of|with|at|that (?:have|take|need|hold)|taking|holding|averaging)\s+"
    rf"{_ABOUT}$"
)
_PLURAL = re.compile(rf"\b(?P<noun>[A-Za-z]+s) (?:are|take|need|weigh|cost|occupy|use)\s+{_ABOUT}$")
_AGAIN = re.compile(
    r"(?:\b(?:[Aa]t|[Ff]or|[Ww]ith) (?:an? |the )?(?:(?:more|most|full|usual|typical|common|whole|shorter|longer|"
    rf"maximum|average|mean) ){{0,2}}{_ABOUT})$"
)
"""Another size of what has one in its sentence: 51 of them; at 2,048 tokens 207."""
_HOLDS = re.compile(
    r"(?:\b(?:holds?|fits?|(?:room|enough|space|good) for|"
    r"can (?:keep|serve|take|host|run|store|handle|carry|cache|batch|pack|retain)|(?:hence|thus|so|therefore|i\.e\.),?|"
    r"max(?:imum|imal)?\.? (?:batch(?: size)?|concurrency|number)(?: of [a-z]+)? (?:is|of)|"
    r"(?:that|this|it|which)(?: then| thus| therefore)?(?: is|['’]s| makes| means| gives| comes to))|[=→:])\s+"
    rf"(?:us |you |in |a total of |(?:a|the) batch of )?{_ABOUT}$"
)
"""Words of how many fit, and of nothing else."""
_SERVES = re.compile(
    r"\b(?:serves?|takes?|carr(?:y|ies)|allows?|gives?|makes?|means?|(?:there|which) (?:is|are)|is|are|gets?|supports?|"
    r"yields?|keeps?|have|has|admits?|hosts?|only|handles?|(?:grow|go) to|accepts?|stores?|leaves?|run)\s+"
    rf"(?:us |you |a total of |(?:a|the) batch of )?{_ABOUT}$"
)
_CONCLUDES = re.compile(r"\b(?:so|therefore|thus|hence|which|that|this|consequently|then)\b", re.IGNORECASE)
_FIT = re.compile(
    r"\s*(?:[\w-]+ ){0,3}?(?:(?:can |will |would )?(?:fit|be (?:held|served|kept|cached|resident))\b|stay resident|"
    r"(?:in|can be in) flight|at (?:once|a time|the same time)|in parallel|concurrently)"
)
_ROOM = re.compile(
    r"\b(?:room for|space for|leav(?:es|ing)|(?:are|is) left with|(?:budget|quota) (?:of|is)|cache (?:of|has|is|size:)|"
    r"pool (?:of|has|is|holds)|(?:remain|left|free|available)[a-z]*(?:\s+\w+){0,3}[:,]?|"
    rf"hold|holds)\s+(?:us |you |the pool |the cache )?{_ABOUT}$"
)
_ROOM_BEHIND = re.compile(
    r"\s*(?:of (?:free |the |GPU |device |HBM |its |their )*(?:memory |HBM |node |card |pool |budget |it |them )?)?"
    r"(?:(?:that |which )?(?:are|is|stay|stays|remains?) (?:then |thus )?)?"
    r"(?:left|free|remain|available|spare|given|set aside|reserved|"
    r"for (?:the |its |our )?(?:KV|cache|kv|adapters|prefix|experts|index)|"
    r"of (?:the )?(?:KV|kv|cache|RAM)|in (?:the )?(?:cache|pool)|"
    r"of the (?:pool|cache|file system|disk|volume|bucket)|to spend|(?:(?:can |will )?holds? ))"
)
_OVER = re.compile(r"\s*/\s*[~≈]?\d")
_OPEN = re.compile(
    r"\b(?:shar(?:e|es|ed|ing)|compress\w*|quanti[sz]\w*|halv\w*|half|twice|double\w*|offload\w*|swap\w*|evict\w*|both|pair|"
    r"overcommit\w*|oversubscri\w*|headroom|margin|watermark|measured?|observed|in practice|benchmark\w*|scheduler|"
    r"limit\w*|capped|max[-_]num\w*|instead|without|another|per (?:card|GPU|device|replica|node|host|server|chip)|"
    r"each (?:card|GPU|device|replica|node|host|server|chip)|replicas|not enough|would|overhead|"
    r"(?:[Ii][Nn][Tt]|[Ff][Pp])[48]|[48][- ]bits?|one byte|e4m3|other|more than|fewer|less than|steps?|second)\b"
)
"""Words of something that multiplies or lessens how many fit."""
_NOT_TWICE = re.compile(r"\b(?:no|not|nothing|never)\b[^.,;()]{0,30}\btwice\b")
_OF_MANY = re.compile(
    r"\b(?:nodes?|servers?|hosts?|machines?|box|cluster|fleet|rack|deployment|pod|service|system|all|together|cards|GPUs)\b"
)
_THEM = re.compile(r"\s*(?:of (?:them|these|those)|such\b|$|[.;,)])")
_ENTRY = Sought(
    r"\b(?:fit|hold|room|enough|serve|allow|give|make|mean|that is|therefore|hence|thus|so|resident|space|good for|"
    r"grow to|has|have)",
    ("fit", "hold", "room", "enough", "serve", "allow", "give", "make", "mean", "hat is", "therefore", "hence", "thus",
     "so ", "So ", "resident", "space", "good for", "grow to", "has", "have"),
)  # fmt: skip
_FACTORS = (
    (2.0, "counted twice, or half"), (4.0, "counted twice, or half"), (0.5, "counted twice, or half"),
    (10.0, "power of ten"), (0.1, "power of ten"), (100.0, "power of ten"), (0.01, "power of ten"),
    (1e3, "prefix"), (1e-3, "prefix"),
)  # fmt: skip
_COVERED: tuple[Dimension, ...] = ((("block", 1),), (("page", 1),))
"""What covers all that there is."""
_BACK, _LONGEST, _LEAST = 3, 4_000, 2.0
_NEAR, _MORE = 0.04, 1.1
_TOKENS: Dimension = (("token", 1),)
_BYTES: Dimension = (("byte", 1),)


@dataclass(frozen=True)
class _Size:
    """What one of something takes. nouns: what it may be that takes it. measure: bytes or tokens."""

    amount: Amount
    nouns: frozenset[str]
    measure: Dimension


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The numbers of what fits, in each paragraph."""
    for _, group in groupby(every, key=lambda clause: id(clause.block)):
        sentences = [clause for clause in group if not clause.row and not clause.listed]
        if not sentences or len(sentences[-1].block.text) > _LONGEST:
            continue
        for at, clause in enumerate(sentences):
            if _ENTRY.search(clause.text):
                yield from _of_clause(clause, sentences[max(0, at - _BACK) : at])


def _of_clause(clause: Clause, before: Sequence[Clause]) -> Iterator[Claim]:
    near = [one for other in (*before, clause) for one in amounts(other) if one.value.mid > 0]
    sizes = _sizes(near)
    text = clause.plain
    if not sizes:
        return
    found = amounts(clause)
    for order, told in enumerate(found):
        begin = found[order - 1].end if order else 0
        if told.quantity is None or not _may_fit(told, text, begin):
            continue
        ahead = near[: near.index(told)] if told in near else []
        yield from _judged(told, ahead, near, [one for one in sizes if one.amount in ahead])


def _may_fit(told: Amount, text: str, begin: int) -> bool:
    """Whether a whole number is told as how many fit."""
    if not told.counts or told.opaque or told.linked or told.each or told.name or told.value.mid < _LEAST:
        return False
    if any(power != 1 for _, power in told.kind) or len(told.kind) > 1:
        return False
    if told.quantity is None or told.literal.unit in ("%", "times"):
        return False
    if _HOLDS.search(text, begin, told.start) or _FIT.match(text, told.end):
        return True
    if _SERVES.search(text, begin, told.start) is None:
        return False
    return told.kind in _COVERED or bool(_CONCLUDES.search(text, begin, told.start))


def _class(noun: str) -> str:
    return _ALIKE.get(noun, noun)


def _sizes(near: Sequence[Amount]) -> list[_Size]:
    """What one of something takes, as the sentences tell it."""
    found: list[_Size] = []
    for one in near:
        measure = _measure(one)
        if measure is None or one.opaque or one.quantity is None:
            continue
        nouns = _nouns_of(one)
        last = found[-1] if found and found[-1].amount.clause is one.clause else None
        if not nouns and last is not None and last.measure == measure:
            nouns = last.nouns if _AGAIN.search(one.clause.plain, 0, one.start) else nouns
        if nouns:
            found.append(_Size(one, nouns, measure))
    return found


def _measure(one: Amount) -> Dimension | None:
    """Bytes or tokens, of all or of each of something; None for anything else, as a rate."""
    above = tuple((base, power) for base, power in one.kind if power > 0)
    below = [base for base, power in one.kind if power < 0]
    return above if above in (_TOKENS, _BYTES) and len(below) < 2 and "second" not in below else None


def _nouns_of(one: Amount) -> frozenset[str]:
    """Of what one takes an amount, as far as the words say so."""
    for base, power in one.kind:
        if power < 0:
            return frozenset((_class(base),)) - _NO_ITEMS
    text = one.clause.plain
    led = _ONE.search(text, max(0, one.start - 120), one.start)
    words = re.findall(r"[A-Za-z-]{3,}", led["words"]) if led else []
    found = frozenset(_class(thing(word)) for word in words) - _NO_ITEMS
    if found:
        return found & _ITEMS or found
    of_it = _OF.search(text, max(0, one.start - 60), one.start)
    noun = _class(thing(of_it["noun"])) if of_it else ""
    if noun in _ITEMS:
        return frozenset((noun,))
    many = _PLURAL.search(text, max(0, one.start - 60), one.start) if one.each else None
    return frozenset((_class(thing(many["noun"])),)) - _NO_ITEMS if many else frozenset()


def _judged(
    told: Amount, ahead: Sequence[Amount], near: Sequence[Amount], sizes: Sequence[_Size]
) -> Iterator[Claim]:
    text = told.clause.plain
    noun = _class(told.kind[0][0]) if told.kind else ""
    if not noun and not _THEM.match(text, told.end):
        return
    sized = [one for one in sizes if not noun or noun in one.nouns]
    if not sized or told.quantity is None:
        return
    pairs = []
    for measure in (_TOKENS, _BYTES):
        of_one = [one.amount for one in sized if one.measure == measure]
        room = _room(told, ahead, [one.amount for one in sizes], measure)
        if of_one and room is not None:
            size = of_one[-1]
            alike = all(abs(one.value.mid / size.value.mid - 1) < _NEAR for one in of_one)
            if size.clause is told.clause or alike:
                pairs.append((room, size))
    for room, size in pairs:
        if _agrees(told, room, size):
            yield held(told.clause, told.quantity, "true", _whole(room, size), "", _because(room, size))
            return
    if len(pairs) != 1:
        return
    ((room, size),) = pairs
    begin = min((room, size), key=lambda one: (one.sentence, one.start))
    block = told.clause.block.text
    around = _NOT_TWICE.sub(" ", block[begin.clause.offset : told.clause.offset + len(told.clause.text)])
    cause = _cause(told, room, size)
    if told.value.mid < room.value.mid / size.value.mid:
        before = text[: told.start]
        if not _is_room(room) or not (_HOLDS.search(before) or _FIT.match(text, told.end)):
            return  # fewer than fit may be chosen, and not all that a card has is room
    elif room.clause is not told.clause and _OF_MANY.search(text) and not _OF_MANY.search(room.clause.plain):
        return
    if cause and not _OPEN.search(around) and not is_explained(told, near):
        yield held(told.clause, told.quantity, "false", _whole(room, size), cause, _because(room, size))


def _room(
    told: Amount, ahead: Sequence[Amount], sizes: Sequence[Amount], measure: Dimension
) -> Amount | None:
    """What there is for all: the only amount of the measure that the words call so, or the only one of them."""
    kind = [
        one
        for one in ahead
        if one.kind == measure
        and one not in sizes
        and (not one.opaque or _OVER.match(one.clause.plain, one.end))
    ]
    marked = [one for one in kind if _is_room(one)]
    for chosen in (marked, kind):
        own = [one for one in chosen if one.clause is told.clause]
        for some in (own, chosen):
            if some:
                first = some[-1]
                same = all(abs(one.value.mid / first.value.mid - 1) < _NEAR for one in some)
                return first if same else None
    return None


def _is_room(one: Amount) -> bool:
    text = one.clause.plain
    return bool(
        _ROOM.search(text, max(0, one.start - 60), one.start)
        or _ROOM_BEHIND.match(text, one.end)
        or _OVER.match(text, one.end)
    )


def _whole(room: Amount, size: Amount) -> float:
    return float(int(room.value.mid / size.value.mid * (1 + 1e-9)))


def _because(room: Amount, size: Amount) -> str:
    return f"{room.written_out} / {size.written_out}"


def _agrees(told: Amount, room: Amount, size: Amount) -> bool:
    """Whether about so many fit."""
    low, high = room.value.low / size.value.high, room.value.high / size.value.low
    slack = max(told.slack, _NEAR * told.value.mid, 1.0)
    return low - slack <= told.value.mid <= high + slack


def _cause(told: Amount, room: Amount, size: Amount) -> str:
    """The slip that leads to a number of what fits, or that there is no room for so many; "" where it is neither."""
    right = room.value.mid / size.value.mid
    if right < _LEAST:
        return ""
    found = cause_of(told.quantity, _whole(room, size)) if told.quantity is not None else UNKNOWN
    if found == SWAPPED or (found == ONE_DIGIT and told.digits > 2):
        return found
    for factor, name in _FACTORS:
        low, high = room.value.low / size.value.high * factor, room.value.high / size.value.low * factor
        slack = max(told.slack, 0.01 * told.value.mid, max(1.0, factor) * 0.999)
        if low - slack <= told.value.mid <= high + slack and told.value.mid > _LEAST:
            return f"{name}: it is {factor:g} times what it should be"
    if told.value.mid > right * _MORE + 1:
        return f"so many do not fit: {room.written_out} / {size.written_out} is {_whole(room, size):g}"
    return ""
