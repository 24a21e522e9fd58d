"""Statements in parallel: a model of 1.3 billion takes 20.8 GB, one of 6.7 billion 107 GB, one of 13 billion 208 GB.

Each is a pair of a count and an amount behind it. Where all pairs of a paragraph or list but one are in one proportion,
or have one product, the one that is not is false if a plain slip leads to its number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median_low

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.nouns import HARD
from derive.checking.slips import cause_of, held
from derive.checking.words import Dimension

_ITEM = re.compile(r"\s{2,}\S")
_LINK = re.compile(
    r"[ ,:(]*(?:[A-Za-z][a-z-]*[ ,:(]+){0,4}?(?:(?:is|are|takes?|needs?|makes?|gives?|costs?|holds?|means|for|in|"
    r"wants?|comes? to|requires?|occup(?:y|ies)|draws?|reads?|fits?|reach(?:es)?|gets?|does|do|would|be)[ ,:(]+)+"
    r"(?:about |only |just |roughly |some )*[~≈]?|[ ]?[:,=→(][ ]?[~≈]?"
)
_PLAIN = ("power of ten", "digits swapped", "bit and byte", "prefix")
_FEWEST, _MANY, _MOST, _LONGEST = 3, 4, 40, 4_000
_NEAR, _DIGITS = 0.006, 2


@dataclass(frozen=True)
class _Pair:
    """A count and the amount that is told of it."""

    many: Amount
    told: Amount


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of statements in parallel."""
    sentences = [clause for clause in every if not clause.row and not clause.listed]
    for _, group in groupby(sentences, key=_place):
        found = [pair for clause in list(group)[:_MOST] for pair in _pairs(clause)]
        by_kind: dict[tuple[Dimension, str], list[_Pair]] = defaultdict(list)
        for pair in found:
            by_kind[pair.told.kind, _unit_of(pair.many)].append(pair)
        for pairs in by_kind.values():
            yield from _held(pairs)


def _place(clause: Clause) -> tuple[int, int]:
    """The list of which a sentence is an item, or its paragraph."""
    return (clause.section, 0) if _ITEM.match(clause.block.text) else (clause.section, id(clause.block))


def _unit_of(one: Amount) -> str:
    """What a count counts; a magnitude without a noun counts what the others of its magnitude do."""
    literal = one.literal
    if literal.options[0].dimension:
        return str(one.kind)
    return f"{literal.options[0].factor:g}" if literal.options[0].factor > 1 else str(one.kind)


def _pairs(clause: Clause) -> Iterator[_Pair]:
    text = clause.plain
    if len(text) > _LONGEST:
        return
    for many, told in pairwise(amounts(clause)):
        if many.quantity is None or told.quantity is None or many.opaque or told.opaque:
            continue
        if many.value.mid <= 0 or told.value.mid <= 0 or many.quantity.about or many.linked or told.linked:
            continue
        if many.kind == told.kind or not any(base in HARD for base, power in told.kind if power > 0):
            continue
        if any(power < 0 for _, power in many.kind) or not _LINK.fullmatch(text, many.end, told.start):
            continue
        yield _Pair(many, told)


def _held(pairs: Sequence[_Pair]) -> Iterator[Claim]:
    """The pairs in one proportion, or of one product, but one at most."""
    if not _FEWEST <= len(pairs) <= _MOST or len({pair.many.value.mid for pair in pairs}) < len(pairs):
        return
    for sign in (-1, 1):
        each = median_low([_made(pair, sign) for pair in pairs])
        off = [pair for pair in pairs if not _is_made(pair, sign, each)]
        right = [pair for pair in pairs if pair not in off]
        exact = [pair for pair in right if min(pair.many.digits, pair.told.digits) >= _DIGITS]
        if len(off) > 1 or len(exact) < _FEWEST - 1:
            continue
        each = _made(max(exact, key=lambda pair: pair.told.digits), sign)
        for pair in off:
            yield from _wrong(pair, sign, each, exact, sure=len(exact) >= _MANY - 1)
        return


def _made(pair: _Pair, sign: int) -> float:
    return float(pair.told.value.mid * pair.many.value.mid**sign)


def _is_made(pair: _Pair, sign: int, each: float) -> bool:
    right = each / pair.many.value.mid**sign
    reach = (pair.many.slack / pair.many.value.mid + _NEAR) * right
    return abs(pair.told.value.mid - right) <= pair.told.slack + reach


def _wrong(pair: _Pair, sign: int, each: float, exact: Sequence[_Pair], sure: bool) -> Iterator[Claim]:
    quantity = pair.told.quantity
    if quantity is None:
        return
    right, kind = each / pair.many.value.mid**sign, quantity.literal.options[0].dimension
    cause = cause_of(quantity, right / quantity.factor(kind))
    if cause.startswith(_PLAIN) or (sure and cause.startswith("counted twice")):
        like = exact[0]
        because = f"{like.told.shown} for {like.many.shown}, and the others in proportion"
        yield held(pair.told.clause, quantity, "false", right, cause, because)
