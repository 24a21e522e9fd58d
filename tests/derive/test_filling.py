"""Values that a reader gives: read exactly, in base units, or refused with what to give."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import units
from derive.errors import DeriveError
from derive.filling import Filled, read
from derive.symbols import count, number, quantity

T = count("T", "sequence length")
n = count("n", "devices", at_least=2)
c = number("c", "operations an element")
x = number("x", "further tensors", nonnegative=True)
q = number("q", "share of the peak", at_most=1)
F = number("F", "power of the hall over that of the racks", at_least=1)
y = number("y", "offset", signed=True)
e = quantity("e", "size of an element", "byte")
t = quantity("t", "time", "s", nonnegative=True)
P = quantity("P", "peak rate", "TFLOP/s", sparsity="@sparsity")
beta = quantity("beta", "link bandwidth", "byte/s", direction="each-way")


@pytest.mark.parametrize(
    ("letter", "value", "expected"),
    [
        (T, 4096, 4096),
        (T, "4096", 4096),
        (T, "4,096", 4096),
        (T, "1e6", 10**6),
        (T, Fraction(5, 2), Fraction(5, 2)),
        (T, 344.9, Fraction("344.9")),
        (c, 0.1, Fraction(1, 10)),
        (x, 0, 0),
        (y, -3, -3),
        (e, "2 byte", 2),
        (e, "16 bit", 2),
        (e, "4 bit", Fraction(1, 2)),
        (e, "2 GiB", 2**31),
        (t, "0 s", 0),
        (t, "3 us", Fraction(3, 10**6)),
        (P, "989 TFLOP/s", 989 * 10**12),
        (P, "0.989 PFLOP/s [dense]", 989 * 10**12),
        (beta, "450 GB/s [each-way]", 450 * 10**9),
        (beta, "3.6 Tb/s [per-direction]", 450 * 10**9),
    ],
)
def test_read(letter, value: object, expected: Fraction):
    found = read(letter, value)
    assert isinstance(found, Fraction)
    assert found == expected


def test_a_pint_quantity_is_read():
    assert read(e, units.quantity("16 bit")) == 2
    assert read(P, units.quantity("989 TFLOP/s")) == 989 * 10**12


@pytest.mark.parametrize(
    ("letter", "value", "message"),
    [
        (
            T,
            "4096 GB",
            r"T \(sequence length\) is a plain number, and '4096 GB' is not: give it without a unit",
        ),
        (
            T,
            "4k",
            r"T \(sequence length\) is a plain number, and '4k' may be 4000 or 4096: give the number itself",
        ),
        (T, "1.5 M", r"'1.5 M' may be 1500000 or 1572864"),
        (T, 0, r"T \(sequence length\) must be at least 1, not 0"),
        (T, -1, r"T \(sequence length\) must be at least 1, not -1"),
        (T, Fraction(1, 2), r"T \(sequence length\) must be at least 1, not 1/2"),
        (n, 1, r"n \(devices\) must be at least 2, not 1"),
        (x, -1, r"x \(further tensors\) must be 0 or more, not -1"),
        (t, "-1 s", r"t \(time\) must be 0 or more, not -1 s"),
        (q, "1.5", r"q \(share of the peak\) must be at most 1, not 1.5"),
        (F, "0.8", r"F \(power of the hall over that of the racks\) must be at least 1, not 0.8"),
        (q, "40", r"q \(share of the peak\) must be at most 1, not 40"),
        (T, True, "True is yes or no"),
        (T, None, "NoneType is no number"),
        (T, [1], "list is no number"),
        (T, float("nan"), "nan is no finite number"),
        (T, float("inf"), "inf is no finite number"),
        (T, "nan", "'nan' is no number with a unit"),
        (T, "1e400", "outside the range"),
        (T, "9" * 70, "outside the range"),
        (T, "", "is no number with a unit"),
        (T, "__import__('os')", "is no number with a unit"),
        (T, "2**9", "unknown unit|is no number"),
        (e, 2, r"e \(size of an element\) is a value in byte, and '2' is not: give e='2 byte'"),
        (e, "2 s", "and '2 s' is not: give e in byte"),
        (e, "2 parsec", "e: unknown unit 'parsec'"),
        (e, "2 KB", r"e: unit 'KB' can be misread: give kB \(1000 bytes\) or KiB \(1024 bytes\)"),
        (
            P,
            "989 TFLOPs",
            r"P \(peak rate\) is a value in TFLOP/s, and '989 TFLOPs' is not: give P in TFLOP/s",
        ),
        (P, "1979 TFLOP/s [sparse]", "is the 2:4 sparse peak: give half of it"),
        (P, "989 TFLOP/s [fast]", r"unknown tag \[fast\]"),
        (beta, "900 GB/s [both-ways]", "is both-ways: give half of it as .each-way."),
    ],
)
def test_refused_in_one_line(letter, value: object, message: str):
    with pytest.raises(DeriveError, match=message) as caught:
        read(letter, value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


UNITS = {
    "byte": 1,
    "B": 1,
    "bit": Fraction(1, 8),
    "kB": 1000,
    "KiB": 1024,
    "MB": 10**6,
    "GiB": 2**30,
    "Tb": Fraction(10**12, 8),
}


@given(
    st.decimals(min_value=Decimal("1e-6"), max_value=Decimal(10**9), places=6, allow_nan=False),
    st.sampled_from(sorted(UNITS)),
)
def test_amounts_of_bytes_are_exact(value: Decimal, unit: str):
    assert read(e, f"{value:f} {unit}") == Fraction(value) * UNITS[unit]


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_refused_in_one_line(text: str):
    try:
        found = read(T, text)
    except DeriveError as error:
        message = str(error)
    else:
        message = ""
        assert found >= 1
    assert len(message.splitlines()) <= 1


@pytest.mark.parametrize(
    ("letter", "value", "text"),
    [
        (T, 4096, "4096"),
        (T, Fraction(5, 2), "2.5"),
        (e, 2, "2 byte"),
        (P, 989 * 10**12, "989 TFLOP/s"),
        (beta, 450 * 10**9, "450 GB/s"),
    ],
)
def test_a_filled_letter_in_words(letter, value: Fraction | int, text: str):
    filled = Filled(letter, Fraction(value), "given")
    assert filled.text == text
    assert filled.amount * units.factor(letter.unit)[0] == value
