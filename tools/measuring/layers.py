"""The layers whose activations are counted: a GPT-3 layer and a Llama layer, in the forms of the ledgers.

Tensors are laid out [s, b, h], so that heads are views and no operation copies
what it saves. Where PyTorch's own operation keeps more than it needs, there is a
form here that recomputes it instead; which one is used is a choice of `Form`.
Every tensor that a ledger lists is named with its row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from measuring.saved import Keep


@dataclass(frozen=True)
class Form:
    """How a layer is written.

    dropout: PyTorch's native operation, which keeps a mask of one byte;
    F.dropout, which keeps the noise on a CPU; or none. norm: one that recomputes
    its statistics, or PyTorch's. attention: scores in memory, the flash kernel of a
    CPU or of a GPU, or the `math` form of F.scaled_dot_product_attention.
    """

    dropout: Literal["native", "functional", "none"] = "native"
    norm: Literal["recomputed", "native"] = "recomputed"
    attention: Literal["scores", "flash", "flash-gpu", "math"] = "scores"
    softmax: Literal["same", "fp32"] = "same"
    causal: bool = False
    recompute: Literal["nothing", "scores", "layer"] = "nothing"
    swiglu: Literal["fused", "plain"] = "fused"


class LeanLayerNorm(torch.autograd.Function):
    """LayerNorm that keeps its input and computes mean and deviation again in the backward pass."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        ctx.save_for_backward(x, weight, bias)
        return F.layer_norm(x, (x.shape[-1],), weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        x, weight, bias = ctx.saved_tensors
        return _again(
            lambda *inputs: F.layer_norm(inputs[0], (x.shape[-1],), *inputs[1:]), grad, x, weight, bias
        )


class LeanRMSNorm(torch.autograd.Function):
    """RMSNorm that keeps its input and computes the root mean square again."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor) -> Tensor:
        ctx.save_for_backward(x, weight)
        return F.rms_norm(x, (x.shape[-1],), weight)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        x, weight = ctx.saved_tensors
        return _again(lambda *inputs: F.rms_norm(inputs[0], (x.shape[-1],), inputs[1]), grad, x, weight)


class LeanRotation(torch.autograd.Function):
    """Rotary positions: a rotation, whose gradient is the rotation back, so that only its tables are kept."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        ctx.save_for_backward(cos, sin)
        return x * cos + _turned(x) * sin

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        cos, sin = ctx.saved_tensors
        return grad * cos - _turned(grad * sin), None, None


class LeanSwiGLU(torch.autograd.Function):
    """silu(g)·u that keeps g and u, and computes silu(g) again."""

    @staticmethod
    def forward(ctx: Any, g: Tensor, u: Tensor) -> Tensor:
        ctx.save_for_backward(g, u)
        return F.silu(g) * u

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        return _again(lambda g, u: F.silu(g) * u, grad, *ctx.saved_tensors)


class Gpt3Layer(nn.Module):
    """LayerNorm, attention, dropout, LayerNorm, GELU block, dropout; biases everywhere, 4h wide."""

    def __init__(self, h: int, a: int, form: Form, *, device: str, dtype: torch.dtype) -> None:
        super().__init__()
        options: dict[str, Any] = {"device": device, "dtype": dtype}
        self.a, self.form = a, form
        self.norm_1, self.norm_2 = nn.LayerNorm(h, **options), nn.LayerNorm(h, **options)
        self.qkv, self.out = nn.Linear(h, 3 * h, **options), nn.Linear(h, h, **options)
        self.up, self.down = nn.Linear(h, 4 * h, **options), nn.Linear(4 * h, h, **options)

    def forward(self, x: Tensor, keep: Keep) -> Tensor:
        """The layer's output for x of [s, b, h]."""
        n = keep("attention LayerNorm output", _as_computed(self._norm(self.norm_1, keep(_NORM_INPUTS, x))))
        q, k, v = (part.contiguous() for part in self.qkv(n).chunk(3, -1))
        for row, part in (("Q and K", q), ("Q and K", k), ("V", v)):
            keep(row, part)
        if self.form.recompute == "scores":
            mixed = _checkpoint(self._attention, q, k, v, _unnamed)
        else:
            mixed = self._attention(q, k, v, keep)
        mixed = keep("attention output", mixed)
        x = x + self._dropout(self.out(mixed), keep, "mask of the dropout after attention")
        n = keep(
            "feed-forward LayerNorm output", _as_computed(self._norm(self.norm_2, keep(_NORM_INPUTS, x)))
        )
        wide = keep("GELU output", F.gelu(keep("GELU input", self.up(n))))
        return x + self._dropout(self.down(wide), keep, "mask of the dropout after the block")

    def _attention(self, q: Tensor, k: Tensor, v: Tensor, keep: Keep) -> Tensor:
        s, b, h = q.shape
        d, form = h // self.a, self.form
        if form.attention != "scores":
            heads = [part.view(s, b, self.a, d).permute(1, 2, 0, 3) for part in (q, k, v)]
            return _fused_attention(form, *heads, keep=keep).permute(2, 0, 1, 3).reshape(s, b, h)
        q, k, v = (part.view(s, b * self.a, d).transpose(0, 1) for part in (q, k, v))
        scores = torch.baddbmm(q.new_empty(1, 1, 1), q, k.transpose(1, 2), beta=0, alpha=d**-0.5)
        if form.causal:
            scores = scores.masked_fill(keep("causal mask", _future(s, q)), float("-inf"))
        if form.softmax == "fp32":
            p = keep("softmax output P", torch.softmax(scores.float(), -1)).to(v.dtype)
        else:
            p = keep("softmax output P", torch.softmax(scores, -1))
        mixing = self._dropout(p, keep, "mask of the dropout on P")
        if mixing is not p:
            keep("P after dropout", mixing)
        return torch.bmm(mixing, v).transpose(0, 1).reshape(s, b, h)

    def _norm(self, norm: nn.LayerNorm, x: Tensor) -> Tensor:
        if self.form.norm == "native":
            return norm(x)
        made: Tensor = LeanLayerNorm.apply(x, norm.weight, norm.bias)
        return made

    def _dropout(self, x: Tensor, keep: Keep, row: str) -> Tensor:
        if self.form.dropout == "none":
            return x
        if self.form.dropout == "functional":
            dropped = F.dropout(x, 0.1)
            # on a CPU it is x times noise of 0 and 1/0.9, and the product keeps the noise
            noise: Any = dropped.grad_fn
            keep(row, noise._saved_other)
            return dropped
        dropped, mask = torch.native_dropout(x, 0.1, True)
        keep(row, mask)
        return dropped


class LlamaLayer(nn.Module):
    """RMSNorm, rotary positions, grouped-query attention, SwiGLU block; no biases, no dropout."""

    def __init__(
        self, h: int, a: int, a_kv: int, d_h: int, f: int, form: Form, *, device: str, dtype: torch.dtype
    ) -> None:
        super().__init__()
        options: dict[str, Any] = {"device": device, "dtype": dtype, "bias": False}
        self.a, self.a_kv, self.d_h, self.form = a, a_kv, d_h, form
        self.norm_1 = nn.Parameter(torch.ones(h, device=device, dtype=dtype))
        self.norm_2 = nn.Parameter(torch.ones(h, device=device, dtype=dtype))
        self.q, self.out = nn.Linear(h, a * d_h, **options), nn.Linear(a * d_h, h, **options)
        self.k, self.v = (nn.Linear(h, a_kv * d_h, **options) for _ in range(2))
        self.gate, self.up = (nn.Linear(h, f, **options) for _ in range(2))
        self.down = nn.Linear(f, h, **options)

    def forward(self, x: Tensor, keep: Keep) -> Tensor:
        """The layer's output for x of [s, b, h]."""
        s, b, _ = x.shape
        n = keep(
            "attention RMSNorm output", LeanRMSNorm.apply(keep("inputs of both RMSNorms", x), self.norm_1)
        )
        cos, sin = (keep("cos and sin", table) for table in _tables(s, self.d_h, x))
        heads = [
            project(n).view(s, b, -1, self.d_h).permute(1, 2, 0, 3) for project in (self.q, self.k, self.v)
        ]
        q = keep("Q", LeanRotation.apply(heads[0], cos, sin))
        k = keep("K", LeanRotation.apply(heads[1], cos, sin))
        v = keep("V", heads[2])
        if self.form.attention == "scores":
            mixed = _grouped_scores(q, k, v, causal=self.form.causal)
        else:
            mixed = _fused_attention(self.form, q, k, v, keep=keep)
        mixed = keep("attention output", mixed.permute(2, 0, 1, 3).reshape(s, b, self.a * self.d_h))
        x = x + self.out(mixed)
        n = keep(
            "feed-forward RMSNorm output", LeanRMSNorm.apply(keep("inputs of both RMSNorms", x), self.norm_2)
        )
        g, u = keep("gate g", self.gate(n)), keep("up u", self.up(n))
        fused = self.form.swiglu == "fused"
        product = LeanSwiGLU.apply(g, u) if fused else keep("silu(g)", F.silu(g)) * u
        return x + self.down(keep("silu(g)·u", product))


_NORM_INPUTS = "inputs of both LayerNorms"


def _fused_attention(form: Form, q: Tensor, k: Tensor, v: Tensor, *, keep: Keep) -> Tensor:
    """Attention of heads [b, a, s, d] in one call."""
    if form.attention == "flash":
        # the kernel by its own name: F.scaled_dot_product_attention takes another path on the meta device
        out, log_sum_exp = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            q, k, v, is_causal=form.causal
        )
        keep("log-sum-exp", log_sum_exp)
        return out
    if form.attention == "flash-gpu":
        shared = q.shape[1] // k.shape[1]
        k, v = k.repeat_interleave(shared, 1), v.repeat_interleave(shared, 1)
        return torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, 0.0, form.causal)[0]
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        drop = 0.0 if form.dropout == "none" else 0.1
        return F.scaled_dot_product_attention(q, k, v, dropout_p=drop, is_causal=form.causal)


def _grouped_scores(q: Tensor, k: Tensor, v: Tensor, *, causal: bool) -> Tensor:
    """Attention with scores in memory, keys and values repeated for the query heads that share them."""
    shared = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(shared, 1), v.repeat_interleave(shared, 1)
    scores = q @ k.transpose(2, 3) * q.shape[-1] ** -0.5
    if causal:
        scores = scores.masked_fill(_future(q.shape[2], q), float("-inf"))
    return torch.softmax(scores, -1) @ v


def _future(s: int, like: Tensor) -> Tensor:
    """True where a key comes after the query, [s, s]."""
    return torch.ones(s, s, dtype=torch.bool, device=like.device).triu(1)


def _tables(s: int, d: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """cos and sin of the rotary angles, [s, d]."""
    rates = 10000.0 ** (-torch.arange(0, d, 2, device=like.device) / d)
    angles = torch.outer(torch.arange(s, device=like.device).float(), rates).repeat(1, 2)
    return angles.cos().to(like.dtype), angles.sin().to(like.dtype)


def _turned(x: Tensor) -> Tensor:
    left, right = x.chunk(2, -1)
    return torch.cat((-right, left), -1)


def _again(function: Any, grad: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
    """The gradients of a function that is computed once more."""
    with torch.enable_grad():
        fresh = [tensor.detach().requires_grad_() for tensor in inputs]
        return torch.autograd.grad(function(*fresh), fresh, grad)


def _as_computed(x: Tensor) -> Tensor:
    """What autocast makes of the input of a matmul, made once for all matmuls that read it."""
    return x.to(torch.get_autocast_dtype("cpu")) if torch.is_autocast_enabled("cpu") else x


def _checkpoint(function: Any, *inputs: Any) -> Tensor:
    from torch.utils.checkpoint import checkpoint

    made: Tensor = checkpoint(function, *inputs, use_reentrant=False, preserve_rng_state=False)
    return made


def _unnamed(_row: str, tensor: Tensor) -> Tensor:
    return tensor
