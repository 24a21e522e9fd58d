"""Lessons inside reports: in every format, at the reader's numbers, told in words where they are drawn."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import reports
from derive import get
from derive.teaching.ladders import LADDERS
from derive.teaching.lesson import lesson
from derive.teaching.picture import WIDTH
from tests.reports import browser

NAIVE = "attention.naive_intensity"


def section(text: str, end: str) -> str:
    _, _, rest = text.partition("How it reduces")
    found, _, _ = rest.partition(end)
    return found


@pytest.mark.parametrize("format", ["md", "tex", "html"])
@pytest.mark.parametrize("id", LADDERS)
def test_every_ladder_stands_in_the_report_of_its_formula(id: str, format: str) -> None:
    found = section(reports.render(id, format), "Worked calculation")
    made = lesson(get(id))
    labels = re.findall(r"\((R\d+)\)", found)
    assert labels == [f"R{one.number}" for stage in made.stages for one in stage.statements]
    assert len(re.findall(r"Proved[*}<]", found)) == len(labels)
    assert "To remember:" in found
    assert f"It rests on {', '.join(f'R{number}' for number in made.rests_on)}." in found
    assert made.picture is not None
    if format == "md":
        assert all(bar.drawn in found for bar in made.picture.bars)
    if format == "tex":  # a rule for each part of a bar, and one before each line of the legend
        sizes = [int(size) for size in re.findall(r"\\rule\{(\d+)\\barsign\}", found)]
        parts = [size for bar in made.picture.bars for size in bar.parts if size]
        assert sizes == parts + [3] * len(made.picture.legend)


@pytest.mark.parametrize("format", ["md", "tex", "html"])
def test_a_formula_without_a_ladder_has_no_lesson(format: str) -> None:
    assert "parameters.llama" not in LADDERS
    assert "How it reduces" not in reports.render("parameters.llama", format)


def test_the_lesson_is_worked_at_the_readers_numbers() -> None:
    found = section(reports.render(NAIVE, "md", given={"T": 1024, "d": 64}), "Worked calculation")
    assert "Worked at $T$ = 1024, $d$ = 64, $e$ = 2 byte." in found
    assert "Here it is 30.12 FLOP/byte." in found  # 1024·64/(2·1088)
    assert "Here 6.2 % too large, and at most 6.2 % by the bound." in found  # 64/1024 = 6.25 %
    found = section(reports.render("matmul.time", "md", on="a100-80gb-sxm"), "Worked calculation")
    assert "$P$ = 312 TFLOP/s" in found
    assert "Here it is 440.5 µs." in found  # 2·4096³/312e12


def test_numbers_and_machines_of_other_formulas_leave_a_lesson_alone() -> None:
    """A chapter's other letters are none of its business, and a machine without a link has no alpha."""
    found = section(reports.render("collectives", "md", on="l40s", given={"n": 4, "t": "1 s"}), "Worked calc")
    assert "$n$ = 4" in found


def test_rungs_lead_to_where_they_are_derived() -> None:
    page = reports.render("attention", "md")
    assert "**2. [Arithmetic intensity of attention with every tensor moved once](" in page


class _Pictures(HTMLParser):
    """Each drawing's description and the widths of its bars, by their class."""

    def __init__(self) -> None:
        super().__init__()
        self.described: list[str] = []
        self.widths: list[list[tuple[str, int]]] = []
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "svg" and named.get("class") == "bars":
            assert named["role"] == "img"
            self.widths.append([])
        if tag == "rect":
            self.widths[-1].append((str(named["class"]), int(str(named["width"]))))
        self._in = tag

    def handle_data(self, data: str) -> None:
        if self._in == "desc" and data.strip():
            self.described.append(data)


def test_the_drawing_has_its_shares_and_says_them_in_words() -> None:
    """At T = 512, d = 128: 4·T·d beside 4·T² is 1 to 4: 8 of 40 signs, a fifth of 400 wide."""
    read = _Pictures()
    read.feed(section(reports.render(NAIVE, "html"), "Worked calculation"))
    (widths,), (told,) = read.widths, read.described
    assert sum(width for _, width in widths) == 5 * WIDTH * 10
    assert widths[2:4] == [("part0", 80), ("part1", 320)]
    assert "T = 512: 8 of 40 A, 32 of 40 B; 51.2 FLOP/byte." in told
    assert "T = 4096: 1 of 40 A, 39 of 40 B; 62.06 FLOP/byte (here)." in told
    assert told.endswith("A dominates while T is small, B where it is large.")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lesson")
    (written,) = reports.write([NAIVE], ["html"], folder)
    return written


def test_rungs_unfold_one_by_one_on_a_phone(page: Path, tmp_path: Path) -> None:
    if absent := browser.missing():
        pytest.skip(f"{absent} not installed")
    opened = browser.Browser(tmp_path)
    try:
        opened.look(width=360)
        opened.open(page)
        state = """const rungs = [...document.querySelectorAll(".ladder details")];
        const next = document.querySelector(`[data-chain="attention.naive_intensity.ladder"] button`);"""
        assert opened.run(state + "return rungs.map((one) => one.open)") == [False] * 4
        opened.run(state + "next.click(); next.click()")
        assert opened.run(state + "return rungs.map((one) => one.open)") == [True, True, False, False]
        focused = "rungs[2].querySelector('summary').focus(); return document.activeElement.tagName"
        assert opened.run(state + focused) == "SUMMARY"
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert opened.run(wide) <= 0
    finally:
        opened.close()
