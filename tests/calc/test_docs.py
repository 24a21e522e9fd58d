"""What docs/calc.md shows is what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.cli.calc import command

PAGE = Path(__file__).resolve().parents[2] / "docs" / "calc.md"
EXAMPLES = [
    (example.partition("\n")[0], example.partition("\n")[2])
    for block in re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for example in re.findall(r"^\$ derive calc (.*?)(?=\n\$|\n?\Z)", block, re.DOTALL | re.MULTILINE)
]


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) == 15


@pytest.mark.parametrize(("arguments", "shown"), EXAMPLES)
def test_an_example_prints_what_the_page_shows(arguments: str, shown: str) -> None:
    result = CliRunner().invoke(command, shlex.split(arguments))
    assert (result.stdout + result.stderr).strip() == shown.strip()
