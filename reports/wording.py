"""Sentences of the engine made ready for print, and counts of verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from derive.proofs.verdict import Verdict
from reports.view import Count, Proof

_POWER = re.compile(r"\*\*(\d+)")
_MICRO = re.compile(r"(?<=\d )us\b")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def tidy(text: str) -> str:
    """What was typed as it is printed: T**2*d is T²·d, 3 us is 3 µs, 5 dimensionless is 5."""
    powered = _POWER.sub(lambda match: match[1].translate(_SUPERSCRIPTS), text)
    powered = powered.replace(" dimensionless", "")
    return _MICRO.sub("µs", powered.replace("**", "^").replace("*", "·"))


def proof(verdict: Verdict) -> Proof:
    """A verdict with its counterexample in words."""
    return Proof(verdict.outcome, tidy(verdict.text))


def counted(proofs: Iterable[Proof]) -> Count:
    """How many are proved, refuted and undecided."""
    outcomes = [one.outcome for one in proofs]
    return Count(*(outcomes.count(name) for name in ("proved", "refuted", "undecided")))


def paragraphs(text: str) -> tuple[str, ...]:
    """A docstring's paragraphs, each on one line."""
    return tuple(" ".join(block.split()) for block in re.split(r"\n\s*\n", text.strip()) if block.strip())
