"""Free answers as people write them: what counts, what is asked for again, and which slip is named."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import units
from derive.teaching.drawing import draw
from derive.teaching.essentials import essentials
from derive.teaching.exercise import Amount, Exercise
from derive.teaching.marking import Unreadable, mark


@pytest.fixture(scope="module")
def asked() -> dict[str, Exercise]:
    """The essential questions by kind and id; the all-reduce is to be estimated, 54.69 ms within 10 %."""
    return {f"{exercise.kind} {exercise.id}": exercise for exercise in essentials()}


ALL_REDUCE = "estimate collectives.all_reduce_ring"
RIDGE = "value roofline.ridge"
BATCH = "value matmul.critical_batch"


@pytest.mark.parametrize(
    ("which", "answer"),
    [
        (ALL_REDUCE, "54.7 ms"),
        (ALL_REDUCE, "0.0547 s"),
        (ALL_REDUCE, "~55ms"),
        (ALL_REDUCE, "about 55 ms"),
        (ALL_REDUCE, "5.47e4 us"),
        (ALL_REDUCE, "50 ms"),
        (ALL_REDUCE, "60 ms"),
        (RIDGE, "295 FLOP/byte"),
        (RIDGE, "295.2 FLOP/B"),
        (RIDGE, "0.295 kFLOP/byte"),
        (BATCH, "345"),
        (BATCH, "342"),
        ("value memory.activations_selective", "34 byte"),
        ("value memory.activations_selective", "272 bit"),
        ("regime attention.naive_intensity", "a"),
        ("regime attention.naive_intensity", "Memory"),
        ("regime attention.naive_intensity", " a) "),
    ],
)
def test_a_right_answer_counts_however_it_is_written(
    asked: dict[str, Exercise], which: str, answer: str
) -> None:
    assert mark(asked[which], answer).right


@pytest.mark.parametrize(
    ("which", "answer", "says"),
    [
        (ALL_REDUCE, "49 ms", "No, it is 54.69 ms."),
        (ALL_REDUCE, "61 ms", "No, it is 54.69 ms."),
        (ALL_REDUCE, "54.7 us", "No, it is 54.69 ms."),
        (ALL_REDUCE, "54.7 GB", "No: 54.7 GB is in byte, and s is asked for. It is 54.69 ms."),
        (RIDGE, "292 FLOP/byte", "No, it is 295.2 FLOP/byte."),
        (BATCH, "295", "No, it is 344.9."),
        ("value memory.activations_selective", "35 byte", "No, it is 34 byte."),
        ("regime attention.naive_intensity", "b", "No, it is a."),
    ],
)
def test_a_wrong_answer_does_not(asked: dict[str, Exercise], which: str, answer: str, says: str) -> None:
    found = mark(asked[which], answer)
    assert (found.right, found.says) == (False, says)


@pytest.mark.parametrize(
    ("which", "answer", "says"),
    [
        (ALL_REDUCE, "54.7", "54.7 has no unit: give a number with its unit, such as 12.5 ms"),
        (ALL_REDUCE, "54,7 ms", "a comma only sets thousands apart: write the decimal point as in 54.7 ms"),
        (
            ALL_REDUCE,
            "~54,6875ms",
            "a comma only sets thousands apart: write the decimal point as in ~54.6875ms",
        ),
        (ALL_REDUCE, "fast", "'fast' is no number with a unit"),
        (ALL_REDUCE, "7B", "7B can be bytes or billions: write 7 B or 7e9"),
        (ALL_REDUCE, "", "type an answer: a number with its unit"),
        (ALL_REDUCE, "9" * 201, "give an answer of at most 200 letters"),
        (ALL_REDUCE, "__import__('os')", "\"__import__('os')\" is no number"),
        ("regime attention.naive_intensity", "c", "give one of a, b"),
        ("regime attention.naive_intensity", "", "type an answer: one of a, b"),
    ],
)
def test_what_is_no_answer_is_asked_for_again(
    asked: dict[str, Exercise], which: str, answer: str, says: str
) -> None:
    with pytest.raises(Unreadable) as told:
        mark(asked[which], answer)
    assert str(told.value).startswith(says)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("27.3 ms", "both ways"),  # 128 GB/s, both directions of the link together
        ("437.5 ms", "bit and byte"),
        ("58.7 ms", "GB and GiB"),
    ],
)
def test_reconcile_says_which_slip_gives_a_wrong_number(
    asked: dict[str, Exercise], answer: str, cause: str
) -> None:
    exercise = asked[ALL_REDUCE]
    assert isinstance(exercise.answer, Amount)
    assert exercise.slips == ()  # nothing was computed beforehand: reconcile alone says it
    exact = replace(exercise, answer=replace(exercise.answer, within=Fraction(0)))
    found = mark(exact, answer)
    assert not found.right
    assert any(cause in one for one in found.slips), found.slips


def test_a_wrong_letter_is_told_by_what_it_gives() -> None:
    """The all-reduce of S bytes takes 54.69 ms; who halves the link's rate as if it counted both ways finds half."""
    exercise = next(
        one
        for one in draw(3, 40, chapter="collectives", kinds=("letter",))
        if one.id == "collectives.all_reduce_ring" and one.find == "S"
    )
    assert isinstance(exercise.answer, Amount)
    half = exercise.answer.value / 2 / 10**9
    found = mark(exercise, f"{float(half):.4f} GB")
    assert not found.right
    assert any("each way" in one or "both ways" in one for one in found.slips), found.slips


def test_chance_explains_no_wrong_answer() -> None:
    """37 % of the right number in three digits: pairs of slips come near it, and none was made."""
    for seed in range(3):
        for exercise in draw(seed, 10, kinds=("value", "letter")):
            answer = exercise.answer
            assert isinstance(answer, Amount)
            wrong = answer.value * Fraction(37, 100) / units.factor(answer.unit)[0]
            unit = {"dimensionless": "", "percent": "%"}.get(answer.unit, answer.unit)
            found = mark(exercise, f"{float(wrong):.3g} {unit}".strip())
            assert not found.right
            assert found.slips == (), exercise.key
