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
    run = _run(typed, scales)
    if factor == 1 or typed.name == "truth":
        return run
    times = float(factor)
    return lambda given: run(given) * times


def _run(typed: Typed, scales: Mapping[str, Fraction]) -> Run:
    if typed.value is not None:
        value = float(typed.value)
        return lambda given: value
    if typed.operation == "letter":
        return _letter(typed.name, float(scales[typed.name]))
    parts = [_run(argument, scales) for argument in typed.arguments]
    if typed.operation == "guard":
        return _guard(parts[0], typed)
    function = _FUNCTIONS[typed.operation]
    if len(parts) == 1:
        only = parts[0]
        return lambda given: function(only(given))
    left, right = parts
    return lambda given: function(left(given), right(given))


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
