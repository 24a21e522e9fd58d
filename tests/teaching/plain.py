"""The formulas of the scenes once more, in plain Python with fractions, from the constants' files themselves.

Nothing here uses the engine: values are read by a reader of its own, and each formula is
written down as one would on paper. `e` is the size of an element; `without` names a row
that somebody forgot.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "derive" / "data"
Values = dict[str, Fraction]

SIZES = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
SIZES |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
BASES = {
    "B": 1,
    "byte": 1,
    "b": Fraction(1, 8),
    "FLOP": 1,
    "OP": 1,
    "parameter": 1,
    "token": 1,
    "Hz": 1,
    "T": 1,
}
TIMES = {"s": 1, "ms": Fraction(1, 10**3), "us": Fraction(1, 10**6), "ns": Fraction(1, 10**9)}


def size(unit: str) -> Fraction:
    """The factor of a unit to bytes, FLOP, seconds and the like."""
    above, slash, below = unit.partition("/")
    if slash:
        return size(above) / size(below)
    if above in TIMES:
        return Fraction(TIMES[above])
    if above in ("", "dimensionless"):
        return Fraction(1)
    if above in ("percent", "%"):
        return Fraction(1, 100)
    for base, factor in BASES.items():
        prefix = above.removesuffix(base)
        if above.endswith(base) and prefix in SIZES:
            return Fraction(SIZES[prefix]) * factor
    raise ValueError(f"unknown unit {unit!r}")


def read(text: str) -> Fraction:
    """A quantity such as "2 GiB", "400 Gb/s", "7e9 parameter", "54.69%"."""
    number, _, unit = text.replace(",", "").replace("%", " %").partition(" ")
    return Fraction(number) * size(unit.strip())


def _entries(file: str) -> dict[str, Any]:
    return tomllib.loads((DATA / file).read_text(encoding="utf-8"))


_MACHINES, _MODELS = _entries("hardware.toml"), _entries("models.toml")


def machine(name: str) -> Values:
    """Dense bf16 peak, fp32 peak of the ordinary lanes, and memory bandwidth."""
    entry = _MACHINES[name]
    peaks = [one["value"] for one in entry["peak"] if one["tags"].get("precision") == "bf16"]
    dense = [
        one["value"]
        for one in entry["peak"]
        if one["tags"].get("precision") == "bf16" and one["tags"].get("sparsity") == "dense"
    ]
    bandwidth = entry.get("values", {}).get("bandwidth") or entry["bandwidth"][0]["value"]
    return {"P": read((dense or peaks)[0]), "W": read(bandwidth)}


def model(name: str) -> Values:
    """The extents of a model, and the parameters of its matmuls and of all of it."""
    raw = {key: value for key, value in _MODELS[name]["values"].items() if key != "parameters"}
    own = {key: Fraction(value) for key, value in raw.items() if not isinstance(value, bool)}
    h, f, vocabulary, layers = own["hidden"], own["ffn"], own["vocabulary"], own["layers"]
    heads = own["heads"] + own["kv_heads"]
    if _MODELS[name]["family"] == "gpt2":
        block = 2 * f * h + 4 * h**2
        total = layers * (block + f + 9 * h) + h * (vocabulary + own["positions"]) + 2 * h
    else:
        block = 2 * own["head_dim"] * h * heads + 3 * f * h
        tables = 1 if raw.get("tied") else 2
        total = layers * (block + 2 * h) + tables * vocabulary * h + h
    own |= {"matmul": layers * block + vocabulary * h, "total": total}
    return own


def _sum(without: str, **rows: Fraction) -> Fraction:
    """The rows but for one; `_` in a name stands for a space."""
    return sum((amount for row, amount in rows.items() if row.replace("_", " ") != without), Fraction(0))


def _matmul_bytes(v: Values, without: str) -> Fraction:
    m, k, n, e = v["m"], v["k"], v["n"], v["e"]
    return _sum(without, read_A=m * k * e, read_B=k * n * e, write_C=m * n * e)


def _matmul_flops(v: Values, without: str) -> Fraction:
    return 2 * v["m"] * v["k"] * v["n"]


def _naive_bytes(v: Values, without: str) -> Fraction:
    square, side = v["T"] ** 2 * v["e"], v["T"] * v["d"] * v["e"]
    scores = _sum(without, write_S=square, read_S=square, write_P=square, read_P=square)
    return scores + 4 * side


def _attention_flops(v: Values, without: str) -> Fraction:
    one = 2 * v["T"] ** 2 * v["d"]
    return one if without == "O = PV" else 2 * one


def _tiled(v: Values, without: str) -> Fraction:
    T, B_r, d, e = v["T"], v["B_r"], Fraction(128), v["e"]
    return 4 * T**2 * d / (2 * T * d * e + 2 * T * d * e * T / B_r)


def _state(v: Values, without: str) -> Fraction:
    rows = {
        "16-bit weights": 2,
        "gradients": 2,
        "fp32 master weights": 4,
        "Adam's first moment m": 4,
        "Adam's second moment v": 4,
    }
    return sum((v["N"] * number for row, number in rows.items() if row != without), Fraction(0))


def _layer(v: Values, without: str, *, scores: bool) -> Fraction:
    sbh = v["s"] * v["b"] * v["h"]
    numbers = {
        "attention LayerNorm output": 1,
        "Q and K": 2,
        "V": 1,
        "attention output": 1,
        "feed-forward LayerNorm output": 1,
        "GELU input": 4,
        "GELU output": 4,
        "inputs of both LayerNorms": 2,
    }
    kept = sum((2 * sbh * number for row, number in numbers.items() if row != without), Fraction(0)) + 2 * sbh
    if scores:
        square = v["a"] * v["s"] ** 2 * v["b"]
        own = {"softmax output P": 2, "mask of the dropout on P": 1, "P after dropout": 2}
        kept += sum((square * number for row, number in own.items() if row != without), Fraction(0))
    return v["L"] * kept


def _cache(v: Values, without: str) -> Fraction:
    one = v["L"] * v["H_kv"] * v["d_h"] * v["T"] * v["B"] * v["e"]
    return one if without in ("values", "keys") else 2 * one


def _step(v: Values, without: str) -> Fraction:
    cache = 2 * v["L"] * v["H_kv"] * v["d_h"] * v["T"] * v["e"]
    return (v["total"] * v["e"] + v["B"] * cache) / v["W"]


def _elementwise(v: Values, without: str) -> Fraction:
    one = v["N"] * v["e"] / v["W"]
    return one if without == "write the outputs" else 2 * one


def _share(v: Values, without: str) -> Fraction:
    return v["layers"] * v["T"] * v["heads"] * v["head_dim"] / v["matmul"]


def _mfu(v: Values, without: str) -> Fraction:
    attention = 6 * v["layers"] * v["T"] * v["heads"] * v["head_dim"]
    return (6 * v["matmul"] + attention) * v["rate"] / (v["n"] * v["P"])


FORMULAS: Mapping[str, Callable[[Values, str], Fraction]] = {
    "roofline.ridge": lambda v, _: v["P"] / v["W"],
    "roofline.time": lambda v, _: max(v["F"] / v["P"], v["Q"] / v["W"]),
    "matmul.flops": _matmul_flops,
    "matmul.traffic": _matmul_bytes,
    "matmul.intensity": lambda v, out: _matmul_flops(v, out) / _matmul_bytes(v, out),
    "matmul.decode_intensity": lambda v, _: v["d"] / (v["d"] + 2),
    "matmul.batched_decode_intensity": lambda v, _: 2 * v["B"] * v["d"] / (v["e"] * (2 * v["B"] + v["d"])),
    "matmul.critical_batch": lambda v, _: v["R"] * v["e"] * v["d"] / (2 * (v["d"] - v["R"] * v["e"])),
    "matmul.time": lambda v, out: max(_matmul_flops(v, out) / v["P"], _matmul_bytes(v, out) / v["W"]),
    "elementwise.time": _elementwise,
    "attention.flops": _attention_flops,
    "attention.naive_traffic": _naive_bytes,
    "attention.naive_intensity": lambda v, out: _attention_flops(v, out) / _naive_bytes(v, out),
    "attention.flash_tiled_intensity": _tiled,
    "attention.flash_ideal_intensity": lambda v, _: v["T"] / v["e"],
    "attention.decode_intensity": lambda v, _: 2 * v["g"] * v["T"] / (v["e"] * (v["T"] + v["g"])),
    "decode.step_time": _step,
    "decode.tokens_per_second": lambda v, _: v["B"] * v["W"] / (v["weights"] + v["B"] * v["KV"]),
    "decode.fits": lambda v, _: Fraction(math.floor((v["capacity"] - v["weights"]) / v["KV"])),
    "decode.even_batch": lambda v, _: v["weights"] / v["KV"],
    "flops.forward": lambda v, _: 2 * v["N"],
    "flops.training": lambda v, _: 6 * v["N"],
    "flops.attention_share": _share,
    "utilization.mfu": _mfu,
    "memory.training_state": _state,
    "memory.activations_gpt3": lambda v, out: _layer(v, out, scores=True),
    "memory.activations_selective": lambda v, out: _layer(v, out, scores=False),
    "memory.logits": lambda v, _: 4 * v["s"] * v["b"] * v["V"],
    "memory.kv_cache": _cache,
    "memory.weights": lambda v, _: v["N"] * v["e"],
    "collectives.all_reduce_ring": lambda v, _: 2 * (v["n"] - 1) / v["n"] * v["S"] / v["beta"],
    "collectives.all_gather": lambda v, _: (v["n"] - 1) / v["n"] * v["S"] / v["beta"],
    "collectives.bus_bandwidth": lambda v, _: 2 * (v["n"] - 1) / v["n"] * v["S"] / v["t"],
    "cpu.peak": lambda v, _: 2 * v["cores"] * v["clock"] * v["units"] * v["lanes"],
    "cpu.memory_bandwidth": lambda v, _: 8 * v["channels"] * v["rate"],
}


def values(given: Mapping[str, str], on: str | None, of: str | None) -> Values:
    """Everything that a formula may need: what was given, the machine's, the model's, 2 bytes an element."""
    found = {"e": Fraction(2)}
    if on:
        found |= machine(on)
    if of:
        own = model(of)
        found |= own | {"L": own["layers"], "H_kv": own["kv_heads"], "d_h": own["head_dim"]}
    return found | {name: read(text) for name, text in given.items()}
