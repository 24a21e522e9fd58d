"""Decoding, against the traffic of Llama-3-8B added up in plain integers."""

from fractions import Fraction

import pytest

import derive
from derive import catalogue

WEIGHTS = 2 * 8_030_261_248
CACHE = 2 * 32 * 8 * 128 * 8192 * 2
BANDWIDTH = 3_350_000_000_000


@pytest.mark.parametrize("id", catalogue.chapter("decode"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


@pytest.mark.parametrize("batch", [1, 8, 32, 64, 1000])
def test_a_step_reads_the_weights_once_and_every_cache(batch: int) -> None:
    asked = {"given": {"B": batch, "T": 8192}, "model": "llama-3-8b"}
    traffic = WEIGHTS + batch * CACHE
    assert derive.evaluate("decode.step_traffic", **asked).number == traffic
    assert derive.evaluate("decode.kv_share", **asked).exact() == Fraction(batch * CACHE, traffic)
    assert derive.evaluate("decode.step_time", on="h100-sxm", **asked).exact("s") == Fraction(
        traffic, BANDWIDTH
    )
    rate = derive.evaluate("decode.tokens_per_second", on="h100-sxm", **asked).exact("token/s")
    assert rate == Fraction(batch * BANDWIDTH, traffic)


def test_the_embedding_looked_up_is_not_read_unless_it_is_the_head() -> None:
    looked_up = {"conventions": {"embedding": "lookup"}}
    llama = derive.evaluate("decode.weights_read", model="llama-3-8b", **looked_up)
    assert llama.number == WEIGHTS - 2 * 128_256 * 4096
    tied = derive.evaluate("decode.weights_read", model="gemma-2b", **looked_up)
    assert tied.number == derive.evaluate("decode.weights_read", model="gemma-2b").number
    gpt2 = derive.evaluate("decode.weights_read", model="gpt2-small", **looked_up)
    assert gpt2.number == 2 * (124_439_808 - 1024 * 768)


def test_at_the_even_batch_the_caches_are_half_of_the_traffic() -> None:
    asked = {"given": {"T": 8192}, "model": "llama-3-8b"}
    assert derive.evaluate("decode.even_batch", **asked).exact() == Fraction(WEIGHTS, CACHE)


@pytest.mark.parametrize(
    ("reading", "size", "most"), [("decimal", 80 * 10**9, 59), ("binary", 80 * 2**30, 65)]
)
def test_what_fits_is_the_largest_whole_batch(reading: str, size: int, most: int) -> None:
    assert most == max(b for b in range(200) if WEIGHTS + b * CACHE <= size)
    found = derive.evaluate(
        "decode.fits", {"T": 8192}, on="h100-sxm", model="llama-3-8b", conventions={"capacity": reading}
    )
    assert found.number == most
    assert found.conventions["capacity"] == reading


def test_none_fits_where_the_weights_do_not() -> None:
    found = derive.evaluate("decode.fits", given={"capacity": "10 GB", "weights": "16 GB", "KV": "1 GB"})
    assert found.value is None
    assert "the weights do not fit" in found.text
    exact = derive.evaluate("decode.fits", given={"capacity": "16 GB", "weights": "16 GB", "KV": "1 GB"})
    assert exact.number == 0


def test_the_context_of_a_model_never_fills_the_length() -> None:
    with pytest.raises(derive.DeriveError, match="computes KV from T"):
        derive.evaluate("decode.step_time", given={"B": 1}, on="h100-sxm", model="llama-3-8b")


@pytest.mark.parametrize(("relation", "outcome"), [("≥", "proved"), ("≤", "refuted")])
def test_rounding_down_never_adds(relation: str, outcome: str) -> None:
    x, y = derive.number("x", "room"), derive.number("y", "size")
    step = derive.Bound(derive.floor(x / y), because="whole ones", relation=relation)
    made = derive.Derivation("n", "test", unit="dimensionless", start=x / y, steps=[step])
    assert [link.verdict.outcome for link in made.verify()] == [outcome]
