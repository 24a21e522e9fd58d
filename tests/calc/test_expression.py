"""Lines with free letters: checked once, then evaluated on arrays."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from derive.calc import CalcError, calculate, parse


def test_a_compiled_line_equals_numpy_written_by_hand() -> None:
    T, d = np.meshgrid(np.arange(1.0, 400.0), np.arange(1.0, 60.0))
    expression = parse("T*d / (2*(T + d)) * 1 FLOP/byte", letters=["T", "d"])
    assert expression.unit == "FLOP/byte"
    np.testing.assert_allclose(expression.compile()(T=T, d=d), T * d / (2 * (T + d)), rtol=1e-14)


def test_letters_are_in_their_units_and_the_result_in_that_asked_for() -> None:
    expression = parse("size / bandwidth", letters={"size": "GB", "bandwidth": "TB/s"}, to="ms")
    function = expression.compile()
    assert expression.unit == "ms"
    np.testing.assert_allclose(
        function(size=np.array([16, 140]), bandwidth=3.35), [16 / 3.35, 140 / 3.35], rtol=1e-15
    )


def test_integer_arrays_do_not_overflow() -> None:
    function = parse("T^2 * d^2 * 8", letters=["T", "d"]).compile()
    T = np.array([2**20], dtype=np.int64)
    assert function(T=T, d=T)[0] == 8.0 * 2.0**80


@pytest.mark.parametrize(
    ("line", "hand"),
    [
        ("sqrt(x)", np.sqrt), ("log2(x)", np.log2), ("log10(x)", np.log10), ("ln(x)", np.log), ("exp(x)", np.exp),
        ("ceil(x)", np.ceil), ("floor(x)", np.floor), ("round(x)", np.round), ("abs(-x)", np.abs),
        ("min(x, 2)", lambda x: np.minimum(x, 2)), ("max(x, 2, 3)", lambda x: np.maximum(x, 3)),
        ("-x^2", lambda x: -(x**2)),
        ("2^x", lambda x: 2.0**x), ("x < 2", lambda x: x < 2), ("x >= 2", lambda x: x >= 2), ("3 - x", lambda x: 3 - x),
    ],
)  # fmt: skip
def test_every_operation_compiles(line: str, hand: object) -> None:
    x = np.array([0.5, 1.0, 2.0, 3.5, 40.0])
    np.testing.assert_allclose(parse(line, letters=["x"]).compile()(x=x), hand(x), rtol=1e-14)


@pytest.mark.parametrize(
    "line", ["x * 1 + y", "1 * x - y", "x / 1 * y", "(x + 0) * y - x", "max(x * 1, y)", "x", "y - (x + y)"]
)
def test_the_arrays_given_are_left_as_they_are(line: str) -> None:
    x, y = np.arange(5.0), np.arange(5.0) + 3
    kept = x.copy(), y.copy()
    letters = [name for name in ("x", "y") if name in line.replace("max", "")]
    found = parse(line, letters=letters).compile()(**{name: {"x": x, "y": y}[name] for name in letters})
    np.testing.assert_array_equal(x, kept[0])
    np.testing.assert_array_equal(y, kept[1])
    hand = {
        "x * 1 + y": x + y,
        "1 * x - y": x - y,
        "x / 1 * y": x * y,
        "(x + 0) * y - x": x * y - x,
        "x": x,
        "y - (x + y)": -x,
    }
    np.testing.assert_allclose(found, hand.get(line, np.maximum(x, y)))


def test_conversions_of_kind_are_compiled_in() -> None:
    expression = parse("work / (peak as dense)", letters={"work": "FLOP", "peak": "TFLOP/s [sparse]"}, to="s")
    assert expression.compile()(work=1e15, peak=1979.0) == pytest.approx(2e15 / 1979e12, rel=1e-15)
    assert len(expression.steps) == 1


def test_a_utilization_is_held_within_its_bounds_on_arrays_too() -> None:
    function = parse("rate / peak as MFU", letters={"rate": "TFLOP/s", "peak": "TFLOP/s"}).compile()
    np.testing.assert_allclose(function(rate=np.array([100.0, 400.0]), peak=989.0), [100 / 989, 400 / 989])
    with pytest.raises(CalcError) as caught:
        function(rate=np.array([100.0, 1187.0]), peak=989.0)
    assert caught.value.kind == "utilization"


@pytest.mark.parametrize(
    ("line", "letters", "kind"),
    [
        ("size + work", {"size": "GB", "work": "FLOP"}, "dimension"),
        ("size + 4", {"size": "GB"}, "bare-number"),
        ("work / peak", {"work": "FLOP", "peak": "TFLOP/s [sparse]"}, "kind"),
        ("size^n", {"size": "GB", "n": "dimensionless"}, "dimension"),
        ("size", {"size": "KB"}, "ambiguous-unit"),
        ("size", {"size": "GB [fast]"}, "unknown-unit"),
        ("x", {"x.y": "GB"}, "unknown-name"),
        ("x + y", {"x": "dimensionless"}, "unknown-unit"),
    ],
)
def test_a_line_with_letters_is_checked_before_any_value_is_given(
    line: str, letters: dict[str, str], kind: str
) -> None:
    with pytest.raises(CalcError) as caught:
        parse(line, letters=letters)
    assert caught.value.kind == kind


def test_letters_must_be_given_all_and_no_others() -> None:
    expression = parse("x + y", letters=["x", "y"])
    with pytest.raises(TypeError, match="x, y"):
        expression.compile()(x=1.0)
    with pytest.raises(CalcError) as caught:
        expression.answer()
    assert caught.value.kind == "unknown-name"


def test_a_letter_hides_the_unit_of_its_name() -> None:
    assert (
        parse("2 s * b * h", letters=["s", "b", "h"]).compile()(s=2048, b=4, h=12288) == 2 * 2048 * 4 * 12288
    )


@pytest.mark.parametrize(
    ("line", "to", "text"),
    [
        ("16 GB / 3.35 TB/s", None, "4.78 ms"),
        ("989 TFLOP/s / (3.35 TB/s)", None, "295 FLOP/byte"),
        ("7B params * 2 bytes/param", None, "14 GB (13.0 GiB)"),
        ("80 GB", "GiB", "74.5 GiB (80 GB)"),
        ("2 * 80 * 8 * 128 * 2 bytes", None, "327,680 byte (328 kB, 320 KiB)"),
        ("80 GB [nominal]", None, "80 GB [nominal]"),
        ("400/989 MFU", None, "0.404 [MFU] = 40.4%"),
        ("1979 TFLOP/s [sparse] as dense", None, "989.5 TFLOP/s [dense]"),
        ("$2/GPU-hour * 2048 GPUs * 90 days", None, "$8,847,360"),
        ("$2.50/hour * 2", None, "$5/hour"),
        ("0.25", "%", "25%"),
        ("32/s", None, "32/s"),
        ("1e6 s", None, "11.6 day"),
        ("700 W * 24 h", None, "16,800 Wh"),
        ("1 < 2", None, "true"),
        ("299792458 B", "MB", "299.792 MB (285.904 MiB)"),
    ],
)
def test_the_text_of_an_answer(line: str, to: str | None, text: str) -> None:
    assert calculate(line, to=to).text == text


def test_digits_follow_the_input_unless_they_are_given() -> None:
    assert calculate("1/3").text == "0.333"
    assert calculate("1.0000/3").text == "0.33333"
    assert calculate("1/3", digits=7).text == "0.3333333"
    for digits in (0, 31):
        with pytest.raises(CalcError):
            calculate("1/3", digits=digits)


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("16 GB / 3.35 TB/s", "16 GB / (3.35 TB/s)"),
        ("7B params * 2 bytes/param", "7e9 param * (2 byte/param)"),
        ("6e21 FLOP / 3×10^14 FLOP/s", "6e21 FLOP / (3e14 FLOP/s)"),
        ("16 GB / 450 GB/s [each-way]", "16 GB / (450 GB/s [each-way])"),
        ("16 GB / (3.35 TB/s)", ""),
        ("2 * 3", ""),
    ],
)
def test_the_reading_is_shown_where_binding_mattered(line: str, reading: str) -> None:
    assert calculate(line).reading == reading


def test_named_conversions_are_steps() -> None:
    steps = calculate("900 GB/s [both-ways] as each-way").steps
    assert len(steps) == 1
    assert "450 GB/s [each-way]" in steps[0]
    assert "2 FLOP" in calculate("1 GMAC + 1 GFLOP").steps[0]
    assert "80 GiB" in calculate("80 GB [nominal] as binary").steps[0]
    assert "plain count" in calculate("8 GPUs * 80 GB", to="GB").steps[0]
    assert calculate("2 * 3 GB").steps == ()


def test_constants_of_the_catalogue_bring_their_kinds_and_source() -> None:
    answer = calculate("h100-sxm.peak[bf16] / h100-sxm.bandwidth")
    assert answer.value == Fraction(98900, 335)
    assert answer.unit == "FLOP/byte"
    assert set(answer.tags) == {"dense", "bf16"}
    assert any("datasheet" in step for step in answer.steps)
    with pytest.raises(CalcError) as caught:
        calculate("1e15 FLOP / h100-sxm.peak[sparse, bf16]")
    assert caught.value.kind == "kind"
    assert calculate("2 GB / h100-sxm.link", to="ms").value == Fraction(40, 9)
    assert calculate("llama-3-8b.layers * 2").value == 64
