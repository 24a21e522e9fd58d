"""Evaluation: figures computed elsewhere, exact values, where each number comes from, and refusals."""

from __future__ import annotations

import tomllib
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from pathlib import Path

import pytest
import sympy

import derive
import units
from derive import catalogue
from derive.derivation import Derivation
from derive.errors import DeriveError, DimensionError, NoValue
from derive.evaluation import evaluate_derivation
from derive.steps import Approx, Put
from derive.symbols import BYTE, count, quantity

N, I = count("n", "last row"), sympy.Dummy("i", positive=True)
MFU = {"N": "70e9 parameter", "L": 80, "d": 8192, "T": 8192, "rate": "1000 token/s", "n": 1}
H100 = {"P": "989 TFLOP/s", "W": "3.35 TB/s"}


def test_the_figures_computed_independently(shared: Path):
    figures = tomllib.loads((shared / "figures.toml").read_text("utf-8"))["figure"]
    held = [figure for figure in figures if figure["id"].partition(".")[0] in catalogue.chapters()]
    assert len(held) >= 22
    wrong = []
    for figure in held:
        found = derive.evaluate(
            figure["id"],
            given=figure["given"],
            on=figure.get("on"),
            model=figure.get("model"),
            conventions=figure.get("conventions"),
        )
        expected, unit = figure["value"], figure.get("unit")
        if isinstance(expected, bool | list):
            value = found.value if isinstance(found.value, bool) else [float(one) for one in found.value]
            agrees = value == expected
        else:
            value = found.magnitude(unit)
            agrees = abs(value - expected) <= figure["rel"] * abs(expected)
        if not agrees:
            wrong.append((figure["id"], figure["given"], value, expected))
    assert wrong == []


EXACT = [
    (
        "attention.naive_intensity",
        {"T": 4096, "d": 128},
        "FLOP/byte",
        Fraction(4 * 4096**2 * 128, 8 * 4096**2 + 8 * 4096 * 128),
    ),
    ("attention.naive_traffic", {"T": 4096, "d": 128}, "byte", 8 * 4096**2 + 8 * 4096 * 128),
    ("attention.naive_traffic", {"T": 4096, "d": 128, "e": "4 byte"}, "byte", 16 * 4096**2 + 16 * 4096 * 128),
    ("attention.flops", {"T": 4096, "d": 128}, "FLOP", 4 * 4096**2 * 128),
    (
        "attention.flash_tiled_intensity",
        {"T": 4096, "B_r": 128, "c": 4},
        "FLOP/byte",
        Fraction(512 * 4096, 4096 + 512),
    ),
    ("attention.decode_intensity", {"T": 8192, "g": 4}, "FLOP/byte", Fraction(4 * 8192, 8192 + 4)),
    ("matmul.flops", {"m": 3, "k": 5, "n": 7}, "FLOP", 210),
    ("matmul.traffic", {"m": 3, "k": 5, "n": 7}, "byte", 2 * (15 + 35 + 21)),
    ("matmul.traffic", {"m": 3, "k": 5, "n": 7}, "bit", 16 * (15 + 35 + 21)),
    ("matmul.intensity", {"m": 3, "k": 5, "n": 7}, "FLOP/byte", Fraction(105, 71)),
    ("matmul.square_intensity", {"n": 4096}, "FLOP/byte", Fraction(4096, 3)),
    (
        "matmul.critical_batch",
        {"d": 4096, "R": "300 FLOP/byte"},
        "dimensionless",
        Fraction(300 * 4096, 4096 - 600),
    ),
    ("roofline.time", {"F": "1e12 FLOP", "Q": "1e9 byte", **H100}, "s", Fraction(1000, 989 * 10**3)),
    ("roofline.time", {"F": "1e9 FLOP", "Q": "1e9 byte", **H100}, "ms", Fraction(10**5, 335 * 10**3)),
    ("roofline.attainable", {"I": "62 FLOP/byte", **H100}, "TFLOP/s", Fraction(6200 * 335, 10**4)),
    ("elementwise.fused_saving", {"k": 4, "x": 1}, "dimensionless", 2),
    ("elementwise.traffic", {"N": 1000, "r": 2, "w": 3}, "byte", 10_000),
]


@pytest.mark.parametrize(("id", "given", "unit", "expected"), EXACT)
def test_values_are_exact(id: str, given: dict, unit: str, expected: Fraction | int):
    assert derive.evaluate(id, given=given).exact(unit) == expected


def test_an_evaluation_says_where_each_number_came_from():
    found = derive.evaluate("matmul.critical_batch", given={"d": 4096}, on="h100-sxm")
    sources = {filled.letter.name: filled.source for filled in found.inputs}
    assert sources["d"] == "given"
    assert sources["R"] == "roofline.ridge"
    assert found.computed["R"].exact("FLOP/byte") == Fraction(989_000, 3350)
    assert found.exact() == Fraction(989_000, 3350) * 4096 / (4096 - 2 * Fraction(989_000, 3350))
    assert found.text == "344.9"
    assert found.hardware == "h100-sxm"
    assert found.conventions["precision"] == "bf16"


def test_a_put_is_a_default_that_may_be_overridden():
    at_16 = derive.evaluate("attention.naive_intensity", given={"T": 4096, "d": 128})
    at_8 = derive.evaluate(
        "attention.naive_intensity", given={"T": 4096, "d": 128}, conventions={"precision": "fp8"}
    )
    at_4_bit = derive.evaluate("attention.naive_intensity", given={"T": 4096, "d": 128, "e": "4 bit"})
    assert (at_8.exact(), at_4_bit.exact()) == (2 * at_16.exact(), 4 * at_16.exact())
    assert at_16.text == "62.06 FLOP/byte"


def test_a_convention_may_choose_another_derivation():
    full = derive.evaluate("attention.flops", given={"T": 4096, "d": 128})
    causal = derive.evaluate("attention.flops", given={"T": 4096, "d": 128}, conventions={"mask": "causal"})
    assert full.exact("FLOP") == 4 * 4096**2 * 128
    assert causal.exact("FLOP") in (2 * 4096 * 4097 * 128, 2 * 4096**2 * 128)
    assert causal.conventions["mask"] == "causal"


def test_a_ratio_from_1_on_need_not_be_whole_and_is_refused_below():
    found = derive.evaluate(
        "energy.per_token", on="h100-sxm", model="llama-3-8b", given={"B": 32, "T": 8192, "PUE": "1.2"}
    )
    assert found.notes == ()
    with pytest.raises(DeriveError, match=r"PUE \(power of .*\) must be at least 1, not 0.8"):
        derive.evaluate(
            "energy.per_token", on="h100-sxm", model="llama-3-8b", given={"B": 32, "T": 8192, "PUE": "0.8"}
        )


def test_a_count_that_is_no_whole_number_is_remarked_on():
    found = derive.evaluate("attention.naive_intensity", given={"T": "4096.5", "d": 128})
    note = (
        "T = 4096.5 is no whole number, and T (sequence length) counts things: the value is the formula's, not "
        "that of a real case"
    )
    assert found.notes == (note,)
    assert found.as_json()["notes"] == [note]
    assert found.exact() == Fraction(8193, 2) * 128 / (2 * (Fraction(8193, 2) + 128))
    whole = derive.evaluate("attention.naive_intensity", given={"T": "4.096e3", "d": 128})
    assert whole.notes == ()
    assert "notes" not in whole.as_json()
    # operations an element are no count
    assert derive.evaluate("elementwise.intensity", given={"c": "2.5"}).notes == ()


def test_a_remark_on_what_an_inner_formula_was_given_is_kept():
    given = {"m": 4096, "k": 4096, "n": "0.5e1", "P": "1 TFLOP/s", "W": "1 GB/s"}
    assert derive.evaluate("matmul.time", given=given).notes == ()
    notes = derive.evaluate("matmul.time", given={**given, "n": "5.5"}).notes
    assert [note.partition(" is")[0] for note in notes] == ["n = 5.5"]


def test_no_solution_is_an_answer_that_says_why():
    found = derive.evaluate("matmul.critical_batch", given={"d": 512}, on="h100-sxm")
    assert found.value is None
    assert found.text.startswith("none: no batch reaches the ridge (d ≤ R*e, here 512 and 590.4")
    with pytest.raises(NoValue, match="no batch reaches the ridge"):
        found.magnitude()


def test_units_of_the_answer():
    found = derive.evaluate("matmul.traffic", given={"m": 1024, "k": 1024, "n": 1024})
    assert found.text == "6.291 MB"
    assert (
        derive.evaluate("matmul.traffic", given={"m": 1024, "k": 1024, "n": 1024}, to="MiB").text == "6 MiB"
    )
    assert found.magnitude("MiB") == 6.0
    assert found.magnitude("Mb") == 50.331648
    with pytest.raises(DimensionError, match=r"matmul\.traffic is in byte: it cannot be given in FLOP"):
        found.magnitude("FLOP")


def test_pint_quantities_and_texts_give_the_same():
    one = derive.evaluate("roofline.ridge", given=H100)
    other = derive.evaluate(
        "roofline.ridge", given={name: units.quantity(text) for name, text in H100.items()}
    )
    assert one.exact() == other.exact() == Fraction(989_000, 3350)


def test_naive_attention_is_62_flop_a_byte_and_never_a_bit():
    """SymPy and pint in one tree print 62.06 FLOP/bit; here a byte stays a byte and is 8 bits only as BIT = BYTE/8."""
    found = derive.evaluate("attention.naive_intensity", given={"T": 4096, "d": 128})
    assert found.text == "62.06 FLOP/byte"
    assert found.exact("FLOP/bit") == found.exact("FLOP/byte") / 8
    with pytest.raises((TypeError, AttributeError, sympy.SympifyError, units.UnitError, ValueError)):
        sympy.sympify(units.quantity("2 byte")) * BYTE
    in_bits = derive.evaluate("attention.naive_intensity", given={"T": 4096, "d": 128, "e": "16 bit"})
    assert in_bits.exact() == found.exact()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"id": "attention.naive_intensity"},
            r"needs T \(sequence length\), d \(head dimension\): give --set T=… --set d=…",
        ),
        (
            {"id": "attention.naive_intensity", "given": {"T": 4096}},
            r"needs d \(head dimension\): give --set d=…$",
        ),
        (
            {"id": "roofline.ridge"},
            "needs P .*, in FLOP/s.*W .*, in byte/s.*: give --set P=… --set W=…, or --on",
        ),
        (
            {"id": "attention.naive_intensity", "given": {"T": 1, "d": 1, "D": 2}},
            "has no letter 'D': it has T, d, e",
        ),
        (
            {"id": "attention.naive_intensity", "given": {"T": "4096GB", "d": 128}},
            "T .* is a plain number, and '4096GB' is not",
        ),
        ({"id": "attention.naive_intensity", "given": {"T": 0, "d": 128}}, "T .* must be at least 1"),
        ({"id": "attention.naive_intensity", "given": {"T": "1e400", "d": 128}}, "outside the range"),
        ({"id": "roofline.ridge", "on": "h1000-sxm"}, "h1000-sxm.*did you mean"),
        (
            {"id": "roofline.ridge", "on": "h100-sxm", "conventions": {"mask": "causal"}},
            "'mask' does not bear on roofline.ridge",
        ),
        (
            {"id": "roofline.ridge", "on": "h100-sxm", "conventions": {"colour": "red"}},
            "unknown convention 'colour'",
        ),
        (
            {"id": "roofline.ridge", "on": "h100-sxm", "conventions": {"precision": "fp1"}},
            "precision has no choice 'fp1'",
        ),
        ({"id": "roofline.ridge", "on": "h100-sxm", "to": "s"}, "cannot be given in s"),
    ],
)
def test_refusals_are_one_line(arguments: dict, message: str):
    with pytest.raises(DeriveError, match=message) as caught:
        derive.evaluate(**arguments)
    assert "\n" not in str(caught.value)


def test_an_approximation_holds_only_for_the_value_it_was_made_for():
    T, e, W = (
        count("T", "sequence length"),
        quantity("e", "size", "byte"),
        quantity("W", "bandwidth", "byte/s"),
    )
    steps = [
        Put(e, 2 * BYTE, because="bf16"),
        Approx(2 * T * BYTE / W, error_at_most=1 / T, because="drop 1"),
    ]
    found = Derivation("t", "Time", unit="s", start=e * (T + 1) / W, steps=steps)
    given = {"T": 100, "W": "1 byte/s"}
    assert evaluate_derivation(found, given=given).exact("s") == 200
    assert evaluate_derivation(found, given={**given, "e": "2 byte"}).exact("s") == 200
    with pytest.raises(DeriveError, match="is approximated for e = 2: leave e out"):
        evaluate_derivation(found, given={**given, "e": "4 byte"})


def test_fillers_that_lead_back_are_refused():
    t = quantity("t", "time", "s", filled_by="roofline.memory_time")
    n = count("n", "steps")
    found = Derivation("t", "Total", unit="s", start=n * t)
    value = evaluate_derivation(found, given={"n": 3, "Q": "335 GB", "W": "3.35 TB/s"})
    assert value.exact("ms") == 300
    with pytest.raises(DeriveError, match=r"roofline\.memory_time computes t from Q, W"):
        evaluate_derivation(found, given={"n": 3})


@pytest.mark.parametrize("id", catalogue.all_ids())
def test_every_example_prints_as_it_is_stated(id: str):
    for example in catalogue.get(id).examples:
        if example.answer is not None:
            continue
        found = derive.evaluate(
            id, given=example.given, on=example.on, model=example.model, conventions=example.conventions
        )
        digits = Decimal(example.value.split(maxsplit=1)[0].replace(",", "").rstrip("%"))
        exact = found.exact(example.unit)
        rounded = Context(prec=len(digits.as_tuple().digits), rounding=ROUND_HALF_EVEN).divide(
            Decimal(exact.numerator), Decimal(exact.denominator)
        )
        assert abs(rounded - digits) <= Decimal(1).scaleb(int(digits.as_tuple().exponent)) / 2


@pytest.mark.parametrize(
    ("term", "last", "message"),
    [
        (sympy.Integer(1), 1, "the sum over i from 5 to 1 runs backwards"),
        (sympy.Integer(1), "7.5", "the sum over i from 5 to 15/2 has no whole number of terms"),
        (sympy.floor(I / 2), 10**9, "the sum over i from 5 to 1000000000 is too long to add up"),
        (1 / I, 10**9, "the sum over i from 5 to 1000000000 is too long to add up"),
    ],
)
def test_a_sum_without_a_value_is_refused(term: sympy.Expr, last: object, message: str):
    formula = Derivation("N", "Terms", unit="dimensionless", start=sympy.Sum(term, (I, 5, N)))
    with pytest.raises(DeriveError, match=message):
        evaluate_derivation(formula, given={"n": last})


def test_sums_that_have_a_value():
    ones = Derivation("N", "Terms", unit="dimensionless", start=sympy.Sum(1, (I, 5, N)))
    assert [evaluate_derivation(ones, given={"n": n}).value for n in (4, 5, 10**9)] == [0, 1, 10**9 - 4]


def test_a_power_is_bounded_whatever_its_exponent_is():
    power = Derivation("N", "Power", unit="dimensionless", start=N ** (10**9))
    with pytest.raises(DeriveError, match="is too large to write out at n = 4096"):
        evaluate_derivation(power, given={"n": 4096})


def test_what_fills_a_letter_must_fit_it():
    bytes_ = quantity("Q", "bytes moved", "byte", filled_by="matmul.flops")
    wrong = Derivation("Q", "Traffic", unit="byte", start=2 * bytes_)
    with pytest.raises(DeriveError, match=r"matmul\.flops is in FLOP, and Q in byte"):
        evaluate_derivation(wrong, given={"m": 2, "k": 3, "n": 5})
    least = count("q", "intensity, at least 1", filled_by="utilization.mfu")
    whole = Derivation("q", "Twice", unit="dimensionless", start=2 * least)
    with pytest.raises(NoValue, match=r"q \(intensity, at least 1\) must be at least 1, and utilization.mfu"):
        evaluate_derivation(whole, given=MFU, on="h100-sxm")
