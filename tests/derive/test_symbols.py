"""Letters and unit symbols: identity, pickling, units as expressions, exact declared values."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
import sympy

from derive.errors import DeclarationError
from derive.symbols import (
    BIT,
    BYTE,
    FLOP,
    JOULE,
    SECOND,
    TOKEN,
    Letter,
    UnitSymbol,
    count,
    expression,
    letters_of,
    number,
    quantity,
    unit_expression,
    without_units,
)
from units import UnitError

T = count("T", "sequence length")


def test_a_letter_is_its_name_meaning_unit_and_role():
    assert count("T", "sequence length") == T
    assert hash(count("T", "sequence length")) == hash(T)
    others = [
        count("T", "tokens in the cache"),
        number("T", "sequence length"),
        quantity("T", "sequence length", "token"),
        count("T", "sequence length", role="model.context"),
        count("T", "sequence length", default=1),
        count("T", "sequence length", at_least=2),
        number("T", "sequence length", nonnegative=True),
        number("T", "sequence length", at_most=1),
        number("T", "sequence length", at_least=1),
    ]
    assert all(other != T for other in others)
    assert len({T, *others}) == 1 + len(others)
    assert sympy.simplify(T - others[0]) != 0


@pytest.mark.parametrize(
    "letter",
    [
        T,
        number("x", "share", nonnegative=True),
        number("y", "offset", signed=True),
        number("q", "share of the peak", at_most=1),
        number("F", "power of the hall over that of the racks", at_least=1),
        quantity("P", "peak", "TFLOP/s", role="hardware.peak", sparsity="@sparsity", precision="@precision"),
        quantity("R", "ridge", "FLOP/byte", filled_by="roofline.ridge"),
        count("L", "layers", default=1),
    ],
)
def test_a_letter_survives_pickling_and_copying(letter: Letter):
    for again in (pickle.loads(pickle.dumps(letter)), copy.deepcopy(letter), copy.copy(letter)):
        assert again == letter
        assert (again.meaning, again.unit, again.role, again.filled_by, again.default) == (
            letter.meaning,
            letter.unit,
            letter.role,
            letter.filled_by,
            letter.default,
        )
        assert (again.at_least, again.at_most, again.whole) == (letter.at_least, letter.at_most, letter.whole)
        assert again.wants == letter.wants
        assert (again.is_positive, again.is_nonnegative) == (letter.is_positive, letter.is_nonnegative)
    inside = pickle.loads(pickle.dumps(3 * letter**2 + 1))
    assert inside - 3 * letter**2 == 1


def test_signs():
    assert T.is_positive
    assert number("x", "share", nonnegative=True).is_nonnegative
    assert number("x", "share", nonnegative=True).is_positive is None
    assert number("x", "offset", signed=True).is_positive is None
    assert number("x", "offset", signed=True).is_real
    assert T.is_integer is None  # solve would drop 344.95


def test_at_least():
    assert (T.at_least, number("c", "cost").at_least, count("n", "devices", at_least=2).at_least) == (1, 0, 2)


@pytest.mark.parametrize("name", ["", "2d", "B r", "α", "d'", "a-b", "∞"])
def test_a_name_is_one_ascii_word(name: str):
    with pytest.raises(DeclarationError, match="give ASCII letters, digits and _"):
        count(name, "width")


def test_an_unknown_unit_is_refused_at_once():
    with pytest.raises(UnitError, match="unknown unit 'furlong'"):
        quantity("x", "distance", "furlong")


def test_a_byte_is_never_8_and_a_bit_never_1():
    assert BIT == BYTE / 8
    assert BYTE / BIT == 8
    assert 8 * BIT == BYTE
    assert isinstance(BYTE, UnitSymbol)
    assert BYTE not in (8, 1)
    assert BIT != 1
    assert (2 * BYTE + 0).free_symbols == {BYTE}
    assert unit_expression("bit") == BIT
    assert unit_expression("byte") == BYTE
    assert (62 * FLOP / BYTE).subs(T, 1).free_symbols == {FLOP, BYTE}


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("dimensionless", sympy.Integer(1)),
        ("GB/s", 10**9 * BYTE / SECOND),
        ("GiB", 2**30 * BYTE),
        ("kb", 125 * BYTE),
        ("us", SECOND / 10**6),
        ("TFLOP/s", 10**12 * FLOP / SECOND),
        ("W", JOULE / SECOND),
        ("byte/token^2", BYTE / TOKEN**2),
        ("percent", sympy.Rational(1, 100)),
    ],
)
def test_unit_expression(unit: str, expected: sympy.Expr):
    assert unit_expression(unit) == expected


def test_without_units_puts_1_for_each_unit_symbol_only():
    e = quantity("e", "size of an element", "byte")
    assert without_units(2 * T * e * BYTE / SECOND**2) == 2 * T * e
    assert without_units(BYTE + 0 * FLOP) == 1


def test_letters_of_is_sorted_and_leaves_units_out():
    a, z = count("a", "heads"), count("z", "depth")
    assert letters_of(z * T * a * BYTE + sympy.Symbol("h")) == [T, a, z]


def test_expression_takes_exact_values_only():
    assert expression(3, "x") == sympy.Integer(3)
    assert expression(Fraction(1, 3), "x") == sympy.Rational(1, 3)
    assert expression(T / 2, "x") == T / 2


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (0.5, "write 0.5 as Rational"),
        (sympy.Float("0.5") * T, "write 0.5 as Rational"),
        ("T/2", "without quotes"),
        (True, "give a formula or a whole number"),
        (None, "give a formula or a whole number"),
    ],
)
def test_expression_refuses_what_is_not_exact(value: object, hint: str):
    with pytest.raises(DeclarationError, match=f"the start: .*{hint}"):
        expression(value, "the start")
