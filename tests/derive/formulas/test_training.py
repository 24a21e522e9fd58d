"""Training runs, against plain floats and fractions and a search of its own for the least loss."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import derive
from derive import catalogue
from derive.errors import DeriveError
from derive.solving import solve

FITS = {
    "hoffmann": (1.69, 406.4, 410.7, 0.34, 0.28),
    "besiroglu": (1.8172, 482.01, 2085.43, 0.3478, 0.3658),
}
LLAMA = 7_504_658_432


@pytest.mark.parametrize("id", catalogue.chapter("training"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


def test_a_run_in_operations_days_device_hours_and_money() -> None:
    given = {"D": "15e12 token", "MFU": "0.4"}
    work = 6 * LLAMA * 15 * 10**12
    seconds = Fraction(work) / (989 * 10**12) / Fraction(4, 10)
    asked = {"on": "h100-sxm", "model": "llama-3-8b"}
    assert derive.evaluate("training.flops", {"D": "15e12 token"}, model="llama-3-8b").number == work
    time = derive.evaluate("training.time", {**given, "n": 2048}, **asked)
    assert time.exact("s") == seconds / 2048
    assert time.exact() == seconds / 2048 / 86400
    assert derive.evaluate("training.device_hours", given, **asked).exact() == seconds / 3600
    priced = derive.evaluate("training.cost", {**given, "price": "2.5 USD/(device*h)"}, **asked)
    assert priced.exact("USD") == seconds / 3600 * Fraction(5, 2)


@pytest.mark.parametrize("value", ["1.2", "40", "120 percent"])
def test_no_machine_does_more_than_its_peak(value: str) -> None:
    with pytest.raises(DeriveError, match=r"MFU \(.*\) must be at most 1, not"):
        derive.evaluate(
            "training.time", {"D": "1e12 token", "n": 8, "MFU": value}, on="h100-sxm", model="llama-3-8b"
        )


def test_a_utilization_above_one_solves_nothing() -> None:
    found = solve(
        "training.time",
        "MFU",
        "1 s",
        {"D": "1e12 token", "N": "8e9 parameter", "n": 8},
        on="h100-sxm",
    )
    assert not found.roots
    assert "it is at most 1" in found.none


@pytest.mark.parametrize("budget", [10**20, 576 * 10**21, 10**26])
@pytest.mark.parametrize("ratio", [1, 20, 200])
def test_tokens_in_proportion_use_the_budget_up(budget: int, ratio: int) -> None:
    given = {"C": f"{budget} FLOP", "r": f"{ratio} token/parameter"}
    size = derive.evaluate("training.compute_optimal", given).magnitude()
    tokens = derive.evaluate("training.compute_optimal_tokens", given).magnitude()
    assert size == pytest.approx(math.sqrt(budget / 6 / ratio), rel=1e-12)
    assert tokens == pytest.approx(ratio * size, rel=1e-12)


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("budget", [1e19, 5.76e23, 1e27])
def test_the_least_loss_is_the_one_that_a_search_finds(fit: str, budget: float) -> None:
    E, A, B, a, b = FITS[fit]

    def loss(log_size: float) -> float:
        size = math.exp(log_size)
        return E + A / size**a + B / (budget / 6 / size) ** b

    low, high = 0.0, math.log(budget)
    for _ in range(300):
        third = (high - low) / 3
        low, high = (low + third, high) if loss(low + third) > loss(high - third) else (low, high - third)
    asked = {"given": {"C": f"{budget!r} FLOP"}, "conventions": {"loss_fit": fit}}
    size = derive.evaluate("training.chinchilla", **asked).magnitude()
    assert size == pytest.approx(math.exp((low + high) / 2), rel=1e-5)
    tokens = derive.evaluate("training.chinchilla_tokens", **asked).magnitude()
    assert tokens == pytest.approx(budget / 6 / size, rel=1e-12)
    assert derive.evaluate("training.chinchilla_ratio", **asked).magnitude() == pytest.approx(
        tokens / size, rel=1e-12
    )


def test_the_budget_of_a_size_is_found_again() -> None:
    found = solve("training.chinchilla", "C", "70e9")
    _, A, B, a, b = FITS["hoffmann"]
    scale = (a * A / (b * B)) ** (1 / (a + b))
    assert [float(root.value) for root in found.roots] == pytest.approx(
        [6 * (70e9 / scale) ** ((a + b) / b)], rel=1e-9
    )


def test_exponents_of_many_digits_are_computed_and_not_solved_for_ever() -> None:
    given = {"alpha": "0.338765432109"}
    _, A, B, _, b = FITS["hoffmann"]
    a = 0.338765432109
    size = derive.evaluate("training.chinchilla", {**given, "C": "5.76e23 FLOP"}).magnitude()
    assert size == pytest.approx(
        (a * A / (b * B)) ** (1 / (a + b)) * (5.76e23 / 6) ** (b / (a + b)), rel=1e-9
    )
    found = solve("training.chinchilla", "C", "70e9", given)
    assert not found.roots
    assert "has too many digits" in found.none


def test_a_loss_below_the_size_s_own_is_never_reached() -> None:
    found = derive.evaluate("training.tokens_for_loss", {"N": "1e9", "loss": "2"})
    assert found.value is None
    assert "no number of tokens brings a model of this size there" in found.text


def test_who_serves_much_trains_a_smaller_model_on_more_tokens() -> None:
    E, A, B, a, b = FITS["hoffmann"]

    def total(size: float, served: float) -> float:
        return 6 * size * (B / (2.0 - E - A / size**a)) ** (1 / b) + 2 * size * served

    def best(served: float) -> float:
        return min((size * 1e9 for size in range(8, 80)), key=lambda size: total(size, served))

    for served in (0.0, 1e13):
        asked = {"N": f"{best(served)!r}", "loss": "2.0", "I": f"{served!r}"}
        found = derive.evaluate("training.inference_aware_at_loss", asked).magnitude()
        assert found == pytest.approx(total(best(served), served), rel=1e-12)
    assert best(1e13) < best(0.0)


def test_a_checkpoint_keeps_all_but_the_gradients() -> None:
    state = derive.evaluate("memory.training_state", model="llama-3-8b").number
    kept = derive.evaluate("training.checkpoint_bytes", model="llama-3-8b").number
    assert state - kept == 2 * 8_030_261_248


def test_at_the_best_interval_writing_and_failing_cost_the_same() -> None:
    given = {"t_s": "45 s", "M": "5 h"}
    tau = derive.evaluate("training.checkpoint_interval", given).magnitude("s")
    lost = derive.evaluate("training.checkpoint_loss", given).magnitude()
    assert tau == pytest.approx(math.sqrt(2 * 45 * 18000), rel=1e-12)
    assert lost == pytest.approx(2 * 45 / tau, rel=1e-12)
    for other in (0.9 * tau, 1.1 * tau):
        assert 45 / other + other / (2 * 18000) > lost
