"""Figures of the field's curves, drawn for the reader's machine, model and values.

Every number comes from an evaluation. matplotlib draws them and is an extra:
`available` says whether it is there. The bytes are the same wherever matplotlib's
version is. A page takes `Figure.inline`; Markdown names an SVG file and LaTeX a
PDF, which `Figure.data` holds.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from derive.errors import DeriveError
from derive.suggest import nearest
from reports.plots_figures import DRAWINGS, INK, PAPER
from reports.plots_scene import Scene
from reports.setting import Setting

INSTALL = "pip install 'derive-arithmetic[plot]'"
FOLDER = "figures"
"""Where the files of figures lie, beside the document that shows them."""

_STYLE: Mapping[str, Any] = {
    "svg.hashsalt": "derive",
    "svg.fonttype": "none",  # text stays text, for readers of all kinds
    "pdf.fonttype": 42,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "hatch.linewidth": 0.6,
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), PAPER),
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "axes.titlecolor"),
        INK,
    ),
}
_SIZE = (5.8, 4.2)
_DOTS = 160
_METADATA: Mapping[str, Mapping[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
_ID = re.compile(r'(\bid="|url\(#|xlink:href="#)')
_LEFT_OUT = re.compile(r"^.*?(?=<svg)|<!--.*?-->", re.DOTALL)
_FONT = "'DejaVu Sans'"


@dataclass(frozen=True)
class Figure:
    """A drawn figure.

    title: a line. caption: what is to be seen and for which machine, model and values.
    description: the caption with the main numbers, for who cannot see it.
    """

    name: str
    title: str
    caption: str
    description: str
    canvas: Any

    def data(self, format: str) -> bytes:
        """The figure as "svg", "pdf" or "png"."""
        return self._svg.encode() if format == "svg" else self._saved(format)

    def file(self, format: str) -> str:
        """The path of its file beside the document that shows it."""
        return f"{FOLDER}/{self.name}.{format}"

    @property
    def inline(self) -> str:
        """The SVG for a page, in the page's own colours, light or dark."""
        return self._svg.replace(INK, "var(--ink)").replace(PAPER, "var(--paper)")

    @cached_property
    def _svg(self) -> str:
        """A drawing fit for a page: named for screen readers, ids of its own, fonts that fall back."""
        drawn = _LEFT_OUT.sub("", self._saved("svg").decode())
        body = _ID.sub(rf"\1{self.name}-", drawn).replace(_FONT, f"{_FONT}, system-ui, sans-serif")
        body = body.replace("*{", f"#{self.name}-figure_1 *{{")  # its style must not reach the page
        start, end = body.index("<svg"), body.index(">") + 1
        opening = body[start : end - 1]
        named = " ".join(f"{self.name}-{part}" for part in ("title", "desc"))
        told = (
            f'<title id="{self.name}-title">{escape(self.title)}</title>'
            f'<desc id="{self.name}-desc">{escape(self.description)}</desc>'
        )
        return f'{opening} role="img" aria-labelledby="{named}">\n{told}{body[end:]}'.strip() + "\n"

    def _saved(self, format: str) -> bytes:
        stream = io.BytesIO()
        with _styled():
            self.canvas.savefig(stream, format=format, dpi=_DOTS, metadata=dict(_METADATA[format]))
        return stream.getvalue()


@cache
def available() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def of(id: str, setting: Setting) -> tuple[Figure, ...]:
    """The figures that illustrate a derivation; none where matplotlib is not installed."""
    if not available():
        return ()
    return tuple(figure(name, setting) for name, one in DRAWINGS.items() if one.id == id)


def left_out(ids: Iterable[str]) -> str:
    """What documents of these derivations lack where matplotlib is not installed, in a line; "" where nothing."""
    missing = [one.name for one in DRAWINGS.values() if one.id in set(ids)]
    if available() or not missing:
        return ""
    one = len(missing) == 1
    return (
        f"{len(missing)} figure{'' if one else 's'} ({', '.join(missing)}) {'is' if one else 'are'} left out: "
        f"matplotlib is not installed; `{INSTALL}` brings it"
    )


def figure(name: str, setting: Setting) -> Figure:
    """A figure by its name, for the reader's setting.

    What the reader's machine or model cannot show is drawn for the figure's own, and the
    caption says why. Raises DeriveError for an unknown name, and where matplotlib is not
    installed.
    """
    if name not in DRAWINGS:
        raise DeriveError(
            f"no figure {name[:40]!r}{nearest(name, list(DRAWINGS))}: one of {', '.join(DRAWINGS)}"
        )
    if not available():
        raise DeriveError(f"matplotlib is not installed: {INSTALL}")
    try:
        return _drawn(name, setting, "")
    except DeriveError as error:
        reason, _, _ = str(error).partition(": give ")
        return _drawn(name, Setting(), f" As asked it cannot be drawn: {reason}.")


def _drawn(name: str, setting: Setting, note: str) -> Figure:
    scene = Scene(setting)
    with _styled():
        canvas = import_module("matplotlib.figure").Figure(figsize=_SIZE, layout="constrained")
        plane = canvas.add_subplot()
        told = DRAWINGS[name].draw(plane, scene)
        plane.set_title(told.title, loc="left")
        canvas.draw_without_rendering()
        canvas.set_layout_engine("none")  # laid out once, so that all formats are the same drawing
    caption = f"{told.caption}{scene.told}{note}"
    return Figure(name, told.title, caption, f"{caption} {told.numbers}", canvas)


@contextmanager
def _styled() -> Iterator[None]:
    """A style of its own that nothing outside changes."""
    matplotlib: Any = import_module("matplotlib")
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield
