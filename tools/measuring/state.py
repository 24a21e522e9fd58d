"""The state of training after one real step, byte by byte, against 16 bytes a parameter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

import derive
from measuring.layers import Form, Gpt3Layer
from measuring.saved import LiveBytes, storage_bytes
from measuring.session import Findings, Section, Session

BLOCK = 256
"""Elements of an 8-bit moment that share one fp32 scale."""

_STEPS = "step counters of Adam"


@dataclass(frozen=True)
class State:
    """Bytes by what they are, parameters and tensors they are of, and what was alive by the other oracle."""

    parts: dict[str, int]
    parameters: int
    tensors: int
    alive: int


def run(session: Session) -> Findings:
    """One step in each recipe."""
    findings = Findings()
    rows: list[tuple[str, ...]] = []
    recipes = (
        ("fp32 weights under autocast", autocast, "memory.training_state_autocast"),
        ("bf16 weights, fp32 master", mixed, "memory.training_state"),
    )
    for number, (name, step, id) in enumerate(recipes):
        session.advance(number, len(recipes), f"state: {name}")
        state = step()
        expected = derived_rows(id, state.parameters)
        extra = 4 * state.tensors
        for part, size in {**expected, _STEPS: extra}.items():
            same = findings.expect(f"{name}, {part}", state.parts[part], size)
            rows.append((name, part, f"{size:,}", f"{state.parts[part]:,}", _word(same)))
        whole = int(derive.evaluate(id, {"N": f"{state.parameters} parameter"}).exact("byte")) + extra
        for what, total in (
            ("16N and the counters", sum(state.parts.values())),
            ("alive after the step", state.alive),
        ):
            same = findings.expect(f"{name}, {what}", total, whole)
            rows.append((name, what, f"{whole:,}", f"{total:,}", _word(same)))
        findings.measurements.append(
            session.measurement(
                id,
                sum(state.parts.values()),
                "byte",
                f"storages after one Adam step of a small layer; {name}",
                given={"N": f"{state.parameters} parameter"},
                rows=state.parts,
                note=f"Adam keeps a step counter of 4 byte for each of {state.tensors} tensors",
            )
        )
    rows += _eight_bit(findings)
    note = (
        "A step counter is one fp32 number a parameter tensor, whatever its size. Alive counts every storage "
        "that any operation of the step left behind, weights included; it knows nothing of the optimizer.",
    )
    columns = ("recipe", "what", ">derived", ">measured", "")
    findings.sections.append(Section("Training state after one real step", columns, rows, note))
    return findings


def autocast() -> State:
    """fp32 weights, forward pass under autocast, Adam."""
    layer, x = _layer(torch.float32)
    parameters = list(layer.parameters())
    optimizer = torch.optim.Adam(parameters)
    with LiveBytes(parameters) as live:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = layer(x, _unnamed).float().square().mean()
        loss.backward()
        del loss
        optimizer.step()
    return _state(
        live,
        parameters,
        {
            "fp32 weights": parameters,
            "fp32 gradients": [parameter.grad for parameter in parameters],
            "Adam's m and v": [
                optimizer.state[parameter][name]
                for parameter in parameters
                for name in ("exp_avg", "exp_avg_sq")
            ],
            _STEPS: [optimizer.state[parameter]["step"] for parameter in parameters],
        },
    )


def mixed() -> State:
    """bf16 weights and gradients, an fp32 master copy and fp32 moments; the master's gradient comes and goes."""
    layer, x = _layer(torch.bfloat16)
    weights = list(layer.parameters())
    with LiveBytes(weights) as live:
        master = [weight.detach().float() for weight in weights]
        optimizer = torch.optim.Adam(master)
        loss = layer(x, _unnamed).float().square().mean()
        loss.backward()
        del loss
        for weight, copy in zip(weights, master, strict=True):
            copy.grad = None if weight.grad is None else weight.grad.float()
        optimizer.step()
        for weight, copy in zip(weights, master, strict=True):
            weight.detach().copy_(copy)
            copy.grad = None
    return _state(
        live,
        weights,
        {
            "16-bit weights": weights,
            "gradients": [weight.grad for weight in weights],
            "fp32 master weights": master,
            "Adam's first moment m": [optimizer.state[copy]["exp_avg"] for copy in master],
            "Adam's second moment v": [optimizer.state[copy]["exp_avg_sq"] for copy in master],
            _STEPS: [optimizer.state[copy]["step"] for copy in master],
        },
    )


def quantized(moment: Tensor) -> tuple[Tensor, Tensor]:
    """A moment in 8 bits: codes from −127 to 127 and the largest magnitude of each block of 256."""
    flat = moment.flatten()
    padded = torch.nn.functional.pad(flat, (0, -flat.numel() % BLOCK)).view(-1, BLOCK)
    scale = padded.abs().amax(1, keepdim=True)
    codes = (padded / scale.clamp_min(torch.finfo(scale.dtype).tiny) * 127).round().to(torch.int8)
    return codes.flatten()[: flat.numel()].clone(), scale.flatten()


def derived_rows(id: str, parameters: int) -> dict[str, int]:
    """The bytes of each row of a ledger of training state."""
    from derive.symbols import letters_of, without_units

    found = {}
    for row in derive.get(id).ledgers[0].rows:
        values = {one: parameters if one.name == "N" else 2 for one in letters_of(row.amount)}
        found[row.what] = int(without_units(row.amount).xreplace(values))
    return found


def _eight_bit(findings: Findings) -> list[tuple[str, ...]]:
    """Both moments in 8 bits with block scales: 2 byte a parameter and 8 byte a block."""
    layer, _ = _layer(torch.float32)
    moments = [quantized(torch.randn_like(weight)) for weight in layer.parameters() for _ in range(2)]
    expected = sum(2 * (n + 4 * -(-n // BLOCK)) for n in (weight.numel() for weight in layer.parameters()))
    found = storage_bytes(tensor for pair in moments for tensor in pair)
    same = findings.expect("8-bit moments", found, expected)
    what = f"m and v in 8 bits: 2 byte a parameter, 4 byte a block of {BLOCK}"
    return [("8-bit moments", what, f"{expected:,}", f"{found:,}", _word(same))]


def _layer(dtype: torch.dtype) -> tuple[nn.Module, Tensor]:
    layer = Gpt3Layer(96, 4, Form(dropout="none", norm="native"), device="cpu", dtype=dtype)
    return layer, torch.randn(16, 2, 96, dtype=dtype)


def _state(live: LiveBytes, weights: list[nn.Parameter], parts: dict[str, Iterable[Tensor | None]]) -> State:
    held = {name: [one for one in tensors if one is not None] for name, tensors in parts.items()}
    sizes = {name: storage_bytes(tensors) for name, tensors in held.items()}
    return State(
        sizes,
        sum(weight.numel() for weight in weights),
        len(weights),
        live.alive(but=weights) + storage_bytes(weights),
    )


def _word(same: bool) -> str:
    return "equal" if same else "DIFFERS"


def _unnamed(_row: str, tensor: Tensor) -> Tensor:
    return tensor
