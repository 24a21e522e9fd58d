"""`derive constants`: machines and models with the source of every value."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from derive.cli import options
from derive.cli.completion import machines, models

if TYPE_CHECKING:
    from collections.abc import Mapping

    from derive.entries import Constant, Entry

HELP = """List machines and models, or every value of one of them with unit, tags, source and date.

\b
derive constants
derive constants h100-sxm
derive constants my-gpu --hardware mine.toml
"""


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in (*machines(), *models()) if name.startswith(incomplete)]


@click.command("constants", help=HELP, short_help="Machines and models: values, tags and sources.")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=_complete)
@options.hardware
@options.as_json
def command(name: str | None, hardware: str | None, as_json: bool) -> None:
    from derive.cli import console

    entries = _entries(hardware)
    if name is not None:
        entry = _named(name, entries, hardware)
        if as_json:
            console.show_json(_as_json(entry))
        else:
            console.show(*_one(entry))
    elif as_json:
        console.show_json([_as_json(entry) for entry in entries.values()])
    else:
        console.show(*_all(entries))


def _entries(extra: str | None) -> Mapping[str, Entry]:
    from derive.constants import catalogue

    return {**catalogue("hardware", Path(extra) if extra is not None else None), **catalogue("model")}


def _named(name: str, entries: Mapping[str, Entry], extra: str | None) -> Entry:
    from derive.constants import hardware, model
    from derive.errors import DeriveError
    from derive.suggest import nearest

    path = Path(extra) if extra is not None else None
    with suppress(DeriveError):
        return hardware(name, path)
    with suppress(DeriveError):
        return model(name)
    known = [word for entry in entries.values() for word in (entry.name, *entry.aliases)]
    raise DeriveError(
        f"unknown machine or model {name[:80]!r}{nearest(name.lower(), known)}: `derive constants` lists them all"
    )


def _as_json(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind,
        "family": entry.family,
        "aliases": list(entry.aliases),
        "note": entry.note,
        "constants": [
            {
                "role": constant.role,
                "value": _number(constant),
                "unit": constant.unit,
                "text": constant.text,
                "tags": dict(constant.tags),
                "source": constant.source.document,
                "date": constant.source.date.isoformat(),
                "note": constant.source.note,
            }
            for constant in entry.constants
        ],
    }


def _number(constant: Constant) -> bool | int | float:
    from derive.result import json_number

    return constant.value if isinstance(constant.value, bool) else json_number(constant.value)


def _all(entries: Mapping[str, Entry]) -> list[Any]:
    from rich.text import Text

    from derive.cli import console

    shown: list[Any] = []
    for kind, title in (("hardware", "Machines (--on)"), ("model", "Models (--model)")):
        made = console.table("name", "title", ">values", "also called", title=title)
        for entry in entries.values():
            if entry.kind == kind:
                made.add_row(entry.name, entry.title, str(len(entry.constants)), ", ".join(entry.aliases))
        shown += [made, Text()]
    return shown[:-1]


def _one(entry: Entry) -> list[Any]:
    from rich.measure import Measurement
    from rich.text import Text

    from derive.cli import console

    shown: list[Any] = [Text.assemble((entry.name, "bold"), f"  {entry.title}")]
    if entry.aliases:
        shown.append(Text(f"also called {', '.join(entry.aliases)}"))
    if entry.note:
        shown.append(Text(entry.note))
    made = console.table("role", "value", "tags", "source", "date", "note")
    for constant in entry.constants:
        source = constant.source
        note = "" if source.note == entry.note else source.note
        tags = ", ".join(constant.tags.values())
        made.add_row(constant.role, constant.text, tags, source.document, source.date.isoformat(), note)
    screen = console.console()
    if Measurement.get(screen, screen.options.update(width=console.WIDE), made).maximum > screen.width:
        return [*shown, *_compact(entry)]
    return [*shown, Text(), made]


def _compact(entry: Entry) -> list[Any]:
    """For a narrow terminal: the source that most values share is said once."""
    from rich.text import Text

    from derive.cli import console

    told = [(c.tags["basis"], c.source.document, c.source.date.isoformat()) for c in entry.constants]
    common = max(told, key=told.count)
    made = console.table("role", "value", "tags", "where it differs, and notes")
    for constant, own in zip(entry.constants, told, strict=True):
        note = "" if constant.source.note == entry.note else constant.source.note
        differing = ", ".join(part for part, usual in zip(own, common, strict=True) if part != usual)
        remark = "; ".join(filter(None, (differing, note)))
        made.add_row(constant.role, constant.text, constant.kind.replace(", ", " "), remark)
    return [Text(f"source: {common[1]} ({common[0]}, {common[2]})"), Text(), made]
