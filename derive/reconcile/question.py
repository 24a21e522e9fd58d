"""A question to the catalogue, and every way to ask it slightly differently."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from derive.catalogue import chapter
from derive.computed import Computed
from derive.conventions import CONVENTIONS
from derive.derivation import Derivation
from derive.entries import Entry
from derive.errors import DeriveError
from derive.evaluation import entries, evaluate_derivation
from derive.filling import Given
from derive.number_formats import FORMATS
from derive.opened import Opened, open_up, opened_result
from derive.reconcile.claim import Claim
from derive.reconcile.inputs import Input, of_input
from derive.reconcile.rows import of_factors, of_ratio, of_rows, of_several_rows
from derive.reconcile.search import Change, Form
from derive.reconcile.slips import Slip
from derive.reconcile.words import called
from derive.result import Evaluation
from units import dimension_of

_CONVENTION = 0.9
_TWO = 0.5
_SISTER = 1.6


class Question:
    """A derivation with what fills it; `claim` is the number to explain."""

    def __init__(
        self,
        derivation: Derivation,
        claim: Claim,
        given: Given,
        on: str | None,
        model: str | None,
        conventions: Mapping[str, str],
        hardware: str | Path | None,
    ) -> None:
        self.derivation, self.claim, self.given = derivation, claim, dict(given)
        self.on, self.model = on, model
        self.conventions, self.hardware = conventions, hardware
        self.owners = dict(zip(("hardware", "model"), entries(on, model, hardware), strict=True))
        self.opened: dict[int, tuple[Opened, Evaluation]] = {}

    def ours(self) -> Evaluation:
        """The evaluation as asked. Raises DeriveError."""
        return self._evaluate(self.derivation, {})

    def _evaluate(
        self, derivation: Derivation, changed: Mapping[str, str], given: Given | None = None
    ) -> Evaluation:
        return evaluate_derivation(
            derivation,
            given={**self.given, **(given or {})},
            on=self.on,
            model=self.model,
            conventions={**self.conventions, **changed},
            extra=self.hardware,
        )

    def forms(self, ours: Evaluation) -> Iterator[Form]:
        """As asked, then under each other choice of each convention in force, then of two conventions.

        Other number formats and other quantities of the chapter are held against the claim as they are.
        """
        yield self._form(None, ours)
        singles: list[tuple[str, str]] = []
        for name, current in ours.conventions.items():
            seen = {ours.base_float}
            for choice in CONVENTIONS[name].choices:
                result = None if choice == current else self._tried(self.derivation, {name: choice})
                if result is None or result.base_float in seen:
                    continue  # a choice that asks for more than was given, or changes nothing that another does not
                seen.add(result.base_float)
                singles.append((name, choice))
                yield self._form(_chosen({name: choice}, result), result)
        for number, (name, choice) in enumerate(singles):
            for other, second in singles[number + 1 :]:
                if other != name:
                    both = {name: choice, other: second}
                    result = self._tried(self.derivation, both)
                    if result is not None:
                        yield self._form(_chosen(both, result), result, alone=True)
        yield from self._formats()
        yield from self._sisters(ours)

    def _formats(self) -> Iterator[Form]:
        """The same of other number formats."""
        if "format" not in self.given:
            return
        for name in FORMATS:
            result = self._tried(self.derivation, {}, {"format": name})
            if name != self.given["format"] and result is not None:
                says = f"{name} is taken for {self.given['format']}"
                slip = Slip("another format", says, result.base_float, 1.1)
                yield self._form(slip, result, alone=True)

    def _sisters(self, ours: Evaluation) -> Iterator[Form]:
        """Other quantities of the same chapter and unit, from the same inputs."""
        name = (self.derivation.id or "").partition(".")[0]
        for other in chapter(name).values() if name else ():
            known = other.id in (self.derivation.id, ours.derivation.id) or isinstance(other, Computed)
            if known or dimension_of(other.unit) != self.claim.dimension:
                continue
            result = self._tried(other, {})
            if result is not None and self.claim.fits(result.base_float):
                says = f"it is {other.id}: {other.title[:1].lower()}{other.title[1:]}"
                slip = Slip("another quantity", says, result.base_float, _SISTER, generic=True)
                yield self._form(slip, result, alone=True)

    def _tried(
        self, derivation: Derivation, changed: Mapping[str, str], given: Given | None = None
    ) -> Evaluation | None:
        """The evaluation, or None where it is no number or asks for something that was not given."""
        try:
            result = self._evaluate(derivation, changed, given)
            return result if math.isfinite(result.base_float) else None
        except DeriveError:
            return None

    def _form(self, slip: Slip | None, result: Evaluation, *, alone: bool = False) -> Form:
        opened = opened_result(result) if alone else open_up(result)
        self.opened[id(opened)] = opened, result
        return Form(slip, opened, result.base_float, alone)

    def changes(self, form: Form) -> Sequence[Change]:
        """Slips of the inputs, of the ledger rows and of the formula's own factors."""
        opened, result = self.opened[id(form.opened)]
        found = [*self._inputs(opened), *of_rows(opened)]
        if form.slip is None:
            found += [*of_several_rows(opened, self.claim), *of_factors(result)]
            found += [] if self.claim.dimension else of_ratio()
        return found

    def _inputs(self, opened: Opened) -> Iterator[Change]:
        for symbol, filled in opened.letters.items():
            owner = self._owner((filled.letter.role or "").partition(".")[0])
            for slip in of_input(Input.of(filled, owner), owner):
                yield Change(slip, {symbol: slip.value})

    def _owner(self, kind: str) -> Entry | None:
        return self.owners.get(kind)


def _chosen(changed: Mapping[str, str], result: Evaluation) -> Slip:
    says = ", and ".join(
        f"{CONVENTIONS[name].choices[choice]} ({name} = {choice})" for name, choice in changed.items()
    )
    cause = " and ".join(called(name, choice) for name, choice in changed.items())
    cost = _CONVENTION * len(changed) + _TWO * (len(changed) - 1)
    return Slip(cause, says, result.base_float, cost)
