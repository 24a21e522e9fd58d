"""Questions of the essentials: a scene with fixed values, and statements of which exactly one is true."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.teaching.exercise import Asked, Choice, Exercise, Text
from derive.teaching.making import Drawn, filled
from derive.teaching.template import Template


def scene_at(id: str, scene: str, asks: str, unit: str, asked: Asked) -> Drawn:
    """A scene with its values and its exact answer. Raises DeriveError where it has none."""
    template = Template(id, scene, asks, "", {}, unit, "0", "1e30")
    drawn = filled(template, asked)
    if drawn is None:
        raise DeriveError(f"{id}: the question has no value at {dict(asked.given)}")
    return drawn


def true_one(
    id: str, question: Text, options: Sequence[tuple[str, bool]], because: Sequence[Text]
) -> Exercise:
    """Which statement is true. Raises DeriveError unless exactly one is."""
    true = [place for place, (_, holds) in enumerate(options) if holds]
    if len(true) != 1:
        raise DeriveError(f"{id}: {len(true)} of the options are true, not one")
    return Exercise(
        key=f"why {id} {question[0]}",
        kind="why",
        level=2,
        id=id,
        question=(question,),
        answer=Choice(tuple((text,) for text, _ in options), true[0]),
        chain=tuple(because),
    )


def number(id: str, **given: str) -> Fraction:
    """The exact value of a formula, in its own unit."""
    return evaluate(id, given).exact()
