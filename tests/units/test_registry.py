"""The registry: only its own units, case as meaning, and exact factors."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import units

NAMES = [
    "byte",
    "bit",
    "GB",
    "GiB",
    "Gbit",
    "FLOP",
    "TFLOPS",
    "OP",
    "MAC",
    "s",
    "ms",
    "hour",
    "token",
    "param",
    "GPU",
    "node",
    "layer",
    "cycle",
    "GHz",
    "J",
    "kWh",
    "W",
    "USD",
    "request",
    "GT",
    "PFLOP-day",
    "GPU-hour",
]
POWERS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(-3, 3)), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("unit", "factor", "base"),
    [
        ("byte", 1, "byte"),
        ("B", 1, "byte"),
        ("bit", Fraction(1, 8), "byte"),
        ("b", Fraction(1, 8), "byte"),
        ("kB", 10**3, "byte"),
        ("KiB", 2**10, "byte"),
        ("GB", 10**9, "byte"),
        ("Gb", 125 * 10**6, "byte"),
        ("EiB", 2**60, "byte"),
        ("Eibit", 2**57, "byte"),
        ("YB", 10**24, "byte"),
        ("YFLOP", 10**24, "FLOP"),
        ("TFLOP", 10**12, "FLOP"),
        ("TFLOPs", 10**12, "FLOP"),
        ("TOP", 10**12, "OP"),
        ("GMAC", 10**9, "MAC"),
        ("ns", Fraction(1, 10**9), "second"),
        ("us", Fraction(1, 10**6), "second"),
        ("µs", Fraction(1, 10**6), "second"),
        ("day", 86400, "second"),
        ("week", 604800, "second"),
        ("year", 365 * 86400, "second"),
        ("Mtok", 10**6, "token"),
        ("MTok", 10**6, "token"),
        ("weights", 1, "parameter"),
        ("GPUs", 1, "device"),
        ("chips", 1, "device"),
        ("GT", 10**9, "transfer"),
        ("kWh", 3600000, "joule"),
        ("pJ", Fraction(1, 10**12), "joule"),
        ("cents", Fraction(1, 100), "dollar"),
        ("$", 1, "dollar"),
        ("PFLOP-day", 86400 * 10**15, "FLOP"),
        ("PFLOP-days", 86400 * 10**15, "FLOP"),
    ],
)
def test_a_unit_has_its_exact_factor(unit: str, factor: Fraction, base: str) -> None:
    assert units.factor(unit) == (factor, ((base, 1),))


@pytest.mark.parametrize(
    ("rate", "same"),
    [
        ("Gbps", "Gbit/s"),
        ("GBps", "GB/s"),
        ("TFLOPS", "TFLOP/s"),
        ("TOPS", "TOP/s"),
        ("GHz", "1e9"),
        ("GPU-hour", "GPU*hour"),
        ("$/GPU-hour", "$/(GPU*hour)"),
        ("token/s/GPU", "token/(s*GPU)"),
        ("FLOP/param/token", "FLOP/(param*token)"),
        ("bytes per param", "B/param"),
        ("request/s", "1/s"),
        ("W", "J/s"),
    ],
)
def test_rates_mean_what_their_users_mean(rate: str, same: str) -> None:
    due = (Fraction(10**9), units.dimension_of("cycle/s")) if same == "1e9" else units.factor(same)
    assert units.factor(rate) == due


@pytest.mark.parametrize(
    "noun", ["head", "expert", "batches", "queries", "images", "requests", "steps", "SMs", "it", "percent"]
)
def test_plain_counts_have_no_dimension(noun: str) -> None:
    assert units.dimension_of(noun) == ()


@pytest.mark.parametrize(
    "unit",
    ["KB", "Kb", "mB", "mb", "gb", "tb", "flops", "Flops", "Tflops", "teraflops", "GBs", "Mbs"],
)
def test_what_can_be_misread_is_refused_with_what_to_give(unit: str) -> None:
    with pytest.raises(units.UnitError, match="can be misread: give "):
        units.factor(unit)


@pytest.mark.parametrize(
    "unit",
    [
        "tesla",
        "T",
        "T/s",
        "k",
        "M",
        "a",
        "m",
        "meter",
        "gram",
        "K",
        "kelvin",
        "degC",
        "barn",
        "gilbert",
        "hbar",
        "c",
        "pi",
        "nan",
        "inf",
        "radian",
        "count",
        "mm",
        "uB",
        "nB",
        "ubit",
        "kkB",
        "per",
        "GB/",
        "/s",
        "GB GB",
        "GB^",
        "GB^1.5",
        "GB^99",
        "GB-",
        "-GB",
        "a-b",
        "s-" * 20 + "s",
        "GB" * 100,
        "__class__",
        "G B",
        "((((((((((B))))))))))",
        "GВ",
    ],
)
def test_nothing_of_pints_own_registry_and_nothing_malformed_is_a_unit(unit: str) -> None:
    with pytest.raises(units.UnitError):
        units.factor(unit)


def _text(powers: list[tuple[str, int]]) -> str:
    return "*".join(f"{name}^{power}" for name, power in powers)


@given(POWERS, POWERS)
@settings(max_examples=150, deadline=None)
def test_the_factor_of_a_product_is_the_product_of_factors(
    left: list[tuple[str, int]], right: list[tuple[str, int]]
) -> None:
    a, b = units.factor(_text(left)), units.factor(_text(right))
    product = units.factor(f"({_text(left)})*({_text(right)})")
    assert product[0] == a[0] * b[0]
    quotient = units.factor(f"({_text(left)})/({_text(right)})")
    assert quotient[0] == a[0] / b[0]
    assert units.dimension_of(f"({_text(left)})/({_text(left)})") == ()


@given(st.sampled_from(NAMES), st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_a_power_is_repeated_multiplication(name: str, power: int) -> None:
    assert units.factor(f"{name}^{power}") == units.factor("*".join([name] * power))


@given(st.text(max_size=30))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_unit_or_refused(text: str) -> None:
    try:
        scale, dimension = units.factor(text)
    except units.UnitError:
        return
    assert scale > 0
    assert all(power != 0 for _, power in dimension)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("3.35 TB/s", Fraction(335, 100), "TB/s"),
        ("1,024 token", Fraction(1024), "token"),
        ("-2e3", Fraction(-2000), "dimensionless"),
        ("80GB", Fraction(80), "GB"),
    ],
)
def test_a_quantity_is_split_into_an_exact_number_and_its_unit(
    text: str, number: Fraction, unit: str
) -> None:
    assert units.split(text) == (number, unit)


def test_quantities_are_of_the_one_registry() -> None:
    assert units.quantity("80 GB").to("GiB").magnitude == pytest.approx(80e9 / 2**30)
    assert units.quantity("3 PFLOP-day").to("FLOP").magnitude == pytest.approx(3 * 86400e15)
    with pytest.raises(units.UnitError):
        units.quantity("80 KB")


def test_one_byte_is_not_eight_and_adds_to_no_number() -> None:
    one = units.quantity("1 byte")
    assert one.to("bit").magnitude == 8
    assert not one.dimensionless
    with pytest.raises(pint.DimensionalityError):
        one + 1


def test_importing_the_package_costs_no_pint() -> None:
    code = "import sys, units; print('pint' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
