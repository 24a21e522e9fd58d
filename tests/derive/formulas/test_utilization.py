"""MFU and HFU: computed here in fractions; what cannot be is refused with the likely causes."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive import AtLeast, DeriveError, evaluate, get
from derive.catalogue import chapter

RUN = {"N": "70e9 parameter", "L": 80, "d": 8192, "T": 8192, "rate": "1000 token/s", "n": 1}
SCORES = 80 * 8192 * 8192
SCALE = Fraction(1000, 989 * 10**12)


def test_every_link_is_proved() -> None:
    links = [link for derivation in chapter("utilization").values() for link in derivation.verify()]
    assert len(links) > 15
    assert [link for link in links if not link.verdict.proved] == []


def test_the_figure_is_met(shared: Path) -> None:
    figures = tomllib.loads((shared / "figures.toml").read_text("utf-8"))["figure"]
    own = [figure for figure in figures if figure["id"].startswith("utilization.")]
    assert len(own) == 1
    found = evaluate(own[0]["id"], own[0]["given"], on=own[0]["on"])
    assert found.magnitude("percent") == pytest.approx(own[0]["value"], rel=1e-12)


def test_the_values_are_exact() -> None:
    assert evaluate("utilization.mfu", RUN, on="h100-sxm").exact() == (6 * 70 * 10**9 + 6 * SCORES) * SCALE
    assert evaluate("utilization.hfu", RUN, on="h100-sxm").exact() == (8 * 70 * 10**9 + 8 * SCORES) * SCALE
    quarter = evaluate("utilization.hfu", {**RUN, "r": "0.25"}, on="h100-sxm").exact()
    assert quarter == Fraction(13, 2) * (70 * 10**9 + SCORES) * SCALE
    full = evaluate("utilization.mfu", RUN, on="h100-sxm", conventions={"mask": "full"})
    assert full.exact() == (6 * 70 * 10**9 + 12 * SCORES) * SCALE


def test_a_model_fills_n_l_and_d() -> None:
    found = evaluate(
        "utilization.mfu", {"T": 8192, "rate": "80000 token/s", "n": 8}, on="h100-sxm", model="llama-3-8b"
    )
    needed = 6 * 7504658432 + 6 * 32 * 8192 * 4096
    assert found.exact() == needed * Fraction(80000, 8 * 989 * 10**12)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 10**12), st.integers(1, 200), st.integers(1, 10**5), st.fractions(0, 3, max_denominator=8)
)
def test_hfu_is_never_below_mfu(parameters: int, layers: int, length: int, share: Fraction) -> None:
    run = {"N": f"{parameters} parameter", "L": layers, "d": 128, "T": length, "rate": "1e-3 token/s", "n": 1}
    mfu = evaluate("utilization.mfu", run, on="h100-sxm").exact()
    hfu = evaluate("utilization.hfu", {**run, "r": share}, on="h100-sxm").exact()
    assert hfu - mfu == share / 3 * mfu


def test_that_hfu_is_never_below_mfu_is_proved() -> None:
    derivation = get("utilization.hfu")
    fact = next(fact for fact in derivation.facts if isinstance(fact, AtLeast))
    assert fact.derivation is get("utilization.mfu")
    assert derivation.prove_fact(fact).proved


@pytest.mark.parametrize("id", ["utilization.mfu", "utilization.hfu"])
def test_more_than_the_peak_is_refused_with_the_likely_causes(id: str) -> None:
    with pytest.raises(DeriveError) as caught:
        evaluate(id, {**RUN, "rate": "2188 token/s"}, on="h100-sxm")
    for cause in (
        "above 1",
        "synchronize",
        "mixture of experts",
        "tied embedding counted twice",
        "peak of another",
    ):
        assert cause in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_peak_itself_is_not_refused() -> None:
    peak = {"N": "100 parameter", "L": 1, "d": 1, "T": 1, "rate": "2 token/s", "n": 1, "P": "1212 FLOP/s"}
    assert evaluate("utilization.mfu", peak).exact() == 1
    with pytest.raises(DeriveError, match="above 1"):
        evaluate("utilization.mfu", {**peak, "P": "1211 FLOP/s"})


def test_layers_are_never_assumed() -> None:
    with pytest.raises(DeriveError, match="needs L"):
        evaluate("utilization.mfu", {key: value for key, value in RUN.items() if key != "L"}, on="h100-sxm")
