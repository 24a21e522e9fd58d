"""The forms that recompute keep less and change nothing: same outputs, same gradients."""

from __future__ import annotations

import dataclasses

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from measuring.layers import Form, Gpt3Layer, LeanRMSNorm, LeanRotation, LeanSwiGLU, LlamaLayer

DOUBLE = torch.float64


def unnamed(_row: str, tensor: Tensor) -> Tensor:
    return tensor


def results(layer: nn.Module, x: Tensor) -> list[Tensor]:
    """The output of a layer, the gradient of its input and those of its parameters."""
    x = x.detach().requires_grad_()
    output = layer(x, unnamed)
    weights = torch.linspace(0, 1, output.numel(), dtype=output.dtype).view_as(output)
    return [output, *torch.autograd.grad((output * weights).sum(), [x, *layer.parameters()])]


@pytest.mark.parametrize("recompute", ["nothing", "scores"])
@pytest.mark.parametrize("attention", ["scores", "flash", "math"])
def test_every_form_of_the_gpt3_layer_computes_the_same(attention: str, recompute: str) -> None:
    plain = Form(dropout="none", norm="native", causal=True)
    torch.manual_seed(0)
    layer = Gpt3Layer(32, 4, plain, device="cpu", dtype=DOUBLE)
    x = torch.randn(6, 2, 32, dtype=DOUBLE)
    expected = results(layer, x)
    layer.form = dataclasses.replace(plain, norm="recomputed", attention=attention, recompute=recompute)
    for found, due in zip(results(layer, x), expected, strict=True):
        torch.testing.assert_close(found, due)


def test_both_forms_of_the_llama_layer_compute_the_same() -> None:
    torch.manual_seed(0)
    plain = Form(dropout="none", swiglu="plain", causal=True)
    layer = LlamaLayer(32, 4, 2, 8, 48, plain, device="cpu", dtype=DOUBLE)
    x = torch.randn(6, 2, 32, dtype=DOUBLE)
    expected = results(layer, x)
    layer.form = dataclasses.replace(plain, swiglu="fused", attention="flash")
    for found, due in zip(results(layer, x), expected, strict=True):
        torch.testing.assert_close(found, due)


def test_gradients_of_the_recomputing_functions_are_right() -> None:
    torch.manual_seed(0)
    x, u = (torch.randn(3, 4, dtype=DOUBLE, requires_grad=True) for _ in range(2))
    weight = torch.rand(4, dtype=DOUBLE, requires_grad=True)
    angles = torch.rand(3, 2, dtype=DOUBLE).repeat(1, 2)
    assert torch.autograd.gradcheck(LeanRMSNorm.apply, (x, weight))
    assert torch.autograd.gradcheck(LeanSwiGLU.apply, (x, u))
    assert torch.autograd.gradcheck(LeanRotation.apply, (x, angles.cos(), angles.sin()))


def test_the_mask_hides_what_comes_later() -> None:
    torch.manual_seed(0)
    layers = [
        Gpt3Layer(32, 4, Form(dropout="none", causal=True), device="cpu", dtype=DOUBLE),
        LlamaLayer(32, 4, 2, 8, 48, Form(dropout="none", causal=True), device="cpu", dtype=DOUBLE),
    ]
    x = torch.randn(6, 1, 32, dtype=DOUBLE)
    changed = torch.cat((x[:3], torch.randn(3, 1, 32, dtype=DOUBLE)))
    for layer in layers:
        assert torch.equal(layer(x, unnamed)[:3], layer(changed, unnamed)[:3])
        assert not torch.equal(layer(x, unnamed)[3:], layer(changed, unnamed)[3:])


def test_a_rotation_keeps_lengths_and_turns_by_the_angle() -> None:
    x = torch.tensor([[1.0, 0.0]], dtype=DOUBLE)
    angle = torch.full((1, 2), 0.5, dtype=DOUBLE)
    turned = LeanRotation.apply(x, angle.cos(), angle.sin())
    torch.testing.assert_close(turned, torch.stack((angle.cos()[0, :1], angle.sin()[0, :1]), -1))
    assert F.mse_loss(turned.norm(), x.norm()).item() == pytest.approx(0)
