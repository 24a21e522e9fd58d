"""Saved bytes of real autograd graphs against the ledgers, tensor by tensor and in total."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sympy
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

import derive
from derive.evaluation import evaluate_derivation
from derive.symbols import letters_of, without_units
from measuring.conventions import GPT3, LLAMA, LLAMA_PLAIN, Case, cases
from measuring.layers import Form, Gpt3Layer, LlamaLayer
from measuring.saved import LiveBytes, Saved, SavedTensors
from measuring.session import Findings, Section, Session

Point = Mapping[str, int]

LARGE: Point = {"s": 2048, "b": 4, "h": 12288, "a": 96}
POINTS: tuple[Point, ...] = (
    LARGE,
    {"s": 1024, "b": 8, "h": 768, "a": 12},
    {"s": 2048, "b": 1, "h": 4096, "a": 32},
    {"s": 4096, "b": 2, "h": 5120, "a": 40},
    {"s": 512, "b": 16, "h": 1024, "a": 16},
    {"s": 8192, "b": 1, "h": 8192, "a": 64},
    {"s": 128, "b": 3, "h": 320, "a": 5},
    {"s": 1, "b": 1, "h": 64, "a": 1},
    {"s": 97, "b": 7, "h": 132, "a": 11},
    {"s": 32768, "b": 1, "h": 2048, "a": 8},
)
SMALL: Point = {"s": 24, "b": 2, "h": 64, "a": 4}
LLAMA_8B: Point = {"s": 8192, "b": 1, "h": 4096, "a": 32, "a_kv": 8, "d_h": 128, "f": 14336}
LLAMA_SMALL: Point = {"s": 24, "b": 2, "h": 64, "a": 4, "a_kv": 2, "d_h": 16, "f": 176}

_DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}
_HOW = "storages that autograd saved, each once, parameters left out"


def run(session: Session) -> Findings:
    """All cases at small and full size, ten points, the largest layer tensor by tensor, the second oracle."""
    findings = Findings()
    table = []
    found = cases()
    total = len(found) + len(POINTS) + 2
    for number, case in enumerate(found):
        session.advance(number, total, f"activations: {case.name}")
        for point in points_of(case):
            table.append(_compare(session, findings, case, point))
    title = "Activations: bytes that a layer keeps, in every convention"
    columns = ("layer", "point", ">catalogue", ">derived", ">measured", "by", "beside the catalogue")
    findings.sections.append(Section(title, columns, table, (_EXPLAINED,)))
    findings.sections.append(_ten_points(session, findings, len(found), total))
    session.advance(total - 2, total, "activations: tensor by tensor")
    for case in (found[0], found[-2]):
        findings.sections.append(_tensor_by_tensor(case, LARGE if case.base == GPT3 else LLAMA_8B))
    session.advance(total - 1, total, "activations: second oracle")
    findings.sections.append(_second_oracle(session, findings, found))
    return findings


def points_of(case: Case) -> tuple[Point, ...]:
    """Small tensors that exist; and, where the case does not ask for a CPU, one layer of full size."""
    llama = case.base in (LLAMA, LLAMA_PLAIN)
    small = LLAMA_SMALL if llama else SMALL
    return (small,) if case.device == "cpu" else (small, LLAMA_8B if llama else LARGE)


def saved(case: Case, point: Point, device: str) -> list[Saved]:
    """The storages that a layer of this form saves."""
    layer, x = _built(case, point, device)
    with SavedTensors(layer.parameters()) as tensors, _precision(case):
        output = layer(x, tensors.keep)
    return tensors.listed(output)


def alive(case: Case, point: Point, device: str) -> int:
    """Bytes of the layer that are alive after its forward pass, by the oracle that watches storages."""
    layer, x = _built(case, point, device)
    with LiveBytes(layer.parameters()) as live, _precision(case):
        if case.form.recompute == "layer":
            output = checkpoint(layer, x, _unnamed, use_reentrant=False, preserve_rng_state=False)
        else:
            output = layer(x, _unnamed)
    # outside autocast, whose own cache of weights and biases would count while it lasts
    return live.alive(but=[output]) + x.untyped_storage().nbytes()


def by_row(case: Case, point: Point, tensors: list[Saved]) -> dict[str, int]:
    """Measured bytes a ledger row; what belongs to none stands under its holder and shape."""
    rows: dict[str, int] = defaultdict(int)
    for tensor in tensors:
        rows[row_of(case, point, tensor)] += tensor.size
    return dict(rows)


def row_of(case: Case, point: Point, tensor: Saved) -> str:
    """The ledger row of a tensor: as the layer named it, or as the case's rules know its holder and shape."""
    if tensor.row:
        return tensor.row
    extents = _extents(point)
    for holder, dims, row in case.rules:
        if holder in tensor.holders and tensor.shape == tuple(extents[dim] for dim in dims):
            return row
    return f"unknown: {', '.join(tensor.holders)} {list(tensor.shape)}"


def derived_rows(case: Case, point: Point) -> dict[str, int]:
    """The bytes of each ledger row of a case."""
    values = {**point, **{one.name: size for one, (size, _) in case.sizes.items()}}
    found = {}
    for row in case.derivation.ledgers[0].rows:
        numbers = {one: sympy.Integer(values[one.name]) for one in letters_of(row.amount)}
        found[row.what] = int(without_units(row.amount).xreplace(numbers))
    return found


def derived(case: Case, point: Point) -> int:
    """The bytes that the case's closed form gives."""
    result = case.derivation
    needed = {one.name for one in result.letters}
    given = {name: value for name, value in point.items() if name in needed}
    return int(evaluate_derivation(result, given=given).exact("byte"))


def catalogue(case: Case, point: Point) -> int:
    """The bytes that the catalogue's formula gives under the case's conventions."""
    return int(derive.evaluate(case.base, _given(case, point), conventions=case.conventions).exact("byte"))


def _given(case: Case, point: Point) -> dict[str, int]:
    needed = {one.name for one in derive.get(case.base).letters}
    return {name: value for name, value in point.items() if name in needed}


def _compare(session: Session, findings: Findings, case: Case, point: Point) -> tuple[str, ...]:
    device = case.device if point in (SMALL, LLAMA_SMALL) and case.device == "cpu" else "meta"
    tensors = saved(case, point, device)
    rows, total = by_row(case, point, tensors), sum(tensor.size for tensor in tensors)
    expected, by_formula = derived(case, point), catalogue(case, point)
    findings.expect(f"{case.name} at {_shown(point)}", total, expected)
    for row, size in derived_rows(case, point).items():
        findings.expect(f"{case.name} at {_shown(point)}, {row}", rows.get(row, 0), size)
    note = "" if total == by_formula else f"{total - by_formula:+,} byte: {'; '.join(case.differences)}"
    findings.measurements.append(
        session.measurement(
            case.base,
            total,
            "byte",
            f"{_HOW}; {case.name}; {device}",
            given=_given(case, point),
            conventions=dict(case.conventions),
            rows=rows,
            note=note[:500],
        )
    )
    return (
        case.name,
        _shown(point),
        f"{by_formula:,}",
        f"{expected:,}",
        f"{total:,}",
        device,
        "; ".join(case.differences) or "nothing",
    )


_EXPLAINED = (
    "Derived is the catalogue's ledger with the rows of the last column, proved equal to one closed form. "
    "Each row agrees for itself, not only the sum."
)


def _ten_points(session: Session, findings: Findings, done: int, total: int) -> Section:
    case = cases()[0]
    rows = []
    for number, point in enumerate(POINTS):
        session.advance(done + number, total, f"activations: {_shown(point)}")
        measured = sum(tensor.size for tensor in saved(case, point, "meta"))
        expected = catalogue(case, point)
        same = findings.expect(f"34sbh + 5as²b at {_shown(point)}", measured, expected)
        rows.append((_shown(point), f"{expected:,}", f"{measured:,}", "equal" if same else "DIFFERS"))
    return Section("Activations: 34sbh + 5as²b to the byte", ("point", ">derived", ">measured", ""), rows)


def _tensor_by_tensor(case: Case, point: Point) -> Section:
    expected = derived_rows(case, point)
    held: dict[str, list[Saved]] = defaultdict(list)
    for tensor in saved(case, point, "meta"):
        held[row_of(case, point, tensor)].append(tensor)
    rows = [
        (
            row,
            f"{expected.get(row, 0):,}",
            f"{sum(tensor.size for tensor in held[row]):,}",
            "; ".join(f"{tensor.dtype} {list(tensor.shape)}" for tensor in held[row]),
            "; ".join(dict.fromkeys(holder for tensor in held[row] for holder in tensor.holders)),
        )
        for row in dict.fromkeys([*expected, *held])
    ]
    title = f"Activations tensor by tensor: {case.name}, {_shown(point)}"
    return Section(title, ("ledger row", ">derived", ">measured", "tensors", "saved by"), rows)


def _second_oracle(session: Session, findings: Findings, found: list[Case]) -> Section:
    rows = []
    s, b, h = (SMALL[name] for name in "sbh")
    whole = Case(
        "whole layer checkpointed", "memory.activations_checkpointed", Form(recompute="layer"), sympy.S(0)
    )
    for case in (*found, whole):
        point = points_of(case)[0]
        live = alive(case, point, case.device)
        if case is whole:
            expected = int(derive.evaluate(case.base, {"s": s, "b": b, "h": h}).exact("byte"))
            findings.measurements.append(
                session.measurement(case.base, live, "byte", _LIVE, given={"s": s, "b": b, "h": h})
            )
        else:
            expected = derived(case, point)
        same = findings.expect(f"{case.name}, live bytes at {_shown(point)}", live, expected)
        rows.append((case.name, _shown(point), f"{expected:,}", f"{live:,}", "equal" if same else "DIFFERS"))
    return Section(
        "Activations by a second oracle: storages alive after the forward pass",
        ("layer", "point", ">derived", ">alive", ""),
        rows,
        (
            "It watches operations and storages and knows nothing of autograd, so that it also sees what a "
            "checkpoint keeps: the hooks of autograd do not.",
        ),
    )


_LIVE = "storages alive after the forward pass, parameters and output left out"


def _built(case: Case, point: Point, device: str) -> tuple[nn.Module, Tensor]:
    dtype = torch.float32 if case.autocast else _DTYPES[case.precision]
    options: dict[str, Any] = {"device": device, "dtype": dtype}
    layer: nn.Module
    if case.base in (LLAMA, LLAMA_PLAIN):
        h, a, a_kv, d_h, f = (point[name] for name in ("h", "a", "a_kv", "d_h", "f"))
        layer = LlamaLayer(h, a, a_kv, d_h, f, case.form, **options)
    else:
        layer = Gpt3Layer(point["h"], point["a"], case.form, **options)
    return layer, torch.randn(point["s"], point["b"], point["h"], requires_grad=True, **options)


@contextmanager
def _precision(case: Case) -> Iterator[None]:
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=case.autocast):
        yield


def _extents(point: Point) -> dict[str, int]:
    h, a = point["h"], point["a"]
    d = point.get("d_h", h // a)
    return {**point, "1": 1, "d": d, "ba": point["b"] * a, "3h": 3 * h, "4h": 4 * h}


def _shown(point: Point) -> str:
    return ", ".join(f"{name} {value}" for name, value in point.items())


def _unnamed(_row: str, tensor: Tensor) -> Tensor:
    return tensor
