"""Inequalities: what is proved is true at every exact point tried, what is refuted is false at the point given."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.core.relational import Relational

from derive.proofs import prove_at_least, prove_positive
from derive.proofs.points import holds, points, sign_at, value_at
from derive.proofs.signs import region_text
from derive.symbols import BYTE, FLOP, count, number, quantity

T, d, n = count("T", "sequence length"), count("d", "head dimension"), count("n", "devices")
a, b, c = (quantity(name, f"amount {name}", "byte") for name in "abc")
x = number("x", "further tensors", nonnegative=True)
y = number("y", "offset", signed=True)
q = number("q", "share of the peak", at_most=1)
HALF = sympy.Rational(1, 2)


@pytest.mark.parametrize(
    ("left", "right", "where", "strict"),
    [
        (T**2 + d, T**2, (), True),
        (T, sympy.Integer(1), (), False),
        (T * d, d, (), False),
        (T**2 + d**2, 2 * T * d, (), False),
        (x, sympy.Integer(0), (), False),
        (x + 1, sympy.Integer(0), (), True),
        (T, d, (d <= T,), False),
        (T**2, d**2, (d < T,), True),
        (d / T, HALF, (2 * d >= T,), False),
        (sympy.Max(T, d), d, (), False),
        (T + d, sympy.Max(T, d), (), True),
        (sympy.Max(T, d), sympy.Min(T, d), (), False),
        (a / b, c / b, (a >= c,), False),
        (a * c, b * c, (a / b >= 1,), False),
        (1 / (1 - d / T), sympy.Integer(1), (d < T,), True),
        (sympy.Integer(1), (n - 1) / n, (), True),
        (sympy.Integer(1), q, (), False),
        (T, q * T, (), False),
        (d / q, d, (), False),
        (1 / (1 - q), (1 - q**T) / (1 - q), (q < 1,), True),
    ],
)
def test_proved(left: sympy.Expr, right: sympy.Expr, where: tuple[Relational, ...], strict: bool):
    assert prove_at_least(left, right, where, strict=strict).outcome == "proved"


@pytest.mark.parametrize(
    ("left", "right", "where", "strict", "reason", "point"),
    [
        (T, d, (), False, "2 (T) is not ≥ 3 (d)", {"T": "2", "d": "3"}),
        (T, T, (), True, "2 (T) is not > 2 (T)", {"T": "2"}),
        (x, sympy.Integer(0), (), True, None, None),
        (T, sympy.Integer(10**6), (T >= 999_999,), False, None, None),
        (T, 2 * d, (d <= T,), False, None, None),
        (-T, sympy.Integer(0), (), False, "-2 (-T) is not ≥ 0", {"T": "2"}),
        (sympy.Min(T, d), T, (), False, None, None),
        (T, d + 1, (d < T,), False, None, None),
    ],
)
def test_not_proved(left, right, where, strict, reason, point):
    verdict = prove_at_least(left, right, where, strict=strict)
    assert verdict.outcome != "proved"
    if reason is not None:
        assert (verdict.outcome, verdict.reason, verdict.counterexample) == ("refuted", reason, point)


def test_the_edge_of_a_region_is_searched():
    verdict = prove_at_least(sympy.Rational(1, 10), d / T, (9 * d <= T,))
    assert verdict.outcome == "refuted"
    T_0, d_0 = (Fraction(verdict.counterexample[name]) for name in "Td")
    assert 9 * d_0 <= T_0
    assert Fraction(1, 10) < d_0 / T_0


def test_names_take_the_place_of_long_formulas():
    verdict = prove_at_least(T, d, names=("the bound", "the error"))
    assert verdict.text == "2 (the bound) is not ≥ 3 (the error) at T = 2, d = 3"


def test_an_empty_region_proves_nothing():
    verdict = prove_at_least(T, T, (d >= T, 2 * d <= T))
    assert verdict.outcome == "undecided"
    assert verdict.reason == "no values of the letters were found where d ≥ T and 2*d ≤ T: is it empty?"


def test_a_signed_letter_is_not_taken_for_a_positive_one():
    assert prove_positive(y).outcome != "proved"
    assert prove_positive(y**2 + 1).outcome == "proved"
    assert prove_positive(T + y).outcome != "proved"


def test_units_count_as_positive_and_do_not_show_in_a_counterexample():
    assert prove_positive(2 * T * FLOP / BYTE).outcome == "proved"
    verdict = prove_at_least(T * BYTE, d * BYTE)
    assert verdict.counterexample == {"T": "2", "d": "3"}


@pytest.mark.parametrize(
    ("relation", "text"),
    [
        (">=", "T ≥ d/2"),
        ("<=", "T ≤ d/2"),
        (">", "T > d/2"),
        ("<", "T < d/2"),
        ("==", "T = d/2"),
        ("!=", "T ≠ d/2"),
    ],
)
def test_region_text(relation: str, text: str):
    assert region_text(sympy.Rel(T, d / 2, relation)) == text


# Random polynomial inequalities in random regions, against exact random points.

COEFFICIENTS = st.integers(-4, 6)
POWERS = st.tuples(st.integers(0, 2), st.integers(0, 2))
POLYNOMIAL = st.lists(st.tuples(COEFFICIENTS, POWERS), min_size=1, max_size=4)
REGIONS = {
    "everywhere": ((), lambda T, d: True),
    "T ≥ d": ((d <= T,), lambda T, d: d <= T),
    "T > 2d": ((2 * d < T,), lambda T, d: 2 * d < T),
    "T ≤ d": ((d >= T,), lambda T, d: d >= T),
    "T d ≥ 12": ((T * d >= 12,), lambda T, d: T * d >= 12),
    "d ≤ T ≤ 3d": ((d <= T, 3 * d >= T), lambda T, d: d <= T <= 3 * d),
}


def _expression(terms: list) -> sympy.Expr:
    return sympy.Add(*(number * T**i * d**j for number, (i, j) in terms))


def _value(terms: list, T: Fraction, d: Fraction) -> Fraction:
    return sum((number * T**i * d**j for number, (i, j) in terms), Fraction(0))


ABOVE_1 = st.fractions(min_value=1, max_value=60, max_denominator=12)


@settings(max_examples=100, deadline=None)
@given(
    POLYNOMIAL,
    st.lists(st.tuples(st.integers(1, 5), POWERS), min_size=1, max_size=2),
    st.sampled_from(sorted(REGIONS)),
    st.booleans(),
    st.lists(st.tuples(ABOVE_1, ABOVE_1), min_size=25, max_size=25),
)
def test_a_false_inequality_is_never_proved(
    top: list, bottom: list, region: str, strict: bool, samples: list
):
    where, inside = REGIONS[region]
    verdict = prove_at_least(_expression(top) / _expression(bottom), sympy.Integer(0), where, strict=strict)
    if verdict.outcome == "proved":
        values = [_value(top, *sample) / _value(bottom, *sample) for sample in samples if inside(*sample)]
        assert all(value > 0 if strict else value >= 0 for value in values)
    if verdict.outcome == "refuted":
        point = [Fraction(verdict.counterexample.get(name, "1")) for name in "Td"]
        value = _value(top, *point) / _value(bottom, *point)
        assert value <= 0 if strict else value < 0
        if {"T", "d"} <= set(verdict.counterexample):
            assert inside(*point)


@settings(max_examples=40, deadline=None)
@given(POLYNOMIAL, POLYNOMIAL, st.booleans(), st.lists(st.tuples(ABOVE_1, ABOVE_1), min_size=25, max_size=25))
def test_a_false_inequality_of_max_and_min_is_never_proved(
    one: list, other: list, largest: bool, samples: list
):
    pick, plain = (sympy.Max, max) if largest else (sympy.Min, min)
    verdict = prove_at_least(pick(_expression(one), _expression(other)), T)
    if verdict.outcome == "proved":
        assert all(plain(_value(one, *at), _value(other, *at)) >= at[0] for at in samples)


def test_points_meet_every_condition_and_every_least_value():
    region = (3 * d <= T, n < T)
    found = list(points([T, d, n, BYTE], region))
    assert found
    for point in found:
        assert point[T] >= 3 * point[d]
        assert point[n] < point[T]
        assert min(point[T], point[d], point[n]) >= 1
        assert point[BYTE] == 1
    assert len(found) <= 1000
    assert found[:5] == list(points([T, d, n, BYTE], region))[:5]


def test_values_at_a_point():
    point = {T: sympy.Integer(2), d: sympy.Integer(3)}
    assert value_at(T / d, point) == sympy.Rational(2, 3)
    assert value_at(1 / (T - 2), point) is None
    assert value_at(T * n, point) is None
    assert sign_at(T - d, point) == -1
    assert sign_at(sympy.sqrt(T) - sympy.Rational(141421, 100000), point) == 1
    assert sign_at(sympy.sqrt(T) ** 2 - T, point) == 0
    assert sign_at(sympy.sqrt(-T), point) is None
    assert holds(d > T, point)
    assert not holds(n > T, point)


@pytest.mark.parametrize(
    ("left", "right", "where", "point"),
    [
        (x + 1, sympy.Integer(1), x <= 5, {"x": "0"}),
        (y + 1, sympy.Integer(-20), y <= 5, {"y": "-1000"}),
    ],
)
def test_a_region_from_above_keeps_zero_and_what_is_below(
    left: sympy.Expr, right: sympy.Expr, where: Relational, point: dict[str, str]
):
    verdict = prove_at_least(left, right, (where,), strict=True)
    assert (verdict.outcome, verdict.counterexample) == ("refuted", point)


@pytest.mark.parametrize(
    ("left", "right", "strict", "outcome"),
    [
        (sympy.floor(a / b), a / b - 1, True, "proved"),
        (sympy.floor(a / b), a / b, False, "refuted"),
        (b * sympy.ceiling(a / b), a, False, "proved"),
        (b * sympy.ceiling(a / b), a, True, "refuted"),
        (a + b, b * sympy.ceiling(a / b), True, "proved"),
        (a, b * sympy.ceiling(a / b), False, "refuted"),
    ],
)
def test_floor_and_ceiling_are_within_one_of_their_argument(left, right, strict: bool, outcome: str):
    assert prove_at_least(left, right, strict=strict).outcome == outcome


def test_an_equation_is_a_region_too():
    assert prove_at_least(a, b, (sympy.Eq(a, b),)).outcome == "proved"
    assert prove_at_least(a, b + c, (sympy.Eq(a, b),)).outcome == "refuted"


def test_a_region_that_is_not_polynomial_raises_nothing():
    for where in (T + 2**d >= 10, sympy.Max(T, d) >= 20, sympy.Abs(T - d) >= 10, 1 / x <= T):
        assert prove_at_least(T + d, sympy.Integer(10**6), (where,)).outcome == "refuted"


def test_a_sum_must_run_upwards():
    i, j = sympy.Dummy("i"), sympy.Dummy("j")
    below = prove_at_least(sympy.Sum(i, (i, 5, T)), sympy.Integer(-100))
    assert below.reason == "the sum over i from 5 to T may run backwards: 2 (T) is not ≥ 4 at T = 2"
    assert below.outcome == "undecided"
    assert prove_at_least(sympy.Sum(i, (i, 5, T)), sympy.Integer(0), (T >= 4,)).outcome == "proved"
    assert prove_at_least(sympy.Sum(j, (j, i, T), (i, 1, T)), sympy.Integer(0)).outcome == "proved"
