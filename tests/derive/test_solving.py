"""Inverses: closed forms and brackets put back into the formula, and why there is none where there is none."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

import derive
import units
from derive import Derivation, Max, Min, count, sqrt
from derive.catalogue import chapter
from derive.computed import Computed
from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.filling import Given
from derive.solving import Solution, solve, solve_derivation

x, y, z = count("x", "unknown", at_least=0), count("y", "known"), count("z", "known too")
CHAPTERS = ("roofline", "matmul", "attention", "collectives", "flops", "memory", "cpu")


def made(expression: sympy.Expr) -> Derivation:
    return Derivation("q", "A formula of the test", unit="dimensionless", start=expression)


def numbers(solution: Solution) -> list[Fraction | None]:
    return [root.value for root in solution.roots]


def test_a_linear_letter_exactly() -> None:
    found = solve("decode.step_time", "B", "10 ms", {"T": 8192}, "h100-sxm", "llama-3-8b")
    weights, cache = 2 * 8030261248, 2 * 32 * 8 * 128 * 8192 * 2
    assert numbers(found) == [(Fraction("0.01") * 3350 * 10**9 - weights) / cache]
    assert found.roots[0].verdict.proved
    assert found.conventions == {"precision": "bf16", "embedding": "whole", "tied": "untied"}
    assert [filled.letter.name for filled in found.inputs] == ["KV", "W", "weights"]


@pytest.mark.parametrize("name", ["T", "L", "d_h", "V", "B"])
def test_a_letter_of_a_formula_below_is_reached(name: str) -> None:
    """The answer of solve is what eval must be given, for letters of the cache and of the weights."""
    given: dict[str, object] = {"T": 8192, "B": 4}
    given.pop(name, None)
    found = solve("decode.step_time", name, "7 ms", given, "h100-sxm", "llama-3-8b")
    (root,) = found.roots
    assert root.value is not None
    back = evaluate("decode.step_time", {**given, name: root.value}, "h100-sxm", "llama-3-8b")
    assert back.exact("ms") == 7


def test_a_letter_that_stands_above_and_below_is_one() -> None:
    """L multiplies the attention and is in the weights: both follow it, as in eval."""
    given = {"T": 2048, "n": 8, "rate": "80000 token/s"}
    (root,) = solve("utilization.mfu", "L", "0.4", given, "h100-sxm", "llama-3-8b").roots
    back = evaluate("utilization.mfu", {**given, "L": root.value}, "h100-sxm", "llama-3-8b")
    assert back.exact() == Fraction(2, 5)


def test_a_letter_for_which_a_default_is_put() -> None:
    found = solve("attention.naive_intensity", "e", "100 FLOP/byte", {"T": 4096, "d": 128})
    assert numbers(found) == [Fraction(4096 * 128, 4096 + 128) / 100]


def test_two_positive_roots_are_both_given() -> None:
    found = solve_derivation(made(x + y / x), "x", 5, {"y": 4})
    assert sorted(root.value or 0 for root in found.roots) == [1, 4]
    opened = solve_derivation(made(x + y / x), "x")
    assert len(opened.roots) == 2
    assert all(root.verdict.proved for root in opened.roots)


def test_negative_roots_are_dropped() -> None:
    """s of 5abs² + 34sbh = M: the other root is negative."""
    found = solve("memory.activations_gpt3", "s", "80 GB", {"b": 1, "h": 12288, "a": 96})
    (root,) = found.roots
    value = root.value or Fraction(0)
    assert abs(5 * 96 * value**2 + 34 * 12288 * value - 80 * 10**9) < Fraction(1, 10**15)
    assert "exactly" in root.verdict.text
    assert solve("memory.activations_gpt3", "s").roots[0].formula.is_negative is not True


def test_pure_powers_and_roots() -> None:
    assert numbers(solve_derivation(made(y * x**3), "x", 54, {"y": 2})) == [3]
    assert numbers(solve_derivation(made(sqrt(x) + y), "x", 5, {"y": 2})) == [9]
    (root,) = solve_derivation(made(y * x**2), "x", 1, {"y": 2}).roots
    assert abs((root.value or 0) ** 2 - Fraction(1, 2)) < Fraction(1, 10**28)


def test_a_bracket_holds_the_root() -> None:
    """x³ + x = 3 has the one real root 1.2134116627622…"""
    (root,) = solve_derivation(made(x**3 + x), "x", 3).roots
    assert root.bracket is not None
    low, high = root.bracket
    assert low**3 + low < 3 < high**3 + high
    assert high - low < Fraction(2, 10**12)
    assert root.text == "1.21341"


def test_a_bracket_that_meets_the_result_is_exact() -> None:
    (root,) = solve_derivation(made(x**3 + x), "x", 10).roots
    assert (root.value, root.bracket) == (2, None)
    (root,) = solve_derivation(made(x**3 + x), "x", "0.296").roots  # at 0.2714…: none so simple
    assert root.bracket is not None
    (root,) = solve_derivation(made(2**x), "x", 1024).roots
    assert root.value == 10


def test_a_pole_is_no_root_and_hides_none() -> None:
    """(x³ + 1)/(x − 5.3) changes its sign at 5.3, where it has no value, and is 200 at 7.078… and 9.206…"""
    formula = made((x**3 + 1) / (x - sympy.Rational(53, 10)))
    assert solve_derivation(formula, "x", 1).roots == ()
    found = solve_derivation(formula, "x", 200)
    assert len(found.roots) == 2
    for root in found.roots:
        at = float(root.value or 0)
        assert (at**3 + 1) / (at - 5.3) == pytest.approx(200, rel=1e-9)


def test_branches_are_solved_apart_and_say_where_they_hold() -> None:
    both = solve("matmul.time", "m")
    assert len(both.roots) == 2
    assert all(", where " in root.verdict.text for root in both.roots)
    (root,) = solve("roofline.time", "F").roots
    assert root.verdict.text.endswith(", where Q/W ≤ t")
    (root,) = solve("roofline.attainable", "I").roots
    assert root.verdict.text.endswith(", where P ≥ A")


def test_only_the_branch_that_holds_counts_where_all_is_known() -> None:
    given: dict[str, object] = {"k": 4096, "n": 4096}
    (root,) = solve("matmul.time", "m", "100 us", given, "h100-sxm").roots
    assert root.value == Fraction(989 * 10**12, 10**4) / (2 * 4096**2)
    back = evaluate("matmul.time", {**given, "m": root.value}, "h100-sxm")
    assert back.exact("us") == 100


def test_a_plateau_says_that_the_result_stays() -> None:
    (root,) = solve("roofline.attainable", "I", "989 TFLOP/s", {}, "h100-sxm").roots
    assert root.value == Fraction(989000, 3350)
    assert root.verdict.text.endswith("the result stays the same wherever it is P")


def test_the_edge_of_a_floor() -> None:
    """The longest context of which 64 sequences fit: one more token and it is 63."""
    found = solve("decode.fits", "T", 64, {}, "h100-sxm", "llama-3-8b")
    (root,) = found.roots
    assert root.value == Fraction(80 * 10**9 - 2 * 8030261248, 64 * 2 * 32 * 8 * 128 * 2)
    assert "edge" in root.verdict.text
    fitting = [
        evaluate("decode.fits", {"T": int(root.value) + more}, "h100-sxm", "llama-3-8b").number
        for more in (0, 1)
    ]
    assert fitting == [64, 63]


NONE = [
    ("decode.fits", "T", "64.5", {}, "h100-sxm", "llama-3-8b", "the result is a whole number"),
    ("decode.step_time", "T", "1 ms", {"B": 1}, "h100-sxm", "llama-3-8b", "T would be -96973.6, and it is above 0"),
    ("matmul.critical_batch", "d", 200, {}, "h100-sxm", None, "d would be -1240.13, and it is above 0"),
    ("roofline.attainable", "I", "2000 TFLOP/s", {}, "h100-sxm", None, "the result is at most P"),
    ("roofline.time", "F", "1 ms", {"Q": "10 GB"}, "h100-sxm", None, "the result is at least Q/W"),
    ("matmul.square_intensity", "n", "0.1 FLOP/byte", {}, None, None, "n would be 0.3, and it is at least 1"),
]  # fmt: skip


@pytest.mark.parametrize(("id", "name", "equals", "given", "on", "model", "words"), NONE)
def test_no_solution_says_why(
    id: str, name: str, equals: object, given: Given, on: str | None, model: str | None, words: str
) -> None:
    found = solve(id, name, equals, given, on, model)
    assert found.roots == ()
    assert words in found.none


def test_no_solution_of_a_formula_of_ones_own() -> None:
    assert "no real x" in solve_derivation(made(x + y / x), "x", 3, {"y": 4}).none
    assert "at least y" in solve_derivation(made(Max(x, y)), "x", 3, {"y": 4}).none
    assert "between 2^-40 and 2^120" in solve_derivation(made(x**3 + x + y), "x", 3, {"y": 4}).none
    assert "give every other letter" in solve_derivation(made(x**3 + x + y), "x").none


def test_a_root_where_the_formula_has_no_value_is_none() -> None:
    """A batch below the ridge is reached only at widths where the formula has no positive value."""
    found = solve("matmul.critical_batch", "R", 100, {"d": 150})
    assert numbers(found) == [Fraction(100 * 150, 150 + 200)]
    assert found.roots[0].value < Fraction(150, 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("roofline.time", "Z"), "has no letter 'Z'"),
        (("roofline.ridge", "W", "3 s"), "is a value in FLOP/byte"),
        (("roofline.ridge", "W", None, {"W": "1 GB/s"}), "both given and asked for"),
        (("roofline.ridge", "W", None, {"Z": 3}), "has no letter 'Z'"),
        (("utilization.mfu", "n", 1.4), "is at most 1"),
        (("formats.representable", "E", 3), "case by case"),
        (("attention.decode_intensity", "B"), "cancels"),
    ],
)
def test_bad_questions(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(DeriveError, match=words) as refused:
        solve(*arguments)
    assert "\n" not in str(refused.value)


def _closed() -> list[tuple[str, str]]:
    """Each letter of each formula of some chapters."""
    return [
        (id, letter.name)
        for name in CHAPTERS
        for id, formula in chapter(name).items()
        if not isinstance(formula, Computed)
        for letter in formula.letters[:2]
        if formula.result.has(letter) and not formula.result.has(Max, Min)  # their branches are tested above
    ]


@pytest.mark.parametrize(("id", "name"), _closed())
def test_what_eval_says_solve_turns_back(id: str, name: str) -> None:
    """Give every letter a value, evaluate exactly, and ask for one of them: it is among the roots."""
    formula = derive.get(id)
    # the last letter is large: a width must be, for a batch to reach the ridge
    sizes = [7 + 4 * place for place in range(len(formula.letters) - 1)] + [1001]
    given = {
        letter.name: size if letter.unit == "dimensionless" else f"{size} {letter.unit}"
        for size, letter in zip(sizes, formula.letters, strict=True)
    }
    due = evaluate(id, given)
    value = units.split(str(given.pop(name)))[0]
    unit = next(letter.unit for letter in formula.letters if letter.name == name)
    found = solve(id, name, f"{float(due.exact())!r} {due.unit}", given)
    close = [root for root in found.roots if root.value is not None]
    wanted = float(value * units.factor(unit)[0])
    assert any(float(root.value or 0) == pytest.approx(wanted, rel=1e-9) for root in close), found
