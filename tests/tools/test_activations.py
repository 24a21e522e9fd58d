"""Saved bytes against closed forms that are written out here once more, in plain Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

import torch

from measuring import activations, session
from measuring.conventions import Case, cases
from measuring.saved import LiveBytes, SavedTensors

Closed = Callable[[int, int, int, int], int]

GPT3: dict[str, Closed] = {
    "everything kept, masks of one byte": lambda s, b, h, a: 34 * s * b * h + 5 * a * s * s * b,
    "nn.LayerNorm, meta device": lambda s, b, h, a: 34 * s * b * h + 5 * a * s * s * b + 16 * s * b,
    "nn.LayerNorm, CPU": lambda s, b, h, a: 34 * s * b * h + 5 * a * s * s * b + 8 * s * b,
    "F.dropout": lambda s, b, h, a: 36 * s * b * h + 6 * a * s * s * b,
    "softmax in fp32, cast back": lambda s, b, h, a: 34 * s * b * h + 7 * a * s * s * b,
    "causal mask by masked_fill": lambda s, b, h, a: 34 * s * b * h + 5 * a * s * s * b + s * s,
    "no dropout": lambda s, b, h, a: 32 * s * b * h + 2 * a * s * s * b,
    "whole layer in fp32": lambda s, b, h, a: 66 * s * b * h + 9 * a * s * s * b,
    "autocast, fp32 parameters": lambda s, b, h, a: (
        38 * s * b * h + 5 * a * s * s * b + 16 * s * b + 24 * h * h
    ),
    "flash attention": lambda s, b, h, a: 34 * s * b * h + 4 * a * b * s,
    "flash attention and nn.LayerNorm, CPU": lambda s, b, h, a: 34 * s * b * h + 4 * a * b * s + 8 * s * b,
    "F.scaled_dot_product_attention, math": lambda s, b, h, a: 40 * s * b * h + 12 * a * s * s * b,
    "scores recomputed": lambda s, b, h, a: 34 * s * b * h,
}
LLAMA_WIDE = {"Llama layer, SwiGLU fused": 6, "Llama layer, silu(g)·u in two steps": 8}
CASES = {case.name: case for case in cases()}


def closed_form(case: Case, point: activations.Point) -> int:
    """The bytes of a case at a point."""
    if case.name in GPT3:
        return GPT3[case.name](*(point[name] for name in "sbha"))
    s, b, h, a, a_kv, d, f = (point[name] for name in ("s", "b", "h", "a", "a_kv", "d_h", "f"))
    assert a * d == h
    return (
        12 * s * b * h + 4 * s * b * a_kv * d + LLAMA_WIDE[case.name] * s * b * f + 4 * a * b * s + 4 * s * d
    )


def total(case: Case, point: activations.Point, device: str) -> int:
    return sum(tensor.size for tensor in activations.saved(case, point, device))


def test_every_case_has_a_closed_form_here() -> None:
    assert set(CASES) == set(GPT3) | set(LLAMA_WIDE)


@pytest.mark.parametrize("name", CASES)
def test_saved_bytes_are_the_closed_form_and_every_row_its_own(name: str) -> None:
    case = CASES[name]
    for point in activations.points_of(case):
        tensors = activations.saved(case, point, case.device)
        assert sum(tensor.size for tensor in tensors) == closed_form(case, point)
        assert activations.derived(case, point) == closed_form(case, point)
        assert activations.by_row(case, point, tensors) == activations.derived_rows(case, point)


@pytest.mark.parametrize("name", CASES)
def test_the_ledger_of_a_case_is_proved(name: str) -> None:
    links = CASES[name].derivation.verify()
    assert links
    assert [link.verdict.outcome for link in links] == ["proved"] * len(links)


@pytest.mark.parametrize("name", CASES)
def test_real_tensors_keep_what_meta_tensors_keep(name: str) -> None:
    # statistics have 16 bits on a CPU, where the case of the meta device is another one
    case = CASES[name.replace("nn.LayerNorm, meta device", "nn.LayerNorm, CPU")]
    point = activations.points_of(case)[0]
    assert total(case, point, "cpu") == closed_form(case, point)


@pytest.mark.parametrize("name", CASES)
def test_the_second_oracle_agrees(name: str) -> None:
    case = CASES[name]
    point = activations.points_of(case)[0]
    assert activations.alive(case, point, case.device) == closed_form(case, point)


def test_ten_points_agree_to_the_byte_with_the_largest_known_layer() -> None:
    case = CASES["everything kept, masks of one byte"]
    found = {tuple(point.values()): total(case, point, "meta") for point in activations.POINTS}
    assert len(found) == 10
    assert found[2048, 4, 12288, 96] == 11_475_615_744
    assert found == {key: GPT3[case.name](*key) for key in found}


def test_a_run_lists_every_difference_with_its_reason() -> None:
    found = activations.run(session.start("cpu"))
    assert found.wrong == []
    by_note = {one.note: one for one in found.measurements}
    statistics = [note for note in by_note if "1/deviation" in note and note.startswith("+768 byte")]
    assert len(statistics) == 1  # 16·24·2 at the small point
    assert (
        by_note[statistics[0]].suspect(activations.derived_rows(CASES["F.dropout"], activations.SMALL)) != ""
    )
    checkpointed = [one for one in found.measurements if one.id == "memory.activations_checkpointed"]
    assert [one.value for one in checkpointed] == [2 * 24 * 2 * 64]


def test_a_wrong_row_is_found() -> None:
    right = CASES["softmax in fp32, cast back"]
    wrong = dataclasses.replace(right, form=CASES["no dropout"].form)
    assert activations.by_row(
        wrong, activations.SMALL, activations.saved(wrong, activations.SMALL, "meta")
    ) != (activations.derived_rows(wrong, activations.SMALL))


def test_tensors_of_one_storage_count_once_and_parameters_not_at_all() -> None:
    weight = torch.randn(8, 8, requires_grad=True)
    x = torch.randn(4, 8, requires_grad=True)
    with SavedTensors([weight]) as tensors:
        output = (x @ weight) * (x.view(2, 16).view(4, 8) @ weight)
    sizes = sorted(one.size for one in tensors.listed(output))
    assert sizes == [4 * 8 * 4] * 3  # x, which both matmuls save, and the two factors


def test_live_bytes_forget_what_is_freed() -> None:
    with LiveBytes() as live:
        kept: list[Any] = [torch.ones(10, device="meta")]
        torch.ones(1000, device="meta")
        kept.append(kept[0] + 1)
    assert live.alive() == 80
    assert live.alive(but=[kept[1]]) == 40
