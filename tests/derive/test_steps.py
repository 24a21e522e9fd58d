"""The links of a chain: what each proves, refuses and hands on."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from derive.derivation import Derivation
from derive.errors import DeclarationError, DimensionError
from derive.steps import Approx, Bound, Equal, Minimise, Put, Solve, Use, conditions
from derive.symbols import BYTE, FLOP, count, number, quantity

T, d, B = count("T", "sequence length"), count("d", "head dimension"), count("B", "batch")
c = number("c", "operations an element")
x = number("x", "further tensors", nonnegative=True)
x_positive = number("y", "side of a square")
e, Q = quantity("e", "size of an element", "byte"), quantity("Q", "bytes moved", "byte")
F, W = quantity("F", "operations", "FLOP"), quantity("W", "bandwidth", "byte/s")
R = quantity("R", "ridge point", "FLOP/byte")
NAIVE = T * d / (2 * (T + d))


def test_equal_goes_on_with_its_right_side():
    step = Equal(T * (d + 1), because="T is common")
    assert step.after(T * d + T) == T * (d + 1)
    assert step.prove(T * d + T).outcome == "proved"
    verdict = step.prove(T * d + 2 * T)
    assert (verdict.outcome, verdict.counterexample) == ("refuted", {"T": "2", "d": "3"})


@pytest.mark.parametrize("because", ["", "  \n "])
def test_a_step_needs_a_reason(because: str):
    with pytest.raises(DeclarationError, match=r"Equal without a reason: give because='…'"):
        Equal(T, because=because)


def test_put_replaces_its_letter():
    step = Put(e, 2 * BYTE, because="bf16")
    assert (step.after(T * e), step.fixed) == (2 * T * BYTE, False)
    assert step.prove(T * e).outcome == "proved"
    assert step.prove(T * d).reason == "e does not occur in T*d, which stands before this link"


def test_a_number_put_is_a_default_and_a_formula_is_not():
    assert not Put(T, 1, because="one token").fixed
    assert Put(T, 1, because="one token", fixed=True).fixed
    assert Put(T, d, because="square").fixed


@pytest.mark.parametrize(
    ("letter", "value", "outcome"),
    [
        (x, 0, "proved"),
        (x, -1, "refuted"),
        (c, 0, "refuted"),
        (T, 0, "refuted"),
        (T, 1, "proved"),
        (T, d, "proved"),
        (T, d / 2, "refuted"),
        (T, d - 1, "refuted"),
        (T, d + 1, "proved"),
    ],
)
def test_put_keeps_to_the_least_value_of_its_letter(letter: sympy.Symbol, value: object, outcome: str):
    assert Put(letter, value, because="chosen").prove(letter * d).outcome == outcome


def test_put_agrees_with_the_convention_that_fills_its_letter():
    size = quantity("e", "size of one stored element", "byte", role="convention.element")
    assert Put(size, 2 * BYTE, because="bf16").prove(T * size).outcome == "proved"
    wrong = Put(size, 4 * BYTE, because="fp32").prove(T * size)
    assert wrong.reason == "e = 4 is put, and the convention precision = bf16, which fills e, says 2 byte"
    assert Put(size, 4 * BYTE, because="log-sum-exps are kept in fp32", fixed=True).prove(T * size).proved


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (
            lambda: Put(e, 2, because="bf16"),
            DimensionError,
            r"Put\(e, 2\): 2 is a plain number, where byte is due",
        ),
        (lambda: Put(T, 2 * BYTE, because="no"), DimensionError, "2 is byte, where dimensionless is due"),
        (lambda: Put(2, T, because="no"), DeclarationError, "the first argument must be a letter"),
        (lambda: Put(T, 0.5, because="no"), DeclarationError, "0.5 is a decimal"),
        (
            lambda: Approx(T, error_at_most=e, because="no"),
            DimensionError,
            "e is byte, where dimensionless is due",
        ),
        (lambda: Bound(T, because="no", relation="<"), DeclarationError, "give '≤' or '≥'"),
        (
            lambda: Solve(B, B * e, F, gives=F / e, because="no"),
            DimensionError,
            "the left side is byte and the right side FLOP",
        ),
        (
            lambda: Use(F, Derivation("Q", "Traffic", unit="byte", start=T * e)),
            DimensionError,
            r"Use\(F, 'Traffic'\): T\*e is byte, where FLOP is due",
        ),
    ],
)
def test_refused_when_declared(make, kind: type[Exception], message: str):
    with pytest.raises(kind, match=message):
        make()


def test_use_puts_the_general_result_of_another_derivation():
    traffic = Derivation("Q", "Traffic", unit="byte", start=T * e, steps=[Put(e, 2 * BYTE, because="bf16")])
    step = Use(Q, traffic)
    assert step.after(Q / W) == T * e / W
    assert step.because == "Q is computed by Traffic"
    assert step.prove(Q / W).outcome == "proved"
    assert step.prove(F / R).reason == "Q does not occur in F/R, which stands before this link"


def test_approx_bounds_the_relative_error_on_both_sides():
    exact = NAIVE
    assert Approx(d / 2, error_at_most=d / T, because="drop d").prove(exact).outcome == "proved"
    assert Approx(d / 2, error_at_most=2 * d / T, because="looser").prove(exact).outcome == "proved"
    assert Approx(d / 3, error_at_most=d / T, because="too low").prove(exact).outcome == "refuted"
    assert Approx(d, error_at_most=d / T, because="too high").prove(exact).outcome == "refuted"
    assert (
        Approx(d / 2, error_at_most=sympy.Rational(1, 10), where=10 * d <= T, because="T long")
        .prove(exact)
        .proved
    )
    assert Approx(d / 2, error_at_most=d / T, because="drop d").error(exact) == d / T


def test_approx_needs_a_positive_exact_value():
    y = number("y", "offset", signed=True)
    verdict = Approx(y, error_at_most=1, because="itself").prove(y)
    assert not verdict.proved
    verdict = Approx(-T, error_at_most=1, because="itself").prove(-T)
    assert (verdict.outcome, verdict.counterexample) == ("refuted", {"T": "2"})
    assert verdict.reason == "the exact value must be positive: -2 (-T) is not > 0"


@pytest.mark.parametrize(
    ("right", "relation", "where", "proved"),
    [
        (d / 2, "≤", (), True),
        (d / 2, "≥", (), False),
        (d / 4, "≥", (d <= T,), True),
        (d / 4, "≥", (), False),
        (d / 4, "≤", (d >= T,), True),
    ],
)
def test_bound(right: sympy.Expr, relation: str, where: tuple, proved: bool):
    step = Bound(right, because="chosen", relation=relation, where=where)
    assert step.after(NAIVE) == right
    assert step.prove(NAIVE).proved is proved


def _batch(gives: sympy.Expr, where: object = ()) -> Solve:
    left = 2 * B * d * FLOP / (e * (2 * B + d))
    return Solve(B, left, R, gives=gives, where=where, because="the intensity is the ridge")


def test_solve_is_proved_by_substituting_back():
    right = R * e * d / (2 * (d * FLOP - R * e))
    step = _batch(right, d * FLOP > R * e)
    assert step.prove(B).outcome == "proved"
    assert step.after(B) == right
    value = Fraction(300) * 2 * 4096 / (2 * (4096 - 600))
    assert value * 2 * 4096 / (2 * (2 * value + 4096)) == 300


def test_solve_is_refused():
    right = R * e * d / (2 * (d * FLOP - R * e))
    wrong = _batch(2 * right, d * FLOP > R * e).prove(B)
    assert wrong.outcome == "refuted"
    assert wrong.reason.startswith("substituted back it does not satisfy: ")
    assert _batch(right).prove(B).reason.startswith("the value must be positive: ")
    assert _batch(right, d * FLOP > R * e).prove(d).reason == "d stands before this link, not B"
    either = Solve(T, T + d / T, d + 1, gives=d, because="1 satisfies it as well").prove(T)
    assert either.outcome == "undecided"


def test_conditions():
    assert conditions(d <= T) == (d <= T,)
    assert conditions(()) == ()
    assert conditions([d <= T, d > 1]) == (d <= T, d > 1)
    with pytest.raises(DeclarationError, match="region T: give relations between letters, such as T >= d"):
        conditions(T)
    with pytest.raises(DeclarationError, match="region True"):
        conditions(True)
    with pytest.raises(DeclarationError, match="region True"):
        conditions(T >= -1)
    with pytest.raises(DimensionError, match="they cannot be compared"):
        conditions(T >= Q)


def test_solve_substitutes_into_both_sides():
    step = Solve(c, 3 * c, x - c + 8, gives=(x + 8) / 4, because="4c = x + 8")
    assert step.prove(c).outcome == "proved"
    assert Solve(c, 3 * c, x - c + 8, gives=(x + 8) / 3, because="slip").prove(c).outcome == "refuted"


def test_solve_is_proved_where_the_sides_differ_ever_more():
    area = Solve(x_positive, 6 * x_positive**2, c, gives=sympy.sqrt(c / 6), because="areas are set equal")
    verdict = area.prove(x_positive)
    assert (verdict.outcome, verdict.reason) == (
        "proved",
        "it satisfies the equation when substituted back, and left − right only rises with y",
    )


@pytest.mark.parametrize(
    ("left", "right", "gives"),
    [
        (x_positive + T / x_positive, T + 1, T),  # 1 satisfies it as well
        (x_positive**2 / (x_positive - 1), T**2 / (T - 1), T),  # so does T/(T − 1), beyond a pole
    ],
)
def test_solve_is_undecided_where_another_value_may_satisfy(left: sympy.Expr, right: sympy.Expr, gives):
    verdict = Solve(x_positive, left, right, gives=gives, because="set equal", where=T > 2).prove(x_positive)
    assert verdict.outcome == "undecided"
    assert "may not be the only one" in verdict.reason


def test_put_refuses_what_leaves_a_branch_without_value():
    step = Put(W, 0, because="no memory")
    with pytest.raises(DeclarationError, match=r"Put\(W, 0\): .* has no value there"):
        step.after(sympy.Max(F / W, Q / W))


def test_minimise_finds_the_least_point():
    step = Minimise(x_positive, c / x_positive + T * x_positive, gives=sympy.sqrt(c / T), because="balance")
    assert (step.left, step.right) == (c / x_positive, T * x_positive)
    verdict = step.prove(x_positive)
    assert verdict.outcome == "proved"
    assert "before it the formula falls, behind it it rises" in verdict.reason
    assert step.after(x_positive) == sympy.sqrt(c / T)


def test_minimise_refuses_another_point_and_another_letter():
    cost = c / x_positive + T * x_positive
    wrong = Minimise(x_positive, cost, gives=sympy.sqrt(c), because="balance")
    assert wrong.prove(x_positive).outcome == "refuted"
    assert (
        Minimise(x_positive, cost, gives=sympy.sqrt(c / T), because="balance").prove(T).outcome == "refuted"
    )


@pytest.mark.parametrize(
    ("letter", "formula", "message"),
    [
        (x_positive, T * x_positive, "give a sum of terms that rise and terms that fall with y"),
        (x_positive, c / x_positive, "give a sum of terms that rise and terms that fall with y"),
        (x_positive, T + c, "give a formula of a positive letter y"),
        (x, c * x + T, "give a formula of a positive letter x"),
    ],
)
def test_minimise_asks_for_what_falls_and_what_rises(letter: sympy.Symbol, formula: sympy.Expr, message: str):
    with pytest.raises(DeclarationError, match=message):
        Minimise(letter, formula, gives=T, because="balance")


@pytest.mark.parametrize(
    ("value", "outcome"),
    [(sympy.Rational(1, 2), "proved"), (1, "proved"), (2, "refuted"), (T / (T + d), "proved")],
)
def test_put_keeps_to_the_largest_value_of_its_letter(value: object, outcome: str):
    q = number("q", "share of the peak", at_most=1)
    verdict = Put(q, value, because="measured").prove(q * T)
    assert verdict.outcome == outcome
    if outcome == "refuted":
        assert verdict.reason.startswith("q (share of the peak) must be at most 1")
