"""Estimates by the field's formulas from inputs that stand elsewhere: time, operations, rate, utilization.

6ND of a training and its time on so many devices, 2N of a generated token, the time of a prompt, tokens a second of a
device, MFU, the ridge point. Each formula takes the inputs that are told nearest (`inputs`); where another choice of
the document's inputs gives the number, or two are told equally near, nothing is said. A number is false only by a slip
of its formula, of a unit or of digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from derive.checking.amount import Amount
from derive.checking.amounts import amounts
from derive.checking.causes import SWAPPED
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes
from derive.checking.formulas import (
    DEVICE_TIMES,
    PASS,
    PREFILL,
    RATE,
    READ,
    RIDGE,
    SEEN,
    SEEN_EACH,
    SHARE,
    TIMES,
    TOKEN,
    TRAINING,
    Formula,
)
from derive.checking.inputs import OF, OF_STEP, Input, Inputs, distinct, near, of_document
from derive.checking.mistakes import REST
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.slips import agrees, held, judged
from derive.checking.words import Dimension

_FLOP: Dimension = (("FLOP", 1),)
_EACH_TOKEN: Dimension = (("FLOP", 1), ("token", -1))
_SECOND: Dimension = (("second", 1),)
_DEVICE_TIME: Dimension = (("device", 1), ("second", 1))
_RATES: tuple[Dimension, ...] = (
    (("second", -1), ("token", 1)),
    (("device", -1), ("second", -1), ("token", 1)),
)
_INTENSITY: Dimension = (("FLOP", 1), ("byte", -1))
_PER_SECOND: Dimension = (("second", -1),)
_TRAINED = Sought(
    r"\b(?:pre-?)?train\w*|\bruns?\b|\bwall[- ]?clock|\btakes?\b|\bfinish\w*|\bcomplete[sd]?\b|\bdone\b|"
    r"\blasts?\b|\bneeds?\b",
    ("train", "run", "wall", "take", "finish", "complet", "done", "last", "need"),
    ignore_case=True,
)
_WORK = re.compile(
    r"\b6 ?[×·*]? ?N ?[×·*]? ?D\b|\btrain\w*|\b(?:total|whole|overall) (?:compute|work|cost|budget|operations|"
    r"FLOPs?)\b|"
    r"\bcompute (?:is|comes|amounts|needed|required|budget)|\bsix\b",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"\bforward\b|\bgenerat\w+ (?:one )?token|\bdecod\w+|\binference\b|\b(?:each|every|one|a|per)(?: generated|"
    r" output| new| decoded)? token\b",
    re.IGNORECASE,
)
_INFERENCE = re.compile(r"\b(?:forward|inference|generat\w+|decod\w+)\b", re.IGNORECASE)
_NO_TOKEN = re.compile(
    r"\btrain\w*|\bbackward|\bsteps?\b|\b6\b|\bsix\b|\bprompts?\b|\b[2-9]\d* tokens|\blayers?\b|\bKV\b|"
    r"\bdraft\b|\bbatch",
    re.IGNORECASE,
)
_PROMPT = re.compile(r"\bprefill\w*|\bprompts?\b|\bfirst token\b|\bTTFT\b", re.IGNORECASE)
_TO_RIDGE = re.compile(r"\bridge\b|machine balance|balance point|peak (?:over|divided by)", re.IGNORECASE)
_NO_SHARE = re.compile(r"\b(?:forward|inference|decod\w+|would|from|bandwidth|MBU)\b", re.IGNORECASE)
_NO_RIDGE = re.compile(r"\bintensity|\bkernel|\bcache|\bL[12]\b", re.IGNORECASE)
_STEP = re.compile(r"\bsteps?\b|\btokens?\b|\bdecod\w+|\breads?\b|\bweights\b", re.IGNORECASE)
_NO_STEP = re.compile(
    r"\bdecod\w+|\bgenerat\w+|\bprefill\w*|\bserv\w+|\brequests?\b|\busers?\b", re.IGNORECASE
)
_CACHE = re.compile(
    r"\bKV\b|\bcache|\blink|NV-?Link|network|PCI|\bload\w*|\bcop(?:y|ies|ying)\b|\blayers?\b", re.IGNORECASE
)
_MFU = re.compile(r"\bMFU\b|model FLOPs? utili[sz]ation|\butili[sz]ation\b", re.IGNORECASE)
_OPEN = (
    r"if|instead|without|target\w*|deadline|planned|limit\w*|measured|actual\w*|observed|in practice|overhead|"
    r"restart\w*|"
    r"fail\w*|checkpoint\w*|until|ago|left|remain\w*|more|less|than|extra|lost|sav(?:e|es|ed|ing)|"
    r"half|twice|doubl\w*|queue\w*|plus|includ\w*|other|another|fine-?tun\w*|LoRA|experts?|active|recomput\w*|"
    r"backward|overlap\w*|chunk\w*|draft|speculat\w*|first (?:half|third|run)|stages?|phase|sparse|HFU|"
    r"shortfall|slack|again|old(?:er)?|new|previous\w*|goal|should|could|might|between|range"
)
_BOUND = re.compile(r"\b(?:no )?(?:more|less) than\b|\bat (?:least|most)\b")
_NO_READ = re.compile(rf"\b(?:{_OPEN})\b", re.IGNORECASE)
_NO_ESTIMATE = re.compile(
    rf"\b(?:{_OPEN}|per step|steps?|every|attention|cach\w*|epochs?|FP8)\b", re.IGNORECASE
)
"""Words of a sentence that leave open what its number is; those of a step may tell of every step."""
_LEAD = re.compile(
    r"(?:\b(?:is|are|was|be|makes?|gives?|takes?|took|needs?|costs?|means|comes? to|amounts? to|in|after|at|to|"
    r"of|for|lasts?|"
    r"gets?|sees?|does|reach(?:es)?|process(?:es)?|yields?|equals?|run(?:s|ning)? (?:for|in)|or|so|sustains?|"
    r"handles?|that's|"
    r"requires?|expects?|(?:therefore|thus|hence) \w+)|[:≈→(,]|[A-Za-z]\s?=)"
    r"\s*(?:(?:at least|at most|no (?:more|less) than|about|roughly|some|around|only|just|nearly|almost|a|an|"
    r"the|exactly|over|under|total of|then|us|therefore|thus|"
    r"hence|an MFU of)\s+)*[~≈]?\s*$"
)
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?B(?![\w/])(?! ?tok)")
_OWN = (1.0, 2.0, 6.0)
"""The factors of the formulas themselves, and one."""
_LONG, _NEAR, _REACH, _OTHER, _MOST, _DIGITS = 3600.0, 0.012, 0.006, 0.05, 5, 2
_NO_HOURS = {24.0: "hours and days", 1 / 24: "hours and days"}
_OF_WORK = {
    1 / 3: "forward pass alone: 2ND, not 6ND",
    1 / 6: "factor left out: ND, not 6ND",
    0.5: "multiply-adds: each is counted as one operation",
    10.0: "power of ten", 0.1: "power of ten",
}  # fmt: skip
_OF_TIME = {
    1 / 3: "forward pass alone: 2ND, not 6ND",
    0.5: "sparse and dense: at twice the peak, or multiply-adds counted as one",
    2.0: "counted twice, or half",
    10.0: "power of ten", 0.1: "power of ten",
    **_NO_HOURS,
}  # fmt: skip
_OF_TOKEN = {
    3.0: "6 a parameter are those of training: a forward pass takes 2",
    0.5: "multiply-adds: N a token counts each as one operation",
    10.0: "power of ten", 0.1: "power of ten",
}  # fmt: skip
_OF_PROMPT = {
    3.0: "6 a parameter are those of training: a forward pass takes 2",
    0.5: "multiply-adds, or the peak with sparsity: half of what it should be",
    10.0: "power of ten", 0.1: "power of ten",
    1e3: "ms and s", 1e-3: "ms and s",
}  # fmt: skip
_OF_RATE = {
    3.0: "forward pass alone: 2N a token, not 6N",
    2.0: "sparse and dense: at twice the peak, or multiply-adds counted as one",
    10.0: "power of ten", 0.1: "power of ten",
}  # fmt: skip
_OF_SPEED = {
    10.0: "power of ten",
    0.1: "power of ten",
    2.0: "counted twice, or half",
    0.5: "counted twice, or half",
}
_OF_READ = {10.0: "power of ten", 0.1: "power of ten"}
_OF_RIDGE = {
    2.0: "sparse and dense: the peak is taken with 2:4 sparsity", 10.0: "power of ten", 0.1: "power of ten",
}  # fmt: skip
_OF_SHARE = {
    1 / 3: "forward pass alone: 2N a token, not 6N",
    4 / 3: "recomputation counted: 8N a token, not 6N",
    0.5: "sparse and dense: over twice the peak, or multiply-adds counted as one",
}  # fmt: skip

_LEFT_OUT = ("mfu", "ways")
"""Inputs that are often forgotten."""


def claims(every: Sequence[Clause], known: Sizes) -> Iterator[Claim]:
    """The estimates of sentences. known: the models of the document by size."""
    told = [at for at, clause in enumerate(every) if not clause.row and clause.quantities]
    inputs: Inputs | None = None
    for at in told:
        clause = every[at]
        for one in _results(clause):
            kind = _kind(one, clause)
            if kind is None:
                continue
            if inputs is None:
                inputs = of_document(every, known)
            formulas, dimension, slips = kind
            yield from _held(clause, at, one, formulas, dimension, slips, inputs)


_Kind = tuple[tuple[Formula, ...], Dimension, dict[float, str]]


def _results(clause: Clause) -> Iterator[Amount]:
    """The numbers of a sentence that may follow from inputs."""
    text = clause.plain
    for one in amounts(clause):
        if one.quantity is None or one.opaque or one.linked or not one.value.mid:
            continue
        if _LEAD.search(text, max(0, one.start - 60), one.start) and not REST.match(text, one.end):
            yield one


def _kind(one: Amount, clause: Clause) -> _Kind | None:
    """By what formulas a number follows, if by any."""
    kind, text, value = one.kind, clause.plain, one.value.mid
    if one.quantity is not None and one.quantity.literal.unit == "%":
        near_it = text[max(0, one.start - 40) : one.end + 16]
        share = _MFU.search(near_it) and not _NO_SHARE.search(text)
        return (SHARE, (), _OF_SHARE) if share else None
    if kind == _FLOP:
        if value >= 1e18:
            return (TRAINING, _FLOP, _OF_WORK) if _WORK.search(text) else None
        if value >= 1e10 and _PROMPT.search(text):
            return PASS, _FLOP, _OF_TOKEN
        return (TOKEN, _FLOP, _OF_TOKEN) if 1e8 <= value < 1e14 and _is_forward(clause) else None
    if kind == _INTENSITY:
        ridge = _TO_RIDGE.search(text, 0, one.start) and not _NO_RIDGE.search(text)
        return (RIDGE, _INTENSITY, _OF_RIDGE) if ridge else None
    if kind == _EACH_TOKEN and _is_forward(clause):
        return TOKEN, _FLOP, _OF_TOKEN
    if kind in OF_STEP:
        if kind == _SECOND and value >= _LONG:
            return (TIMES, _SECOND, _OF_TIME) if _TRAINED.search(text) else None
        if _PROMPT.search(text):
            return PREFILL, _SECOND, _OF_PROMPT
        return (
            (READ, _SECOND, _OF_READ)
            if value < 1 and _STEP.search(text) and not _CACHE.search(text)
            else None
        )
    if kind == _DEVICE_TIME and value >= _LONG:
        return DEVICE_TIMES, _SECOND, _OF_TIME
    if kind in _RATES and one.quantity is not None and one.quantity.has(_PER_SECOND):
        if kind == _RATES[0]:
            return (SEEN, _PER_SECOND, _OF_SPEED) if value >= 1000 and not _NO_STEP.search(text) else None
        if _MFU.search(text, one.end):
            return None  # what its utilization is held against
        return (*RATE, *SEEN_EACH), _PER_SECOND, _OF_RATE
    return None


def _is_forward(clause: Clause) -> bool:
    """Whether the operations of a sentence are those of one token in a forward pass, and not in training."""
    text = clause.block.text
    return bool(
        _FORWARD.search(clause.plain)
        and _INFERENCE.search(text)
        and not _NO_TOKEN.search(f"{clause.context} {text}")
    )


def _held(
    clause: Clause,
    at: int,
    one: Amount,
    formulas: Sequence[Formula],
    dimension: Dimension,
    slips: dict[float, str],
    inputs: Inputs,
) -> Iterator[Claim]:
    quantity = one.quantity
    if quantity is None or one.digits < _DIGITS or quantity.base(dimension) is None:
        return
    chosen: list[tuple[float, str, Formula, list[Input]]] = []
    used = any(
        one.block == id(clause.block) or one.section == clause.section > 0
        for role in _LEFT_OUT
        for one in near(inputs, role, clause, at)
    )
    for formula in formulas:
        given = [near(inputs, role, clause, at) for role in formula.roles]
        if not all(given) or (used and formula.forgets):
            continue
        if any(agrees(quantity, value, dimension, _NEAR) for value in _values(formula, inputs)):
            if all(len(found) == 1 for found in given):
                first = [found[0] for found in given]
                if agrees(quantity, formula.value(first), dimension, _REACH):
                    yield held(clause, quantity, "true", formula.value(first), "", formula.because(first))
            return
        if all(len(found) == 1 for found in given):
            first = [found[0] for found in given]
            chosen.append((formula.value(first), formula.because(first), formula, first))
    of_step = formulas in (READ, SEEN)
    if not chosen or (_NO_READ if of_step else _NO_ESTIMATE).search(_BOUND.sub(" ", clause.plain)):
        return
    right = chosen[0][0]
    if any(abs(value / right - 1) > 2 * _NEAR for value, *_ in chosen):
        return  # the inputs do not fit each other
    _, because, formula, first = chosen[0]
    if formulas is RIDGE and any(OF in found.shown for found in first):
        return  # the ridge points of machines have a rule of their own
    if _speaks_of_more(clause, one, first, formula):
        return
    factors = dict(slips) if _is_near(clause, formula, first, inputs) else {}
    if formula.left_out:
        (left,) = [found for found in first if found.role == formula.left_out]
        factor = left.value if formula.left_out in formula.below else 1 / left.value
        factors[factor] = f"a factor is left out ({left.shown})"
    found = list(judged(clause, quantity, dimension, right, because, factors, _REACH))
    yield from found
    if not found and _is_turned(quantity, right / quantity.factor(dimension)) and _is_alone(formula, inputs):
        yield held(clause, quantity, "false", right, SWAPPED, because)


def _speaks_of_more(clause: Clause, told: Amount, first: Sequence[Input], formula: Formula) -> bool:
    """Whether a sentence has a number that a formula does not take, or the size of another model."""
    text = clause.plain
    if "parameters" in formula.roles:
        size = next(one.value for one in first if one.role == "parameters")
        if any(abs(float(named[1]) * 1e9 / size - 1) > _OTHER for named in _SIZE.finditer(text)):
            return True
    used = [one.value for one in first]
    for one in amounts(clause):
        plain = one.bare and (one.value.mid in _OWN or one.opaque)
        if (
            one is told
            or plain
            or (one.bare and one.start > told.start)
            or (one.measure == told.measure and not one.bare)
        ):
            continue
        taken = any(abs(one.value.mid - value) <= _OTHER * value for value in used)
        share = one.quantity is not None and one.literal.unit in ("%", "times")
        if not taken and (one.bare or one.counts or share):
            return True
    return False


def _is_near(clause: Clause, formula: Formula, first: Sequence[Input], inputs: Inputs) -> bool:
    """Whether all inputs stand in the section, or are the only ones of the document: else only digits can be wrong."""
    if all(one.section == clause.section for one in first):
        return True
    return any(one.block == id(clause.block) for one in first) and all(
        one.section == clause.section
        or len(distinct((*inputs[one.role], *inputs.get(f"{one.role}?", ())))) == 1
        for one in first
    )


def _is_turned(quantity: Quantity, right: float) -> bool:
    """Whether a number of two digits is the right one the other way round."""
    digits = [f"{abs(value):.1e}" for value in (quantity.literal.value, right)]
    one, other = (text[0] + text[2] for text in digits)
    return one == other[::-1] and one != other and digits[0][3:] == digits[1][3:]


def _is_alone(formula: Formula, inputs: Inputs) -> bool:
    """Whether a document tells one value only of each input."""
    return all(len(distinct(inputs.get(role, ()))) == 1 for role in formula.roles)


def _values(formula: Formula, inputs: Inputs) -> Iterator[float]:
    """What a formula gives for every choice of the inputs of a document."""
    every = [distinct((*inputs.get(role, ()), *inputs.get(f"{role}?", ())))[:_MOST] for role in formula.roles]
    yield from map(formula.value, product(*every))
