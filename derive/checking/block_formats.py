"""What documents say of block formats: bits a weight, with its share of the scale."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import said
from derive.number_formats import FORMATS, BlockFormat

_NAME = Sought(r"\b(MX[ -]?FP[468]|MX[ -]?INT8|NV[ -]?FP4)\b", ("mx", "nv"), ignore_case=True)
_BITS = re.compile(
    r"\s?(?:effective )?bits?\b(?: ?(?:/|per|a|for each|each) ?(?:weight|element|value|parameter|param|number))"
)
_BITS_HEADING = re.compile(
    r"(?:effective )?bits? ?(?:/|per|a) ?(?:weight|element|value|parameter|param|number)|bpw|effective bits",
    re.IGNORECASE,
)
_BLOCK = Sought(
    r"\b(?:blocks? (?:size )?(?:of|is|=|:) ?|"
    r"scale (?:factor )?(?:\w+ )?(?:per|for(?: each| every)?|among|across|over|by|every) (?:block of )?)"
    r"(\d{1,3})\b(?! ?(?:bit|%|GB|byte))",
    ("block", "scale"),
)
_OTHERS = re.compile(
    r"\b(?:instead|rather|unlike|than|ours|with an? (?:extra|additional)|group size)\b", re.IGNORECASE
)


def claims(clause: Clause) -> Iterator[Claim]:
    """The bits a weight that a clause gives to the one block format that it names."""
    found = list(_NAME.finditer(clause.text))
    if len({match[1].lower() for match in found}) != 1:
        return
    form = FORMATS[re.sub(r"[ -]", "", found[0][1].lower())]
    if not isinstance(form, BlockFormat):
        return
    if clause.row and len(clause.columns) > 1 and found[0].start() > clause.columns[1][0]:
        return
    for match in _BLOCK.finditer(clause.text) if not clause.row else ():
        if match.start() > found[0].end() and not _OTHERS.search(clause.text, found[0].end(), match.start()):
            yield from _block(clause, match, form)
    for quantity in clause.quantities:
        if quantity.start < found[0].end() or quantity.literal.options[0].dimension not in (
            (),
            (("byte", 1),),
        ):
            continue
        if clause.row:
            if _BITS_HEADING.fullmatch(clause.heading(quantity.start).strip()):
                yield from _bits(clause, quantity, form)
        elif _BITS.match(clause.text, quantity.start + len(quantity.literal.digits)) and not _OTHERS.search(
            clause.text, found[0].end(), quantity.start
        ):
            yield from _bits(clause, quantity, form)


def _block(clause: Clause, match: re.Match[str], form: BlockFormat) -> Iterator[Claim]:
    """The elements that share a scale: false where another format has so many."""
    own, at = int(match[1]), match.start(1)
    if own == form.block:
        yield said(
            clause, at, match[1], f"{form.block}", "true", "", "number-format", f"block of {form.name}"
        )
        return
    others = [one.name for one in FORMATS.values() if isinstance(one, BlockFormat) and one.block == own]
    reason = clause.hindered(at)
    if others:
        cause, because = reason or f"another format: {others[0]} has such blocks", f"block of {form.name}"
        verdict: Verdict = "unsure" if reason else "false"
        yield said(clause, at, match[1], f"{form.block}", verdict, cause, "number-format", because)


def _bits(clause: Clause, quantity: Quantity, form: BlockFormat) -> Iterator[Claim]:
    right = form.element_bits + form.scale_bits / form.block
    own, digits = quantity.literal.value, quantity.literal.digits
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2])
    true = abs(own - right) <= half + 1e-9
    if "." not in digits:
        return  # the bits of an element alone
    hindered = "" if true else clause.hindered(quantity.start)
    verdict: Verdict = "true" if true else "unsure" if hindered else "false"
    cause = "" if true else hindered or _cause(own, form)
    because = f"{form.name}: {form.element_bits} + {form.scale_bits}/{form.block} bits"
    yield said(clause, quantity.start, digits, f"{right:g} bits", verdict, cause, "number-format", because)


def _cause(own: float, form: BlockFormat) -> str:
    for other in FORMATS.values():
        if isinstance(other, BlockFormat) and other.element_bits + other.scale_bits / other.block == own:
            return f"another format: {other.name} has so many"
    return f"the scale of a block counts {form.scale_bits} bits over {form.block} elements"
