"""The figures one by one: what each draws on its axes, and what it tells who cannot see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

import derive
from derive import constants
from derive.evaluation import evaluate_derivation
from derive.result import Evaluation
from derive.steps import Approx
from derive.symbols import letters_of
from reports.wording import tidy

_MACHINE = "h100-sxm"
_MODEL = "llama-3-8b"
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
    ("decode attention, 4 heads a key", "attention.decode_intensity", {"T": 8192, "g": 4}),
    ("naive attention", "attention.naive_intensity", {"T": 4096, "d": 128}),
    ("tiled attention", "attention.flash_tiled_intensity", {"T": 4096, "B_r": 128}),
    ("decode, 256 sequences", "matmul.batched_decode_intensity", {"B": 256, "d": 4096}),
    ("matmul of 4096", "matmul.square_intensity", {"n": 4096}),
)
_DEVICES = 8
_LATENCY = "10 us"


@dataclass(frozen=True)
class Drawing:
    """A figure to be: the chapter it belongs to, its title, and what draws it and returns its description."""

    chapter: str
    title: str
    draw: Callable[[Any], str]


def roofline(plane: Any) -> str:
    """The roof of a machine with kernels placed on it."""
    ridge = _evaluated("roofline.ridge", on=_MACHINE)
    powers = [2.0**k for k in range(-3, 13)]
    roof = [_attainable(f"{x!r} FLOP/byte").magnitude("TFLOP/s") for x in [*powers, ridge.magnitude()]]
    across = [*powers, ridge.magnitude()]
    order = sorted(range(len(across)), key=across.__getitem__)
    _logarithmic(plane, "arithmetic intensity [FLOP/byte]", "attainable rate [TFLOP/s]")
    plane.axvspan(across[0], ridge.magnitude(), color=_SKY, alpha=0.16, linewidth=0)
    plane.axvspan(ridge.magnitude(), powers[-1], color=_ORANGE, alpha=0.18, linewidth=0)
    plane.plot([across[k] for k in order], [roof[k] for k in order], color="black", linewidth=2)
    plane.axvline(ridge.magnitude(), color="black", linewidth=1, linestyle=":")
    placed = []
    for number, (name, id, given) in enumerate(_KERNELS, 1):
        intensity = _evaluated(id, given)
        rate = _attainable(f"{intensity.magnitude()!r} FLOP/byte")
        plane.plot(intensity.magnitude(), rate.magnitude("TFLOP/s"), "o", color=_RED, markersize=6)
        at = (intensity.magnitude(), rate.magnitude("TFLOP/s"))
        flat = at[0] > ridge.magnitude()
        offset = (-4, -14) if flat else (7, -9)
        plane.annotate(f"{number}", at, offset, textcoords="offset points", fontweight="bold")
        placed.append((f"{number} {name}", f"{name} at {intensity.text} reaches {rate.text}"))
    handles = [plane.plot([], [], "o", color=_RED, label=label)[0] for label, _ in placed]
    plane.legend(handles=handles, loc="lower right", fontsize=8, framealpha=0.95)
    plane.text(across[0] * 1.3, roof[-1] * 1.25, "memory-bound")
    plane.text(powers[-1] / 1.2, roof[-1] * 1.25, "compute-bound", ha="right")
    plane.set_xlim(across[0], powers[-1])
    plane.set_ylim(top=roof[-1] * 3)
    machine = constants.hardware(_MACHINE).title
    return (
        f"Roofline of the {machine}: below the ridge point of {ridge.text} kernels are memory-bound, above it "
        f"compute-bound at a peak of {_attainable('1e6 FLOP/byte').text}. {'; '.join(text for _, text in placed)}."
    )


def kv_share(plane: Any) -> str:
    """Share of the caches in the traffic of a decode step, by batch."""
    batches, told = [2**k for k in range(10)], []
    for context, (colour, dash, mark) in zip((2048, 8192, 32768), _LINES, strict=False):
        found = [
            _evaluated("decode.kv_share", {"B": B, "T": context}, on=_MACHINE, model=_MODEL) for B in batches
        ]
        shares = [one.magnitude("percent") for one in found]
        plane.plot(
            batches, shares, color=colour, linestyle=dash, marker=mark, label=f"context {context:,} tokens"
        )
        even = _evaluated("decode.even_batch", {"T": context}, model=_MODEL)
        told.append(
            f"with {context:,} tokens from {shares[0]:.1f} % to {shares[-1]:.1f} %, half at B = {even.text}"
        )
    plane.axhline(50, color="black", linewidth=0.8, linestyle=":")
    plane.set_xscale("log", base=2)
    plane.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    plane.set_ylim(0, 100)
    _labelled(plane, "sequences decoded together, B", "caches in the traffic of a step [%]")
    plane.legend(loc="upper left", fontsize=9)
    return (
        f"Share of the key-value caches in the bytes that a decode step of {constants.model(_MODEL).title} moves, for "
        f"1 to {batches[-1]} sequences: {'; '.join(told)}."
    )


def attention_share(plane: Any) -> str:
    """Operations of attention over those of the weights, by context."""
    lengths, told = [2**k for k in range(9, 18)], []
    for name, (colour, dash, mark) in zip(("gpt2-small", _MODEL, "llama-3-70b"), _LINES, strict=False):
        shares = [
            _evaluated("flops.attention_share", {"T": T}, model=name).magnitude("percent") for T in lengths
        ]
        crossover = _evaluated("flops.attention_crossover", model=name)
        title = constants.model(name).title
        plane.plot(lengths, shares, color=colour, linestyle=dash, marker=mark, label=title)
        told.append(
            f"{title} from {shares[0]:.2g} % to {shares[-1]:.3g} %, as much as the weights at T = {crossover.text}"
        )
    plane.axhline(100, color="black", linewidth=0.8, linestyle=":")
    _logarithmic(plane, "context T [tokens]", "attention over weights [%]")
    plane.set_xscale("log", base=2)
    plane.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    plane.tick_params(axis="x", rotation=30)
    plane.legend(loc="upper left", fontsize=9)
    return (
        "Operations of causal attention over those of the weights, a token, for contexts from "
        f"{lengths[0]:,} to {lengths[-1]:,}: {'; '.join(told)}."
    )


def activations(plane: Any) -> str:
    """Activation bytes of one layer by variant, stacked by ledger row."""
    given = {"s": 2048, "b": 4, "h": 12288, "a": 96}
    variants = {
        "everything\nkept": "memory.activations_gpt3",
        "Flash-\nAttention": "memory.activations_flash",
        "scores\nrecomputed": "memory.activations_selective",
        "full check-\npointing": "memory.activations_checkpointed",
    }
    rows = list(dict.fromkeys(row.what for id in variants.values() for row in derive.get(id).ledgers[0].rows))
    styles = {what: (_FILLS[k % len(_FILLS)], _HATCHES[k // len(_FILLS)]) for k, what in enumerate(rows)}
    told, drawn = [], {}
    for place, id in enumerate(variants.values()):
        below = 0.0
        for row in derive.get(id).ledgers[0].rows:
            bytes = _of(row.amount, "byte", row.what, given).magnitude("GB")
            colour, hatch = styles[row.what]
            drawn[row.what] = plane.bar(
                place,
                bytes,
                bottom=below,
                color=colour,
                hatch=hatch,
                edgecolor="black",
                linewidth=0.4,
                width=0.7,
            )
            below += bytes
        whole = _evaluated(id, {name: value for name, value in given.items() if name in _names(id)})
        plane.annotate(
            whole.text, (place, below), (0, 3), textcoords="offset points", ha="center", fontsize=9
        )
        told.append(f"{list(variants)[place].replace('-' + chr(10), '').replace(chr(10), ' ')} {whole.text}")
    plane.set_xticks(range(len(variants)), list(variants), fontsize=9)
    plane.set_ylabel("bytes kept for the backward pass [GB]")
    plane.figure.legend(
        list(drawn.values()), list(drawn), loc="outside lower center", ncols=2, fontsize=7.5, frameon=False
    )
    plane.figure.set_size_inches(5.8, 6.0)
    largest = _of(derive.get("memory.activations_gpt3").ledgers[0].rows[2].amount, "byte", "P", given)
    return (
        "Activations of one layer of GPT-3 175B (s = 2048, b = 4, h = 12288, a = 96), stacked by what is kept: "
        f"{'; '.join(told)}. Where everything is kept the largest rows are the softmax output and P after dropout, "
        f"{largest.text} each."
    )


def all_reduce(plane: Any) -> str:
    """Time of a ring all-reduce by size, with its two regions."""
    border = _evaluated("collectives.latency_bound_size", {"n": _DEVICES, "alpha": _LATENCY}, on=_MACHINE)
    sizes = [10**k for k in range(3, 11)]
    lines = []
    for latency, label, style in (
        (_LATENCY, "ring all-reduce", (_BLUE, "-", "o")),
        ("0 s", "its bytes alone", (_GREEN, "--", "")),
    ):
        found = [_all_reduce(size, latency) for size in sizes]
        times = [one.magnitude("us") for one in found]
        colour, dash, mark = style
        plane.plot(sizes, times, color=colour, linestyle=dash, marker=mark, label=label)
        lines.append(found)
    waits = [
        whole.magnitude("us") - carried.magnitude("us")
        for whole, carried in zip(lines[0], lines[1], strict=True)
    ]
    plane.plot(sizes, waits, color=_RED, linestyle="-.", label="its latencies alone")
    _logarithmic(plane, "buffer S [byte]", "time [µs]")
    plane.axvspan(sizes[0], border.magnitude(), color=_ORANGE, alpha=0.18, linewidth=0)
    plane.axvspan(border.magnitude(), sizes[-1], color=_SKY, alpha=0.16, linewidth=0)
    plane.axvline(border.magnitude(), color="black", linewidth=1, linestyle=":")
    plane.set_xlim(sizes[0], sizes[-1])
    plane.set_ylim(bottom=1, top=lines[0][-1].magnitude("us") * 8)
    top = lines[0][-1].magnitude("us") * 3.5
    plane.text(sizes[0] * 1.5, top, "latency-bound")
    plane.text(sizes[-1] / 1.5, top, "bandwidth-bound", ha="right")
    plane.legend(loc="center left", fontsize=9)
    machine = constants.hardware(_MACHINE).title
    return (
        f"Time of a ring all-reduce over {_DEVICES} devices with the links of the {machine} and "
        f"10 µs a step: {tidy(lines[0][0].text)} for 1 kB, {tidy(lines[0][-1].text)} for 10 GB. Below {border.text} "
        "the latencies take longer than the bytes, above it the bandwidth decides."
    )


def approximation(plane: Any) -> str:
    """The error of I ≈ d/2 beside its proved bound."""
    exact = derive.get("attention.naive_intensity")
    (approx,) = (fact for fact in exact.facts if isinstance(fact, Approx))
    lengths, errors, bounds = [2**k for k in range(7, 18)], [], []
    for T in lengths:
        true = _evaluated(exact.id, {"T": T, "d": 128}).exact()
        about = _of(approx.right, exact.unit, "the approximation", {"d": 128}).exact()
        errors.append(float(abs(about - true) / true * 100))
        bounds.append(
            _of(approx.error_at_most, "dimensionless", "its bound", {"T": T, "d": 128}).magnitude("percent")
        )
    plane.plot(lengths, bounds, color=_RED, linestyle="--", label="bound that is proved, d/T")
    plane.plot(lengths, errors, color=_BLUE, linestyle="", marker="o", label="error of I ≈ d/2")
    plane.fill_between(lengths, bounds, 1e-3, color=_SKY, alpha=0.16, linewidth=0)
    _logarithmic(plane, "sequence length T [tokens]", "relative error [%]")
    plane.set_xscale("log", base=2)
    plane.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    plane.tick_params(axis="x", rotation=30)
    plane.set_ylim(bottom=min(errors) / 2)
    plane.legend(loc="upper right", fontsize=9)
    reached = all(abs(error - bound) <= 1e-9 * bound for error, bound in zip(errors, bounds, strict=True))
    return (
        f"Relative error of I ≈ d/2 for naive attention with d = 128: {errors[0]:.3g} % at T = {lengths[0]} and "
        f"{errors[-1]:.2g} % at T = {lengths[-1]:,}, {'exactly' if reached else 'never above'} the proved bound d/T."
    )


DRAWINGS = {
    "roofline": Drawing("roofline", "Kernels on the roofline of an H100", roofline),
    "kv-share": Drawing("decode", "Caches take over as the batch grows", kv_share),
    "attention-share": Drawing("flops", "Attention takes over as the context grows", attention_share),
    "activations": Drawing("memory", "Activations of a GPT-3 layer by variant", activations),
    "all-reduce": Drawing("collectives", "A ring all-reduce by size", all_reduce),
    "approximation": Drawing("attention", "An approximation and its bound", approximation),
}
"""Every figure by its name."""


def _evaluated(
    id: str, given: Mapping[str, object] | None = None, *, on: str | None = None, model: str | None = None
) -> Evaluation:
    return derive.evaluate(id, given, on, model)


def _attainable(intensity: str) -> Evaluation:
    return _evaluated("roofline.attainable", {"I": intensity}, on=_MACHINE)


def _all_reduce(size: int, latency: str) -> Evaluation:
    given = {"n": _DEVICES, "S": f"{size} byte", "alpha": latency}
    return _evaluated("collectives.all_reduce_ring", given, on=_MACHINE)


def _of(amount: sympy.Expr, unit: str, title: str, given: dict[str, int]) -> Evaluation:
    """The evaluation of an expression: a ledger's row, an approximation or a bound."""
    there = {letter.name for letter in letters_of(amount)}
    chosen = {name: value for name, value in given.items() if name in there}
    return evaluate_derivation(derive.Derivation("x", title, unit=unit, start=amount), given=chosen)


def _names(id: str) -> set[str]:
    return {letter.name for letter in derive.get(id).all_letters}


def _logarithmic(plane: Any, across: str, up: str) -> None:
    plane.set_xscale("log")
    plane.set_yscale("log")
    _labelled(plane, across, up)


def _labelled(plane: Any, across: str, up: str) -> None:
    plane.set_xlabel(across)
    plane.set_ylabel(up)
    plane.grid(visible=True, alpha=0.3, linewidth=0.6)
