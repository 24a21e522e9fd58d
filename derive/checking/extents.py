"""Bytes of the KV cache for a token, from the layers, heads and widths that the text tells beside them.

The width of an element is that of the format named in the sentence, or of the one formula of the section.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from derive.checking.blocks import MATH, TEXT
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.judging import value_in
from derive.checking.seeking import Sought
from derive.checking.statements import BYTES
from derive.checking.subjects import WIDTHS, precisions

_LAYERS = re.compile(r"\b(\d{1,3}) (?:transformer |decoder )?(?:layers|blocks)\b")
_HEADS = re.compile(r"\b(\d{1,3}) (?:KV|key[-/ ](?:and[- ])?value|K/V) heads?\b", re.IGNORECASE)
_WIDE = re.compile(
    r"\bheads? of (?:dimension |size |width )?(\d{2,3})\b|"
    r"\bhead[ _](?:dim(?:ension)?|size|width)s? ?(?:of |= ?|is )?(\d{2,3})\b",
    re.IGNORECASE,
)
_PER_TOKEN = re.compile(
    r"\s*(?:of (?:KV )?cache )?(?:/ ?tok(?:en)?\b|(?:per|a|for (?:each|every|one)|each) (?:cached )?token)",
    re.IGNORECASE,
)
_FORMULA = Sought(
    r"(?<![\d.])2 ?[×*·] ?\d{1,3} ?[×*·] ?\d{1,3} ?[×*·] ?\d{2,3} ?[×*·] ?([124])\b(?! ?[×*·])",
    ("2×", "2 ×", "2*", "2 *", "2·", "2 ·"),
)
_BACK = 2000
_PART = re.compile(r"\b(?:only|each layer|per layer|half|share|GPU|rank|stage|shard|window)\b", re.IGNORECASE)


def claims(clauses: Sequence[Clause]) -> Iterator[Claim]:
    """The bytes a token that follow from extents in the same paragraph."""
    widths: dict[int, set[float]] = defaultdict(set)
    for clause in clauses:
        widths[clause.section] |= {float(found[1]) for found in _FORMULA.finditer(_plain(clause.text))}
    for clause in clauses:
        begin, end = max(0, clause.offset - _BACK), clause.offset + len(clause.text)
        if not clause.row and "token" in clause.text and _HEADS.search(clause.block.text, begin, end):
            yield from _of_clause(clause, widths[clause.section])


def _of_clause(clause: Clause, widths: set[float]) -> Iterator[Claim]:
    named = {WIDTHS[name] for name, _ in precisions(clause.text) if name in WIDTHS} or widths
    if len(named) != 1 or _PART.search(clause.text):
        return
    width = next(iter(named))
    for quantity in clause.quantities:
        each = "token" in quantity.literal.unit or _PER_TOKEN.match(
            clause.text.replace("\n", " "), quantity.end
        )
        if quantity.literal.options[0].dimension != BYTES or not each:
            continue
        place = clause.offset + quantity.start
        told = _plain(clause.block.text[max(0, place - _BACK) : place])
        extents = [
            {found[1] or found[found.re.groups] for found in one.finditer(told)}
            for one in (_LAYERS, _HEADS, _WIDE)
        ]
        if any(len(one) != 1 for one in extents):
            continue
        layers, heads, size = (int(one.pop()) for one in extents)
        if not layers * heads * size:
            continue
        right = 2 * layers * heads * size * width
        because = f"2 × {layers} × {heads} × {size} × {width:g} bytes"
        if quantity.agrees(right, BYTES):
            yield _claim(
                clause,
                quantity.start,
                quantity.end,
                "true",
                value_in(right, quantity.literal, BYTES),
                "",
                because,
            )
            continue
        slips = (
            (0.5, "K+V: only one of K and V is counted"),
            (2.0, "element size: an element is taken twice as wide"),
            (1 / layers, "per layer and per model: one layer is counted"),
            (1 / heads, "heads: one head is counted"),
        )
        for factor, cause in slips:
            if factor != 1 and quantity.agrees(right * factor, BYTES):
                shown = value_in(right, quantity.literal, BYTES)
                yield _claim(clause, quantity.start, quantity.end, "false", shown, cause, because)
                break


def _plain(text: str) -> str:
    return text.replace(MATH, "").replace(TEXT, "").replace("\n", " ")


def _claim(
    clause: Clause, start: int, end: int, verdict: str, expected: str, cause: str, because: str
) -> Claim:
    hindered = clause.hindered(start) if verdict == "false" else ""
    text = clause.text[start:end].replace("\n", " ").strip(MATH + TEXT)
    return Claim(
        line=clause.line(start),
        text=text,
        verdict="true" if verdict == "true" else "unsure" if hindered else "false",
        expected=expected,
        claimed=text,
        cause=hindered or cause,
        rule="kv-cache",
        because=because,
        cell=clause.block.cell,
    )
