"""Number formats, against every code of up to 16 bits decoded here, struct and hand-written sums."""

import itertools
import math
import struct
from collections.abc import Callable
from fractions import Fraction

import pytest

import derive
from derive import catalogue, number_formats
from derive.solving import solve

FINITE = {
    "bf16": lambda c: struct.unpack(">f", struct.pack(">H", c) + b"\0\0")[0],
    "fp16": lambda c: struct.unpack(">e", struct.pack(">H", c))[0],
}
# exponent bits, mantissa bits, bias, and which codes of the positive half are no numbers
SMALL: dict[str, tuple[int, int, int, Callable[[int], bool]]] = {
    "fp8_e4m3": (4, 3, 7, lambda c: c == 0x7F),
    "fp8_e5m2": (5, 2, 15, lambda c: c >= 0x7C),
    "fp8_e4m3fnuz": (4, 3, 8, lambda c: False),
    "fp8_e5m2fnuz": (5, 2, 16, lambda c: False),
    "fp6_e2m3": (2, 3, 1, lambda c: False),
    "fp6_e3m2": (3, 2, 3, lambda c: False),
    "fp4_e2m1": (2, 1, 1, lambda c: False),
}


def positive(name: str) -> list[Fraction]:
    """Every finite number from 0 up, from its code."""
    if name in FINITE:
        found = [FINITE[name](code) for code in range(2**15)]
        return [Fraction(one) for one in found if math.isfinite(one)]
    if name == "e8m0":
        return [Fraction(2) ** (code - 127) for code in range(255)]
    bits, mantissa, bias, void = SMALL[name]
    numbers = []
    for code in range(2 ** (bits + mantissa)):
        exponent, fraction = divmod(code, 2**mantissa)
        hidden = 0 if exponent == 0 else 2**mantissa
        if not void(code):
            power = max(exponent, 1) - bias - mantissa
            numbers.append((hidden + fraction) * Fraction(2) ** power)
    return numbers


@pytest.mark.parametrize("id", catalogue.chapter("formats"))
def test_every_link_is_proved(id: str) -> None:
    links = derive.get(id).verify()
    assert links
    assert [link.statement for link in links if not link.verdict.proved] == []


@pytest.mark.parametrize("name", [*FINITE, *SMALL, "e8m0"])
def test_the_four_limits_are_those_of_the_codes(name: str) -> None:
    numbers, given = positive(name), {"format": name}
    after_one = min(one for one in numbers if one > 1)
    assert derive.evaluate("formats.max", given).exact() == max(numbers)
    assert derive.evaluate("formats.epsilon", given).exact() == after_one - 1
    steps = {other - one for one, other in itertools.pairwise(numbers)}
    normal = derive.evaluate("formats.smallest_normal", given).exact()
    if name == "e8m0":
        assert normal == numbers[0]
        return
    assert derive.evaluate("formats.smallest_subnormal", given).exact() == numbers[1] == min(steps)
    significant = 2 ** (number_formats.FORMATS[name].mantissa_bits + 1)
    full = [one for one in numbers if one / numbers[1] >= significant // 2]
    assert normal == full[0]


@pytest.mark.parametrize("name", ["fp64", "fp32"])
def test_the_long_formats_are_those_of_ieee(name: str) -> None:
    code, width, top = (">d", 8, 0x7FEFFFFFFFFFFFFF) if name == "fp64" else (">f", 4, 0x7F7FFFFF)

    def number(bits: int) -> Fraction:
        return Fraction(struct.unpack(code, bits.to_bytes(width, "big"))[0])

    mantissa = 52 if name == "fp64" else 23
    given = {"format": name}
    assert derive.evaluate("formats.max", given).exact() == number(top)
    assert derive.evaluate("formats.smallest_normal", given).exact() == number(1 << mantissa)
    assert derive.evaluate("formats.smallest_subnormal", given).exact() == number(1)


def test_e8m0_has_no_subnormals() -> None:
    with pytest.raises(derive.DeriveError, match="mantissa bits, at least one for subnormals"):
        derive.evaluate("formats.smallest_subnormal", {"format": "e8m0"})


@pytest.mark.parametrize("name", [*SMALL, "e8m0"])
def test_small_formats_are_listed_in_full(name: str) -> None:
    assert list(derive.evaluate("formats.representable", {"format": name}).value) == positive(name)


def test_the_list_of_fp4_as_it_prints() -> None:
    found = derive.evaluate("formats.representable", {"format": "fp4_e2m1"})
    assert found.as_json()["value"] == [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    assert found.text == "0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives"


def test_long_formats_are_not_listed() -> None:
    with pytest.raises(derive.DeriveError, match="at most 8 bits"):
        derive.evaluate("formats.representable", {"format": "fp16"})


def lost(name: str, x: object, delta: object) -> bool:
    answer = derive.evaluate("formats.update_lost", {"format": name, "x": x, "delta": delta}).number
    assert isinstance(answer, bool)
    return answer


@pytest.mark.parametrize("x", [1.0, 0.1, 255.0, 2.0**-20, -3.5, 65504.0])
@pytest.mark.parametrize("delta", [1e-3, 1.0, -1e-4, 2.0**-11, 3 * 2.0**-12, -(2.0**-12), 15.99])
def test_fp16_loses_what_struct_rounds_back(x: float, delta: float) -> None:
    stored = struct.unpack(">e", struct.pack(">e", x))[0]
    back = struct.unpack(">e", struct.pack(">e", stored + delta))[0]  # doubles hold these sums exactly enough
    assert lost("fp16", x, delta) == (back == stored)


def test_bf16_loses_small_updates_and_stalls_at_256() -> None:
    assert lost("bf16", 1, "1e-3")
    assert lost("bf16", 256, 1)
    assert not lost("bf16", 255, 1)
    assert lost("bf16", 1, "0.00390625")  # a tie goes to the even 1
    assert not lost("bf16", "1.0078125", "0.00390625")  # and here away from the odd one
    assert lost("bf16", 1, "-0.001953125")  # the step below 1 is a half of that above
    assert not lost("bf16", 1, "-0.002")
    assert not lost("fp32", 1, "1e-3")


def test_beyond_half_a_step_above_the_largest_it_overflows() -> None:
    assert lost("fp8_e4m3", 448, 16)
    assert not lost("fp8_e4m3", 448, "16.1")


@pytest.mark.parametrize(("name", "x"), [("fp16", 70000), ("e8m0", 0), ("e8m0", -1)])
def test_what_the_format_does_not_hold_cannot_be_updated(name: str, x: int) -> None:
    with pytest.raises(derive.DeriveError, match="is no number of this format"):
        lost(name, x, 1)


def scales(name: str, lo: str, hi: str) -> tuple[list[object], str]:
    found = derive.evaluate("formats.loss_scale_range", {"format": name, "lo": lo, "hi": hi})
    return found.number, found.text


def test_fp16_needs_a_loss_scale_and_bf16_does_not() -> None:
    assert scales("fp16", "1e-8", "0.1") == ([8, 2**19], "2^3 to 2^19: the loss must be scaled up")
    least, most = derive.evaluate(
        "formats.loss_scale_range", {"format": "bf16", "lo": "1e-8", "hi": "0.1"}
    ).value
    assert least < 1 < most
    assert scales("bf16", "1e-8", "0.1")[1].endswith("no scaling is needed")


def test_gradients_wider_than_the_format_have_no_scale() -> None:
    found, text = scales("fp8_e4m3", "1e-9", "1")
    assert found == []
    assert text.startswith("none")
    with pytest.raises(derive.DeriveError, match="lo is the smaller"):
        scales("fp16", "2", "1")


@pytest.mark.parametrize("name", ["fp16", "fp8_e5m2", "fp6_e3m2"])
@pytest.mark.parametrize(
    ("lo", "hi"), [(Fraction(3, 1000), Fraction(7)), (Fraction(1, 2**20), Fraction(1, 2**19))]
)
def test_the_scales_are_those_found_by_trying(name: str, lo: Fraction, hi: Fraction) -> None:
    numbers = positive(name)
    tried = [2**k for k in range(41)] + [Fraction(1, 2**k) for k in range(1, 41)]
    held = sorted(one for one in tried if numbers[1] <= lo * one and hi * one <= numbers[-1])
    found = derive.evaluate("formats.loss_scale_range", {"format": name, "lo": lo, "hi": hi}).value
    assert list(found) == ([held[0], held[-1]] if held else [])


@pytest.mark.parametrize(
    ("given", "bits"),
    [
        ({"format": "mxfp4"}, Fraction(17, 4)),
        ({"format": "mxfp6"}, Fraction(25, 4)),
        ({"format": "mxfp8"}, Fraction(33, 4)),
        ({"format": "mxint8"}, Fraction(33, 4)),
        ({"format": "nvfp4"}, Fraction(9, 2)),
        ({"format": "fp6_e3m2"}, Fraction(6)),
        ({"element": "3 bit", "scale": "2 byte", "block": 128}, Fraction(25, 8)),
    ],
)
def test_bits_an_element(given: dict[str, object], bits: Fraction) -> None:
    assert derive.evaluate("formats.bits_per_element", given).exact("bit") == bits


@pytest.mark.parametrize("name", number_formats.ALIASES)
def test_other_names_lead_to_the_same_format(name: str) -> None:
    assert number_formats.find(name.upper()).name == number_formats.ALIASES[name]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "needs format .*fp32.*--set format="),
        ({"format": "bf61"}, "did you mean 'bf16'"),
        ({"format": "fp8"}, "may be fp8_e4m3 or fp8_e5m2"),
        ({"format": "mxfp4"}, "give format=fp4_e2m1"),
        ({"format": 16}, "format is a name"),
        ({"E": 10**9, "M": 1, "bias": 0, "r": 0, "t": 0}, "too large to write out at E = 1000000000"),
    ],
)
def test_what_is_no_format_is_refused_in_one_line(given: dict[str, object], says: str) -> None:
    with pytest.raises(derive.DeriveError, match=says) as told:
        derive.evaluate("formats.max", given)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("wrong", [{"E": 12}, {"M": "2.5"}, {"sign": 2}, {"r": 15}, {"t": 8}, {"c_min": 2}])
def test_a_format_given_bit_by_bit_must_be_one(wrong: dict[str, object]) -> None:
    bits = {"E": 4, "M": 3, "bias": 7, "r": 0, "t": 1, "c_min": 1, "sign": 1}
    assert derive.evaluate("formats.representable", bits).number[-1] == 448
    with pytest.raises(derive.DeriveError, match=f"{next(iter(wrong))} .* must be a whole number from"):
        derive.evaluate("formats.representable", {**bits, **wrong})


def test_a_computed_result_is_no_number_and_no_function() -> None:
    found = derive.evaluate("formats.update_lost", {"format": "bf16", "x": 1, "delta": 1})
    with pytest.raises(derive.DeriveError, match="true or false"):
        found.exact()
    with pytest.raises(derive.DeriveError, match="case by case"):
        derive.get("formats.update_lost").compile()


def test_exponents_are_solved_for_and_never_written_out() -> None:
    found = solve("formats.epsilon", "M", equals="0.0078125", given={})
    assert [float(root.value) for root in found.roots] == pytest.approx([7], rel=1e-9)
    with pytest.raises(derive.DeriveError, match="cannot be solved for x"):
        solve("formats.update_lost", "x", equals="1", given={"format": "bf16", "delta": 1})
