"""The figures one by one: what each draws on its axes, and what it tells who cannot see it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import derive
from derive import constants
from derive.errors import DeriveError
from derive.result import Evaluation
from derive.steps import Approx
from reports.plots_scene import Scene
from reports.quantities import amount, input_amount
from reports.worked import inner_first

INK, PAPER = "#1b1f24", "#ffffff"
# Okabe and Ito's palette, told apart with any colour vision (jfly.uni-koeln.de/color, 2008)
_BLUE, _ORANGE, _GREEN, _RED, _PINK, _SKY, _YELLOW = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
)
_LINES = ((_BLUE, "-", "o"), (_RED, "--", "s"), (_GREEN, "-.", "^"), (_PINK, ":", "D"))
_FILLS = (_BLUE, _ORANGE, _GREEN, _RED, _PINK, _SKY, _YELLOW, "#BBBBBB")
_HATCHES = ("", "///", "...")
_KERNELS = (
    ("elementwise", "elementwise.intensity", {"c": 1}),
    ("decode, 1 token", "matmul.decode_intensity", {"d": 4096}),
    (
        "decode attention, {g} heads a key",
        "attention.decode_intensity",
        {"B": 1, "T": 8192, "d": 128, "g": 4},
    ),
    ("naive attention", "attention.naive_intensity", {"T": 4096, "d": 128}),
    ("tiled attention", "attention.flash_tiled_intensity", {"T": 4096, "d": 128, "B_r": 128}),
    ("decode, {B} sequences", "matmul.batched_decode_intensity", {"B": 256, "d": 4096}),
    ("matmul of {n}", "matmul.square_intensity", {"n": 4096}),
)
_HEAD, _ELEMENT = {"d": 128}, {"e": "2 byte"}  # the element that the chain of naive attention puts
_NEAR = 0.15  # decades between two dots whose numbers would touch
_CONTEXTS = (2048, 8192, 32768)
_SHARED = ("llama-3-8b", "llama-3-70b", "gpt2-small")
_LAYERS = {
    "gpt2": {
        "everything\nkept": "memory.activations_gpt3",
        "Flash-\nAttention": "memory.activations_flash",
        "scores\nrecomputed": "memory.activations_selective",
        "full check-\npointing": "memory.activations_checkpointed",
    },
    "llama": {
        "gate\nnot fused": "memory.activations_swiglu_plain",
        "gate\nfused": "memory.activations_swiglu",
        "full check-\npointing": "memory.activations_checkpointed",
    },
}


@dataclass(frozen=True)
class Told:
    """What a figure says in words: a title, what is to be seen, and its main numbers."""

    title: str
    caption: str
    numbers: str


@dataclass(frozen=True)
class Drawing:
    """A figure to be: the derivation that it illustrates, and what draws it."""

    name: str
    id: str
    draw: Callable[[Any, Scene], Told]


def roofline(plane: Any, scene: Scene) -> Told:
    """The roof of a machine with kernels placed on it."""
    ridge = scene.evaluated("roofline.ridge")
    kernels = [(name, scene.evaluated(id, {}, defaults)) for name, id, defaults in _KERNELS]
    places = [one.magnitude("FLOP/byte") for _, one in kernels]
    least = min(-3, math.floor(math.log2(min(*places, ridge.magnitude()))) - 1)
    most = max(12, math.ceil(math.log2(max(*places, ridge.magnitude()))) + 1)
    across = sorted([*(2.0**k for k in range(least, most + 1)), ridge.magnitude()])
    roof = [_attainable(scene, x).magnitude("TFLOP/s") for x in across]
    _logarithmic(plane, "arithmetic intensity [FLOP/byte]", "attainable rate [TFLOP/s]")
    plane.axvspan(across[0], ridge.magnitude(), color=_SKY, alpha=0.16, linewidth=0)
    plane.axvspan(ridge.magnitude(), across[-1], color=_ORANGE, alpha=0.18, linewidth=0)
    plane.plot(across, roof, color=INK, linewidth=2)
    plane.axvline(ridge.magnitude(), color=INK, linewidth=1, linestyle=":")
    edge = plane.plot([], [], color=INK, linewidth=1, linestyle=":", label=f"ridge, {_text(ridge)}")
    placed = []
    for number, ((name, intensity), at) in enumerate(zip(kernels, places, strict=True), 1):
        rate = _attainable(scene, at)
        plane.plot(at, rate.magnitude("TFLOP/s"), "o", color=_RED, markersize=6)
        offset = (-4, -14) if at > ridge.magnitude() else (7, -9)
        if any(abs(math.log10(at / other)) < _NEAR for other in places[: number - 1]):
            offset = (-4, 7) if at > ridge.magnitude() else (-13, 5)
        spot = (at, rate.magnitude("TFLOP/s"))
        plane.annotate(f"{number}", spot, offset, textcoords="offset points", fontweight="bold")
        named = name.format(**_values(intensity))
        placed.append((f"{number} {named}", f"{named} at {_text(intensity)} reaches {_text(rate)}"))
    handles = [plane.plot([], [], "o", color=_RED, label=label)[0] for label, _ in placed]
    plane.legend(handles=[*handles, *edge], loc="lower right", fontsize=8, framealpha=0.95)
    plane.text(across[0] * 1.3, roof[-1] * 1.25, "memory-bound")
    plane.text(across[-1] / 1.2, roof[-1] * 1.25, "compute-bound", ha="right")
    plane.set_xlim(across[0], across[-1])
    plane.set_ylim(top=roof[-1] * 3)
    title, _, _ = scene.machine.title.partition(":")
    return Told(
        f"Kernels on the roofline of the {title}",
        f"The rate that the {title} can reach at each arithmetic intensity. Left of the ridge point of {_text(ridge)} "
        "a kernel is memory-bound, right of it compute-bound.",
        f"The peak is {_text(_attainable(scene, across[-1]))}. {'; '.join(text for _, text in placed)}.",
    )


def kv_share(plane: Any, scene: Scene) -> Told:
    """Share of the caches in the traffic of a decode step, by batch."""
    batches, told = [2**k for k in range(10)], []
    model = scene.model(_SHARED[0])
    contexts = (None,) if scene.given("T") else _CONTEXTS
    for context, (colour, dash, mark) in zip(contexts, _LINES, strict=False):
        at = {} if context is None else {"T": context}
        found = [scene.evaluated("decode.kv_share", {"B": B, **at}, model=model.name) for B in batches]
        shares = [one.magnitude("percent") for one in found]
        even = scene.evaluated("decode.even_batch", at, model=model.name)
        label = f"context {_values(even)['T']} tokens"
        plane.plot(batches, shares, color=colour, linestyle=dash, marker=mark, label=label)
        told.append(f"{label}: from {shares[0]:.1f} % to {shares[-1]:.1f} %, half at B = {_text(even)}")
    plane.axhline(50, color=INK, linewidth=0.8, linestyle=":")
    plane.set_xscale("log", base=2)
    plane.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    plane.set_ylim(0, 100)
    _labelled(plane, "sequences decoded together, B", "caches in the traffic of a step [%]")
    plane.legend(loc="best", fontsize=9)
    return Told(
        "Caches take over as the batch grows",
        f"Share of the key-value caches in the bytes that a decode step of {model.title} moves, for 1 to "
        f"{batches[-1]} sequences. At the dotted line the caches weigh as much as the weights.",
        f"{'; '.join(told)}.",
    )


def attention_share(plane: Any, scene: Scene) -> Told:
    """Operations of attention over those of the weights, by context."""
    lengths, told = [2**k for k in range(9, 18)], []
    own = scene.model(_SHARED[0]).name
    names = (own, *(name for name in _SHARED if name != own))
    for name, (colour, dash, mark) in zip(names[:3], _LINES, strict=False):
        shares = [
            scene.evaluated("flops.attention_share", {"T": T}, model=name).magnitude("percent")
            for T in lengths
        ]
        crossover = scene.evaluated("flops.attention_crossover", model=name)
        title = constants.model(name).title
        plane.plot(lengths, shares, color=colour, linestyle=dash, marker=mark, label=title)
        told.append(
            f"{title}: from {shares[0]:.2g} % to {shares[-1]:.3g} %, as much as the weights at T = {_text(crossover)}"
        )
    plane.axhline(100, color=INK, linewidth=0.8, linestyle=":")
    _logarithmic(plane, "context T [tokens]", "attention over weights [%]")
    _doubling(plane)
    plane.legend(loc="upper left", fontsize=9)
    return Told(
        "Attention takes over as the context grows",
        "Operations of causal attention over those of the weights, a token. Above the dotted line attention costs "
        "more than all weights together.",
        f"{'; '.join(told)}.",
    )


def activations(plane: Any, scene: Scene) -> Told:
    """Activation bytes of one layer by variant, stacked by ledger row."""
    model = scene.model("gpt3-175b")
    if model.family not in _LAYERS:
        raise DeriveError(f"the activations of a layer of {model.title} stand in no ledger")
    variants = _LAYERS[model.family]
    layer, sizes, fused = {"L": 1}, {"s": 2048, "b": 4}, {"swiglu": "fused"}
    wholes = {
        name: scene.evaluated(
            id, layer, sizes, model=model.name, conventions=fused if "swiglu" in id else None
        )
        for name, id in variants.items()
    }
    rows = list(dict.fromkeys(row.what for one in wholes.values() for row in one.derivation.ledgers[0].rows))
    styles = {what: (_FILLS[k % len(_FILLS)], _HATCHES[k // len(_FILLS)]) for k, what in enumerate(rows)}
    told, drawn = [], {}
    largest = ("", 0.0, "")
    for place, (name, whole) in enumerate(wholes.items()):
        below = 0.0
        for row in whole.derivation.ledgers[0].rows:
            found = scene.amount(row.amount, "byte", row.what, layer, sizes, model=model.name)
            bytes = found.magnitude("GB")
            largest = max(largest, (row.what, bytes, _text(found)), key=lambda one: one[1])
            colour, hatch = styles[row.what]
            drawn[row.what] = plane.bar(
                place, bytes, bottom=below, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.4, width=0.7
            )
            below += bytes
        plane.annotate(
            _text(whole), (place, below), (0, 3), textcoords="offset points", ha="center", fontsize=9
        )
        told.append(f"{name.replace('-' + chr(10), '').replace(chr(10), ' ')} {_text(whole)}")
    plane.set_xticks(range(len(variants)), list(variants), fontsize=9)
    plane.set_ylabel("bytes kept for the backward pass [GB]")
    plane.figure.legend(
        list(drawn.values()), list(drawn), loc="outside lower center", ncols=2, fontsize=7.5, frameon=False
    )
    plane.figure.set_size_inches(5.8, 6.0)
    values = _values(next(iter(wholes.values())))
    at = ", ".join(f"{name} = {values[name]}" for name in ("s", "b", "h", "a") if name in values)
    return Told(
        f"Activations of a {model.title} layer by variant",
        f"What one layer of {model.title} ({at}) keeps for the backward pass, stacked by the rows of the ledgers.",
        f"{'; '.join(told)}. The largest row is the {largest[0]}, {largest[2]}.",
    )


def all_reduce(plane: Any, scene: Scene) -> Told:
    """Time of a ring all-reduce by size, with its two regions."""
    ring = {"n": 8, "alpha": "10 us"}
    border = scene.evaluated("collectives.latency_bound_size", {}, ring)
    sizes, lines = [10**k for k in range(3, 11)], []
    for imposed, label, (colour, dash, mark) in (
        ({}, "ring all-reduce", (_BLUE, "-", "o")),
        ({"alpha": "0 s"}, "its bytes alone", (_GREEN, "--", "")),
    ):
        found = [
            scene.evaluated("collectives.all_reduce_ring", {"S": f"{size} byte", **imposed}, ring)
            for size in sizes
        ]
        times = [one.magnitude("us") for one in found]
        plane.plot(sizes, times, color=colour, linestyle=dash, marker=mark, label=label)
        lines.append(found)
    waits = [
        whole.magnitude("us") - carried.magnitude("us")
        for whole, carried in zip(lines[0], lines[1], strict=True)
    ]
    plane.plot(sizes, waits, color=_RED, linestyle="-.", label="its latencies alone")
    _logarithmic(plane, "buffer S [byte]", "time [µs]")
    between = min(max(border.magnitude(), sizes[0]), sizes[-1])
    plane.axvspan(sizes[0], between, color=_ORANGE, alpha=0.18, linewidth=0)
    plane.axvspan(between, sizes[-1], color=_SKY, alpha=0.16, linewidth=0)
    plane.axvline(border.magnitude(), color=INK, linewidth=1, linestyle=":")
    plane.set_xlim(sizes[0], sizes[-1])
    plane.set_ylim(bottom=1, top=lines[0][-1].magnitude("us") * 8)
    top = lines[0][-1].magnitude("us") * 3.5
    plane.text(sizes[0] * 1.5, top, "latency-bound")
    plane.text(sizes[-1] / 1.5, top, "bandwidth-bound", ha="right")
    plane.legend(loc="center left", fontsize=9)
    values = _values(border)
    return Told(
        "A ring all-reduce by size",
        f"Time of a ring all-reduce over {values['n']} devices with the links of the {scene.machine.title} and "
        f"{values['alpha']} a step. Below {_text(border)} the latencies take longer than the bytes; above it the "
        "bandwidth decides.",
        f"{_text(lines[0][0])} for 1 kB, {_text(lines[0][-1])} for 10 GB.",
    )


def approximation(plane: Any, scene: Scene) -> Told:
    """The error of I ≈ d/2 beside its proved bound."""
    exact = derive.get("attention.naive_intensity")
    (approx,) = (fact for fact in exact.facts if isinstance(fact, Approx))
    lengths, errors, bounds = [2**k for k in range(7, 18)], [], []
    for T in lengths:
        true = scene.evaluated(exact.id, {"T": T, **_ELEMENT}, _HEAD).exact()
        about = scene.amount(approx.right, exact.unit, "the approximation", {}, _HEAD).exact()
        bound = scene.amount(approx.error_at_most, "dimensionless", "its bound", {"T": T}, _HEAD)
        errors.append(float(abs(about - true) / true * 100))
        bounds.append(bound.magnitude("percent"))
    plane.plot(lengths, bounds, color=_RED, linestyle="--", label="bound that is proved, d/T")
    plane.plot(lengths, errors, color=_BLUE, linestyle="", marker="o", label="error of I ≈ d/2")
    plane.fill_between(lengths, bounds, 1e-3, color=_SKY, alpha=0.16, linewidth=0)
    _logarithmic(plane, "sequence length T [tokens]", "relative error [%]")
    _doubling(plane)
    plane.set_ylim(bottom=min(errors) / 2)
    plane.legend(loc="upper right", fontsize=9)
    reached = all(abs(error - bound) <= 1e-9 * bound for error, bound in zip(errors, bounds, strict=True))
    head = _values(scene.evaluated(exact.id, {"T": lengths[0], **_ELEMENT}, _HEAD))["d"]
    return Told(
        "An approximation and its bound",
        f"Relative error of I ≈ d/2 for naive attention with d = {head}. It is "
        f"{'exactly' if reached else 'never above'} the proved bound d/T.",
        f"{errors[0]:.3g} % at T = {lengths[0]} and {errors[-1]:.2g} % at T = {lengths[-1]:,}.",
    )


DRAWINGS = {
    one.name: one
    for one in (
        Drawing("roofline", "roofline.attainable", roofline),
        Drawing("approximation", "attention.naive_intensity", approximation),
        Drawing("kv-share", "decode.kv_share", kv_share),
        Drawing("attention-share", "flops.attention_share", attention_share),
        Drawing("activations", "memory.activations_checkpointed", activations),
        Drawing("all-reduce", "collectives.all_reduce_ring", all_reduce),
    )
}
"""Every figure by its name."""


def _attainable(scene: Scene, intensity: float) -> Evaluation:
    return scene.evaluated("roofline.attainable", {"I": f"{intensity!r} FLOP/byte"})


def _text(found: Evaluation) -> str:
    """A result, rounded as the document is."""
    return amount(found.exact(), found.unit).text


def _values(found: Evaluation) -> dict[str, str]:
    """The values of all letters behind a result as text."""
    filled = [one for inner in inner_first(found) for one in inner.inputs]
    return {one.letter.name: input_amount(one).text for one in filled}


def _logarithmic(plane: Any, across: str, up: str) -> None:
    plane.set_xscale("log")
    plane.set_yscale("log")
    _labelled(plane, across, up)


def _doubling(plane: Any) -> None:
    """Powers of two along the axis, in full."""
    plane.set_xscale("log", base=2)
    plane.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    plane.tick_params(axis="x", rotation=30)


def _labelled(plane: Any, across: str, up: str) -> None:
    plane.set_xlabel(across)
    plane.set_ylabel(up)
    plane.grid(visible=True, alpha=0.3, linewidth=0.6)
