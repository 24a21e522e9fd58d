"""Peaks of machines by precision and sparsity, held against the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.checking.blocks import WALL
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.statements import (
    FLOPS,
    MEASURED,
    ONE_OF_THEM,
    RUNS,
    SYSTEM,
    agreeing_with,
    constants_of,
    elsewhere,
    false_statement,
    is_listed,
    measured,
    mistaken_for,
    stated,
    statement,
    unlike,
    words_by,
)
from derive.checking.subjects import Mention, entry, precisions
from derive.checking.words import Dimension
from derive.entries import Constant

OPS: Dimension = (("OP", 1), ("second", -1))
_SIXTEEN = {"bf16", "fp16"}
_SAME = {"fp16": ("fp16", "bf16"), "bf16": ("bf16", "fp16")}
_SPARSE = re.compile(r"\b(?:w(?:ith|/) ?(?:2:4 |structured )?sparsity|spars\w*|2:4)\b", re.IGNORECASE)
FIRMLY = re.compile(
    rf"achiev|measur|sustain|observ|MFU|utili[sz]|benchmark|attain|obtain|\bran\b|{RUNS}", re.IGNORECASE
)
_SPARSE_BEHIND, _BEHIND = (
    re.compile(r"[\s\x02\x03(]*(?:with |w/ ?)?(?:2:4|structured|sparse|sparsity)\b", re.IGNORECASE),
    30,
)
_WORKED_OUT, _LONG = re.compile(r"\d[^=≈]*[×*x/][^=≈]*[=≈]\s*[~≈]?$"), 60
"""What stands before the result of a calculation, which is no datum of a machine."""
_OF_THEM = re.compile(
    r"\b(?:\d+|two|four|eight|sixteen|all|both) of (?:them|these|those)\W{0,3}$", re.IGNORECASE
)
_DENSE = re.compile(
    r"\bdense\b|\bw(?:ithout|/o) (?:2:4 |structured )?sparsity|\bnon-?sparse\b|\bno sparsity\b", re.IGNORECASE
)
_CALLED = re.compile(r"\bpeaks?(?: (?:at|of|is))?[\s~≈]*$", re.IGNORECASE)
_OWNED = re.compile(
    r"(?:\s(?:chips?|cards?|GPUs?|accelerators?|boards?))?,?\s(?:each )?"
    r"(?:with|(?:which|that) (?:has|have|offers?)|rated at)\s(?:a (?:dense )?peak of )?[\s\x02]*",
)
"""A number that stands so behind the name is the machine's, though the sentence tells of a run."""
_GENITIVE = re.compile(r"['’]s\s(?:own |full |dense |peak )*[\s\x02~≈]*")
_DOES = re.compile(
    r"(?:\s(?:chips?|cards?|GPUs?|accelerators?|boards?))?\s(?:does|do|has|have|offers?|delivers?|provides?|gives?|"
    r"is good for|are good for|comes? with|brings?|manages?)\s(?:only |just |about )?[\s\x02~≈]*"
)
_UNITS_DO = re.compile(
    r"\b(?:its|whose|the|with) (?:\d+ )?(?:[\w-]+ )?(?:tensor|matrix) (?:cores?|units?|engines?)\s(?:can\s|that\s)?"
    r"(?:do(?:es)?|reach(?:es)?|delivers?|offers?|provides?|gives?|manages?|makes?|peaks?|runs?|are good for|go up)\s"
    r"(?:(?:up to|at|to|about|around|roughly|only|just|a peak of)\s)*[\s\x02~≈]*$",
    re.IGNORECASE,
)
"""What a machine's units are made for, where it is more than they can: nobody has measured that."""
_FORMAT_ALONE = re.compile(
    r"[\W_]*(?:(?:dense|sparse|tensor|peak|[A-Za-z]*(?:FP|fp|BF|bf|TF|tf|INT|int)\d+|float\d+|bfloat16|cores?)[\W_]*)+"
)
_NUMBERED = re.compile(r"[(/,;] ?\d")
_PEAK = re.compile(r"\bpeak|dense|spars|theoretical|spec\b|tensor", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\s?[*†‡※]|\s?\[\d\]|\^\(\d\)")
_TYPED, _ROUNDED, _SMALL = 0.005, 0.02, 20.0
_BOX = re.compile(r"\b(?:DGX|HGX|node|system|server|rack|pod|box|NVL\d+)(?:e?s)?\b", re.IGNORECASE)
_IN_A_BOX = (4, 8, 16, 32, 64, 72)
_ABOVE = 1.005  # what is more than the peak was not measured
_AS_VECTOR = ("rtx-", "l40s")
"""Machines whose ordinary units are as fast in fp16 as in fp32."""
_FP16_ALONE = ("v100", "t4")
_LACKING = {
    "fp8": ("a100", "v100", "t4", "rtx-3090"),
    "fp4": ("a100", "v100", "t4", "rtx-3090", "h100", "h200", "l40s", "rtx-4090"),
}


def peak(clause: Clause, quantity: Quantity, mention: Mention, sparse_told: bool) -> Iterator[Claim]:
    if _OF_THEM.search(clause.text, 0, quantity.start) or (
        not clause.row and _WORKED_OUT.search(clause.text, max(0, quantity.start - _LONG), quantity.start)
    ):
        return
    dimension = quantity.literal.options[0].dimension
    words = words_by(clause, quantity)
    own_words = clause.text[quantity.start : quantity.end]  # `989 dense BF16 TFLOPS` names its format itself
    around = _formats_of_row(clause) if clause.row else clause.text
    named = [name for name, _ in precisions(own_words) or precisions(words) or precisions(around)]
    context = clause.context
    said = {name for name, _ in precisions(context)}
    if not named and (len(said) == 1 or said == _SIXTEEN):
        named = [precisions(context)[0][0]]
    every = constants_of(mention, ("peak", "vector_peak"), dimension)
    if len(set(named)) > 1:
        named = _nearest(clause, quantity)
    wanted = {other for name in named for other in _SAME.get(name, (name,))}
    if wanted & {"fp6", "int4"} or not every or _has_no_bf16(mention, named):
        return
    own = _own_words(clause, quantity)
    sparse = bool(_SPARSE.search(own)) and not _DENSE.search(own)
    if _SPARSE_BEHIND.match(clause.text, quantity.end):
        words = clause.text[quantity.start : quantity.end + _BEHIND]
        sparse = not _DENSE.search(words)
    heading = clause.heading(quantity.start)
    if _DENSE.search(heading) and _SPARSE.search(heading):
        words, sparse, context = "", False, ""  # dense and sparse stand in one cell
    dense = bool(_DENSE.search(words)) or (not sparse and bool(_DENSE.search(context)))
    meant = [constant for constant in every if not wanted or constant.tags.get("precision") in wanted]
    if not meant and wanted:
        yield from _without(clause, quantity, mention, named)
        return
    exact = [
        constant
        for constant in meant
        if not (dense and constant.tags.get("sparsity") == "2:4")
        and not (sparse and constant.tags.get("sparsity") == "dense")
    ]
    plain = not dense and not sparse
    usual = [constant for constant in exact if constant.tags.get("sparsity") != "2:4"] if plain else exact
    agreeing = agreeing_with(quantity, exact, dimension, mention.count if named else 1)
    if agreeing is not None:
        loose = (
            plain
            and agreeing.tags.get("sparsity") == "2:4"
            and agreeing_with(quantity, usual, dimension, mention.count) is None
        )
        if not loose:
            yield statement(clause, quantity, agreeing, "true", "", mention)
        elif (
            named
            and not sparse_told
            and (units_do(clause, quantity) or not MEASURED.search(words))
            and usual
            and not _both_told(clause, quantity, dimension)
            and not _twice_in_fp16(meant, named)
        ):
            cause = "sparse and dense: this is the number with 2:4 sparsity, and the text does not say so"
            yield false_statement(clause, quantity, usual[0], cause, mention)
        return
    units = bool(named) and units_do(clause, quantity)
    does = units or bool(_DOES.fullmatch(clause.text[mention.end : quantity.start]))
    if not exact or not (does or stated(clause, mention)) or (clause.row and FIRMLY.search(heading)):
        return
    target = usual[0] if usual else exact[0]
    mistaken = _typed(quantity, every, dimension, mention.count)
    if mistaken in usual:
        return  # the machine's own number, printed with another last digit
    told = mistaken is not None and (dense or sparse)
    if mistaken is None and dimension == FLOPS:
        mistaken = _typed(quantity, _as_rates(mention), dimension)
        told = mistaken is not None and bool(named)
    if mistaken is None and dense and usual and _sparse_of(every, usual[0]) is not None:
        twice = (quantity.base(dimension) or 0.0) / float(usual[0].base)
        mistaken = _sparse_of(every, usual[0]) if abs(twice / 2 - 1) < _ROUNDED else None
        told = mistaken is not None
    told = told or bool(_CALLED.search(clause.text[max(0, quantity.start - 24) : quantity.start]))
    above = (quantity.base(dimension) or 0.0) > _ABOVE * float(target.base)
    between = clause.text[mention.end : quantity.start]
    owned = mistaken is not None and bool(
        (above and (units or _GENITIVE.fullmatch(between))) or _OWNED.fullmatch(between)
    )
    if measured(clause, quantity) and not owned and not (told and not FIRMLY.search(clause.text)):
        return
    if mistaken is None and named and above and mention.count == 1 and is_listed(clause, mention):
        cause = elsewhere(quantity, target, dimension, mention)
        if cause.startswith("digits swapped"):
            yield false_statement(clause, quantity, target, cause, mention)
        return
    if mistaken is not None and not (
        _ordinary(quantity, mention, dimension, wanted) or _of_several(clause, quantity, usual, dimension)
    ):
        yield false_statement(clause, quantity, target, mistaken_for(mistaken, target), mention)
    elif mistaken is not None or mention.count > 1 or _of_a_system(clause, mention):
        return
    elif named and (does or _PEAK.search(f"{words} {context if clause.row else ''}")):
        yield from unlike(clause, quantity, target, dimension, mention)


def _of_a_system(clause: Clause, mention: Mention) -> bool:
    """Whether a sentence tells of a box of machines, and not of each of them."""
    return bool(SYSTEM.search(clause.text)) and not ONE_OF_THEM.search(clause.text, 0, mention.start)


def units_do(clause: Clause, quantity: Quantity) -> bool:
    """Whether a sentence says that the tensor cores of a machine do so much."""
    return bool(_UNITS_DO.search(clause.text, max(0, quantity.start - 2 * _LONG), quantity.start))


def _formats_of_row(clause: Clause) -> str:
    """The cells of a row that name a number format and nothing else; a remark may speak of another one."""
    return " ".join(cell for cell in clause.text.split("¦") if _FORMAT_ALONE.fullmatch(cell))


def _own_words(clause: Clause, quantity: Quantity) -> str:
    """The words that qualify a rate, without those of the rate behind it."""
    words = words_by(clause, quantity)
    behind = next(
        (
            one
            for one in clause.quantities
            if one.start >= quantity.end
            and (
                one.literal.options[0].dimension == quantity.literal.options[0].dimension
                or (one.literal.value > _SMALL and "(" in clause.text[quantity.end : one.start])
            )
        ),
        None,
    )
    if clause.row:
        cell = clause.text[quantity.end :].partition("¦")[0]
        heading, _, rest = words.partition(clause.text[quantity.start : quantity.end])
        return f"{heading} {_NUMBERED.split(cell)[0]}" if rest else words
    if behind is None or clause.text[quantity.start : behind.start] not in words:
        return words
    return words[: words.index(clause.text[quantity.start : behind.start]) + behind.start - quantity.start]


def _sparse_of(constants: Sequence[Constant], dense: Constant) -> Constant | None:
    """The number with 2:4 sparsity beside a dense one."""
    return next(
        (
            one
            for one in constants
            if one.tags.get("sparsity") == "2:4" and one.tags.get("precision") == dense.tags.get("precision")
        ),
        None,
    )


def _typed(
    quantity: Quantity, constants: Sequence[Constant], dimension: Dimension, count: int = 1
) -> Constant | None:
    """The constant that a number was taken from, alone or so many times, and not merely one that it rounds to."""
    own = quantity.base(dimension) or 0.0
    return next(
        (
            one
            for many in dict.fromkeys((1, count or 1))
            for one in constants
            if abs(own / (many * float(one.base)) - 1) < _TYPED
        ),
        None,
    )


def _of_several(clause: Clause, quantity: Quantity, usual: Sequence[Constant], dimension: Dimension) -> bool:
    """Whether a number is the right one of all the cards of a box."""
    return bool(_BOX.search(clause.text)) and any(
        agreeing_with(quantity, usual, dimension, many) is not None for many in _IN_A_BOX
    )


def _both_told(clause: Clause, quantity: Quantity, dimension: Dimension) -> bool:
    """Whether a footnote stands at the number, or half of it beside it: the dense number and the sparse one."""
    if _FOOTNOTE.match(clause.text, quantity.end):
        return True
    own = quantity.base(dimension) or 0.0
    return any(
        abs(2 * (other.base(dimension) or 0.0) / own - 1) < 0.01
        and abs(other.end - quantity.start) < 24
        and WALL not in clause.text[other.end : quantity.start]
        for other in clause.quantities
    )


def _twice_in_fp16(meant: Sequence[Constant], named: Sequence[str]) -> bool:
    """Whether the machine is twice as fast where it accumulates in fp16, and the text may mean that."""
    return "bf16" not in named and any("twice that in fp16" in constant.source.note for constant in meant)


def _as_rates(mention: Mention) -> list[Constant]:
    """The peaks in integer operations, as if somebody had taken them for floating-point ones."""
    integer = constants_of(mention, ("peak",), OPS)
    return [replace(constant, unit=constant.unit.replace("OP/s", "FLOP/s")) for constant in integer]


def _ordinary(quantity: Quantity, mention: Mention, dimension: Dimension, wanted: set[str]) -> bool:
    """Whether a 16-bit rate may be that of the ordinary units, which work as fast in fp32."""
    return (
        "fp16" in wanted
        and all(name.startswith(_AS_VECTOR) for name in mention.names)
        and agreeing_with(quantity, constants_of(mention, ("vector_peak",), dimension), dimension) is not None
    )


def _has_no_bf16(mention: Mention, named: Sequence[str]) -> bool:
    """Whether a rate is told in bf16 of a machine that has only fp16, which texts may mean."""
    return set(named) == {"bf16"} and all(one.startswith(_FP16_ALONE) for one in mention.names)


def _without(clause: Clause, quantity: Quantity, mention: Mention, named: Sequence[str]) -> Iterator[Claim]:
    """A rate in a format that the machine has no units for."""
    for name in dict.fromkeys(named):
        if len(set(named)) == 1 and all(one.startswith(_LACKING.get(name, ("?",))) for one in mention.names):
            target = constants_of(mention, ("peak",), FLOPS)[0]
            cause = (
                f"peak of another precision: {entry('hardware', mention.names[0]).title} has no {name} units"
            )
            claim = false_statement(clause, quantity, target, cause, mention)
            yield replace(claim, expected=f"no {name} rate")


def _nearest(clause: Clause, quantity: Quantity) -> list[str]:
    """The number format closest to a quantity."""
    found = precisions(clause.text)
    heading = precisions(clause.heading(quantity.start))
    if clause.row and heading:
        return [heading[0][0]]
    best = min(
        found, key=lambda one: min(abs(one[1] - quantity.end), abs(one[1] - quantity.start)), default=None
    )
    return [best[0]] if best else []
