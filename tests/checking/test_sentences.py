"""Sentences with known truth, in documents of every format: what is found, on which line, with which cause."""

from __future__ import annotations

import html
import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from derive.checking import Report, check_text

HERE = Path(__file__).parent
CLAIMS: list[dict[str, Any]] = tomllib.loads((HERE / "claims.toml").read_text("utf-8"))["claim"]


FORMATS = ("markdown", "latex", "html", "notebook", "rst", "text")


def rendered(sentences: Sequence[str], form: str) -> tuple[str, list[int]]:
    """The document, and the line of each sentence, from 1."""
    if form == "notebook":
        return _notebook(sentences)
    shown = [_TEXTS[form](sentence) for sentence in sentences]
    head, foot, between = _FRAMES[form]
    text = head + between.join(shown) + foot
    lines, at = [], head.count("\n") + 1
    for one in shown:
        lines.append(at)
        at += one.count("\n") + between.count("\n")
    return text, lines


def _notebook(sentences: Sequence[str]) -> tuple[str, list[int]]:
    code = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": [],
        "source": ["2 * 3 == 7\n"],
    }
    cells = [code]
    for sentence in sentences:
        cells.append({"cell_type": "markdown", "metadata": {}, "source": ["A note.\n", "\n", sentence]})
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    physical = text.split("\n")
    lines, begin = [], 0
    for sentence in sentences:
        begin = next(n for n in range(begin, len(physical)) if physical[n].strip() == json.dumps(sentence))
        lines.append(begin + 1)
        begin += 1
    return text, lines


def _latex(sentence: str) -> str:
    text = sentence.replace("%", "\\%").replace("$", "\\$").replace("–", "--")
    text = re.sub(r"(\d+)\^(\d+)", r"$\1^{\2}$", text)
    for sign, name in (("×", "times"), ("≈", "approx"), ("→", "to")):
        text = text.replace(sign, f"$\\{name}$")
    return text


def _html(sentence: str) -> str:
    text = html.escape(sentence).replace("×", "&times;").replace("≈", "&asymp;")
    return "<p>" + re.sub(r"(?<=\d)\^(\d+)", r"<sup>\1</sup>", text) + "</p>"


_TEXTS = {
    "markdown": lambda sentence: sentence,
    "latex": _latex,
    "html": _html,
    "rst": lambda sentence: sentence,
    "text": lambda sentence: sentence,
}
_FRAMES = {
    "markdown": ("---\ntitle: 2 * 2 = 5\n---\n\n# Numbers\n\n", "\n\n```\n2 * 3 = 7\n```\n", "\n\n"),
    "latex": (
        "\\documentclass{article}\n\\begin{document}\n% 2 * 2 = 5\n\\section{Numbers}\n\n",
        "\n\n\\begin{verbatim}\n2 * 3 = 7\n\\end{verbatim}\n\\end{document}\n",
        "\n\n",
    ),
    "html": (
        "<html><head><title>Numbers</title><script>2*2 = 5</script></head>\n<body>\n",
        "\n<pre>2 * 3 = 7</pre></body></html>\n",
        "\n",
    ),
    "rst": ("Numbers\n=======\n\n", "\n\n.. code-block:: python\n\n   2 * 3 = 7\n", "\n\n"),
    "text": ("Numbers\n\n", "\n", "\n\n"),
}


@cache
def _checked(form: str) -> tuple[Report, list[int]]:
    text, lines = rendered([claim["text"] for claim in CLAIMS], form)
    return check_text(text, form), lines


def _found(form: str, number: int) -> list[Any]:
    report, lines = _checked(form)
    return [claim for claim in report.claims if claim.line == lines[number]]


@pytest.mark.parametrize("form", FORMATS)
def test_a_true_number_is_called_true(form: str) -> None:
    wrong = {
        claim["text"]: [found.verdict for found in _found(form, number)]
        for number, claim in enumerate(CLAIMS)
        if claim.get("truth") is True
        and {found.verdict for found in _found(form, number)} not in ({"true"}, {"true", "unsure"})
    }
    assert wrong == {}


@pytest.mark.parametrize("form", FORMATS)
def test_a_false_number_is_called_false_with_its_cause(form: str) -> None:
    wrong = {}
    for number, claim in enumerate(CLAIMS):
        if claim.get("truth") is False:
            causes = [found.cause for found in _found(form, number) if found.verdict == "false"]
            if not causes or claim.get("cause", "").lower() not in causes[0].lower():
                wrong[claim["text"]] = causes
    assert wrong == {}


@pytest.mark.parametrize("form", FORMATS)
def test_a_trap_is_not_called_false(form: str) -> None:
    wrong = [
        (claim["text"], found.text)
        for number, claim in enumerate(CLAIMS)
        if claim.get("trap")
        for found in _found(form, number)
        if found.verdict == "false"
    ]
    assert wrong == []


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_else_is_called_false(form: str) -> None:
    """Front matter, comments, scripts and code hold wrong arithmetic that is no claim."""
    report, lines = _checked(form)
    assert [
        claim.text for claim in report.claims if claim.verdict == "false" and claim.line not in lines
    ] == []


def test_the_sentences_are_many_enough() -> None:
    assert len(CLAIMS) * len(FORMATS) >= 300
    assert sum(bool(claim.get("trap")) for claim in CLAIMS) >= 20


def test_a_notebook_tells_the_cell() -> None:
    number = next(n for n, claim in enumerate(CLAIMS) if claim.get("truth") is False)
    cells = {claim.cell for claim in _found("notebook", number)}
    assert cells == {number + 1}
