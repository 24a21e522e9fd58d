"""Units for the arithmetic of AI systems: one pint registry, its own definitions.

`registry` is the only `pint.UnitRegistry` of the project. It is built from
`definitions.txt`; pint's default units are never loaded. It is made on first
use, so importing this package costs nothing. `check` holds a function's units
against its signature, or a value against the unit that is due.

    >>> import units
    >>> units.quantity("3.35 TB/s").to("byte/s").magnitude
    3350000000000.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from units.errors import UnitError

if TYPE_CHECKING:
    from units.checking import check as check
    from units.reading import Dimension as Dimension
    from units.reading import dimension_of as dimension_of
    from units.reading import factor as factor
    from units.reading import quantity as quantity
    from units.reading import registry as registry
    from units.reading import split as split

__all__ = ["Dimension", "UnitError", "check", "dimension_of", "factor", "quantity", "registry", "split"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("units.checking" if name == "check" else "units.reading"), name)
    raise AttributeError(f"module 'units' has no attribute {name!r}")
