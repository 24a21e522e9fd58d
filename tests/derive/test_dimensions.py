"""The unit of an expression: by example, and against an independent calculus of dimensions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.dimensions import dimension_of, dimension_text, require
from derive.errors import DimensionError
from derive.ledger import Ledger
from derive.symbols import BIT, BYTE, FLOP, OP, PARAMETER, SECOND, TOKEN, count, number, quantity

T, n = count("T", "sequence length"), count("n", "devices")
e, Q = quantity("e", "size of an element", "byte"), quantity("Q", "bytes moved", "GB")
F, P = quantity("F", "operations", "FLOP"), quantity("P", "peak", "TFLOP/s")
W = quantity("W", "bandwidth", "byte/s")
x = number("x", "share")
i = sympy.Dummy("i", positive=True)

PLAIN: tuple = ()
BYTES = (("byte", Fraction(1)),)
SECONDS = (("second", Fraction(1)),)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (T**2 * n, PLAIN),
        (2 * T * e, BYTES),
        (Q + T * e, BYTES),
        (F / P, SECONDS),
        (sympy.Max(F / P, Q / W), SECONDS),
        (sympy.Min(F / P, Q / W) + 3 * SECOND, SECONDS),
        (BIT, BYTES),
        (BYTE / BIT, PLAIN),
        (sympy.sqrt(Q * e), BYTES),
        (sympy.sqrt(Q), (("byte", Fraction(1, 2)),)),
        (e**-2, (("byte", Fraction(-2)),)),
        (2 ** (T / n) * e, BYTES),
        (sympy.log(Q / e) * sympy.exp(x) * e, BYTES),
        (sympy.floor(Q / e) * sympy.ceiling(x) * e, BYTES),
        (sympy.Sum(2 * i * e, (i, 1, T)), BYTES),
        (sympy.Piecewise((Q, e < Q), (e, True)), BYTES),
        (
            2 * FLOP / (PARAMETER * TOKEN),
            (("FLOP", Fraction(1)), ("parameter", Fraction(-1)), ("token", Fraction(-1))),
        ),
        (sympy.Integer(0), PLAIN),
        (sympy.oo, PLAIN),
        (Q + sympy.Max(e, 0), BYTES),
        (Ledger(("a", Q), ("b", T * e)).total / W, SECONDS),
        (sympy.pi * e, BYTES),
        ((Q / e) ** x, PLAIN),
        (W * (Q / e) ** (x / (x + n)) * SECOND, BYTES),
        (Q ** (1 + x) * e**-x, BYTES),
    ],
)
def test_dimension_of(formula: sympy.Expr, expected: tuple):
    assert dimension_of(formula) == expected


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (F + Q, "F is FLOP and Q is byte: they cannot be added"),
        (Q + 1, "they cannot be added"),
        (F * T + OP, "they cannot be added"),
        (sympy.Max(F / P, Q), "they cannot be compared"),
        (sympy.Le(F, Q), "they cannot be compared"),
        (2**e, "the exponent e bears a unit"),
        (e**T, "e bears a unit and is raised to T, which is no number"),
        (Q**x * F ** (-x), "bears a unit and is raised to -?x, which is no number"),
        (Q**x * T**e, "the exponent e bears a unit"),
        (sympy.log(Q), r"log\(Q\): its argument must be a plain number"),
        (sympy.floor(e), r"floor\(e\): its argument must be a plain number"),
        (sympy.Sum(i * e + 1, (i, 1, T)), "they cannot be added"),
        (sympy.Piecewise((Q, T > 1), (F, True)), "they cannot be added"),
        (sympy.Piecewise((Q, Q > T), (e, True)), "they cannot be compared"),
        (sympy.sin(T), "sin has no rule for its unit"),
        (sympy.Function("f")(T), "f has no rule for its unit"),
    ],
)
def test_clashes(formula: sympy.Basic, message: str):
    with pytest.raises(DimensionError, match=message):
        dimension_of(formula)


def test_require_names_the_place_and_the_unit_due():
    require(Q, "GiB", "row 1")
    require(sympy.Integer(0), "s", "row 1")
    with pytest.raises(DimensionError, match=r"^row 1: F/P is s, where FLOP/s is due$"):
        require(F / P, "FLOP/s", "row 1")
    with pytest.raises(DimensionError, match=r"^row 2: F is FLOP and Q is byte: they cannot be added$"):
        require(F + Q, "byte", "row 2")


@pytest.mark.parametrize(
    ("powers", "text"),
    [
        ((), "a plain number"),
        ((("FLOP", 1), ("byte", -1)), "FLOP/byte"),
        ((("second", -1),), "1/s"),
        ((("byte", 2), ("second", 1)), "byte^2·s"),
        ((("FLOP", 1), ("parameter", -1), ("token", -1)), "FLOP/(parameter·token)"),
        ((("byte", Fraction(1, 2)),), "byte^1/2"),
        ((("dollar", 1),), "USD"),
    ],
)
def test_dimension_text(powers: tuple, text: str):
    assert dimension_text(tuple((base, Fraction(power)) for base, power in powers)) == text


# An independent calculus: each expression is built beside its dimension, as a
# plain Counter of powers, or None where a clash was built in.

Built = tuple[sympy.Expr, Counter | None]
LEAVES: list[Built] = [
    (T, Counter()),
    (x, Counter()),
    (sympy.Integer(3), Counter()),
    (sympy.Rational(2, 7), Counter()),
    (e, Counter(byte=1)),
    (Q, Counter(byte=1)),
    (F, Counter(FLOP=1)),
    (P, Counter(FLOP=1, second=-1)),
    (W, Counter(byte=1, second=-1)),
    (SECOND, Counter(second=1)),
    (TOKEN, Counter(token=1)),
]


def _scaled(powers: Counter, factor: int) -> Counter:
    return Counter({base: power * factor for base, power in powers.items() if power * factor})


def _times(one: Counter, other: Counter) -> Counter:
    powers = {base: one[base] + other[base] for base in {*one, *other}}
    return Counter({base: power for base, power in powers.items() if power})


def _product(pair: tuple[Built, Built]) -> Built:
    (one, its), (other, theirs) = pair
    return sympy.Mul(one, other, evaluate=False), None if its is None or theirs is None else _times(
        its, theirs
    )


def _power(pair: tuple[Built, int]) -> Built:
    (base, powers), exponent = pair
    return sympy.Pow(base, exponent, evaluate=False), None if powers is None else _scaled(powers, exponent)


def _sum(pair: tuple[Built, Built], of: type) -> Built:
    (one, its), (other, theirs) = pair
    whole = of(one, other, evaluate=False)
    return whole, its if its is not None and theirs is not None and its == theirs else None


def _grow(inner: st.SearchStrategy[Built]) -> st.SearchStrategy[Built]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(_product),
        st.tuples(inner, st.sampled_from([-2, -1, 2, 3])).map(_power),
        pairs.map(lambda pair: _sum(pair, sympy.Add)),
        pairs.map(lambda pair: _sum(pair, sympy.Max)),
        inner.map(
            lambda one: (sympy.Add(one[0], sympy.Mul(2, one[0], evaluate=False), evaluate=False), one[1])
        ),
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(st.sampled_from(LEAVES), _grow, max_leaves=8))
def test_dimension_of_agrees_with_a_plain_calculus(built: Built):
    formula, expected = built
    if expected is None:
        with pytest.raises(DimensionError):
            dimension_of(formula)
    else:
        assert dict(dimension_of(formula)) == {base: Fraction(power) for base, power in expected.items()}
