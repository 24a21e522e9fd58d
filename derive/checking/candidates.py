"""What amounts of a sentence, and one told elsewhere, make of the kind of a told number: the products to be judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from derive.checking.amount import Amount, Sense
from derive.checking.factors import (
    Part,
    Product,
    kind_of,
    measures,
    multiplied,
    reaches,
    scale_of,
    value_of,
    with_one,
)
from derive.checking.nouns import HARD
from derive.checking.statements import BANDWIDTH, constants_of
from derive.checking.subjects import WIDTHS, Mention, machines, precisions
from derive.checking.values import Interval
from derive.checking.words import Dimension

_FEW = 2
MOST = 4
"""How many amounts of a sentence may make another one."""

_BANDWIDTH = re.compile(r"\bbandwidth\b|\bHBM|\bmemory\b", re.IGNORECASE)
_SECONDS: Dimension = (("second", 1),)
_BITS_WIDE = re.compile(r"\b(4|8|16|32)-bit\b")
_PART_OF = re.compile(
    r"\s*(?:(?:of|on) (?:(?:the|its|their|our|a|dense|peak|theoretical) ){0,3}[~≈]?[\d$€]|"
    r"of (?:it|that|this|them|peak|the peak|their|its)\b|utili[sz]ation|efficien|MFU|of the (?:\w+ ){0,3}peak)"
)
_AT = re.compile(
    r"\b(?:at|with|using|assuming|an? MFU of|utili[sz]ation of|efficiency of)\s+(?:about |only |an? )?[~≈]?\s*$"
)
_TIMES = re.compile(r"\s*(?:[×*·]|times)\s*\(?")
_PERCENT_OF = re.compile(
    r"\s*of (?:(?:the|its|their|our|a|dense|peak|theoretical|BF16|bf16|of) ){0,5}[~≈]?\s*"
)


def restates_share(one: Amount, text: str) -> bool:
    """Whether a percentage only tells the amount before it again, as a share of something else."""
    percent = one.quantity is not None and one.literal.unit == "%"
    return percent and not _is_part(one) and text[: one.start].rstrip(" ~≈")[-1:] in (",", "(")


def _is_part(one: Amount) -> bool:
    """Whether a percentage is one of what stands beside it: 50 % of 989 TFLOPS, at 90 % efficiency."""
    if one.quantity is None or one.quantity.literal.unit != "%":
        return True
    text = one.clause.plain
    return bool(_PART_OF.match(text, one.end) or _AT.search(text, max(0, one.start - 40), one.start))


def of_format(told: Amount) -> Iterator[Amount]:
    """The bytes of an element in the one format that a sentence names."""
    if dict(told.kind) == {"byte": 1}:
        yield from _width(told, told)


def of_machine(told: Amount) -> Iterator[Amount]:
    """The bandwidth of the memory of the one machine that a sentence names, where it speaks of that."""
    text = told.clause.text
    named = (
        {one.names for one in machines(text)} if told.kind == _SECONDS and _BANDWIDTH.search(text) else set()
    )
    for names in named if len(named) == 1 else ():
        rates = constants_of(Mention(names, 0, 0), ("bandwidth",), BANDWIDTH)
        for rate in rates if len(rates) == 1 else ():
            value = float(rate.base)
            yield replace(
                told,
                value=Interval(value, value, value),
                senses=(Sense(BANDWIDTH),),
                loose=(),
                quantity=None,
                written=f"{rate.text} of {rate.entry}",
                bare=False,
                each=False,
            )


def candidates(
    told: Amount, inside: Sequence[Amount], earlier: Sequence[Amount], rates: Sequence[Amount]
) -> Iterator[Product]:
    """The products of all open amounts of the sentence, with one told elsewhere where it is needed."""
    obliged = [one for one in inside if not one.name and one.value.mid != 1.0]
    if (
        sum(not one.linked for one in obliged) > MOST
        or len(obliged) > 2 * MOST
        or any(one.opaque or not _is_part(one) for one in obliged)
    ):
        return
    pulled = [*_widths(told, obliged), *_nearest(earlier)]
    others = (*((one, True) for one in pulled), *((one, False) for one in rates))
    for parts in _signed(obliged):
        yield from _with_others(told, parts, others)
    beside = [one for one in earlier[:MOST] if not (one.opaque or one.bare)]
    for one, other in combinations(beside, 2) if obliged and len(obliged) < _FEW else ():
        if one.clause is other.clause:  # 20 racks, of which each has four servers of 10 kW
            for parts in _signed(obliged):
                for signs in product((1, -1), repeat=2):
                    whole = (*parts, Part(one, signs[0]), Part(other, signs[1]))
                    if reaches(told, measures(whole)):
                        yield from (made for made in multiplied(told, whole) if made.sure and made.certain)
    if not obliged:
        last = [one for one in earlier if one.sentence == told.sentence - 1]
        if len(last) == 1:
            last += [one for one in earlier if one.sentence == told.sentence - 2]
        if 2 <= len(last) <= MOST - 1 and not any(one.opaque for one in last):
            for parts in _signed(last):
                yield from _with_others(told, parts, others[len(pulled) :])


def loosened(told: Amount, inside: Sequence[Amount], earlier: Sequence[Amount]) -> Iterator[Product]:
    """The products of all amounts of the sentences that lead to a told number, by their measures alone.

    So many tokens over the tokens of a batch are steps, and 120,000 steps of 5.2 s a time, whatever is counted.
    """
    given = [one for one in inside if not one.name]
    for back in range(1, 3):
        given += [one for one in earlier if one.sentence == told.sentence - back]
        found = list(_by_measure(told, given))
        if found or any(one.opaque for one in given):
            yield from found
            return


def _by_measure(told: Amount, given: Sequence[Amount]) -> Iterator[Product]:
    """The products of all of some amounts that have the measure of a told one; of counts, the quotient of two."""
    if given and all(one.sentence == told.sentence for one in given):
        return  # what a sentence says of itself needs all that it counts
    if not 2 <= len(given) < MOST or any(one.opaque or not one.value.mid for one in given):
        return
    if sum(one.bare for one in given) > 1 or any(
        (one.bare and not one.counts) or not _is_part(one) for one in given
    ):
        return
    measure = _hard(told.kind)
    if not measure and (told.bare or len(given) > 2 or given[0].kind != given[1].kind):
        return
    if any(one.measure == told.measure and one.value.mid == told.value.mid for one in given):
        return
    for parts in _signed(given):
        signs = [part.sign for part in parts]
        senses = [part.amount.senses[0] for part in parts]
        value = value_of(parts, scale_of(senses, signs, told.senses[0]))
        if value is not None and _hard(kind_of(senses, signs)) == measure:
            yield Product(parts, value, sure=True, certain=False)


def _hard(kind: Dimension) -> Dimension:
    """The dimension of a kind without what it counts."""
    return tuple((base, power) for base, power in kind if base in HARD)


def _with_others(
    told: Amount, parts: tuple[Part, ...], others: Sequence[tuple[Amount, bool]]
) -> Iterator[Product]:
    """A product alone and with each of the other amounts above or below the line; those near stand in the block."""
    given = measures(parts)
    if reaches(told, given):
        yield from multiplied(told, parts)
    for one, near in others:
        for sign in (1, -1):
            if reaches(told, with_one(given, one, sign)):
                yield from multiplied(told, (*parts, Part(one, sign)), near=near)


def _signed(given: Sequence[Amount]) -> Iterator[tuple[Part, ...]]:
    """The amounts above or below the line in every way; what is multiplied by a sign stays together."""
    groups: list[list[Amount]] = []
    for one in given:
        last = groups[-1][-1] if groups else None
        if last is not None and last.clause is one.clause and _are_one(last, one):
            groups[-1].append(one)
        else:
            groups.append([one])
    choices = [
        (1,) if len(group) == 1 and group[0].linked and not group[0].kind else (1, -1) for group in groups
    ]
    for signs in product(*choices) if given else ():
        yield tuple(Part(one, sign) for group, sign in zip(groups, signs, strict=True) for one in group)


def _are_one(last: Amount, one: Amount) -> bool:
    """Whether two amounts stand on one side of the line: 8 × 4 GB/s, 40 % of 989 TFLOPS."""
    between = one.clause.plain[last.end : one.start]
    percent = last.quantity is not None and last.literal.unit == "%"
    return bool(_TIMES.fullmatch(between) or (percent and _PERCENT_OF.fullmatch(between)))


def _nearest(earlier: Sequence[Amount]) -> Iterator[Amount]:
    """The nearest earlier amount of each kind."""
    seen: set[Dimension] = set()
    for one in earlier:
        if one.kind in seen or one.opaque or (one.bare and len(one.senses) == 1) or not any(one.senses):
            continue
        seen.add(one.kind)
        yield replace(one, senses=one.senses[1:], bare=False) if one.bare else one


def _widths(told: Amount, inside: Sequence[Amount]) -> Iterator[Amount]:
    """The bytes of an element where the sentence names one number format."""
    counted = any({"element", "parameter"} & dict(one.kind).keys() for one in inside)
    if not counted or dict(told.kind).get("byte") != 1:
        return
    yield from _width(told, inside[0])


def _width(told: Amount, like: Amount) -> Iterator[Amount]:
    text = told.clause.plain
    named = {WIDTHS[name] for name, _ in precisions(text) if name in WIDTHS}
    named |= {int(bits[1]) / 8 for bits in _BITS_WIDE.finditer(text)}
    if len(named) == 1:
        width = named.pop()
        senses = (Sense((("byte", 1), ("element", -1))), Sense((("byte", 1), ("parameter", -1))))
        yield replace(
            like,
            value=Interval(width, width, width),
            senses=senses,
            loose=(),
            quantity=None,
            written=f"{width:g} bytes",
            bare=False,
            each=False,
        )
