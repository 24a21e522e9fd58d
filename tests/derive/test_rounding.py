"""Rounding: half to even on the exact value, against Python's decimal; units in which a value reads best."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.rounding import grouped, is_rounded, quantity_text, readable_unit, significant, with_unit

DECIMALS = st.decimals(
    allow_nan=False, allow_infinity=False, places=9, min_value=Decimal(-(10**12)), max_value=Decimal(10**12)
)


@given(DECIMALS, st.integers(1, 9))
def test_rounds_as_decimal_does(value: Decimal, digits: int):
    expected = Context(prec=digits, rounding=ROUND_HALF_EVEN).plus(value)
    assert Fraction(Decimal(significant(Fraction(value), digits))) == Fraction(expected)


@given(st.fractions(max_denominator=10**9), st.integers(1, 12))
def test_is_within_half_of_the_last_digit(value: Fraction, digits: int):
    text = significant(value, digits)
    shown = Fraction(Decimal(text))
    if value == 0:
        assert text == "0"
        return
    exponent = 0
    while abs(value) * Fraction(10) ** exponent >= 10:
        exponent -= 1
    while abs(value) * Fraction(10) ** exponent < 1:
        exponent += 1
    assert abs(shown - value) <= Fraction(1, 2) * Fraction(10) ** (-exponent - digits + 1)
    assert is_rounded(value, digits) is (shown != value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (4096, "4096"),
        (Fraction(2048, 33), "62.06"),
        (Fraction("295.25"), "295.2"),
        (Fraction("295.35"), "295.4"),
        (Fraction("0.25"), "0.25"),
        (Fraction("62.5"), "62.5"),
        (Fraction(1, 3), "0.3333"),
        (Fraction("99.995"), "100.0"),
        (12345, "12340"),
        (12355, "12360"),
        (Fraction(1, 300), "0.003333"),
        (Fraction(1, 3000), "3.333e-4"),
        (Fraction("1e-6"), "1e-6"),
        (2 * 10**15, "2e15"),
        ((2 - 2**-23) * 2**127, "3.403e38"),
        (-Fraction(2048, 33), "-62.06"),
    ],
)
def test_significant(value: Fraction | int | float, text: str):
    assert significant(Fraction(value)) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (138412032, "byte", "138.4 MB"),
        (999, "byte", "999 byte"),
        (1000, "byte", "1 kB"),
        (Fraction("4.775e-3"), "s", "4.775 ms"),
        (Fraction("3e-11"), "s", "0.03 ns"),
        (2, "s", "2 s"),
        (989 * 10**12, "FLOP/s", "989 TFLOP/s"),
        (Fraction(2048, 33), "FLOP/byte", "62.06 FLOP/byte"),
        (124439808, "parameter", "124439808 parameter"),
        (57256, "dimensionless", "57256"),
        (Fraction(1, 2), "dimensionless", "0.5"),
        (Fraction("6.2666"), "percent", "6.267%"),
        (131072, "byte/token", "131.1 kB/token"),
        (0, "byte", "0 byte"),
    ],
)
def test_quantity_text(value: Fraction | int, unit: str, text: str):
    assert quantity_text(Fraction(value), unit) == text


def test_other_units_are_left_as_they_are():
    assert readable_unit(Fraction(10**9), "FLOP/(token*parameter)") == "FLOP/(token*parameter)"
    assert readable_unit(Fraction(10**9), "GB/s") == "GB/s"
    assert readable_unit(Fraction(10**21 - 1), "FLOP") == "EFLOP"
    assert readable_unit(Fraction(10**21), "FLOP") == "FLOP"
    assert quantity_text(Fraction(576 * 10**21), "FLOP") == "5.76e23 FLOP"


def test_small_helpers():
    assert grouped(8030261248) == "8,030,261,248"
    assert with_unit("3", "dimensionless") == "3"
    assert with_unit("3", "percent") == "3%"
    assert with_unit("3", "s") == "3 s"
