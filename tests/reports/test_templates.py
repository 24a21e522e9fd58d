"""Templates of the reader's own, significant digits, and what both refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

import reports
from derive.errors import DeriveError


def own(folder: Path, **templates: str) -> Path:
    for name, text in templates.items():
        (folder / f"{name}.jinja".replace("_", ".", 1)).write_text(text, "utf-8")
    return folder


def test_a_block_is_overridden_and_the_rest_stays(tmp_path: Path) -> None:
    plain = reports.render("roofline.ridge", "md", on="h100-sxm")
    templates = own(
        tmp_path,
        derivation_md='{% extends "derive/derivation.md.jinja" %}\n'
        "{% block symbols %}\nSYMBOLS of {{ view.title | text }}\n{% endblock %}\n",
    )
    text = reports.render("roofline.ridge", "md", on="h100-sxm", templates=templates)
    assert "SYMBOLS of Ridge point" in text
    assert "## Symbols" in plain
    assert "## Symbols" not in text
    for line in plain.splitlines():
        assert line in text or line.startswith(("| $", "## Symbols", "| letter", "| ---"))


def test_a_whole_template_is_replaced(tmp_path: Path) -> None:
    templates = own(
        tmp_path, document_tex="<< document.title | text >>: << document.sections[0].summary | rich >>"
    )
    text = reports.render("roofline.ridge", "tex", on="h100-sxm", templates=templates)
    assert text.startswith(r"Ridge point: $R \approx 295.2\ \mathrm{FLOP/byte}$ at ")
    assert reports.render("roofline.ridge", "md", on="h100-sxm", templates=templates).startswith(
        "# Ridge point"
    )


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ document.nosuch }}", "has no attribute 'nosuch'"),
        ("{{ nosuch }}", "'nosuch' is undefined"),
        ("{% if %}", "document.md.jinja:1: "),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ document.__init__.__globals__ }}", "unsafe"),
        ("{{ document.sections.__class__() }}", "unsafe"),
        ("{% include 'nosuch.jinja' %}", "no template nosuch.jinja: ours are "),
        ("{% include '../secret.txt' %}", "no template ../secret.txt"),
        ("{{ range(10000000) }}", "Range too big"),
        ("{{ 1 // 0 }}", "ZeroDivisionError"),
        ("{{ [].append(1) }}", "unsafe"),
    ],
)
def test_a_template_that_fails_is_one_line(template: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    folder = tmp_path / "own"
    folder.mkdir()
    with pytest.raises(DeriveError) as refused:
        reports.render("roofline.ridge", "md", templates=own(folder, document_md=template))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("digits", "ridge"),
    [(1, "300"), (2, "300"), (3, "295"), (4, "295.2"), (6, "295.224"), (9, "295.223881")],
)
def test_significant_digits(digits: int, ridge: str) -> None:
    assert f"{float(f'{989 / 3.35:.{digits}g}'):.12g}" == ridge
    for format in ("md", "tex"):
        text = reports.render("roofline.ridge", format, on="h100-sxm", digits=digits)
        assert rf"R \approx {ridge}\ \mathrm{{FLOP/byte}}" in text
    assert r"R \approx 295.2\ " in reports.render("roofline.ridge", "md", on="h100-sxm")


@pytest.mark.parametrize("digits", [0, -1, 16])
def test_digits_that_are_none(digits: int) -> None:
    with pytest.raises(DeriveError, match="no number of significant digits: give 1 to 15"):
        reports.render("roofline.ridge", "md", digits=digits)
