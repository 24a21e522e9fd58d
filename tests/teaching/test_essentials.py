"""The fixed list: the questions that everybody should be able to answer, with the answers that are known."""

from __future__ import annotations

from fractions import Fraction

from derive.teaching.essentials import essentials
from derive.teaching.exercise import Amount, Choice

KNOWN = [
    ("matmul.decode_intensity", Fraction(4096, 4098)),
    ("roofline.ridge", Fraction(98900, 335)),
    # B·d/(2B + d) = R solved by hand: B = R·d/(d − 2R)
    ("matmul.critical_batch", Fraction(98900, 335) * 4096 / (4096 - 2 * Fraction(98900, 335))),
    ("attention.naive_intensity", "memory-bound"),
    ("attention.flash_ideal_intensity", "compute-bound"),
    (
        "attention.flash_ideal_intensity",
        "the T×T scores and probabilities no longer travel to memory and back",
    ),
    ("attention.decode_intensity", "decoding: each cached key and value that is read serves four queries"),
    ("memory.activations_selective", Fraction(34)),
    ("memory.activations_selective", "the input and the output of the GELU"),
    ("formats.update_lost", "in bf16 the sum rounds back to 1, in fp32 it does not"),
    ("formats.max", "a gradient of 1e-9 and a value of 1e5 exist in bf16, and neither does in fp16"),
    ("collectives.all_reduce_ring", 2 * Fraction(7, 8) * 2 / 64),
    (
        "collectives.all_reduce_ring",
        "putting 16 GPUs into the ring instead of 8",
    ),  # 15/16 of 2S/beta, not 7/8
    ("roofline.time_with_launch", "hardly: the launch takes longer"),
    ("utilization.mfu", "activations were recomputed in the backward pass"),
]


def test_each_question_has_the_answer_that_is_known() -> None:
    found = essentials()
    assert [exercise.id for exercise in found] == [id for id, _ in KNOWN]
    for exercise, (_, due) in zip(found, KNOWN, strict=True):
        if isinstance(exercise.answer, Amount):
            assert exercise.answer.value == due
        else:
            assert isinstance(exercise.answer, Choice)
            (right,) = exercise.answer.options[exercise.answer.right]
            assert isinstance(right, str)
            assert isinstance(due, str)
            assert right.startswith(due)


def test_they_are_the_same_at_every_call() -> None:
    assert essentials() == essentials()
