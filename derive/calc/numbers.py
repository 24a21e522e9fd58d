"""Exact arithmetic within bounds: fractions as long as a value is rational, floats after that.

A result that would need more than a few thousand bits is refused before it is
worked out, so no line can take long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from derive.calc.errors import CalcError, Span

Value = Fraction | float
_MOST_BITS = 4096
_LARGEST_ROOT = 12


def apply(operation: str, values: Sequence[Value], span: Span) -> Value:
    """The value of an operation on numbers in base units. Raises CalcError: domain, too-large."""
    try:
        found = _power(values, span) if operation == "^" else _OPERATIONS[operation](*values)
    except ZeroDivisionError as error:
        raise CalcError("domain", "division by zero", span, hint="check the divisor") from error
    except OverflowError as error:
        raise _too_large(span) from error
    except ValueError as error:
        raise CalcError(
            "domain", f"{operation} has no real value there", span, hint="give a value inside its domain"
        ) from error
    return bounded(found, span)


def bounded(value: Value, span: Span) -> Value:
    """The value itself, if it is finite and of a size that can be worked with."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _too_large(span)
    elif max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise _too_large(span)
    return value


def _too_large(span: Span) -> CalcError:
    return CalcError(
        "too-large", "the value is outside any range that means something", span, hint="look at the exponents"
    )


def _power(values: Sequence[Value], span: Span) -> Value:
    base, exponent = values
    if isinstance(base, float) or isinstance(exponent, float) or exponent.denominator > _LARGEST_ROOT:
        if base < 0:
            raise ValueError
        return math.pow(base, exponent)
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if base not in (0, 1, -1) and (size - 1) * abs(exponent) > _MOST_BITS:
        raise _too_large(span)
    if exponent.denominator == 1:
        if base in (0, 1, -1):  # whatever the exponent, its parity is all that counts
            return Fraction(1) if exponent == 0 else base if exponent % 2 else abs(base)
        return Fraction(base ** int(exponent))
    if base < 0:
        raise ValueError
    root = _root(base, exponent.denominator)
    if root is None:
        return math.pow(base, exponent)
    return Fraction(root**exponent.numerator)


def _root(base: Fraction, degree: int) -> Fraction | None:
    """The exact root, or None where it is irrational."""
    above, below = _whole_root(base.numerator, degree), _whole_root(base.denominator, degree)
    return None if above is None or below is None else Fraction(above, below)


def _whole_root(number: int, degree: int) -> int | None:
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < number:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == number else None


def _log2(value: Value) -> Value:
    if value <= 0:
        raise ValueError
    if isinstance(value, Fraction):
        for whole, sign in ((value, 1), (1 / value, -1)):
            if whole.denominator == 1 and whole.numerator & (whole.numerator - 1) == 0:
                return Fraction(sign * (whole.numerator.bit_length() - 1))
        return math.log2(value.numerator) - math.log2(value.denominator)
    return math.log2(value)


def _log10(value: Value) -> Value:
    if value <= 0:
        raise ValueError
    found = (
        math.log10(value.numerator) - math.log10(value.denominator)
        if isinstance(value, Fraction)
        else math.log10(value)
    )
    exact = Fraction(round(found))
    return exact if abs(exact) < 1000 and value == Fraction(10) ** int(exact) else found


def _ln(value: Value) -> Value:
    if value <= 0:
        raise ValueError
    return (
        math.log(value.numerator) - math.log(value.denominator)
        if isinstance(value, Fraction)
        else math.log(value)
    )


def _mixed(function: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    """Two fractions stay exact; with a float beside it a fraction becomes one."""

    def on(left: Value, right: Value) -> Value:
        if isinstance(left, float) or isinstance(right, float):
            return function(float(left), float(right))
        return function(left, right)

    return on


_OPERATIONS: dict[str, Callable[..., Value]] = {
    "+": _mixed(lambda a, b: a + b),
    "-": _mixed(lambda a, b: a - b),
    "*": _mixed(lambda a, b: a * b),
    "/": _mixed(lambda a, b: a / b),
    "negate": lambda a: -a,
    "abs": abs,
    "ceil": lambda a: Fraction(math.ceil(a)),
    "floor": lambda a: Fraction(math.floor(a)),
    "round": lambda a: Fraction(round(a)),
    "exp": lambda a: Fraction(1) if a == 0 else math.exp(a),
    "ln": lambda a: Fraction(0) if a == 1 else _ln(a),
    "log2": _log2,
    "log10": _log10,
    "min": min,
    "max": max,
    "<": lambda a, b: Fraction(a < b),
    "<=": lambda a, b: Fraction(a <= b),
    ">": lambda a, b: Fraction(a > b),
    ">=": lambda a, b: Fraction(a >= b),
    "==": lambda a, b: Fraction(a == b),
}
