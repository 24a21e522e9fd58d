"""What a number format does to numbers, computed on its codes: listing, rounding, scaling.

Each rule comes with its explanation in words and with a search for a
counterexample that does without the rule: it compares with all numbers of every
format of at most 8 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise

from derive.computed import Numbers
from derive.errors import DeriveError
from derive.number_formats import FORMATS, NumberFormat, floor_log2, of_bits
from derive.result import Value
from derive.rounding import significant

_LISTED_BITS = 8
_BITS = ("sign", "E", "M", "bias", "r", "t", "c_min")
_SCALES = range(-48, 49)


def listed(values: Numbers) -> tuple[Fraction, ...]:
    """Every number of the format from 0 up. Raises DeriveError for more than 8 bits."""
    form = _format(values)
    if form.bits > _LISTED_BITS:
        raise DeriveError(
            f"a format of {form.bits} bits has {2**form.bits} codes: "
            f"formats of at most {_LISTED_BITS} bits are listed, such as format=fp4_e2m1"
        )
    return tuple(form.values())


def list_words(answer: Value, values: Numbers) -> str:
    """The numbers, in full where they are short, and whether they come with a sign."""
    found = answer if isinstance(answer, tuple) else ()
    return ", ".join(map(_plain, found)) + (" and their negatives" if values["sign"] else "")


def lost(values: Numbers) -> bool:
    """Whether x + delta, computed exactly and rounded once, is x again. Raises DeriveError where x is no number."""
    form = _format(values)
    x = _stored(form, values["x"])
    return form.rounded(x + values["delta"]) == x


def lost_words(answer: Value, values: Numbers) -> str:
    """Whether it is lost, and the number that it would have to reach at least half-way."""
    form = _format(values)
    x, delta = _stored(form, values["x"]), values["delta"]
    there, side = form.next_after(x, up=delta > 0), "above" if delta > 0 else "below"
    way = f"nothing is {side} it" if there is None else f"the next number {side} is {_plain(there)}"
    back = f"{_plain(x)} {'+' if delta >= 0 else '−'} {_plain(abs(delta))}"
    verdict = f"{'true' if answer else 'false'}: {back} {'rounds' if answer else 'does not round'} back to {_plain(x)}"
    return f"{verdict}; {way}" if delta else verdict


def scales(values: Numbers) -> tuple[Fraction, ...]:
    """The least and the greatest power of two that bring lo … hi into the format; () where none does."""
    form, lo, hi = _format(values), values["lo"], values["hi"]
    if lo > hi:
        raise DeriveError(f"lo is {_plain(lo)} and hi is {_plain(hi)}: lo is the smaller of the two")
    least, most = -floor_log2(lo / form.smallest), floor_log2(form.largest / hi)
    return (Fraction(2) ** least, Fraction(2) ** most) if least <= most else ()


def scales_words(answer: Value, values: Numbers) -> str:
    """The scales as powers, and whether the loss needs one."""
    if not isinstance(answer, tuple) or not answer:
        form = _format(values)
        held, spread = floor_log2(form.largest / form.smallest), floor_log2(values["hi"] / values["lo"])
        return f"none: the gradients span {spread} powers of two and the format {held}"
    least, most = (floor_log2(power) for power in answer)
    need = "the loss must be scaled up" if least > 0 else "no scaling is needed"
    if most < 0:
        need = "the loss must be scaled down"
    return f"2^{least} to 2^{most}: {need}"


def unlisted() -> str:
    """A format whose list is not what its bits say: how many numbers, in order, how many significant bits."""
    for form in _small():
        found = form.values()
        codes = 2 ** (form.exponent_bits + form.mantissa_bits)
        unused = form.reserved * 2**form.mantissa_bits + form.missing
        rising = all(one < other for one, other in pairwise(found))
        if len(found) != codes - unused or not rising:
            return form.name
        for value in found:
            steps = value / form.smallest
            odd = steps.numerator // (steps.numerator & -steps.numerator) if steps else 0
            if steps.denominator != 1 or odd >= 2 ** (form.mantissa_bits + 1):
                return f"{value} in {form.name}"
    return ""


def misrounded() -> str:
    """A value that rounds to another number than the nearest in the list, or the even one of two as near."""
    for form in _small():
        unit = form.smallest / 4  # all points tried are multiples of it
        every = [int(value / unit) for value in form.values()]
        for low, high in pairwise(every):
            for point in range(low, high + 1, (high - low) // 4):
                if form.rounded(point * unit) != _by_search(form, every, point) * unit:
                    return f"{point * unit} in {form.name}"
    return ""


def misscaled() -> str:
    """Gradients for which trying every power of two from 2^−48 to 2^48 finds other scales."""
    for form in (one for one in _small() if one.exponent_bits < _LISTED_BITS):
        for lo, hi in _spans():
            numbers = {name: form.value(role) for name, role in zip(_BITS, _ROLES, strict=True)}
            tried = [
                scale
                for scale in (Fraction(2) ** power for power in _SCALES)
                if form.smallest <= lo * scale and hi * scale <= form.largest
            ]
            if scales({**numbers, "lo": lo, "hi": hi}) != ((tried[0], tried[-1]) if tried else ()):
                return f"gradients from {lo} to {hi} in {form.name}"
    return ""


_ROLES = ("sign_bits", "exponent_bits", "mantissa_bits", "bias", "reserved", "missing", "least_code")


def _format(values: Numbers) -> NumberFormat:
    return of_bits(*(values[name] for name in _BITS))


def _stored(form: NumberFormat, value: Fraction) -> Fraction:
    """The number that the format holds for a value. Raises DeriveError where it holds none."""
    found = form.rounded(value)
    if found is None:
        least = -form.largest if form.sign_bits else Fraction(0) if form.has_zero else form.smallest
        raise DeriveError(
            f"x = {_plain(value)} is no number of this format: they go from {_plain(least)} to {_plain(form.largest)}"
        )
    return found


def _small() -> list[NumberFormat]:
    return [one for one in FORMATS.values() if isinstance(one, NumberFormat) and one.bits <= _LISTED_BITS]


def _by_search(form: NumberFormat, every: list[int], point: int) -> int:
    """The nearest of all numbers; of two as near the one with the even mantissa, else the larger."""
    distances = [abs(one - point) for one in every]
    least = min(distances)
    near = [code for code, distance in enumerate(distances) if distance == least]
    even = [code for code in near if (code % 2 == 0 if form.mantissa_bits else every[code] == 0)]
    return every[(even or near)[-1]]


def _spans() -> Iterator[tuple[Fraction, Fraction]]:
    for low in range(-9, 6, 3):
        for width in (0, 1, 4, 9, 20):
            for odd in (1, Fraction(3, 2)):
                yield Fraction(2) ** low, Fraction(2) ** (low + width) * odd


def _plain(value: Fraction) -> str:
    """The number in full where 14 characters hold it, else as a power of two or to 8 digits."""
    exact = Context(prec=400).divide(Decimal(value.numerator), Decimal(value.denominator))
    full = f"{exact:f}" if Fraction(exact) == value else ""
    if 0 < len(full) <= 14:
        return full
    power = floor_log2(value) if value > 0 else 0
    return f"2^{power}" if value == Fraction(2) ** power else significant(value, 8)
