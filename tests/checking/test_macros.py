"""Macros of LaTeX sources are put in where they are used; every line stays where it is."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from derive.checking.macros import expanded

DOCUMENT = "\\documentclass{{article}}\n{}\n\\begin{{document}}\n\n{}\n\\end{{document}}\n"


@pytest.mark.parametrize(
    ("definition", "text", "wrong"),
    [
        (r"\newcommand{\TF}{\,\text{TFLOP/s}}", r"The T4 offers $130\TF$ in FP16.", "130 TFLOP/s"),
        (r"\newcommand\TFs{TFLOP/s\xspace}", r"The T4 offers 130\,\TFs in FP16.", "130 TFLOP/s"),
        (r"\newcommand{\TFs}{\,TFLOP/s}", r"The T4 offers 130\TFs{} in FP16.", "130 TFLOP/s"),
        (r"\newcommand{\rate}[2]{#1\,#2/s}", r"The H200 reads its memory at \rate{3.35}{TB}.", "3.35 TB/s"),
        (r"\def\GBs#1{#1\,\mathrm{GB/s}}", r"The L4 has a memory bandwidth of $\GBs{600}$.", "600 GB/s"),
        (r"\DeclareSIUnit{\ops}{FLOP}", r"The T4 offers \SI{130}{\tera\ops\per\second} in FP16.", "130 TFLOP/s"),
        (r"\newcommand{\four}{NVIDIA L4}\newcommand{\card}{\four}", r"The \card\ reads its memory at 600 GB/s.",
         "600 GB/s"),
        (r"\providecommand*{\bw}{3.35}", r"The A100 80\,GB has a memory bandwidth of \bw\ TB/s.", "3.35 TB/s"),
        (r"\newcommand{\again}{\again\again}", r"\again The L4 has a memory bandwidth of 600 GB/s.", "600 GB/s"),
    ],
)  # fmt: skip
def test_macros_are_read_as_what_they_stand_for(definition: str, text: str, wrong: str) -> None:
    found = [
        one for one in check_text(DOCUMENT.format(definition, text), "latex").claims if one.verdict == "false"
    ]
    assert [(one.text, one.line) for one in found] == [(wrong, 5)]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("\\newcommand{\\a}{1}\nx \\a y\n", "\nx 1 y\n"),
        ("\\newcommand{\\a}[1]{(#1)}\nx \\a{2\n3} y\nz", "\nx (2\n3) y\nz"),
        ("\\newcommand{\\a}{1\n2}\nx \\a\n", "\n\nx \\a\n"),  # of two lines: left out
        (
            "\\newcommand{\\a}[1][9]{#1}\n\\a\n",
            "\\newcommand{\\a}[1][9]{#1}\n\\a\n",
        ),  # with a default: left as it is
        ("\\newcommand{\\a}{b}\n\\ab \\a\n", "\n\\ab b\n"),
        ("no macros here", "no macros here"),
    ],
)
def test_lines_stay_where_they_are(source: str, shown: str) -> None:
    assert expanded(source) == shown


def test_macros_that_double_each_other_end() -> None:
    chain = "".join(
        f"\\newcommand{{\\m{letter}}}{{{{\\m{after}}}{{\\m{after}}}}}"
        for letter, after in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert len(expanded(chain + "\\ma" * 1000)) < 150_000
