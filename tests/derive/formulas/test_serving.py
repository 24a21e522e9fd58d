"""Serving, against plain fractions, enumerated drafts and queues that are played through."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import derive
from derive import catalogue
from derive.errors import DeriveError

WEIGHTS, MATMUL = 2 * 8_030_261_248, 7_504_658_432
TOKEN = 2 * 32 * 8 * 128 * 2
PEAK, BANDWIDTH = 989 * 10**12, 3350 * 10**9
LLAMA = {"on": "h100-sxm", "model": "llama-3-8b"}


@pytest.mark.parametrize("id", catalogue.chapter("serving"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


@pytest.mark.parametrize("tokens", [128, 8192])
@pytest.mark.parametrize("batch", [1, 64, 471, 472, 5000])
def test_a_step_takes_the_longer_of_its_two_times(batch: int, tokens: int) -> None:
    arithmetic = Fraction(2 * MATMUL * batch, PEAK)
    memory = Fraction(WEIGHTS + batch * TOKEN * tokens, BANDWIDTH)
    given = {"B": batch, "T": tokens}
    assert derive.evaluate("serving.step_time", given, **LLAMA).exact() == max(arithmetic, memory)
    late = derive.evaluate("serving.step_time", {**given, "t_0": "50 us"}, **LLAMA)
    assert late.exact() == max(arithmetic, memory) + Fraction(5, 10**5)
    crossing = derive.evaluate("serving.crossing_batch", {"T": tokens}, **LLAMA)
    if crossing.value is None:
        assert arithmetic < memory
        assert "no batch makes the step compute-bound" in crossing.text
    else:
        assert (arithmetic >= memory) == (batch >= crossing.exact())


def test_two_times_that_grow_alike_never_meet() -> None:
    given = {"N": "1 parameter", "P": "4 FLOP/s", "weights": "3 byte", "KV": "1 byte", "W": "2 byte/s"}
    assert derive.evaluate("serving.crossing_batch", given).value is None
    assert derive.evaluate("serving.crossing_batch", {**given, "KV": "0.5 byte"}).exact() == 6


def test_reading_a_prompt() -> None:
    time = derive.evaluate("serving.prefill_time", {"T": 1000, "MFU": "0.5"}, **LLAMA)
    assert time.exact() == Fraction(2 * MATMUL * 1000 * 2, PEAK)
    prompt = derive.evaluate("serving.prefill_critical_prompt", {}, **LLAMA).exact()
    assert 2 * MATMUL * prompt / PEAK == Fraction(WEIGHTS, BANDWIDTH)


def test_a_steady_queue_holds_what_little_says() -> None:
    """A request arrives every quarter of a second and stays three: counted at every moment from then on."""
    arrivals = [Fraction(n, 4) for n in range(400)]
    moments = [Fraction(n, 8) + Fraction(1, 16) for n in range(80, 240)]
    held = [sum(came <= now < came + 3 for came in arrivals) for now in moments]
    mean = Fraction(sum(held), len(held))
    assert derive.evaluate("serving.little", {"lam": "4 1/s", "t": "3 s"}).exact() == mean == 12
    cache = derive.evaluate(
        "serving.little_cache", {"lam": "4 1/s", "t": "3 s", "T": 1000}, model="llama-3-8b"
    )
    assert cache.number == 12 * 1000 * TOKEN


def test_a_token_costs_the_hour_over_its_tokens() -> None:
    given = {"price": "3 USD/h", "rate": "2500 token/s"}
    assert derive.evaluate("serving.cost", given).exact("USD/token") == Fraction(3, 3600 * 2500)
    waiting = derive.evaluate("serving.cost", {**given, "u": "0.25"}).exact("USD/token")
    assert waiting == Fraction(12, 3600 * 2500)
    with pytest.raises(DeriveError, match=r"u \(.*\) must be at most 1, not 2"):
        derive.evaluate("serving.cost", {**given, "u": "2"})


@pytest.mark.parametrize("drafted", [1, 2, 3, 6])
@pytest.mark.parametrize("chance", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_tokens_a_pass_are_the_mean_over_all_outcomes(chance: Fraction, drafted: int) -> None:
    mean = Fraction(0)
    for accepted in product((True, False), repeat=drafted):
        weight = Fraction(1)
        for one in accepted:
            weight *= chance if one else 1 - chance
        kept = accepted.index(False) if False in accepted else drafted
        mean += weight * (kept + 1)
    given = {"alpha": str(float(chance)), "k": drafted}
    assert derive.evaluate("serving.speculative", given).exact() == mean
    cost = Fraction(3, 20)
    sped = derive.evaluate("serving.speculative_speedup", {**given, "c": "0.15"}).exact()
    assert sped == mean / (1 + drafted * cost)


@pytest.mark.parametrize("chance", ["0.05", "0.3", "0.62", "0.8", "0.95", "0.99"])
@pytest.mark.parametrize("cost", ["0.005", "0.05", "0.3", "0.9", "2"])
def test_the_best_number_of_drafts_is_that_of_a_search(chance: str, cost: str) -> None:
    a, c = Fraction(chance), Fraction(cost)
    speeds = [sum(a**i for i in range(k + 1)) / (1 + k * c) for k in range(300)]
    best = derive.evaluate("serving.speculative_best_k", {"alpha": chance, "c": cost}).number
    assert best == speeds.index(max(speeds)) < 299


def test_drafts_that_pay_for_ever_have_no_best_number() -> None:
    with pytest.raises(DeriveError, match="more than 1000 drafts pay at alpha = 1"):
        derive.evaluate("serving.speculative_best_k", {"alpha": "1", "c": "0.1"})
    assert derive.evaluate("serving.speculative_best_k", {"alpha": "1", "c": "1"}).number == 0
    with pytest.raises(DeriveError, match=r"alpha \(.*\) must be at most 1, not 1.5"):
        derive.evaluate("serving.speculative_best_k", {"alpha": "1.5", "c": "0.1"})


@pytest.mark.parametrize(
    ("name", "bits"), [("mxfp4", Fraction(17, 4)), ("nvfp4", Fraction(9, 2)), ("mxfp8", Fraction(33, 4))]
)
def test_one_format_for_all_speeds_up_by_its_bits(name: str, bits: Fraction) -> None:
    asked = {"given": {"B": 7, "T": 4096, "format": name}, "model": "llama-3-8b"}
    assert derive.evaluate("serving.quantized", **asked).exact() == 16 / bits
    weights = derive.evaluate("serving.quantized_weights", {"format": name}, model="llama-3-8b")
    assert weights.exact("bit") == 8_030_261_248 * bits
    cache = derive.evaluate("serving.quantized_cache", {"T": 4096, "format": name}, model="llama-3-8b")
    assert cache.exact("bit") == TOKEN * 4096 * 8 * bits / 16


def test_quantized_weights_alone_help_small_batches() -> None:
    given = {"format": "mxfp4", "T": 8192, "KV_q": f"{TOKEN * 8192} byte"}
    gains = [
        derive.evaluate("serving.quantized", {**given, "B": batch}, model="llama-3-8b").magnitude()
        for batch in (1, 64)
    ]
    assert 3 < gains[0] < 16 / 4.25
    assert 1 < gains[1] < 1.2


def test_caches_that_grow_less() -> None:
    latent = derive.evaluate("serving.mla_cache", {"L": 61, "T": 1000, "B": 3}).number
    assert latent == 61 * (512 + 64) * 1000 * 3 * 2
    for tokens in (1, 4095, 4096, 4097, 100_000):
        found = derive.evaluate("serving.window_cache", {"T": tokens, "B": 2}, model="mistral-7b").number
        assert found == 2 * 32 * 8 * 128 * min(tokens, 4096) * 2 * 2
    full = derive.evaluate("memory.kv_cache", {"T": 4096, "B": 2}, model="mistral-7b").number
    assert derive.evaluate("serving.window_cache", {"T": 4096, "B": 2}, model="mistral-7b").number == full


def test_caches_cross_between_pools_as_fast_as_prompts_are_read() -> None:
    found = derive.evaluate("serving.kv_transfer", {"rate": "12345 token/s"}, model="llama-3-8b")
    assert found.exact("byte/s") == 12345 * TOKEN
