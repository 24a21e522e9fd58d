"""A checked line as a function of arrays: each operation is one NumPy call, constants are folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from derive.calc import explain
from derive.calc.typed import Typed

Run = Callable[[Mapping[str, Any]], Any]

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power, "negate": np.negative,
    "abs": np.abs, "ceil": np.ceil, "floor": np.floor, "round": np.round, "exp": np.exp, "ln": np.log, "log2": np.log2,
    "log10": np.log10, "min": np.minimum, "max": np.maximum, "<": np.less,
    "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "==": np.equal,
}  # fmt: skip


def compiled(typed: Typed, scales: Mapping[str, Fraction], factor: Fraction) -> Run:
    """The function of the letters' values, times a factor. scales: each letter's unit in base units."""
    run, _ = _run(typed, scales)
    if factor == 1 or typed.name == "truth":
        return run
    times = float(factor)
    return lambda given: run(given) * times


def _run(typed: Typed, scales: Mapping[str, Fraction]) -> tuple[Run, bool]:
    """The function of a part, and whether its result is an array of its own that may be written into."""
    if typed.value is not None:
        value = np.float64(float(typed.value))
        return (lambda given: value), False
    if typed.operation == "letter":
        scale = float(scales[typed.name])
        return _letter(typed.name, scale), scale != 1
    parts = [_run(argument, scales) for argument in typed.arguments]
    if typed.operation == "guard":
        return _guard(parts[0][0], typed), parts[0][1]
    function = _FUNCTIONS[typed.operation]
    if len(parts) == 1:
        only = parts[0][0]
        return (lambda given: function(only(given))), True
    if typed.operation in ("*", "/") and typed.arguments[1].value == 1:
        return parts[0]
    if typed.operation == "*" and typed.arguments[0].value == 1:
        return parts[1]
    if typed.name == "truth":
        return _truth(function, parts[0][0], parts[1][0]), True
    return _binary(function, parts[0], parts[1]), True


def _truth(function: Callable[..., Any], left: Run, right: Run) -> Run:
    return lambda given: function(left(given), right(given))


def _binary(function: Callable[..., Any], left: tuple[Run, bool], right: tuple[Run, bool]) -> Run:
    """The operation, written into an operand that was made on the way where one of the right shape is."""
    (first, free), (second, also_free) = left, right

    def run(given: Mapping[str, Any]) -> Any:
        a, b = first(given), second(given)
        if free and a.ndim and (not b.ndim or a.shape == b.shape):
            return function(a, b, out=a)
        if also_free and b.ndim and (not a.ndim or a.shape == b.shape):
            return function(a, b, out=b)
        return function(a, b)

    return run


def _letter(name: str, scale: float) -> Run:
    if scale == 1:
        return lambda given: np.asarray(given[name], dtype=np.float64)
    return lambda given: np.asarray(given[name], dtype=np.float64) * scale


def _guard(part: Run, typed: Typed) -> Run:
    def run(given: Mapping[str, Any]) -> Any:
        value = part(given)
        low, high = float(np.min(value)), float(np.max(value))
        if low < 0 or high > 1:
            raise explain.utilization(
                typed.span, typed.name, f"{(low if low < 0 else high) * 100:.4g} %", low < 0
            )
        return value

    return run
