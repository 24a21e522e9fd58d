"""Training state after a real step: 16 byte a parameter and 4 byte a tensor."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

import torch

from measuring import session, state

H = 96
N = 4 * H * H + 8 * H * H + 9 * H + 4 * H  # four matrices, two of 4h; biases and both LayerNorms
TENSORS = 12


@pytest.mark.parametrize("recipe", [state.autocast, state.mixed])
def test_both_recipes_keep_16_bytes_a_parameter(recipe: object) -> None:
    assert callable(recipe)
    found = recipe()
    assert (found.parameters, found.tensors) == (N, TENSORS)
    assert sum(found.parts.values()) == 16 * N + 4 * TENSORS
    assert found.alive == 16 * N + 4 * TENSORS


def test_the_rows_are_those_of_the_recipes() -> None:
    assert list(state.autocast().parts.values()) == [4 * N, 4 * N, 8 * N, 4 * TENSORS]
    assert list(state.mixed().parts.values()) == [2 * N, 2 * N, 4 * N, 4 * N, 4 * N, 4 * TENSORS]


def test_a_run_finds_no_difference() -> None:
    found = state.run(session.start("cpu"))
    assert found.wrong == []
    assert [one.value for one in found.measurements] == [16 * N + 48] * 2
    assert all(one.suspect({}) for one in found.measurements)


def test_a_moment_in_8_bits_is_near_and_small() -> None:
    moment = torch.linspace(-3.0, 5.0, 1000)
    codes, scales = state.quantized(moment)
    assert (codes.numel(), codes.element_size(), scales.numel()) == (1000, 1, 4)
    back = codes.float() * scales.repeat_interleave(state.BLOCK)[:1000] / 127
    assert float((back - moment).abs().max()) <= 5.0 / 127 / 2 * 1.0001
    assert state.quantized(torch.zeros(3))[0].tolist() == [0, 0, 0]
