"""Kinds: what tells two quantities of one unit apart.

1979 TFLOP/s with 2:4 sparsity and 989 TFLOP/s dense, 900 GB/s both ways and
450 GB/s each way, an "80 GB" that may be 80·10⁹ or 80·2³⁰ bytes: the unit is
the same, the quantity is not. A kind is an axis and a value on it, written in
brackets behind the unit: `1979 TFLOP/s [sparse, bf16]`.

    >>> parse("dense, bf16")
    (('precision', 'bf16'), ('sparsity', 'dense'))
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from units.errors import UnitError

Kinds = tuple[tuple[str, str], ...]
"""(axis, value) pairs sorted by axis; () where nothing is said."""

Powers = tuple[tuple[str, Fraction], ...]

_OPERATIONS = ("FLOP", "OP", "MAC")
_PRECISIONS = (
    "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4", "mxfp8", "mxfp6", "mxfp4", "nvfp4",
    "int32", "int16", "int8", "int4",
)  # fmt: skip
_NAMES: dict[str, tuple[str, str]] = {
    "dense": ("sparsity", "dense"),
    "sparse": ("sparsity", "sparse"),
    "sparsity": ("sparsity", "sparse"),
    "with-sparsity": ("sparsity", "sparse"),
    "without-sparsity": ("sparsity", "dense"),
    "2:4": ("sparsity", "sparse"),
    "each-way": ("direction", "each-way"),
    "per-direction": ("direction", "each-way"),
    "one-way": ("direction", "each-way"),
    "unidirectional": ("direction", "each-way"),
    "both-ways": ("direction", "both-ways"),
    "bidirectional": ("direction", "both-ways"),
    "nominal": ("capacity", "nominal"),
    "MFU": ("utilization", "MFU"),
    "HFU": ("utilization", "HFU"),
    "MBU": ("utilization", "MBU"),
    "utilization": ("utilization", "utilization"),
    "efficiency": ("utilization", "efficiency"),
    **{name: ("precision", name) for name in _PRECISIONS},
}
_SPELLINGS = {"utilisation": "utilization", "bidir": "bidirectional", "unidir": "unidirectional", "float16": "fp16",
              "float32": "fp32", "float64": "fp64", "bfloat16": "bf16", "mfu": "MFU", "hfu": "HFU",
              "mbu": "MBU", "bi-directional": "bidirectional"}  # fmt: skip

# The dimensions that an axis speaks of, in groups: a tag matters where one of
# its groups is present, and two tags meet where a group cancels in a product.
_SUBJECT: dict[str, tuple[tuple[str, ...], ...]] = {
    "sparsity": (_OPERATIONS,),
    "direction": (("byte", "transfer"),),
    "capacity": (("byte",),),
    "precision": (_OPERATIONS, ("byte",), ("parameter", "element")),
}
# Values that no untagged quantity may meet: they need a conversion first.
_STRICT = {"sparse", "both-ways", "nominal"}

CONVERSIONS: dict[tuple[str, str], tuple[Fraction, str]] = {
    ("sparse", "dense"): (Fraction(1, 2), "a peak quoted with 2:4 sparsity is twice the dense one"),
    ("dense", "sparse"): (Fraction(2), "a peak quoted with 2:4 sparsity is twice the dense one"),
    ("both-ways", "each-way"): (Fraction(1, 2), "both directions together carry twice what each one does"),
    ("each-way", "both-ways"): (Fraction(2), "both directions together carry twice what each one does"),
}
"""(from, to): the factor, and the reason that the step gives."""


class KindError(UnitError):
    """Two kinds meet that need a named conversion first."""

    def __init__(self, message: str, axis: str, left: str | None, right: str | None) -> None:
        super().__init__(message)
        self.axis, self.left, self.right = axis, left, right


def named(name: str) -> tuple[str, str]:
    """The (axis, value) that a tag's name stands for. Raises UnitError for an unknown one."""
    joined = "-".join(name.split())
    found = _NAMES.get(joined) or _NAMES.get(_SPELLINGS.get(joined.lower(), joined.lower()))
    if found is None or len(name) > 40:
        raise UnitError(
            f"unknown kind [{name[:40]}]: give dense, sparse, each-way, both-ways, nominal, utilization "
            "or a precision such as bf16"
        )
    return found


def names() -> tuple[str, ...]:
    """Every name that a tag may have."""
    return tuple(_NAMES)


def _known(name: str) -> bool:
    joined = "-".join(name.split())
    return joined in _NAMES or _SPELLINGS.get(joined.lower(), joined.lower()) in _NAMES


def parse(text: str) -> Kinds:
    """The kinds in a bracket's text, such as "sparse, bf16". Raises UnitError."""
    found: dict[str, str] = {}
    for name in text.split(",") if "," in text or _known(text) or not text.strip() else text.split():
        axis, value = named(name.strip())
        if found.setdefault(axis, value) != value:
            raise KindError(f"[{text[:60]}] says both {found[axis]} and {value}", axis, found[axis], value)
    return tuple(sorted(found.items()))


def text_of(kinds: Kinds) -> str:
    """ " [dense, bf16]" to stand behind a unit; nothing for no kinds."""
    order = ("sparsity", "direction", "capacity", "precision", "utilization")
    values = [value for axis in order for held, value in kinds if held == axis]
    return f" [{', '.join(values)}]" if values else ""


def speaks_of(axis: str, dimension: Powers) -> bool:
    """Whether a tag on this axis says anything about a quantity of this dimension."""
    if axis == "utilization":
        return not dimension
    return any(_power(dimension, group) for group in _SUBJECT[axis])


def alike(left: Kinds, right: Kinds, dimension: Powers) -> Kinds:
    """The kinds of a sum, comparison, minimum or maximum. Raises KindError where two do not mix."""
    ours, theirs, both = dict(left), dict(right), dict[str, str]()
    for axis in sorted({*ours, *theirs}):
        a, b = ours.get(axis), theirs.get(axis)
        if axis == "utilization":
            if a and a == b:
                both[axis] = a
        elif a == b or ((a is None or b is None) and not {a, b} & _STRICT):
            both[axis] = a or b or ""
        elif axis != "precision" or _power(dimension, _OPERATIONS):
            raise KindError(f"{_said(a)} and {_said(b)} do not mix", axis, a, b)
    return tuple(sorted(both.items()))


def product(left: Kinds, a: Powers, right: Kinds, b: Powers, result: Powers) -> Kinds:
    """The kinds of a product; for a quotient, b is the divisor's dimension with its powers negated.

    A sparse, both-ways or nominal quantity meets nothing of another kind where
    what it speaks of cancels: FLOP / (FLOP/s [sparse]) is refused, but
    (FLOP/s [sparse]) / (byte/s) is a sparse intensity. Raises KindError.
    """
    ours, theirs, both = dict(left), dict(right), dict[str, str]()
    for axis in sorted({*ours, *theirs} - {"utilization"}):
        x, y = ours.get(axis), theirs.get(axis)
        meets = any(_power(a, group) * _power(b, group) < 0 for group in _SUBJECT[axis])
        if axis == "capacity":
            meets = bool(_power(a, ("byte",)) and _power(b, ("byte",)))
        apart = x != y and ((x is not None and y is not None) or bool({x, y} & _STRICT))
        if apart and meets:
            raise KindError(f"{_said(x)} and {_said(y)} do not mix", axis, x, y)
        if x is not None and y is not None and x != y:
            continue
        if speaks_of(axis, result):
            both[axis] = x or y or ""
    return tuple(sorted(both.items()))


def without(kinds: Kinds, axes: Iterable[str]) -> Kinds:
    """The kinds less those on the given axes."""
    dropped = set(axes)
    return tuple(pair for pair in kinds if pair[0] not in dropped)


def _power(dimension: Powers, group: tuple[str, ...]) -> Fraction:
    return sum((power for base, power in dimension if base in group), Fraction(0))


def _said(value: str | None) -> str:
    return f"[{value}]" if value else "an untagged quantity"
