"""500 exercises, every key worked out once more in plain Python, every planted slip named by the marker."""

from __future__ import annotations

import importlib.util
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import units
from derive.cli.conversation import line
from derive.dimensions import dimension_text
from derive.errors import DeriveError
from derive.teaching.drawing import DRAWN, TEMPLATES, draw
from derive.teaching.exercise import OPTIONS, Amount, Asked, Choice, Exercise, Order, Unit
from derive.teaching.kinds import value_of
from derive.teaching.making import amount_text, filled
from derive.teaching.marking import mark
from derive.teaching.structure import order

_spec = importlib.util.spec_from_file_location("plain", Path(__file__).with_name("plain.py"))
assert _spec is not None
assert _spec.loader is not None
plain: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plain)

BY_ID = {template.id: template for template in TEMPLATES}
SENSIBLE = {
    "FLOP/byte": ("0.1", "5000"),
    "FLOP": ("1e8", "1e13"),
    "byte": ("1e5", "2e12"),
    "s": ("1e-7", "10"),
    "": ("0.01", "20000"),
    "FLOP/token": ("1e8", "1e13"),
    "token/s": ("1", "200000"),
    "byte/s": ("1e9", "1e13"),
    "FLOP/s": ("1e11", "1e17"),
    "parameter": ("1e8", "1e12"),
    "cycle/s": ("1e9", "1e10"),
    "transfer/s": ("1e9", "1e10"),
}

# unit of the result, by id: a sample of the catalogue written down by hand
UNITS = {
    "roofline.ridge": "FLOP/byte",
    "roofline.time": "s",
    "roofline.attainable": "FLOP/s",
    "matmul.flops": "FLOP",
    "matmul.traffic": "byte",
    "matmul.critical_batch": "1",
    "elementwise.fused_saving": "1",
    "attention.naive_traffic": "byte",
    "attention.softmax_time_share": "1",
    "decode.tokens_per_second": "token/s",
    "decode.tables": "parameter",
    "formats.bits_per_element": "bit",
    "parameters.total": "parameter",
    "flops.training": "FLOP/token",
    "flops.attention_crossover": "1",
    "utilization.mfu": "1",
    "memory.kv_cache": "byte",
    "collectives.send_recv": "s",
    "collectives.bus_bandwidth": "byte/s",
    "cpu.peak": "FLOP/s",
    "cpu.memory_bandwidth": "byte/s",
    "training.cost": "USD",
    "training.checkpoint_io": "s",
    "training.chinchilla": "1",
    "serving.prefill_time": "s",
    "serving.little_cache": "byte",
    "serving.speculative": "1",
    "parallelism.tensor_all_reduce": "s",
    "parallelism.moe_active": "parameter",
    "energy.per_flop": "joule/FLOP",
    "energy.per_token": "joule/token",
}

# the reasons of a chain in their order, written down by hand; "start" is its first line
ORDERS = {
    "matmul.intensity": ["start", "the rows of both ledgers added up", "bf16 and fp16"],
    "matmul.square_intensity": ["start", "A is square", "and so is B", "bf16 and fp16"],
    "matmul.time": ["start", "F is computed by", "Q is computed by"],
    "elementwise.traffic": ["start", "every tensor has N elements", "one input", "one output"],
    "elementwise.intensity": [
        "start",
        "the size of the tensor cancels",
        "one input",
        "one output",
        "bf16 and fp16",
    ],
    "elementwise.time": ["start", "every tensor has N elements", "one input", "one output"],
    "elementwise.fused_saving": ["start", "the size of the tensor cancels", "unary passes read nothing"],
    "attention.causal_flops": ["start", "1 + 2 + … + T", "drop 1 beside T"],
    "attention.naive_intensity": ["start", "4T cancels", "bf16 and fp16"],
    "attention.flash_ideal_intensity": ["start", "4Td cancels", "bf16 and fp16"],
    "attention.flash_tiled_intensity": ["start", "2Td cancels", "no sharing between tiles", "bf16 and fp16"],
    "attention.causal_intensity": ["start", "both sums are arithmetic series", "bf16 and fp16"],
    "attention.decode_intensity": ["start", "2Bd cancels", "bf16 and fp16"],
    "flops.attention": ["start", "1 + 2 + … + T", "drop 1 beside T"],
}


@pytest.fixture(scope="module")
def drawn() -> list[Exercise]:
    return draw(2024, 500)


def told(text: Any) -> str:
    return "".join(part if isinstance(part, str) else f"⟨{part.name}⟩" for part in text)


def at(asked: Asked) -> Any:
    return plain.values(asked.given, asked.on, asked.model)


def of(exercise: Exercise, asked: Asked, **changed: Fraction) -> Fraction:
    value: Fraction = plain.FORMULAS[exercise.id]({**at(asked), **changed}, "")
    return value


def kind(exercises: list[Exercise], name: str) -> list[Exercise]:
    found = [exercise for exercise in exercises if exercise.kind == name]
    assert len(found) > 10
    return found


def test_there_are_500_of_all_kinds_and_levels_and_none_comes_twice(drawn: list[Exercise]) -> None:
    assert len(drawn) == 500
    assert {exercise.kind for exercise in drawn} == set(DRAWN)
    assert Counter(exercise.level for exercise in drawn).keys() == {1, 2, 3}
    assert len({exercise.key for exercise in drawn}) == 500
    shown = [
        (*map(told, exercise.question), *sorted(map(told, getattr(exercise.answer, "options", ()))))
        for exercise in drawn
    ]
    assert len(set(shown)) == 500
    assert len({exercise.chapter for exercise in drawn}) >= 10


def test_every_value_is_what_plain_arithmetic_gives(drawn: list[Exercise]) -> None:
    for exercise in [*kind(drawn, "value"), *kind(drawn, "estimate")]:
        assert exercise.asked is not None
        assert isinstance(exercise.answer, Amount)
        assert exercise.answer.value == of(exercise, exercise.asked), exercise.key
        assert mark(exercise, exercise.answer.text).right


def test_every_slip_of_a_value_is_what_plain_arithmetic_gives(drawn: list[Exercise]) -> None:
    seen = 0
    for exercise in [*drawn]:
        for made in [*exercise.slips, *([exercise.planted] if exercise.planted else [])]:
            assert exercise.asked is not None
            assert made.value == slipped(exercise, made.slip), (exercise.key, made.slip)
            seen += 1
    assert seen > 300


def slipped(exercise: Exercise, slip: Any) -> Fraction:
    """The value with a slip in it, in plain Python."""
    assert exercise.asked is not None
    values = at(exercise.asked)
    if slip.letter:
        values[slip.letter] = values[slip.letter] * slip.times if slip.put is None else slip.put
    value: Fraction = plain.FORMULAS[exercise.id](values, slip.row)
    return value * slip.result


def test_every_found_letter_gives_the_result_that_is_told(drawn: list[Exercise]) -> None:
    for exercise in kind(drawn, "letter"):
        assert exercise.asked is not None
        assert isinstance(exercise.answer, Amount)
        due = plain.read(exercise.result)
        there = of(exercise, exercise.asked, **{exercise.find: exercise.answer.value})
        assert abs(there / due - 1) < Fraction(1, 1000), exercise.key
        # and none of the values that count as well is a different answer: 5 % away the result has moved
        away = of(exercise, exercise.asked, **{exercise.find: exercise.answer.value * Fraction(105, 100)})
        assert abs(away / due - 1) > Fraction(1, 200), exercise.key
        assert mark(exercise, exercise.answer.text).right


def test_every_regime_is_on_the_side_of_the_ridge_that_it_is_said_to_be(drawn: list[Exercise]) -> None:
    sides = Counter()
    for exercise in kind(drawn, "regime"):
        assert exercise.asked is not None
        assert isinstance(exercise.answer, Choice)
        v = at(exercise.asked)
        if exercise.id == "matmul.time":
            intensity = plain.FORMULAS["matmul.intensity"](v, "")
        elif exercise.id == "roofline.time":
            intensity = v["F"] / v["Q"]
        else:
            intensity = plain.FORMULAS[exercise.id](v, "")
        ridge = v["P"] / v["W"]
        side = "compute-bound" if intensity > ridge else "memory-bound"
        assert exercise.answer.options[exercise.answer.right] == (side,), exercise.key
        assert Fraction(21, 20) <= max(intensity / ridge, ridge / intensity) <= 60
        sides[side] += 1
    assert min(sides["compute-bound"], sides["memory-bound"]) >= 15


def test_the_larger_of_two_is_the_larger(drawn: list[Exercise]) -> None:
    for exercise in kind(drawn, "larger"):
        assert exercise.asked is not None
        assert exercise.other is not None
        assert isinstance(exercise.answer, Choice)
        a, b = of(exercise, exercise.asked), of(exercise, exercise.other)
        assert exercise.answer.right == int(b > a), exercise.key
        assert Fraction(103, 100) <= max(a, b) / min(a, b) <= 20


def test_the_planted_slip_is_the_only_right_option_and_the_marker_names_it(drawn: list[Exercise]) -> None:
    for exercise in kind(drawn, "mistake"):
        assert exercise.asked is not None
        assert exercise.planted is not None
        assert isinstance(exercise.answer, Choice)
        assert exercise.answer.options[exercise.answer.right] == (exercise.planted.slip.says,)
        assert mark(exercise, OPTIONS[exercise.answer.right]).right
        assert not mark(exercise, OPTIONS[(exercise.answer.right + 1) % len(exercise.answer.options)]).right
        scene = filled(BY_ID[exercise.id], exercise.asked)
        assert scene is not None
        wrong = amount_text(exercise.planted.value, BY_ID[exercise.id].unit).replace(",", "")
        found = mark(value_of(scene), wrong)
        assert not found.right
        assert any(one.startswith(exercise.planted.slip.name) for one in found.slips), (
            exercise.key,
            found.slips,
        )


def test_the_options_of_a_mistake_lead_to_different_numbers(drawn: list[Exercise]) -> None:
    everywhere = {"the decimal point is off by one place": 10}
    everywhere["a prefix is lost: the result is a thousand times too large"] = 1000
    for exercise in kind(drawn, "mistake"):
        assert exercise.asked is not None
        assert isinstance(exercise.answer, Choice)
        right = of(exercise, exercise.asked)
        results = [right]
        for (says,) in exercise.answer.options:
            named = [slip for slip in BY_ID[exercise.id].slips if slip.says == says]
            results.append(slipped(exercise, named[0]) if named else right * everywhere[str(says)])
        for place, one in enumerate(results):
            assert all(abs(one / other - 1) > Fraction(2, 100) for other in results[:place]), exercise.key


def test_the_order_of_links_is_that_of_the_chapters(drawn: list[Exercise]) -> None:
    for exercise in kind(drawn, "order"):
        assert isinstance(exercise.answer, Order)
        lines = [told(exercise.answer.lines[place]) for place in exercise.answer.right]
        assert lines != [told(line) for line in exercise.answer.lines]
        assert mark(exercise, exercise.answer.text).right
        if exercise.id in ORDERS:
            due = ORDERS[exercise.id]
            assert len(lines) == len(due)
            for line, reason in zip(lines, due, strict=True):
                assert reason in line, exercise.id
    assert len({exercise.id for exercise in kind(drawn, "order")} & set(ORDERS)) >= 10


def test_the_units_are_those_of_the_catalogue(drawn: list[Exercise]) -> None:
    seen = 0
    for exercise in kind(drawn, "unit"):
        assert isinstance(exercise.answer, Unit)
        if exercise.id in UNITS:
            seen += 1
            assert mark(exercise, UNITS[exercise.id]).right, exercise.id
        wrong = "s" if exercise.answer.unit != "s" else "byte"
        assert not mark(exercise, wrong).right
    assert seen >= 10


def test_no_number_is_absurd(drawn: list[Exercise]) -> None:
    for exercise in drawn:
        if isinstance(exercise.answer, Amount):
            dimension = units.dimension_of(exercise.answer.unit)
            low, high = map(Fraction, SENSIBLE[dimension_text(dimension) if dimension else ""])
            if exercise.find:  # a length, a size or the elements of a tensor
                low, high = min(low, Fraction(1)), max(high, Fraction(3 * 10**8))
            assert low <= exercise.answer.value <= high, exercise.key
            assert "e" not in exercise.answer.text.split()[0]
            assert len(exercise.answer.text.split()[0].replace(",", "").replace(".", "")) <= 9
        for paragraph in exercise.question:
            assert " 1 sequences" not in told(paragraph)
            assert "{" not in told(paragraph)


def test_the_same_seed_draws_the_same_and_another_draws_others() -> None:
    one, again, other = draw(5, 20), draw(5, 20), draw(6, 20)
    assert one == again
    assert [exercise.key for exercise in one] != [exercise.key for exercise in other]


@pytest.mark.parametrize("chapter", ["matmul", "memory", "collectives"])
def test_a_chapter_and_a_level_are_kept_to(chapter: str) -> None:
    for level in (1, 2, 3):
        found = draw(1, 3, chapter=chapter, level=level)
        assert {(exercise.chapter, exercise.level) for exercise in found} == {(chapter, level)}


def test_kinds_are_kept_to_and_estimates_have_two_minutes() -> None:
    found = draw(1, 12, kinds=("estimate",))
    assert {(exercise.kind, exercise.seconds) for exercise in found} == {("estimate", 120)}


def test_topics_to_review_come_first() -> None:
    found = draw(1, 6, review=("value memory.weights", "larger matmul.time", "no such topic"))
    assert [(one.kind, one.id) for one in found[:2]] == [
        ("value", "memory.weights"),
        ("larger", "matmul.time"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chapter": "matmull"}, "unknown chapter 'matmull', did you mean 'matmul'?"),
        ({"level": 4}, "level 4: give 1, 2 or 3"),
        ({"kinds": ("valu",)}, "unknown kind 'valu', did you mean 'value'?"),
        ({"count": 0}, "--count 0: give a number from 1 to 1000"),
        ({"chapter": "formats", "kinds": ("unit",), "count": 100}, "there are only 8 different exercises"),
    ],
)
def test_what_cannot_be_drawn_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DeriveError) as told_so:
        draw(1, options.pop("count", 5), **options)
    assert str(told_so.value).startswith(message)


def test_an_unknown_that_is_called_by_a_word_stands_as_a_question_mark() -> None:
    found = [one for seed in range(20) for one in draw(seed, 4, chapter="cpu", kinds=("letter",))]
    words = [one for one in found if one.find in ("cores", "clock", "rate", "channels")]
    assert words
    for one in words:
        assert "?" in str(one.question[0][0])
        assert f" {one.find} cores" not in str(one.question[0][0])


def test_no_digit_before_the_point_is_rounded_away() -> None:
    assert amount_text(Fraction(16992 * 1024**2), "MiB") == "16992 MiB"
    assert amount_text(Fraction(7_110_393_856), "parameter") == "7.11 billion parameters"
    assert amount_text(Fraction(12_345, 10), "dimensionless") == "1234"  # 1234.5, half to even


def test_a_chain_that_begins_with_its_unknown_says_so() -> None:
    lines = [line(text) for text in order("decode.fits", Random(1)).chain]
    assert lines[0] == "start: B is the unknown"
