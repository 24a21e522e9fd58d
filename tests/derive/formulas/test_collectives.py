"""Collectives, against a simulated ring that counts its steps and bytes."""

from fractions import Fraction

import pytest

import derive
from derive import catalogue

MICRO = Fraction(1, 10**6)


@pytest.mark.parametrize("id", catalogue.chapter("collectives"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


def ring(
    n: int, size: Fraction, beta: Fraction, alpha: Fraction
) -> tuple[list[list[int]], Fraction, Fraction]:
    """Runs a reduce-scatter and an all-gather on n devices: their sums, and the time of each half."""
    held = [[1 << device for _ in range(n)] for device in range(n)]
    times = []
    for half in range(2):
        spent = Fraction(0)
        for step in range(n - 1):
            sent = [(device, (device - step + half) % n) for device in range(n)]
            parts = [(device, share, held[device][share]) for device, share in sent]
            for device, share, part in parts:
                target = held[(device + 1) % n]
                target[share] = target[share] + part if half == 0 else part
            spent += size / n / beta + alpha
        times.append(spent)
    return held, times[0], times[1]


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13])
def test_a_simulated_ring_sums_everything_in_the_time_derived(n: int) -> None:
    size, beta, alpha = Fraction(26 * 10**6), Fraction(450 * 10**9), 7 * MICRO
    held, scatter, gather = ring(n, size, beta, alpha)
    assert held == [[2**n - 1] * n] * n
    given = {"n": n, "S": "26 MB", "beta": "450 GB/s", "alpha": "7 us"}
    assert derive.evaluate("collectives.reduce_scatter", given=given).exact("s") == scatter
    assert derive.evaluate("collectives.all_gather", given=given).exact("s") == gather
    assert derive.evaluate("collectives.all_reduce_ring", given=given).exact("s") == scatter + gather
    assert derive.evaluate("collectives.all_to_all", given=given).exact("s") == scatter


def test_the_link_is_the_rate_each_way_and_not_the_printed_one() -> None:
    found = derive.evaluate("collectives.send_recv", given={"S": "450 GB", "alpha": "0 s"}, on="h100-sxm")
    assert found.exact("s") == 1
    with pytest.raises(derive.DeriveError, match="each-way"):
        derive.evaluate(
            "collectives.send_recv", given={"S": "1 GB", "alpha": "0 s", "beta": "900 GB/s [both-ways]"}
        )


def test_bus_bandwidth_gives_the_link_back_when_there_is_no_latency() -> None:
    given = {"n": 6, "S": "1 GB", "beta": "50 GB/s", "alpha": "0 s"}
    assert derive.evaluate("collectives.bus_bandwidth", given=given).exact("GB/s") == 50


def test_bus_bandwidth_of_measured_times() -> None:
    whole = derive.evaluate("collectives.bus_bandwidth", given={"n": 8, "S": "512 MB", "t": "2 ms"})
    one = derive.evaluate("collectives.bus_bandwidth_one_pass", given={"n": 8, "S": "512 MB", "t": "2 ms"})
    assert whole.exact("GB/s") == 256 * Fraction(14, 8)
    assert one.exact("GB/s") == 256 * Fraction(7, 8)


def test_one_device_has_no_bus_bandwidth() -> None:
    found = derive.evaluate("collectives.bus_bandwidth", given={"n": 1, "S": "1 GB", "t": "1 ms"})
    assert found.value is None
    assert "a single device uses no link" in found.text


def test_at_the_latency_bound_size_both_terms_are_equal() -> None:
    given = {"n": 12, "alpha": "5 us", "beta": "25 GB/s"}
    size = derive.evaluate("collectives.latency_bound_size", given=given).exact("byte")
    assert size == 12 * 5 * 25 * 10**3
    bytes_only = derive.evaluate(
        "collectives.all_reduce_ring", given={**given, "S": f"{size} byte", "alpha": "0 s"}
    )
    assert bytes_only.exact("s") == 22 * 5 * MICRO
    with pytest.raises(derive.DeriveError, match="at least 2"):
        derive.evaluate("collectives.latency_bound_size", given={**given, "n": 1})


def test_zero_is_told_to_cost_what_data_parallelism_costs() -> None:
    facts = derive.get("collectives.all_reduce_ring").facts
    assert any("ZeRO stages 1 and 2 cost what plain data parallelism costs" in fact.because for fact in facts)


@pytest.mark.parametrize(("value", "outcome"), [(2, "proved"), (1, "refuted")])
def test_a_limit_with_values_put_beforehand_is_still_proved(value: int, outcome: str) -> None:
    n, x = derive.count("n", "devices"), derive.number("x", "latency", nonnegative=True)
    fact = derive.Limit(n, derive.oo, value, put={x: 0}, because="the share of one vanishes")
    made = derive.Derivation("y", "test", unit="dimensionless", start=2 * (n - 1) / n + x * n, facts=[fact])
    assert [link.verdict.outcome for link in made.verify()] == [outcome]
    assert made.verify()[0].statement == f"y → {value} as n → ∞ with x = 0"
