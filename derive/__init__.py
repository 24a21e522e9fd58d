"""derive: symbolic derivations for the arithmetic of AI systems.

The road: letters with units → `Ledger` → steps (`Equal`, `Put`, `Use`, `Approx`,
`Bound`, `Solve`, `Minimise`) → `Derivation` with facts (`Limit`, `SpecialCase`, `Regime`,
`Inequality`, `NoSolution`) → `verify`, `compile`, `evaluate`.

    >>> import derive
    >>> derive.evaluate("attention.naive_intensity", given={"T": 4096, "d": 128}).text
    '62.06 FLOP/byte'

Names load on first use: importing this package takes no SymPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sympy import Max as Max
    from sympy import Min as Min
    from sympy import Rational as Rational
    from sympy import Sum as Sum
    from sympy import ceiling as ceiling
    from sympy import floor as floor
    from sympy import log as log
    from sympy import oo as oo
    from sympy import sqrt as sqrt

    from derive import letters as letters
    from derive.catalogue import get as get
    from derive.computed import Check as Check
    from derive.computed import Computed as Computed
    from derive.conventions import Choice as Choice
    from derive.derivation import Derivation as Derivation
    from derive.errors import DeriveError as DeriveError
    from derive.evaluation import Evaluation as Evaluation
    from derive.evaluation import evaluate as evaluate
    from derive.examples import Example as Example
    from derive.facts import AtLeast as AtLeast
    from derive.facts import Ceiling as Ceiling
    from derive.facts import Difference as Difference
    from derive.facts import Identity as Identity
    from derive.facts import Inequality as Inequality
    from derive.facts import Limit as Limit
    from derive.facts import NoSolution as NoSolution
    from derive.facts import Regime as Regime
    from derive.facts import SpecialCase as SpecialCase
    from derive.families import Families as Families
    from derive.ledger import Ledger as Ledger
    from derive.proofs.verdict import Verdict as Verdict
    from derive.steps import Approx as Approx
    from derive.steps import Bound as Bound
    from derive.steps import Equal as Equal
    from derive.steps import Minimise as Minimise
    from derive.steps import Put as Put
    from derive.steps import Solve as Solve
    from derive.steps import Use as Use
    from derive.symbols import BIT as BIT
    from derive.symbols import BYTE as BYTE
    from derive.symbols import CYCLE as CYCLE
    from derive.symbols import DEVICE as DEVICE
    from derive.symbols import DOLLAR as DOLLAR
    from derive.symbols import ELEMENT as ELEMENT
    from derive.symbols import FLOP as FLOP
    from derive.symbols import JOULE as JOULE
    from derive.symbols import LAYER as LAYER
    from derive.symbols import NODE as NODE
    from derive.symbols import OP as OP
    from derive.symbols import PARAMETER as PARAMETER
    from derive.symbols import SECOND as SECOND
    from derive.symbols import SEQUENCE as SEQUENCE
    from derive.symbols import TOKEN as TOKEN
    from derive.symbols import TRANSFER as TRANSFER
    from derive.symbols import count as count
    from derive.symbols import number as number
    from derive.symbols import quantity as quantity
    from derive.tables import Column as Column
    from derive.tables import Row as Row
    from derive.tables import Table as Table

_UNITS = (
    "BIT BYTE CYCLE DEVICE DOLLAR ELEMENT FLOP JOULE LAYER NODE OP PARAMETER SECOND SEQUENCE TOKEN TRANSFER"
)
_HOMES = {
    "sympy": "Max Min Rational Sum ceiling floor log oo sqrt",
    "derive.catalogue": "get",
    "derive.computed": "Check Computed",
    "derive.conventions": "Choice",
    "derive.derivation": "Derivation",
    "derive.errors": "DeriveError",
    "derive.evaluation": "Evaluation evaluate",
    "derive.examples": "Example",
    "derive.facts": "AtLeast Ceiling Difference Identity Inequality Limit NoSolution Regime SpecialCase",
    "derive.families": "Families",
    "derive.ledger": "Ledger",
    "derive.proofs.verdict": "Verdict",
    "derive.steps": "Approx Bound Equal Minimise Put Solve Use",
    "derive.symbols": f"{_UNITS} count number quantity",
    "derive.tables": "Column Row Table",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
_NAMES = ["letters", *_HOME]
__all__ = list(_NAMES)


def __getattr__(name: str) -> Any:
    if name == "letters":
        return import_module("derive.letters")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'derive' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_NAMES])
