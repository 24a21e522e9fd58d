"""Amounts of a paragraph: each number with its kind, that is its dimension and what it counts.

`64 GPUs`, `4,130 GPU-hours`, `327,680 bytes a token`, `$2.50 an hour`, `two bytes each`, `256 nodes of 8 GPUs`: the
noun behind a number is what it counts, and what follows "per", "a" or "each" divides it. Adjectives and the plural
fall away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from derive.checking.amount import Amount, Sense
from derive.checking.clauses import Clause, once
from derive.checking.nouns import (
    HARD,
    NUMBERS,
    PER,
    TIMES,
    counted_in,
    divisor,
    noun_behind,
    thing,
)
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.values import Interval, Literal, joined, plus
from derive.checking.words import Dimension, readings

_EACH = re.compile(
    r"\s*(?:(?:(?!in |on |of |for |per |to |from |at |and )[A-Za-z-]+ )?(?:each|apiece|a piece)\b(?! [a-z]+ed\b)|"
    r"(?:on|for|in|from|of|by|to) each of )"
)
_LED = re.compile(
    r"\b(?i:each|every|(?<!s )(?<!\d )per|one|an?|a single) (?:single |of (?:the|these|those|our|its) (?:\d[\d,]* )?)?"
    r"(?:[a-z-]+ )?"
    r"(?P<noun>(?!(?:then|thus|alone|therefore|hence|now|here|still|already|this|that|these|it|they) )"
    r"[A-Za-z]{3,}(?:-hour|-day)?)"
    r"(?:: ?| (?:(?:then|thus|alone|therefore|hence|now|here|still|already) )?(?:is|[a-z]+[a-z]s)\b"
    r"(?: through| out| up)?)"
    r"\s*(?:about |roughly |only |just |some |exactly |another |a (?:stream|rate|total) of )?[~≈]?\s*$"
)
_EACH_DOES = re.compile(
    r"^\s*Each (?:then |thus )?(?:is|has|[a-z]+[a-rtv-z]s) (?:about |only |roughly |some )?[~≈]?$"
)
_OF = re.compile(
    r"\s*(?:of|with|at|having|with up to|, each (?:of|with|having|holding|drawing|delivering)|"
    r"that (?:each )?(?:have|hold|draw|need|take)|drawing|holding|containing|using)\s+"
    r"(?:about |only |roughly )?[~≈]?\s*"
)
_TIME = r"(?:minute|hour|day|week|month|year)"
_ONCE = Sought(
    rf"\b(?:[Ii]n|[Oo]ver) (?:an?|one) (?:whole |full |single )?(?P<what>{_TIME})\b|"
    rf"\b(?:[Aa]n?|[Oo]ne) (?P<also>{_TIME}) "
    rf"(?=of (?:\d[\d,.]*|{'|'.join(NUMBERS)}|the (?:\w+ )?(?:node|cluster|machine))\b|"
    r"(?:costs?|makes?|takes?|needs?|uses?|gives?|draws?|brings?|has|sees)\b)",
    ("minute", "hour", "day", "week", "month", "year"),
)
_WORDED = Sought(
    rf"\b(?P<n>{'|'.join(sorted(NUMBERS, key=len, reverse=True))}) (?=[A-Za-z\d])",
    tuple(f"{word} " for word in NUMBERS if "-" not in word),  # twenty-four ends like four
    ignore_case=True,
)
_SIZED = re.compile(
    r"(?:such |full |long |short |parallel |concurrent |more |of the )?"
    r"\d[\d.,]*(?: ?[A-Za-z]{1,5}(?:/s)?|[kKM]?-[A-Za-z]+) (?:[a-z]+-)?(?P<noun>[a-z]{3,}s)\b"
)
_NAMED = re.compile(
    r"(?:[A-Z]\w*\d ?×|(?<=[\w,)] )[A-Z][A-Za-z]*|(?i:section|table|figure|fig\.|step|chapter|version|part|no\.))"
    r"[ -]?[#(]?$"
)
_DIGITS = re.compile(
    r"\d[\d.,_]*(?:[eE]\d+)?(?<![.,])(?:\s*[×*x·]\s*10\s*\^\s*\(?\d+\)?)?"
    r"(?:\s*(?:thousand|million|billion|trillion|[kKMBT](?![\w/])))?"
)
_SMALL, _MOST_PARTS = 1000.0, 4096
_LONGEST, _MOST = 1500, 3000
_PER_MANY = re.compile(r"\s*(?:per|for every|for each|in every|every)\s+")
_FACTOR = Sought(
    r"\b(?:PUE|power usage effectiveness)(?: factor)?(?: of| =| is| at)?\s+(?:about )?[~≈]?$",
    ("PUE", "power usage"),
)
_ONE_EVERY = Sought(
    r"\b(?:one|once|one [a-z]+|a token|a step) (?:every|each)\s+(?:about )?[~≈]?$", (" every", " each")
)
_IN_THE = re.compile(r"/(?:thousand|million|billion|trillion)")
"""The unit of what is told for a magnitude of something: GPU-hours per trillion tokens."""
_ALL_OF = re.compile(r"\b(?:over|across|for|times) (?:all|the|all the|its|all its) $")
"""What stands before a count by which what was told for one is multiplied: over the 58 layers."""
_BEFORE = re.compile(r"[-+^/]\s*\(?$")
_BEHIND = re.compile(r"\s?(?:[\^+/]|- |…|‥|[x×] (?![\d$~]))|[x×](?:$|\W)")
_TIMES_BEFORE, _TIMES_BEHIND = (
    re.compile(r"[×*·]\s*\(?$|\btimes (?:the )?$"),
    re.compile(r"\s*(?:[×*·]|times\b)"),
)


_OPERATIONS: Dimension = (("FLOP", 1),)
_LARGE = 1e9
_NO_THINGS = (
    "total",
    "few",
    "lot",
    "third",
    "half",
    "quarter",
    "that",
    "this",
    "which",
    "way",
    "more",
    "less",
)
_SECOND: Dimension = (("second", 1),)
_DOLLAR: Dimension = (("dollar", 1),)
_DEVICE_HOURS = re.compile(r"(hour|day)s?$")
_DEVICE_TIME: Dimension = (("device", 1), ("second", 1))
_LONG = ("month", "year")


@once
def amounts(clause: Clause) -> Sequence[Amount]:
    """The amounts of a sentence in their order."""
    found: list[Amount] = []
    text = clause.plain
    last: Amount | None = None
    for amount in sorted((*_read(clause, text), *_worded(clause, text), *_once(clause, text)), key=_place):
        if last is not None and amount.start < last.end:
            continue
        if last is not None and _goes_on(last, amount, text):
            last = found[-1] = _summed(last, amount)
            continue
        if (
            last is not None
            and (amount.counts or amount.kind == _SECOND)
            and amount.value.mid
            and _PER_MANY.fullmatch(text[last.end : amount.start])
        ):
            last = found[-1] = _of_so_many(last, amount)
            continue
        last = _of_the_last(_led(amount, text), last, text)
        found.append(last)
    return found


def of_document(every: Iterable[Clause]) -> list[Amount]:
    """The positive amounts of the sentences of a document, up to a bound: not those of tables."""
    found: list[Amount] = []
    for clause in every:
        if not clause.row and len(clause.text) < _LONGEST and len(found) < _MOST:
            found += [one for one in amounts(clause) if one.value.mid > 0]
    return found


def _place(amount: Amount) -> int:
    return amount.start


def _goes_on(last: Amount, amount: Amount, text: str) -> bool:
    """Whether an amount of time goes on in a smaller unit: 2 h 15 min."""
    return (
        last.kind == amount.kind == _SECOND
        and _unit(last) != _unit(amount)
        and text[last.end : amount.start] in (" ", "  ", " and ")
        and 0 < amount.value.mid < last.value.mid
    )


def _unit(amount: Amount) -> str:
    return amount.literal.unit if amount.quantity is not None else ""


def _summed(last: Amount, amount: Amount) -> Amount:
    total = plus(last.value, amount.value, 1)
    return last if total is None else replace(last, value=total, end=amount.end, quantity=None)


def _of_so_many(last: Amount, amount: Amount) -> Amount:
    """An amount for so many of something: 34 bytes per 32 weights."""
    senses = tuple(Sense(sense.kind, sense.factor / amount.value.mid) for sense in last.over(amount.kind))
    return replace(last, senses=senses, end=amount.end)


def _read(clause: Clause, text: str) -> Iterator[Amount]:
    """The amounts written in digits."""
    parts = _fractions(clause.quantities, text)
    for one in clause.quantities:
        if one.start in parts:
            below = parts[one.start]
            if below is not None:
                ratio = one.literal.value / below.literal.value
                share = Interval(ratio, ratio, ratio)
                yield Amount(
                    share,
                    (Sense(()),),
                    one.start,
                    below.start + len(below.literal.digits),
                    clause,
                    None,
                    linked=True,
                )
            continue
        literal = one.literal
        value, unit = literal.at({}), literal.unit
        opaque = (
            bool(_BEFORE.search(text, max(0, one.start - 4), one.start)) or _IN_THE.search(unit) is not None
        )
        kinds = _kinds(literal)
        if value.dimension or unit in ("%", "times"):
            if unit in ("%", "times"):
                kinds = ((),)
            elif len(kinds) > 1 and not unit.endswith("S"):
                kinds = tuple(sorted(kinds, key=len))  # FLOPs are operations before they are a rate
            senses = tuple(map(Sense, kinds))
            bare = kinds == ((("second", -1),),)
            amount = Amount(value, senses, one.start, one.end, clause, one, bare=bare, opaque=opaque)
            yield _priced(_divided(amount, text, 2 - unit.count("/")))
            continue
        begin = _behind_digits(literal, text)
        named = not unit and value.mid < _SMALL and _NAMED.search(text, max(0, one.start - 20), one.start)
        if named and not _FACTOR.search(text, max(0, one.start - 40), one.start):
            continue
        end, noun, over = noun_behind(text, begin)
        kind = joined(((noun, 1),) if noun else (), ((over, 1),) if over else (), -1)
        kinds = (kind, _OPERATIONS) if not noun and value.mid >= _LARGE else (kind,)
        name = (unit in ("B", "b") and not noun) or text[begin : begin + 4] == "-bit"
        if noun and not over and _ALL_OF.search(text, max(0, one.start - 16), one.start):
            kinds = (*kinds, ())
        senses = tuple(map(Sense, kinds))
        amount = Amount(value, senses, one.start, end, clause, one, (), not noun, False, opaque, name)
        yield _divided(amount, text, 2)


def _kinds(literal: Literal) -> tuple[Dimension, ...]:
    """The kinds that a number may be of by its unit, with what that counts."""
    counted = counted_in(literal.unit)
    if len(literal.options) == 1:
        return (joined(literal.options[0].dimension, counted, 1),)
    return tuple(dict.fromkeys(joined(option.dimension, counted, 1) for option in literal.options))


def _fractions(found: Sequence[Quantity], text: str) -> dict[int, Quantity | None]:
    """The numbers of fractions such as 7/8 by their places: what stands below the line, None for that itself."""
    parts: dict[int, Quantity | None] = {}
    for one, other in pairwise(found):
        whole = one.literal.digits.isdigit() and other.literal.digits.isdigit() and not one.literal.unit
        if (
            whole
            and text[one.end : other.start] == "/"
            and 0 < one.literal.value < other.literal.value <= _MOST_PARTS
        ):
            parts[one.start], parts[other.start] = other, None
    return parts


def _behind_digits(literal: Literal, text: str) -> int:
    """Where the words behind a number begin, which the reader may have taken for its unit."""
    digits = _DIGITS.match(text, literal.start)
    return literal.end if digits is None else digits.end()


def _worded(clause: Clause, text: str) -> Iterator[Amount]:
    """The amounts written in words: two GPUs, eight hours, two bytes each."""
    for word in _WORDED.finditer(text):
        number = NUMBERS[word["n"].lower()]
        if number == 1.0 or any(one.start <= word.start() < one.end for one in clause.quantities):
            continue
        end, noun, over = noun_behind(text, word.end() - 1)
        sized = None if noun else _SIZED.match(text, word.end())
        if sized is not None:  # eight 400 Gb/s ports
            end, noun, over = word.end() - 1, thing(sized["noun"]), ""
        if not noun:
            continue
        unit = readings(
            noun if noun in TIMES or noun == "byte" else text[word.end() : end].rpartition(" ")[2]
        )
        factor, dimension = (unit[0].factor, unit[-1].dimension) if unit else (1.0, ())
        kind = dimension or joined(((noun, 1),), ((over, 1),) if over else (), -1)
        value = number * (factor if dimension else 1.0)
        exact = Interval(value, value, value, dimension)
        amount = Amount(exact, (Sense(kind),), word.start(), end, clause, None)
        yield _divided(amount, text, 2)


def _once(clause: Clause, text: str) -> Iterator[Amount]:
    """A time that is told without a number: in a day, a week costs."""
    for told in _ONCE.finditer(text):
        size = TIMES[told["what"] or told["also"]]
        exact = Interval(size, size, size, _SECOND)
        yield Amount(exact, (Sense(_SECOND),), told.start(), told.end(), clause, None)


def _divided(amount: Amount, text: str, most: int) -> Amount:
    """An amount with what stands behind it: per token, a day, each."""
    at, first = amount.end, amount
    for _ in range(most):
        per = PER.match(text, at)
        noun = divisor(per) if per else ""
        if per is None or not noun or (noun, -1) in amount.kind:
            break
        if (
            per["how"] in ("a", "an")
            and ("second", -1) in amount.kind
            and text[per.end() : per.end() + 1] != ","
        ):
            break  # at 3 TB/s a step takes so long
        at = per.end()
        if noun in TIMES:
            senses = tuple(Sense(sense.kind, sense.factor / TIMES[noun]) for sense in amount.over(_SECOND))
            if noun in _LONG:  # a year of accounts, or so many seconds
                amount = replace(amount, senses=(*amount.over(((noun, 1),)), *senses), loose=amount.senses)
            else:
                amount = replace(amount, senses=senses)
        else:
            amount = replace(amount, senses=amount.over(((noun, 1),)))
    opaque = amount.opaque or bool(_BEHIND.match(text, at))
    each = amount.senses == first.senses and bool(
        _EACH.match(text, at) or _ONE_EVERY.search(text, max(0, amount.start - 30), amount.start)
    )
    linked = bool(
        _TIMES_BEHIND.match(text, at)
        or _TIMES_BEFORE.search(text, max(0, amount.start - 8), amount.start)
        or _FACTOR.search(text, max(0, amount.start - 40), amount.start)
    )
    if at == amount.end and opaque == amount.opaque and not each and not linked:
        return amount
    return replace(amount, end=at, opaque=opaque, each=each, linked=linked)


def _priced(amount: Amount) -> Amount:
    """A price an hour, which may be that of one device; one a month or year is one in seconds too."""
    for noun in _LONG:
        if (noun, -1) in amount.kind and len(amount.senses) == 1:
            kind = joined(amount.kind, ((noun, 1),), 1)
            rate = Sense(joined(kind, _SECOND, -1), 1 / TIMES[noun])
            return replace(amount, senses=(*amount.senses, rate), loose=(*amount.loose, Sense(kind)))
    if amount.kind != (("dollar", 1), ("second", -1)):
        return amount
    return replace(amount, senses=(*amount.senses, *amount.over((("device", 1),))))


def _led(amount: Amount, text: str) -> Amount:
    """An amount of which the words before it say for what: each layer takes 2 GB, a GPU-hour costs $2."""
    if not amount.each and amount.kind and _EACH_DOES.search(text, 0, amount.start):
        return replace(amount, each=True)
    if (
        amount.each
        or not amount.kind
        or any(power < 0 and base not in HARD for base, power in amount.kind)
        or (led := _LED.search(text, max(0, amount.start - 70), amount.start)) is None
    ):
        return amount
    noun, used = thing(led["noun"]), readings(led["noun"])
    if used and used[0].dimension == _SECOND and "-" in led["noun"]:
        kind = joined(_SECOND, counted_in(led["noun"]), 1)
        senses = tuple(Sense(sense.kind, sense.factor / used[0].factor) for sense in amount.over(kind))
        return replace(amount, senses=senses)
    if noun in TIMES or noun in dict(amount.kind) or noun in _NO_THINGS:
        return amount
    return replace(amount, senses=amount.over(((noun, 1),)), loose=(*amount.loose, *amount.senses))


def _of_the_last(amount: Amount, last: Amount | None, text: str) -> Amount:
    """An amount of each of the things counted before it: 256 nodes of 8 GPUs, 186 sessions at 2 GB each."""
    told = _DEVICE_HOURS.search(last.written_out) if last is not None and last.kind == _DEVICE_TIME else None
    if last is not None and told is not None and amount.each and amount.kind == _DOLLAR:
        size = TIMES[told[1]]  # the price of a GPU-hour
        senses = tuple(Sense(sense.kind, sense.factor / size) for sense in amount.over(last.kind))
        return replace(amount, senses=senses, loose=(*amount.loose, *amount.senses), each=False)
    if last is None or not last.counts or last.bare or len(last.kind) != 1 or last.kind[0][1] != 1:
        return amount
    if amount.quantity is not None and amount.quantity.literal.unit in ("%", "times"):
        return amount
    if any(power < 0 and base not in HARD for base, power in amount.kind) or last.kind[0] in amount.kind:
        return amount
    adjacent = last.quantity is None and text[last.end : amount.start] == " "
    if not amount.each and not adjacent and not _OF.fullmatch(text[last.end : amount.start]):
        return amount
    return replace(amount, senses=amount.over(last.kind), loose=(*amount.loose, *amount.senses), each=False)
