"""Formulas as LaTeX: letters, fractions, units, numbers, and lines that are too long."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from derive import BYTE, FLOP, SECOND, Ledger, Max, Rational, Sum, count, floor, log, oo, quantity, sqrt
from reports.latex import LINE, formula, letter_latex, with_numbers, with_units
from reports.quantities import Amount, amount, percent_text
from reports.widths import width_of

T, d, B_r = count("T", "length"), count("d", "width"), count("B_r", "rows")
e = quantity("e", "size", "byte")
P, W = quantity("P", "peak", "FLOP/s"), quantity("W", "bandwidth", "byte/s")
alpha = quantity("alpha", "latency", "s")
rate = quantity("rate", "rate", "1/s")
i = sympy.Dummy("i", positive=True)


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("T", "T"),
        ("B_r", "B_{r}"),
        ("t_0", "t_{0}"),
        ("n_10", "n_{10}"),
        ("n_ctx", r"n_{\mathrm{ctx}}"),
        ("alpha", r"\alpha"),
        ("beta_max", r"\beta_{\mathrm{max}}"),
        ("weights", r"\mathit{weights}"),
    ],
)
def test_letters(name: str, latex: str) -> None:
    assert letter_latex(name) == latex


@pytest.mark.parametrize(
    ("expression", "latex"),
    [
        (T * d * FLOP / (2 * (T + d) * BYTE), r"\frac{T d}{2 \left(T + d\right)}"),
        (T * d / (2 * T + 2 * d), r"\frac{T d}{2 \left(T + d\right)}"),
        (-T / d, r"- \frac{T}{d}"),
        (T - 2 * d, "T - 2 d"),
        (2 * T - d, "2 T - d"),
        (d * FLOP / (2 * BYTE), r"\frac{d}{2}"),
        (Rational(1, 2) * BYTE, r"\frac{1}{2}"),
        (T**2 * d * e, "T^{2} d e"),
        (1 / T**2, r"\frac{1}{T^{2}}"),
        (sqrt(T), r"\sqrt{T}"),
        ((T + d) ** 2, r"\left(T + d\right)^{2}"),
        (Max(T * FLOP / P, d * e / W), r"\max\left(\frac{T}{P}, \frac{d e}{W}\right)"),
        (sympy.Gt(T, d), "T > d"),
        (T * FLOP <= P * SECOND, r"T \leq P"),
        (Sum(2 * i * d, (i, 1, T)) * FLOP, r"\sum_{i=1}^{T} 2 d i"),
        (alpha * rate, r"\alpha \cdot \mathit{rate}"),
        (oo, r"\infty"),
        (2 ** (-T), "2^{- T}"),
    ],
)
def test_formulas_without_their_units(expression: sympy.Basic, latex: str) -> None:
    found = formula(expression)
    assert found.replace("2 i d", "2 d i") == latex


def test_e_is_the_size_of_an_element_and_never_eulers_number() -> None:
    assert formula(sympy.exp(T)) == r"\exp\left(T\right)"


def test_a_ledgers_total_is_the_sum_of_its_rows_in_their_order() -> None:
    rows = Ledger(("a", T * d * e), ("b", T**2 * e), ("c", T * d * e))
    assert formula(rows.total) == "T d e + T^{2} e + T d e"
    assert formula(1 / rows.total) == r"\frac{1}{T d e + T^{2} e + T d e}"
    assert formula(2 * rows.total) == r"2 \left(T d e + T^{2} e + T d e\right)"
    assert formula(d * rows.total**2) == r"d \left(T d e + T^{2} e + T d e\right)^{2}"


def test_floor_and_logarithm() -> None:
    assert formula(floor(T / d)) == r"\left\lfloor{\frac{T}{d}}\right\rfloor"
    assert "log" in formula(log(T))


def test_units_stand_behind_their_numbers() -> None:
    assert with_units(2 * BYTE) == r"2\ \mathrm{byte}"
    assert with_units(BYTE) == r"1\ \mathrm{byte}"
    assert with_units(d) == "d"
    assert with_units(sympy.Integer(1)) == "1"


def plain(number: str) -> Amount:
    return Amount(number, "dimensionless", True)


def test_numbers_stand_for_letters_and_nothing_is_evaluated() -> None:
    numbers = {T: plain("4096"), d: plain("128")}
    found = with_numbers(T * d * FLOP / (2 * (T + d) * BYTE), numbers, "FLOP/byte")
    assert found == r"\frac{4096 \cdot 128}{2 \cdot \left(4096 + 128\right)}\ \mathrm{FLOP/byte}"
    assert with_numbers(T + d, numbers, "dimensionless") == "4096 + 128"
    assert with_numbers((T + d) * BYTE, numbers, "byte") == r"\left(4096 + 128\right)\ \mathrm{byte}"
    assert with_numbers(T**2 * BYTE, numbers, "byte") == r"4096^{2}\ \mathrm{byte}"


def test_units_are_kept_where_letters_bear_them() -> None:
    numbers = {T: plain("4096"), e: Amount("2", "byte", True), P: Amount("989", "TFLOP/s", True)}
    assert with_numbers(T * e, numbers, "byte") == r"2\ \mathrm{byte} \cdot 4096"
    assert with_numbers(T * FLOP / P, numbers, "s") == (r"\frac{4096\ \mathrm{FLOP}}{989\ \mathrm{TFLOP/s}}")
    assert with_numbers(e**2, numbers, "byte**2") == r"\left(2\ \mathrm{byte}\right)^{2}"


def test_what_is_too_wide_becomes_an_array_of_lines() -> None:
    many = Ledger(*((f"row {n}", (n + 1) * T**2 * d * B_r * e) for n in range(30)))
    found = formula(many.total)
    assert found.startswith(r"\begin{array}{l}")
    assert found.count(r"\cr") >= 3
    assert width_of(found) <= LINE + 2
    assert r"\\" not in found
    assert found.count(r"B_{r}") == 30


def test_widths_follow_what_is_seen() -> None:
    assert width_of(r"\frac{a}{b + c}") == width_of("b + c") + 0.5
    assert width_of(r"\mathrm{FLOP}") == 4
    assert width_of(r"a \cr b + c") == width_of("b + c")
    assert width_of("x^{2}") < width_of("x2")


def test_rounding_shows_itself() -> None:
    rounded, exact = (
        amount(Fraction(6206, 100) + Fraction(1, 1000), "FLOP/byte"),
        amount(Fraction(64), "FLOP/byte"),
    )
    assert (rounded.relation, rounded.text) == (r"\approx", "62.06 FLOP/byte")
    assert (exact.relation, exact.text) == ("=", "64 FLOP/byte")
    assert percent_text(Fraction(1, 32)).split() == ["≈", "3.1", "%"]
    assert percent_text(Fraction(1, 50)).split() == ["2", "%"]


def test_numbers_read_well() -> None:
    assert Amount("16777216", "parameter", True).latex == r"16{,}777{,}216\ \mathrm{parameter}"
    assert Amount("3900000000000", "1/s", True).latex == r"3.9 \cdot 10^{12}\ \mathrm{s^{-1}}"
    assert Amount("4096", "dimensionless", True).latex == "4096"
    assert Amount("139", "us", True).latex == r"139\ \text{µs}"
    assert Amount("3.403e38", "dimensionless", False).text == "3.403·10³⁸"
