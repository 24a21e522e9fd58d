"""Standard output: rich on a terminal, plain and as wide as the text in a pipe, readable in any encoding."""

from __future__ import annotations

import codecs
import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

WIDE = 10_000

_ASCII = {
    "→": "->", "≈": "~", "≤": "<=", "≥": ">=", "∞": "oo", "×": "x", "⋅": "*", "·": "*", "−": "-", "–": "-", "—": "-",
    "…": "...", "√": "sqrt", "∑": "sum", "λ": "lambda", "α": "alpha", "β": "beta", "μ": "mu", "δ": "delta",
    "²": "^2", "³": "^3", "⁴": "^4", "⁵": "^5", "⁶": "^6", "⁹": "^9", "⁺": "+", "ᵀ": "^T", "∂": "d", "├": "|", "└": "`",
    "‘": "'", "’": "'", "“": '"', "”": '"', "─": "-", "│": "|", "\u00a0": " ",
}  # fmt: skip


def _readable(error: UnicodeError) -> tuple[str, int]:
    """Writes what an encoding lacks in ASCII: → as ->, ² as ^2, anything else as ?."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_ASCII.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def is_unicode(stream: TextIO | None = None) -> bool:
    """Whether a stream (standard output unless given) can show any letter."""
    return (getattr(stream or sys.stdout, "encoding", None) or "ascii").lower().replace("_", "-").startswith("utf")


def console(stream: TextIO | None = None) -> Console:
    """A console on a stream, standard output unless given: styled and as wide as the terminal, plain otherwise."""
    from rich.console import Console

    file = stream or sys.stdout
    codecs.register_error("derive", _readable)
    if hasattr(file, "reconfigure"):
        file.reconfigure(errors="derive")
    terminal = file.isatty()
    made = Console(file=file, width=None if terminal else WIDE, highlight=False, markup=False, emoji=False)
    return made


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
    text = json.dumps(value, ensure_ascii=not is_unicode(), indent=2, allow_nan=False)
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
        made.add_column(name.lstrip(">"), justify="right" if name.startswith(">") else "left", overflow="fold")
    return made
