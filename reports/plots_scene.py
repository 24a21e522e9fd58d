"""What a figure is drawn from: the reader's machine, model, values and choices, and the figure's own for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import sympy

from derive import constants
from derive.catalogue import get
from derive.derivation import Derivation
from derive.entries import Entry
from derive.evaluation import Question, entries
from derive.filling import Context
from derive.result import Evaluation
from derive.symbols import letters_of
from reports.quantities import input_amount
from reports.setting import Setting
from reports.worked import inner_first

MACHINE = "h100-sxm"
"""The machine of figures where the reader names none."""


@dataclass
class Scene:
    """Evaluates formulas for a figure in the reader's setting, and keeps track of what of the setting was used."""

    setting: Setting
    used: dict[str, str] = field(default_factory=dict)

    @property
    def machine(self) -> Entry:
        """The machine drawn: the reader's, or the figures' own."""
        extra = self.setting.hardware
        return constants.hardware(self.setting.on or MACHINE, Path(extra) if extra is not None else None)

    def model(self, default: str) -> Entry:
        """The model drawn: the reader's, or the figure's own."""
        return constants.model(self.setting.model or default)

    def given(self, name: str) -> bool:
        """Whether the reader gave a letter its value."""
        return name in self.setting.given

    def evaluated(
        self,
        id: str | Derivation,
        imposed: Mapping[str, object] | None = None,
        defaults: Mapping[str, object] | None = None,
        *,
        model: str = "",
        conventions: Mapping[str, str] | None = None,
    ) -> Evaluation:
        """A formula at the reader's values.

        imposed: values that the figure sets in any case, as those along an axis. defaults:
        what stands where the reader gives nothing. model: in place of the reader's.
        Raises DeriveError where a letter stays open or the machine lacks a value.
        """
        network = model or self.setting.model
        context = Context(
            {**(defaults or {}), **self.setting.given, **(imposed or {})},
            *entries(self.setting.on or MACHINE, network, self.setting.hardware),
            {**self.setting.conventions, **(conventions or {})},
        )
        found = Question(get(id) if isinstance(id, str) else id, context).answer()
        self._note(found, {*(imposed or {}), *(conventions or {})})
        return found

    def amount(
        self,
        expression: sympy.Expr,
        unit: str,
        title: str,
        imposed: Mapping[str, object] | None = None,
        defaults: Mapping[str, object] | None = None,
        *,
        model: str = "",
    ) -> Evaluation:
        """An expression at the reader's values: a ledger's row, an approximation or a bound."""
        known = {letter.name for letter in letters_of(expression)}
        some = {name: value for name, value in (imposed or {}).items() if name in known}
        return self.evaluated(
            Derivation("x", title, unit=unit, start=expression), some, defaults, model=model
        )

    @property
    def told(self) -> str:
        """The reader's values and choices that the figure used, as a sentence; "" where there are none."""
        if not self.used:
            return ""
        return f" As asked: {', '.join(f'{name} = {value}' for name, value in self.used.items())}."

    def _note(self, found: Evaluation, decided: set[str]) -> None:
        for inner in inner_first(found):
            for filled in inner.inputs:
                name = filled.letter.name
                if filled.source == "given" and name in self.setting.given and name not in decided:
                    self.used[name] = input_amount(filled).text
            for name, choice in self.setting.conventions.items():
                if name in inner.conventions and name not in decided:
                    self.used[name] = choice
