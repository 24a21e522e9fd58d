"""The slips of a line: what each number, term, factor and power of it may have been meant as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from operator import add

import units
from derive.reconcile.inputs import Input, of_input
from derive.reconcile.line import Line, Part
from derive.reconcile.search import Change
from derive.reconcile.slips import Slip

_SCOPES = ("device", "node", "layer", "token", "sequence", "parameter", "element", "transfer")
_GROUPS = (2, 4, 5, 6, 7, 8, 12, 16)
_SIZES = {1000**power: 1024**power for power in (1, 2, 3, 4)}
_RATIOS = 30
_ROUNDED = 0.06  # what rounding to one or two digits may change
_SQUARED = 1e150  # the square of a larger number is none


def changes(line: Line) -> Iterator[Change]:
    """All slips of a line, each with what it replaces."""
    for part in line.literals():
        yield from _of_literal(line, part)
    for part in line.terms():
        yield from _of_term(line, part)
    for product in line.products:
        yield from _of_product(line, product)
    for part in line.parts.values():
        if part.conversion:
            yield _of_conversion(line, part)
        elif part.place == "exponent":
            yield from _of_exponent(line, part)
        if not part.typed.dimension and not part.literal and part.value in {*_SIZES, *_SIZES.values()}:
            yield from _of_size(line, part)
    yield from _of_whole(line)


def _text(line: Line, part: Part) -> str:
    text = line.text[part.typed.span[0] : part.typed.span[1]].strip()
    if text.startswith("(") and text.endswith(")") and "(" not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def _of_literal(line: Line, part: Part) -> Iterator[Change]:
    text, value, plain = _text(line, part), part.value, not part.typed.dimension
    given = Input(text, "a number of the line", "literal", part.typed.dimension, value)
    for slip in of_input(given, None):
        yield _replacing(part, slip)
    if re.search(r"\bKV\b", text):
        for group in _GROUPS:
            says = f"each of {group} query heads to a KV head is given a KV head of its own"
            yield _replacing(
                part, Slip("query heads for KV heads", says, value * group, 1.0, f"{value * group:g}")
            )
    if plain and value in {*_SIZES, *_SIZES.values()}:
        yield from _of_size(line, part)
    if not value or part.place == "exponent":
        return
    for near in sorted({float(f"{value:.{digits}g}") for digits in (1, 2)} - {value}):
        if abs(near / value - 1) < _ROUNDED:
            yield _replacing(part, Slip("rounding", f"{text} is rounded on the way", near, 1.5))
    if not (plain and value == int(value) and value > 1) or part.place == "base":
        return
    yield _replacing(part, Slip("one less", f"{value - 1:g} is taken for {text}", value - 1, 2.0))
    yield _replacing(part, Slip("one more", f"{value + 1:g} is taken for {text}", value + 1, 2.2))
    others = {other.value: other for other in line.literals() if not other.typed.dimension}
    for number, other in others.items():
        if number not in (0.0, 1.0, value, value - 1, value + 1) and other.place != "exponent":
            says = f"{_text(line, other)} stands where {text} belongs"
            yield _replacing(part, Slip("one number for another", says, number, 2.1, generic=True))


def _of_term(line: Line, part: Part) -> Iterator[Change]:
    text = _text(line, part)
    yield Change(Slip("term left out", f"the term {text} is left out", 0.0, 1.2), {part.weight: 0.0})
    yield Change(
        Slip("term counted twice", f"the term {text} is counted twice", 2.0, 1.6), {part.weight: 2.0}
    )
    yield Change(Slip("term halved", f"half of the term {text} is counted", 0.5, 1.9), {part.weight: 0.5})
    yield Change(Slip("sign", f"the sign of {text} is turned round", -1.0, 1.9), {part.weight: -1.0})


def _of_product(line: Line, product: list[Part]) -> Iterator[Change]:
    """A factor left out, counted twice or put on the wrong side; a ratio left out."""
    plain = [part for part in product if _leaves(part)]
    for part in plain:
        text, value = _text(line, part), part.value
        yield _replacing(part, Slip("factor left out", _without(text, value, part), 1.0, 1.2))
        if abs(value) < _SQUARED:
            says = f"the factor {text} counts twice"
            yield _replacing(part, Slip("factor counted twice", says, value**2, 1.5, generic=value == 2))
        if part.typed.dimension:
            continue
        verbs = ("divided", "multiplied") if part.place == "above" else ("multiplied", "divided")
        says = f"it is {verbs[0]} by {text} instead of {verbs[1]}"
        yield _replacing(part, Slip("multiplied for divided", says, 1 / value, 1.8, f"(1/{text})"))
    above = [part for part in plain if part.place == "above" and not part.typed.dimension]
    below = [part for part in plain if part.place == "below" and not part.typed.dimension]
    pairs = [(one, other) for one in above for other in below if one.value != other.value]
    for one, other in pairs[:_RATIOS]:
        left, right = _text(line, one), _text(line, other)
        ratio = f"({left})/{right}" if not one.literal else f"{left}/{right}"
        cause = "(n − 1)/n left out" if one.value == other.value - 1 else "ratio left out"
        slip = Slip(cause, f"the ratio {ratio} is left out", 1.0, 1.1 if cause.startswith("(") else 1.4)
        yield Change(slip, {one.key: 1.0, other.key: 1.0})
        slip = Slip("ratio turned round", f"the ratio {ratio} is turned upside down", 1.0, 1.6)
        yield Change(slip, {one.key: other.value, other.key: one.value})


def _leaves(part: Part) -> bool:
    """Whether a factor can be left out or doubled without changing the unit, or only by a counted noun."""
    if part.value <= 0 or part.value == 1:
        return False
    dimension = part.typed.dimension
    counted = len(dimension) == 1 and dimension[0][0] in _SCOPES and abs(dimension[0][1]) == 1
    return not dimension or (counted and part.literal)


def _without(text: str, value: float, part: Part) -> str:
    if value == 2 and part.place == "above":
        return (
            f"the factor {text} is left out, as for K without V, a MAC as one operation or one of two passes"
        )
    return f"the factor {text} is left out"


def _of_exponent(line: Line, part: Part) -> Iterator[Change]:
    text, value = _text(line, part), part.value
    for other in (value - 1, value + 1):
        says = f"the power is {other:g} instead of {text}"
        yield _replacing(part, Slip("wrong power", says, other, 1.6))


def _of_size(line: Line, part: Part) -> Iterator[Change]:
    """A power of 1000 for one of 1024, and the other way round."""
    turned = _SIZES | {binary: decimal for decimal, binary in _SIZES.items()}
    other = turned[int(part.value)]
    power = len(str(min(other, int(part.value)))) // 3
    shown = f"2^{10 * power}" if other % 1024 == 0 else f"1e{3 * power}"
    yield _replacing(
        part, Slip("GB and GiB", f"{shown} is taken for {_text(line, part)}", float(other), 0.9, shown)
    )
    if part.value == 1000**power:
        says = f"10e{3 * power} is taken for {_text(line, part)}"
        yield _replacing(part, Slip("power of ten", says, 10.0 * part.value, 1.8, f"10e{3 * power}"))


def _of_conversion(line: Line, part: Part) -> Change:
    factor = Fraction(part.typed.value or 1).limit_denominator(1000)
    causes = {Fraction(2): "MAC and FLOP", Fraction(1, 2): "sparse and dense, or both ways"}
    says = f"the conversion in {_text(line, part)} (× {factor}) is not made"
    return Change(Slip(causes.get(factor, "conversion left out"), says, 1.0, 0.8), {part.key: 1.0})


def _of_whole(line: Line) -> Iterator[Change]:
    says = "the whole is counted twice, as at two levels or for two directions"
    yield Change(Slip("counted twice", says, 2.0, 1.7, generic=True), factor=2.0)
    yield Change(
        Slip("half counted", "only half is counted, as K without V", 0.5, 1.7, generic=True), factor=0.5
    )
    if {"FLOP", "MAC"} & {base for base, power in line.typed.dimension if power > 0}:
        says = "the half that the causal mask hides is counted too"
        yield Change(Slip("causal mask ignored", says, 2.0, 1.15), factor=2.0)
        says = "only the half below the causal mask is counted"
        yield Change(Slip("causal mask counted", says, 0.5, 1.15), factor=0.5)
    if not line.typed.dimension:
        says = "the ratio is turned upside down"
        yield Change(
            Slip("ratio turned round", says, -1.0, 1.3), after=lambda value: 1 / value, wrap="1 / ({})"
        )
    whole = line.typed.value
    if whole is not None and whole == int(whole) and _is_count(line.typed.dimension):
        for step, text in ((-1, "one too few"), (1, "one too many")):
            wrap = "({}) − 1" if step < 0 else "({}) + 1"
            slip = Slip("off by one", f"{text} is counted", float(step), 1.8)
            yield Change(slip, after=partial(add, step), wrap=wrap)


def _is_count(dimension: units.Dimension) -> bool:
    """Whether something with this dimension is a plain number or a number of things."""
    return not dimension or (len(dimension) == 1 and dimension[0][0] in _SCOPES and dimension[0][1] == 1)


def _replacing(part: Part, slip: Slip) -> Change:
    return Change(slip, {part.key: slip.value})
