"""The operations of a product of matrices, two for each multiply-add: 2·m·n·k, from shapes that a sentence gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.claims import Claim
from derive.checking.judging import value_in
from derive.checking.names import Mention
from derive.checking.seeking import Sought
from derive.checking.words import Dimension

_FLOP: Dimension = (("FLOP", 1),)
_D = r"(\d{1,3}(?:,\d{3})+|\d{1,6})"
_BY = r"[\s\x02\x03]*(?:[×x*]|\\times|by)[\s\x02\x03]*"
_PAIR = rf"\(?{_D}{_BY}{_D}\)?"
_NAMED = r"(?:GEMMs?|mat-?muls?|matrix (?:product|multipl\w+)|matrices|square (?:product|multipl\w+))"
_TWO = re.compile(
    rf"(?<![\d.×*])[\s\x02\x03(]*{_PAIR}[\s\x02\x03]*(?:matrix |one )?"
    rf"(?:by|times|and|with|@|·|×)[\s\x02\x03]*(?:an? )?{_PAIR}"
    r"(?![\s\x02\x03]*[×*])"
)
_ALIKE = re.compile(
    rf"\btwo[\s\x02\x03]+(?:\w+ )?{_PAIR}(?:[\s\x02\x03]+\w+)?[\s\x02\x03]+matrices", re.IGNORECASE
)
_THREE = re.compile(
    rf"(?<![\d.×*])[\s\x02\x03(]*{_D}{_BY}{_D}{_BY}{_D}\)?[\s\x02\x03-]+{_NAMED}\b", re.IGNORECASE
)
_SQUARE = re.compile(
    rf"\bsquare (?:matrix )?(?:product|multiplication|GEMM|mat-?mul)s? (?:with|of size|at|for)[\s\x02\x03]*"
    rf"(?:n|N)?[\s\x02\x03=]*{_D}(?![\d.,]*\d|\s?[kKMGT%])|"
    rf"\b(?:[mM][\s\x02\x03]*=[\s\x02\x03]*[nN][\s\x02\x03]*=[\s\x02\x03]*[kK])[\s\x02\x03]*=[\s\x02\x03]*{_D}"
)
_LETTER = re.compile(rf"(?<![\w.])([mnkMNK])[\s\x02\x03]*=[\s\x02\x03]*{_D}(?![\d.,]*\d)")
_PRODUCT = Sought(_NAMED, ("gemm", "matmul", "mat-mul", "matri", "square"), ignore_case=True)
_OTHERWISE = re.compile(
    r"\b(?:MACs?|multiply-(?:add|accumulate)\w*|FMAs?|multiplications|additions|batch\w*|heads?|layers?|experts?|causal|sparse|"
    r"sparsity|backward|gradients?|training|step|per|each|Strassen|triang\w*|lower|upper|sustain\w*|runs?|achiev\w*|reach\w*|symmetric|low-rank|blocks?|tiles?|half|if|"
    r"without|instead|times|several|all|both|together|total|forget\w*|missing|ignor\w*|Q|K\^?T|attention|seconds?)\b"
)
_LEAST = 1e6
_SLIPS = (
    (0.5, "multiply-adds: each is two operations, and was counted as one"),
    (2.0, "counted twice: a multiply-add is two operations, not four"),
    *(
        (10.0**power, f"power of ten: it is 10^{power} times what it should be")
        for power in (-3, -2, -1, 1, 2, 3)
    ),
)


def claims(sentence: Sequence[Mention]) -> Iterator[Claim]:
    """The operations of the one product of matrices whose shape a sentence gives."""
    text = sentence[0].clause.text
    told = [one for one in sentence if _is_work(one)] if _PRODUCT.search(text) else []
    if len(told) != 1 or told[0].clause is not sentence[0].clause:
        return
    shapes = _shapes(text)
    if len(shapes) != 1:
        return
    own, (rows, inner, columns) = told[0], shapes.pop()
    right, dimension = 2.0 * rows * inner * columns, _dimension(told[0]) or ()
    because = f"2 × {rows} × {inner} × {columns}"
    shown = value_in(right, own.quantity.literal, dimension)
    if own.quantity.agrees(right, dimension):
        yield own.claim("true", shown, "", because)
    elif not _OTHERWISE.search(text):
        for factor, cause in _SLIPS:
            if own.quantity.agrees(right * factor, dimension):
                yield own.claim("false", shown, cause, because)
                return


def _dimension(one: Mention) -> Dimension | None:
    """What a number of operations is in: FLOP, or a plain number of them; none for what counts something else."""
    if one.clause.row:
        return None
    return _FLOP if one.quantity.has(_FLOP) else () if one.kind == ((), "operation") else None


def _is_work(one: Mention) -> bool:
    """Whether a number counts operations, and enough of them to be those of a product of matrices."""
    dimension = _dimension(one)
    return dimension is not None and (one.quantity.base(dimension) or 0.0) >= _LEAST


def _shapes(text: str) -> set[tuple[int, int, int]]:
    """The shapes (m, k, n) of the products that a text tells."""
    found: set[tuple[int, int, int]] = set()
    for match in _TWO.finditer(text):
        rows, inner, other, columns = map(_int, match.groups())
        if inner == other:
            found.add((rows, inner, columns))
    for match in _ALIKE.finditer(text):
        rows, columns = map(_int, match.groups())
        if rows == columns:
            found.add((rows, rows, rows))
    for match in _THREE.finditer(text):
        found.add((_int(match[1]), _int(match[2]), _int(match[3])))
    for match in _SQUARE.finditer(text):
        size = _int(match[1] or match[2])
        found.add((size, size, size))
    letters = {match[1].lower(): _int(match[2]) for match in _LETTER.finditer(text)}
    if len(letters) == 3 and not found:
        found.add((letters["m"], letters["k"], letters["n"]))
    return found


def _int(digits: str) -> int:
    return int(digits.replace(",", ""))
