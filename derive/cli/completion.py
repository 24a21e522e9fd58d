"""Names for shell completion, read without loading the engine."""

from __future__ import annotations

import re
from importlib.resources import files

_DECLARED = re.compile(r"^([a-z]\w*) = (?:Derivation|Computed)\(", re.MULTILINE)


def ids() -> list[str]:
    """The ids that the chapters' files declare in so many words; their code is not run."""
    found = []
    for file in files("derive").joinpath("formulas").iterdir():
        if file.name.endswith(".py") and not file.name.startswith("_"):
            found += [f"{file.name[:-3]}.{name}" for name in _DECLARED.findall(file.read_text("utf-8"))]
    return sorted(found)


def machines() -> list[str]:
    """The machines of the catalogue."""
    from derive.constants import names

    return list(names("hardware"))


def models() -> list[str]:
    """The models of the catalogue."""
    from derive.constants import names

    return list(names("model"))


def conventions() -> list[str]:
    """Every choice of every convention as `--convention` takes it."""
    from derive.conventions import CONVENTIONS

    return [f"{name}={choice}" for name, convention in CONVENTIONS.items() for choice in convention.choices]
