"""What formulas of the catalogue make of the numbers of a document: 6ND of a training run, cache of a sequence,
products of matrices, all-reduces.

The right result is true only where its sentence has all the inputs. A wrong one is false where a slip of just
this formula gives it, and the inputs are beyond doubt.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.checking import matmuls, reductions
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, named, subject
from derive.checking.judging import value_in
from derive.checking.known_models import values
from derive.checking.names import Mention
from derive.checking.seeking import Sought
from derive.checking.statements import BYTES
from derive.checking.words import Dimension

_FLOP: Dimension = (("FLOP", 1),)
_TRAINING = re.compile(
    r"\b(?:pre-?)?train\w*|\b6 ?[×·*]? ?N ?[×·*]? ?D\b|\bmodel on\b|\brun\b", re.IGNORECASE
)
_SIX = re.compile(r"\b6 ?[×·*]? ?N ?[×·*]? ?D\b")
_NOT_TRAINING = re.compile(
    r"\b(?:forward|backward|inference|prefill|prompt|decod\w+|generat\w+|per (?:token|step|sequence|layer)|each step|"
    r"evaluat\w+|scor\w+|infer\w+|process\w+|label\w+|filter\w+|distill\w+|frozen|freez\w+|stages?|each|half|"
    r"fine-?tun\w+|LoRA|attention|embedding|share|difference|more|less|rest)\b",
    re.IGNORECASE,
)
_PARAMETERS = ("parameter", "model")
_LEAST_N, _LEAST_D, _LEAST_C = 1e7, 1e8, 1e15
_RUN = re.compile(
    r"\b(?:pre-?)?train\w*|\bcompute\b|\b(?:needed|took|cost)\b|\b6 ?[×·*]? ?N ?[×·*]? ?D\b", re.IGNORECASE
)
_COMPARED = re.compile(
    r"\b(?:than|like|unlike|as|vs\.?|versus|beside|of the size of|our|my|own)\s+(?:a |an |the )?$"
)
_LEAST_RUN, _NEAR_RUN = 1e20, 0.02
_RUN_SLIPS = (
    (1 / 3, "forward pass alone: 2ND, not 6ND"),
    (2 / 3, "backward pass alone: 4ND, not 6ND"),
    (1 / 2, "multiply-adds: 3ND counts each as one"),
    (1 / 6, "factor left out: ND, not 6ND"),
)
_LEAST_PROMPT = 1e10
_PROMPT = re.compile(r"\b(?:prompts?|prefill\w*|forward pass)\b", re.IGNORECASE)
_NOT_PROMPT = re.compile(
    r"\b(?:train\w*|backward|attention|layers?|per (?:GPU|card|second|layer)|each (?:GPU|card)|cach\w+|chunk\w*|"
    r"draft|LoRA|active|experts?|batch\w*|decod\w+)\b|(?<!left )\bout\b",
    re.IGNORECASE,
)
_PROMPT_SLIPS = (
    (0.5, "multiply-adds: N a token counts each as one operation"),
    (3.0, "6 a parameter are those of training: a forward pass takes 2"),
)
_ASIDE = re.compile(r"\([^()\d]{0,80}\)")
_CACHE = re.compile(r"\bKV\b|\bcaches?\b", re.IGNORECASE)
_FORMULA = Sought(
    r"(?<![\d.])2 ?[×*·] ?(\d{1,3}) ?[×*·] ?(\d{1,3}) ?[×*·] ?(\d{2,3}) ?[×*·] ?([124])\b(?! ?[×*·])",
    ("2×", "2 ×", "2*", "2 *", "2·", "2 ·"),
)
_NO_CACHE = re.compile(
    r"\b(?:per (?:GPU|card|device|rank|layer)|each|GPUs|cards|keys?|values?|half|one layer|left|free|budget|"
    r"saves?|weights?|FP8|INT8|8-bit|window|compress\w*|latent|MLA|and)\b",
    re.IGNORECASE,
)
_SEQUENCE_SLIPS = (
    (0.5, "K+V: only one of K and V is counted"),
    (2.0, "element size: an element is taken twice as wide"),
    *((float(group), "heads and KV heads: every query head is given a cache") for group in (4, 5, 7, 8, 16)),
)


def claims(mentions: Sequence[Mention], known: Sizes) -> Iterator[Claim]:
    """The claims of all formulas."""
    sections: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    alone = _of_the_only_model(mentions, known)
    for sentence in _sentences(mentions):
        for clause in {id(one.clause): one.clause for one in sentence}.values():
            sections[clause.section] |= {
                tuple(int(part) for part in match.groups()) for match in _FORMULA.finditer(clause.text)
            }
        yield from _run(sentence, mentions, known)
        for clause in {id(one.clause): one.clause for one in sentence}.values():
            yield from _run_of_model(clause, [one for one in sentence if one.clause is clause], known)
        yield from _forward(sentence, alone, known)
        yield from _sequence(sentence, sections[sentence[0].clause.section])
        for claim in matmuls.claims(sentence):
            yield replace(claim, rule="chain")
    for claim in reductions.claims(mentions):
        yield replace(claim, rule="chain")


def _sentences(mentions: Sequence[Mention]) -> Iterator[list[Mention]]:
    """The numbers of each sentence, whose parts may be set apart by semicolons."""
    found: list[Mention] = []
    for one in mentions:
        if one.clause.row:
            continue
        before = found[-1].clause if found else None
        goes_on = before is one.clause or (
            before is not None
            and before.block is one.clause.block
            and one.clause.block.text[before.offset : one.clause.offset].rstrip().endswith(";")
        )
        if found and not goes_on:
            yield found
            found = []
        found.append(one)
    if found:
        yield found


def _text(sentence: Sequence[Mention]) -> str:
    """The words of a sentence without what stands in brackets."""
    clauses = {id(one.clause): one.clause for one in sentence}.values()
    return _ASIDE.sub(" ", " ".join(clause.text for clause in clauses))


def _run(found: Sequence[Mention], mentions: Sequence[Mention], known: Sizes) -> Iterator[Claim]:
    """The operations of a training run, six for each parameter and token."""
    told = [one for one in found if one.quantity.has(_FLOP) and (one.quantity.base(_FLOP) or 0.0) >= _LEAST_C]
    text = _text(found) if told else ""
    if len(told) != 1 or not _TRAINING.search(text) or _NOT_TRAINING.search(text):
        return
    own = told[0]
    models, tokens = _sizes(found, known), {one.value for one in _tokens_of(found)}
    if len(models) == 1 and len(tokens) == 1:
        yield from _six(own, models.pop(), tokens.pop(), certain=True)
    elif _SIX.search(text):
        every, tokens = _repeated(_sizes_of(mentions), mentions), _repeated(_tokens_of(mentions), mentions)
        pairs = [(size, token) for size in every for token in tokens]
        if pairs and not any(own.quantity.agrees(6 * size * token, _FLOP) for size, token in pairs):
            for size, token in pairs:
                yield from _six(own, size, token, certain=False)


def _run_of_model(clause: Clause, found: Sequence[Mention], known: Sizes) -> Iterator[Claim]:
    """The operations of the training of a model that is named, by its parameters and tokens in the catalogue."""
    told = [
        one for one in found if one.quantity.has(_FLOP) and (one.quantity.base(_FLOP) or 0.0) >= _LEAST_RUN
    ]
    if not told or _tokens_of(found) or not _RUN.search(clause.text) or _NOT_TRAINING.search(clause.text):
        return
    models = named(clause.text, known)
    for own in told:
        model = subject(clause, own.quantity.start, own.quantity.end, models)
        if model is None or len(model.names) != 1 or _COMPARED.search(clause.text, 0, model.start):
            continue
        sizes, tokens = values(model.names[0], "parameters")[:1], values(model.names[0], "trained")
        pairs = [(size, token) for size in sizes for token in tokens]
        near = [pair for pair in pairs if _is_near(own, 6 * pair[0] * pair[1])]
        for size, token in near[:1]:
            shown = value_in(6 * size * token, own.quantity.literal, _FLOP)
            yield _claim(own, "true", shown, "", f"6 × {size:.4g} parameters × {token:.4g} tokens")
        if pairs and not near:
            yield from _six(own, *pairs[0], certain=False)


def _is_near(own: Mention, right: float) -> bool:
    """Whether a number is so many operations, the parameters or tokens rounded."""
    return own.quantity.agrees(right, _FLOP) or abs((own.quantity.base(_FLOP) or 0.0) / right - 1) < _NEAR_RUN


def _six(own: Mention, size: float, tokens: float, certain: bool) -> Iterator[Claim]:
    right = 6 * size * tokens
    shown = value_in(right, own.quantity.literal, _FLOP)
    because = f"6 × {size:.4g} parameters × {tokens:.4g} tokens"
    if own.quantity.agrees(right, _FLOP):
        if certain:
            yield _claim(own, "true", shown, "", because)
        return
    for factor, cause in _RUN_SLIPS:
        if own.quantity.agrees(right * factor, _FLOP):
            yield _claim(own, "false", shown, cause, because)
            return


def _of_the_only_model(mentions: Sequence[Mention], known: Sizes) -> float:
    """The parameters of the one model that the sentences of a document name; 0 where there are several."""
    names: set[str] = set()
    for clause in {id(one.clause): one.clause for one in mentions}.values():
        names |= {name for model in named(clause.text, known) for name in model.names}
    sizes = values(names.pop(), "parameters") if len(names) == 1 else ()
    return sizes[0] if len(sizes) == 1 else 0.0


def _forward(found: Sequence[Mention], alone: float, known: Sizes) -> Iterator[Claim]:
    """The operations of a prompt, two for each parameter and token. alone: the size of the document's only model."""
    told = [
        one for one in found if one.quantity.has(_FLOP) and (one.quantity.base(_FLOP) or 0.0) >= _LEAST_PROMPT
    ]
    tokens = {one.value for one in found if one.kind == ((), "token") and one.value > 1}
    text = _text(found) if len(told) == len(tokens) == 1 else ""
    if not _PROMPT.search(text) or _NOT_PROMPT.search(text):
        return
    own, sizes = told[0], _sizes(found, known) or ({alone} if alone else set())
    if len(sizes) != 1:
        return
    size, many = sizes.pop(), tokens.pop()
    right = 2 * size * many
    shown, because = (
        value_in(right, own.quantity.literal, _FLOP),
        f"2 × {size:.4g} parameters × {many:.4g} tokens",
    )
    if own.quantity.agrees(right, _FLOP):
        yield _claim(own, "true", shown, "", because)
        return
    for factor, cause in _PROMPT_SLIPS:
        if own.quantity.agrees(right * factor, _FLOP):
            yield _claim(own, "false", shown, cause, because)
            return


def _sizes(found: Sequence[Mention], known: Sizes) -> set[float]:
    """The numbers of parameters that a sentence names, itself or by the name of a model."""
    own = {one.value for one in _sizes_of(found)}
    models = named(_text(found), known)
    if own or len({one.names for one in models}) != 1:
        return own
    return {value for name in models[0].names for value in values(name, "parameters")}


def _sizes_of(found: Sequence[Mention]) -> list[Mention]:
    return [one for one in found if one.value >= _LEAST_N and not one.kind[0] and one.kind[1] in _PARAMETERS]


def _tokens_of(found: Sequence[Mention]) -> list[Mention]:
    return [one for one in found if one.value >= _LEAST_D and one.kind == ((), "token")]


def _repeated(found: Sequence[Mention], mentions: Sequence[Mention]) -> set[float]:
    """The values among them that stand in several lines of the document."""
    lines: dict[float, set[int]] = defaultdict(set)
    for one in mentions:
        if not one.kind[0]:
            lines[_rounded(one)].add(one.line)
    return {_rounded(one) for one in found if len(lines[_rounded(one)]) > 1}


def _rounded(one: Mention) -> float:
    return float(f"{one.value:.3g}")


def _sequence(found: Sequence[Mention], formulas: set[tuple[int, ...]]) -> Iterator[Claim]:
    """The cache of so many tokens, where the section works out before what one of them takes."""
    if len(formulas) != 1:
        return
    told = [one for one in found if one.kind == (BYTES, "")]
    tokens = [one for one in found if one.kind == ((), "token")]
    text = _text(found) if told and tokens else ""
    if len(told) != 1 or len(tokens) != 1 or not _CACHE.search(text) or _NO_CACHE.search(text):
        return
    layers, heads, width, element = next(iter(formulas))
    right = 2 * layers * heads * width * element * tokens[0].value
    if not right:
        return
    own = told[0]
    shown = value_in(right, own.quantity.literal, BYTES)
    because = f"2 × {layers} × {heads} × {width} × {element} bytes × {tokens[0].value:g} tokens"
    if own.quantity.agrees(right, BYTES):
        yield _claim(own, "true", shown, "", because)
        return
    for factor, cause in (*_SEQUENCE_SLIPS, (1 / layers, "per layer and per model: one layer is counted")):
        if own.quantity.agrees(right * factor, BYTES):
            yield _claim(own, "false", shown, cause, because)
            return


def _claim(own: Mention, verdict: str, expected: str, cause: str, because: str) -> Claim:
    return replace(own.claim(verdict, expected, cause, because), rule="chain")
