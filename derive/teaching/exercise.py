"""What an exercise is: a question, what counts as an answer, and the chain that leads there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import sympy

KINDS: Mapping[str, str] = {
    "value": "compute a value",
    "estimate": "estimate in two minutes",
    "regime": "which regime",
    "larger": "which is larger",
    "letter": "find the letter",
    "mistake": "spot the mistake",
    "order": "put the links in order",
    "unit": "name the unit",
    "why": "say why",
}
LEVELS = (1, 2, 3)
OPTIONS = "abcdefghij"


@dataclass(frozen=True)
class Maths:
    """A formula in a sentence: `expression`, or `name relation expression`; its units are dropped."""

    expression: sympy.Expr
    name: str = ""
    relation: str = "="


Text = tuple[str | Maths, ...]
"""A sentence of words and formulas."""


@dataclass(frozen=True)
class Asked:
    """A question to the catalogue: what `derive.evaluate` and `derive.reconcile` are given."""

    id: str
    given: Mapping[str, str] = field(default_factory=dict)
    on: str | None = None
    model: str | None = None


@dataclass(frozen=True)
class Amount:
    """A number with a unit: the value in base units, and the share of it that an answer may be off.

    text: the value as the key prints it, in `unit`.
    """

    value: Fraction
    unit: str
    within: Fraction
    text: str


@dataclass(frozen=True)
class Choice:
    """One of several options is right; they are lettered a, b, c …"""

    options: tuple[Text, ...]
    right: int

    @property
    def text(self) -> str:
        return OPTIONS[self.right]


@dataclass(frozen=True)
class Order:
    """Lines lettered a, b, c … as they are shown; `right` gives their places in the order that is due."""

    lines: tuple[Text, ...]
    right: tuple[int, ...]

    @property
    def text(self) -> str:
        return " ".join(OPTIONS[place] for place in self.right)


@dataclass(frozen=True)
class Unit:
    """Any unit of the same dimension."""

    unit: str

    @property
    def text(self) -> str:
        return self.unit


Answer = Amount | Choice | Order | Unit


@dataclass(frozen=True)
class Slip:
    """A mistake by its name, the clause that tells it, and where it strikes.

    A letter's value is multiplied by `times`, or `put` in base units; or the result is
    multiplied by `result`; or the ledger row `row` is left out.
    """

    name: str
    says: str
    letter: str = ""
    times: Fraction = Fraction(1)
    put: Fraction | None = None
    result: Fraction = Fraction(1)
    row: str = ""

    def value_of(self, letter: str, value: Fraction) -> Fraction:
        """What stands for a letter's value where the slip is made."""
        if letter != self.letter:
            return value
        return value * self.times if self.put is None else self.put


@dataclass(frozen=True)
class Slipped:
    """A slip at the values of an exercise, and the value in base units that it leads to."""

    slip: Slip
    value: Fraction


@dataclass(frozen=True)
class Exercise:
    """A question with its answer.

    key: what makes it itself: two exercises of one key are the same. id: of the formula.
    question: its paragraphs. chain: the lines of the right solution. asked: the
    question put to the catalogue; other: a second one to compare it with. find: the letter
    to find, and result: the value that it is found from. slips: the named mistakes that were
    computed for it. planted: the mistake of the worked solution, where it is one's task to
    spot it. seconds: how long the answer may take; 0 for any time.
    """

    key: str
    kind: str
    level: int
    id: str
    question: tuple[Text, ...]
    answer: Answer
    chain: tuple[Text, ...]
    asked: Asked | None = None
    other: Asked | None = None
    find: str = ""
    result: str = ""
    slips: tuple[Slipped, ...] = ()
    planted: Slipped | None = None
    seconds: int = 0

    @property
    def chapter(self) -> str:
        return self.id.partition(".")[0]
