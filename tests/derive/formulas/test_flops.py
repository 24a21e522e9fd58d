"""Operations a token: counted here matmul by matmul, and read from models and given letters alike."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from derive import DeriveError, evaluate
from derive.catalogue import chapter

LLAMA = 7504658432


def test_every_link_is_proved() -> None:
    links = [link for derivation in chapter("flops").values() for link in derivation.verify()]
    assert len(links) > 25
    assert [link for link in links if not link.verdict.proved] == []


def test_the_figures_are_met(shared: Path) -> None:
    figures = tomllib.loads((shared / "figures.toml").read_text("utf-8"))["figure"]
    own = [figure for figure in figures if figure["id"].startswith("flops.")]
    assert len(own) == 13
    for figure in own:
        found = evaluate(figure["id"], figure["given"], model=figure["model"])
        assert found.magnitude(figure["unit"]) == pytest.approx(figure["value"], rel=1e-12)


def test_training_is_three_matmuls_and_checkpointing_a_fourth() -> None:
    for id, times in [("flops.forward", 1), ("flops.training", 3), ("flops.training_checkpointed", 4)]:
        assert evaluate(id, model="llama-3-8b").exact() == times * 2 * LLAMA
        assert evaluate(id, {"N": "7e9 parameter"}).exact() == times * 14 * 10**9


def test_a_mixture_costs_its_active_parameters() -> None:
    assert evaluate("flops.forward", model="mixtral-8x7b").exact() == 2 * 12748587008


def test_attention_is_the_mean_over_positions() -> None:
    layers, width, length = 3, 40, 64
    exact = Fraction(sum(layers * 2 * 2 * position * width for position in range(1, length + 1)), length)
    given = {"L": layers, "d": width, "T": length}
    found = evaluate("flops.attention", given).exact()
    assert found == 2 * layers * length * width
    assert 0 < (exact - found) / exact <= Fraction(1, length)
    assert evaluate("flops.attention", given, conventions={"mask": "full"}).exact() == 2 * found
    assert evaluate("flops.attention_training", given).exact() == 3 * found


def test_a_layer_is_counted_unless_a_model_gives_its_layers() -> None:
    alone = evaluate("flops.attention", {"T": 8192, "d": 4096})
    assert alone.exact() == 2 * 8192 * 4096
    assert {filled.letter.name: filled.source for filled in alone.inputs}["L"] == "default"
    assert evaluate("flops.attention", {"T": 8192}, model="llama-3-8b").exact() == 32 * alone.exact()


def test_the_width_is_heads_times_head_dimension_and_not_the_hidden_size() -> None:
    gemma = evaluate("flops.attention", {"T": 100}, model="gemma-7b")
    assert gemma.exact() == 2 * 28 * 100 * 16 * 256
    assert gemma.computed["d"].number == 4096


def test_share_and_crossover_agree() -> None:
    assert (
        evaluate("flops.attention_crossover", model="llama-3-8b").exact()
        == Fraction(LLAMA, 32 * 4096)
        == 57256
    )
    assert evaluate("flops.attention_share", {"T": 57256}, model="llama-3-8b").exact() == 1
    with pytest.raises(DeriveError, match="needs L"):
        evaluate("flops.attention_share", {"T": 8192, "N": "8e9 parameter", "d": 4096})
