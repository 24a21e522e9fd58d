"""How a result is said: its digits, its text, bytes in both GB and GiB, and the line as it was read."""

from __future__ import annotations

from fractions import Fraction

from derive.calc import tree
from derive.calc.naming import Named, readable
from derive.calc.numbers import Value
from derive.calc.tree import Node
from derive.rounding import significant
from units import Dimension, kinds

_LEAST_DIGITS = 3
_MOST_DIGITS = 15
_PLAIN_ZEROS = 6
_COUNTED_DIGITS = 6  # a count of eleven digits is exact; it does not ask for eleven in the result
_LONGEST_COUNT = 10**12
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
_TIGHTNESS = {"<": 0, "<=": 0, ">": 0, ">=": 0, "==": 0, "+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


def digits_of(node: Node) -> int:
    """As many significant digits as the most precise number of the line, at least three."""
    return min(max(_LEAST_DIGITS, _most_digits(node)), _MOST_DIGITS)


def whole_line(node: Node) -> bool:
    """Whether every number of the line is a plain integer, so that an integer result is exact."""
    if isinstance(node, tree.Number):
        return node.whole
    return not isinstance(node, tree.Entry) and all(whole_line(child) for child in tree.children(node))


def text_of(
    value: Value, named: Named, dimension: Dimension, tags: kinds.Kinds, digits: int, whole: bool, asked: bool
) -> str:
    """The result in a line. value: in base units; asked: the unit was asked for, so it stays."""
    exact = Fraction(value)
    whole = whole and (exact / named.factor).denominator == 1 and abs(exact) < _LONGEST_COUNT * named.factor
    shown = named if asked or whole else readable(exact, named)
    number = _number(exact / shown.factor, digits, whole)
    text = _with_unit(number, shown.text)
    text += kinds.text_of(tags)
    if "utilization" in dict(tags) and shown.text == "dimensionless":
        text += f" = {significant(exact * 100, digits)}%"
    if dimension == (("byte", Fraction(1)),) and "capacity" not in dict(tags):
        others = _sizes(exact, digits, shown.text)
        text += f" ({', '.join(others)})" if others else ""
    return text


def _most_digits(node: Node) -> int:
    own = (
        min(node.digits, _COUNTED_DIGITS if node.whole else _MOST_DIGITS)
        if isinstance(node, tree.Number)
        else 0
    )
    return max([own, *(_most_digits(child) for child in tree.children(node))])


def _with_unit(number: str, unit: str) -> str:
    if unit.startswith("$") and unit[1:2] in ("", "/"):
        return f"${number}{unit[1:]}"
    if unit == "dimensionless":
        return number
    if unit.startswith("1/"):
        return f"{number}{unit[1:]}"
    return f"{number}%" if unit == "%" else f"{number} {unit}"


def _number(value: Fraction, digits: int, whole: bool) -> str:
    text = str(int(value)) if whole else significant(value, digits)
    if not whole and text.lstrip("-").isdigit() and abs(value) >= 10 ** max(digits, _PLAIN_ZEROS):
        text = _scientific(text)
    if "e" in text:
        return text
    head, point, tail = text.partition(".")
    return f"{int(head):,}{point}{tail}" if len(head.lstrip("-")) > 4 else text


def _sizes(value: Fraction, digits: int, shown: str) -> list[str]:
    """The amount in decimal and in binary bytes of one size, less what is shown already: 0.931 GiB beside 1 GB."""
    degree = 0
    while degree < len(_DECIMAL) - 1 and abs(value) >= 1000 ** (degree + 1):
        degree += 1
    sizes = ((1000, _DECIMAL[degree]), (1024, _BINARY[degree]))
    return [
        f"{significant(value / step**degree, digits)} {name}"
        for step, name in sizes
        if degree and name != shown
    ]


def reading(node: Node, line: str) -> str:
    """The line with its quantities in parentheses where they stand below or beside another."""
    return _written(node, 0, line)


def _written(node: Node, outer: int, line: str) -> str:
    match node:
        case tree.Number(value=value):
            return _plain(value)
        case tree.Name(name=name):
            return name
        case tree.Quantity(number=number, explicit=explicit):
            unit = _unit_text(node.uses)
            text = f"{_written(number, 3, line)} {unit}" if explicit else unit
            return f"({text})" if outer > 2 or (outer == 2 and len(node.uses) > 1) else text
        case tree.Unary(operand=operand):
            return f"−{_written(operand, 3, line)}"
        case tree.Binary(operator=operator, left=left, right=right):
            own = _TIGHTNESS[operator]
            folded = _folded(node)
            if folded is not None:
                return _plain(folded)
            beside = own + (1 if operator in ("-", "/") and isinstance(right, tree.Binary) else 0)
            if operator == "/" and isinstance(right, tree.Quantity) and not tree.is_measured(left):
                beside = 3
            sign = "^" if operator == "^" else f" {operator} "
            before = own if isinstance(left, tree.Binary) or own == 4 else min(own, 1)
            text = f"{_written(left, before, line)}{sign}{_written(right, beside, line)}"
            return f"({text})" if own < outer else text
        case tree.Call(function=function, arguments=arguments):
            return f"{function}({', '.join(_written(argument, 0, line) for argument in arguments)})"
        case tree.Tagged(operand=operand, kinds=tags):
            text = f"{_written(operand, 0 if isinstance(operand, tree.Quantity) else 3, line)}{kinds.text_of(tags)}"
            return f"({text})" if outer > 1 else text
        case tree.Read(operand=operand, value=value):
            text = f"{_written(operand, 1, line)} as {value}"
            return f"({text})" if outer else text
        case tree.Convert(operand=operand, shown=shown):
            return f"{_written(operand, 0, line)} -> {shown}"
        case _:
            return line[node.span[0] : node.span[1]]


def _folded(node: tree.Binary) -> Fraction | None:
    """7 × 10⁹ where 7B was written."""
    if node.operator == "*" and isinstance(node.left, tree.Number) and isinstance(node.right, tree.Number):
        return node.left.value * node.right.value if node.left.span == node.right.span else None
    return None


def _plain(value: Fraction) -> str:
    text = significant(value, _MOST_DIGITS)
    return _scientific(text) if text.isdigit() and text.endswith("000000") else text


def _scientific(whole: str) -> str:
    """An integer's text with its zeros as a power of ten: 11300000000 as 1.13e10."""
    digits = whole.lstrip("-")
    kept = digits.rstrip("0")
    mantissa = f"{kept[0]}.{kept[1:]}" if len(kept) > 1 else kept
    return f"{'-' if whole.startswith('-') else ''}{mantissa}e{len(digits) - 1}"


def _unit_text(uses: tree.Uses) -> str:
    above = [_raised(unit.name, power) for unit, power in uses if power > 0]
    below = [_raised(unit.name, -power) for unit, power in uses if power < 0]
    return "/".join(["·".join(above) or "1", *below])


def _raised(name: str, power: Fraction) -> str:
    return name if power == 1 else f"{name}^{power}"
