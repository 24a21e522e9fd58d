"""Several values behind one option, and the names that completion offers."""

from __future__ import annotations

import pytest

from derive.catalogue import all_ids
from derive.cli.completion import conventions, ids, machines, models
from derive.cli.options import _spread

SEVERAL = {"--on", "--set", "--over"}
VALUED = {*SEVERAL, "--to"}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("x --set a=1 b=2", "x --set a=1 --set b=2"),
        ("--set a=1 x", "--set a=1 x"),
        ("x --on h1 h2 --to s", "x --on h1 --on h2 --to s"),
        ("--on h1 x", "--on h1 x"),
        ("--on h1 x h2", "--on h1 x h2"),
        ("x --to s h2", "x --to s h2"),
        ("x --set a=1 --json b=2", "x --set a=1 --json b=2"),
        ("x --set a=1 b=-2 --on h1 h2 h3", "x --set a=1 --set b=-2 --on h1 --on h2 --on h3"),
        ("x --over T=1:2 B=3:4 y", "x --over T=1:2 --over B=3:4 y"),
        ("x --on h1 -- h2", "x --on h1 -- h2"),
        ("x --set", "x --set"),
    ],
)
def test_further_values_get_the_option_before_them(given: str, read: str) -> None:
    assert _spread(given.split(), SEVERAL, VALUED, positions=1) == read.split()


def test_of_any_number_of_arguments_none_becomes_a_machine() -> None:
    assert _spread(["a", "--on", "h1", "b"], SEVERAL, VALUED, positions=0) == ["a", "--on", "h1", "b"]


def test_completion_offers_what_exists() -> None:
    assert set(ids()) <= set(all_ids())
    assert "attention.naive_intensity" in ids()
    assert "h100-sxm" in machines()
    assert "llama-3-8b" in models()
    assert "precision=fp8" in conventions()
