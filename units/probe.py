"""A value that carries a dimension and kinds through Python code, to see whether its units agree."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from units.errors import UnitError
from units.kinds import Kinds, alike, product, text_of
from units.reading import Dimension

_PLAIN_FUNCTIONS = ("exp", "log", "log2", "log10", "sin", "cos", "tanh")
_LARGEST_DENOMINATOR = 1000


class Probe:
    """A value in base units with its dimension and kinds.

    Adding, comparing or taking the minimum of two dimensions or kinds raises
    UnitError; 0 fits any. NumPy's elementwise functions work on it too.
    """

    def __init__(self, value: float, dimension: Dimension = (), kinds: Kinds = ()) -> None:
        self.value, self.dimension, self.kinds = float(value), dimension, kinds

    @classmethod
    def of(cls, value: Any) -> Probe:
        """The probe itself, or a plain number as one. Raises UnitError for anything else."""
        if isinstance(value, Probe):
            return value
        if isinstance(value, int | float | Fraction):
            return cls(float(value))
        raise UnitError(f"a {type(value).__name__} has no unit that could be checked")

    @property
    def unit(self) -> str:
        """The dimension in base units, as text."""
        above = [_powered(base, power) for base, power in self.dimension if power > 0]
        below = [_powered(base, -power) for base, power in self.dimension if power < 0]
        return "/".join(["·".join(above) or "1", *below]) if self.dimension else "a plain number"

    def __add__(self, other: Any) -> Probe:
        return self._alike(other, operator.add, "added")

    def __radd__(self, other: Any) -> Probe:
        return Probe.of(other) + self

    def __sub__(self, other: Any) -> Probe:
        return self._alike(other, operator.sub, "subtracted")

    def __rsub__(self, other: Any) -> Probe:
        return Probe.of(other) - self

    def __mul__(self, other: Any) -> Probe:
        return self._product(Probe.of(other), 1)

    def __rmul__(self, other: Any) -> Probe:
        return Probe.of(other) * self

    def __truediv__(self, other: Any) -> Probe:
        return self._product(Probe.of(other), -1)

    def __rtruediv__(self, other: Any) -> Probe:
        return Probe.of(other) / self

    def __pow__(self, exponent: Any) -> Probe:
        power = Probe.of(exponent)
        if power.dimension:
            raise UnitError(f"an exponent in {power.unit}: it must be a plain number")
        times = Fraction(power.value).limit_denominator(_LARGEST_DENOMINATOR)
        dimension = tuple((base, own * times) for base, own in self.dimension) if times else ()
        return Probe(self.value**power.value, dimension, self.kinds if dimension else ())

    def __rpow__(self, base: Any) -> Probe:
        return Probe.of(base) ** self

    def __neg__(self) -> Probe:
        return Probe(-self.value, self.dimension, self.kinds)

    def __abs__(self) -> Probe:
        return Probe(abs(self.value), self.dimension, self.kinds)

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __hash__(self) -> int:
        raise TypeError("a value under check has no hash")

    def __bool__(self) -> bool:
        return bool(self.value)

    def __float__(self) -> float:
        return self._plain("float()")

    def __ceil__(self) -> int:
        return math.ceil(self._plain("ceil"))

    def __floor__(self) -> int:
        return math.floor(self._plain("floor"))

    def __round__(self, digits: int = 0) -> float:
        return round(self._plain("round"), digits)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **_options: Any) -> Any:
        """NumPy's elementwise functions by the rules of the operators."""
        name, parts = ufunc.__name__, [Probe.of(part) for part in inputs]
        if method == "__call__" and name in _UFUNCS:
            return _UFUNCS[name](*parts)
        if method == "__call__" and name in _PLAIN_FUNCTIONS:
            return Probe(float(ufunc(parts[0]._plain(name))))
        raise UnitError(f"numpy.{name} has no rule for units: write it with +, -, *, / and **")

    def _plain(self, function: str) -> float:
        if self.dimension:
            raise UnitError(f"{function} of a value in {self.unit}: it takes a plain number")
        return self.value

    def _met(self, other: Any, verb: str) -> tuple[Probe, Probe]:
        """Both sides, 0 in the unit of the other. Raises UnitError where they clash."""
        left, right = self, Probe.of(other)
        if left.dimension != right.dimension:
            if right.value == 0 and not right.dimension:
                return left, Probe(0, left.dimension, left.kinds)
            if left.value == 0 and not left.dimension:
                return Probe(0, right.dimension, right.kinds), right
            raise UnitError(f"{left.unit} and {right.unit} cannot be {verb}")
        return left, right

    def _alike(self, other: Any, act: Callable[[float, float], float], verb: str) -> Probe:
        left, right = self._met(other, verb)
        return Probe(
            act(left.value, right.value), left.dimension, alike(left.kinds, right.kinds, left.dimension)
        )

    def _compared(self, other: Any, act: Callable[[float, float], bool]) -> bool:
        left, right = self._met(other, "compared")
        alike(left.kinds, right.kinds, left.dimension)
        return act(left.value, right.value)

    def _product(self, other: Probe, sign: int) -> Probe:
        inverse = tuple((base, power * sign) for base, power in other.dimension)
        powers: dict[str, Fraction] = {}
        for base, power in (*self.dimension, *inverse):
            powers[base] = powers.get(base, Fraction(0)) + power
        dimension = tuple(sorted((base, power) for base, power in powers.items() if power))
        value = self.value * other.value if sign > 0 else self.value / other.value
        return Probe(value, dimension, product(self.kinds, self.dimension, other.kinds, inverse, dimension))

    def __repr__(self) -> str:
        return f"Probe({self.value:g} {self.unit}{text_of(self.kinds)})"


def _minimum(left: Probe, right: Probe) -> Probe:
    return left._alike(right, min, "compared")


def _maximum(left: Probe, right: Probe) -> Probe:
    return left._alike(right, max, "compared")


_UFUNCS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "power": operator.pow, "negative": operator.neg, "absolute": abs, "minimum": _minimum, "maximum": _maximum,
    "sqrt": lambda part: part ** 0.5, "square": lambda part: part**2, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge, "equal": operator.eq,
}  # fmt: skip


def _powered(base: str, power: Fraction) -> str:
    return base if power == 1 else f"{base}^{power}"
