"""Compiled formulas: equal to exact values, on floats and arrays of any integer type, without overflow."""

from __future__ import annotations

import inspect
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import derive
from derive import BYTE, FLOP, Max, Min, count, floor, sqrt
from derive.catalogue import chapter, chapters
from derive.compiling import compile_expression, compile_over
from derive.computed import Computed
from derive.errors import DeriveError

x, y, z = count("x", "one"), count("y", "another"), count("z", "a third")
LETTERS = (x, y, z)

leaves = st.sampled_from(
    [*LETTERS, *(sympy.Rational(*pair) for pair in ((1, 1), (2, 1), (3, 1), (1, 2), (7, 5)))]
)


def grown(inner: st.SearchStrategy[sympy.Expr]) -> st.SearchStrategy[sympy.Expr]:
    """Sums, products, quotients, powers, roots, maxima and floors of positive expressions: all positive or 0."""
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda two: two[0] + two[1]),
        pair.map(lambda two: two[0] * two[1]),
        pair.map(lambda two: two[0] / (two[1] + 1)),
        pair.map(lambda two: Max(*two)),
        pair.map(lambda two: Min(*two)),
        st.tuples(inner, st.sampled_from([2, 3, 5, 6, -1, -2])).map(lambda two: (two[0] + 1) ** two[1]),
        inner.map(lambda one: sqrt(one + 1)),
        inner.map(lambda one: floor(one + sympy.Rational(1, 3))),
    )


expressions = st.recursive(leaves, grown, max_leaves=8)
numbers = st.integers(1, 10**6)


@settings(max_examples=150, deadline=None)
@given(expressions, st.tuples(numbers, numbers, numbers))
def test_a_compiled_expression_is_its_exact_value(
    expression: sympy.Expr, point: tuple[int, int, int]
) -> None:
    known = dict(zip(LETTERS, point, strict=True))
    exact = expression.xreplace({letter: sympy.Integer(value) for letter, value in known.items()})
    due = float(exact.evalf(40))
    assume(not _near_a_step(expression, known))  # where a float's floor may be one less
    compiled = compile_over(LETTERS, expression, "random")
    for kind in (float, np.int64, np.int32):
        got = compiled(*(kind(value) for value in point))
        assert float(got) == pytest.approx(due, rel=1e-12)
    arrays = [np.full(3, value, dtype=np.int64) for value in point]
    assert np.broadcast_to(compiled(*arrays), 3) == pytest.approx(np.full(3, due), rel=1e-12)


def _near_a_step(expression: sympy.Expr, known: dict[Any, int]) -> bool:
    values = {letter: sympy.Integer(value) for letter, value in known.items()}
    for step in expression.atoms(sympy.floor):
        inside = step.args[0].xreplace(values).evalf(40)
        if abs(inside - round(inside)) < 1e-9 * max(1, abs(inside)):
            return True
    return False


def test_the_product_of_integers_does_not_wrap_around() -> None:
    """At m = k = n = 2³¹ the product is 2⁹³: int64 wraps to 0, int32 long before."""
    side = 2**31
    exact = Fraction(2 * side**3, 2 * 3 * side**2)
    intensity = derive.get("matmul.intensity").compile()
    for given_ in (side, np.int64(side), np.array([side, side])):
        assert np.all(intensity(m=given_, k=given_, n=given_) == float(exact))
    assert (
        derive.get("matmul.flops").compile()(m=np.int64(side), k=np.int64(side), n=np.int64(side)) == 2.0**94
    )
    small = np.array([60000], dtype=np.int32)
    assert derive.get("matmul.flops").compile()(m=small, k=small, n=small) == [2.0 * 60000**3]
    unsigned = np.array([200], dtype=np.uint8)
    assert derive.get("matmul.flops").compile()(m=unsigned, k=unsigned, n=unsigned) == [2.0 * 200**3]


def _formulas() -> list[str]:
    found = []
    for name in chapters():
        for id, formula in chapter(name).items():
            if not isinstance(formula, Computed) and formula.letters:
                found.append(id)
    return found


@pytest.mark.parametrize("id", _formulas())
def test_every_formula_of_the_catalogue_at_large_integers(id: str) -> None:
    """At integers near 2¹⁶ given as int32 arrays each formula is its exact value: no intermediate product wraps."""
    formula = derive.get(id)
    points = {letter: 65521 + 2 * place for place, letter in enumerate(formula.letters)}
    if any(power.exp.free_symbols for power in formula.result.atoms(sympy.Pow)):
        points = {letter: 5 + place for place, letter in enumerate(formula.letters)}
    plain = formula.result.xreplace(
        {unit: sympy.Integer(1) for unit in formula.result.free_symbols - set(points)}
    )
    exact = plain.doit().xreplace({letter: sympy.Integer(value) for letter, value in points.items()})
    due = float(exact.doit().evalf(40))
    arrays = {letter.name: np.array([value], dtype=np.int32) for letter, value in points.items()}
    got = np.asarray(formula.compile()(**arrays), dtype=float)
    assert got == pytest.approx([due], rel=1e-9)


def test_letters_are_arguments_by_name() -> None:
    function = compile_expression(2 * x * y * FLOP / BYTE)
    assert list(inspect.signature(function).parameters) == ["x", "y"]
    assert function(x=3, y=5) == function(y=5, x=3) == 30


def test_arrays_broadcast() -> None:
    function = compile_expression(x * y / (x + y))
    got = function(x=np.array([[1], [2]]), y=np.array([1, 2, 3]))
    assert got.shape == (2, 3)
    assert got == pytest.approx(np.array([[1 / 2, 2 / 3, 3 / 4], [2 / 3, 1, 6 / 5]]), rel=1e-15)


def test_letters_of_one_name_stay_two() -> None:
    twin = count("x", "of another chapter")
    assert compile_over([x, twin], x - 2 * twin, "twins")(5, 2) == 1


def test_what_has_no_formula_is_refused() -> None:
    with pytest.raises(DeriveError, match="case by case"):
        derive.get("formats.representable").compile()
    with pytest.raises(DeriveError, match="case by case"):
        compile_expression(sympy.Function("f")(x), "f")
    k = sympy.Symbol("k", positive=True)
    with pytest.raises(DeriveError, match="a sum that does not close"):
        compile_expression(sympy.Sum(sympy.sqrt(k), (k, 1, x)), "sum")
