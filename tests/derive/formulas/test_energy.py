"""Energy, against plain fractions of watts, seconds and kilowatt-hours."""

from __future__ import annotations

from fractions import Fraction

import pytest

import derive
from derive import catalogue

KILOWATT_HOUR = 3_600_000
LLAMA = {"on": "h100-sxm", "model": "llama-3-8b"}


@pytest.mark.parametrize("id", catalogue.chapter("energy"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


@pytest.mark.parametrize("batch", [1, 32, 64])
def test_a_token_takes_its_share_of_a_step_s_energy(batch: int) -> None:
    step = Fraction(2 * 8_030_261_248 + batch * 2**30, 3350 * 10**9)
    found = derive.evaluate("energy.per_token", {"B": batch, "T": 8192}, **LLAMA)
    assert found.exact("joule/token") == 700 * step / batch
    cooled = derive.evaluate("energy.per_token", {"B": batch, "T": 8192, "PUE": "1.25"}, **LLAMA)
    assert cooled.exact("joule/token") == 875 * step / batch


@pytest.mark.parametrize(
    ("machine", "watt", "peak"),
    [("a100-80gb-sxm", 400, 312), ("h100-sxm", 700, 989), ("h200-sxm", 700, 989), ("b200-sxm", 1000, 2250)],
)
def test_an_operation_at_the_peak(machine: str, watt: int, peak: int) -> None:
    found = derive.evaluate("energy.per_flop", {}, on=machine)
    assert found.exact("joule/FLOP") == Fraction(watt, peak * 10**12)
    half = derive.evaluate("energy.per_flop", {"MFU": "0.5"}, on=machine)
    assert half.exact() == 2 * found.exact()


def test_a_run_s_energy_does_not_depend_on_the_number_of_devices() -> None:
    given = {"D": "15e12 token", "MFU": "0.4"}
    work = 6 * 7_504_658_432 * 15 * 10**12
    seconds = Fraction(work) / (989 * 10**12) / Fraction(2, 5)
    found = derive.evaluate("energy.per_run", given, **LLAMA)
    assert found.exact("kWh") == 700 * seconds / KILOWATT_HOUR
    assert {filled.letter.name for filled in found.inputs} == {"D", "MFU", "N", "P", "power"}
    for devices in (8, 1024):
        time = derive.evaluate("training.time", {**given, "n": devices}, **LLAMA)
        assert devices * 700 * time.exact("s") == found.exact("joule")


def test_energy_at_a_price() -> None:
    given = {"D": "15e12 token", "MFU": "0.4", "PUE": "1.5"}
    used = derive.evaluate("energy.per_run", given, **LLAMA).exact("kWh")
    paid = derive.evaluate("energy.cost", {**given, "tariff": "0.08 USD/kWh"}, **LLAMA).exact("USD")
    assert paid == used * Fraction(8, 100)
