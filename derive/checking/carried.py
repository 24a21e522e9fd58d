"""Numbers that follow from the sentence before: its amount in another unit, as a share, in another format.

What agrees is true. What does not is false only where a plain slip leads from the right number to the printed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.checking.blocks import Block
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.operations import OPERATIONS, multiplied, trained
from derive.checking.quantities import Quantity, quantities
from derive.checking.seeking import Sought
from derive.checking.slips import agrees, held, judged, shown
from derive.checking.statements import BYTES
from derive.checking.subjects import WIDTHS, precisions
from derive.checking.words import is_binary

_SAME = re.compile(
    r"\bthe same ([a-z]{3,})\b|\bin binary (?:units|prefixes|terms)\b|\bin (?:units|powers) of 1,?024\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"\b(?:shows?|shown|displays?|displayed|reports?|reported|prints?|printed|lists?|listed|reads?|calls? it|appears?|"
    r"counts?) (?:\w+ ){0,3}|\b(?:as|binary|i\.e\.)\b"
)
_ABOUT = r"(?:about |roughly |some |only |just |at least )?[~≈]?\s*"
_WEIGHTS = re.compile(
    r"\b[Ii]n (?:[A-Z]+\d+|[a-z]+\d+) (?:it|this|that|they)\b[^.;\d]{0,12}\b(?:takes?|are|is|weighs?|needs?|be)\s+$|"
    r"\bthe (?:weights|model|parameters|checkpoint)\b[^.;\d]{0,24}"
    rf"\b(?:takes?|are|is|weighs?|needs?|occup(?:y|ies)|be)\s+{_ABOUT}$",
    re.IGNORECASE,
)
_LISTED = Sought(
    r"\b[a-zA-Z]+\d+ (?:weights|checkpoint).{0,60}\b[a-zA-Z]+\d+ (?:weights|checkpoint)",
    ("weights", "checkpoint"),
    ignore_case=True,
)
_OF_WEIGHTS = re.compile(r"[A-Za-z]+\d+ (?:weights|checkpoints?)(?: take| need| of| with)?[\s(:,]*[~≈]?\s*")
_COMPARED = re.compile(
    r"\b(?:compared (?:with|to)|against|relative to|out of) (?:the |its |all )?(?:whole |full )?$",
    re.IGNORECASE,
)
_THAT_IS = re.compile(
    r"^[^.;\d]{0,50}\b(?:that|this|it|they) (?:is|are|makes?) (?:about |only |roughly )?[~≈]?\s*$"
)
_OPENS = re.compile(r"\bthe same\b|\bbinary\b|\bof 1,?024\b")
_TRIGGER = re.compile(r"the same|\bbinary\b|[KMGT]iB|1,?024|train|%|[×x]\s?\d|matri|FLOP")
_SIZES = dict.fromkeys((0.25, 0.5, 2.0, 4.0), "element size")
_LONG, _MOST, _OPENING = 1_200, 40, 8
_DIGITS = 3


def claims(clauses: Sequence[Clause]) -> Iterator[Claim]:
    """The numbers of sentences that follow from those before them in the paragraph."""
    before: list[Quantity] = []
    block: Block | None = None
    for clause in clauses:
        if clause.row or clause.listed or clause.offset > _LONG:
            continue
        if clause.block is not block:
            block, before = clause.block, []
        found = clause.quantities[:_MOST]
        if any(_is_followed(one) for one in found) and _TRIGGER.search(clause.text):
            opens = clause.offset < _OPENING and _OPENS.search(clause.text)
            yield from _of_clause(clause, quantities(clause.block.before)[-1:] if opens else before, found)
        before = [*before, *found][-_MOST:]
        if _LISTED.search(clause.text):
            yield from _beside_another(clause)
    yield from _in_formats(clauses)


def _is_followed(one: Quantity) -> bool:
    """Whether a number is of the kinds that are told here."""
    return one.literal.unit == "%" or one.literal.options[0].dimension in (BYTES, OPERATIONS)


def _of_clause(clause: Clause, before: Sequence[Quantity], found: Sequence[Quantity]) -> Iterator[Claim]:
    yield from _compared(clause, before, found)
    for quantity in found:
        kind = quantity.literal.options[0].dimension
        if kind == BYTES:
            yield from _in_binary(clause, quantity, before, found)
        elif kind == OPERATIONS:
            yield from trained(clause, quantity)
            yield from multiplied(clause, quantity)


def _in_binary(
    clause: Clause, quantity: Quantity, before: Sequence[Quantity], found: Sequence[Quantity]
) -> Iterator[Claim]:
    """`That is 16.06 GB. In binary units the same weights are 14.96 GiB.`

    Where nothing says that they are the same, only a conversion in the wrong direction, to the digit, is told.
    """
    inside = [
        one for one in found if one.start < quantity.start and one.literal.options[0].dimension == BYTES
    ]
    sizes = inside or [one for one in before if one.literal.options[0].dimension == BYTES]
    alone = inside or sum(one.literal.options[0].dimension == BYTES for one in found) == 1
    if not sizes or not alone or not is_binary(quantity.literal.unit) or is_binary(sizes[-1].literal.unit):
        return
    told = _SAME.search(clause.text[: quantity.start])
    same = told and (not told[1] or told[1] in clause.block.text[: clause.offset] + clause.block.before)
    right = sizes[-1].base(BYTES) or 0.0
    factor = quantity.factor(BYTES) / sizes[-1].factor(BYTES)
    reach = sizes[-1].slack(BYTES) / right if right else 0.0
    because = shown(sizes[-1])
    if not right or factor <= 1:
        return
    if same and agrees(quantity, right, BYTES, reach):
        yield held(clause, quantity, "true", right, "", because)
    elif agrees(quantity, right * factor**2, BYTES, reach) and (
        same or (inside and _shows(clause, inside[-1], quantity))
    ):
        cause = "GB and GiB: converted in the wrong direction"
        yield held(clause, quantity, "false", right, cause, because)
    elif same and agrees(quantity, right * factor, BYTES, reach):
        yield held(clause, quantity, "false", right, "GB and GiB: the number is the same", because)


def _shows(clause: Clause, one: Quantity, other: Quantity) -> bool:
    """Whether something shows one size as another, with digits enough for their ratio to be no accident."""
    digits = [len(re.sub(r"\D", "", size.literal.digits).strip("0")) for size in (one, other)]
    return (
        min(digits) > 1 and max(digits) >= _DIGITS and bool(_SHOWN.search(clause.text, one.end, other.start))
    )


def _compared(clause: Clause, before: Sequence[Quantity], found: Sequence[Quantity]) -> Iterator[Claim]:
    """`The scores cost 4.8 GFLOP. Compared with the 7.9 GFLOP of the weights that is 61 %.`"""
    for whole, share in pairwise(found):
        kind = whole.literal.options[0].dimension
        told = clause.text[max(0, whole.start - 40) : whole.start], clause.text[whole.end : share.start]
        if (
            share.literal.unit != "%"
            or not kind
            or not _COMPARED.search(told[0])
            or not _THAT_IS.search(told[1])
        ):
            continue
        parts = [one for one in before if one.literal.options[0].dimension == kind]
        if not parts or not parts[-1].literal.value:
            continue
        part, all_of_it = parts[-1].base(kind) or 0.0, whole.base(kind) or 1.0
        right = part / all_of_it
        slips = {
            all_of_it / (part + all_of_it): "share of the sum: the part is held against both together",
            1 / right**2: "turned round: the whole is held against the part",
        }
        reach = parts[-1].slack(kind) / part + whole.slack(kind) / all_of_it
        yield from judged(clause, share, (), right, f"{shown(parts[-1])} / ({shown(whole)})", slips, reach)


def _beside_another(clause: Clause) -> Iterator[Claim]:
    """`int8 weights (7.24 GB) or int4 weights (3.6 GB)`: the weights of one model in two formats."""
    told: list[tuple[float, Quantity]] = []
    for name, place in precisions(clause.text):
        behind = next((one for one in clause.quantities if one.start > place), None)
        if name not in WIDTHS or behind is None or behind.literal.options[0].dimension != BYTES:
            continue
        if _OF_WEIGHTS.fullmatch(clause.text[place : behind.start]):
            told.append((WIDTHS[name], behind))
    for (width, one), (other_width, other) in pairwise(told):
        if width != other_width:
            right = (one.base(BYTES) or 0.0) / width * other_width
            because = f"{shown(one)} / {width:g} × {other_width:g}"
            reach = one.slack(BYTES) / (one.base(BYTES) or 1.0)
            yield from judged(clause, other, BYTES, right, because, _SIZES, reach)


def _in_formats(clauses: Sequence[Clause]) -> Iterator[Claim]:
    """`In FP8 the weights take 671 GB. … In BF16 the weights would be 1,342 GB.`"""
    first: tuple[Clause, Quantity, float] | None = None
    for clause in clauses:
        if first is not None and clause.block is not first[0].block:
            first = None
        told = [
            one
            for one in clause.quantities[:_MOST]
            if one.literal.options[0].dimension == BYTES and _WEIGHTS.search(clause.text[: one.start])
        ]
        if clause.row or len(told) != 1:
            continue
        named = {WIDTHS[name] for name, _ in precisions(clause.text) if name in WIDTHS}
        if len(named) != 1:
            continue
        width = named.pop()
        if first is not None and first[2] != width:
            right = (first[1].base(BYTES) or 0.0) / first[2] * width
            because = f"{first[0].piece(first[1])} / {first[2]:g} × {width:g}"
            yield from judged(clause, told[0], BYTES, right, because, _SIZES)
        elif first is None:
            first = clause, told[0], width
