"""Standard output: rich on a terminal, plain and as wide as the text in a pipe, readable in any encoding."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

from derive.cli.encoding import is_unicode

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

WIDE = 10_000


def unicode_output() -> bool:
    """Whether standard output can show any letter."""
    return is_unicode(sys.stdout)


def console(stream: TextIO | None = None) -> Console:
    """A console on a stream, standard output unless given: styled and as wide as the terminal, plain otherwise."""
    from rich.console import Console

    file = stream or sys.stdout
    terminal = file.isatty()
    return Console(file=file, width=None if terminal else WIDE, highlight=False, markup=False, emoji=False)


def show(*parts: RenderableType) -> None:
    """Print text and tables; without a terminal, trailing blanks are cut."""
    screen = console()
    if screen.is_terminal:
        for part in parts:
            screen.print(part)
        return
    with screen.capture() as captured:
        for part in parts:
            screen.print(part)
    for line in captured.get().splitlines():
        sys.stdout.write(f"{line.rstrip()}\n")


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    text = json.dumps(value, ensure_ascii=not unicode_output(), indent=2, allow_nan=False)
    sys.stdout.write(f"{text}\n")


def table(*columns: str, title: str = "") -> Table:
    """A table in the house's one style; columns named with a leading ">" are aligned right."""
    from rich import box
    from rich.table import Table

    made = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        header_style="bold",
        title=title or None,
        title_justify="left",
        title_style="bold",
    )
    for name in columns:
        made.add_column(
            name.lstrip(">"), justify="right" if name.startswith(">") else "left", overflow="fold"
        )
    return made
