"""What documents say of the sizes of models: their parameters, and the tokens that they were trained on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checking.causes import SWAPPED, UNKNOWN, by_ratio, slip
from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, labelled, meant_by, subject
from derive.checking.known_models import names, note, source, title, values
from derive.checking.quantities import Quantity
from derive.checking.statements import said
from derive.checking.subjects import Mention

_PARAMETERS = re.compile(r"\bparam", re.IGNORECASE)
_OWNED = re.compile(
    r"\b(?:has|have|means|with|is an?|is|are|contains?|counts?|totals?)\b|[:(,]|['’]s\b", re.IGNORECASE
)
_PART = re.compile(
    r"activ|trainable|LoRA|embed|attention|MLP|FFN|layers?\b|expert|vocab|head|draft|adapter|cut|prun|distill|"
    r"shard|each|per\b|than|twice|half|times|nearly|almost|would|if\b|could|more|less|smaller|larger|first|last|only",
    re.IGNORECASE,
)
_TRAINED = re.compile(
    r"\b(?:(?:pre-?)?trained (?:on|with|for|over)|saw|has seen|had seen)(?: (?:a total of|about|around|roughly|over|"
    r"some|more than))*[\s\x02~≈]*$",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    r"\b(?:continu\w+|further|fine-?tun\w+|another|additional|more|extra|if|would|could|distill\w*|of (?:code|math|"
    r"our)|only|first|per|we|our|adapt\w*)\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?:total|params?|parameters|total params?|total parameters|N)(?: ?\([^()]*\))?", re.IGNORECASE
)
_ACTIVE = re.compile(r"active(?: params?| parameters)?(?: ?\([^()]*\))?", re.IGNORECASE)
_IN_TOTAL = re.compile(r" (?:in )?total\b(?! (?:tokens|GPU|cost|FLOP|bytes))")
_MIXTURE = re.compile(r"(\d+)x(\d+(?:\.\d+)?)")
_ASIDE = re.compile(r"[,;(]")
_BULLET, _COLON = re.compile(r"\W*"), re.compile(r"[\s*`)]*[:–—][\s*~≈]*")
_NEAR, _OFF, _FAR = 0.012, 0.04, 0.25
_TOKENS_OFF, _LEAST_TOKENS = 0.08, 1e9
_PREFIXES, _SAME_DIGITS = (1e3, 1e-3, 1e6), 0.004
_IT_WAS = re.compile(r"\W*(?:It|The model|This model) (?:was|has been|is) (?:pre-?)?trained\b")


def claims(clause: Clause, known: Sizes, alone: str = "") -> Iterator[Claim]:
    """The sizes that a clause gives to models.

    known: the models of the document by size. alone: its only model, which was trained where "it" was.
    """
    if clause.row:
        yield from _of_row(clause, known)
        return
    found = meant_by(clause, known)
    spoken = bool(found)
    if not found and alone and _IT_WAS.match(clause.text):
        found = [Mention((alone,), 0, 0)]
    for quantity in clause.quantities if found else ():
        if quantity.literal.options[0].dimension or (quantity.base(()) or 0.0) < 1e6:
            continue
        if any(one.start <= quantity.start < one.end for one in found):
            continue
        behind = quantity.literal.unit + clause.text[quantity.end : quantity.end + 8]
        if _PARAMETERS.search(behind) or (
            quantity.literal.unit == "B" and _IN_TOTAL.match(clause.text, quantity.end)
        ):
            yield from _parameters(clause, quantity, found) if spoken else ()
        elif "token" in behind and (
            _TRAINED.search(clause.text, 0, quantity.start) or _is_item(clause, quantity, found)
        ):
            yield from _tokens(clause, quantity, found)


def _is_item(clause: Clause, quantity: Quantity, found: Sequence[Mention]) -> bool:
    """Whether an item of a list on training has a model for its label and its tokens behind the colon."""
    label = found[0]
    if label.end > quantity.start or not _BULLET.fullmatch(clause.text[: label.start]):
        return False
    around = f"{clause.context} {clause.block.before}"
    return bool(_COLON.fullmatch(clause.text, label.end, quantity.start)) and "train" in around


def _parameters(clause: Clause, quantity: Quantity, found: Sequence[Mention]) -> Iterator[Claim]:
    mention = subject(clause, quantity.start, quantity.end, found)
    if mention is None or len(quantity.literal.digits.replace(",", "").replace(".", "")) < 2:
        return
    begin = mention.end if mention.end <= quantity.start else quantity.start
    between = clause.text[begin : quantity.start]
    after = re.split(r"[,;:()\d]", clause.text[quantity.end : quantity.end + 30])[0]
    told = between.rpartition(": ")[2]
    if _PART.search(f"{told} ¦ {after}") or len(told) > 60 or len(between) > 120:
        return
    yield from _total(
        clause, quantity, mention, bool(_OWNED.search(between)) and not re.search(r"\d", between)
    )


def _total(clause: Clause, quantity: Quantity, mention: Mention, owned: bool) -> Iterator[Claim]:
    """A number of parameters held against those of the model. owned: the text says that the model has them."""
    own = quantity.base(()) or 0.0
    for name in mention.names:
        right = _total_of(name)
        if not right:
            return
        rounded = abs(own / right - 1) < _NEAR or f"{own / 1e6:.0f}M" in note(name)
        if rounded or quantity.agrees(right, ()):
            yield _claim(
                clause,
                quantity,
                name,
                f"{right / 1e9:.4g}B parameters",
                "true",
                "",
                source(name, "parameters"),
            )
            return
    name = mention.names[0]
    right = _total_of(name)
    if clause.row and any(quantity.agrees(value, ()) for value in values(name, "active")):
        return  # a column of what a token uses
    if not owned or abs(own / right - 1) < _OFF or clause.hindered(quantity.start):
        return
    swapped = slip(quantity.literal, right * quantity.literal.value / own)
    cause = swapped if swapped == SWAPPED else _cause(own, right, name)
    if cause != UNKNOWN:
        yield _claim(
            clause,
            quantity,
            name,
            f"{right / 1e9:.4g}B parameters",
            "false",
            cause,
            source(name, "parameters"),
        )


def _total_of(name: str) -> float:
    return next(iter(values(name, "parameters")), 0.0)


def _cause(own: float, right: float, name: str) -> str:
    """Why a number of parameters is wrong; UNKNOWN for that of the name, which is rounded as its maker likes."""
    size = name.rpartition("-")[2].removesuffix("b")
    mixture = _MIXTURE.fullmatch(size)
    if mixture and abs(own / (float(mixture[1]) * float(mixture[2]) * 1e9) - 1) < _NEAR:
        return "total and active experts: shared weights are counted once"
    if size.replace(".", "").isdigit() and abs(own / (float(size) * 1e9) - 1) < _OFF:
        return UNKNOWN
    for other in names():
        if other != name and _total_of(other) and abs(own / _total_of(other) - 1) < _NEAR:
            return f"another model: {title(other)} has so many"
    found = by_ratio(own / right)
    return found if found != UNKNOWN or abs(own / right - 1) < _FAR else "another model"


def _tokens(clause: Clause, quantity: Quantity, found: Sequence[Mention]) -> Iterator[Claim]:
    mention = subject(clause, quantity.start, quantity.end, found)
    known = [values(name, "trained") for name in mention.names] if mention else []
    if mention is None or not all(known):
        return
    own = quantity.base(()) or 0.0
    if own < _LEAST_TOKENS:
        return  # those of a step
    between = clause.text[mention.end : quantity.start]
    every = [value for one in known for value in one]
    name, shown = mention.names[0], f"{every[0] / 1e12:g}T tokens"
    cause = _slip_of_tokens(own, every) or ("another model" if mention.end else "")
    if any(quantity.agrees(value, ()) for value in every):
        yield _claim(clause, quantity, name, shown, "true", "", source(name, "trained"))
    elif (
        cause
        and all(abs(own / value - 1) > _TOKENS_OFF for value in every)
        and not _FURTHER.search(
            f"{between} ¦ {_ASIDE.split(clause.text[quantity.end : quantity.end + 40])[0]}"
        )
        and not clause.hindered(quantity.start)
    ):
        yield _claim(clause, quantity, name, shown, "false", cause, source(name, "trained"))


def _slip_of_tokens(own: float, every: Sequence[float]) -> str:
    """Billions for trillions, or the other way round; "" where that does not give the number."""
    factors = (many for many in _PREFIXES for value in every if abs(own * many / value - 1) < _SAME_DIGITS)
    return next((f"prefix: there are {many:g} times as many" for many in factors), "")


def _of_row(clause: Clause, known: Sizes) -> Iterator[Claim]:
    """Totals and active parameters in the row of a model."""
    begins = [begin for begin, _ in clause.columns]
    if len(begins) < 2:
        return
    mention = labelled(clause.text[: begins[1]].removesuffix(" ¦ ").strip(), known)
    if mention is None:
        return
    for quantity in clause.quantities:
        heading = clause.heading(quantity.start).strip()
        own = quantity.base(()) or 0.0
        if quantity.start < begins[1] or quantity.literal.options[0].dimension or own < 1e8:
            continue
        if _TOTAL.fullmatch(heading):
            yield from _total(clause, quantity, mention, owned=True)
        elif _ACTIVE.fullmatch(heading):
            active = [value for name in mention.names for value in values(name, "active")]
            if any(quantity.agrees(value, ()) for value in active):
                shown = f"{active[0] / 1e9:g}B parameters"
                name = mention.names[0]
                yield _claim(clause, quantity, name, shown, "true", "", source(name, "active"))


def _claim(
    clause: Clause, quantity: Quantity, name: str, expected: str, verdict: Verdict, cause: str, because: str
) -> Claim:
    text = clause.piece(quantity)
    return said(clause, quantity.start, text, expected, verdict, cause, "model", f"{title(name)}: {because}")
