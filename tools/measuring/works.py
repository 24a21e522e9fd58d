"""The grid of shapes whose times are predicted: each with its operations, its bytes and how to do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import derive
from measuring.layers import Form, Gpt3Layer
from measuring.timing import Call


@dataclass(frozen=True)
class Work:
    """Something to time.

    flops and traffic: by the catalogue's formulas. make: allocates its tensors and gives the
    call. calls: operations launched. exponentials, error_functions: how many are computed.
    fresh: bytes of results in memory that is new to the process. hint: what is known to
    keep it from its rate.
    """

    name: str
    flops: int
    traffic: int
    make: Callable[[], Call]
    calls: int = 1
    exponentials: int = 0
    error_functions: int = 0
    fresh: int = 0
    precision: str = "fp32"
    hint: str = ""


@dataclass(frozen=True)
class Step:
    """A training step: the call, and what utilization.mfu asks of it."""

    name: str
    call: Call
    parameters: int
    layers: int
    width: int
    length: int
    tokens: int


_MAPPED = 2**25
"""Bytes from which an allocation is handed back to the system when freed, so that its pages are new each time."""

_THIN = "few rows: a matrix is then read as in a matrix-vector product, and kernels are made for square tiles"
_PASSES = "attention in several operations: the scores travel more often than the ledger's eight transfers"


def grid(device: str, *, quick: bool) -> list[Work]:
    """All work for a device."""
    large = 4 if device != "cpu" else 1
    matmuls = [
        (256, 256, 256),
        (512, 512, 512),
        (1024, 1024, 1024),
        (64, 1024, 1024),
        (8, 2048, 2048),
        (1, 4096, 4096),
    ]
    elements = [10**5, 10**6, 2 * 10**7]
    softmaxes = [(1024, 1024), (4096, 4096)]
    lengths = [512, 1024, 2048]
    if not quick:
        matmuls += [(2048, 2048, 2048), (128, 4096, 1024), (32, 4096, 4096)]
        elements += [4 * 10**6, 5 * 10**7]
        softmaxes += [(64, 32768), (16384, 1024)]
        lengths += [4096]
    found = [_matmul(device, m * large, k * large, n * large) for m, k, n in matmuls]
    found.append(_matmul(device, 1024 * large, 1024 * large, 1024 * large, "bf16"))
    for count in elements:
        found += [_sum(device, count * large), _gelu(device, count * large)]
    found.append(_fresh_sum(device, 2 * 10**7 * large))
    found += [_softmax(device, rows * large, columns) for rows, columns in softmaxes]
    for T in lengths:
        found += [_naive(device, T * large, 64), _fused(device, T * large, 64)]
    batches = (1, 8) if quick else (1, 4, 16)
    return found + [_decode(device, B) for B in batches]


def training_step(device: str) -> Step:
    """Forward and backward pass of two layers and a head, with a plain step of gradient descent."""
    h, a, layers, T, b, V = 512, 8, 2, 256, 4, 4096
    form = Form(dropout="none", norm="native")
    stack = [Gpt3Layer(h, a, form, device=device, dtype=torch.float32) for _ in range(layers)]
    head = nn.Linear(h, V, bias=False, device=device)
    x = torch.randn(T, b, h, device=device, requires_grad=True)
    target = torch.randint(V, (T * b,), device=device)
    parameters = [parameter for module in (*stack, head) for parameter in module.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=1e-3)

    def step() -> None:
        y = x
        for layer in stack:
            y = layer(y, lambda _row, tensor: tensor)
        F.cross_entropy(head(y).view(T * b, V), target).backward()
        optimizer.step()
        optimizer.zero_grad()

    matrices = sum(parameter.numel() for parameter in parameters if parameter.dim() == 2)
    name = f"{layers} layers of {h}, {b} sequences of {T}, head of {V}"
    return Step(name, step, matrices, layers, h, T, T * b)


def _matmul(device: str, m: int, k: int, n: int, precision: str = "fp32") -> Work:
    given = {"m": m, "k": k, "n": n}
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32

    def make() -> Call:
        a, b = _random(device, m, k).to(dtype), _random(device, k, n).to(dtype)
        out = torch.empty(m, n, device=device, dtype=dtype)
        return lambda: torch.mm(a, b, out=out)

    conventions = {"precision": precision}
    return Work(
        f"matmul {m}×{k}×{n} {precision}",
        _exact("matmul.flops", given, "FLOP"),
        _exact("matmul.traffic", given, "byte", conventions),
        make,
        precision=precision,
        hint=_THIN if min(m, n) < 64 else "",
    )


def _sum(device: str, count: int) -> Work:
    def make() -> Call:
        a, b, out = (_random(device, count) for _ in range(3))
        return lambda: torch.add(a, b, out=out)

    return Work(f"sum of {count:,}", count, _elementwise(count, 2), make)


def _fresh_sum(device: str, count: int) -> Work:
    def make() -> Call:
        a, b = _random(device, count), _random(device, count)
        return lambda: a + b

    return Work(
        f"sum of {count:,} into fresh memory", count, _elementwise(count, 2), make, fresh=_new(4 * count)
    )


def _gelu(device: str, count: int) -> Work:
    def make() -> Call:
        x, out = _random(device, count), _random(device, count)
        return lambda: torch.ops.aten.gelu.out(x, out=out)

    return Work(f"GELU of {count:,}", count, _elementwise(count, 1), make, error_functions=count)


def _softmax(device: str, rows: int, columns: int) -> Work:
    def make() -> Call:
        x, out = _random(device, rows, columns), _random(device, rows, columns)
        return lambda: torch.softmax(x, -1, out=out)

    count = rows * columns
    return Work(f"softmax of {rows}×{columns}", 4 * count, _elementwise(count, 1), make, exponentials=count)


def _naive(device: str, T: int, d: int) -> Work:
    given, fp32 = {"T": T, "d": d}, {"precision": "fp32"}

    def make() -> Call:
        q, k, v = (_random(device, T, d) for _ in range(3))
        s, p = _random(device, T, T), _random(device, T, T)

        def attend() -> Tensor:
            torch.mm(q, k.t(), out=s)
            torch.softmax(s, -1, out=p)
            return p @ v

        return attend

    return Work(
        f"naive attention, T {T}, d {d}",
        _exact("attention.flops", given, "FLOP"),
        _exact("attention.naive_traffic", given, "byte", fp32),
        make,
        calls=3,
        exponentials=T * T,
        hint=_PASSES,
    )


def _fused(device: str, T: int, d: int) -> Work:
    def make() -> Call:
        q, k, v = (_random(device, 1, 1, T, d) for _ in range(3))
        return lambda: F.scaled_dot_product_attention(q, k, v)

    return Work(
        f"fused attention, T {T}, d {d}",
        _exact("attention.flops", {"T": T, "d": d}, "FLOP"),
        4 * 4 * T * d,
        make,
        exponentials=T * T,
        hint="one head: the kernel shares blocks of queries among the threads, and its matmuls are small",
    )


def _decode(device: str, B: int) -> Work:
    """A step of GPT-2 small with caches of 256 tokens: the traffic is decode.step_traffic."""
    layers, h, a, V, T = 12, 768, 12, 50257, 256
    given = {"B": B, "T": T}
    lookup = {"precision": "fp32", "embedding": "lookup"}
    traffic = int(
        derive.evaluate("decode.step_traffic", given, model="gpt2-small", conventions=lookup).exact("byte")
    )
    weights = derive.evaluate("flops.forward", model="gpt2-small").exact("FLOP/token")

    def make() -> Call:
        shapes = ((h, 3 * h), (h, h), (h, 4 * h), (4 * h, h))
        matrices = [[_random(device, *shape) * 0.02 for shape in shapes] for _ in range(layers)]
        caches = [_random(device, 2, B, a, T, h // a) for _ in range(layers)]
        head, start = _random(device, h, V), _random(device, B, h)

        def step() -> Any:
            x = start
            for (qkv, out, up, down), cache in zip(matrices, caches, strict=True):
                q = (F.layer_norm(x, (h,)) @ qkv)[:, :h].view(B, a, 1, h // a)
                mixed = F.scaled_dot_product_attention(q, cache[0], cache[1])
                x = x + mixed.reshape(B, h) @ out
                x = x + F.gelu(F.layer_norm(x, (h,)) @ up) @ down
            return x @ head

        return step

    return Work(
        f"decode step of GPT-2 small, B {B}, T {T}",
        int(weights) * B + 4 * layers * T * h * B,
        traffic,
        make,
        calls=11 * layers + 1,
        exponentials=layers * B * a * T,
        error_functions=layers * B * 4 * h,
        hint=_THIN,
    )


def _elementwise(count: int, read: int) -> int:
    return _exact("elementwise.traffic", {"N": count, "r": read}, "byte", {"precision": "fp32"})


def _exact(id: str, given: dict[str, int], unit: str, conventions: dict[str, str] | None = None) -> int:
    return int(derive.evaluate(id, dict(given), conventions=conventions).exact(unit))


def _new(size: int) -> int:
    return size if size >= _MAPPED else 0


def _random(device: str, *shape: int) -> Tensor:
    return torch.randn(*shape, device=device)
