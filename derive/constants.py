"""Sourced constants of machines and models: value, unit, tags, source and date.

The catalogue lies in `derive/data/hardware.toml` and `models.toml`; a user's own
file of the same form adds to it and overrides it value by value:

    [rtx-5060]
    source = "my benchmark"
    date = 2026-11-30
    tags = { basis = "measured" }
    peak = [{ value = "61 TFLOP/s", tags = { sparsity = "dense", precision = "bf16" } }]
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from derive.configs import is_config, read_config
from derive.constants_file import entries, identity, read, tables
from derive.entries import Constant, Entry, Source
from derive.errors import DeriveError
from derive.roles import ROLES, TAGS, Kind, Role
from derive.suggest import nearest
from derive.textfile import shown

__all__ = [
    "ROLES",
    "TAGS",
    "Constant",
    "Entry",
    "Kind",
    "Role",
    "Source",
    "catalogue",
    "hardware",
    "load",
    "model",
    "names",
]

_FILES: Mapping[Kind, str] = {"hardware": "hardware.toml", "model": "models.toml"}


def hardware(name: str, extra: Path | None = None) -> Entry:
    """The machine of that name or alias, in any case; `extra` is a user's file laid over the catalogue.

    Raises DeriveError for an unknown name, with the nearest ones, and for a bad file.
    """
    return _find(name, catalogue("hardware", extra), "hardware")


def model(name: str, extra: Path | None = None) -> Entry:
    """The model of that name or alias, in any case, or of a Hugging Face config.json, given by its path.

    Raises DeriveError as `hardware` does.
    """
    if is_config(name):
        return read_config(Path(name))
    return _find(name, catalogue("model", extra), "model")


def names(kind: Kind, extra: Path | None = None) -> tuple[str, ...]:
    """The names of all machines or models, as their files list them. Loads no units without `extra`."""
    return tuple(_shipped_tables(kind)) if extra is None else tuple(catalogue(kind, extra))


def catalogue(kind: Kind, extra: Path | None = None) -> Mapping[str, Entry]:
    """All machines or models by name. Raises DeriveError for a bad file."""
    shipped = _shipped(kind)
    return shipped if extra is None else _overlay(shipped, load(extra, kind))


def load(path: Path, kind: Kind) -> dict[str, Entry]:
    """The entries of a user's file alone.

    Raises DeriveError for a file that cannot be read, is larger than 1 MiB, holds
    more than 10,000 constants, is no TOML, or has anything in it that is not as
    the catalogue's own files must be.
    """
    return entries(tables(read(path), shown(path)), kind, shown(path))


@cache
def _shipped_tables(kind: Kind) -> Mapping[str, Any]:
    text = files("derive").joinpath("data", _FILES[kind]).read_text("utf-8")
    return tables(text, _FILES[kind])


@cache
def _shipped(kind: Kind) -> Mapping[str, Entry]:
    return MappingProxyType(entries(_shipped_tables(kind), kind, _FILES[kind]))


def _overlay(shipped: Mapping[str, Entry], given: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """The catalogue with a user's entries: new ones added, known ones overridden value by value."""
    aliases = {alias: entry.name for entry in shipped.values() for alias in entry.aliases}
    merged = dict(shipped)
    for name, entry in given.items():
        if name in aliases:
            raise DeriveError(
                f"{entry.origin}: {name}: is another name of {aliases[name]}: call it {aliases[name]}"
            )
        for alias in entry.aliases:
            if (owner := aliases.get(alias, alias if alias in shipped else name)) != name:
                raise DeriveError(
                    f"{entry.origin}: {name}: the name {alias!r} also stands for {owner}: leave it out"
                )
        merged[name] = _laid_over(shipped[name], entry) if name in shipped else entry
    return MappingProxyType(merged)


def _laid_over(old: Entry, new: Entry) -> Entry:
    replaced = {identity(constant) for constant in new.constants}
    kept = tuple(constant for constant in old.constants if identity(constant) not in replaced)
    return dataclasses.replace(
        new,
        title=old.title if new.title == new.name else new.title,
        family=new.family or old.family,
        constants=kept + new.constants,
        aliases=tuple(dict.fromkeys(old.aliases + new.aliases)),
        note=new.note or old.note,
    )


def _find(name: str, known: Mapping[str, Entry], kind: Kind) -> Entry:
    wanted = re.sub(r"[\s_]+", "-", name[:100].strip().lower())
    aliases = {alias: entry for entry in known.values() for alias in entry.aliases}
    found = known.get(wanted) or aliases.get(wanted)
    if found is None:
        word = "machine" if kind == "hardware" else "model"
        hint = nearest(wanted, (*known, *aliases)) or f": one of {', '.join(known)}"
        raise DeriveError(f"unknown {word} {wanted!r}{hint}")
    return found
