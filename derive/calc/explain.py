"""Why a line is refused: the sentence that teaches, and what was probably meant."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derive.calc.errors import CalcError, Span
from units import Dimension
from units.kinds import KindError

SCOPES = ("device", "node", "layer", "token", "sequence", "parameter", "element")
_SHORT = {"second": "s", "device": "GPU", "dollar": "$", "joule": "J"}


@dataclass(frozen=True)
class Side:
    """One of two parts that clash: its text in the line, its dimension, its unit as written."""

    text: str
    dimension: Dimension
    unit: str


def unit_text(dimension: Dimension) -> str:
    """A dimension as base units: "FLOP/byte", "token/s"; "a plain number" for none."""
    if not dimension:
        return "a plain number"
    above = [_powered(base, power) for base, power in dimension if power > 0]
    below = [_powered(base, -power) for base, power in dimension if power < 0]
    return "/".join(["·".join(above) or "1", *below])


def clash(left: Side, right: Side, span: Span, verb: str) -> CalcError:
    """The refusal of a sum, comparison, minimum or maximum of two dimensions."""
    if not left.dimension or not right.dimension:
        plain, other = (left, right) if not left.dimension else (right, left)
        return CalcError(
            "bare-number",
            f"{plain.text} has no unit and {other.text} is in {other.unit}: they cannot be {verb}",
            span,
            why="a number without a unit cannot be checked, and it is right in one unit at most",
            hint=f"give it its unit, as in {plain.text} {other.unit}"
            if len(plain.text) < 24
            else "give the number its unit",
        )
    why, hint = _sum_reason(left.dimension, right.dimension)
    sides = [f"{side.text} (in {unit_text(side.dimension)})" for side in (left, right)]
    message = f"{' and '.join(sides)} cannot be {verb}"
    return CalcError("dimension", message, span, why=why, hint=hint)


def _sum_reason(left: Dimension, right: Dimension) -> tuple[str, str]:
    extra = difference(left, right)
    bases = set(extra)
    if extra == {"second": extra.get("second", Fraction(0))}:
        return (
            "an amount and a rate differ by a time",
            "multiply the rate by a time, or divide the amount by one",
        )
    scopes = [base for base in SCOPES if base in bases]
    if scopes and bases <= set(SCOPES):
        names = [_SHORT.get(base, base) for base in scopes]
        return f"values of different scope ({', '.join(names)}) differ by how many there are", _related(names)
    if bases == {"FLOP", "OP"}:
        return (
            "integer and floating-point operations run on different units at different rates",
            "keep the two apart",
        )
    if {"FLOP", "byte"} <= bases or {"OP", "byte"} <= bases:
        return (
            "work and traffic have no sum; what means something is their ratio, the intensity",
            "divide them",
        )
    if {"byte", "cycle"} <= bases:
        return (
            "a clock says how often, not how much is moved each time",
            "multiply the clock by bytes per cycle: 1.98 GHz * 64 B/cycle",
        )
    return "amounts of different things have no sum", "check which of the two is meant"


def _related(names: list[str]) -> str:
    if len(names) == 2:
        return f"say how many there are in each, as in 8 {names[0]}/{names[1]}"
    return f"multiply what is for each {names[0]} by their number, as in * 32 {names[0]}"


def conversion(
    source: Dimension, target: Dimension, shown: str, text: str, span: Span, flipped: str
) -> CalcError:
    """The refusal of a conversion to a unit of another dimension."""
    what = f"the line is {'a plain number' if not source else 'in ' + unit_text(source)}"
    kind = "bare-number" if not source and target else "dimension"
    why, hint = _conversion_reason(source, target, text, flipped)
    return CalcError(kind, f"{what}, which is not {shown}", span, why=why, hint=hint)


def _conversion_reason(source: Dimension, target: Dimension, text: str, flipped: str) -> tuple[str, str]:
    extra = difference(source, target)
    held = dict(source)
    if source and source == tuple((base, -power) for base, power in target):
        return "a time for each and a number in each time are each other's inverse", f"write 1/({text})"
    if flipped:
        return f"the other operation gives what is asked for, {unit_text(target)}", flipped
    if not source and target == (("second", Fraction(1)),):
        return (
            "an amount divided by an amount is a ratio; a time needs a rate below the line",
            "write the rate with its per second: 989 TFLOP/s",
        )
    if not source:
        return (
            "a number without a unit may be meant in any",
            f"write it with its unit, as in * 1 {unit_text(target)}",
        )
    if extra == {"second": extra.get("second", Fraction(0))}:
        return (
            "an amount and a rate differ by a time",
            "divide the amount by a time, or multiply the rate by one",
        )
    if dict(target).get("FLOP") == 1 and held.get("parameter") == 1 and "FLOP" not in held:
        return (
            "the 6 of 6ND is a number of operations for each parameter and token, and says so",
            "write 6 FLOP/param/token instead of 6",
        )
    things = [base for base in ("parameter", "element", "token", "sequence") if held.get(base) == 1]
    if dict(target).get("byte") == 1 and things and "byte" not in held:
        return f"a {things[0]}'s size is that of its format, which is not said".replace("a e", "an e"), (
            f"multiply by it, as in * 2 byte/{things[0]}"
        )
    if things and "byte" in held and extra == {things[0]: Fraction(1)}:
        return (
            f"the bytes are those of each {things[0]}, and say so",
            f"write byte/{things[0]} instead of byte",
        )
    if extra.get("FLOP") and extra.get("byte"):
        return (
            "work takes a time at a rate of FLOP/s, traffic at a bandwidth of byte/s",
            "divide work by a peak, bytes by a bandwidth",
        )
    scopes = [base for base in SCOPES if base in extra]
    if len(scopes) == 2 and set(scopes) == set(extra):
        return "what is for each of one thing is multiplied by a number of another", _related(
            [_SHORT.get(s, s) for s in scopes]
        )
    if scopes:
        word = _SHORT.get(scopes[0], scopes[0])
        if extra[scopes[0]] < 0:
            return (
                f"the value is for each {word}, and their number is not said",
                f"multiply by it, as in * 8 {word}",
            )
        return (
            f"{word} is left over above the line",
            f"divide by {word}, or write …/{word} where a value is for each",
        )
    if {"byte", "cycle"} <= set(extra):
        return "a clock counts cycles, a rate of bits counts what is moved", "say how many bits a cycle moves"
    if extra == {"byte": Fraction(1)}:
        return (
            "bits times bits a second are no rate",
            "a bus width is a number of pins: write 384 * 19.5 Gbps",
        )
    over = [(_SHORT.get(base, base), power) for base, power in sorted(extra.items())]
    rest = "·".join(base if power == 1 else f"{base}^{power}" for base, power in over)
    return f"the two differ by {rest}", "check that every factor stands where it belongs"


def kinds_clash(error: KindError, span: Span, texts: tuple[str, str], verb: str) -> CalcError:
    """The refusal of two kinds that need a named conversion first."""
    whys = {
        "sparsity": "a peak with 2:4 sparsity is twice the dense one, and dense work never reaches it",
        "direction": "both directions together carry twice what each one does, and a transfer uses one",
        "capacity": "a nominal 80 GB may be 80·10⁹ or 80·2³⁰ bytes, 7 % apart",
        "precision": "peaks of two precisions are of different units of the chip",
    }
    read_as = {
        "sparse": "dense",
        "both-ways": "each-way",
        "nominal": "decimal (GB = 10⁹) or as binary (GB = 2³⁰)",
    }
    sides = ((error.left, texts[0]), (error.right, texts[1]))
    hints = [f"write {text} as {read_as[value]}" for value, text in sides if value in read_as]
    a, b = texts
    return CalcError(
        "kind",
        f"{a} and {b} cannot be {verb}: {error}",
        span,
        why=whys[error.axis],
        hint=hints[0] if hints else "take both of one precision",
    )


def utilization(span: Span, name: str, shown: str, negative: bool) -> CalcError:
    """The refusal of a utilization that cannot be."""
    return CalcError(
        "utilization",
        f"{shown} is no {name}: that is a share of the peak, and this is {'below 0' if negative else 'above 1'}",
        span,
        why="nothing runs faster than its peak, so one of the two rates is of another thing",
        hint="check that the peak is of this chip and precision and not another card's, that both rates are per "
        "GPU or both for all, that work is counted once (6 FLOP/param/token, no recomputation for MFU), and "
        "that times are in one unit",
    )


def difference(left: Dimension, right: Dimension) -> dict[str, Fraction]:
    """By which powers the first exceeds the second."""
    found = dict(left)
    for base, power in right:
        found[base] = found.get(base, Fraction(0)) - power
    return {base: power for base, power in found.items() if power}


def _powered(base: str, power: Fraction) -> str:
    name = _SHORT.get(base, base)
    return name if power == 1 else f"{name}^{power}"
