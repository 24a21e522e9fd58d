"""Numbers that follow from the sentence before: its amount in another unit, over its rate, in another format.

What agrees is true. What does not is false only where a plain slip leads from the right number to the printed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.blocks import MATH, TEXT
from derive.checking.causes import slip
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.judging import value_in
from derive.checking.quantities import Quantity, quantities
from derive.checking.statements import BANDWIDTH, BYTES
from derive.checking.subjects import precisions
from derive.checking.words import Dimension, is_binary

_SECONDS: Dimension = (("second", 1),)
_OPERATIONS: Dimension = (("FLOP", 1),)
_SAME = re.compile(
    r"\bthe same ([a-z]{3,})\b|\bin binary (?:units|prefixes|terms)\b|\bin (?:units|powers) of 1,?024\b",
    re.IGNORECASE,
)
_ABOUT = r"(?:about |roughly |some |only |just |at least )?[~≈]?\s*"
_TAKES = re.compile(
    r"\b(?:this|that|it|(?:the )?(?:copy|transfer|download|upload|read|load|sync))\s+"
    rf"(?:alone |then |still |thus |would )?(?:takes?|needs?|lasts?|is done in|means)\s+{_ABOUT}$",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\bat (?P<many>one|two|four|eight|half a|\d) bytes? "
    r"(?:each|apiece|a piece|per (?:parameter|weight|element|value))\b[^.;\d]{0,30}$",
    re.IGNORECASE,
)
_WORDS = {"one": 1.0, "two": 2.0, "four": 4.0, "eight": 8.0, "half a": 0.5}
_TRAINING = re.compile(r"\btrain(?:ing|ed|s)?\b|\bpre-?train|\brun costs?\b", re.IGNORECASE)
_NOT_TRAINING = re.compile(
    r"infer|forward|prefill|generat|recomput|checkpointing|per (?:token|step|layer|GPU)|each (?:token|step)|LoRA|"
    r"attention|second|active|embedding",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?<![\w.,])(?:(?P<digits>\d[\d,.]*)(?:e(?P<e>\d{1,2}))?(?: ?[×x*·] ?10\^\(?(?P<ten>\d{1,2})\)?)?|"
    r"10\^\(?(?P<lone>\d{1,2})\)?) ?(?P<many>[MBT]|million|billion|trillion)?[ -](?:\w+ )?(?P<noun>param|tok)"
)
_POWERS = {"M": 1e6, "B": 1e9, "T": 1e12, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHAPE = re.compile(r"(?<![\w.,×])(\d[\d,]*) ?[×x] ?(\d[\d,]*)(?![\w×]| ?[×x])")
_SQUARE = re.compile(
    r"\bsquare matrices (?:of (?:size|order|dimension)|with) (?:n = )?(\d[\d,]*)\b", re.IGNORECASE
)
_MANY = re.compile(r"\bheads?\b|\blayers?\b|\bbatch|\bexperts?\b|backward|gradient|\beach\b", re.IGNORECASE)
_WEIGHTS = re.compile(
    r"\bthe (?:weights|model|parameters|checkpoint)\b[^.;\d]{0,24}"
    rf"\b(?:takes?|are|is|weighs?|needs?|occup(?:y|ies)|be)\s+{_ABOUT}$",
    re.IGNORECASE,
)
_WIDTHS = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "fp4": 0.5}
_SIZES = dict.fromkeys((0.25, 0.5, 2.0, 4.0), "element size")
_PLAIN = ("bit and byte", "power of ten", "prefix", "digits swapped", "seconds and", "hours and")
_LARGE = 1e6
_LONG, _MOST, _OPENING = 1_200, 40, 8


def claims(clauses: Sequence[Clause]) -> Iterator[Claim]:
    """The numbers of sentences that follow from those before them in the paragraph."""
    for clause in clauses:
        if clause.row or clause.listed or clause.offset > _LONG:
            continue
        found = clause.quantities[:_MOST]
        before = quantities(clause.block.text[: clause.offset])[-_MOST:] if clause.offset else []
        if not before and clause.offset < _OPENING:
            before = [*quantities(clause.block.before)[-1:]]
        for at, quantity in enumerate(found):
            kind = quantity.literal.options[0].dimension
            known = [*before, *found[:at]]
            if kind == BYTES:
                yield from _in_binary(clause, quantity, before, found)
                yield from _at_bytes_each(clause, quantity, known)
            elif kind == _SECONDS:
                yield from _over_the_line(clause, quantity, known)
            elif kind == _OPERATIONS:
                yield from _trained(clause, quantity, known)
                yield from _multiplied(clause, quantity)
    yield from _in_formats(clauses)


def _in_binary(
    clause: Clause, quantity: Quantity, before: Sequence[Quantity], found: Sequence[Quantity]
) -> Iterator[Claim]:
    """`That is 16.06 GB. In binary units the same weights are 14.96 GiB.`"""
    sizes = [one for one in before if one.literal.options[0].dimension == BYTES]
    alone = sum(one.literal.options[0].dimension == BYTES for one in found) == 1
    if not sizes or not alone or not is_binary(quantity.literal.unit) or is_binary(sizes[-1].literal.unit):
        return
    told = _SAME.search(clause.text[: quantity.start])
    if told is None or (told[1] and told[1] not in clause.block.text[: clause.offset] + clause.block.before):
        return
    right = sizes[-1].base(BYTES) or 0.0
    own = quantity.base(BYTES) or 0.0
    factor = quantity.factor(BYTES) / sizes[-1].factor(BYTES)
    reach = sizes[-1].slack(BYTES) / right
    because = _shown(sizes[-1])
    if _agrees(quantity, right, BYTES, reach):
        yield _held(clause, quantity, "true", right, "", because)
    elif factor > 1 and any(_agrees(quantity, right * factor**power, BYTES, reach) for power in (1, 2)):
        turned = (
            "converted in the wrong direction"
            if abs(own / right - factor) > 0.01
            else "the number is the same"
        )
        yield _held(clause, quantity, "false", right, f"GB and GiB: {turned}", because)


def _agrees(quantity: Quantity, value: float, kind: Dimension, reach: float) -> bool:
    """Whether a value, open by so much of itself, rounds to a number."""
    return abs((quantity.base(kind) or 0.0) - value) <= quantity.slack(kind) + reach * value


def _at_bytes_each(clause: Clause, quantity: Quantity, known: Sequence[Quantity]) -> Iterator[Claim]:
    """`… 8,030,261,248 parameters. At two bytes each that is 16.06 GB.`"""
    told = _EACH.search(clause.text[: quantity.start])
    counts = [
        one for one in known if not one.literal.options[0].dimension and (one.base(()) or 0.0) >= _LARGE
    ]
    if told is None or not counts:
        return
    width = _WORDS.get(told["many"].lower()) or float(told["many"])
    right = (counts[-1].base(()) or 0.0) * width
    because = f"{_shown(counts[-1])} × {width:g} bytes"
    yield from _judged(clause, quantity, BYTES, right, because, _SIZES)


def _over_the_line(clause: Clause, quantity: Quantity, known: Sequence[Quantity]) -> Iterator[Claim]:
    """`The 60 TB come over a 100 Gb/s line. At line rate this takes 4,800 s.`"""
    if not _TAKES.search(clause.text[: quantity.start]):
        return
    amounts = [one for one in known if one.literal.options[0].dimension == BYTES]
    rates = [one for one in known if one.literal.options[0].dimension == BANDWIDTH]
    if len(amounts) != 1 or len(rates) != 1:
        return
    right = (amounts[0].base(BYTES) or 0.0) / (rates[0].base(BANDWIDTH) or 1.0)
    yield from _judged(clause, quantity, _SECONDS, right, f"{_shown(amounts[0])} / ({_shown(rates[0])})", {})


def _trained(clause: Clause, quantity: Quantity, known: Sequence[Quantity]) -> Iterator[Claim]:
    """`1.3e9 parameters and 1e11 tokens. … costs 7.8e20 FLOP to train`: 6 × parameters × tokens."""
    text = clause.block.text
    around = text[max(0, clause.offset - 200) : clause.offset + len(clause.text)]
    if not _TRAINING.search(clause.text) or _NOT_TRAINING.search(around):
        return
    counts = [
        (one["noun"], _count(one), one[0])
        for one in _COUNTED.finditer(_plain(text[: clause.offset + quantity.start]))
    ]
    parameters, tokens = ({one[1:] for one in counts if one[0] == noun} for noun in ("param", "tok"))
    if len(parameters) != 1 or len(tokens) != 1:
        return
    (many, first), (seen, second) = parameters.pop(), tokens.pop()
    if min(many, seen) < _LARGE:
        return
    because = f"6 × {first.rpartition(' ')[0]} × {second.rpartition(' ')[0]}"
    slips = {
        1 / 3: "forward and backward: the backward pass is left out",
        1 / 6: "the 6 operations are left out",
    }
    yield from _judged(clause, quantity, _OPERATIONS, 6 * many * seen, because, slips)


def _count(found: re.Match[str]) -> float:
    """How many parameters or tokens a text counts."""
    digits = (found["digits"] or "1").replace(",", "").rstrip(".")
    value = float(digits) if digits.count(".") < 2 else 0.0
    return (
        value
        * 10.0 ** int(found["e"] or found["ten"] or found["lone"] or 0)
        * _POWERS.get(found["many"] or "", 1.0)
    )


def _multiplied(clause: Clause, quantity: Quantity) -> Iterator[Claim]:
    """`multiplies a 4096×5120 with a 5120×13824 matrix. This takes 5.8e11 FLOP`: 2 × m × k × n."""
    text = _plain(clause.block.text[: clause.offset + quantity.start])[-500:]
    square, shapes = _SQUARE.search(text), [_sides(one) for one in _SHAPE.finditer(text)]
    if square is not None and not shapes:
        side = _whole(square[1])
        shapes = [(side, side)] * 2
    if len(shapes) != 2 or shapes[0][1] != shapes[1][0] or _MANY.search(clause.text[: quantity.start]):
        return
    (m, k), (_, n) = shapes
    slips = {0.5: "multiply-add: each is counted as one operation", 2.0: "counted twice"}
    yield from _judged(clause, quantity, _OPERATIONS, 2.0 * m * k * n, f"2 × {m} × {k} × {n}", slips)


def _sides(found: re.Match[str]) -> tuple[int, int]:
    return _whole(found[1]), _whole(found[2])


def _whole(text: str) -> int:
    return int(text.replace(",", ""))


def _in_formats(clauses: Sequence[Clause]) -> Iterator[Claim]:
    """`In FP8 the weights take 671 GB. … In BF16 the weights would be 1,342 GB.`"""
    first: tuple[Clause, Quantity, float] | None = None
    for clause in clauses:
        if first is not None and clause.block is not first[0].block:
            first = None
        named = {_WIDTHS[name] for name, _ in precisions(clause.text) if name in _WIDTHS}
        told = [
            one
            for one in clause.quantities[:_MOST]
            if one.literal.options[0].dimension == BYTES and _WEIGHTS.search(clause.text[: one.start])
        ]
        if clause.row or len(named) != 1 or len(told) != 1:
            continue
        width = named.pop()
        if first is not None and first[2] != width:
            right = (first[1].base(BYTES) or 0.0) / first[2] * width
            because = f"{first[0].piece(first[1])} / {first[2]:g} × {width:g}"
            yield from _judged(clause, told[0], BYTES, right, because, _SIZES)
        elif first is None:
            first = clause, told[0], width


def _judged(
    clause: Clause, quantity: Quantity, kind: Dimension, right: float, because: str, slips: dict[float, str]
) -> Iterator[Claim]:
    """A number held against what it should be; false where one of the slips, or a plain one, leads to it."""
    if quantity.agrees(right, kind):
        yield _held(clause, quantity, "true", right, "", because)
        return
    for factor, name in slips.items():
        if quantity.agrees(right * factor, kind):
            yield _held(
                clause,
                quantity,
                "false",
                right,
                f"{name}: it is {factor:.3g} times what it should be",
                because,
            )
            return
    cause = slip(quantity.literal, right / quantity.factor(kind))
    if cause.startswith(_PLAIN):
        yield _held(clause, quantity, "false", right, cause, because)


def _held(clause: Clause, quantity: Quantity, verdict: str, right: float, cause: str, because: str) -> Claim:
    kind = quantity.literal.options[0].dimension
    return _claim(clause, quantity, verdict, value_in(right, quantity.literal, kind), cause, because)


def _claim(
    clause: Clause, quantity: Quantity, verdict: str, expected: str, cause: str, because: str
) -> Claim:
    hindered = clause.hindered(quantity.start) if verdict == "false" else ""
    text = clause.piece(quantity)
    return Claim(
        line=clause.line(quantity.start),
        text=text,
        verdict="true" if verdict == "true" else "unsure" if hindered else "false",
        expected=expected,
        claimed=text,
        cause=hindered or cause,
        rule="chain",
        because=because,
        cell=clause.block.cell,
    )


def _shown(quantity: Quantity) -> str:
    return f"{quantity.literal.digits} {quantity.literal.unit}".strip()


def _plain(text: str) -> str:
    return text.replace(MATH, "").replace(TEXT, "")
