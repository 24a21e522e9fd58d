"""Figures of the field's curves: SVG and PNG with a text alternative; every number from an evaluation.

matplotlib draws them and is an extra: `available` says whether it is there. The
bytes are the same wherever matplotlib's version is. A page takes `svg` inline; a
document that names files takes `save`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from derive.errors import DeriveError
from derive.suggest import nearest

_STYLE: Mapping[str, Any] = {
    "svg.hashsalt": "derive",
    "svg.fonttype": "none",  # text stays text, for readers of all kinds
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "hatch.linewidth": 0.6,
}
_SIZE = (5.8, 4.2)
_DOTS = 160
_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_ID = re.compile(r'(\bid="|url\(#|xlink:href="#)')
_LEFT_OUT = re.compile(r"^.*?(?=<svg)|<!--.*?-->", re.DOTALL)
_FONT = "'DejaVu Sans'"


@dataclass(frozen=True)
class Figure:
    """A drawn figure. title: a line; description: what it shows, with its main numbers, for who cannot see it."""

    name: str
    title: str
    description: str
    svg: str
    png: bytes


@cache
def available() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def names(chapter: str | None = None) -> tuple[str, ...]:
    """The names of all figures, or of a chapter's."""
    from reports.plots_figures import DRAWINGS

    return tuple(name for name, one in DRAWINGS.items() if chapter in (None, one.chapter))


def of_chapter(chapter: str) -> tuple[Figure, ...]:
    """The figures of a chapter; none where matplotlib is not installed."""
    return tuple(figure(name) for name in names(chapter)) if available() else ()


@cache
def figure(name: str) -> Figure:
    """A figure by its name. Raises DeriveError for an unknown one, and where matplotlib is not installed."""
    from reports.plots_figures import DRAWINGS

    if name not in DRAWINGS:
        raise DeriveError(
            f"no figure {name[:40]!r}{nearest(name, list(DRAWINGS))}: one of {', '.join(DRAWINGS)}"
        )
    if not available():
        raise DeriveError("matplotlib is not installed: pip install 'derive-arithmetic[plot]'")
    drawing = DRAWINGS[name]
    with _drawn() as (plane, canvas):
        description = drawing.draw(plane)
        plane.set_title(drawing.title, loc="left")
        svg = _inline(_saved(canvas, "svg", metadata=_METADATA).decode(), name, drawing.title, description)
        return Figure(
            name, drawing.title, description, svg, _saved(canvas, "png", metadata={"Software": None})
        )


def save(chosen: Figure, folder: Path, format: str) -> Path:
    """Write a figure as "svg" or "png" into a folder; the path. Raises DeriveError where it cannot be written."""
    path = folder / f"{chosen.name}.{format}"
    try:
        path.write_bytes(chosen.png if format == "png" else chosen.svg.encode())
    except OSError as error:
        raise DeriveError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


@contextmanager
def _drawn() -> Iterator[tuple[Any, Any]]:
    """Axes and their figure, in a style of their own that nothing outside changes."""
    matplotlib: Any = import_module("matplotlib")
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        canvas = import_module("matplotlib.figure").Figure(figsize=_SIZE, layout="constrained")
        yield canvas.add_subplot(), canvas


def _saved(canvas: Any, format: str, metadata: Mapping[str, None]) -> bytes:
    stream = io.BytesIO()
    canvas.savefig(stream, format=format, dpi=_DOTS, metadata=dict(metadata))
    return stream.getvalue()


def _inline(svg: str, name: str, title: str, description: str) -> str:
    """A drawing fit for a page: named for screen readers, ids of its own, fonts that fall back."""
    body = _ID.sub(rf"\1{name}-", _LEFT_OUT.sub("", svg)).replace(_FONT, f"{_FONT}, system-ui, sans-serif")
    body = body.replace("*{", f"#{name}-figure_1 *{{")  # its style must not reach the page
    start, end = body.index("<svg"), body.index(">") + 1
    opening = body[start : end - 1]
    labelled = f'{opening} role="img" aria-labelledby="{name}-title {name}-desc">'
    told = (
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    )
    return f"{labelled}\n{told}{body[end:]}".strip() + "\n"
