"""Why a line is refused: the sentence that teaches, and what was probably meant."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derive.calc.errors import CalcError, Span
from units import Dimension
from units.kinds import KindError

SCOPES = ("device", "node", "layer", "token", "sequence", "parameter", "element")
_SHORT = {"second": "s", "device": "GPU", "dollar": "$", "joule": "J"}
_TIME: Dimension = (("second", Fraction(1)),)
_PARTS = (("device", "node", 8), ("token", "sequence", 4096))
_TWO_KINDS_OF_WORK = (
    "integer and floating-point operations run on different units at different rates",
    "keep the two apart",
)
_SIZE_OF = {
    **{
        thing: (
            f"{one}'s size is that of its format, which is not said",
            f"multiply by it, as in * 2 byte/{thing}",
        )
        for thing, one in (("parameter", "a parameter"), ("element", "an element"))
    },
    **{
        thing: (f"how many bytes belong to a {thing} is not said", f"multiply by it, as in * 128 KiB/{thing}")
        for thing in ("token", "sequence")
    },
    "transfer": (
        "a transfer moves one bit on each lane or pin",
        "say so: * 1 bit/transfer, or * 8 byte/transfer on a bus",
    ),
    "cycle": (
        "a clock says how often, not how much is moved each time",
        "multiply by it, as in * 64 byte/cycle",
    ),
}
_RATES = {
    "FLOP": ("FLOP/s", "989 TFLOP/s"),
    "OP": ("OP/s", "1979 TOP/s"),
    "byte": ("byte/s", "3.35 TB/s"),
    "token": ("token/s", "50 token/s"),
}
_AMOUNTS = [{base: Fraction(1), "second": Fraction(-1)} for base in _RATES]


@dataclass(frozen=True)
class Side:
    """One of two parts that clash: its text in the line, its dimension, its unit as written."""

    text: str
    dimension: Dimension
    unit: str


@dataclass(frozen=True)
class Converted:
    """What is to be converted and cannot be.

    cancelled: whether units were written and have cancelled.  divisor: the text of what it was divided by.
    flipped: the same with the other operation, where that has the unit asked for.
    """

    text: str
    span: Span
    dimension: Dimension
    cancelled: bool
    divisor: str
    flipped: str


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
            if plain.text.replace(",", "").replace(".", "").isalnum()
            else f"give it its unit, {other.unit}",
        )
    why, hint = _sum_reason(left.dimension, right.dimension)
    sides = [f"{side.text} (in {unit_text(side.dimension)})" for side in (left, right)]
    message = f"{' and '.join(sides)} cannot be {verb}"
    return CalcError("dimension", message, span, why=why, hint=hint)


def _sum_reason(left: Dimension, right: Dimension) -> tuple[str, str]:
    extra = difference(left, right)
    bases = set(extra)
    if bases == {"second"}:
        return (
            "an amount and a rate differ by a time",
            "multiply the rate by a time, or divide the amount by one",
        )
    scopes = [base for base in SCOPES if base in bases]
    if scopes and bases <= set(SCOPES):
        names = ", ".join(_SHORT.get(base, base) for base in scopes)
        below = any(power < 0 for base, power in (*left, *right) if base in scopes)
        return f"values of different scope ({names}) differ by how many there are", _related(scopes, below)
    if bases == {"FLOP", "OP"}:
        return _TWO_KINDS_OF_WORK
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


def _related(scopes: list[str], below: bool = True) -> str:
    """What relates two scopes. below: whether one side is a value for each of them."""
    if len(scopes) == 1:
        name = _SHORT.get(scopes[0], scopes[0])
        if below:
            return f"multiply what is for each {name} by their number, as in * 32 {name}"
        return f"say how many {name}s each of the others stands for, as in * 500 {name}"
    for part, whole, number in _PARTS:
        if set(scopes) == {part, whole}:
            part, whole = _SHORT.get(part, part), _SHORT.get(whole, whole)
            return f"say how many there are in each, as in {number} {part}/{whole}"
    return "check which of them is meant"


def conversion(part: Converted, target: Dimension, shown: str) -> CalcError:
    """The refusal of a conversion to a unit of another dimension."""
    if part.dimension:
        message = f"the line is in {unit_text(part.dimension)}, which is not {shown}"
    elif part.cancelled:
        message = f"the units of the line cancel, so it is a plain number and not {shown}"
    else:
        message = f"the line is a plain number, which is not {shown}"
    kind = "dimension" if part.dimension or part.cancelled or not target else "bare-number"
    why, hint = _conversion_reason(part, target)
    return CalcError(kind, message, part.span, why=why, hint=hint)


def _conversion_reason(part: Converted, target: Dimension) -> tuple[str, str]:
    source, extra = part.dimension, difference(part.dimension, target)
    held, bases = dict(source), set(extra)
    if source and source == tuple((base, -power) for base, power in target):
        each = "a time for each and a number in each time" if "second" in held else "the two"
        return f"{each} are each other's inverse", f"write 1/({part.text})"
    if part.flipped:
        return f"the other operation gives what is asked for, {unit_text(target)}", part.flipped
    if not source:
        return _from_number(part, target)
    if bases == {"second"}:
        return (
            "an amount and a rate differ by a time",
            "divide the amount by a time, or multiply the rate by one",
        )
    if dict(target).get("FLOP") == 1 and held.get("parameter") == 1 and "FLOP" not in held:
        return (
            "the 6 of 6ND is a number of operations for each parameter and token, and says so",
            "write 6 FLOP/param/token instead of 6",
        )
    counted = [
        base
        for base in ("parameter", "element", "token", "sequence", "transfer", "cycle")
        if held.get(base) == 1
    ]
    if dict(target).get("byte") == 1 and counted and "byte" not in held:
        return _SIZE_OF[counted[0]]
    if counted and "byte" in held and extra == {counted[0]: Fraction(1)}:
        return (
            f"the bytes are those of each {counted[0]}, and say so",
            f"write byte/{counted[0]} instead of byte",
        )
    if target == _TIME and extra in _AMOUNTS:
        rate, example = _RATES[next(base for base in extra if base != "second")]
        return f"an amount takes a time at a rate of {rate}", f"divide by one, as in / ({example})"
    if {"FLOP", "byte"} <= bases:
        return (
            "work takes a time at a rate of FLOP/s, traffic at a bandwidth of byte/s",
            "divide work by a peak, bytes by a bandwidth",
        )
    if bases == {"FLOP", "OP"}:
        return _TWO_KINDS_OF_WORK
    if bases == {"MAC", "OP"}:
        return "how many integer operations a MAC counts for is not said", "multiply by it: * 2 OP/MAC"
    if not target and bases == {"device"} and extra["device"] < 0:
        return (
            "a rate for each GPU was divided by a rate of all",
            "divide by that of one, as in 989 TFLOP/s/GPU",
        )
    if not target and bases & {"FLOP", "OP", "byte"}:
        return "a share has no unit", "divide by what it is a share of, as in / (989 TFLOP/s)"
    return _conversion_of_scopes(extra)


def _from_number(part: Converted, target: Dimension) -> tuple[str, str]:
    """Why a plain number is not in a unit."""
    if part.cancelled and target == _TIME:
        return (
            "an amount divided by an amount is a ratio; a time needs a rate below the line",
            f"write the rate with its per second{part.divisor and f': {part.divisor}/s'}",
        )
    if part.cancelled:
        return "a ratio has no unit", "check that every factor stands where it belongs"
    return "a number without a unit may be meant in any", "write the unit behind the number that has it"


def _conversion_of_scopes(extra: dict[str, Fraction]) -> tuple[str, str]:
    scopes = [base for base in SCOPES if base in extra]
    if len(scopes) == 2 and set(scopes) == set(extra):
        return "what is for each of one thing is multiplied by a number of another", _related(scopes)
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
        why="a rate below 0 is none"
        if negative
        else "nothing runs faster than its peak, so one of the two rates is of another thing",
        hint="check the signs"
        if negative
        else "check that the peak is of this chip and precision and not another card's, that both rates are per "
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
