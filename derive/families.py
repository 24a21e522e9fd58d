"""Model families: a count of parameters holds for one architecture and for no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from derive.errors import DeriveError

if TYPE_CHECKING:
    from derive.derivation import Derivation
    from derive.entries import Entry


@dataclass(frozen=True)
class Families:
    """The families that a derivation holds for, and the derivations that hold for others.

    Families(("llama", "mistral"), {"gpt2": matmul_gpt2})
    """

    own: tuple[str, ...]
    others: Mapping[str, Derivation] = field(default_factory=dict)

    def form(self, derivation: Derivation, model: Entry) -> Derivation:
        """The derivation that holds for the model. Raises DeriveError where none does."""
        if model.family in self.own:
            return derivation
        if model.family is not None and model.family in self.others:
            return self.others[model.family]
        known = ", ".join((*self.own, *self.others))
        family = f"of the family {model.family}" if model.family else "of no named family"
        raise DeriveError(
            f"{derivation.name} counts models of {known}, and {model.name} is {family}: give another model"
        )
