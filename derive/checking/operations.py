"""Operations that follow from the sentence before: 6ND of a training, 2mkn of a product of matrices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.slips import judged, plain
from derive.checking.words import Dimension

OPERATIONS: Dimension = (("FLOP", 1),)
_TRAINING = re.compile(r"\btrain(?:ing|ed|s)?\b|\bpre-?train|\brun costs?\b", re.IGNORECASE)
_NOT_TRAINING = re.compile(
    r"infer|forward|prefill|generat|recomput|checkpointing|per (?:token|step|layer|GPU)|each (?:token|step)|LoRA|"
    r"attention|second|active|embedding",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?<![\w.,])(?:(?P<digits>\d[\d,.]{0,24})(?:e(?P<e>\d{1,2}))?(?: ?[×x*·] ?10\^\(?(?P<ten>\d{1,2})\)?)?|"
    r"10\^\(?(?P<lone>\d{1,2})\)?) ?(?P<many>[MBT]|million|billion|trillion)?[ -](?:\w+ )?(?P<noun>param|tok)"
)
_POWERS = {"M": 1e6, "B": 1e9, "T": 1e12, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHAPE = re.compile(r"(?<![\w.,×])(\d[\d,]{0,12}) ?[×x] ?(\d[\d,]{0,12})(?![\w×]| ?[×x])")
_SQUARE = re.compile(
    r"\bsquare matrices (?:of (?:size|order|dimension)|with) (?:n = )?(\d[\d,]{0,12})\b", re.IGNORECASE
)
_MANY = re.compile(r"\bheads?\b|\blayers?\b|\bbatch|\bexperts?\b|backward|gradient|\beach\b", re.IGNORECASE)
_LARGE = 1e6


def trained(clause: Clause, quantity: Quantity) -> Iterator[Claim]:
    """`1.3e9 parameters and 1e11 tokens. … costs 7.8e20 FLOP to train`: 6 × parameters × tokens."""
    text = clause.block.text
    around = text[max(0, clause.offset - 200) : clause.offset + len(clause.text)]
    if not _TRAINING.search(around) or _NOT_TRAINING.search(around):
        return
    counts = [
        (one["noun"], _count(one), one[0])
        for one in _COUNTED.finditer(plain(text[: clause.offset + quantity.start]))
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
    yield from judged(clause, quantity, OPERATIONS, 6 * many * seen, because, slips)


def _count(found: re.Match[str]) -> float:
    """How many parameters or tokens a text counts."""
    digits = (found["digits"] or "1").replace(",", "").rstrip(".")
    value = float(digits) if digits.count(".") < 2 else 0.0
    return (
        value
        * 10.0 ** int(found["e"] or found["ten"] or found["lone"] or 0)
        * _POWERS.get(found["many"] or "", 1.0)
    )


def multiplied(clause: Clause, quantity: Quantity) -> Iterator[Claim]:
    """`multiplies a 4096×5120 with a 5120×13824 matrix. This takes 5.8e11 FLOP`: 2 × m × k × n."""
    text = plain(clause.block.text[: clause.offset + quantity.start])[-500:]
    square, shapes = _SQUARE.search(text), [_sides(one) for one in _SHAPE.finditer(text)]
    if square is not None and not shapes:
        side = _whole(square[1])
        shapes = [(side, side)] * 2
    if len(shapes) != 2 or shapes[0][1] != shapes[1][0] or _MANY.search(clause.text[: quantity.start]):
        return
    (m, k), (_, n) = shapes
    slips = {0.5: "multiply-add: each is counted as one operation", 2.0: "counted twice"}
    yield from judged(clause, quantity, OPERATIONS, 2.0 * m * k * n, f"2 × {m} × {k} × {n}", slips)


def _sides(found: re.Match[str]) -> tuple[int, int]:
    return _whole(found[1]), _whole(found[2])


def _whole(text: str) -> int:
    return int(text.replace(",", ""))
