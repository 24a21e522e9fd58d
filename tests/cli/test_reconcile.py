"""`derive reconcile`: the contract of its JSON, its text, and its refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Cli = Callable[..., Any]
STATE = ("reconcile", "memory.training_state", "--set", "N=7e9 parameter", "--claimed")


def test_json_of_an_id(cli: Cli) -> None:
    ran = cli(*STATE, "126 GB", "--json")
    assert ran.status == 0
    assert set(ran.json) == {"ours", "claimed", "ratio", "agrees", "explanations"}
    assert (ran.json["ours"], ran.json["claimed"], ran.json["ratio"]) == ("112 GB", "126 GB", 1.125)
    assert ran.json["agrees"] is False
    assert all(set(one) == {"cause", "says", "value"} for one in ran.json["explanations"])
    assert ran.json["explanations"][0]["cause"] == "fp32 gradients (gradients)"


def test_json_of_a_line(cli: Cli) -> None:
    found = cli("reconcile", "2*7/8 * 2 GB / (450 GB/s)", "--claimed", "7.24 ms", "--json").json
    assert found["ours"] == "7.77778 ms"
    assert found["explanations"][0]["says"] == (
        "GB/s of 450 GB/s are read as GiB/s: 2*7/8 * 2 GB / (1.024^3 × (450 GB/s)) gives 7.24362 ms"
    )


def test_what_agrees_says_so(cli: Cli) -> None:
    ran = cli(*STATE, "112 GB")
    assert "They agree within the digits claimed." in ran.out
    found = cli(*STATE, "112 GB", "--json").json
    assert found["agrees"] is True
    assert found["explanations"] == []


def test_what_nothing_explains_says_so(cli: Cli) -> None:
    ran = cli(*STATE, "77.7123 GB")
    assert ran.status == 0
    assert "No convention and no known slip" in ran.out
    assert cli(*STATE, "77.7123 GB", "--json").json["explanations"] == []


def test_the_text_ranks_causes(cli: Cli) -> None:
    lines = cli(*STATE, "126 GB").out.splitlines()
    assert lines[:3] == ["ours     112 GB", "claimed  126 GB", "ratio    1.125"]
    assert any(line.split()[:3] == ["1", "fp32", "gradients"] for line in lines)


def test_a_convention_changes_ours(cli: Cli) -> None:
    found = cli(*STATE, "126 GB", "--convention", "gradients=fp32", "--json").json
    assert (found["ours"], found["agrees"]) == ("126 GB", True)


def test_a_formula_of_ones_own(cli: Cli, mine: Any) -> None:
    found = cli("reconcile", str(mine), "--set", "T=4096", "d=128", "--claimed", "124.1 FLOP/byte", "--json")
    assert found.status == 0
    assert found.json["ours"] == "62.0606 FLOP/byte"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*STATE, "3 s"), "is in byte, and the claim"),
        ((*STATE, "lots"), "claimed value"),
        ((*STATE, "7B"), "bytes or billions"),
        (("reconcile", "memory.training_stat", "--claimed", "3 GB"), "memory.training_state"),
        (("reconcile", "2 GB", "--set", "T=4", "--claimed", "3 GB"), "takes no --set"),
        (("reconcile", "2 GB + 3 FLOP", "--claimed", "3 GB"), "cannot be added"),
        (("reconcile", "2 GB"), "--claimed"),
    ],
)
def test_bad_questions_are_one_line(cli: Cli, arguments: tuple[str, ...], words: str) -> None:
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1
