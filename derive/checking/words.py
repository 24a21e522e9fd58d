"""What the words behind a number mean: units, magnitudes, counted things. A word may have several readings."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import units

Dimension = tuple[tuple[str, int], ...]

_HARD = {"byte", "FLOP", "OP", "MAC", "second", "joule", "dollar"}
_MASSES = {
    "kg": 1e3, "t": 1e6, "tonne": 1e6, "tonnes": 1e6, "Tonnes": 1e6, "kgCO2": 1e3, "kgCO2e": 1e3, "tCO2": 1e6,
    "tCO2e": 1e6, "gCO2": 1.0, "gCO2e": 1.0,
}  # fmt: skip
"""Grams of what energy emits."""
_MAGNITUDES = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15, "mn": 1e6, "bn": 1e9,
    "tn": 1e12, "millions": 1e6, "billions": 1e9, "trillions": 1e12,
}  # fmt: skip
_LETTERS = {"M": 1e6, "T": 1e12, "G": 1e9, "P": 1e15}
_FLOPS = re.compile(
    r"(?P<prefix>[kKMGTPEZ]?|[kK]ilo|[mM]ega|[gG]iga|[tT]era|[pP]eta|[eE]xa|[zZ]etta|[yY]otta)[- ]?"
    r"(?P<what>FLOPs|FLOPS|FLOP|Flops|flops|flop|Flop|TOPS|OPS|OPs|Ops|ops|F)(?P<rate>ps)?"
)
_PREFIXES = {
    "": 1.0,
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
    "Z": 1e21,
    "Y": 1e24,
}
_BINARY = {"k": 2.0**10, "K": 2.0**10, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40, "P": 2.0**50}
_LONG = {
    "gigabyte": "GB", "megabyte": "MB", "terabyte": "TB", "petabyte": "PB", "kilobyte": "kB", "gigabytes": "GB",
    "megabytes": "MB", "terabytes": "TB", "petabytes": "PB", "kilobytes": "kB", "GBs": "GB", "MBs": "MB", "TBs": "TB",
    "msec": "ms", "secs": "s", "mins": "min", "hrs": "hour", "hr": "hour", "yr": "year", "yrs": "year", "usec": "us",
    "microsecs": "us", "bytes": "byte", "Bytes": "byte", "bits": "bit", "sec": "s", "GiBs": "GiB", "MiBs": "MiB",
    "kiB": "KiB", "gibibytes": "GiB", "mebibytes": "MiB", "gigabits": "Gb", "megabits": "Mb", "terabits": "Tb",
    "gigabit": "Gb", "dollars": "USD", "Watts": "W", "watts": "W", "FMAs": "MAC", "MACs": "MAC", "Gbit": "Gb",
    "Mbit": "Mb", "Tbit": "Tb", "GBit": "Gb", "Gbits": "Gb", "teraflop": "TFLOP", "petaflop": "PFLOP",
    "VA": "W", "kVA": "kW", "MVA": "MW",
    "exaflop": "EFLOP", "gigaflop": "GFLOP",
}  # fmt: skip
_IN_MATH = re.compile(
    r"[kKMGTPE]i?[Bb]|[mnuµ]s|[kKMGTPE]?(?:FLOPs?|FLOPS|Bps|bps)|[A-Za-z]?[a-z]{4,}|GHz|MHz|[kMGT]?Wh|[kMG]W|[kMG]J|min"
)
_NOUNS = {
    "chips", "chip", "cores", "cards", "card", "GPU", "GPUs", "TPU", "TPUs", "H100s", "A100s", "H200s", "B200s",
    "accelerators", "accelerator", "devices", "device", "nodes", "node", "params", "param", "parameters", "parameter",
    "weights", "tokens", "token", "tok", "sequences", "sequence", "layers", "layer", "heads", "head", "elements",
    "element", "values", "value", "samples", "sample", "steps", "step", "users", "requests", "request", "experts",
    "channels", "stacks", "links", "lanes", "SMs", "servers", "pods", "pod", "queries", "query", "batches", "batch",
    "prompts", "replicas", "ranks", "rows", "columns", "blocks", "tiles", "times", "images", "iterations",
    "direction", "port", "clock", "cycle", "SM", "core", "pages", "page", "tensors", "matrices", "scores", "op", "host",
    "entries", "operations", "multiplications", "additions", "machines", "instances", "racks", "rack", "people",
}  # fmt: skip


_DEVICE = re.compile(r"(?:[GTCNI]PU|chip|card|device|accelerator|gpu|[ABHLV]\d{2,3}|MI\d{3}X?)s?")
_DEVICE_TIME = re.compile(rf"{_DEVICE.pattern}[- ](?P<time>hours?|days?|weeks?|months?|years?|h|seconds?)")


class Reading(NamedTuple):
    """One meaning of a unit: its factor to base units and its dimension.

    choice: the kind of doubt ("kilo", "binary", "small", "flops", "billion") and which side of
    it this is, taken alike for all numbers of a side; None for what is sure.
    """

    factor: float
    dimension: Dimension
    choice: tuple[str, int] | None = None

    def times(self, many: float) -> Reading:
        """The reading of a unit that is so many times as large."""
        return Reading(self.factor * many, self.dimension, self.choice)


_ONE = (Reading(1.0, ()),)


@lru_cache(maxsize=8192)
def readings(word: str) -> tuple[Reading, ...]:
    """All meanings of one word as a unit; () where it is none."""
    if word in _NOUNS:
        return _ONE
    if word in _MAGNITUDES:
        return (Reading(_MAGNITUDES[word], ()),)
    flops = _FLOPS.fullmatch(word)
    if flops and word not in ("F", "ops", "op"):
        return _of_operations(flops)
    if word in _MASSES:
        return (Reading(_MASSES[word], (("gram", 1),)),)
    used = _DEVICE_TIME.fullmatch(word)
    word = used["time"] if used else _LONG.get(word, word)
    if word in ("KB", "Kb", "KBs"):
        part = 1.0 if word[1] == "B" else 0.125
        return tuple(
            Reading(factor * part, (("byte", 1),), ("kilo", side))
            for side, factor in enumerate((1e3, 1024.0))
        )
    found = _registered(word)
    if found is None:
        return ()
    factor, dimension = found
    if word[-1:] == "B" and word[:1] in _BINARY and len(word) == 2:
        doubt = "small" if word == "kB" else "binary"  # many who write GB rightly still count 1024 to a kB
        return (
            Reading(factor, dimension, (doubt, 0)),
            Reading(_BINARY[word[0]], dimension, (doubt, 1)),
        )
    return (Reading(factor, dimension),)


def in_math(word: str) -> bool:
    """Whether a word among the symbols of a formula can be a unit: GB, ms, bytes, but not Td."""
    return bool(_IN_MATH.fullmatch(word))


def magnitudes(letter: str) -> tuple[Reading, ...]:
    """The meanings of a single letter glued to a number: 8k, 7B, 15T; () for another."""
    if letter in ("k", "K"):
        return (Reading(1e3, (), ("kilo", 0)), Reading(1024.0, (), ("kilo", 1)))
    if letter in ("B", "b"):
        byte = 1.0 if letter == "B" else 0.125
        return (Reading(1e9, (), ("billion", 0)), Reading(byte, (("byte", 1),), ("billion", 1)))
    if letter == "M":
        return (Reading(1e6, (), ("mega", 0)), Reading(2.0**20, (), ("mega", 1)))
    if letter in _LETTERS:
        return (Reading(_LETTERS[letter], ()),)
    return ()


def magnitude(unit: str) -> float:
    """The million of "million tokens/hour"; 1 where a unit begins with none."""
    first = unit.replace("/", " ").partition(" ")[0]
    options = magnitudes(first) or readings(first)
    return options[0].factor if options and not options[0].dimension and options[0].factor >= 1e3 else 1.0


def _of_operations(found: re.Match[str]) -> tuple[Reading, ...]:
    what, prefix = found["what"], found["prefix"]
    if what == "TOPS":
        prefix, what = "T", "OPS"
    if what == "F" and not (prefix and len(prefix) == 1):
        return ()
    scale = _PREFIXES[prefix[:1].upper() if len(prefix) > 1 else prefix]
    base = "OP" if what.lower().startswith("op") else "FLOP"
    amount, rate = ((base, 1),), ((base, 1), ("second", -1))
    if found["rate"]:
        return (Reading(scale, rate),)
    if what in ("FLOPS", "OPS", "FLOPs", "flops", "Flops", "F"):
        return (Reading(scale, rate, ("flops", 0)), Reading(scale, amount, ("flops", 1)))
    return (Reading(scale, amount),)


def is_device(word: str) -> bool:
    """Whether a word names a device: GPU, H100s, cards."""
    return bool(_DEVICE.fullmatch(word))


@lru_cache(maxsize=4096)
def counted(unit: str) -> Dimension:
    """What a unit as written counts besides its dimension: tokens, devices, parameters; one noun for one thing."""
    powers: dict[str, int] = {}
    for place, part in enumerate(unit.split("/")):
        for word in part.split():
            used = _DEVICE_TIME.fullmatch(word)
            noun = "device" if used or is_device(word) else _noun(word)
            if noun:
                powers[noun] = powers.get(noun, 0) + (-1 if place else 1)
    return tuple(sorted((noun, power) for noun, power in powers.items() if power))


def _noun(word: str) -> str:
    """The thing that a word counts; "" for a unit or a magnitude."""
    found = readings(word)
    if (
        word in _MAGNITUDES
        or any(option.dimension or option.factor != 1.0 for option in found)
        or word == "%"
    ):
        return ""
    noun = word.lower().removesuffix("s")
    return (
        {"tok": "token", "param": "parameter", "weight": "parameter"}.get(noun, noun) if len(word) > 2 else ""
    )


def _registered(word: str) -> tuple[float, Dimension] | None:
    """A unit of the registry with what is merely counted dropped from its dimension."""
    if not word or len(word) > 24:
        return None
    for name in (word, word.lower() if len(word) > 3 and word.istitle() else word):
        try:
            factor, dimension = units.factor(name)
        except units.UnitError:
            continue
        if len(name) == 2 and name[0] in "kKMGTPEZY" and dict(dimension).keys() == {"second"}:
            return None  # Td is T·d, no teraday
        return float(factor), hard(dimension)
    return None


def hard(dimension: units.Dimension) -> Dimension:
    """A dimension without the things that are only counted (tokens, devices, layers …)."""
    return tuple((base, int(power)) for base, power in dimension if base in _HARD)


def is_binary(word: str) -> bool:
    """Whether a unit says 1024: KiB, MiB, GiB …"""
    return len(word) >= 3 and word[1] == "i" and word[0] in "KMGTPk" and word[2] in "Bb"
