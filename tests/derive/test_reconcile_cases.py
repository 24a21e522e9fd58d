"""Disagreements that people had in public: the right value is computed and the wrong one explained."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import units
from derive.calc import calculate, parse
from derive.catalogue import all_ids
from derive.evaluation import evaluate
from derive.reconcile import Reconciliation, read_claim, reconcile, reconcile_line

TABLE = tomllib.loads((Path(__file__).parents[1] / "data" / "disagreements.toml").read_text(encoding="utf-8"))
EXPLAINED = [name for name, case in TABLE.items() if "cause" in case]
IDS = set(all_ids())


def held(case: dict[str, Any], claimed: str) -> Reconciliation:
    if case["what"] in IDS:
        return reconcile(case["what"], claimed, case.get("set"), case.get("on"), case.get("model"))
    return reconcile_line(case["what"], claimed)


def computed(case: dict[str, Any]) -> Fraction:
    """The right quantity in base units, by the evaluator or by calc."""
    if case["what"] in IDS:
        found = evaluate(case["what"], given=case.get("set"), on=case.get("on"), model=case.get("model"))
        return found.exact() * units.factor(found.unit)[0]
    answer = calculate(case["what"], to=read_claim(case["right"]).unit)
    return Fraction(answer.value) * units.factor(answer.unit)[0]


@pytest.mark.parametrize("name", TABLE)
def test_the_right_value_is_computed_within_the_digits_given(name: str) -> None:
    case = TABLE[name]
    right = read_claim(case["right"])
    assert right.fits(float(computed(case)))
    assert held(case, case["right"]).agrees


@pytest.mark.parametrize("name", EXPLAINED)
def test_the_wrong_value_is_explained_among_the_first_three(name: str) -> None:
    case = TABLE[name]
    found = held(case, case["wrong"])
    assert not found.agrees
    first = [f"{one.cause}: {one.says}" for one in found.explanations[:3]]
    assert any(case["cause"] in text for text in first), first


def test_at_least_four_fifths_are_explained_and_the_rest_say_why_not() -> None:
    assert 5 * len(EXPLAINED) >= 4 * len(TABLE)
    for name, case in TABLE.items():
        assert ("cause" in case) != ("unexplained" in case), name
        assert case.get("unexplained", "given").strip()


def test_the_table_holds_every_case_that_can_be_checked(shared: Path) -> None:
    cases = {
        case["id"]: case for case in json.loads((shared / "cases.json").read_text()) if case["checkable"]
    }
    assert set(TABLE) == set(cases)
    for name, case in cases.items():
        for side in ("right", "wrong"):
            ours = units.split(read_claim(TABLE[name][side]).text.replace(" MFU", ""))[0]
            theirs = case[f"{side}_value"]["value"]
            # theirs is in a unit of its own: the digits must be the same, and a power of ten may lie between
            scale = float(ours) / theirs if theirs else 1.0
            assert any(abs(scale / 10**power - 1) < 1e-3 for power in (-12, -9, -6, -3, 0, 9)), (name, side)


@pytest.mark.parametrize("name", [name for name, case in TABLE.items() if case["what"] not in IDS])
def test_the_line_that_is_told_gives_the_number_that_is_told(name: str) -> None:
    """Each explanation ends in a line with what was changed written in; calc reads it, and it comes to the value."""
    for one in held(TABLE[name], TABLE[name]["wrong"]).explanations:
        line = one.says.partition(": ")[2].partition(" gives ")[0]
        if line.startswith(("⌊", "⌈")):
            continue  # rounded in the claim's unit, which calc does not do
        told = read_claim(one.value)
        assert float(parse(line).typed.value or 0) == pytest.approx(float(told.value), rel=1e-5), line
