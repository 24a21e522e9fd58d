"""Memory: activations added up here tensor by tensor, and what a variant drops told row by row."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from derive import DeriveError, Difference, evaluate, get
from derive.catalogue import chapter

LAYER = {"s": 1024, "b": 8, "h": 768, "a": 12}
SBH, AS2B, ABS = 1024 * 8 * 768, 12 * 1024**2 * 8, 12 * 8 * 1024
LLAMA = {"s": 512, "b": 2, "h": 4096, "a": 32, "a_kv": 8, "d_h": 128, "f": 14336}


def test_every_link_is_proved() -> None:
    links = [link for derivation in chapter("memory").values() for link in derivation.verify()]
    assert len(links) > 60
    assert [link for link in links if not link.verdict.proved] == []


def test_the_figures_are_met(shared: Path) -> None:
    figures = tomllib.loads((shared / "figures.toml").read_text("utf-8"))["figure"]
    own = [figure for figure in figures if figure["id"].startswith("memory.")]
    assert len(own) == 11
    for figure in own:
        found = evaluate(figure["id"], figure["given"], model=figure.get("model"))
        if figure["rel"] == 0:
            assert found.exact(figure["unit"]) == Fraction(figure["value"])
        assert found.magnitude(figure["unit"]) == pytest.approx(figure["value"], rel=1e-12)


def test_both_training_recipes_take_sixteen_bytes() -> None:
    for id in ("memory.training_state", "memory.training_state_autocast"):
        assert evaluate(id, {"N": "7e9 parameter"}).exact("GB") == 112
    wide = evaluate("memory.training_state", {"N": "7e9 parameter"}, conventions={"gradients": "fp32"})
    assert wide.exact("GB") == 126
    assert wide.conventions == {"gradients": "fp32"}


def test_a_mixture_keeps_the_state_of_all_experts() -> None:
    assert evaluate("memory.training_state", model="mixtral-8x7b").exact() == 16 * 46702792704
    assert evaluate("memory.weights", model="mixtral-8x7b").exact() == 2 * 46702792704


def test_the_thirteen_rows() -> None:
    ledger = get("memory.activations_gpt3").ledgers[0]
    assert len(ledger.rows) == 13
    widths = {"bf16": 2, "fp32": 4}
    for precision, size in widths.items():
        for mask in (1, 2):
            qkv_input, q_and_k, v, projected = size, 2 * size, size, size
            block, gelu_in, gelu_out, norms = size, 4 * size, 4 * size, 2 * size
            per_sbh = qkv_input + q_and_k + v + projected + block + gelu_in + gelu_out + norms + 2 * mask
            per_score = size + mask + size
            found = evaluate(
                "memory.activations_gpt3",
                LAYER,
                conventions={"precision": precision, "mask_bytes": str(mask)},
            )
            assert found.exact() == per_sbh * SBH + per_score * AS2B
    assert evaluate("memory.activations_gpt3", LAYER).exact() == 34 * SBH + 5 * AS2B
    assert evaluate("memory.activations_gpt3", {**LAYER, "e": "4 byte"}).exact() == 66 * SBH + 9 * AS2B


def test_a_full_size_layer_is_met_to_the_byte() -> None:
    gpt3 = {"s": 2048, "b": 4, "h": 12288, "a": 96}
    assert evaluate("memory.activations_gpt3", gpt3).number == 11475615744


@pytest.mark.parametrize(
    ("id", "size"),
    [
        ("memory.activations_flash", 34 * SBH + 4 * ABS),
        ("memory.activations_selective", 34 * SBH),
    ],
)
def test_what_the_variants_keep(id: str, size: int) -> None:
    assert evaluate(id, LAYER | {"L": 3}).exact() == 3 * size


def test_checkpointing_keeps_the_input_of_each_layer() -> None:
    assert (
        evaluate("memory.activations_checkpointed", {"s": 1024, "b": 8, "h": 768, "L": 3}).exact() == 6 * SBH
    )


def test_which_rows_flash_attention_drops_is_told() -> None:
    fact = next(fact for fact in get("memory.activations_flash").facts if isinstance(fact, Difference))
    assert [row.what for row in fact.dropped] == [
        "softmax output P",
        "mask of the dropout on P",
        "P after dropout",
    ]
    assert [row.what for row in fact.added] == ["log-sum-exp"]
    assert "P after dropout; added: log-sum-exp" in fact.statement("M")
    selective = next(
        fact for fact in get("memory.activations_selective").facts if isinstance(fact, Difference)
    )
    assert [row.what for row in selective.dropped] == [row.what for row in fact.dropped]
    assert selective.added == ()


def test_a_llama_layer_tensor_by_tensor() -> None:
    tokens = 512 * 2
    kept = [4096, 4096, 4096, 32 * 128, 8 * 128, 8 * 128, 32 * 128, 4096, 14336, 14336, 14336]
    log_sum_exp = 4 * 32 * tokens
    assert evaluate("memory.activations_swiglu", LLAMA).exact() == 2 * tokens * sum(kept) + log_sum_exp
    plain = evaluate("memory.activations_swiglu", LLAMA, conventions={"swiglu": "plain"})
    assert plain.exact() == 2 * tokens * (sum(kept) + 14336) + log_sum_exp
    of_model = evaluate("memory.activations_swiglu", {"s": 512, "b": 2}, model="llama-3-8b")
    assert of_model.exact() == 32 * (2 * tokens * sum(kept) + log_sum_exp)


def test_logits_once_twice_and_in_chunks() -> None:
    batch = {"s": 1024, "b": 8, "V": 50257}
    once = 1024 * 8 * 50257 * 4
    assert evaluate("memory.logits", batch).exact() == once
    assert evaluate("memory.logits", batch, conventions={"logits": "with-gradient"}).exact() == 2 * once
    assert evaluate("memory.logits_chunked", {**batch, "c": 16}).exact() == Fraction(once, 16)


def test_the_cache_counts_key_value_heads_and_stores_the_precision_in_force() -> None:
    ours = evaluate("memory.kv_cache", {"T": 100, "B": 3}, model="llama-3-8b")
    assert ours.exact() == 2 * 32 * 8 * 128 * 100 * 3 * 2
    assert evaluate("memory.kv_cache_token", model="llama-3-8b").exact("KiB") == 128
    assert evaluate("memory.kv_cache_sequence", {"T": 8192}, model="llama-3-8b").exact("GiB") == 1
    half = evaluate(
        "memory.kv_cache", {"T": 100, "B": 3}, model="llama-3-8b", conventions={"precision": "fp8"}
    )
    assert half.exact() == ours.exact() / 2
    with pytest.raises(DeriveError, match="needs T"):
        evaluate("memory.kv_cache", {"B": 1}, model="llama-3-8b")


def test_inference_keeps_weights_and_caches() -> None:
    found = evaluate("memory.inference", {"B": 8, "T": 8192}, model="llama-3-8b")
    assert found.exact() == 2 * 8030261248 + 8 * 2**30
    assert evaluate("memory.inference", {"B": 2, "weights": "10 GB", "KV": "1 GB"}).exact("GB") == 12


def test_a_letter_that_a_proved_link_cancels_may_be_given_but_is_read() -> None:
    assert evaluate("memory.activations_selective", LAYER).exact("MiB") == 204
    with pytest.raises(DeriveError, match=r"a \(query heads\) is a plain number"):
        evaluate("memory.activations_selective", {**LAYER, "a": "12 byte"})
    with pytest.raises(DeriveError, match="no letter 'x'"):
        evaluate("memory.activations_selective", {**LAYER, "x": 1})
