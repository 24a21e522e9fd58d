"""Every figure of ../shared/figures.toml whose chapter exists, through the command line and through Python."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import derive
from derive.catalogue import chapters

Figure = dict[str, Any]


@pytest.fixture(scope="module")
def figures(shared: Path) -> list[Figure]:
    found = tomllib.loads((shared / "figures.toml").read_text("utf-8"))["figure"]
    return [figure for figure in found if figure["id"].partition(".")[0] in chapters()]


def _same(value: Any, figure: Figure) -> bool:
    """Whether a value is the figure's: exactly where its tolerance is 0, else within it."""
    wanted = figure["value"]
    if isinstance(wanted, bool | list):
        return bool(value == wanted and type(value) is type(wanted))
    if figure["rel"] == 0:
        return bool(value == wanted)
    return abs(Fraction(value) - Fraction(wanted)) <= Fraction(figure["rel"]) * abs(Fraction(wanted))


def _prints(value: Any, prints: str) -> bool:
    """Whether a value, rounded half to even to the digits of `prints`, is that number; true for what is no number."""
    if isinstance(value, bool | list):
        return True
    shown = Decimal(prints)
    return Decimal(repr(value)).quantize(shown) == shown


def _arguments(figure: Figure) -> list[str]:
    found = [figure["id"], "--to", figure["unit"], "--json"]
    for option in ("on", "model"):
        found += [f"--{option}", figure[option]] if option in figure else []
    for letter, value in figure["given"].items():
        found += ["--set", f"{letter}={value}"]
    for name, choice in figure.get("conventions", {}).items():
        found += ["--convention", f"{name}={choice}"]
    return found


def test_commands_give_every_figure(figures: list[Figure], cli: Callable[..., Any]) -> None:
    wrong = []
    for figure in figures:
        ran = cli("eval", *_arguments(figure))
        if ran.status or not _same(ran.json["value"], figure) or ran.json["unit"] != figure["unit"]:
            wrong.append((figure["id"], figure["given"], figure["value"], ran.err or ran.json["text"]))
        elif not _prints(ran.json["value"], figure["prints"]):
            wrong.append((figure["id"], figure["given"], figure["prints"], ran.json["value"]))
    assert not wrong
    assert len(figures) >= 25


def test_python_gives_every_figure(figures: list[Figure]) -> None:
    for figure in figures:
        found = derive.evaluate(
            figure["id"],
            given=figure["given"],
            on=figure.get("on"),
            model=figure.get("model"),
            conventions=figure.get("conventions"),
            to=figure["unit"],
        )
        assert _same(found.number, figure), (figure["id"], figure["given"], found.text)
        assert found.unit == figure["unit"]


def test_every_figure_reads_as_text(figures: list[Figure], cli: Callable[..., Any]) -> None:
    for figure in figures:
        ran = cli("eval", *(word for word in _arguments(figure) if word != "--json"))
        assert (ran.status, ran.err) == (0, "")
        # a whole number of more than four digits stands in full and rounded; any other value once
        marks = [line for line in ran.out.splitlines() if line.lstrip().startswith(("= ", "≈ "))]
        assert marks or isinstance(figure["value"], bool | list), figure["id"]
