"""Limits: against SymPy's own algorithm on random rational functions, and by branch for Max and Min."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.proofs import prove_limit
from derive.proofs.limits import limit_of
from derive.symbols import BYTE, FLOP, count, quantity

T, d = count("T", "sequence length"), count("d", "head dimension")
F, Q = quantity("F", "operations", "FLOP"), quantity("Q", "bytes", "byte")
P, W = quantity("P", "peak", "FLOP/s"), quantity("W", "bandwidth", "byte/s")
n = count("n", "devices")
I = quantity("I", "intensity", "FLOP/byte")
oo = sympy.oo

TERMS = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=4)


@settings(max_examples=100, deadline=None)
@given(TERMS, TERMS, st.sampled_from([oo, sympy.Integer(0), sympy.Integer(3)]))
def test_rational_functions_tend_to_what_sympy_says(top: list, bottom: list, to: sympy.Expr):
    formula = sympy.Add(*(number * T**i * d**j for number, i, j in top)) / sympy.Add(
        *(number * T**i * d**j for number, i, j in bottom)
    )
    expected = sympy.limit(formula, T, to, dir="+")
    assert prove_limit(formula, T, to, expected).outcome == "proved"
    wrong = sympy.Integer(1) if expected.is_finite is False else expected + 1
    assert prove_limit(formula, T, to, wrong).outcome == "refuted"


@pytest.mark.parametrize(
    ("formula", "letter", "to", "value"),
    [
        (T * d / (2 * (T + d)), T, oo, d / 2),
        (T * d / (2 * (T + d)), T, 0, sympy.Integer(0)),
        (sympy.Min(P, I * W), I, oo, P),
        (sympy.Min(P, I * W), I, 0, sympy.Integer(0)),
        (sympy.Max(F / P, Q / W), Q, oo, oo),
        (sympy.Max(F / P, Q / W), Q, 0, F / P),
        ((1 + 1 / T) ** T, T, oo, sympy.E),
        (sympy.log(T) / T, T, oo, sympy.Integer(0)),
        (sympy.Sum(1, (sympy.Symbol("i"), 1, T)) / T, T, oo, sympy.Integer(1)),
        (d * FLOP / BYTE, T, oo, d * FLOP / BYTE),
        (1 / (T - 3), T, oo, sympy.Integer(0)),
        (T - T**2, T, oo, -oo),
        (P * (1 - (d / (d + n)) ** T), T, oo, P),
        (P * (1 + n) ** T, T, oo, oo),
        (P * (1 + n) ** -T, T, oo, sympy.Integer(0)),
        (P * (1 + n) ** (1 / T), T, oo, P),
        (I * (1 / (1 + n)) ** (T + 1) + W, T, 0, I / (1 + n) + W),
    ],
)
def test_proved(formula: sympy.Expr, letter: sympy.Symbol, to: sympy.Expr, value: sympy.Expr):
    assert prove_limit(formula, letter, sympy.sympify(to), value).outcome == "proved"


@pytest.mark.parametrize(
    ("formula", "letter", "to", "value", "reason"),
    [
        (T * d / (2 * (T + d)), T, oo, d, "at T → ∞ the limit is d/2, not d: they differ"),
        (T * d / (2 * (T + d)), T, oo, oo, "at T → ∞ the limit is d/2, not ∞"),
        (T**2 * d, T, oo, d, "at T → ∞ the limit is ∞, not d"),
        (T**2 * d, T, 0, d, "at T → 0⁺ the limit is 0, not d: they differ"),
        (sympy.Min(P, I * W), I, oo, W, "at I → ∞ the limit is P, not W: they differ"),
    ],
)
def test_refuted(formula: sympy.Expr, letter: sympy.Symbol, to: sympy.Expr, value: sympy.Expr, reason: str):
    verdict = prove_limit(formula, letter, sympy.sympify(to), value)
    assert (verdict.outcome, verdict.reason) == ("refuted", reason)


@pytest.mark.parametrize(
    "formula",
    [
        sympy.Max(T, d) - sympy.Max(T, 2 * d),
        sympy.floor(T) / T,
        3 + sympy.Max(T, d) / T,
        sympy.Piecewise((T, d < T), (d, True)),
    ],
)
def test_undecided_where_no_rule_finds_it(formula: sympy.Expr):
    assert limit_of(formula, T, oo) is None
    assert prove_limit(formula, T, oo, sympy.Integer(1)).outcome == "undecided"


def test_a_pole_has_no_limit():
    assert limit_of(1 / (T - 3), T, sympy.Integer(3)) is None


def test_a_leading_term_that_may_vanish_decides_nothing():
    formula = T / ((F / P - Q / W) * T**2 + 1)
    assert prove_limit(formula, T, oo, sympy.Integer(0)).outcome == "undecided"
    assert prove_limit(T / ((F / P + Q / W) * T**2 + 1), T, oo, sympy.Integer(0)).outcome == "proved"


@pytest.mark.parametrize("formula", [P**T, P**T + 1, T ** (P - W), sympy.Max(T, d) * (P - W)])
def test_a_sign_that_is_not_known_leaves_a_limit_undecided(formula: sympy.Expr):
    for claimed in (sympy.Integer(0), oo):
        assert prove_limit(formula, T, oo, claimed).outcome == "undecided"
