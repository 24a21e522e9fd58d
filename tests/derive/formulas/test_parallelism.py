"""Parallelism, against bytes counted by hand, a pipeline that is played through and routers that choose."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest

import derive
from derive import catalogue

GPT3 = {"s": 2048, "b": 4, "h": 12288, "a": 96}
TOKENS = 2048 * 4 * 12288


@pytest.mark.parametrize("id", catalogue.chapter("parallelism"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


@pytest.mark.parametrize("devices", [1, 8, 64, 1000])
@pytest.mark.parametrize(("stage", "whole", "cut"), [("0", 16, 0), ("1", 4, 12), ("2", 2, 14), ("3", 0, 16)])
def test_a_device_keeps_its_share(stage: str, whole: int, cut: int, devices: int) -> None:
    size = 8_030_261_248
    given = {"n": devices} if stage != "0" else {}
    found = derive.evaluate(
        "parallelism.zero_state", given, model="llama-3-8b", conventions={"zero_stage": stage}
    )
    assert found.exact() == size * (whole + Fraction(cut, devices))
    assert found.conventions["zero_stage"] == stage


def test_fp32_gradients_are_shared_where_gradients_are() -> None:
    given = {"N": "1e9 parameter", "n": 4}
    for stage, due in (("1", 2 + 4 + 3), ("2", 2 + 1 + 3), ("3", Fraction(18, 4))):
        chosen = {"zero_stage": stage, "gradients": "fp32"}
        found = derive.evaluate("parallelism.zero_state", given, conventions=chosen).exact()
        assert found == due * 10**9


@pytest.mark.parametrize(("stage", "passes"), [("0", 2), ("1", 2), ("2", 2), ("3", 3)])
def test_what_a_device_sends_a_step(stage: str, passes: int) -> None:
    given = {"N": "1e9 parameter", "n": 16}
    found = derive.evaluate("parallelism.zero_traffic", given, conventions={"zero_stage": stage})
    assert found.exact() == passes * 2 * 10**9 * Fraction(15, 16)


@pytest.mark.parametrize("parts", [1, 2, 8])
def test_activations_a_device_in_the_forms_of_the_paper(parts: int) -> None:
    given = {**GPT3, "t": parts}
    inside = Fraction(5 * 96 * 2048, 12288)
    tensor = TOKENS * (10 + Fraction(24, parts) + inside / parts)
    assert derive.evaluate("parallelism.activations_tp", given).exact() == tensor
    both = Fraction(TOKENS, parts) * (34 + inside)
    assert derive.evaluate("parallelism.activations_tp_sp", given).exact() == both
    cheap = {"s": 2048, "b": 4, "h": 12288, "t": parts}
    assert derive.evaluate("parallelism.activations_tp_sp_selective", cheap).exact() == 34 * Fraction(
        TOKENS, parts
    )


def test_on_one_device_they_are_those_of_the_layer() -> None:
    for cut, whole in (("tp", "gpt3"), ("tp_sp", "gpt3")):
        for precision in ("bf16", "fp32"):
            chosen = {"precision": precision, "mask_bytes": "2"}
            found = derive.evaluate(f"parallelism.activations_{cut}", {**GPT3, "t": 1}, conventions=chosen)
            layer = derive.evaluate(f"memory.activations_{whole}", GPT3, conventions=chosen)
            assert found.number == layer.number


def test_four_all_reduces_a_layer() -> None:
    given = {"s": 1024, "b": 2, "h": 4096, "n": 4, "beta": "100 GB/s", "L": 3}
    buffer = 1024 * 2 * 4096 * 2
    assert derive.evaluate("parallelism.tensor_buffer", {"s": 1024, "b": 2, "h": 4096}).number == buffer
    one = Fraction(2 * buffer * 3, 4 * 100 * 10**9)
    assert derive.evaluate("parallelism.tensor_all_reduce", given).exact() == 12 * one
    late = derive.evaluate("parallelism.tensor_all_reduce", {**given, "alpha": "5 us"}).exact()
    assert late == 12 * (one + 6 * Fraction(5, 10**6))


def _waited(stages: int, batches: int) -> Fraction:
    """The share of slots that stand empty when micro-batch j is on stage i at slot i + j."""
    busy = {(stage, stage + batch) for stage, batch in product(range(stages), range(batches))}
    slots = 1 + max(slot for _, slot in busy)
    return Fraction(stages * slots - len(busy), stages * slots)


@pytest.mark.parametrize(("stages", "batches"), [(1, 5), (2, 1), (4, 4), (8, 32)])
def test_a_pipeline_waits_as_one_played_through(stages: int, batches: int) -> None:
    given = {"p": stages, "m": batches}
    share = derive.evaluate("parallelism.pipeline_bubble", given).exact()
    assert share == _waited(stages, batches)
    assert derive.evaluate("parallelism.pipeline_overhead", given).exact() == share / (1 - share)
    pieces = derive.evaluate("parallelism.pipeline_bubble", {**given, "v": 4}).exact()
    assert pieces == _waited(stages, 4 * batches)


def test_a_token_of_a_mixture_of_experts() -> None:
    one = 3 * 32 * 4096 * 14336
    assert derive.evaluate("parallelism.expert", model="mixtral-8x7b").number == one
    active = derive.evaluate("parallelism.moe_active", model="mixtral-8x7b").number
    assert active == derive.evaluate("parameters.mixtral_active", model="mixtral-8x7b").number
    assert derive.evaluate("parallelism.moe", model="mixtral-8x7b").exact() == Fraction(
        12_879_925_248, 46_702_792_704
    )
    sent = derive.evaluate("parallelism.expert_all_to_all", {"n": 4}, model="mixtral-8x7b")
    assert sent.exact() == 32 * 2 * 2 * 4096 * 2 * Fraction(3, 4)


@pytest.mark.parametrize(("experts", "chosen", "tokens"), [(4, 1, 3), (4, 2, 2), (5, 2, 3), (3, 3, 2)])
def test_experts_visited_are_the_mean_over_all_choices(experts: int, chosen: int, tokens: int) -> None:
    choices = list(combinations(range(experts), chosen))
    outcomes = list(product(choices, repeat=tokens))
    mean = Fraction(sum(len(set().union(*one)) for one in outcomes), len(outcomes))
    given = {"E": experts, "k": chosen, "B": tokens}
    assert derive.evaluate("parallelism.expected_experts", given).exact() == mean
