"""The words of `calc`: units by name, suffixes, functions, and the words that are only filling."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

import units
from derive.calc.tree import Unit, Uses

MULTIPLIERS = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15,
}  # fmt: skip
SUFFIXES = {"k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "B": 10**9, "T": 10**12, "P": 10**15}
FUNCTIONS = {
    "sqrt": 1, "log2": 1, "log10": 1, "ln": 1, "exp": 1, "ceil": 1, "floor": 1, "round": 1, "abs": 1,
    "min": 0, "max": 0,
}  # fmt: skip
"""Name: number of arguments, 0 for two or more."""
SPELLED_FUNCTIONS = {
    "ceiling": "ceil",
    "roundup": "ceil",
    "rounddown": "floor",
    "minimum": "min",
    "maximum": "max",
}
MODULES = ("math.", "np.", "numpy.", "torch.", "jnp.")
WORDS = {"times": "*", "plus": "+", "minus": "-", "x": "*"}
RESERVED = {"in", "to", "per", "as", "of", "divided", "by", *WORDS, *MULTIPLIERS}
UTILIZATION = {"MFU", "HFU", "MBU", "mfu", "hfu", "mbu", "utilization", "utilisation", "efficiency"}

# Words that stand before a counted noun and change nothing: 8 KV heads, 2,400 output tokens.
_FILLING = {
    "KV", "kv", "query", "attention", "input", "output", "prompt", "generated", "training", "trained", "model",
    "active", "total", "trainable", "transformer", "decoder", "hidden", "routed", "shared", "NVIDIA", "compute",
}  # fmt: skip
_ACCELERATOR = re.compile(
    r"(?:[ABHV](?:10|20|100|200|300|800)|L4|L40S?|T4|A10G|A6000|MI(?:100|210|250X?|300[XA]?|325X|350X|355X)|TPU(?:v\d[ep]?)?)s?"
)
_PREFIX = r"(?:[kMGTPEZY]|kilo|mega|giga|tera|peta|exa|zetta)"
_RATES = {"FLOPS": "FLOP", "OPS": "OP", "bps": "bit", "Bps": "B"}
_FLOPS_LIKE = re.compile(rf"(?P<prefix>{_PREFIX}?)(?:F|f)lops")
_COUNTED = {
    "parameter",
    "token",
    "sequence",
    "element",
    "device",
    "node",
    "layer",
    "dollar",
    "transfer",
    "cycle",
    "FLOP",
    "MAC",
}
_KNOWN = (
    "B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "bit", "byte", "kbps", "Mbps", "Gbps", "Tbps",
    "kilobyte", "megabyte", "gigabyte", "terabyte", "FLOP", "GFLOP", "TFLOP",
    "PFLOP", "FLOPS", "GFLOPS", "TFLOPS", "PFLOPS", "OP", "TOP", "TOPS", "GMAC", "s", "ms", "us", "ns", "min", "hour",
    "day", "week", "year", "token", "Mtok", "sequence", "param", "element", "GPU", "node", "layer", "cycle", "GHz",
    "MHz", "W", "kW", "MW", "J", "kWh", "USD", "GT", "head", "request",
)  # fmt: skip
_LONG = re.compile(r"[A-Za-z]{3,}")


@lru_cache(maxsize=4096)
def unit(name: str) -> Unit:
    """The unit that a written name stands for. Raises units.UnitError."""
    if _ACCELERATOR.fullmatch(name):
        return Unit("GPU", Fraction(1), (("device", Fraction(1)),))
    if name[:1].isupper() and name[1:].islower() and len(name) > 3 and not name.endswith("ps"):
        name = name.lower() if _is_unit(name.lower()) else name
    factor, dimension = units.factor(name)
    return Unit(_singular(name, factor, dimension), factor, dimension)


@lru_cache(maxsize=4096)
def rate(name: str) -> Uses | None:
    """TFLOPS as TFLOP/s, Gbps as Gbit/s; None for a name that is no such rate."""
    for ending, amount in _RATES.items():
        if name.endswith(ending) and (name == ending or re.fullmatch(_PREFIX + "i?", name[: -len(ending)])):
            return ((unit(name[: -len(ending)] + amount), Fraction(1)), (unit("s"), Fraction(-1)))
    return None


@lru_cache(maxsize=4096)
def is_unit(name: str) -> bool:
    """Whether a name can be a unit, an ambiguous one included (so that it is refused as such)."""
    if name in RESERVED or name in UTILIZATION:
        return False
    try:
        unit(name)
    except units.UnitError as error:
        return "can be misread" in str(error)
    return True


def is_filling(name: str) -> bool:
    """Whether a word before a counted noun says nothing about its unit."""
    return name in _FILLING or bool(_ACCELERATOR.fullmatch(name))


def is_counted(name: str) -> bool:
    """Whether a suffix before this noun is a number: 7B params, 8k tokens, 100k hours."""
    if not is_unit(name):
        return False
    try:
        found = unit(name)
    except units.UnitError:
        return False
    if len(found.dimension) > 1 or not _LONG.fullmatch(name.replace("-", "")):
        return False
    whole = found.factor == 1 and (not found.dimension or found.dimension[0][0] in _COUNTED)
    return whole or (found.dimension == (("second", Fraction(1)),) and len(name) > 3)


def flops_amount(name: str) -> str | None:
    """The amount that lower-case flops mean where a rate is spelled out behind them: Gflops/s."""
    found = _FLOPS_LIKE.fullmatch(name)
    return f"{found['prefix']}FLOP" if found else None


def nearest_unit(name: str) -> str:
    """A known unit that differs from the name in case or ending only, or nothing."""
    lowered = name.lower()
    for candidate in _KNOWN:
        if candidate.lower() in (lowered, lowered.rstrip("s")):
            return candidate
    return ""


def _is_unit(name: str) -> bool:
    try:
        units.factor(name)
    except units.UnitError:
        return False
    return True


def _singular(name: str, factor: Fraction, dimension: units.Dimension) -> str:
    for plural, single in (("ches", "ch"), ("ries", "ry"), ("pies", "py"), ("ices", "ix"), ("s", "")):
        shorter = name.removesuffix(plural) + single
        if (
            name.endswith(plural)
            and shorter
            and _is_unit(shorter)
            and units.factor(shorter) == (factor, dimension)
        ):
            return shorter
    return name
