"""Conversions that the line names: to a unit, and from one kind to another. What changes a number is a step."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from derive.calc import explain, tree
from derive.calc.errors import CalcError, Span
from derive.calc.naming import name_unit
from derive.calc.tree import Uses
from derive.calc.typed import Typed, in_flop, powers, scaled
from derive.rounding import significant
from units import Dimension, kinds

if TYPE_CHECKING:
    from derive.calc.check import Checker

_TIME: Dimension = (("second", Fraction(1)),)
_THOUSANDS = {"k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_SIZE = re.compile(r"(?P<prefix>[kMGTPE])?(?P<binary>i)?(?:B|b|byte|bit|Byte|Bit)")


def convert(part: Typed, node: tree.Convert, checker: Checker) -> Typed:
    """The part in the unit asked for. Raises CalcError: dimension, bare-number, kind."""
    dimension = powers(*((unit.dimension, power) for unit, power in node.uses))
    if "utilization" not in dict(node.kinds):
        for axis, value in node.kinds:
            if dict(part.kinds).get(axis) != value:
                part = read(part, axis, value, node.span, checker)
    part = _fitted(part, dimension, node.shown, checker)
    if dict(part.kinds).get("capacity") == "nominal" and _names(part.uses) != _names(node.uses):
        raise CalcError(
            "kind",
            f"{checker.text(part)} is nominal, so its size in {node.shown} is not known",
            part.span,
            why="a nominal 80 GB may be 80·10⁹ or 80·2³⁰ bytes, 7 % apart",
            hint=f"write {checker.text(part)} as decimal (GB = 10⁹) or as binary (GB = 2³⁰)",
        )
    made = replace(part, uses=node.uses, span=node.span, name="asked")
    return checker.guarded(replace(made, kinds=node.kinds)) if "utilization" in dict(node.kinds) else made


def _fitted(part: Typed, target: Dimension, shown: str, checker: Checker) -> Typed:
    """The part, with counts of GPUs, nodes or layers taken as plain numbers where only they stand in the way."""
    if part.dimension == target:
        return part
    work = in_flop(part.dimension)
    if work == target:
        return checker.flop(part)
    if "MAC" not in dict(target) and _spare(work, part.counts, target):
        part = checker.flop(part)
    spare = _spare(part.dimension, part.counts, target)
    if spare:
        words = " and ".join({"device": "GPU"}.get(base, base) for base in spare)
        checker.steps.append(f"{words} taken as a plain count: what it multiplies is meant for each {words}")
        dropped = tuple(pair for pair in part.dimension if pair[0] not in spare)
        return replace(part, dimension=dropped, counts=())
    divisor = flipped = ""
    if part.operation in ("*", "/") and len(part.arguments) == 2:
        a, b = part.arguments
        other = powers((a.dimension, 1), (b.dimension, -1 if part.operation == "*" else 1))
        if other == target and a.span != b.span and target:
            sign = "/" if part.operation == "*" else "*"
            flipped = f"write {checker.text(a)} {sign} {checker.text(b)}"
        if part.operation == "/":
            divisor = checker.text(b).strip("()")
    kept = explain.Converted(checker.text(part), part.span, part.dimension, bool(part.uses), divisor, flipped)
    raise explain.conversion(kept, target, shown)


def _spare(source: Dimension, counts: Dimension, target: Dimension) -> list[str]:
    """The counted scopes whose removal gives the target's dimension.

    N GPUs × something is meant for each GPU, and work divided by N GPUs × a rate
    is a time; but GPU-hours are not hours, and bytes over 8 GPUs are not a total.
    """
    over = explain.difference(source, target)
    held = dict(counts)
    for base, power in over.items():
        shared = power == -1 and target in (_TIME, ())
        each = power == 1 and target != _TIME and bool(target)
        if held.get(base) != power or not (shared or each):
            return []
    return sorted(over)


def read(part: Typed, axis: str, value: str, span: Span, checker: Checker) -> Typed:
    """The part as another kind: `as dense`, `as each-way`, `as decimal`, `as binary`, `as MFU`."""
    if axis == "utilization":
        part = _fitted(part, (), value, checker)
        return checker.guarded(
            replace(part, kinds=(*kinds.without(part.kinds, [axis]), (axis, value)), span=span)
        )
    if axis == "capacity":
        return _sized(part, value, span, checker)
    held = dict(part.kinds).get(axis)
    if held == value:
        return replace(part, span=span)
    found = kinds.CONVERSIONS.get((held or "", value))
    if found is None or held is None:
        said = f"[{held}]" if held else "not tagged"
        other = next((a for a, b in kinds.CONVERSIONS if b == value), value)
        why = "whether it is to be halved depends on what it is"
        hint = f"write {checker.text(part)} [{other}] as {value}, or [{value}] alone if it is that already"
        if axis == "precision":
            why = "a precision is not converted: each has a peak and a size of its own"
            hint = "give that peak, or multiply by that size, as in * 2 byte/param"
        raise CalcError(
            "kind",
            f"{checker.text(part)} is {said}, so it cannot be read as {value}",
            span,
            why=why,
            hint=hint,
        )
    factor, why = found
    rest = (*kinds.without(part.kinds, [axis]), (axis, value))
    made = replace(scaled(part, factor), kinds=tuple(sorted(rest)), span=span)
    checker.steps.append(f"{checker.text(part)} as {value}: × {factor}, as {why}{_result(made)}")
    return made


def _sized(part: Typed, value: str, span: Span, checker: Checker) -> Typed:
    """A capacity as decimal (GB = 10⁹) or binary (GB meant as 2³⁰) bytes."""
    sizes = [(unit, power) for unit, power in part.uses if dict(unit.dimension).get("byte") and power]
    found = _SIZE.fullmatch(sizes[0][0].name) if len(sizes) == 1 else None
    if value not in ("decimal", "binary") or found is None:
        raise CalcError(
            "kind",
            f"{checker.text(part)} cannot be read as {value}",
            span,
            why="only bytes written in one unit such as GB can be decimal or binary",
            hint="write 80 GB [nominal] as binary",
        )
    kept = replace(part, kinds=kinds.without(part.kinds, ["capacity"]), span=span)
    if found["binary"] or not found["prefix"]:
        return kept
    unit, power = sizes[0]
    one = unit.name.removeprefix(found["prefix"])
    step = f"{checker.text(part)} as {value}: each {unit.name} is "
    if value == "decimal":
        checker.steps.append(f"{step}10^{3 * _THOUSANDS[found['prefix']]} {one}{_result(kept)}")
        return kept
    degree = _THOUSANDS[found["prefix"]]
    ratio = Fraction(1024**degree, 1000**degree)
    name = unit.name.replace(found["prefix"], ("K" if found["prefix"] == "k" else found["prefix"]) + "i", 1)
    binary = tree.Unit(name, unit.factor * ratio, unit.dimension)
    uses = tuple((binary if old is unit else old, times) for old, times in part.uses)
    made = replace(scaled(kept, ratio ** int(power)), uses=uses, span=span)
    checker.steps.append(f"{step}2^{10 * degree} {one}{_result(made)}")
    return made


def _result(part: Typed) -> str:
    """ ", = 989.5 TFLOP/s" where the value is known."""
    if part.value is None:
        return ""
    named = name_unit(part.uses, part.dimension)
    return f"; = {significant(Fraction(part.value) / named.factor, 6)} {named.text}{kinds.text_of(part.kinds)}".rstrip()


def _names(uses: Uses) -> dict[str, Fraction]:
    return {unit.name: power for unit, power in uses if power}
