"""Parameter counts: exact integers, held against counts written out here, and the right formula a family."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from derive import DeriveError, Difference, evaluate, get
from derive.catalogue import chapter
from derive.constants import catalogue


def test_every_link_is_proved() -> None:
    links = [link for derivation in chapter("parameters").values() for link in derivation.verify()]
    assert len(links) > 40
    assert [link for link in links if not link.verdict.proved] == []


def test_the_figures_are_met_to_the_parameter(shared: Path) -> None:
    figures = tomllib.loads((shared / "figures.toml").read_text("utf-8"))["figure"]
    own = [figure for figure in figures if figure["id"].startswith("parameters.")]
    assert len(own) == 4
    for figure in own:
        found = evaluate(figure["id"], figure["given"], model=figure["model"])
        assert found.number == int(figure["value"])
        assert isinstance(found.number, int)
        assert found.text == f"{figure['prints']} parameter"


def test_every_published_model_has_the_count_of_its_checkpoint() -> None:
    counted = 0
    for name, entry in catalogue("model").items():
        roles = {constant.role for constant in entry.constants}
        if "parameters" not in roles:
            continue
        assert evaluate("parameters.total", model=name).number == entry.pick("parameters").value, name
        counted += 1
    assert counted >= 15


def test_gpt2_tensor_by_tensor() -> None:
    sizes, total = {"L": 3, "h": 8, "f": 20, "V": 50, "n_ctx": 16}, 50 * 8 + 16 * 8
    for _ in range(3):
        total += (8 * 24 + 24) + (8 * 8 + 8) + (8 * 20 + 20) + (20 * 8 + 8) + 2 * (8 + 8)
    total += 8 + 8
    assert evaluate("parameters.gpt2", sizes).number == total
    assert evaluate("parameters.gpt2", sizes, conventions={"tied": "untied"}).number == total + 50 * 8
    given = {name: value for name, value in sizes.items() if name != "n_ctx"}
    assert evaluate("parameters.matmul_gpt2", given).number == 50 * 8 + 3 * (4 * 64 + 2 * 160)


def test_a_mixture_stores_all_experts_and_multiplies_by_those_visited() -> None:
    sizes = {"L": 2, "h": 6, "a": 4, "a_kv": 2, "d_h": 3, "f": 10, "V": 11, "E": 5}
    attention = 6 * 12 + 2 * 6 * 6 + 12 * 6
    expert = 3 * 6 * 10
    ends = 2 * 11 * 6 + 6
    stored = ends + 2 * (attention + 6 * 5 + 5 * expert + 12)
    assert evaluate("parameters.mixtral", sizes).number == stored
    assert evaluate("parameters.mixtral_active", {**sizes, "k": 2}).number == stored - 2 * 3 * expert
    active = 11 * 6 + 2 * (attention + 6 * 5 + 2 * expert)
    assert evaluate("parameters.matmul_mixtral", {**sizes, "k": 2}).number == active
    assert evaluate("parameters.total", model="mixtral-8x7b").number == 46702792704
    assert evaluate("parameters.matmul", model="mixtral-8x7b").number == 12748587008


def test_the_model_decides_whether_it_is_tied_and_a_convention_overrides_it() -> None:
    assert evaluate("parameters.llama", model="llama-3-8b").conventions == {"tied": "untied"}
    assert evaluate("parameters.total", model="llama-3.2-1b").conventions == {"tied": "tied"}
    both = evaluate("parameters.llama", model="llama-3-8b", conventions={"tied": "tied"})
    assert both.number == 8030261248 - 128256 * 4096
    twice = evaluate("parameters.total", model="gpt2-small", conventions={"tied": "untied"})
    assert twice.number == 124439808 + 50257 * 768


def test_a_formula_refuses_a_model_of_another_family() -> None:
    with pytest.raises(
        DeriveError, match="counts models of llama, mistral, and gpt2-small is of the family gpt2"
    ):
        evaluate("parameters.llama", model="gpt2-small")
    with pytest.raises(DeriveError, match="family mixtral"):
        evaluate("parameters.matmul_llama", model="mixtral-8x7b")
    with pytest.raises(DeriveError, match="no form for tied = untied"):
        evaluate("parameters.gemma", model="gemma-2b", conventions={"tied": "untied"})
    with pytest.raises(DeriveError, match="--model"):
        evaluate("parameters.matmul")


def test_the_answer_bears_the_id_that_was_asked() -> None:
    assert evaluate("parameters.matmul", model="gpt2-small").as_json()["id"] == "parameters.matmul"


def test_what_no_matmul_multiplies_is_told_row_by_row() -> None:
    fact = next(fact for fact in get("parameters.matmul_llama").facts if isinstance(fact, Difference))
    assert [row.what for row in fact.dropped] == [
        "token embedding",
        "attention RMSNorms",
        "feed-forward RMSNorms",
        "final RMSNorm",
    ]
    assert fact.added == ()
