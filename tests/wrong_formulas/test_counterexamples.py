"""The counterexamples of refused formulas, worked out once more in plain fractions."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from derive import catalogue

HERE = Path(__file__).parent


def _naive(T: Fraction, d: Fraction, e: Fraction) -> Fraction:
    return 4 * T**2 * d / (e * (3 * T * d + 2 * T**2 + 2 * T**2 + T * d))


def _ring(B: Fraction, d: Fraction, e: Fraction) -> Fraction:
    return 2 * B * d / (e * (2 * B + d))


SIDES: dict[str, Callable[..., tuple[Fraction, Fraction]]] = {
    "wrong_coefficient": lambda T, d, e: (_naive(T, d, e), 2 * T * d / (e * (T + d))),
    "wrong_sign": lambda T, d, e: (_naive(T, d, e), T * d / (e * (T - d))),
    "missing_row": lambda T, d, e: (4 * T**2 * d / (e * (3 * T * d + 4 * T**2)), T * d / (e * (T + d))),
    "bound_too_tight": lambda T, d: (
        d / (2 * T),
        (d / 2 - _naive(T, d, Fraction(2))) / _naive(T, d, Fraction(2)),
    ),
    "region_too_wide": lambda T, d: (
        Fraction(1, 10),
        (d / 2 - _naive(T, d, Fraction(2))) / _naive(T, d, Fraction(2)),
    ),
    "regime_too_wide": lambda F, P, Q, W: (F / P, Q / W),
    "wrong_special_case": lambda n, e: (2 * n**3 / (e * 3 * n**2), n / e),
    "wrong_sum": lambda T, d: (sum((2 * i * d for i in range(1, int(T) + 1)), Fraction(0)), T**2 * d),
    "no_solution_where_there_is_one": lambda B, R, d, e: (_ring(B, d, e), R),
    "solved_value_not_positive": lambda R, d, e: (R * e * d / (2 * (d - R * e)), Fraction(0)),
}


@pytest.mark.parametrize("name", SIDES)
def test_the_counterexample_is_one(name: str):
    verdict = next(
        link.verdict
        for derivation in catalogue.load_file(HERE / f"{name}.py").values()
        for link in derivation.verify()
        if not link.verdict.proved
    )
    left, right = SIDES[name](**{letter: Fraction(value) for letter, value in verdict.counterexample.items()})
    told = [Fraction(text) for text in re.findall(r"(?<![\w/*^)])-?\d+(?:/\d+)?(?![\w*(/])", verdict.reason)]
    assert left != right
    assert {left, right} <= {*told, Fraction(0)}
