"""Texts in a markup are texts: nothing in them is read as markup."""

from __future__ import annotations

import re

import jinja2
import pytest

import reports
from derive import catalogue
from derive.derivation import Derivation
from derive.symbols import FLOP, count
from reports.markup import markdown_text, tex_bookmark, tex_text
from reports.rendering import _TEMPLATES, _environment

HOSTILE = r"50 % of a_b & #1 $x$ {y} \input{z} ^ ~ <b> | *bold* [l](u) `c` × → ≤ QKᵀ x² 中 😀 é"


def test_tex() -> None:
    assert tex_text("50 % & #1 $ {} _ ^ ~ \\") == (
        r"50 \% \& \#1 \$ \{\} \_ \textasciicircum{} \textasciitilde{} \textbackslash{}"
    )
    assert tex_text("QKᵀ ≥ 10⁻⁹ · µs → ∞, α") == (
        r"QK\textsuperscript{T} $\geq$ 10\textsuperscript{$-$}\textsuperscript{9} \textperiodcentered{} "
        r"\textmu{}s $\to$ $\infty$, $\alpha$"
    )
    assert tex_text("é 中 😀") == r"é \texttt{U+4E2D} \texttt{U+1F600}"
    assert tex_text("tiles of B_r rows") == "tiles of $B_{r}$ rows"
    assert tex_text("names `one_name`") == r"names \texttt{one\_name}"
    assert tex_text("Γ γ Ω ω λ") == r"$\Gamma$ $\gamma$ $\Omega$ $\omega$ $\lambda$"


def test_a_long_word_may_break() -> None:
    assert r"\allowbreak" in tex_text("a" * 60)
    assert r"\allowbreak" not in tex_text("FLOP/byte and head_dim")


def test_markdown() -> None:
    assert markdown_text("a|b *c* _d_ [e](f) <g> $h$ #i `j k") == (
        r"a\|b \*c\* \_d\_ \[e\](f) \<g\> \$h\$ \#i \`j k"
    )
    assert markdown_text("tiles of B_r rows") == "tiles of $B_{r}$ rows"
    assert markdown_text("see `one_name` there") == "see `one_name` there"
    assert markdown_text("- no list") == r"\- no list"
    assert markdown_text("1. no list") == r"\1. no list"
    assert markdown_text("two\n\n# lines") == r"two \# lines"


def test_bookmarks_are_ascii() -> None:
    assert tex_bookmark("A (m×k) é → 50 %") == "{A (mxk) e to 50 }"


def test_a_hostile_text_stays_in_its_cell() -> None:
    n = count("n", HOSTILE)
    hostile = Derivation("F", HOSTILE, unit="FLOP", start=n * FLOP, about=HOSTILE, sources=[HOSTILE])
    lines = reports.render(hostile, "md").splitlines()
    assert tables(lines)
    assert all(len({cells(row) for row in table}) == 1 for table in tables(lines))


def cells(row: str) -> int:
    return len(re.findall(r"(?<!\\)\|", row))


def tables(lines: list[str]) -> list[list[str]]:
    """The runs of lines that are tables."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("|"):
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [table for table in found if table]


@pytest.mark.parametrize("chapter", catalogue.chapters())
def test_markdown_of_every_chapter_is_well_formed(chapter: str) -> None:
    text = reports.render(chapter, "md", on="h100-sxm")
    lines = text.splitlines()
    assert len(tables(lines)) > len(catalogue.chapter(chapter))
    for table in tables(lines):
        assert len({cells(row) for row in table}) == 1, table
    for line in lines:
        math = re.findall(r"(?<!\\)\$\$?", line)
        assert len(math) % 2 == 0, line
        assert line.count("`") % 2 == 0, line
        for inside in re.findall(r"(?<!\\)\$\$?([^$]+)\$", line):
            assert not inside.startswith(" "), line
            assert inside.count("{") == inside.count("}"), line
            # Markdown would swallow a backslash before punctuation and close a cell at a bar
            assert not re.search(r"\\[,;:!|%#\\{}]", inside), line
            assert "|" not in inside, line
    assert "\n\n\n" not in text
    assert "undefined" not in text.lower()
    assert not re.search(r"[|$]\s*None\s*[|$]", text)


def test_templates_compute_nothing() -> None:
    sums = (jinja2.nodes.Add, jinja2.nodes.Sub, jinja2.nodes.Mul, jinja2.nodes.Div, jinja2.nodes.FloorDiv)
    arithmetic = (*sums, jinja2.nodes.Mod, jinja2.nodes.Pow, jinja2.nodes.Neg)
    for path in sorted(one for format in ("md", "tex") for one in _TEMPLATES.glob(f"*.{format}.jinja")):
        environment = _environment(path.name.split(".")[1], None)
        tree = environment.parse(path.read_text("utf-8"))
        assert not list(tree.find_all(arithmetic)), path.name
        filters = {node.name for node in tree.find_all(jinja2.nodes.Filter)}
        assert not filters & {"sum", "round", "abs", "int", "float", "format"}, path.name
    assert all(_environment(name, None).undefined is jinja2.StrictUndefined for name in reports.FORMATS)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a step of 2^−M", "a step of $2^{-M}$"),
        ("(1 + m/2^M)·2^(c − bias)", r"(1 + m/$2^{M}$)·$2^{c - \mathit{bias}}$"),
        ("B/D^beta + E", r"B/$D^{\beta}$ + E"),
        ("2^(E·M) and T^2", r"$2^{E \cdot M}$ and $T^{2}$"),
        ("a^b^c, ^x and x^", "a^b^c, ^x and x^"),
        ("2^(1 + (2))", "2^(1 + (2))"),
        ("`2^M`", "`2^M`"),
    ],
)
def test_powers_in_texts_are_mathematics(text: str, latex: str) -> None:
    assert markdown_text(text) == latex
