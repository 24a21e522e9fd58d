"""The unit of a result: the written ones, simplified; and the scale in which it reads best."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derive.calc import vocabulary
from derive.calc.tree import Unit, Uses
from units import Dimension

_BASE_NAMES = {"byte": "B", "second": "s", "joule": "J", "dollar": "$", "parameter": "param", "device": "GPU"}
_TIME = (("second", Fraction(1)),)
_DEVICE = (("device", Fraction(1)),)
_ENERGY = (("joule", Fraction(1)),)
_POWER = (("joule", Fraction(1)), ("second", Fraction(-1)))
_INTENSITIES = tuple(
    ((work, Fraction(sign)), ("byte", Fraction(-sign))) for work in ("FLOP", "OP") for sign in (1, -1)
)
_PREFIXES = ("", "k", "M", "G", "T", "P", "E")
_SMALL_TIME = ("s", "ms", "us", "ns")
_LONG_TIME = (("day", 172800), ("hour", 7200), ("min", 600))


@dataclass(frozen=True)
class Named:
    """A unit's text, what one is in base units, and the parts it is made of."""

    text: str
    factor: Fraction
    parts: tuple[tuple[Unit, Fraction], ...] = ()


def as_written(uses: Uses) -> Named:
    """The unit exactly as asked for."""
    return _joined([(unit, power) for unit, power in uses if power])


def name_unit(uses: Uses, dimension: Dimension) -> Named:
    """The unit of a result of this dimension, in the written units where they serve.

    Each base quantity takes the first unit written for it; a written unit of
    several (W, GHz) stays where the dimension holds it whole. An intensity is in
    FLOP/byte, and what happens often happens so many times a second.
    """
    left = dict(dimension)
    if dimension in _INTENSITIES:
        return _joined(
            [
                (vocabulary.unit(base), power)
                for base, power in sorted(left.items(), key=lambda item: -item[1])
            ]
        )
    chosen: list[tuple[Unit, Fraction]] = []
    for unit, power in uses:
        own = dict(unit.dimension)
        if len(own) < 2 or not power:
            continue
        if all(left.get(base, Fraction(0)) / times == power for base, times in own.items()):
            chosen.append((unit, power))
            for base in own:
                del left[base]
    if left == {"joule": Fraction(1)} and not _named(uses, _ENERGY):
        chosen.append((_energy(uses), Fraction(1)))
        del left["joule"]
    if left.get("joule") == 1 and left.get("second") == -1:
        chosen.append((_named(uses, _POWER) or vocabulary.unit("W"), Fraction(1)))
        del left["joule"], left["second"]
    for base, power in _ordered(left, uses):
        unit = _named(uses, ((base, Fraction(1)),)) or _base(base)
        often = base == "second" and power < 0 and unit.factor < 1
        chosen.append((_base(base) if often else unit, power))
    chosen += _nouns(uses, chosen)
    return _joined(chosen)


def readable(value: Fraction, named: Named) -> Named:
    """The unit with the prefix, or the time, in which the value reads best: 0.00478 s is 4.78 ms."""
    if not named.parts or value == 0:
        return named
    head, power = named.parts[0]
    size = abs(value / named.factor)
    if power != 1 or Fraction(1, 10) <= size < 10000:
        return named
    if head.dimension == _TIME:
        unit: Unit | None = _time(abs(value)) if len(named.parts) == 1 else _small_time(size * head.factor)
    else:
        unit = _prefixed(head, size)
    return named if unit is None else _joined([(unit, power), *named.parts[1:]])


def _time(seconds: Fraction) -> Unit:
    for name, least in _LONG_TIME:
        if seconds >= least:
            return vocabulary.unit(name)
    return _small_time(seconds)


def _small_time(seconds: Fraction) -> Unit:
    units = [vocabulary.unit(name) for name in _SMALL_TIME]
    return next((unit for unit in units if seconds >= unit.factor), units[-1])


def _prefixed(head: Unit, size: Fraction) -> Unit | None:
    """The same unit with another decimal prefix, if it takes one."""
    for letters in ("FLOP", "OP", "MAC", "B", "bit", "b", "byte", "W", "Wh", "J", "Hz"):
        prefix = head.name.removesuffix(letters)
        if prefix + letters != head.name or prefix not in _PREFIXES:
            continue
        small = {"byte": "B", "b": "bit"}.get(letters, letters)
        base = vocabulary.unit(small).factor
        amount = size * head.factor / base
        degree = max(0, (len(str(int(amount))) - 1) // 3)
        if degree >= len(_PREFIXES):
            return vocabulary.unit(small)
        return vocabulary.unit(_PREFIXES[degree] + small) if degree or letters != "byte" else head
    return None


def _ordered(left: dict[str, Fraction], uses: Uses) -> list[tuple[str, Fraction]]:
    """The bases left, those first written first."""
    order = {
        base: place for place, (unit, _) in reversed(list(enumerate(uses))) for base, _ in unit.dimension
    }
    return sorted(left.items(), key=lambda item: (item[1] < 0, order.get(item[0], len(order)), item[0]))


def _named(uses: Uses, dimension: Dimension) -> Unit | None:
    """The first unit written for a dimension, those that have cancelled last."""
    return next(
        (unit for unit, _ in sorted(uses, key=lambda use: not use[1]) if unit.dimension == dimension), None
    )


def _base(base: str) -> Unit:
    return vocabulary.unit(_BASE_NAMES.get(base, base))


def _energy(uses: Uses) -> Unit:
    """kWh where kilowatts met hours or days, J elsewhere."""
    power, time = _named(uses, _POWER), _named(uses, _TIME)
    if power is not None and time is not None and time.factor >= 3600 and power.name.endswith("W"):
        return vocabulary.unit(f"{power.name}h")
    return vocabulary.unit("J")


def _nouns(uses: Uses, chosen: list[tuple[Unit, Fraction]]) -> list[tuple[Unit, Fraction]]:
    """The one plain count left over, where it says what the result is of: request/s, GB/request."""
    left = [(unit, power) for unit, power in uses if not unit.dimension and unit.factor == 1 and power]
    if len(left) != 1 or abs(left[0][1]) != 1:
        return []
    return left if left[0][1] < 0 or all(power < 0 for _, power in chosen) else []


def _joined(parts: list[tuple[Unit, Fraction]]) -> Named:
    factor = Fraction(1)
    for unit, power in parts:
        if power.denominator == 1:
            factor *= unit.factor ** int(power)
        else:
            factor *= Fraction(float(unit.factor) ** float(power))
    ordered = sorted(parts, key=lambda part: part[1] < 0)
    above = [_powered(unit.name, power) for unit, power in ordered if power > 0]
    below = [_powered(unit.name, -power) for unit, power in ordered if power < 0]
    if [unit.dimension for unit, power in ordered if power == 1] == [_DEVICE, _TIME]:
        above = ["-".join(above)]
    text = "/".join(["·".join(above) or ("1" if below else ""), *below])
    return Named(text or "dimensionless", factor, tuple(ordered))


def _powered(name: str, power: Fraction) -> str:
    return name if power == 1 else f"{name}^{power}" if power.denominator == 1 else f"{name}^({power})"
