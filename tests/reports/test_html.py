"""Pages as documents: valid, self-contained, linked, and readable by everybody."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import reports
from derive import BYTE, Derivation, Equal, Ledger, catalogue, count
from reports import mathml
from reports.view import Equation

ROOT = Path(__file__).resolve().parents[2]
VOID = {"meta", "link", "input", "br", "wbr", "img", "hr"}
BLOCKS = {
    "div",
    "p",
    "dl",
    "ul",
    "ol",
    "table",
    "section",
    "h1",
    "h2",
    "h3",
    "h4",
    "details",
    "form",
    "nav",
    "figure",
}
KNOWN = BLOCKS | {
    *(
        "html",
        "head",
        "body",
        "title",
        "style",
        "script",
        "header",
        "footer",
        "main",
        "a",
        "li",
        "code",
        "sub",
    ),
    *(
        "dt",
        "dd",
        "strong",
        "small",
        "span",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "th",
        "td",
        "caption",
        "summary",
        "label",
    ),
    *(
        "select",
        "option",
        "button",
        "output",
        "figcaption",
        "defs",
        "g",
        "path",
        "use",
        "svg",
        "desc",
        "text",
    ),
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msup", "msub", "msubsup", "msqrt"),
    *(
        "munder",
        "munderover",
        "mtable",
        "mtr",
        "mtd",
        "mstyle",
        "rect",
        "clippath",
        "tspan",
        "image",
        "pattern",
    ),
}


class Page(HTMLParser):
    """A strict reading of a page: every element known, closed and rightly nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in KNOWN | VOID, tag
        assert len({name for name, _ in attrs}) == len(attrs), (tag, attrs)
        assert not (self.open and self.open[-1] == "p" and tag in BLOCKS), f"{tag} in a paragraph"
        assert not (tag == "a" and "a" in self.open)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"<{tag}/> outside a drawing"
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.words.append(data)

    def every(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, tuple[str, Page]]:
    texts = {path.name: path.read_text("utf-8") for path in sorted(site.iterdir())}
    return {name: (text, Page(text)) for name, text in texts.items()}


def test_there_is_a_page_for_each_chapter_and_an_index(site: Path) -> None:
    assert {path.name for path in site.iterdir()} == {
        "index.html",
        *(f"{c}.html" for c in catalogue.chapters()),
    }


def test_the_index_holds_what_stands_around_the_chapters(pages: dict[str, tuple[str, Page]]) -> None:
    _, page = pages["index.html"]
    words = " ".join("".join(page.words).split())
    assert [one["id"] for one in page.every("section")] == [
        "formulas",
        "guide",
        "traps",
        "conventions",
        "symbols",
        "sources",
    ]
    assert re.search(r"(\d+) of \1 statements in all are proved", words)
    assert "worked out on NVIDIA H100 SXM5 80 GB" in words


def test_two_choices_stand_side_by_side() -> None:
    compare = reports.Compare.read("mask=full,causal")
    page = Page(reports.render("attention.flops", "html", given={"T": 4096, "d": 128}, compare=compare))
    words = " ".join("".join(page.words).split())
    assert "8.590 GFLOP" in words
    assert "4.296 GFLOP" in words or "4.295 GFLOP" in words


def test_a_template_of_ones_own_replaces_a_block(tmp_path: Path) -> None:
    own = '{% extends "derive/derivation.html.jinja" %}{% block head %}<p>My own head</p>{% endblock %}'
    (tmp_path / "derivation.html.jinja").write_text(own, "utf-8")
    text = reports.render("roofline.ridge", "html", on="h100-sxm", templates=tmp_path)
    assert "<p>My own head</p>" in text
    assert "Unit of the result" not in text
    assert "Worked calculation" in text


def test_digits_reach_the_live_numbers() -> None:
    assert "digits: 6," in reports.render("roofline.ridge", "html", on="h100-sxm", digits=6)
    assert "digits: 4," in reports.render("roofline.ridge", "html", on="h100-sxm")


def test_ids_are_unique_and_what_is_referred_to_exists(pages: dict[str, tuple[str, Page]]) -> None:
    ids = {name: [one["id"] for _, one in page.elements if "id" in one] for name, (_, page) in pages.items()}
    for name, (_, page) in pages.items():
        assert len(set(ids[name])) == len(ids[name]), name
        for _, one in page.elements:
            for attribute in ("for", "aria-labelledby", "aria-describedby", "data-chain"):
                for target in (one.get(attribute) or "").split():
                    assert target in ids[name], (name, attribute, target)
        for anchor in page.every("a"):
            file, _, target = str(anchor["href"]).partition("#")
            assert (file or name) in pages, (name, anchor)
            assert not target or target in ids[file or name], (name, anchor)


def test_a_page_needs_nothing_from_outside(pages: dict[str, tuple[str, Page]]) -> None:
    for name, (text, page) in pages.items():
        for tag, one in page.elements:
            for attribute in ("src", "srcset", "action", "data", "background", "poster"):
                assert attribute not in one, (name, tag)
            assert tag != "link", name
        assert not re.search(
            r"@import|url\((?!#)|\bfetch\(|XMLHttpRequest|\bimport\(|\beval\(|new Function", text
        )


def test_no_raw_latex_is_left(pages: dict[str, tuple[str, Page]]) -> None:
    for name, (_, page) in pages.items():
        words = "".join(page.words)
        assert not re.search(r"\\|\$|\bfrac\b|[{}]|&amp;", words), name


def test_every_formula_is_well_formed(pages: dict[str, tuple[str, Page]]) -> None:
    count = 0
    for _, (text, _) in pages.items():
        for found in re.findall(r"<math\b.*?</math>", text, re.DOTALL):
            root = ElementTree.fromstring(found)
            count += 1
            for element in root.iter():
                assert len(element) == {"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3}.get(
                    element.tag, len(element)
                )
    assert count > 3000


def test_headings_go_down_one_by_one(pages: dict[str, tuple[str, Page]]) -> None:
    for name, (_, page) in pages.items():
        levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
        assert levels[0] == 1, name
        assert levels.count(1) == 1, name
        assert all(after <= before + 1 for before, after in pairwise(levels)), name


def test_a_page_says_what_it_is(pages: dict[str, tuple[str, Page]]) -> None:
    for name, (text, page) in pages.items():
        assert text.startswith("<!DOCTYPE html>\n"), name
        assert page.every("html") == [{"lang": "en"}], name
        assert len(page.every("main")) == page.every("title").count({}) == 1, name
        assert all(one.get("aria-label") for one in page.every("nav")), name
        assert all(one.get("scope") in ("col", "row") for one in page.every("th")), name
        labels = {one["for"] for one in page.every("label")}
        for field in page.every("input", "select"):
            assert field["id"] in labels or field.get("aria-label"), (name, field)


def test_pages_do_not_depend_on_the_order_of_hashes(tmp_path: Path) -> None:
    script = (
        "import sys, reports; reports.write(['roofline', 'matmul'], ['html'], sys.argv[1], on='h100-sxm')"
    )
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", script, tmp_path / seed],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            check=True,
            timeout=120,
        )
    for name in ("roofline.html", "matmul.html", "index.html"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_a_page_of_one_formula_has_no_way_to_others() -> None:
    page = Page(reports.render("attention.naive_intensity", "html", given={"T": 4096, "d": 128}))
    assert "All formulas" not in "".join(page.words)
    assert [one["href"] for one in page.every("a")] == ["#content"]


def test_a_refuted_page_says_so_in_words() -> None:
    n = count("n", "elements")
    wrong = Derivation(
        "Q",
        "Wrong traffic",
        unit="byte",
        start=Ledger(("read", 2 * n * BYTE)),
        steps=[Equal(3 * n * BYTE, because="a slip")],
    )
    text = reports.render(wrong, "html", given={"n": 10})
    page = Page(text)
    assert '<strong class="failed">Not all of this holds:</strong>' in text
    assert "REFUTED" in "".join(page.words)


def test_text_is_data() -> None:
    n = count("n", "<b>elements</b> </script><script>alert(1)</script>")
    title = "<img src=x onerror=alert(1)> & `code <i>`"
    text = reports.render(
        Derivation("Q", title, unit="byte", start=2 * n * BYTE, about='"quotes" </title>'),
        "html",
        given={"n": 10},
    )
    page = Page(text)
    assert page.every("img") == []
    assert page.every("i", "b") == []
    assert len(page.every("script")) == 1
    assert "<img src=x onerror=alert(1)>" in "".join(page.words)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("B_{r}", "<math><mrow><msub><mi>B</mi><mrow><mi>r</mi></mrow></msub></mrow></math>"),
        (r"16{,}777{,}216", "<math><mrow><mn>16,777,216</mn></mrow></math>"),
        (r"\mathit{weights}", '<math><mrow><mrow><mi class="word">weights</mi></mrow></mrow></math>'),
        (r"x = - 4", '<math><mrow><mi>x</mi><mo>=</mo><mo form="prefix">−</mo><mn>4</mn></mrow></math>'),
        (r"\approx 2", '<math><mrow><mo lspace="0">≈</mo><mn>2</mn></mrow></math>'),
    ],
)
def test_mathml(latex: str, expected: str) -> None:
    assert mathml.inline(latex) == expected


def test_units_are_words_in_upright_type() -> None:
    found = ElementTree.fromstring(mathml.inline(r"62\ \mathrm{FLOP/byte}"))
    assert [one.text for one in found.iter("mi")] == ["FLOP", "byte"]
    assert all(one.get("mathvariant") == "normal" for one in found.iter("mi"))


def test_equations_stand_below_each_other() -> None:
    lines = (Equation("I", "=", r"\frac{a}{b}"), Equation("", r"\approx", r"3\ \mathrm{s}"))
    root = ElementTree.fromstring(mathml.display(lines))
    assert root.get("display") == "block"
    assert [[cell.get("class") for cell in row] for row in root.iter("mtr")] == [["right", "left"]] * 2
