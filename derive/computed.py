"""Results that are computed rather than derived by algebra: a list, or a yes or no.

Rounding to a number format or listing its codes is a rule, not a formula. A
`Computed` names its letters and the function that applies the rule, and is a
derivation in all else: id, letters, examples, verdicts. In place of steps it has
checks: statements that are proved by going through every case.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from derive.derivation import Derivation, Link
from derive.examples import Example
from derive.proofs.verdict import proved, refuted
from derive.result import Value
from derive.symbols import Letter

Numbers = Mapping[str, Fraction]
"""The values of the letters by name, in base units."""


@dataclass(frozen=True)
class Check:
    """A statement about a computed result, proved case by case.

    says: the statement. because: which cases there are. counterexample: goes
    through all of them and returns the first that fails, or "".
    """

    says: str
    because: str
    counterexample: Callable[[], str]


class Computed(Derivation):
    """A result that a function computes from its letters.

    letters: what the function needs. compute: from the letters' values to a list,
    true or false; raises DeriveError for values that make no sense. explain: the
    answer in words, from the answer and the values. checks: what is proved of it
    by exhaustion. The chain is the function's name applied to the letters.
    """

    def __init__(
        self,
        letter: str,
        title: str,
        *,
        letters: Sequence[Letter],
        compute: Callable[[Numbers], Value],
        explain: Callable[[Value, Numbers], str],
        unit: str = "dimensionless",
        checks: Sequence[Check] = (),
        examples: Sequence[Example] = (),
        about: str = "",
        sources: Sequence[str] = (),
    ) -> None:
        self.compute, self.explain, self.checks = compute, explain, tuple(checks)
        applied = sympy.Function(letter)(*letters)
        super().__init__(
            letter, title, unit=unit, start=applied, examples=examples, about=about, sources=sources
        )

    def links(self) -> Iterator[Link]:
        """The checks, then the examples, one by one as they are proved."""
        for check in self.checks:
            began = time.perf_counter()
            failing = check.counterexample()
            verdict = refuted(f"it fails for {failing}") if failing else proved("it holds in every case")
            yield self._link("check", check.says, check.because, verdict, began)
        yield from super().links()

    def _chain(self) -> list[sympy.Expr]:
        return [self.start]
