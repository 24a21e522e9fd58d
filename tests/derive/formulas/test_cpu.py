"""The rates of a CPU, against products written out by hand."""

from fractions import Fraction

import pytest

import derive
from derive import catalogue


@pytest.mark.parametrize("id", catalogue.chapter("cpu"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


def test_peak_counts_a_multiply_and_an_add_in_every_lane() -> None:
    found = derive.evaluate("cpu.peak", given={"cores": 16, "clock": "2.5 GHz", "units": 2, "lanes": 16})
    assert found.exact("FLOP/s") == 16 * 2_500_000_000 * 2 * 16 * 2


def test_a_machine_fills_every_letter() -> None:
    peak = derive.evaluate("cpu.peak", on="laptop-cpu")
    bandwidth = derive.evaluate("cpu.memory_bandwidth", on="laptop-cpu")
    assert peak.number == 8 * 3 * 10**9 * 2 * 8 * 2
    assert bandwidth.number == 2 * 8 * 5600 * 10**6
    assert {filled.source for filled in peak.inputs} == {"laptop-cpu"}


def test_the_ridge_of_the_laptop_is_the_quotient() -> None:
    given = {"P": "0.768 TFLOP/s", "W": "89.6 GB/s"}
    assert derive.evaluate("roofline.ridge", given=given).exact() == Fraction(768, 89) * Fraction(890, 896)


def test_another_bus_width_overrides_eight_bytes() -> None:
    given = {"channels": 4, "rate": "6400e6 transfer/s", "bus": "2 byte/transfer"}
    assert derive.evaluate("cpu.memory_bandwidth", given=given).exact("GB/s") == Fraction("51.2")


def test_a_clock_is_in_cycles_and_not_in_seconds() -> None:
    with pytest.raises(derive.DeriveError, match="clock"):
        derive.evaluate("cpu.peak", given={"cores": 8, "clock": "3e9 1/s", "units": 2, "lanes": 8})
