"""Equality: equal forms are proved, unequal ones refuted by a point that really is a counterexample."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.ledger import Ledger
from derive.proofs import prove_equal
from derive.proofs.equality import is_multiple, is_zero, normal
from derive.symbols import BYTE, FLOP, Letter, count, number, quantity

T, d, n, m = (count(name, f"extent {name}") for name in "Tdnm")
LETTERS = (T, d, n, m)
e = quantity("e", "size of an element", "byte")
x = number("x", "offset", signed=True)
i = sympy.Dummy("i", positive=True)


def _value(node: sympy.Basic, point: dict[str, Fraction]) -> Fraction:
    """A rational function's value in plain fractions; independent of what SymPy would do with it."""
    if isinstance(node, sympy.Symbol):
        return point[node.name] if isinstance(node, Letter) else Fraction(1)
    if isinstance(node, sympy.Rational):
        return Fraction(int(node.p), int(node.q))
    if isinstance(node, sympy.Pow):
        return _value(node.args[0], point) ** int(node.args[1])
    values = [_value(argument, point) for argument in node.args]
    if isinstance(node, sympy.Add):
        return sum(values, Fraction(0))
    product = Fraction(1)
    for value in values:
        product *= value
    return product


def _polynomials() -> st.SearchStrategy[sympy.Expr]:
    term = st.tuples(
        st.fractions(min_value=Fraction(1, 5), max_value=9, max_denominator=5),
        st.tuples(*(st.integers(0, 2) for _ in LETTERS)),
    )

    def built(terms: list) -> sympy.Expr:
        return sympy.Add(
            *(
                sympy.Rational(number.numerator, number.denominator)
                * sympy.Mul(*(letter**power for letter, power in zip(LETTERS, powers, strict=True)))
                for number, powers in terms
            )
        )

    return st.lists(term, min_size=1, max_size=4).map(built)


ROUTES = (
    sympy.expand,
    sympy.factor,
    sympy.together,
    lambda f: sympy.apart(f, T) if f.has(T) else f,
    lambda f: f.subs(T, d * T).subs(T, T / d),
    lambda f: (f * (T + d) - f * d) / T,
    lambda f: 1 / (1 / (f + 1)) - 1,
)


@settings(max_examples=60, deadline=None)
@given(_polynomials(), _polynomials(), st.sampled_from(ROUTES))
def test_another_form_of_a_rational_function_is_proved(top: sympy.Expr, bottom: sympy.Expr, route):
    formula = top / bottom
    assert prove_equal(formula, route(formula)).outcome == "proved"


@settings(max_examples=60, deadline=None)
@given(
    _polynomials(),
    _polynomials(),
    _polynomials(),
    st.sampled_from((sympy.expand, sympy.together, sympy.factor)),
)
def test_another_function_is_refuted_at_a_point_where_they_differ(
    top: sympy.Expr, bottom: sympy.Expr, more: sympy.Expr, route
):
    left, right = top / bottom, route((top + more) / bottom)
    verdict = prove_equal(left, right)
    assert verdict.outcome == "refuted"
    point = {name: Fraction(value) for name, value in verdict.counterexample.items()}
    assert all(value >= 1 for value in point.values())
    assert _value(left, point) != _value(right, point)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Ledger(("a", T * e), ("b", T * e)).total, 2 * T * e),
        (sympy.Sum(i, (i, 1, T)), T * (T + 1) / 2),
        (sympy.Max(2 * T / 2, d * T / T), sympy.Max(d, T)),
        (sympy.floor((T * d + d) / d), sympy.floor(T + 1)),
        (2 * sympy.Max(T * d, d**2) - sympy.Max(d * T, d * d), sympy.Max(d**2, T * d)),
        (sympy.sqrt(T**2), T),
        (sympy.Sum(d**i, (i, 0, T)), (1 - d ** (T + 1)) / (1 - d)),
        (d * sympy.Sum(e**i, (i, 1, T)), d * e * (e**T - 1) / (e - 1)),
        (2 ** (T + 1), 2 * 2**T),
        (FLOP * T / (BYTE * T), FLOP / BYTE),
    ],
)
def test_proved(left: sympy.Expr, right: sympy.Expr):
    assert prove_equal(left, right).outcome == "proved"


@pytest.mark.parametrize(
    ("left", "right", "reason", "point"),
    [
        (1 / d, 1 / d + 1, "1/d is 1/2 and 1 + 1/d is 3/2", {"d": "2"}),
        (T / d, d / T, "T/d is 2/3 and d/T is 3/2", {"T": "2", "d": "3"}),
        (8 * BYTE, BYTE, "8 is 8 and 1 is 1", {}),
        (sympy.Max(T, d), sympy.Min(T, d), "max(T, d) is 3 and min(T, d) is 2", {"T": "2", "d": "3"}),
        (
            sympy.Sum(d**i, (i, 0, T)),
            (1 - d**T) / (1 - d),
            "Sum(d**_i, (_i, 0, T)) is 13 and (1 - d**T)/(1 - d) is 4",
            {"T": "2", "d": "3"},
        ),
        (sympy.sqrt(T), T / 2, "sqrt(T) is 1.41421 and T/2 is 1", {"T": "2"}),
        (sympy.Sum(i, (i, 1, T)), T**2 / 2, "Sum(_i, (_i, 1, T)) is 3 and T**2/2 is 2", {"T": "2"}),
    ],
)
def test_refuted(left: sympy.Expr, right: sympy.Expr, reason: str, point: dict[str, str]):
    verdict = prove_equal(left, right)
    assert (verdict.outcome, verdict.counterexample) == ("refuted", point)
    assert verdict.reason == reason


def test_what_algebra_does_not_show_is_undecided_even_where_every_point_agrees():
    hidden = sympy.floor(T + sympy.Rational(1, 2)) - sympy.floor(T - sympy.Rational(1, 2))
    assert prove_equal(hidden, sympy.Integer(1)).outcome in ("proved", "undecided")
    twice = sympy.floor(sympy.floor(T / 2) / 2)
    assert prove_equal(twice, sympy.floor(T / 4)).outcome == "undecided"


def test_a_condition_narrows_the_points():
    region = (sympy.Ge(T, 2 * d, evaluate=False),)
    verdict = prove_equal(T, d, region)
    assert verdict.outcome == "refuted"
    assert Fraction(verdict.counterexample["T"]) >= 2 * Fraction(verdict.counterexample["d"])
    empty = (d >= T, 2 * d <= T)
    assert prove_equal(T, d, empty).outcome == "undecided"


def test_sums_over_broken_ranges_have_no_value_and_raise_nothing():
    left = sympy.Sum(i**T, (i, 1, T / d))
    assert prove_equal(left, T).outcome in ("refuted", "undecided")


def test_is_zero_and_normal():
    assert is_zero((T + d) ** 2 - T**2 - 2 * T * d - d**2)
    assert not is_zero(T - d)
    assert not is_zero(sympy.Max(T, d) - T)
    assert normal((T**2 - d**2) / (T - d)) == T + d


@pytest.mark.parametrize(
    ("formula", "of", "expected"),
    [
        (3 * T * d / n, d, True),
        (T * (T + d), T + d, True),
        ((T + d) * e / 2, T + d, True),
        (T + d, T + d, True),
        (T + 2 * d, T + d, False),
        (-(T + d), T + d, False),
        (T, sympy.Integer(0), False),
        ((T + d) ** 2, T + d, False),
    ],
)
def test_is_multiple(formula: sympy.Expr, of: sympy.Expr, expected: bool):
    assert is_multiple(formula, of) is expected


@pytest.mark.parametrize(
    ("left", "right", "outcome"),
    [
        (sympy.Max(T, d) + sympy.Min(T, d), T + d, "proved"),
        (sympy.Max(T * n, d * n), n * sympy.Max(T, d), "proved"),
        (sympy.Abs(T - d), sympy.Max(T, d) - sympy.Min(T, d), "proved"),
        (sympy.Max(T, 1), T, "proved"),
        (sympy.Max(T, 2), T, "refuted"),
        (sympy.Abs(T - d), T - d, "refuted"),
    ],
)
def test_branches_are_compared_from_both_sides(left: sympy.Expr, right: sympy.Expr, outcome: str):
    assert prove_equal(left, right).outcome == outcome
