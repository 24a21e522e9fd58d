"""Check the units of Python code: a function's when it is defined, a value's in a test.

A function is called once for each of a few orders of its arguments with values
that carry a dimension and kinds instead of numbers, so both sides of a
comparison are seen. The rules are those of `units.kinds` and of dimensions:
what does not add in `derive calc` does not add here. The function itself is
returned as it was; calls cost nothing more.

    from typing import Annotated

    @units.check
    def ridge(
        peak: Annotated[float, "FLOP/s [dense]"], bandwidth: Annotated[float, "byte/s"]
    ) -> Annotated[float, "FLOP/byte"]:
        return peak / bandwidth

    @units.check(weights="byte", bandwidth="byte/s", returns="s")
    def read_time(weights, bandwidth):
        return weights / bandwidth

    def test_weights():
        assert units.check(units.quantity("16 GB"), "GB") == 16
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar, overload

from units.errors import UnitError
from units.kinds import Kinds, parse, text_of
from units.probe import Probe
from units.reading import Dimension, factor, split

F = TypeVar("F", bound=Callable[..., Any])
_FAILURES = (TypeError, AttributeError, ValueError, ArithmeticError, LookupError)


class _Measured(Protocol):
    """Anything that says its unit: a pint quantity, an answer of `derive calc`, an evaluation."""

    @property
    def unit(self) -> Any: ...


@overload
def check(subject: F, unit: None = None, /) -> F: ...
@overload
def check(subject: str | _Measured, unit: str, /) -> float: ...
@overload
def check(subject: None = None, unit: None = None, /, **declared: str) -> Callable[[F], F]: ...
def check(subject: Any = None, unit: str | None = None, /, **declared: str) -> Any:
    """Check a function's units, or a value's.

    With a value and a unit: the value's magnitude in that unit. The value is a
    pint quantity, text such as "80 GB", or anything with `.unit` and `.value` or
    `.magnitude`.
    With a function, bare or as a decorator: the function itself, once its units
    agree. They stand in `Annotated[float, "byte/s"]`, or are given by name, the
    result's as `returns`; kinds stand in brackets behind a unit.
    Raises UnitError where units or kinds clash or are not said.
    """
    if unit is not None:
        return _magnitude(subject, unit)
    if subject is None:
        return lambda function: _checked(function, declared)
    if callable(subject):
        return _checked(subject, declared)
    raise UnitError("say in which unit the value is due: units.check(value, 'GB')")


def _magnitude(subject: Any, unit: str) -> float:
    due, dimension = factor(unit)
    if isinstance(subject, str):
        number, own = split(subject)
    else:
        held = getattr(subject, "unit", None) or getattr(subject, "units", None)
        value = (
            getattr(subject, "value", None)
            if hasattr(subject, "value")
            else getattr(subject, "magnitude", None)
        )
        value = value() if callable(value) else value
        if held is None or value is None:
            raise UnitError(f"{type(subject).__name__} says no unit: give text, a quantity or an answer")
        number, own = Fraction(value), f"{held}".replace(" ", "")
    scale, found = factor(own)
    if found != dimension:
        raise UnitError(f"{own} is no {unit}: their dimensions differ")
    return float(number * scale / due)


def _checked(function: F, declared: Mapping[str, str]) -> F:
    name = getattr(function, "__qualname__", "the function")
    parameters = inspect.signature(function).parameters
    said = {**_annotated(function), **declared}
    unknown = set(said) - set(parameters) - {"returns"}
    if unknown:
        raise UnitError(f"{name} has no parameter {sorted(unknown)[0]!r}")
    wanted: dict[str, tuple[Dimension, Kinds]] = {}
    for parameter in parameters.values():
        if parameter.name in said:
            wanted[parameter.name] = _declared(said[parameter.name])
        elif parameter.default is parameter.empty:
            raise UnitError(
                f"{name}: say the unit of {parameter.name!r}, or dimensionless for a plain number"
            )
    if "returns" not in said:
        raise UnitError(f"{name}: say the unit of what it returns")
    due = _declared(said["returns"])
    for values in _orders(len(wanted)):
        probes = {own: Probe(value, *wanted[own]) for own, value in zip(wanted, values, strict=True)}
        _compare(name, _run(function, name, probes), due, said["returns"])
    return function


def _run(function: Callable[..., Any], name: str, probes: Mapping[str, Probe]) -> Probe:
    try:
        return Probe.of(function(**probes))
    except UnitError as error:
        raise UnitError(f"{name}: {error}") from error
    except _FAILURES as error:
        raise UnitError(f"{name} cannot be checked with single values: {error}") from error


def _compare(name: str, found: Probe, due: tuple[Dimension, Kinds], said: str) -> None:
    dimension, kinds = due
    if found.dimension != dimension and found.value != 0:
        raise UnitError(f"{name} returns {found.unit}, where {said} is declared")
    held = dict(found.kinds)
    for axis, value in kinds:
        if held.get(axis, value) != value:
            raise UnitError(f"{name} returns {found.unit}{text_of(found.kinds)}, where {said} is declared")


def _annotated(function: Callable[..., Any]) -> dict[str, str]:
    """The units in the signature's Annotated types."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise UnitError(f"an annotation cannot be read: {error}") from error
    found = {}
    for name, hint in hints.items():
        texts = [item for item in getattr(hint, "__metadata__", ()) if isinstance(item, str)]
        if texts:
            found["returns" if name == "return" else name] = texts[0]
    return found


def _declared(text: str) -> tuple[Dimension, Kinds]:
    unit, _, tags = text.partition("[")
    return factor(unit.strip() or "dimensionless")[1], parse(tags.rstrip("] ")) if tags else ()


def _orders(count: int) -> Sequence[Sequence[float]]:
    """Values in rising and in falling order, and all alike: each comparison goes both ways."""
    rising = [float(2 + 3 * place) for place in range(count)]
    return rising, rising[::-1], [2.0] * count
