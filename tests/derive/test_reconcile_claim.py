"""Reading somebody's number: its digits, its unit, and how far it reaches."""

from __future__ import annotations

from fractions import Fraction

import pytest

from derive.errors import DeriveError
from derive.reconcile.claim import read_claim

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("6.82 GiB", Fraction("6.82") * 2**30, Fraction("0.005") * 2**30),
        ("12 %", Fraction(12, 100), Fraction(1, 200)),
        ("12%", Fraction(12, 100), Fraction(1, 200)),
        (".17 %", Fraction(17, 10000), Fraction(1, 20000)),
        ("45.5% MFU", Fraction("0.455"), Fraction("0.0005")),
        ("0.212 HFU", Fraction("0.212"), Fraction("0.0005")),
        ("35 GB", Fraction(35 * 10**9), HALF * 10**9),
        ("1,024 byte", Fraction(1024), HALF),
        ("1.6e10 token", Fraction(16 * 10**9), HALF * 10**9),
        ("900 GB/s [both-ways]", Fraction(900 * 10**9), HALF * 10 * 10**9),
        ("7B params", Fraction(7 * 10**9), HALF * 10**9),
        ("2000 token", Fraction(2000), HALF * 100),  # two digits at least
        ("8030261248 parameter", Fraction(8030261248), HALF),
        ("5033164800 parameter", Fraction(5033164800), HALF * 100),
        ("-3 dimensionless", Fraction(-3), HALF),
        ("0 byte", Fraction(0), HALF),
    ],
)
def test_value_and_reach(text: str, value: Fraction, half: Fraction) -> None:
    claim = read_claim(text)
    assert (claim.value, claim.half) == (value, half)


@pytest.mark.parametrize("word", ["~", "≈", "about ", "roughly ", "approximately ", "ca. "])
def test_about_is_one_digit_less_and_three_percent_at_least(word: str) -> None:
    assert read_claim(f"{word}55 ms").half == Fraction(5, 1000)
    assert read_claim(f"{word}55.00 ms").half == Fraction("1.65") / 1000


def test_what_rounds_to_the_claim_fits() -> None:
    claim = read_claim("6.8 GB")
    assert claim.fits(6.75e9)
    assert claim.fits(6.849e9)
    assert not claim.fits(6.86e9)
    assert not claim.fits(6.74e9)


def test_values_are_shown_in_the_claims_unit() -> None:
    assert read_claim("6.8 GB").shown(6.123456789e9) == "6.12346 GB"
    assert read_claim("1 parameter").shown(8030261248.0) == "8030261248 parameter"
    assert read_claim("5 %").shown(0.25) == "25 %"


@pytest.mark.parametrize("text", ["", "GB", "1 KB", "4 quux", "1e999 byte", "7B", "3 GB [blue]", "x" * 500])
def test_what_is_no_quantity_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(DeriveError, match="claimed value") as refused:
        read_claim(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
