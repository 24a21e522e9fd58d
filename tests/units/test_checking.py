"""Units of Python functions at definition, and of values in tests."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
import pytest

import units
from derive.calc import calculate


def test_annotated_units_that_agree_leave_the_function_as_it_is() -> None:
    def ridge(
        peak: Annotated[float, "FLOP/s [dense]"], bandwidth: Annotated[float, "byte/s"]
    ) -> Annotated[float, "FLOP/byte"]:
        return peak / bandwidth

    assert units.check(ridge) is ridge
    assert ridge(989e12, 3.35e12) == 989 / 3.35


def test_units_may_be_given_by_name() -> None:
    @units.check(weights="GB", bandwidth="TB/s", batch="dimensionless", returns="s")
    def step(weights: float, bandwidth: float, batch: float, overlap: float = 1.0) -> float:
        slowest = max(weights / bandwidth, batch * weights / bandwidth)
        return slowest * overlap + 0

    assert step(16, 4, 2) == 8


@pytest.mark.parametrize(
    ("body", "declared", "message"),
    [
        (lambda size, work: size + work, {"size": "byte", "work": "FLOP", "returns": "byte"}, "cannot be added"),
        (lambda size: size + 4, {"size": "byte", "returns": "byte"}, "cannot be added"),
        (lambda size, rate: size * rate, {"size": "byte", "rate": "byte/s", "returns": "s"}, "where s is declared"),
        (lambda work, peak: work / peak, {"work": "FLOP", "peak": "FLOP/s [sparse]", "returns": "s"}, "do not mix"),
        (lambda a, b: a + b, {"a": "byte/s [both-ways]", "b": "byte/s [each-way]", "returns": "byte/s"}, "do not mix"),
        (lambda a, b: a if a > b else b, {"a": "byte", "b": "bit/s", "returns": "byte"}, "cannot be compared"),
        (lambda a, b: a if a > b else b * b, {"a": "byte", "b": "byte", "returns": "byte"}, r"byte\^2"),
        (lambda a, b: b if a > b else a * a, {"a": "byte", "b": "byte", "returns": "byte"}, r"byte\^2"),
        (lambda size: 1 + math.log2(size), {"size": "byte", "returns": "dimensionless"}, "plain number"),
        (lambda size: 2 * math.ceil(size), {"size": "byte", "returns": "byte"}, "plain number"),
        (lambda n, size: n**size, {"n": "dimensionless", "size": "byte", "returns": "dimensionless"}, "exponent"),
        (lambda size: 1 + np.exp(size), {"size": "byte", "returns": "dimensionless"}, "plain number"),
        (lambda size: 1 + np.arctan(size), {"size": "byte", "returns": "dimensionless"}, "no rule"),
        (lambda peak: peak, {"peak": "FLOP/s [sparse]", "returns": "FLOP/s [dense]"}, r"\[sparse\]"),
        (lambda size: size[0], {"size": "byte", "returns": "byte"}, "cannot be checked"),
        (lambda size: "x", {"size": "byte", "returns": "byte"}, "no unit"),
        (lambda size: size, {"returns": "byte"}, "say the unit of 'size'"),
        (lambda size: size, {"size": "byte"}, "what it returns"),
        (lambda size: size, {"size": "byte", "sice": "byte", "returns": "byte"}, "no parameter 'sice'"),
        (lambda size: size, {"size": "KB", "returns": "byte"}, "misread"),
    ],
)  # fmt: skip
def test_units_that_clash_are_refused_at_definition(
    body: object, declared: dict[str, str], message: str
) -> None:
    with pytest.raises(units.UnitError, match=message):
        units.check(**declared)(body)


def test_numpy_functions_follow_the_same_rules() -> None:
    @units.check(size="byte", rate="byte/s", n="dimensionless", returns="s")
    def time(size: float, rate: float, n: float) -> float:
        return np.maximum(size / rate, np.sqrt((size / rate) ** 2) * np.log2(n) * np.exp(-n)) - np.abs(
            0 * size / rate
        )

    assert time(8.0, 2.0, 4.0) == 4


@pytest.mark.parametrize(
    ("subject", "unit", "value"),
    [
        ("80 GB", "GiB", 80e9 / 2**30),
        (units.quantity("16 GB"), "GB", 16),
        (units.quantity("3.35 TB/s"), "GB/s", 3350),
        (calculate("16 GB / 3.35 TB/s"), "ms", 16 / 3.35),
    ],
)
def test_a_value_is_given_in_the_unit_that_is_due(subject: object, unit: str, value: float) -> None:
    assert units.check(subject, unit) == pytest.approx(value, rel=1e-15)


def test_a_value_of_another_dimension_fails_the_test_that_asks() -> None:
    with pytest.raises(units.UnitError, match="differ"):
        units.check("989 TFLOP/s", "TB/s")
    with pytest.raises(units.UnitError, match="says no unit"):
        units.check(object(), "GB")
    with pytest.raises(units.UnitError, match="in which unit"):
        units.check("80 GB")
