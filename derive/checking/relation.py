"""What a search through a table finds: a column that follows from others in all of its rows, or in all but one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal

from derive.checking.terms import Bound, Constant, Term, told

_EXACT = 1e-7

Kind = Literal["one", "table", "text", "pair", "natural", "free"]


@dataclass(frozen=True)
class Relation:
    """A column that follows from others.

    says: the calculation, with a place for each source. rows: which rows of the table it speaks of. bits: what the rows
    say for it, less what the search has spent. wrong: the row that does not follow. value: what the target of a row
    should be, with its bounds. needed: what a source of a row should be, by its index, if the target is right.
    kind: where its constant is from: there is none, the table, the text or two of its numbers, nature; or it is free.
    adds: it is a sum or a mean, which carries no error of a factor. written: the document
    itself tells its formula. backed: its sources follow from each other in all rows, and want the same of the target.
    """

    target: Term
    sources: tuple[Term, ...]
    says: str
    rows: tuple[int, ...]
    bits: float
    wrong: int | None
    value: Callable[[int], Bound]
    needed: Callable[[int, int], float]
    kind: Kind
    adds: bool = False
    written: bool = False
    backed: bool = False

    def is_exact(self, row: int) -> bool:
        """Whether a row follows to the last digit."""
        number, mid = self.target.numbers[row], self.value(row)[1]
        return number is not None and abs(number.value - mid) <= _EXACT * abs(mid)

    def because(self, row: int) -> str:
        """The calculation of a row."""
        return self.says.format(*(term.text(row) for term in self.sources))

    @property
    def told(self) -> str:
        """The calculation in the words of the headings."""
        return self.says.format(*(term.says for term in self.sources))


_PAIRED = 8


@dataclass(frozen=True)
class Sheet:
    """What a search looks through: the terms of a table, the constants over it, the texts around it, the terms that
    the table borrows, the texts of the document anywhere before, and the terms of other tables of which a column may
    be so many times as much.
    """

    terms: tuple[Term, ...]
    near: tuple[Constant, ...] = ()
    texts: Sequence[str] = ()
    borrowed: tuple[Term, ...] = ()
    before: Sequence[str] = ()
    alike: tuple[Term, ...] = ()

    @cached_property
    def constants(self) -> tuple[Constant, ...]:
        """The constants in the text around the table."""
        return tuple(told(self.texts))

    @cached_property
    def far(self) -> tuple[Constant, ...]:
        """Those that the document tells anywhere before."""
        return tuple(told(self.before))

    @cached_property
    def pairs(self) -> tuple[Constant, ...]:
        """Products and quotients of two constants that stand over the table."""
        few = self.near[:_PAIRED]
        return tuple(
            made
            for one, other in combinations(few, 2)
            for made in (one.times(other), one.over(other), other.over(one))
        )


@dataclass
class Budget:
    """How many relations are still tried in a document."""

    left: int = 60_000

    def spend(self, many: int) -> bool:
        """Take so many tries, if there are as many."""
        if many > self.left:
            return False
        self.left -= many
        return True


def is_borne(relation: Relation, others: Sequence[Relation]) -> bool:
    """Whether the row that does not follow is right by another relation of the same columns and more."""
    terms = {id(term) for term in (relation.target, *relation.sources)}
    for other in others:
        more = terms < {id(term) for term in (other.target, *other.sources)}
        if more and relation.wrong in other.rows and relation.wrong != other.wrong:
            return True
    return False
