"""No line whatever may crash, hang or be executed, and units never change a value."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import units
from derive.calc import CalcError, calculate, parse

KINDS = {
    "empty", "syntax", "character", "too-large", "unknown-unit", "unknown-name", "unknown-kind", "ambiguous-unit",
    "ambiguous-number", "ambiguous", "bare-number", "dimension", "kind", "utilization", "domain",
}  # fmt: skip
PIECES = st.sampled_from(
    "16 3.35 1e9 1,024 7B 8k 0 GB GiB/s TFLOP/s token params byte/param s ms GPU -hours $ % + - * / ^ ** × ² ( ) , "
    "per of as|dense as|MFU [sparse] [both-ways] [nominal] [bf16] ->|GB in|ms to min( sqrt( ceil( log2( MFU "
    "h100-sxm.peak[bf16] llama-3-8b.layers million both-ways per|direction (bf16) : . bpw M BF16 weights H100 s^-1 "
    "⌈ ⌉ < == = ? ~ x KB nan –".replace("|", "\u00a0").split(" ")
)
NUMBERS = st.fractions(min_value=Fraction(1, 1000), max_value=10**6, max_denominator=1000)
DIMENSIONS = {
    "information": ["B", "kB", "MB", "GB", "GiB", "bit", "Gbit"],
    "work": ["FLOP", "GFLOP", "TFLOP"],
    "time": ["s", "ms", "us", "min", "hour"],
    "token": ["token", "Mtok"],
}


def _is_said(line: str) -> bool:
    """Whether the line has an answer with a text, or a refusal of a known kind that can be shown."""
    try:
        return bool(calculate(line).text)
    except CalcError as error:
        return error.kind in KINDS and bool(error.show())


@given(st.lists(PIECES, max_size=12), st.sampled_from(["", " "]))
@settings(max_examples=400, deadline=None)
def test_any_arrangement_of_its_own_words_is_answered_or_refused(pieces: list[str], between: str) -> None:
    assert _is_said(between.join(pieces))


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_answered_or_refused(line: str) -> None:
    assert _is_said(line)


@given(st.text(alphabet="0123456789.,eE+-*/^()x ", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_row_of_digits_and_signs_is_answered_or_refused(line: str) -> None:
    assert _is_said(line)


def _decimal(value: Fraction) -> str:
    return f"({value.numerator}/{value.denominator})"


@given(NUMBERS, NUMBERS, st.sampled_from(sorted(DIMENSIONS)), st.data())
@settings(max_examples=150, deadline=None)
def test_a_sum_is_exact_in_whatever_units_its_terms_are(
    a: Fraction, b: Fraction, kind: str, data: st.DataObject
) -> None:
    first, second, asked = (data.draw(st.sampled_from(DIMENSIONS[kind])) for _ in range(3))
    found = calculate(f"{_decimal(a)} {first} + {_decimal(b)} {second}", to=asked)
    due = (a * units.factor(first)[0] + b * units.factor(second)[0]) / units.factor(asked)[0]
    assert found.value == due


@given(NUMBERS, NUMBERS, st.sampled_from(sorted(DIMENSIONS)), st.sampled_from(sorted(DIMENSIONS)), st.data())
@settings(max_examples=150, deadline=None)
def test_a_sum_of_two_dimensions_is_always_refused(
    a: Fraction, b: Fraction, one: str, other: str, data: st.DataObject
) -> None:
    assume(one != other)
    first, second = (data.draw(st.sampled_from(DIMENSIONS[kind])) for kind in (one, other))
    with pytest.raises(CalcError) as caught:
        calculate(f"{_decimal(a)} {first} + {_decimal(b)} {second}")
    assert caught.value.kind == "dimension"


@given(NUMBERS, NUMBERS, st.sampled_from(sorted(DIMENSIONS)), st.sampled_from(sorted(DIMENSIONS)), st.data())
@settings(max_examples=150, deadline=None)
def test_a_quotient_says_its_unit_so_that_value_times_unit_is_exact(
    a: Fraction, b: Fraction, one: str, other: str, data: st.DataObject
) -> None:
    first, second = (data.draw(st.sampled_from(DIMENSIONS[kind])) for kind in (one, other))
    answer = calculate(f"{_decimal(a)} {first} / ({_decimal(b)} {second})")
    scale, dimension = units.factor(answer.unit)
    assert answer.value * scale == a * units.factor(first)[0] / (b * units.factor(second)[0])
    above, below = units.dimension_of(first), units.dimension_of(second)
    assert dict(dimension) == ({} if above == below else {above[0][0]: 1, below[0][0]: -1})


@given(NUMBERS, st.sampled_from(DIMENSIONS["information"]))
@settings(max_examples=100, deadline=None)
def test_the_unit_of_an_answer_can_be_read_back(a: Fraction, unit: str) -> None:
    answer = calculate(f"{_decimal(a)} {unit} / (2 s) * 3 GPU")
    again = parse(f"({answer.value}) {answer.unit}")
    assert again.answer().value == answer.value
    assert again.unit == answer.unit
