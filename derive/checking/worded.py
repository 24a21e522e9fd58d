"""Numbers that words tie together: the amounts of a sentence, and how a number held against them is told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.checking.blocks import MATH, TEXT
from derive.checking.causes import UNKNOWN, slip
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.grammar import Operation
from derive.checking.inline import unmarked
from derive.checking.judging import judge, value_in
from derive.checking.quantities import Quantity
from derive.checking.scope import Evaluator, Scope
from derive.checking.values import Interval, over

ABOUT = (
    r"(?:(?:about|roughly|around|nearly|almost|only|just|some|exactly|an?|at (?:least|most)|over|under)\s+)*"
    r"[~≈]?\s*"
)
"""What may stand before a number and says how near it is."""

MOST = 24
"""How many quantities of a sentence are looked at."""

_BOUND = re.compile(
    r"\b(?:at least|at most|over|under|(?<!add )(?<!adds )(?<!sum )(?<!sums )up to|more than|"
    r"less than|below|above|within)\s+[~≈]?$"
)


def gap(clause: Clause, one: Quantity, other: Quantity) -> str:
    """The words between two quantities, without the marks of mathematics."""
    between = clause.text[one.end : other.start]
    return between.replace(MATH, "").replace(TEXT, "") if MATH in between or TEXT in between else between


def options(quantity: Quantity) -> list[tuple[dict[str, int], Interval]]:
    """The values of a quantity under every reading of its unit."""
    return Evaluator(Scope(), -1, 0).options(quantity.literal)


def printed(quantity: Quantity) -> Interval:
    """The number of a quantity as it is printed, its unit left out."""
    literal = quantity.literal
    return Interval(literal.value - literal.slack, literal.value, literal.value + literal.slack)


def ratio(part: Quantity, whole: Quantity) -> Interval | None:
    """A quotient of two amounts of one kind; a bare one has the unit of the other."""
    one, other = part.literal.at({}), whole.literal.at({})
    if one.dimension != other.dimension:
        if part.literal.unit and whole.literal.unit:
            return None
        one, other = printed(part), printed(whole)
    return over(one, other)


def held(
    clause: Clause,
    first: Quantity,
    last: Quantity,
    told: Quantity,
    values: Sequence[Interval],
    because: str,
    *,
    sure: bool,
    slips: tuple[float, ...] = (),
    hindered: str | None = None,
    alike: bool = False,
    prefixes: bool = True,
) -> Claim | None:
    """A number held against what the words make of the others; None where it is neither true nor false.

    values: what it may be, the likeliest first. sure: nothing else can be meant, so that it
    is false without a known slip too. slips: ratios that are slips here besides the usual ones. alike: all
    numbers have one unit, so that it does not matter what GB means. prefixes: whether GB and GiB may be mixed up.
    """
    worked = Operation("/", (first.literal, last.literal))
    rights = options(told)[: 1 if alike else None]
    judged = [judge(worked, [({}, value)], told.literal, rights, "=", told.about) for value in values]
    true = next((value for value, one in zip(values, judged, strict=True) if one.verdict == "true"), None)
    value = values[0] if true is None else true
    expected = value_in(value.mid, told.literal, value.dimension)
    if true is not None:
        return claim(clause, first, last, "true", expected, "", "chain", because, told)
    if _BOUND.search(clause.text[: told.start][-16:]) or any(one.lenient for one in judged):
        return None
    if not value.mid:
        return None
    factor = told.factor(value.dimension)
    cause = slip(told.literal, value.mid / factor)
    if not prefixes and cause.startswith("GB and GiB"):
        cause = UNKNOWN
    times = told.literal.value * factor / value.mid
    if cause == UNKNOWN and any(abs(times / one - 1) < 0.01 for one in slips):
        cause = f"element size: it is {times:.3g} times what it should be"
    near = any(one.verdict != "false" for one in judged)
    if (near and (told.about or not cause.startswith("digits swapped"))) or (not sure and cause == UNKNOWN):
        return None
    return claim(clause, first, last, "false", expected, cause, "chain", because, told, hindered)


def claim(
    clause: Clause,
    first: Quantity,
    last: Quantity,
    verdict: str,
    expected: str,
    cause: str,
    rule: str,
    because: str,
    told: Quantity | None = None,
    hindered: str | None = None,
) -> Claim:
    """A claim about a number of a sentence; a false one is unsure where the text around stands in the way.

    hindered: what stands in the way where that is known already.
    """
    reason = ""
    if verdict == "false":
        reason = clause.hindered(first.start) if hindered is None else hindered
    return Claim(
        line=clause.line((told or last).start),
        text=unmarked(clause.text[first.start : last.end]),
        verdict="true" if verdict == "true" else "unsure" if reason else "false",
        expected=expected,
        claimed=clause.piece(told or last),
        cause=reason or cause,
        rule=rule,
        because=because,
        cell=clause.block.cell,
    )
