"""Number formats by name: their bits, and what the codes mean.

A code is sign, exponent field c and mantissa field m. Where c is a normal code
the number is (1 + m/2^M)·2^(c − bias); where c is 0 and 0 is no normal code it
is m/2^M·2^(1 − bias), zero included. At the top, r exponent codes are kept for
infinities and NaN, and of the largest exponent left t mantissa codes stand for
NaN. A block format stores elements that share one scale.

    >>> find("fp4_e2m1").values()[-2:]
    [Fraction(4, 1), Fraction(6, 1)]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from derive.errors import DeriveError
from derive.suggest import nearest

_IEEE = "IEEE 754-2019, clause 3"
_TF32 = "NVIDIA A100 Tensor Core GPU Architecture white paper"
_OFP8 = "Open Compute Project, 8-bit Floating Point Specification (OFP8) 1.0; Micikevicius et al., arXiv:2209.05433"
_FNUZ = "Noune et al., 8-bit Numerical Formats for Deep Neural Networks, arXiv:2206.02915"
_MX = "Open Compute Project, Microscaling Formats (MX) Specification 1.0"


@dataclass(frozen=True)
class NumberFormat:
    """A format of single numbers.

    reserved: exponent codes at the top without finite numbers. missing: mantissa
    codes of the largest exponent left that stand for NaN. least_code: the smallest
    normal exponent code: 1, or 0 for a format without zero and subnormals.
    storage_bits: what memory spends on it, where that is more than its bits.
    """

    name: str
    sign_bits: int
    exponent_bits: int
    mantissa_bits: int
    bias: int
    reserved: int
    missing: int
    source: str
    least_code: int = 1
    storage_bits: int = 0

    @property
    def bits(self) -> int:
        """Sign, exponent and mantissa bits together."""
        return self.sign_bits + self.exponent_bits + self.mantissa_bits

    @property
    def largest(self) -> Fraction:
        """The largest finite number."""
        top = 2**self.exponent_bits - 1 - self.reserved
        return self._decoded(top, 2**self.mantissa_bits - 1 - self.missing)

    @property
    def smallest(self) -> Fraction:
        """The smallest positive number, subnormal where there are any."""
        subnormal = self.least_code > 0 and self.mantissa_bits > 0
        return self._decoded(0, 1) if subnormal else self._decoded(self.least_code, 0)

    @property
    def has_zero(self) -> bool:
        """Whether a code stands for zero."""
        return self.least_code > 0

    def values(self) -> list[Fraction]:
        """Every finite number from 0 up, decoded code by code; 2^(E + M) codes are walked."""
        found = []
        for c in range(2**self.exponent_bits - self.reserved):
            top = c == 2**self.exponent_bits - self.reserved - 1
            for m in range(2**self.mantissa_bits - (self.missing if top else 0)):
                found.append(self._decoded(c, m))
        return found

    def rounded(self, value: Fraction) -> Fraction | None:
        """The nearest number of the format, ties to the even mantissa; None where there is none.

        There is none beyond half a step above the largest, for a negative value in
        a format without sign, and for what rounds to 0 in a format without zero.
        """
        if value < 0:
            mirrored = self.rounded(-value) if self.sign_bits else None
            return None if mirrored is None else -mirrored
        step = Fraction(2) ** (self._exponent(value) - self.mantissa_bits)
        found = round(value / step) * step
        if found > self.largest or (found == 0 and not self.has_zero):
            return None
        return found

    def next_after(self, value: Fraction, *, up: bool) -> Fraction | None:
        """The nearest number above (or below) a number of the format; None where there is none."""
        exponent = self._exponent(value)
        step = Fraction(2) ** (exponent - self.mantissa_bits)
        inward = bool(value) and up == (value < 0)
        if inward and abs(value) == Fraction(2) ** exponent and exponent > self.least_code - self.bias:
            step /= 2  # below a power of two the steps are half as long
        return self.rounded(value + (step if up else -step))

    def value(self, role: str) -> Fraction:
        """What the format says of a role such as "exponent_bits"."""
        own = {
            "sign_bits": self.sign_bits,
            "exponent_bits": self.exponent_bits,
            "mantissa_bits": self.mantissa_bits,
            "bias": self.bias,
            "reserved": self.reserved,
            "missing": self.missing,
            "least_code": self.least_code,
            "element": self.storage_bits or self.bits,
            "scale": 0,
            "block": 1,
        }
        return Fraction(own[role], 8 if role in _IN_BITS else 1)

    def _exponent(self, value: Fraction) -> int:
        """The exponent that sets the steps around a value: that of the smallest normal number below it."""
        least = self.least_code - self.bias
        return max(floor_log2(abs(value)), least) if value else least

    def _decoded(self, c: int, m: int) -> Fraction:
        fraction = Fraction(m, 2**self.mantissa_bits)
        if c < self.least_code:
            return fraction * Fraction(2) ** (1 - self.bias)
        return (1 + fraction) * Fraction(2) ** (c - self.bias)


@dataclass(frozen=True)
class BlockFormat:
    """Elements of a few bits in blocks that share one scale. elements: the formats that they may have."""

    name: str
    element_bits: int
    scale_bits: int
    block: int
    elements: tuple[str, ...]
    source: str

    def value(self, role: str) -> Fraction:
        """What the format says of a role. Raises DeriveError for those that only an element has."""
        own = {"element": self.element_bits, "scale": self.scale_bits, "block": self.block}
        if role not in own:
            one = " or ".join(f"format={name}" for name in self.elements)
            raise DeriveError(
                f"{self.name} is of blocks: {f'give {one}' if one else 'its elements are integers'}"
            )
        return Fraction(own[role], 8 if role in _IN_BITS else 1)


_IN_BITS = ("element", "scale")  # amounts of information, whose base unit is the byte
_BLOCK_ROLES = (*_IN_BITS, "block")

FORMATS: Mapping[str, NumberFormat | BlockFormat] = {
    one.name: one
    for one in (
        NumberFormat("fp64", 1, 11, 52, 1023, 1, 0, _IEEE),
        NumberFormat("fp32", 1, 8, 23, 127, 1, 0, _IEEE),
        NumberFormat("tf32", 1, 8, 10, 127, 1, 0, _TF32, storage_bits=32),
        NumberFormat("bf16", 1, 8, 7, 127, 1, 0, "Intel, BFLOAT16 Hardware Numerics Definition, 2018"),
        NumberFormat("fp16", 1, 5, 10, 15, 1, 0, _IEEE),
        NumberFormat("fp8_e4m3", 1, 4, 3, 7, 0, 1, _OFP8),
        NumberFormat("fp8_e5m2", 1, 5, 2, 15, 1, 0, _OFP8),
        NumberFormat("fp8_e4m3fnuz", 1, 4, 3, 8, 0, 0, _FNUZ),
        NumberFormat("fp8_e5m2fnuz", 1, 5, 2, 16, 0, 0, _FNUZ),
        NumberFormat("fp6_e2m3", 1, 2, 3, 1, 0, 0, _MX),
        NumberFormat("fp6_e3m2", 1, 3, 2, 3, 0, 0, _MX),
        NumberFormat("fp4_e2m1", 1, 2, 1, 1, 0, 0, _MX),
        NumberFormat("e8m0", 0, 8, 0, 127, 1, 0, _MX, least_code=0),
        BlockFormat("mxfp8", 8, 8, 32, ("fp8_e4m3", "fp8_e5m2"), _MX),
        BlockFormat("mxfp6", 6, 8, 32, ("fp6_e2m3", "fp6_e3m2"), _MX),
        BlockFormat("mxfp4", 4, 8, 32, ("fp4_e2m1",), _MX),
        BlockFormat("mxint8", 8, 8, 32, (), _MX),
        BlockFormat("nvfp4", 4, 8, 16, ("fp4_e2m1",), "NVIDIA cuDNN documentation, block scaling (NVFP4)"),
    )
}

ALIASES: Mapping[str, str] = {
    "float64": "fp64",
    "float32": "fp32",
    "float16": "fp16",
    "bfloat16": "bf16",
    "fp8_e4m3fn": "fp8_e4m3",
    "float8_e4m3fn": "fp8_e4m3",
    "float8_e5m2": "fp8_e5m2",
    "float8_e4m3fnuz": "fp8_e4m3fnuz",
    "float8_e5m2fnuz": "fp8_e5m2fnuz",
    "float8_e8m0fnu": "e8m0",
    "fp4": "fp4_e2m1",
}
"""Other names of the formats, PyTorch's among them."""


def find(name: object) -> NumberFormat | BlockFormat:
    """The format of that name or alias, in any case. Raises DeriveError with the nearest for an unknown one."""
    if not isinstance(name, str):
        raise DeriveError(f"format is a name, and {name!r} is not: give one of {', '.join(FORMATS)}")
    key = name.strip().lower()
    found = FORMATS.get(ALIASES.get(key, key))
    if found is None:
        several = [full for full in FORMATS if key and full.startswith(key)]
        if several:
            raise DeriveError(f"format {name!r} may be {' or '.join(several)}: give one of them")
        near = nearest(key, FORMATS)
        raise DeriveError(f"unknown format {name[:40]!r}{near}: one of {', '.join(FORMATS)}")
    return found


def with_role(role: str) -> list[str]:
    """The names of the formats that say something of a role."""
    return [name for name, one in FORMATS.items() if role in _BLOCK_ROLES or isinstance(one, NumberFormat)]


def of_bits(
    sign: Fraction, E: Fraction, M: Fraction, bias: Fraction, r: Fraction, t: Fraction, c_min: Fraction
) -> NumberFormat:
    """A format from its numbers, as a reader may set them one by one.

    Raises DeriveError for what is no format, or one of more than 11 exponent or 52 mantissa bits.
    """
    within = (
        ("sign", "sign bits", sign, 0, 1),
        ("E", "exponent bits", E, 1, 11),
        ("M", "mantissa bits", M, 0, 52),
        ("bias", "exponent bias", bias, 0, 2048),
        ("c_min", "smallest normal exponent code", c_min, 0, 1),
    )
    top = (
        ("r", "reserved exponent codes", r, 0, 2 ** min(int(E), 11) - 2),
        ("t", "mantissa codes for NaN", t, 0, 2 ** min(int(M), 52) - 1),
    )
    for name, meaning, value, least, most in (*within, *top):
        if value.denominator != 1 or not least <= value <= most:
            raise DeriveError(
                f"{name} ({meaning}) must be a whole number from {least} to {most}, not {value}"
            )
    return NumberFormat(
        f"E{E}M{M}",
        int(sign),
        int(E),
        int(M),
        int(bias),
        int(r),
        int(t),
        "given bit by bit",
        int(c_min),
    )


def floor_log2(value: Fraction) -> int:
    """The exponent of the largest power of two that is at most the value (above 0)."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1
