"""The number of a part told for the whole: 10.2 kW for a rack, where each of its four nodes draws them.

The document says how many parts a whole has, and has so many times the number elsewhere. Told for the whole it is then
false, unless the document says so again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from derive.checking.amount import Amount
from derive.checking.amounts import of_document
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.nouns import HARD, thing
from derive.checking.slips import held
from derive.checking.words import Dimension

_WHOLES = frozenset(("device", "node", "rack", "pod", "replica", "hall", "cabinet", "cluster"))
_OWNER = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|[Ee]ach|[Ee]very|[Oo]ne) (?P<noun>[A-Za-z]{3,})['’]s (?:[a-z-]+ ){1,4}(?:of|is|at)\s+"
    r"(?:about |only )?[~≈]?\s*$"
)
_NEAR, _LARGEST, _DIGITS = 0.004, 1024.0, 2


class _Told(NamedTuple):
    """An amount that is told for one of something: its dimension, and of what."""

    amount: Amount
    kind: Dimension
    noun: str


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The claims of a document's amounts that are told for one of something."""
    found = of_document(every)
    told = [one for amount in found if (one := _of_one(amount)) is not None]
    if not told:
        return
    parts = _parts(found)
    by_kind: dict[Dimension, list[Amount]] = defaultdict(list)
    for amount in found:
        by_kind[_hard(amount)].append(amount)
    for one in told:
        right = _right(one, told, by_kind[one.kind], parts.get(one.noun, set()))
        if right is not None and one.amount.quantity is not None:
            line = right.clause.line(right.start)
            cause = f"the number of a part is told for a {one.noun}: line {line} has {right.shown}"
            yield held(one.amount.clause, one.amount.quantity, "false", right.value.mid, cause, right.shown)


def _hard(amount: Amount) -> Dimension:
    return tuple((base, power) for base, power in amount.kind if base in HARD)


def _of_one(amount: Amount) -> _Told | None:
    """The amount as one of something, where the words say of what."""
    kind = _hard(amount)
    if amount.quantity is None or amount.opaque or not kind or amount.digits < _DIGITS:
        return None
    named = [base for base, power in amount.kind if power < 0 and base in _WHOLES]
    owner = _OWNER.search(amount.clause.plain, max(0, amount.start - 80), amount.start)
    noun = named[0] if len(named) == 1 else thing(owner["noun"]) if owner and not named else ""
    return _Told(amount, kind, noun) if noun in _WHOLES else None


def _parts(found: Sequence[Amount]) -> dict[str, set[float]]:
    """How many of something one whole has, for each kind of whole: eight ports a node."""
    parts: dict[str, set[float]] = defaultdict(set)
    for one in found:
        bases = dict(one.kind)
        above = [base for base, power in bases.items() if power == 1 and base not in HARD]
        below = [base for base, power in bases.items() if power == -1 and base in _WHOLES]
        if one.counts and len(bases) == 2 and above and below and 1 < one.value.mid <= _LARGEST:
            parts[below[0]].add(one.value.mid)
    return parts


def _is(one: Amount, value: float) -> bool:
    return abs(one.value.mid - value) <= _NEAR * value


def _right(one: _Told, told: Sequence[_Told], alike: Sequence[Amount], parts: set[float]) -> Amount | None:
    """What the whole has, where the document has that elsewhere and gives the number to the whole but once."""
    own = one.amount
    again = [
        other
        for other in told
        if other.amount is not own
        and other.noun == one.noun
        and other.kind == one.kind
        and _is(other.amount, own.value.mid)
    ]
    copies = [other for other in alike if other.clause is not own.clause and _is(other, own.value.mid)]
    wholes = [
        other
        for other in alike
        for many in parts
        if other.clause is not own.clause and _is(other, many * own.value.mid)
    ]
    return wholes[0] if wholes and copies and not again else None
