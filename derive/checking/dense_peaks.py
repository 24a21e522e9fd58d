"""Peaks that are called dense where every machine of the catalogue that has them has them with 2:4 sparsity.

Whose peak it is need not be said: no machine has so many dense operations in the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.statements import FLOPS, constants_of, false_statement
from derive.checking.subjects import Mention, precisions
from derive.constants import catalogue
from derive.entries import Constant

_DENSE_BEHIND = re.compile(
    r"[\s\x02\x03]*(?:\()?(?:(?:of|in|for|at|peak|tensor|[A-Za-z]+\d+)[\s,]+){0,3}dense\b", re.IGNORECASE
)
_DENSE_BEFORE = re.compile(
    r"\bdense(?:[\s,]+(?:peak|[A-Za-z]+\d+|tensor|throughput|rate|performance|of|is|at|number)){0,4}[\s:(~≈]*$",
    re.IGNORECASE,
)
_SPARSE = re.compile(r"spars|2:4", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:\d+|two|four|eight|sixteen) (?:of (?:them|these|those)|"
    r"(?:[a-z]\w+ )?(?:GPUs|cards|chips|boards|[a-z]+\d+s))\b|"
    r"\b(?:(?<!at )all|together|pair|nodes?|box|server|DGX|HGX|rack)\b",
    re.IGNORECASE,
)
_SAME, _NEAR, _LEAST, _PAIR = 0.003, 30, 3, 2
_ALIKE = {"fp16": ("fp16", "bf16"), "bf16": ("bf16", "fp16")}


def claims(clause: Clause) -> Iterator[Claim]:
    """The peaks of a sentence that are dense by its words alone."""
    text = clause.text
    if "ense" not in text or _SPARSE.search(text):
        return
    if clause.row:
        yield from _of_row(clause)
        return
    named = {name for name, _ in precisions(text)}
    if len(named) != 1:
        return
    (name,) = named
    for quantity in clause.quantities:
        digits = quantity.literal.digits.replace(",", "").replace(".", "").strip("0")
        near = text[max(0, quantity.start - _NEAR) : quantity.end + _NEAR]
        worked_out = text[: quantity.start].rstrip(" \x02\x03~≈").endswith("=")
        if worked_out or len(digits) < _LEAST or not quantity.has(FLOPS) or _SEVERAL.search(near):
            continue
        if _DENSE_BEHIND.match(text, quantity.end) or _DENSE_BEFORE.search(
            text, max(0, quantity.start - _NEAR), quantity.start
        ):
            yield from _dense(clause, quantity, name)


def _of_row(clause: Clause) -> Iterator[Claim]:
    """The peak of a row whose label calls it dense, with nothing else beside it: FP8 dense, and 1,979 TFLOPS."""
    begins = [begin for begin, _ in clause.columns]
    label = clause.text[: begins[1]] if len(begins) == _PAIR else ""
    named = {name for name, _ in precisions(label)}
    rates = [one for one in clause.quantities if one.has(FLOPS) and label and one.start >= begins[1]]
    if len(named) == 1 and len(rates) == 1 and re.search(r"\bdense\b", label, re.IGNORECASE):
        yield from _dense(clause, rates[0], named.pop())


def _dense(clause: Clause, quantity: Quantity, name: str) -> Iterator[Claim]:
    """A dense peak, false where the number is one with sparsity and nothing else."""
    own = quantity.base(FLOPS) or 0.0
    formats = _ALIKE.get(name, (name,))
    like = [
        one
        for one in _peaks()
        if own and abs(float(one.base) / own - 1) <= _SAME and one.tags.get("precision") in formats
    ]
    if any(one.tags.get("sparsity") != "2:4" for one in like):
        return
    for sparse in like:
        dense = next(
            (
                one
                for one in _peaks()
                if one.entry == sparse.entry
                and one.tags.get("sparsity") == "dense"
                and one.tags.get("precision") == sparse.tags.get("precision")
            ),
            None,
        )
        if dense is not None:
            cause = f"sparse and dense: {sparse.text} is the number [{sparse.kind}]"
            yield false_statement(clause, quantity, dense, cause, Mention((dense.entry,), 0, 0))
            return


@cache
def _peaks() -> tuple[Constant, ...]:
    """The peaks of all machines."""
    names = tuple(catalogue("hardware"))
    return tuple(constants_of(Mention(names, 0, 0), ("peak", "vector_peak"), FLOPS))
