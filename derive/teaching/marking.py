"""Marking: whether an answer is right, and where it is not, which slip gives it.

A number is read with its unit as people write it (54.7 ms, 0.0547 s, ~55ms) and may be
off by the share that the exercise allows. A wrong one is held against the named slips by
`derive.reconcile`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import units
from derive.dimensions import dimension_text
from derive.errors import DeriveError
from derive.reconcile import read_claim, reconcile
from derive.reconcile.claim import Claim
from derive.teaching.exercise import OPTIONS, Amount, Choice, Exercise, Order, Unit

LONGEST = 200
_TOLD = 2
_PLAIN = ("1", "none", "no unit", "dimensionless", "a plain number", "plain number", "number")
_NEAR = Fraction(1, 100)
_DECIMAL_COMMA = re.compile(r"\D*\d+,(?!\d{3}(?!\d))")


class Unreadable(DeriveError):
    """No answer that could be marked; the message says what to give. It does not count."""


@dataclass(frozen=True)
class Mark:
    """Whether an answer is right, a sentence on it, and the slips that would explain a wrong one."""

    right: bool
    says: str
    slips: tuple[str, ...] = ()


def mark(exercise: Exercise, text: str) -> Mark:
    """Mark an answer. Raises Unreadable for one that is no answer to this kind of question."""
    given = " ".join(text.split())
    if not given:
        raise Unreadable(f"type an answer: {wanted(exercise)}")
    if len(given) > LONGEST:
        raise Unreadable(f"give an answer of at most {LONGEST} letters: {wanted(exercise)}")
    answer = exercise.answer
    if isinstance(answer, Choice):
        return _choice(answer, given)
    if isinstance(answer, Order):
        return _order(answer, given)
    if isinstance(answer, Unit):
        return _unit(answer, given)
    return _amount(exercise, answer, given)


def wanted(exercise: Exercise) -> str:
    """What an answer to the exercise looks like."""
    answer = exercise.answer
    if isinstance(answer, Choice):
        return f"one of {', '.join(OPTIONS[: len(answer.options)])}"
    if isinstance(answer, Order):
        return f"the letters {' '.join(OPTIONS[: len(answer.lines)])} in their order"
    if isinstance(answer, Unit):
        return "a unit such as FLOP/s, or 1 for a plain number"
    if answer.unit in ("dimensionless", "percent"):
        return "a number"
    return f"a number with its unit, such as 12.5 {answer.unit}"


def _choice(answer: Choice, given: str) -> Mark:
    options = OPTIONS[: len(answer.options)]
    letter = given.lower().strip("() .")
    named = [
        place
        for place, option in enumerate(answer.options)
        if len(option) == 1 and len(letter) > 1 and str(option[0]).lower().startswith(letter)
    ]
    if letter not in tuple(options):
        if len(named) != 1:
            raise Unreadable(f"give one of {', '.join(options)}")
        letter = options[named[0]]
    right = options.index(letter) == answer.right
    return Mark(right, "Right." if right else f"No, it is {answer.text}.")


def _order(answer: Order, given: str) -> Mark:
    options = OPTIONS[: len(answer.lines)]
    letters = re.findall(r"[a-z]", given.lower())
    if sorted(letters) != list(options) or re.search(r"[^a-z ,;>→-]", given.lower()):
        raise Unreadable(f"give each of the letters {' '.join(options)} once, in the order that is due")
    due = [options[place] for place in answer.right]
    if letters == due:
        return Mark(True, "Right.")
    first = next(place for place, (one, other) in enumerate(zip(letters, due, strict=True)) if one != other)
    return Mark(
        False, f"No, the order is {answer.text}: line {first + 1} is {due[first]}, not {letters[first]}."
    )


def _unit(answer: Unit, given: str) -> Mark:
    due = units.dimension_of(answer.unit)
    try:
        found = () if given.lower() in _PLAIN else units.dimension_of(given)
    except units.UnitError as error:
        raise Unreadable(f"{error}: give a unit such as FLOP/s, or 1 for a plain number") from error
    if found == due:
        return Mark(True, "Right.")
    shown = f"{dimension_text(found)}" if found else "a plain number"
    wanted = f"{answer.unit}" if due else "a plain number"
    return Mark(False, f"No, it is {wanted}; {given} is {shown}.")


def _amount(exercise: Exercise, answer: Amount, given: str) -> Mark:
    if _DECIMAL_COMMA.match(given):
        point = given.replace(",", ".", 1)
        raise Unreadable(f"a comma only sets thousands apart: write the decimal point as in {point}")
    try:
        claim = read_claim(given)
    except DeriveError as error:
        told = str(error).removeprefix("claimed value: ")
        raise Unreadable(f"{told} (wanted: {wanted(exercise)})") from error
    due = units.dimension_of(answer.unit)
    value = _as_percent(claim, answer)
    if claim.dimension != due:
        if not claim.dimension:
            raise Unreadable(f"{given} has no unit: give {wanted(exercise)}")
        shown = dimension_text(claim.dimension)
        asked = dimension_text(due) if due else "a plain number"
        return Mark(False, f"No: {given} is in {shown}, and {asked} is asked for. It is {answer.text}.")
    off = abs(value / answer.value - 1) if answer.value else abs(value)
    if off <= answer.within:
        exactly = "" if not off or answer.within == 0 else f" The value is {answer.text}."
        return Mark(True, f"Right.{exactly}")
    return Mark(False, f"No, it is {answer.text}.", _slips(exercise, given, value))


def _as_percent(claim: Claim, answer: Amount) -> Fraction:
    """The claimed value; where a percentage is asked for, a bare number is one."""
    if answer.unit == "percent" and claim.unit == "dimensionless":
        return claim.value / 100
    return claim.value


def _slips(exercise: Exercise, given: str, value: Fraction) -> tuple[str, ...]:
    """What gives the wrong number: the named slips of the exercise, then single ones that reconcile finds.

    Pairs of slips come near many numbers by chance; and where a letter was to be found, a slip that
    leaves the letter out would explain any answer.
    """
    own = [
        f"{one.slip.name}: {one.slip.says}"
        for one in exercise.slips
        if value and abs(one.value / value - 1) <= _NEAR
    ]
    asked, answer = exercise.asked, exercise.answer
    if asked is None or not isinstance(answer, Amount):
        return tuple(own)
    claimed = f"{given} %" if answer.unit == "percent" and "%" not in given else given
    values = dict(asked.given)
    if exercise.find:
        # with the letter that was found, which slip gives the result that was told?
        values[exercise.find], claimed = _bare(given), exercise.result
    try:
        found = reconcile(asked.id, claimed, values, asked.on, asked.model).explanations
    except DeriveError:
        return tuple(own)
    causes = {one.partition(":")[0] for one in own}
    others = [
        f"{one.cause}: {one.says}"
        for one in found
        if one.slips == 1 and one.cause not in causes and not _without(one.cause, one.says, exercise.find)
    ]
    return tuple([*own, *others][:_TOLD])


def _without(cause: str, says: str, letter: str) -> bool:
    """Whether a slip leaves a letter out."""
    return bool(letter) and (
        cause == f"{letter} left out" or says.startswith(f"the factor {letter} is left out")
    )


def _bare(given: str) -> str:
    """An answer without the words for about."""
    return given.lstrip("~≈ ").removeprefix("about ").strip()
