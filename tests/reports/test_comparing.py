"""Two choices of a convention side by side: formula, value and difference."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import reports
from derive.errors import DeriveError
from reports import Compare


def compared(id: str, text: str, format: str = "md", **options: object) -> str:
    return reports.render(id, format, compare=Compare.read(text), **options)


def rows(text: str) -> dict[str, list[str]]:
    lines = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line] for line in lines if len(line) == 4]
    return {row[0]: row[1:] for row in reversed(cells)}


def test_two_forms_with_their_difference() -> None:
    text = compared("attention.flops", "mask=full,causal", given={"T": 1000, "d": 64})
    found = rows(text)
    assert found[""] == ["mask = full", "mask = causal", "difference"]
    assert found["$F$"] == ["$4 T^{2} d$", "$2 T^{2} d$", "$- 2 T^{2} d$"]
    assert found["value"] == [
        r"$256\ \mathrm{MFLOP}$",
        r"$128\ \mathrm{MFLOP}$",
        r"$-128\ \mathrm{MFLOP}$",
    ]
    assert found["causal over full"] == ["", "", f"${128 / 256}$"]
    assert "a query attends to itself and earlier keys" in text
    assert text.count("\n## Operations of") == 2
    assert '<a id="attention.flops"></a>' in text
    assert '<a id="attention.causal_flops"></a>' in text


def test_one_form_filled_twice() -> None:
    text = compared(
        "decode.step_time",
        "precision=fp32,bf16",
        given={"T": 8192, "B": 1},
        model="llama-3-8b",
        on="h100-sxm",
    )
    cache, weights = 32 * 2 * 8 * 128 * 8192, 8_030_261_248
    seconds = [Fraction(size * (cache + weights), 3350 * 10**9) for size in (4, 2)]
    found = rows(text)
    shown = [rf"$\approx {float(value * 1000):#.4g}\ \mathrm{{ms}}$" for value in seconds]
    assert found["value"][:2] == shown
    assert found["bf16 over fp32"][2] == "$0.5$"
    assert found[r"$\mathit{KV}$"][:2] == [
        r"$2.147483648\ \mathrm{GB}$",
        r"$1.073741824\ \mathrm{GB}$",
    ]
    assert "The derivation is the same under both; below it stands for fp32." in text


def test_formulas_that_are_too_wide_stand_above_the_table() -> None:
    text = compared("parameters.gpt2", "tied=tied,untied", model="gpt2-xl")
    assert r"$$\text{difference} = V h$$" in text
    assert rows(text)["value"][2] == rf"${50257 * 1600:,}\ \mathrm{{parameter}}$".replace(",", "{,}")
    assert r"&= V h" in compared("parameters.gpt2", "tied=tied,untied", "tex", model="gpt2-xl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mask", "give it as mask=full,causal"),
        ("mask=full", "give it as mask=full,causal"),
        ("mask=full,full", "give it as mask=full,causal"),
        ("mask=full,causal,none", "give it as mask=full,causal"),
        ("msk=full,causal", "unknown convention 'msk', did you mean 'mask'?"),
        ("mask=full,causl", "convention mask has no choice 'causl'"),
    ],
)
def test_what_names_no_two_choices_is_refused(text: str, message: str) -> None:
    with pytest.raises(DeriveError) as refused:
        Compare.read(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_comparison_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    mask = Compare.read("mask=full,causal")
    with pytest.raises(DeriveError, match=r"does not bear on roofline\.ridge"):
        reports.render("roofline.ridge", "md", compare=mask, on="h100-sxm")
    with pytest.raises(DeriveError, match="single formulas: give ids of attention"):
        reports.write(["attention"], ["md"], tmp_path, compare=mask)
    with pytest.raises(DeriveError, match="both chosen and compared"):
        reports.render("attention.flops", "md", compare=mask, conventions={"mask": "full"})
    with pytest.raises(DeriveError, match="no letter 'Z'"):
        reports.render("attention.flops", "md", compare=mask, given={"Z": 1})
    assert not list(tmp_path.iterdir())
