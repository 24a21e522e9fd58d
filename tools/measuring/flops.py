"""PyTorch's counter of operations against the ledgers: GPT-2 small and Llama-3-8B on the meta device.

The counter sees matmuls and fused attention by their shapes. It knows no mask, so
attention comes out as 4LTd a token where the catalogue's causal count is 2LTd;
and there are operations that it does not see at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

import derive
from derive.constants import model as model_named
from measuring.layers import Form, Gpt3Layer, LlamaLayer
from measuring.session import Findings, Section, Session

MODELS = {"gpt2-small": 1024, "llama-3-8b": 8192}
"""The models that are counted, each at the length of its context."""

_FORMS = (
    Form(dropout="none"),
    Form(dropout="none", causal=True),
    Form(dropout="none", attention="flash-gpu", causal=True),
)
_SCORES = (
    "bmm",
    "baddbmm",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_flash_attention_backward",
)


@dataclass(frozen=True)
class Counted:
    """Operations a token: those of weights and those of attention."""

    weights: int
    scores: int

    def minus(self, other: Counted) -> Counted:
        """What is left beyond another count."""
        return Counted(self.weights - other.weights, self.scores - other.scores)


class Model(nn.Module):
    """The layers of a published model and its LM head; embeddings, which are looked up, are left out."""

    def __init__(self, name: str, form: Form, *, device: str, dtype: torch.dtype) -> None:
        super().__init__()
        entry = model_named(name)

        def size(role: str) -> int:
            return int(entry.pick(role).value)

        self.hidden = size("hidden")
        options: dict[str, Any] = {"device": device, "dtype": dtype}

        def layer() -> nn.Module:
            if entry.family == "gpt2":
                return Gpt3Layer(self.hidden, size("heads"), form, **options)
            a, a_kv, d_h, f = (size(role) for role in ("heads", "kv_heads", "head_dim", "ffn"))
            return LlamaLayer(self.hidden, a, a_kv, d_h, f, form, **options)

        self.layers = nn.ModuleList(layer() for _ in range(size("layers")))
        self.head = nn.Linear(self.hidden, size("vocabulary"), bias=False, **options)

    def forward(self, x: Tensor) -> Tensor:
        """Logits for the residual stream x of [s, b, h]."""
        for layer in self.layers:
            x = layer(x, lambda _row, tensor: tensor)
        logits: Tensor = self.head(x)
        return logits


def run(session: Session) -> Findings:
    """Both models with plain and fused attention, causal and not; and what the counter misses."""
    findings = Findings()
    forms = [(name, form) for name in MODELS for form in _FORMS]
    rows: list[tuple[str, ...]] = []
    for number, (name, form) in enumerate(forms):
        session.advance(number, len(forms), f"flops: {name}, {form.attention}")
        rows += _compare(session, findings, name, form)
    notes = (
        "The counter goes by shapes: causal or not, it counts the full square, 4LTd forward. The catalogue's "
        "flops.attention is causal, 2LTd: on average a query meets half of the keys (a kernel that skips masked "
        "tiles does about that, one that masks after the matmul does 4LTd).",
        "A fused kernel computes QKᵀ again in the backward pass: five matmuls of that size in place of four, "
        "10LTd. Keys that several heads share are counted for every query head: d is a·d_h.",
    )
    columns = ("model", "part", ">derived", ">counted", "", "of the catalogue's causal count")
    title = "Operations a token: FlopCounterMode on the meta device"
    findings.sections += [Section(title, columns, rows, notes), _blind_spots(findings)]
    return findings


def counted(name: str, form: Form, T: int) -> tuple[Counted, Counted]:
    """Operations a token of the forward and of the backward pass, as PyTorch's counter has them."""
    model = Model(name, form, device="meta", dtype=torch.bfloat16)
    x = torch.randn(T, 1, model.hidden, device="meta", dtype=torch.bfloat16, requires_grad=True)
    counter = FlopCounterMode(display=False)
    with counter:
        logits = model(x)
        forward = a_token(counter, T)
        logits.backward(torch.empty_like(logits))
    return forward, a_token(counter, T).minus(forward)


def _compare(session: Session, findings: Findings, name: str, form: Form) -> list[tuple[str, ...]]:
    T = MODELS[name]
    forward, backward = counted(name, form, T)
    weights = _derived("flops.forward", name)
    training = _derived("flops.training", name)
    scores = _derived("flops.attention", name, T=T, mask="full")
    causal = _derived("flops.attention", name, T=T)
    recomputed = scores // 2 if form.attention == "flash-gpu" else 0
    kind = f"{'fused' if recomputed else 'scores in memory'}, {'causal' if form.causal else 'no mask'}"
    parts = (
        ("forward, weights: 2N", weights, forward.weights, 0),
        ("forward, attention: 4LTd", scores, forward.scores, causal),
        ("backward, weights: 4N", training - weights, backward.weights, 0),
        (
            f"backward, attention: {'10' if recomputed else '8'}LTd",
            2 * scores + recomputed,
            backward.scores,
            2 * causal,
        ),
    )
    rows: list[tuple[str, ...]] = []
    for part, expected, found, half in parts:
        same = findings.expect(f"{name}, {kind}, {part}, T {T}", found, expected)
        beside = f"{found / half:g}×" if half else "–"
        verdict = "equal" if same else "DIFFERS"
        rows.append((f"{name}, {kind}", part, f"{expected:,}", f"{found:,}", verdict, beside))
    how = f"FlopCounterMode on the meta device; {kind}"
    findings.measurements += [
        session.measurement("flops.forward", forward.weights, "FLOP/token", how, model=name),
        session.measurement(
            "flops.training", forward.weights + backward.weights, "FLOP/token", how, model=name
        ),
        session.measurement(
            "flops.attention",
            forward.scores,
            "FLOP/token",
            how,
            model=name,
            given={"T": T},
            conventions={"mask": "full"},
        ),
    ]
    return rows


def _derived(id: str, name: str, *, T: int | None = None, mask: str = "") -> int:
    given = {} if T is None else {"T": T}
    found = derive.evaluate(id, given, model=name, conventions={"mask": mask} if mask else None)
    return int(found.exact("FLOP/token"))


def a_token(counter: FlopCounterMode, T: int) -> Counted:
    """The counts so far, for each of T tokens."""
    scores = everything = 0
    for operation, count in counter.get_flop_counts().get("Global", {}).items():
        everything += count
        if str(operation).removeprefix("aten.") in _SCORES:
            scores += count
    return Counted((everything - scores) // T, scores // T)


def _blind_spots(findings: Findings) -> Section:
    """Operations that are done and that the counter does not count."""
    m, n, T, d = 64, 32, 16, 8
    matrix, left, right = torch.ones(m, n), torch.ones(m), torch.ones(n)
    heads = torch.ones(1, 1, T, d)
    cases: list[tuple[str, int, Callable[[], Any]]] = [
        ("matrix times vector (mv)", 2 * m * n, lambda: torch.mv(matrix, right)),
        ("matrix times a matrix of one column (mm)", 2 * m * n, lambda: torch.mm(matrix, right[:, None])),
        ("dot product", 2 * n, lambda: torch.dot(right, right)),
        ("outer product", m * n, lambda: torch.outer(left, right)),
        ("a sum of two tensors", m * n, lambda: matrix + matrix),
        (
            "fused attention on a CPU",
            4 * T**2 * d,
            lambda: F.scaled_dot_product_attention(heads, heads, heads),
        ),
    ]
    rows = []
    for name, done, call in cases:
        with FlopCounterMode(display=False) as counter:
            call()
        seen = int(counter.get_total_flops())
        rows.append((name, f"{done:,}", f"{seen:,}", "seen" if seen == done else "not seen"))
        if seen not in (0, done):
            findings.wrong.append(f"{name}: the counter says {seen:,}, the operation does {done:,}")
    return Section(
        "Operations that PyTorch's counter does not see",
        ("operation", ">FLOP done", ">FLOP counted", ""),
        rows,
        ("Where a decode step comes out as 0 FLOP, its products were matrix times vector.",),
    )
