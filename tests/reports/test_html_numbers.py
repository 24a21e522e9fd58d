"""The numbers of the pages held to Python's, over random inputs, in headless Chromium."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import units
from derive import catalogue
from derive.bottleneck import bottleneck
from derive.errors import DeriveError
from derive.evaluation import Evaluation, Question, entries
from derive.filling import Context
from derive.steps import Approx
from reports.html_live import Live, live_view
from reports.point import Asking, Point
from reports.quantities import amount
from reports.setting import Setting
from tests.reports.browser import Browser

SETTING = Setting(on="h100-sxm")
ROUNDS = 6
COMPUTE = """
const [id, rounds] = arguments;
return rounds.map((texts) => {
  const found = derive.compute(derive.formulas[id], texts);
  const regime = found.regime;
  return {
    errors: found.errors, refused: found.refused ?? "", shown: found.shown,
    value: found.value?.map(String), regime: regime && [regime.name, regime.factor.map(String)],
    nearby: found.nearby?.map((one) => one && one.error && [one.error.map(String), one.bound?.map(String)]),
  };
});
"""


def live(id: str) -> tuple[Point, Live]:
    point = Asking(SETTING).point(catalogue.get(id), alone=False)
    found = live_view(point, SETTING)
    assert found is not None
    return point, found


def shipped() -> list[str]:
    """The ids of the site's chapters; other tests load files of their own."""
    return [id for name in catalogue.chapters() for id in catalogue.chapter(name)]


def formulas() -> dict[str, tuple[Point, Live]]:
    asking = Asking(SETTING)
    found = {}
    for id in shipped():
        point = asking.point(catalogue.get(id), alone=False)
        view = live_view(point, SETTING)
        if view is not None:
            found[id] = (point, view)
    return found


def random_texts(view: Live, chance: random.Random) -> dict[str, str]:
    """A text for each field: whole numbers for counts, up to nine digits for others, shares within theirs."""
    texts = {}
    for one in view.inputs:
        first, least = Decimal(one.text), one.filled.letter.at_least
        value = first * Decimal(str(round(10 ** chance.uniform(-0.7, 0.7), 9)))
        if (most := one.filled.letter.at_most) is not None:
            value = min(value, Decimal(most))
        texts[one.name] = str(max(int(value), least, 1)) if least else f"{value:.9g}"
    return texts


def python(point: Point, view: Live, texts: dict[str, str]) -> Evaluation:
    """The same question put to Python."""
    at = point.evaluation
    assert at is not None
    given = {
        name: f"{texts[one.name]} {'' if one.unit == 'dimensionless' else one.unit}".strip()
        for one in view.inputs
        if not one.ridge
        for name in one.names
    }
    asked = Context(given, *entries(at.hardware, at.model, None), dict(at.conventions))
    return Question(point.form, asked).answer()


def number(pair: list[str]) -> Fraction:
    return Fraction(int(pair[0]), int(pair[1]))


def agrees(page: Fraction, exact: Fraction) -> bool:
    """To 12 digits."""
    return abs(page - exact) <= abs(exact) / 10**12


def test_nearly_every_formula_is_live() -> None:
    ids = set(shipped())
    assert len(ids) - len(formulas()) <= len(ids) // 10


def test_the_page_computes_what_python_computes(site: Any, chromium: Browser) -> None:
    chance, compared, refused, inexact = random.Random(6), 0, 0, set()
    by_page: dict[str, list[str]] = {}
    known = formulas()
    for id in known:
        by_page.setdefault(id.partition(".")[0], []).append(id)
    for page, ids in by_page.items():
        chromium.open(site / f"{page}.html")
        assert sorted(chromium.run("return Object.keys(derive.formulas)")) == sorted(ids)
        for id in ids:
            point, view = known[id]
            rounds = [{}, *(random_texts(view, chance) for _ in range(ROUNDS))]
            for texts, found in zip(rounds, chromium.run(COMPUTE, id, rounds), strict=True):
                whole = {one.name: one.text for one in view.inputs} | texts
                assert found["errors"] == {}, (id, texts)
                try:
                    exact = python(point, view, whole)
                except DeriveError:
                    assert found["refused"], (id, texts)
                    refused += 1
                    continue
                if exact.value is None:
                    assert "no value here" in found["refused"], (id, texts)
                    refused += 1
                    continue
                compared += 1
                assert agrees(number(found["value"]), exact.exact()), (id, texts)
                if number(found["value"]) != exact.exact():
                    inexact.add(page)
                shown = amount(exact.exact(), exact.unit)
                assert found["shown"] == f"{'=' if shown.exact else '≈'} {shown.text}", (id, texts)
                check_beside(point, view, whole, exact, found)
    assert compared > 500
    assert inexact == {
        "formats",
        "training",
    }  # all else is exact: only there exponents are broken, or roots taken
    assert refused < compared / 10


def check_beside(
    point: Point, view: Live, texts: dict[str, str], exact: Evaluation, found: dict[str, Any]
) -> None:
    """The regime and the errors of approximations, against the engine's and against exact fractions."""
    ridge = {one.name: one for one in view.inputs if one.ridge}
    if ridge:
        peak, bandwidth = (
            Fraction(texts[name]) * units.factor(one.unit)[0] for name, one in sorted(ridge.items())
        )
        due = peak / bandwidth
        name = "compute-bound" if exact.exact() > due else "memory-bound"
        factor = max(exact.exact() / due, due / exact.exact())
        assert found["regime"][0] == name
        assert agrees(number(found["regime"][1]), factor)
    elif found["regime"] is not None:
        limit = bottleneck(exact)
        assert limit is not None
        assert found["regime"][0] == limit.name
        assert agrees(number(found["regime"][1]), limit.factor)
    facts = [fact for fact in (*point.form.steps, *point.form.facts) if isinstance(fact, Approx)]
    if len(facts) == len(found["nearby"]) == 1 and found["nearby"][0] is not None:
        values = {filled.letter: filled for filled in exact.inputs}
        at = Point(point.form, exact, values)
        before = point.form.result if facts[0] in point.form.facts else point.form.chain[-2]
        true, about, bound = (at.number(side) for side in (before, facts[0].right, facts[0].error_at_most))
        assert true is not None
        assert about is not None
        error = number(found["nearby"][0][0])
        assert agrees(error, abs(about - true) / true)
        assert error <= number(found["nearby"][0][1]) == bound


def test_numbers_are_rounded_as_in_python(site: Any, chromium: Browser) -> None:
    chance = random.Random(7)
    cases = []
    for _ in range(1500):
        unit = chance.choice(
            ["byte", "s", "FLOP/s", "FLOP/byte", "dimensionless", "parameter", "byte/token", "1/s"]
        )
        value = Fraction(chance.randrange(1, 10**7), 10 ** chance.randrange(12)) * 10 ** chance.randrange(20)
        if chance.random() < 0.3:
            value = Fraction(chance.randrange(10**4, 10**5) * 10 + 5, 10 ** chance.randrange(8))  # ties
        if chance.random() < 0.2:
            value /= chance.randrange(1, 1000)
        cases.append((value, unit, chance.choice([2, 3, 4])))
    found = chromium_amounts(site, chromium, cases)
    for (value, unit, digits), (text, exact) in zip(cases, found, strict=True):
        due = amount(value, unit, digits)
        assert (text, exact) == (due.text, due.exact), (value, unit, digits)


def chromium_amounts(site: Any, chromium: Browser, cases: list[tuple[Fraction, str, int]]) -> list[list[Any]]:
    chromium.open(site / "cpu.html")
    script = """return arguments[0].map(([n, d, unit, digits]) => {
        const { text, exact } = q.amount([BigInt(n), BigInt(d)], unit, digits); return [text, exact]; });"""
    plain = [[str(value.numerator), str(value.denominator), unit, digits] for value, unit, digits in cases]
    return list(chromium.run(script, plain))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "T is a plain number: type one, such as 4096"),
        ("many", "T is a plain number, and this is not: type digits, such as 4096 or 1.5e3"),
        ("1,5", "T is a plain number, and this is not: type digits, such as 4096 or 1.5e3"),
        ("1e9999", "T is a plain number, and this is not: type digits, such as 4096 or 1.5e3"),
        ("NaN", "T is a plain number, and this is not: type digits, such as 4096 or 1.5e3"),
        ("Infinity", "T is a plain number, and this is not: type digits, such as 4096 or 1.5e3"),
        ("alert(1)", "T is a plain number, and this is not: type digits, such as 4096 or 1.5e3"),
        ("0", "T must be at least 1"),
        ("-3", "T cannot be negative"),
        ("0.5", "T must be at least 1"),
        ("16,384", ""),
        ("1.6384e4", ""),
    ],
)
def test_what_is_typed_is_a_number_or_a_message(site: Any, chromium: Browser, text: str, says: str) -> None:
    chromium.open(site / "attention.html")
    told = chromium.run(
        """const panel = "attention.naive_intensity.live";
        const at = (part) => document.getElementById(`${panel}.${part}`);
        at("T").value = arguments[0];
        at("T").dispatchEvent(new Event("input"));
        return [at("T.error").textContent, at("T").getAttribute("aria-invalid"), at("value").textContent,
                document.body.innerText.includes("NaN")];""",
        text,
    )
    waits = "waits for the field marked above"
    assert told == [says, str(bool(says)).lower(), waits if says else "≈ 63.50 FLOP/byte", False]
