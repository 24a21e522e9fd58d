"""Unit-checked arithmetic: a line as people write it, its value with unit, or a refusal that teaches.

    >>> from derive.calc import calculate
    >>> calculate("16 GB / 3.35 TB/s").text
    '4.78 ms'
    >>> calculate("16 GB + 2 GFLOP")
    Traceback (most recent call last):
    derive.calc.errors.CalcError: 16 GB (in byte) and 2 GFLOP (in FLOP) cannot be added. ...

Names load on first use. No part of a line is ever executed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from derive.calc.errors import CalcError

if TYPE_CHECKING:
    from derive.calc.expression import Answer as Answer
    from derive.calc.expression import Expression as Expression
    from derive.calc.expression import calculate as calculate
    from derive.calc.expression import parse as parse

__all__ = ["Answer", "CalcError", "Expression", "calculate", "parse"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("derive.calc.expression"), name)
    raise AttributeError(f"module 'derive.calc' has no attribute {name!r}")
