"""Cells held against what they should be, and columns put together with their bounds."""

from __future__ import annotations

from collections.abc import Sequence

from derive.checking.claims import Claim, Verdict
from derive.checking.columns import Number
from derive.checking.gates import of_text
from derive.checking.judging import with_unit

_BAND = 0.03


def claim(
    number: Number,
    expected: float,
    low: float,
    high: float,
    rule: str,
    because: str,
    cause: str,
    band: float = _BAND,
) -> Claim:
    """A cell held against what it should be."""
    value, slack = number.value, number.slack
    gap = max(low - value - slack, value - slack - high, 0.0) / (abs(value) or 1.0)
    verdict: Verdict = "true" if gap <= 1e-9 else "unsure"
    if gap > band:
        verdict = "false"
        reason = of_text(number.cell, 0)
        if reason:
            verdict, cause = "unsure", reason
    literal = number.quantity.literal
    shown = f"{expected / number.quantity.factor(number.dimension):.4g}"
    return Claim(
        line=number.cell.line(0),
        text=number.text,
        verdict=verdict,
        expected=with_unit(shown, literal.unit),
        claimed=number.text,
        cause=cause if verdict == "false" else "" if verdict == "true" else cause,
        rule=rule,
        because=because,
        cell=number.cell.cell,
    )


def reach(number: Number) -> float:
    return number.slack / abs(number.value) if number.value else 0.0


def bounds(number: Number) -> tuple[float, float, float]:
    half = number.slack / 2
    return number.value - half, number.value, number.value + half


def quotient(sources: Sequence[Number]) -> tuple[float, float, float]:
    (a, b, c), (x, y, z) = bounds(sources[0]), bounds(sources[1])
    return (a / z, b / y, c / x) if x > 0 else (0.0, 0.0, 0.0)


def product(sources: Sequence[Number]) -> tuple[float, float, float]:
    (a, b, c), (x, y, z) = bounds(sources[0]), bounds(sources[1])
    return a * x, b * y, c * z


def total(sources: Sequence[Number]) -> tuple[float, float, float]:
    (a, b, c), (x, y, z) = bounds(sources[0]), bounds(sources[1])
    return a + x, b + y, c + z


def same(sources: Sequence[Number]) -> tuple[float, float, float]:
    return bounds(sources[0])
