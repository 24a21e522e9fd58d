"""The likeliest cause of a false claim: its line of arithmetic is given to `derive.reconcile`."""

from __future__ import annotations

import re

from derive.checking.grammar import Name, Node, Operation
from derive.checking.values import Interval, Literal, half_unit
from derive.checking.words import Dimension

_MOST = 60
_NEAR, _WIDE = 0.006, 0.06
_OF_UNITS = (
    ("GB and GiB", "byte"),
    ("bit and byte", "byte"),
    ("seconds and", "second"),
    ("hours and", "second"),
)
"""Causes that only a number of a kind can have, with its base unit."""
_BASES = {
    "byte": "byte",
    "FLOP": "FLOP",
    "OP": "OP",
    "MAC": "MAC",
    "second": "s",
    "joule": "J",
    "dollar": "USD",
    "gram": "g",
}
SWAPPED = "digits swapped"
"""The cause of a number of which two neighbouring digits are exchanged."""
ONE_DIGIT = "one digit is another"
"""The cause of a number of which one digit is wrong."""
UNKNOWN = "no known slip gives this number"
"""The cause where neither reconcile nor a plain ratio explains a difference."""

_RATIOS = (
    (1.024, "GB and GiB"), (1.024**2, "GB and GiB"), (1.024**3, "GB and GiB"), (1.024**4, "GB and GiB"),
    (8.0, "bit and byte"), (1e3, "prefix"), (1e6, "prefix"), (1e9, "prefix"), (60.0, "seconds and minutes"),
    (3600.0, "seconds and hours"), (24.0, "hours and days"), (10.0, "power of ten"), (100.0, "power of ten"),
    (1024.0, "prefix"), (1024.0**2, "prefix"), (1024.0**3, "prefix"), (2.0, "counted twice, or half"),
)  # fmt: skip


class Explainer:
    """Explains false claims, a bounded number of them for a document."""

    def __init__(self) -> None:
        self.left = _MOST

    def cause(
        self, node: Node, letters: dict[str, float], claimed: Literal | None, expected: float, value: Interval
    ) -> str:
        """The short name of the cause with the sentence that tells it, or that none is known."""
        written = _claimed(claimed, value)
        line = arithmetic(node, letters)
        if line is not None and written is not None and self.left > 0:
            self.left -= 1
            found = _reconciled(line, written)
            if found:
                printed = (
                    misprint(claimed, expected * claimed.value / value.mid) if claimed and value.mid else ""
                )
                return printed if printed and found.startswith("sign") else found
        if isinstance(node, Operation) and node.sign in "+-" and claimed is not None and value.mid:
            printed = misprint(claimed, expected * claimed.value / value.mid)
            if printed:  # no prefix is lost in a sum
                return printed
        reach = abs(value.high - value.low) / (2 * abs(value.mid)) if value.mid else 0.0
        found = by_ratio(value.mid / expected if expected else 0.0, reach)
        if not fits_kind(found, value.dimension):
            found = UNKNOWN
        if found != UNKNOWN or claimed is None or not claimed.value or not value.mid:
            return found
        return misprint(claimed, expected * claimed.value / value.mid) or UNKNOWN


def _reconciled(line: str, claimed: str) -> str:
    from derive.errors import DeriveError
    from derive.reconcile import reconcile_line
    from units.errors import UnitError

    try:
        explanations = reconcile_line(line, claimed).explanations
    except (DeriveError, UnitError):
        return ""
    return f"{explanations[0].cause}: {explanations[0].says}" if explanations else ""


def fits_kind(cause: str, dimension: Dimension) -> bool:
    """Whether a number of a kind can have a cause: dollars are in no GiB."""
    bases = {base for base, _ in dimension}
    return all(base in bases for name, base in _OF_UNITS if cause.startswith(name))


def by_ratio(ratio: float, reach: float = 0.0) -> str:
    """A cause from the ratio of claimed to expected alone; reach: how far the digits leave the ratio open."""
    if ratio <= 0:
        return UNKNOWN
    off, factor, name, way = min(
        (abs(ratio / one - 1), factor, name, way)
        for factor, name in _RATIOS
        for one, way in ((factor, "larger"), (1 / factor, "smaller"))
    )
    if off > min(max(_NEAR, reach), _WIDE):
        return UNKNOWN
    return f"{name}: it is {factor:.6g} times {way} than it should be"


def slip(claimed: Literal, expected: float) -> str:
    """The plain slip that leads from a value, in the unit of the claimed number, to that number.

    A factor of two is none: where words give the calculation it may be meant.
    """
    if not expected or not claimed.value:
        return UNKNOWN
    found = by_ratio(claimed.value / expected, half_unit(claimed.digits) / abs(claimed.value))
    named = found != UNKNOWN and not found.startswith("counted twice")
    if named and not any(fits_kind(found, option.dimension) for option in claimed.options):
        named = False
    return misprint(claimed, expected) or (found if named else UNKNOWN)


def misprint(claimed: Literal, expected: float) -> str:
    """Whether two neighbouring digits stand the other way round, or one of three or more is another."""
    digits = re.sub(r"\D", "", claimed.digits.lower().partition("e")[0]).lstrip("0")
    many = len(digits if "." in claimed.digits else digits.rstrip("0"))
    if many < 2 or len(digits) < 3:
        return ""
    whole = claimed.digits.replace(",", "").isdigit() and many == len(digits) - 1
    if whole and _exchanged(f"{abs(expected):.0f}", digits):  # 260 for 206
        return SWAPPED
    first, one = _scientific(abs(claimed.value), many)
    second, other = _scientific(abs(expected), many)
    off = [at for at in range(many) if first[at] != second[at]]
    if one != other:
        return ""
    if _exchanged(first, second):
        return SWAPPED
    return ONE_DIGIT if len(off) == 1 and off[0] < many - 1 and many > 2 else ""


def differs(digits: str, others: str) -> bool:
    """Whether one digit is another, or two are exchanged."""
    if len(digits) != len(others) or digits.find(".") != others.find("."):
        return False
    off = [at for at, (one, two) in enumerate(zip(digits, others, strict=True)) if one != two]
    return len(off) == 1 or (
        len(off) == 2 and digits[off[0]] == others[off[1]] and digits[off[1]] == others[off[0]]
    )


def _exchanged(one: str, other: str) -> bool:
    """Whether two digits stand the other way round, next to each other or on either side of a third."""
    off = [at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second]
    return (
        len(one) == len(other)
        and len(off) == 2
        and off[1] - off[0] <= 2
        and one[off[0]] == other[off[1]]
        and one[off[1]] == other[off[0]]
    )


def _scientific(value: float, many: int) -> tuple[str, str]:
    """So many digits of a value, and its power of ten."""
    mantissa, _, exponent = f"{value:.{many - 1}e}".partition("e")
    return mantissa.replace(".", ""), exponent


def arithmetic(node: Node, letters: dict[str, float]) -> str | None:
    """An expression in the spelling of `derive calc`, letters replaced by their values; None where it has none."""
    if isinstance(node, Literal):
        return _literal(node)
    if isinstance(node, Name):
        value = letters.get(node.text)
        return None if value is None else f"{value:.12g}"
    parts = [arithmetic(argument, letters) for argument in node.arguments]
    if any(part is None for part in parts):
        return None
    return _joined(node, [part for part in parts if part is not None])


def _joined(node: Operation, parts: list[str]) -> str | None:
    if len(parts) == 1:
        return f"-({parts[0]})" if node.sign == "-" else f"{node.sign}({parts[0]})"
    if len(parts) != 2 or node.sign not in "+-×/^":
        return f"{node.sign}({', '.join(parts)})"
    sign = {"×": "*"}.get(node.sign, node.sign)
    sides = [
        f"({part})" if isinstance(argument, Operation) and _needs(node.sign, argument.sign, place) else part
        for place, (argument, part) in enumerate(zip(node.arguments, parts, strict=True))
    ]
    return f"{sides[0]} {sign} {sides[1]}" if sign != "^" else f"{sides[0]}^{sides[1]}"


_RANK = {"+": 1, "-": 1, "×": 2, "/": 2, "^": 3}


def _needs(outer: str, inner: str, place: int) -> bool:
    """Whether an operation within another must stand in brackets."""
    one, other = _RANK.get(outer, 4), _RANK.get(inner, 4)
    return other < one or (place == 1 and other == one) or outer == "^"


def _literal(literal: Literal) -> str:
    reading = literal.options[0]
    digits = literal.digits.replace(",", "").replace("_", "")
    if not reading.dimension:
        return f"{literal.value * reading.factor:.12g}" if reading.factor != 1 else digits
    unit = unit_text(literal.unit, reading.dimension, reading.factor)
    return f"({digits} {unit})" if "/" in unit else f"{digits} {unit}"


def unit_text(written: str, dimension: Dimension, factor: float) -> str:
    """A unit that the registry reads: as it was written where it can, else in base units with the factor."""
    import units

    plain = written.replace(" ", "")
    try:
        exact, found = units.factor(plain)
    except units.UnitError:
        found, exact = (), None
    if exact is not None and tuple((base, int(power)) for base, power in found) == dimension:
        return plain if abs(float(exact) / factor - 1) < 1e-12 else base_text(dimension, factor)
    return base_text(dimension, factor)


def base_text(dimension: Dimension, factor: float) -> str:
    """A factor of base units as a unit of the registry, such as GB/s, where a prefix fits."""
    above = [(base, power) for base, power in dimension if power > 0]
    below = [(base, power) for base, power in dimension if power < 0]
    head = above[0] if above else None
    text = "1"
    if head is not None:
        text = _prefixed(head[0], factor) + (f"^{head[1]}" if head[1] > 1 else "")
        text += "".join(f"*{_BASES[base]}" + (f"^{power}" if power > 1 else "") for base, power in above[1:])
    return text + "".join(f"/{_BASES[base]}" + (f"^{-power}" if power < -1 else "") for base, power in below)


def _prefixed(base: str, factor: float) -> str:
    short = {"byte": "B", "second": "s"}.get(base, _BASES[base])
    if base == "second":
        return {
            1.0: "s",
            1e-3: "ms",
            1e-6: "us",
            1e-9: "ns",
            60.0: "min",
            3600.0: "hour",
            86400.0: "day",
        }.get(factor, "s")
    for prefix, size in (("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15), ("E", 1e18)):
        if factor == size:
            return prefix + short
    for prefix, power in (("Ki", 1), ("Mi", 2), ("Gi", 3), ("Ti", 4)):
        if factor == 1024.0**power:
            return prefix + short
    return _BASES[base]


def _claimed(literal: Literal | None, value: Interval) -> str | None:
    if literal is None:
        return None
    reading = next(
        (option for option in literal.options if option.dimension == value.dimension), literal.options[0]
    )
    digits = literal.digits.replace(",", "").replace("_", "")
    if not reading.dimension:
        if literal.unit == "%":
            return f"{digits} %"
        power = {1e3: 3, 1e6: 6, 1e9: 9, 1e12: 12}.get(reading.factor)
        mantissa, _, exponent = digits.lower().partition("e")
        if power:
            return f"{mantissa}e{power + int(exponent or 0)}"
        return digits
    return f"{digits} {unit_text(literal.unit, reading.dimension, reading.factor)}"
