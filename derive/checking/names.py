"""The numbers of a document with what names them: their kind, the noun behind them, the words next to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.judging import with_unit
from derive.checking.quantities import Quantity
from derive.checking.words import Dimension, counted

_WORD = re.compile(r"[A-Za-z][A-Za-z\d-]{2,}")
_PLAIN = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")
_NOUN = re.compile(r"[ ~\n\x03]{1,3}([a-z][a-z-]{3,})")
_COMMON = re.compile(
    r"the|and|for|with|that|this|from|into|th[ae]n|are|was|were|ha[sd]|have|been|its|our|one|two|per|each|all|any|not|"
    r"but|about|only|roughly|approximately|exactly|which|when|where|while|would|could|should|can|may|might|will|more|"
    r"less|most|least|over|under|above|below|same|other|such|also|because|they|them|their|t?here|your?|(?:get|give|take|"
    r"need|use|make)s?|used|using|section|problem|chapter|example|worked|found|chosen|assumed|derived|computed|"
    r"beginning|start|step|exercise",
    re.IGNORECASE,
)
_HOURLY = re.compile(r"\bhour|/ ?h\b")
_NEAR = 90  # characters to either side in which a number's own words stand
_YEAR = re.compile(r"(?:19|20)\d\d")
_PROSE, _TO_EACH, _TO_A_LONG_ONE, _LONG = 8, 4, 3, 5
# how many plain words make a sentence, and stand to each number of it: logs have twins by accident
_ALIKE = 0.006
_MOST = 6_000

Kind = tuple[Dimension, str]


@dataclass(frozen=True)
class Mention:
    """A number at its place in a document."""

    clause: Clause
    quantity: Quantity

    @cached_property
    def digits(self) -> str:
        """The number as written, without marks between thousands."""
        return self.quantity.literal.digits.replace(",", "").replace("_", "")

    @cached_property
    def line(self) -> int:
        """The physical line."""
        return self.clause.line(self.quantity.start)

    @cached_property
    def prose(self) -> bool:
        """Whether it stands in a sentence of words."""
        words = len(_PLAIN.findall(self.clause.text))
        numbers = len(self.clause.quantities)
        if len(self.digits.replace(".", "")) >= _LONG:  # seldom has a twin by accident
            years = sum(_YEAR.fullmatch(one.literal.digits) is not None for one in self.clause.quantities)
            return not self.clause.row and words >= max(_PROSE, _TO_A_LONG_ONE * (numbers - years))
        return not self.clause.row and words >= max(_PROSE, _TO_EACH * numbers)

    @cached_property
    def noun(self) -> str:
        """The noun behind it; "" where none follows."""
        found = _NOUN.match(self.clause.text, self.quantity.end)
        return found[1].removesuffix("s") if found else ""

    @cached_property
    def beside(self) -> str:
        """The text on either side of it, with the heading of its column."""
        text, own = self.clause.text, self.quantity
        begin, end = max(0, own.start - _NEAR), own.end + _NEAR
        return f"{text[begin : own.start]} {text[own.end : end]} {self.clause.heading(own.start)}"

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of meaning next to it."""
        return frozenset(
            word.lower().removesuffix("s")
            for word in _WORD.findall(self.beside)
            if not _COMMON.fullmatch(word)
        )

    @cached_property
    def kind(self) -> Kind:
        """Its dimension, and what it counts: an hourly price is a kind of its own."""
        literal = self.quantity.literal
        dimension = literal.options[0].dimension
        hourly = literal.unit if "/" in literal.unit else self.beside + literal.unit
        if any(base == "dollar" for base, _ in dimension) and _HOURLY.search(hourly):
            return (), "dollars an hour"
        if literal.unit == "%":
            return (), "%"
        nouns = counted(literal.unit)
        if dimension or nouns:
            return dimension, " ".join(noun if power == 1 else f"{noun}^{power}" for noun, power in nouns)
        return (), self.noun

    @cached_property
    def value(self) -> float:
        """The number in base units; an hourly price as it is printed."""
        return self.quantity.literal.value * self._factor

    @property
    def _factor(self) -> float:
        return 1.0 if self.kind[1] == "dollars an hour" else self.quantity.factor(self.kind[0])

    @cached_property
    def text(self) -> str:
        """As it was written, with the unit that its heading gives it."""
        literal = self.quantity.literal
        own = self.clause.piece(self.quantity)
        return with_unit(literal.digits, literal.unit) if self.clause.row else own

    def alike(self, other: Mention) -> bool:
        """Whether two numbers are the same thing but for rounding."""
        slack = sum(one.quantity.literal.slack * one._factor for one in (self, other))
        return self.kind == other.kind and abs(self.value - other.value) <= max(
            2 * slack, _ALIKE * abs(self.value)
        )

    def claim(self, verdict: str, expected: str, cause: str, because: str) -> Claim:
        """What is said of it; a number that may be meant as a wrong one is never false."""
        hindered = self.clause.hindered(self.quantity.start) if verdict == "false" else ""
        text = self.clause.piece(self.quantity)
        return Claim(
            line=self.line,
            text=text,
            verdict="true" if verdict == "true" else "unsure" if hindered else "false",
            expected=expected,
            claimed=text,
            cause=hindered or cause,
            rule="two-values",
            because=because,
            cell=self.clause.block.cell,
        )


def mentions(clauses: Iterable[Clause]) -> Iterator[Mention]:
    """Every number of a document in its order, up to a bound."""
    made = 0
    for clause in clauses:
        for quantity in clause.quantities:
            made += 1
            if made > _MOST:
                return
            yield Mention(clause, quantity)
