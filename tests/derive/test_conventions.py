"""Conventions: every result says which were in force, and one choice changes one number."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import derive
from derive.conventions import CONVENTIONS, Choice, chosen
from derive.errors import DeclarationError, DeriveError
from derive.evaluation import evaluate
from derive.filling import Given

GPT3 = {"s": 1024, "b": 8, "h": 768, "a": 12, "L": 12}
LLAMA = "llama-3-8b"


def test_each_has_a_default_among_its_choices_and_a_reason() -> None:
    for name, convention in CONVENTIONS.items():
        assert convention.name == name
        assert convention.default in convention.choices
        assert len(convention.choices) > 1
        assert convention.decides
        assert convention.reason
        assert all(convention.choices.values())
        for values in convention.roles.values():
            assert set(values) == set(convention.choices)


CASES: list[tuple[str, Given, str | None, str | None, str, str, int, int]] = [
    # id, given, on, model, convention, choice, the number by default, the number under the choice
    ("memory.activations_gpt3", GPT3, None, None, "mask_bytes", "2",
     12 * (34 * 1024 * 8 * 768 + 5 * 12 * 1024**2 * 8), 12 * (36 * 1024 * 8 * 768 + 6 * 12 * 1024**2 * 8)),
    ("memory.activations_gpt3", GPT3, None, None, "precision", "fp32",
     12 * (34 * 1024 * 8 * 768 + 5 * 12 * 1024**2 * 8), 12 * (66 * 1024 * 8 * 768 + 9 * 12 * 1024**2 * 8)),
    ("parameters.llama", {}, None, LLAMA, "tied", "tied", 8030261248, 8030261248 - 128256 * 4096),
    ("parameters.gpt2", {}, None, "gpt2-small", "tied", "untied", 124439808, 124439808 + 50257 * 768),
    ("flops.attention", {"T": 8192}, None, LLAMA, "mask", "full", 2 * 32 * 8192 * 4096, 4 * 32 * 8192 * 4096),
    ("attention.flops", {"T": 64, "d": 16}, None, None, "mask", "causal", 4 * 64**2 * 16, 2 * 64**2 * 16),
    ("memory.training_state", {"N": "1000 parameter"}, None, None, "gradients", "fp32", 16000, 18000),
    ("memory.kv_cache", {"T": 1024, "B": 1}, None, LLAMA, "precision", "fp8",
     2 * 32 * 8 * 128 * 1024 * 2, 2 * 32 * 8 * 128 * 1024),
    ("decode.step_traffic", {"T": 1024, "B": 1}, None, LLAMA, "embedding", "lookup",
     2 * 8030261248 + 2 * 32 * 8 * 128 * 1024 * 2, 2 * (8030261248 - 128256 * 4096) + 2 * 32 * 8 * 128 * 1024 * 2),
    ("decode.fits", {"T": 8192}, "h100-sxm", LLAMA, "capacity", "binary", 59, 65),
    ("memory.logits", {"s": 1024, "b": 2, "V": 32000}, None, None, "logits", "with-gradient",
     4 * 1024 * 2 * 32000, 8 * 1024 * 2 * 32000),
]  # fmt: skip


@pytest.mark.parametrize(("id", "given", "on", "model", "name", "choice", "usual", "other"), CASES)
def test_a_choice_changes_the_number_and_the_result_says_so(
    id: str, given: Given, on: str | None, model: str | None, name: str, choice: str, usual: int, other: int
) -> None:
    before = evaluate(id, given, on, model)
    assert before.number == usual
    assert before.conventions[name] != choice
    after = evaluate(id, given, on, model, {name: choice})
    assert after.number == other
    assert after.conventions == {**before.conventions, name: choice}
    assert after.as_json()["conventions"] == after.conventions


def test_the_peak_follows_precision_and_sparsity() -> None:
    ridges: Mapping[tuple[str, str], float] = {
        ("bf16", "dense"): 989e12, ("bf16", "2:4"): 1979e12, ("fp8", "dense"): 1979e12, ("fp8", "2:4"): 3958e12,
    }  # fmt: skip
    for (precision, sparsity), peak in ridges.items():
        chosen_ = {"precision": precision, "sparsity": sparsity}
        found = evaluate("roofline.ridge", on="h100-sxm", conventions=chosen_)
        assert found.magnitude() == pytest.approx(peak / 3.35e12, rel=1e-12)
        assert found.conventions == chosen_


def test_a_model_says_what_nobody_chose() -> None:
    assert evaluate("parameters.total", model="gpt2-small").conventions["tied"] == "tied"
    assert evaluate("parameters.total", model=LLAMA).conventions["tied"] == "untied"


def test_what_bears_on_nothing_and_what_is_unknown_is_refused() -> None:
    with pytest.raises(DeriveError, match=r"'mask_bytes' does not bear on roofline\.ridge"):
        evaluate("roofline.ridge", on="h100-sxm", conventions={"mask_bytes": "2"})
    with pytest.raises(DeriveError, match="unknown convention 'masks'"):
        chosen({"masks": "2"})
    with pytest.raises(DeriveError, match="mask_bytes has no choice '3': one of 1, 2"):
        chosen({"mask_bytes": "3"})


def test_a_declaration_names_known_choices() -> None:
    with pytest.raises(DeclarationError, match="unknown convention"):
        Choice("colour", "red", {})
    with pytest.raises(DeclarationError, match="has no choice 'half'"):
        Choice("mask", "full", {"half": derive.get("roofline.ridge")})
