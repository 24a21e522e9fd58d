"""Reads a file of constants: bounded before it is parsed, then checked to the last key.

The file may come from anywhere. Everything that is wrong is refused in one line
that names the file, the entry and the role, and says what to give. To see the
rules at work: `entries(tables('[x]\\nl2 = 1', "x.toml"), "hardware", "x.toml")`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import units
from derive.entries import BINARY, Constant, Entry, Source
from derive.errors import DeriveError
from derive.roles import ROLES, TAGS, Kind, Role, unit_of
from derive.suggest import nearest
from derive.textfile import read_text

_BYTES = 2**20
_CONSTANTS = 10_000
_DOTS = 32
_TEXT = 500
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ABOUT = ("title", "family", "aliases", "source", "date", "note", "tags", "values")
_CONSTANT = ("value", "source", "date", "note", "tags")


def read(path: Path, due: str = "a TOML file of constants") -> str:
    """The text of a file of at most 1 MiB; `due` says what it should be. Raises DeriveError."""
    return read_text(path, due, _BYTES)


def tables(text: str, origin: str) -> dict[str, Any]:
    """The TOML tables of a text, unchecked. Raises DeriveError, with the line where it is known."""
    for number, line in enumerate(text.split("\n"), 1):
        # tomllib takes time in the square of a dotted key's length
        if line.count(".") > _DOTS:
            raise DeriveError(
                f"{origin}, line {number}: has more than {_DOTS} dots: give shorter keys and texts"
            )
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise DeriveError(
            f"{origin}: is nested too deeply: an entry holds values and lists of values"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise DeriveError(f"{origin}: is no valid TOML: {_short(str(error), 160)}") from error
    except ValueError as error:  # Python's own limit on the digits of an integer
        raise DeriveError(f"{origin}: holds a number of thousands of digits: give it as 1.5e9") from error


def entries(found: Mapping[str, Any], kind: Kind, origin: str) -> dict[str, Entry]:
    """The checked entries of a file's tables by name. Raises DeriveError for whatever is wrong in them."""
    made: dict[str, Entry] = {}
    owners: dict[str, str] = {}
    constants = 0
    for name, table in found.items():
        entry = _entry(name, table, kind, origin)
        for word in (entry.name, *entry.aliases):
            if word in owners:
                raise DeriveError(
                    f"{origin}: {entry.name}: the name {word!r} also stands for {owners[word]}: "
                    "give each its own"
                )
            owners[word] = entry.name
        constants += len(entry.constants)
        if constants > _CONSTANTS:
            raise DeriveError(f"{origin}: {entry.name}: more than {_CONSTANTS} constants: split the file")
        made[entry.name] = entry
    return made


def identity(constant: Constant) -> tuple[str, frozenset[tuple[str, str]]]:
    """What a constant is of: role and tags, but not `basis`. A measured value replaces a specified one."""
    return constant.role, frozenset((tag, value) for tag, value in constant.tags.items() if tag != "basis")


def _entry(name: str, table: object, kind: Kind, origin: str) -> Entry:
    name = _name(name, origin)
    where = f"{origin}: {name}"
    if not isinstance(table, dict):
        raise DeriveError(f"{where}: is no table: begin it with [{name}]")
    roles = ROLES[kind]
    for key in table:
        if key not in roles and key not in _ABOUT:
            raise DeriveError(
                f"{where}: unknown role {_short(key)}{nearest(key, (*roles, *_ABOUT))}: "
                f"give one of {', '.join(roles)}"
            )
    _text(table, "source", where)
    _date(table, where)
    family = _text(table, "family", where)
    if family is not None and kind != "model":
        raise DeriveError(f"{where}: only a model has a family: leave it out")
    aliases = table.get("aliases", [])
    if not isinstance(aliases, list):
        raise DeriveError(f'{where}: aliases are no list: give aliases = ["h100"]')
    constants = tuple(_constants(name, table, kind, where))
    seen = set[tuple[str, frozenset[tuple[str, str]]]]()
    for constant in constants:
        if identity(constant) in seen:
            raise DeriveError(
                f"{where}.{constant.role}: {constant.described} is the second value of its kind: give one"
            )
        seen.add(identity(constant))
    return Entry(
        name,
        _text(table, "title", where) or name,
        kind,
        family,
        constants,
        origin,
        tuple(_name(alias, where) for alias in aliases),
        _text(table, "note", where) or "",
    )


def _constants(name: str, table: dict[str, Any], kind: Kind, where: str) -> Iterable[Constant]:
    """The constants of an entry: those under `values`, then a role after the other."""
    values = table.get("values", {})
    if not isinstance(values, dict):
        raise DeriveError(f"{where}: values are no table: give values = {{ cores = 8 }}")
    for key, value in values.items():
        if key not in ROLES[kind]:
            raise DeriveError(
                f"{where}: unknown role {_short(key)} in values{nearest(key, ROLES[kind])}: "
                f"give one of {', '.join(ROLES[kind])}"
            )
        yield _constant(name, ROLES[kind][key], {"value": value}, table, f"{where}.{key}")
    for key, rows in table.items():
        if key in _ABOUT:
            continue
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise DeriveError(f'{where}.{key}: is no list of values: give {key} = [{{ value = "…" }}]')
        for row in rows:
            yield _constant(name, ROLES[kind][key], row, table, f"{where}.{key}")


def _constant(entry: str, role: Role, row: dict[str, Any], table: dict[str, Any], where: str) -> Constant:
    for key in row:
        if key not in _CONSTANT:
            raise DeriveError(f"{where}: unknown key {_short(key)}: give {', '.join(_CONSTANT)}")
    tags = _tags(role, row, table, where)
    value, unit, text = _value(role, row.get("value"), tags, where)
    document = _text(row, "source", where) or _text(table, "source", where)
    if document is None:
        raise DeriveError(f'{where}: has no source: give source = "the document that says so"')
    checked = _date(row, where) or _date(table, where)
    if checked is None:
        raise DeriveError(f"{where}: has no date on which the source was looked at: give date = 2026-01-31")
    note = _text(row, "note", where) or _text(table, "note", where) or ""
    return Constant(entry, role.name, value, unit, text, tags, Source(document, checked, note))


def _tags(role: Role, row: dict[str, Any], table: dict[str, Any], where: str) -> Mapping[str, str]:
    """The tags of a constant: the entry's where the role takes them, then its own."""
    own, default = row.get("tags", {}), table.get("tags", {})
    takes = ("basis", *role.tags)
    for given, allowed in ((default, tuple(TAGS)), (own, takes)):
        if not isinstance(given, dict):
            raise DeriveError(f'{where}: tags are no table: give tags = {{ basis = "measured" }}')
        for tag, value in given.items():
            if tag not in allowed:
                raise DeriveError(f"{where}: unknown tag {_short(tag)}: give {', '.join(allowed)}")
            if value not in TAGS[tag]:
                raise DeriveError(f"{where}: unknown {tag} {_short(value)}: give {' or '.join(TAGS[tag])}")
    merged = {tag: value for tag, value in {**default, **own}.items() if tag in takes}
    for tag in takes:
        if tag not in merged:
            raise DeriveError(
                f'{where}: has no tag {tag}: give tags = {{ {tag} = "{TAGS[tag][0]}" }}, or {_other(tag)}'
            )
    return MappingProxyType({tag: merged[tag] for tag in takes})


def _value(
    role: Role, value: object, tags: Mapping[str, str], where: str
) -> tuple[Fraction | bool, str, str]:
    """A constant's value, exact, with its unit and its text."""
    wanted = unit_of(role, tags)
    example = "true or false" if role.flag else "a whole number" if role.whole else "a text with its unit"
    if wanted != "dimensionless":
        example = f'"… {wanted}"'
    if role.flag and isinstance(value, bool):
        return value, "dimensionless", "true" if value else "false"
    if role.flag or isinstance(value, bool) or not isinstance(value, int | str):
        raise DeriveError(f"{where}: has no value that can be taken: give value = {example}")
    if isinstance(value, int) and abs(value) >= 10**60:
        raise DeriveError(f"{where}: has a value of more than 60 digits: give value = {example}")
    text = str(value).strip()
    try:
        number, unit = units.split(text)
        dimension = units.factor(unit)[1]
    except units.UnitError as error:
        hint = "; the kind in brackets goes into tags" if "[" in text else ""
        raise DeriveError(f"{where}: {error}{hint}") from error
    if dimension != units.factor(wanted)[1]:
        raise DeriveError(f"{where}: {_short(text)} is not in {wanted}: give value = {example}")
    if number <= 0:
        raise DeriveError(f"{where}: {_short(text)} is not positive: give value = {example}")
    if role.whole and number.denominator != 1:
        raise DeriveError(f"{where}: {_short(text)} is no whole number: give value = {example}")
    if "capacity" in tags and not _fits(unit, tags["capacity"]):
        raise DeriveError(
            f"{where}: {_short(text)} is not {tags['capacity']}: give a binary capacity in GiB, others in GB"
        )
    return number, unit, text


def _fits(unit: str, capacity: str) -> bool:
    """Whether a unit can be that of a decimal, binary or nominal capacity: GiB is never decimal."""
    if capacity == "nominal":
        return unit in BINARY
    return unit not in (BINARY if capacity == "binary" else BINARY.values())


def _text(table: dict[str, Any], key: str, where: str) -> str | None:
    """A short text of one line, None where it is not given."""
    text = table.get(key)
    if text is None:
        return None
    if not isinstance(text, str) or not text.strip() or len(text) > _TEXT or not text.isprintable():
        raise DeriveError(f"{where}: {key} is no line of 1 to {_TEXT} characters: give a text in quotes")
    return text.strip()


def _date(table: dict[str, Any], where: str) -> date | None:
    """A day, None where it is not given."""
    day = table.get("date")
    if day is not None and (not isinstance(day, date) or isinstance(day, datetime)):
        raise DeriveError(f"{where}: date is no day: give date = 2026-01-31, without quotes or time")
    return day


def _name(name: object, where: str) -> str:
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise DeriveError(
            f"{where}: {_short(name)} is no name: give letters, digits, '.', '_' and '-', as in my-gpu.2"
        )
    return name.lower()


def _other(tag: str) -> str:
    return " or ".join(f'"{value}"' for value in TAGS[tag][1:])


def _short(value: object, longest: int = 40) -> str:
    """A value from the file for a message: one line and short."""
    text = value if isinstance(value, str) else type(value).__name__
    text = "".join(letter if letter.isprintable() else " " for letter in text[: longest + 1])
    return repr(text if len(text) <= longest else f"{text[:longest]}…")
