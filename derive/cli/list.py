"""`derive list`: the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from derive.cli import options

if TYPE_CHECKING:
    from rich.table import Table

    from derive.derivation import Derivation

HELP = """List the formulas of the catalogue, or those of files of your own.

\b
derive list
derive list --chapter attention
derive list mine.py
"""

_ROOMY = ("id", "title", "unit", "formula")
_TIGHT = (_ROOMY, _ROOMY[:3], _ROOMY[:2])


@click.command("list", help=HELP, short_help="The catalogue, a line for each formula.")
@click.argument("files", metavar="[FILE.py]...", nargs=-1)
@click.option("--chapter", metavar="C", help="Only the formulas of this chapter.")
@options.as_json
def command(files: tuple[str, ...], chapter: str | None, as_json: bool) -> None:
    from derive.cli import console, targets

    for file in files:
        if not file.endswith(".py"):
            raise click.UsageError(f"{file!r} is no Python file: for a chapter give --chapter {file}")
    if files and chapter is not None:
        raise click.UsageError("--chapter is of the catalogue: leave it out or the files")
    found = targets.many((chapter,) if chapter is not None else files)
    rows = [_row(derivation) for derivation in found]
    if as_json:
        console.show_json(rows)
    else:
        console.show(_fitting(rows))


def _row(derivation: Derivation) -> dict[str, Any]:
    from derive.cli.worked import line_text
    from derive.symbols import without_units

    return {
        "id": derivation.id,
        "title": derivation.title,
        "unit": derivation.unit,
        "formula": f"{derivation.letter} = {line_text(without_units(derivation.result))}",
    }


def _fitting(rows: list[dict[str, Any]]) -> Table:
    """The table with as many columns as the terminal has room for."""
    from rich.measure import Measurement

    from derive.cli import console

    screen = console.console()
    made = console.table()
    for columns in _TIGHT:
        made = console.table(*columns)
        chapter = ""
        for row in rows:
            if screen.is_terminal and chapter and not row["id"].startswith(f"{chapter}."):
                made.add_section()
            chapter = row["id"].partition(".")[0]
            made.add_row(*(row[name] for name in columns))
        if Measurement.get(screen, screen.options.update(width=console.WIDE), made).maximum <= screen.width:
            break
    return made
