"""Exercises made of scenes, a function a kind; None where what was drawn makes no good exercise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import units
from derive.bottleneck import bottleneck
from derive.catalogue import get
from derive.constants import hardware
from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.filling import read
from derive.rounding import significant, with_unit
from derive.solving import solve
from derive.teaching.exercise import OPTIONS, Amount, Choice, Exercise, Maths, Slip, Slipped, Text
from derive.teaching.making import (
    Drawn,
    amount_text,
    apart,
    chain,
    draw_values,
    filled,
    scene,
    slipped,
    solution_with,
    told,
)
from derive.teaching.template import Template

WORKED, ESTIMATED, FOUND = Fraction(1, 100), Fraction(1, 10), Fraction(1, 50)
TWO_MINUTES = 120
_TRIES = 12
_REGIMES = ("memory-bound", "compute-bound")
_OPTIONS = 4
_EXACT = 12  # digits
_NUDGE = Fraction(102, 100)
_MOVES = Fraction(1, 200)
_BETWEEN = (Fraction(103, 100), Fraction(20))
_FROM_BORDER = (Fraction(105, 100), Fraction(60))
_ANYWHERE = (
    Slip("power of ten", "the decimal point is off by one place", result=Fraction(10)),
    Slip("prefix", "a prefix is lost: the result is a thousand times too large", result=Fraction(1000)),
)


def level_of(kind: str, template: Template) -> int:
    """How hard a kind of exercise on a scene is."""
    if kind == "regime":
        return max(2, template.level)
    return min(3, template.level + 1) if kind in ("letter", "mistake") else template.level


def value(template: Template, rng: Random) -> Exercise | None:
    """Compute a value to 1 %; what is counted is due exactly."""
    drawn = draw_values(template, rng)
    return None if drawn is None else value_of(drawn)


def value_of(drawn: Drawn) -> Exercise:
    """`value` for a scene at hand."""
    counted = drawn.template.unit == "dimensionless" and drawn.value.denominator == 1
    within = Fraction(0) if counted else WORKED
    how = "A whole number is due." if counted else "An answer within 1 % counts; give the unit."
    if drawn.template.unit in ("dimensionless", "percent"):
        how = how.removesuffix("; give the unit.").rstrip(".") + "."
    return _numeric("value", drawn, within, how)


def estimate(template: Template, rng: Random) -> Exercise | None:
    """The same in the head: within 10 %, in two minutes."""
    drawn = draw_values(template, rng) if template.estimate else None
    return None if drawn is None else estimate_of(drawn)


def estimate_of(drawn: Drawn) -> Exercise:
    """`estimate` for a scene at hand."""
    how = "Estimate it in your head: within 10 %, in two minutes."
    made = _numeric("estimate", drawn, ESTIMATED, how)
    return replace(made, seconds=TWO_MINUTES)


def _numeric(kind: str, drawn: Drawn, within: Fraction, how: str) -> Exercise:
    template = drawn.template
    return Exercise(
        key=f"{kind} {drawn.key}",
        kind=kind,
        level=level_of(kind, template),
        id=template.id,
        question=((f"{scene(drawn)} {template.asks}",), (how,)),
        answer=Amount(drawn.value, template.unit, within, amount_text(drawn.value, template.unit)),
        chain=chain(drawn.evaluation, template.unit),
        asked=drawn.asked,
        slips=slipped(drawn),
    )


def regime(template: Template, rng: Random) -> Exercise | None:
    """Memory-bound or compute-bound; both come as often."""
    if not template.regimes:
        return None
    wanted = rng.choice(_REGIMES)
    for _ in range(_TRIES):
        drawn = draw_values(template, rng)
        on = rng.choice(template.on)
        found = None if drawn is None else regime_of(_on(drawn, on))
        if found is not None and found.answer.text == OPTIONS[_REGIMES.index(wanted)]:
            return found
    return None


def _on(drawn: Drawn, machine: str) -> Drawn:
    """The scene on a machine, where it names none itself."""
    if drawn.asked.on:
        return drawn
    asked = replace(drawn.asked, on=machine)
    return replace(drawn, asked=asked, evaluation=evaluate(asked.id, asked.given, asked.on, asked.model))


def regime_of(drawn: Drawn) -> Exercise | None:
    """`regime` for a scene at hand; None too near the ridge, or too far from it to be a question."""
    limit = bottleneck(drawn.evaluation)
    template = drawn.template
    if limit is None or limit.name not in _REGIMES or not _FROM_BORDER[0] <= limit.factor <= _FROM_BORDER[1]:
        return None
    where = "" if "{on}" in template.scene else f" It runs on the {hardware(drawn.asked.on or '').title}."
    lines = chain(drawn.evaluation, template.unit)
    if limit.ridge is not None:
        lines += chain(limit.ridge, "FLOP/byte")
    return Exercise(
        key=f"regime {drawn.key}",
        kind="regime",
        level=level_of("regime", template),
        id=template.id,
        question=((f"{scene(drawn)}{where} Is it memory-bound or compute-bound?",),),
        answer=Choice(tuple((name,) for name in _REGIMES), _REGIMES.index(limit.name)),
        chain=(*lines, (f"{limit.text}.",)),
        asked=drawn.asked,
    )


def larger(template: Template, rng: Random) -> Exercise | None:
    """Which of two scenes has the larger value; half of them differ in one letter alone."""
    one = draw_values(template, rng)
    other = draw_values(template, rng)
    if one is None or other is None:
        return None
    if rng.random() < 0.5:
        letter = rng.choice(list(template.values))
        given = {**one.asked.given, letter: other.asked.given[letter]}
        other = filled(template, replace(one.asked, given=given))
    if other is None or other.key == one.key:
        return None
    ratio = max(one.value, other.value) / min(one.value, other.value)
    if not _BETWEEN[0] <= ratio <= _BETWEEN[1]:
        return None
    values = [amount_text(drawn.value, template.unit) for drawn in (one, other)]
    return Exercise(
        key=f"larger {min(one.key, other.key)} | {max(one.key, other.key)}",
        kind="larger",
        level=level_of("larger", template),
        id=template.id,
        question=((f"Compare {template.result}: which case gives the larger value?",),),
        answer=Choice(((scene(one),), (scene(other),)), int(other.value > one.value)),
        chain=(
            *chain(one.evaluation, template.unit),
            *chain(other.evaluation, template.unit)[-1:],
            (f"a: {values[0]}, b: {values[1]}.",),
        ),
        asked=one.asked,
        other=other.asked,
    )


def letter(template: Template, rng: Random) -> Exercise | None:
    """Find a letter from the result; only where the result moves enough with it, and has one solution."""
    drawn = draw_values(template, rng) if template.find else None
    return None if drawn is None else letter_of(drawn, rng.choice(template.find))


def letter_of(drawn: Drawn, name: str) -> Exercise | None:
    """`letter` for a scene and a letter at hand."""
    template, asked = drawn.template, drawn.asked
    symbol = next(one for one in get(template.id).all_letters if one.name == name)
    due = read(symbol, asked.given[name])
    moved = with_unit(significant(due * _NUDGE / units.factor(symbol.unit)[0], _EXACT), symbol.unit)
    nudged = evaluate(asked.id, {**asked.given, name: moved}, asked.on, asked.model)
    if isinstance(nudged.value, Fraction) and abs(nudged.value / drawn.value - 1) < _MOVES:
        return None
    result = amount_text(drawn.value, template.unit).replace(",", "")
    others = {key: text for key, text in asked.given.items() if key != name}
    try:
        solution = solve(asked.id, name, result, others, asked.on, asked.model)
    except DeriveError:
        return None
    roots = [root for root in solution.roots if root.value is not None]
    if len(roots) != 1 or roots[0].value is None or abs(roots[0].value / due - 1) > FOUND / 2:
        return None
    unit = units.split(asked.given[name])[1]
    solved: tuple[Text, ...] = ()
    if roots[0].bracket is None:
        solved = ((f"Solved for {name}: ", Maths(roots[0].formula, name)),)
    shown = amount_text(due, unit)
    how = "An answer within 2 % counts" + ("." if unit == "dimensionless" else "; give the unit.")
    return Exercise(
        key=f"letter {name} {drawn.key}",
        kind="letter",
        level=level_of("letter", template),
        id=template.id,
        question=(
            (f"{scene(drawn, name)} {template.result[0].upper()}{template.result[1:]}: {told(result)}.",),
            (f"Find {name}, the {symbol.meaning}. {how}",),
        ),
        answer=Amount(due, unit, FOUND, told(asked.given[name])),
        chain=(chain(drawn.evaluation, template.unit)[-2], *solved, (f"{name} = {shown}.",)),
        asked=asked,
        find=name,
        result=result,
    )


def mistake(template: Template, rng: Random) -> Exercise | None:
    """A worked solution with a named slip in it: which one is it?"""
    drawn = draw_values(template, rng) if template.slips else None
    return None if drawn is None else mistake_of(drawn, rng)


def mistake_of(drawn: Drawn, rng: Random) -> Exercise | None:
    """`mistake` for a scene at hand."""
    template = drawn.template
    own = list(slipped(drawn))
    if not own:
        return None
    planted = rng.choice(own)
    others = [one for one in own if one is not planted]
    for slip in _ANYWHERE:
        made = Slipped(slip, drawn.value * slip.result)
        if apart(made.value, [drawn.value, *(one.value for one in own)]):
            others.append(made)
    options = [planted, *others[: _OPTIONS - 1]]
    rng.shuffle(options)
    solution = solution_with(drawn, planted)
    return Exercise(
        key=f"mistake {planted.slip.says} {drawn.key}",
        kind="mistake",
        level=level_of("mistake", template),
        id=template.id,
        question=(
            (f"{scene(drawn)} {template.asks}",),
            ("Somebody solves it like this:",),
            *solution,
            ("Which mistake was made?",),
        ),
        answer=Choice(tuple((f"{one.slip.says}",) for one in options), options.index(planted)),
        chain=(
            (f"The mistake is {OPTIONS[options.index(planted)]}: {planted.slip.says}.",),
            *chain(drawn.evaluation, template.unit),
        ),
        asked=drawn.asked,
        planted=planted,
    )
