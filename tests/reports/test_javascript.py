"""Formulas as JavaScript: what the code says, and what Chromium makes of it."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from sympy import Abs, Max, Min, Piecewise, Rational, ceiling, exp, floor, log, sqrt

from derive import BYTE, FLOP, Sum, count, number
from derive.errors import DeriveError
from reports import javascript
from tests.reports.browser import Browser

x, y = number("x", "a number"), number("y", "another number")
n = count("n", "a count")
PLACES = {x: 0, y: 1, n: 2}

# formula, and the same in plain Python for fractions x, y and a whole n
EXACT = {
    "sum": (x + 2 * y - Rational(1, 3), lambda x, y, n: x + 2 * y - Fraction(1, 3)),
    "quotient": ((x + y) / (3 * x * n), lambda x, y, n: (x + y) / (3 * x * n)),
    "power": (x**3 / y**2, lambda x, y, n: x**3 / y**2),
    "letter above": (2**n * x, lambda x, y, n: 2**n * x),
    "letter above and below": (2 ** (3 - n), lambda x, y, n: Fraction(2) ** (3 - n)),
    "max": (Max(x, y, 1), lambda x, y, n: max(x, y, 1)),
    "min": (Min(x, y / n), lambda x, y, n: min(x, y / n)),
    "floor": (floor(x / y), lambda x, y, n: Fraction(math.floor(x / y))),
    "ceiling": (ceiling(-x / y), lambda x, y, n: Fraction(math.ceil(-x / y))),
    "size": (Abs(x - y), lambda x, y, n: abs(x - y)),
    "branches": (
        Piecewise((x, x > y), (y / 2, x <= y)),
        lambda x, y, n: x if x > y else y / 2,
    ),
    "units": (2 * x * FLOP / (y * BYTE), lambda x, y, n: 2 * x / y),
}
ROUNDED = {
    "root": (sqrt(x) * y, lambda x, y, n: math.sqrt(x) * y),
    "broken power": (x ** Rational(3, 2), lambda x, y, n: float(x) ** 1.5),
    "exponential": (exp(-y) + x, lambda x, y, n: math.exp(-y) + x),
    "logarithm": (log(x + 1), lambda x, y, n: math.log(x + 1)),
    "constant": (sympy.pi * x, lambda x, y, n: math.pi * x),
}


def points(amount: int = 20) -> list[tuple[Fraction, Fraction, int]]:
    chance = random.Random(11)
    return [
        (
            Fraction(chance.randrange(1, 999), chance.randrange(1, 99)),
            Fraction(chance.randrange(1, 999), 10),
            k % 9 + 1,
        )
        for k in range(amount)
    ]


def computed(chromium: Browser, site: Path, formula: sympy.Expr) -> list[Fraction]:
    chromium.open(site / "cpu.html")
    script = f"""const f = {javascript.function(formula, PLACES)};
    return arguments[0].map((v) => f(v.map(([n, d]) => [BigInt(n), BigInt(d)])).map(String));"""
    asked = [
        [[str(Fraction(one).numerator), str(Fraction(one).denominator)] for one in at] for at in points()
    ]
    return [Fraction(int(a), int(b)) for a, b in chromium.run(script, asked)]


@pytest.mark.parametrize("name", EXACT)
def test_fractions_are_exact(site: Path, chromium: Browser, name: str) -> None:
    formula, due = EXACT[name]
    assert computed(chromium, site, formula) == [Fraction(due(*at)) for at in points()]


@pytest.mark.parametrize("name", ROUNDED)
def test_roots_and_the_like_are_those_of_doubles(site: Path, chromium: Browser, name: str) -> None:
    formula, due = ROUNDED[name]
    for found, at in zip(computed(chromium, site, formula), points(), strict=True):
        assert float(found) == pytest.approx(float(due(*at)), rel=1e-14)


def test_a_fraction_becomes_the_nearest_double(site: Path, chromium: Browser) -> None:
    chance = random.Random(12)
    values = [Fraction(chance.randrange(1, 10**20), chance.randrange(1, 10**20)) for _ in range(200)]
    values += [Fraction(2) ** 1000, Fraction(1, 3**600), Fraction(0), Fraction(-22, 7)]
    chromium.open(site / "cpu.html")
    found = chromium.run(
        "return arguments[0].map(([n, d]) => q.float([BigInt(n), BigInt(d)]));",
        [[str(one.numerator), str(one.denominator)] for one in values],
    )
    for double, exact in zip(found, values, strict=True):
        assert double == pytest.approx(float(exact), rel=3e-16)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4096", "4096/1"),
        (" 16,384 ", "16384/1"),
        ("1,234,567.5", "2469135/2"),
        ("0.1", "1/10"),
        (".5", "1/2"),
        ("5.", "5/1"),
        ("1.5e-3", "3/2000"),
        ("−2", "-2/1"),
        ("1e12", "1000000000000/1"),
        ("", None),
        (".", None),
        ("1,23", None),
        ("1 000", None),
        ("0x10", None),
        ("1e", None),
        ("--1", None),
        ("2 TB", None),
    ],
)
def test_numbers_as_people_write_them(site: Path, chromium: Browser, text: str, value: str | None) -> None:
    chromium.open(site / "cpu.html")
    assert chromium.run("return q.parse(arguments[0])?.map(String).join('/') ?? null;", text) == value


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("q.pow([0n, 1n], [-1n, 1n])", "no value here: it divides by zero"),
        ("q.pow([2n, 1n], [100000n, 1n])", "a power here is too large to write out"),
        ("q.log([0n, 1n])", "no value here"),
        ("q.sqrt([-1n, 1n])", "no value here"),
    ],
)
def test_what_has_no_value_is_refused(site: Path, chromium: Browser, code: str, says: str) -> None:
    chromium.open(site / "cpu.html")
    script = f"try {{ {code}; return ''; }} catch (error) {{ return error instanceof q.Refusal && error.message; }}"
    assert chromium.run(script) == says


def test_the_code_names_places_and_nothing_else() -> None:
    assert javascript.function(2 * x * FLOP / BYTE, PLACES) == "v => q.mul([2n, 1n], v[0])"
    assert javascript.function(x >= y, PLACES) == "v => q.compare(v[0], v[1]) >= 0"
    assert javascript.function(sympy.true, PLACES) == "v => true"
    assert javascript.text("</script>é") == '"\\u003c/script>\\u00e9"'


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        (sympy.gamma(x), "gamma"),
        (number("z", "no input"), "z \\(no input\\) has no place"),
        (Sum(sympy.Symbol("i") ** x, (sympy.Symbol("i"), 1, n)), "has no form in JavaScript"),
        (sympy.Function("lost")(x), "has no form in JavaScript"),
    ],
)
def test_what_has_no_code_is_refused(formula: sympy.Expr, says: str) -> None:
    with pytest.raises(DeriveError, match=says):
        javascript.function(formula, PLACES)
