"""Structured claims: figures.toml-style entries, and what an annotation asks of the catalogue.

[[figure]]
id = "attention.naive_intensity"
given = { T = 4096, d = 128 }
value = 62.06
unit = "FLOP/byte"

[[figure]]
calc = "2*7/8 * 2 GB / (64 GB/s)"
claimed = "55 ms"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from derive.checking.claims import Claim, Verdict
from derive.checking.quantities import Quantity, quantities
from derive.checking.sources import Source
from derive.checking.words import hard
from derive.errors import DeriveError
from units.errors import UnitError

_MOST = 5000
_ENTRY = re.compile(r"\s*\[\[\s*(figure|claim)\s*\]\]")


@dataclass(frozen=True)
class Asked:
    """A quantity of the catalogue with what fills it."""

    id: str
    given: Mapping[str, Any] = field(default_factory=dict)
    on: str | None = None
    model: str | None = None
    conventions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, id: str, pairs: Mapping[str, str]) -> Asked:
        """From name=value pairs: on, model, conventions, and letters."""
        from derive.conventions import CONVENTIONS

        rest = {name: value for name, value in pairs.items() if name not in ("on", "model")}
        conventions = {name: value for name, value in rest.items() if name in CONVENTIONS}
        given = {name: value for name, value in rest.items() if name not in CONVENTIONS}
        return cls(id, given, pairs.get("on"), pairs.get("model"), conventions)


def evaluated(asked: Asked, claimed: str, quantity: Quantity) -> tuple[Verdict, str, str, str]:
    """Verdict, expected value, cause and computation of a quantity that somebody printed.

    Raises DeriveError where the catalogue cannot compute it.
    """
    import units
    from derive.catalogue import get
    from derive.evaluation import evaluate
    from derive.reconcile import reconcile_derivation

    result = evaluate(asked.id, asked.given, asked.on, asked.model, asked.conventions)
    dimension = hard(units.dimension_of(result.unit))
    value = result.base_float
    matching = [option for option in quantity.literal.options if option.dimension == dimension]
    if not matching and quantity.literal.unit:
        raise DeriveError(f"{asked.id} is in {result.unit}, and {claimed!r} is not")
    scale = float(units.factor(result.unit)[0]) if not quantity.literal.unit else 1.0
    own = quantity if matching else None
    agrees = (
        own.agrees(value, dimension)
        if own
        else abs(quantity.literal.value * scale - value) <= quantity.slack(()) * scale
    )
    if agrees:
        return "true", result.text, "", asked.id
    shown = claimed.lstrip("~≈ ") if quantity.literal.unit else f"{quantity.literal.digits} {result.unit}"
    try:
        found = reconcile_derivation(
            get(asked.id), shown, asked.given, asked.on, asked.model, asked.conventions
        ).explanations
    except (DeriveError, UnitError):
        found = ()
    cause = f"{found[0].cause}: {found[0].says}" if found else "no known slip gives this number"
    return "false", result.text, cause, asked.id


def claims(source: Source) -> Iterator[Claim]:
    """The entries of a TOML file of claims. Raises DeriveError for a file that is none."""
    try:
        read = tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DeriveError(f"{source.name}: no TOML: {error}") from None
    entries = [entry for name in ("figure", "claim") for entry in _list(read.get(name), source.name)]
    if not entries:
        raise DeriveError(f"{source.name}: no [[figure]] or [[claim]] in it")
    if len(entries) > _MOST:
        raise DeriveError(f"{source.name}: more than {_MOST} entries: split the file")
    lines = {
        name: [
            n
            for n, line in enumerate(source.text.split("\n"), 1)
            if (m := _ENTRY.match(line)) and m[1] == name
        ]
        for name in ("figure", "claim")
    }
    numbers = [*lines["figure"], *lines["claim"]]
    for index, entry in enumerate(entries):
        yield _entry(entry, numbers[index] if index < len(numbers) else 1)


def _list(found: Any, name: str) -> list[dict[str, Any]]:
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise DeriveError(f"{name}: figure must be a list of tables: write [[figure]]")
    return found


def _entry(entry: dict[str, Any], line: int) -> Claim:
    text = str(entry.get("calc") or entry.get("id") or "?")[:200]
    try:
        if "calc" in entry:
            return _calculated(str(entry["calc"]), str(entry.get("claimed", "")), line)
        return _figure(entry, text, line)
    except (DeriveError, UnitError) as error:
        return Claim(line, text, "unsure", "", _written(entry), str(error), "figure")


def _written(entry: dict[str, Any]) -> str:
    unit = entry.get("unit", "")
    return (
        str(entry.get("claimed", ""))
        or f"{entry.get('value', '')} {'' if unit == 'dimensionless' else unit}".strip()
    )


def _calculated(line_of_arithmetic: str, claimed: str, line: int) -> Claim:
    from derive.reconcile import reconcile_line

    found = reconcile_line(line_of_arithmetic, claimed)
    cause = ""
    if not found.agrees:
        first = found.explanations[0] if found.explanations else None
        cause = f"{first.cause}: {first.says}" if first else "no known slip gives this number"
    verdict: Verdict = "true" if found.agrees else "false"
    return Claim(line, line_of_arithmetic, verdict, found.ours, claimed, cause, "figure", line_of_arithmetic)


def _figure(entry: dict[str, Any], text: str, line: int) -> Claim:
    import units
    from derive.evaluation import evaluate

    if not isinstance(entry.get("id"), str):
        raise DeriveError("an entry needs an id of the catalogue, or calc and claimed")
    value = entry.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DeriveError(f"{text}: value must be a number")
    asked = Asked(
        entry["id"],
        _table(entry, "given"),
        entry.get("on"),
        entry.get("model"),
        _table(entry, "conventions") or _table(entry, "convention"),
    )
    result = evaluate(asked.id, asked.given, asked.on, asked.model, asked.conventions)
    unit = str(entry.get("unit", result.unit))
    factor, dimension = units.factor(unit)
    if dimension != units.dimension_of(result.unit):
        raise DeriveError(f"{text} is in {result.unit}, and the figure is in {unit}")
    ours = result.base_float / float(factor)
    rel = entry.get("rel")
    if isinstance(rel, int | float) and not isinstance(rel, bool):
        agrees = abs(ours - value) <= max(abs(value) * rel, abs(value) * 1e-12)
        cause = (
            ""
            if agrees
            else f"the catalogue's value is {ours / value:.6g} times it"
            if value
            else "it is not zero"
        )
        return Claim(
            line,
            text,
            "true" if agrees else "false",
            f"{ours:.6g} {unit}",
            _written(entry),
            cause,
            "figure",
            asked.id,
        )
    found = quantities(_written(entry).replace(unit, "").strip())
    if not found:
        raise DeriveError(f"{text}: value must be a number")
    verdict, expected, cause, because = evaluated(asked, f"{found[0].literal.digits} {unit}", found[0])
    return Claim(line, text, verdict, expected, _written(entry), cause, "figure", because)


def _table(entry: dict[str, Any], name: str) -> dict[str, Any]:
    found = entry.get(name, {})
    if not isinstance(found, dict):
        raise DeriveError(f"{name} must be a table such as {{ T = 4096 }}")
    return found
