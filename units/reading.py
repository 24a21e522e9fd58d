"""The registry itself, and the few things the engine asks of it.

A dimension is a tuple of (base unit, exponent) pairs. Unit text is read by the
small grammar below and each name in it is looked up in pint; nothing is ever
executed and every exponent is bounded. Factors are exact fractions, so that a
count stays an integer and 1 us is 1/1000000 s.

    unit   = factor (("*" | "·" | "/" | "per") factor)*
    factor = (name ("-" name)* | "1" | "(" unit ")") (("^" | "**") integer)?

A hyphen multiplies, as in GPU-hour; operations and a time joined so are the
work done in that time at one such rate, as in PFLOP-day.

To see what a unit is made of: `units.factor("GB/s")`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any

import pint

from units.errors import UnitError

Dimension = tuple[tuple[str, Fraction], ...]
"""Base units with their exponents, sorted by name; () is a plain number."""

_NUMBER = re.compile(
    r"\s*(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?)"
    r"\s*(?P<unit>.*?)\s*",
    re.DOTALL,
)
_TOKEN = re.compile(r"\s*([^\W\d]\w*(?:-[^\W\d]\w*)*|%|\$|\*\*|[*/^()·]|[+-]?\d+)\s*")
_EXPONENT = 9
_DEPTH = 8
_SLURRED = re.compile(
    r"(?P<prefix>|[kMGTPE]|kilo|mega|giga|tera|peta|exa)[fF]lops|(?P<short>[MGTPE])F|(?P<one>[kMGTPE]i?[Bb])s"
)
_AMBIGUOUS = {
    "KB": "kB (1000 bytes) or KiB (1024 bytes)",
    "Kb": "kb (1000 bits) or Kib (1024 bits)",
    "mB": "MB (10⁶ bytes)",
    "mb": "MB (10⁶ bytes) or Mb (10⁶ bits)",
    "gb": "GB (bytes) or Gb (bits)",
    "tb": "TB (bytes) or Tb (bits)",
}

registry: pint.UnitRegistry[Any] = pint.UnitRegistry(None, on_redefinition="raise", cache_folder=None)
registry.load_definitions(files("units").joinpath("definitions.txt").read_text("utf-8").splitlines())


@lru_cache(maxsize=4096)
def factor(unit: str) -> tuple[Fraction, Dimension]:
    """What `unit` is in base units: an exact factor and a dimension.

    unit: text such as "GB/s", "FLOP/byte", "dimensionless".
    Raises UnitError for text that is no unit, with the likely one where known.
    """
    scale, powers = Fraction(1), dict[str, Fraction]()
    for name, power in _names(unit):
        one, dimension = _named(name, unit)
        scale *= one**power
        for base, exponent in dimension:
            powers[base] = powers.get(base, Fraction(0)) + exponent * power
    return scale, tuple(sorted((base, power) for base, power in powers.items() if power))


def dimension_of(unit: str) -> Dimension:
    """The dimension of a unit's text. Raises UnitError."""
    return factor(unit)[1]


def quantity(text: str) -> pint.Quantity[Any]:
    """A number with its unit, such as "3.35 TB/s" or "1,024 token", as a pint quantity.

    Raises UnitError when the text is no number with an optional unit.
    """
    number, unit = split(text)
    factor(unit)
    made = registry.Quantity(float(number), registry.dimensionless)
    for name, power in _names(unit):
        made = made * _one(name) ** power
    return made


def split(text: str) -> tuple[Fraction, str]:
    """The exact number of a quantity's text, and its unit's text.

    The unit is "dimensionless" where none is written. Raises UnitError.
    """
    found = _NUMBER.fullmatch(text) if len(text) <= 200 else None
    if found is None:
        raise UnitError(f"{_short(text)} is no number with a unit: write it as 3.35 TB/s or 1e9")
    digits = found["number"].replace(",", "").replace("_", "").lower()
    mantissa, _, exponent = digits.partition("e")
    if len(mantissa) > 60 or abs(int(exponent or 0)) > 300:
        raise UnitError(f"{_short(text)} is outside the range 1e-300 to 1e300")
    return Fraction(digits), found["unit"] or "dimensionless"


@lru_cache(maxsize=4096)
def _named(name: str, whole: str) -> tuple[Fraction, Dimension]:
    """One unit's name, prefix included, in base units."""
    if name in _AMBIGUOUS:
        raise UnitError(f"unit {name!r} can be misread: give {_AMBIGUOUS[name]}")
    slurred = _SLURRED.fullmatch(name)
    if slurred is not None:
        one = slurred["one"] or f"{slurred['prefix'] or slurred['short'] or ''}FLOP"
        raise UnitError(f"unit {name!r} can be misread: give {one} for an amount, {one}/s for a rate")
    if name.count("-") > _DEPTH:
        raise _unknown(whole)
    if name.isascii() and name.isalpha() and not registry.parse_unit_name(name):
        raise _unknown(whole)  # as pint would find after it has parsed the word as an expression
    try:
        root = _one(name).to_root_units()
    except (pint.errors.PintError, AttributeError, ValueError) as error:
        raise _unknown(whole) from error
    powers = sorted((base, Fraction(str(power))) for base, power in root.unit_items())
    return _exact(float(root.magnitude)), tuple(powers)


def _one(name: str) -> pint.Quantity[Any]:
    """One of a named unit; hyphens multiply, and operations-time is work at that rate."""
    first, *rest = (registry.Quantity(1, registry.parse_units(part)) for part in name.split("-"))
    for part in rest:
        working = first.check("[operation]") or first.check("[integer_operation]")
        first = first * (part / registry.second if working and part.check("[time]") else part)
    return first


def _exact(scale: float) -> Fraction:
    """The exact factor behind pint's float: a short decimal, or else a power of two."""
    digits = repr(float(scale)).partition("e")[0].replace(".", "").strip("0")
    return Fraction(repr(scale)) if len(digits) <= 15 else Fraction(scale)


def _names(unit: str) -> list[tuple[str, int]]:
    """The names in a unit's text with their integer exponents."""
    if unit in ("", "dimensionless"):
        return []
    if len(unit) > 120:
        raise _unknown(unit)
    tokens, position = [], 0
    while position < len(unit):
        found = _TOKEN.match(unit, position)
        if found is None:
            raise _unknown(unit)
        tokens.append(found[1])
        position = found.end()
    names, rest = _product(tokens, unit, 0)
    if rest:
        raise _unknown(unit)
    return names


def _product(tokens: list[str], whole: str, depth: int) -> tuple[list[tuple[str, int]], list[str]]:
    names, rest = _power(tokens, whole, depth)
    while rest and rest[0] in ("*", "·", "/", "per"):
        sign = 1 if rest[0] in ("*", "·") else -1
        more, rest = _power(rest[1:], whole, depth)
        names = names + [(name, sign * power) for name, power in more]
    return names, rest


def _power(tokens: list[str], whole: str, depth: int) -> tuple[list[tuple[str, int]], list[str]]:
    if not tokens or depth > _DEPTH:
        raise _unknown(whole)
    head, rest = tokens[0], tokens[1:]
    if head == "(":
        names, rest = _product(rest, whole, depth + 1)
        if rest[:1] != [")"]:
            raise _unknown(whole)
        rest = rest[1:]
    elif head == "1":
        names = []
    elif head in ("%", "$"):
        names = [("percent" if head == "%" else "dollar", 1)]
    elif head.replace("-", "").isidentifier() and head != "per":
        names = [(head, 1)]
    else:
        raise _unknown(whole)
    if rest[:1] in (["^"], ["**"]):
        try:
            exponent = int(rest[1])
        except (IndexError, ValueError) as error:
            raise _unknown(whole) from error
        if abs(exponent) > _EXPONENT:
            raise UnitError(f"exponent {exponent} in {_short(whole)}: at most {_EXPONENT}")
        names, rest = [(name, power * exponent) for name, power in names], rest[2:]
    return names, rest


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "…")


def _unknown(unit: str) -> UnitError:
    return UnitError(
        f"unknown unit {_short(unit)}: case is meaning, as in GB, GiB, Gb, TFLOP/s, FLOP/byte, token/s, us"
    )
