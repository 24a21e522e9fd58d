"""Plain calculations whose result alone bears a unit, and what may stand beside them."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _verdicts(text: str, form: str = "markdown") -> list[tuple[str, str, str]]:
    return [(claim.verdict, claim.claimed, claim.expected) for claim in check_text(text, form).claims]


@pytest.mark.parametrize(
    ("text", "verdict", "claimed", "expected"),
    [
        ("H100: 700 / 989 = 0.708 pJ per FLOP.", "true", "0.708 pJ per FLOP", "0.7078 pJ/FLOP"),
        ("H100: 700 / 989 = 1.41 pJ per FLOP.", "false", "1.41 pJ per FLOP", "0.7078 pJ/FLOP"),
        ("H100: 700 / 989 = 14.1 pJ per FLOP.", "unsure", "14.1 pJ per FLOP", "0.7078 pJ/FLOP"),
        ("70e9 * 4.25 / 8 = 37.19 GB.", "true", "37.19 GB", "37.188 GB"),
        ("70e9 * 4.25 / 8 = 297.5 GB.", "false", "297.5 GB", "37.188 GB"),
        ("7,200 / 60 = 7,200 s.", "unsure", "7,200 s", "120 s"),  # minutes, perhaps
        ("The MI300X: 215,000 / 1,536 = $140.", "true", "$140", "$140"),
        ("The MI300X: 215,000 / 1,536 = $180.", "false", "$180", "$140"),
        ("It is 215,000 / 1,536 = $1,120.", "unsure", "$1,120", "$139.97"),  # for eight of them, perhaps
        ("NVMe: 30,720 GB × $0.11 = $3,379.", "true", "$3,379", "$3379.2"),
        ("NVMe: 30,720 GB × $0.11 = $3,739.", "false", "$3,739", "$3379.2"),
        ("NVMe: 30.72 TB × $0.11 = $3,379.", "unsure", "$3,379", ""),
        (
            "3.79e25 / (30.84e6 × 3600) = 341e12 FLOP/s.",
            "true",
            "341e12 FLOP/s",
            "3.414e+14 FLOP/s",
        ),
        (
            "3.79e25 / (30.84e6 × 3600) = 205e12 FLOP/s.",
            "false",
            "205e12 FLOP/s",
            "3.414e+14 FLOP/s",
        ),
        (
            "3.79e25 / (30.84e6 × 3600) = 2.73e15 FLOP/s.",  # of eight of them, perhaps
            "unsure",
            "2.73e15 FLOP/s",
            "3.414e+14 FLOP/s",
        ),
    ],
)
def test_what_no_factor_left_out_explains(text: str, verdict: str, claimed: str, expected: str) -> None:
    assert _verdicts(text) == [(verdict, claimed, expected)]


def test_a_quotient_told_upside_down_is_called_so() -> None:
    (claim,) = check_text("H100: 700 / 989 = 1.41 pJ per FLOP.").claims
    assert claim.cause == "ratio: the quotient is told upside down"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$$34 + 5 \\cdot \\frac{40 \\cdot 2048}{5120} = 34 + 40$$", [("34 + 40", "114")]),
        ("$$34 + 5 \\cdot \\frac{40 \\cdot 2048}{5120} = 34 + 80$$", []),
        ("$$n = 2\\cdot 3072^2 + 2\\cdot 3072\\cdot 1024 = 22.0\\,\\mathrm{M}$$", [("22.0 M", "25.17 M")]),
        ("$$n = 2\\cdot 3072^2 + 2\\cdot 3072\\cdot 1024 = 25.2\\,\\mathrm{M}$$", []),
        ("The peak grew 989 / 312 = 3.17× and the rate by 3350 / 2039 = 2.14×.", [("2.14", "1.643")]),
        ("* `--accum 32`: 3 / 35 = 10.7 %", [("10.7 %", "8.571%")]),
        ("a ratio of 32 : 3 / 35 = 10.7 %", []),
        ("It beats the other by 1,560 to 1,140 tokens per second, so it is 27% faster.", [("27%", "36.8%")]),
        ("It beats the other by 1,560 to 1,140 tokens per second, so it is 37% faster.", []),
    ],
)
def test_what_stands_beside_a_calculation(text: str, found: list[tuple[str, str]]) -> None:
    assert [(claimed, right) for verdict, claimed, right in _verdicts(text) if verdict == "false"] == found


def test_letters_have_the_units_of_their_results() -> None:
    text = (
        "$$C = 6 \\times 20\\times10^{9} \\times 2.4\\times10^{12} = 2.88 \\times 10^{23}\\ \\text{FLOP}$$\n\n"
        "$$R = 512 \\times 989\\times10^{12} \\times 0.42 = 2.127 \\times 10^{17}\\ \\text{FLOP/s}$$\n\n"
        "$$P = 64 \\times 9.6\\,\\text{kW} \\times 1.15 = 706.6\\,\\text{kW}$$\n\n"
        "$$T = C/R = 1.354 \\times 10^{6}\\ \\text{s}$$\n\n$$E = P\\,T = 231\\,\\text{MWh}$$"
    )
    assert [one for one in _verdicts(text) if one[0] == "false"] == [("false", "231 MWh", "265.7 MWh")]
    assert not [one for one in _verdicts(text.replace("231", "266")) if one[0] == "false"]


def test_a_line_that_a_colon_leads_to_is_a_calculation_of_its_own() -> None:
    text = "175 B parameters, 300 B tokens, factor 6:\n    6 x 175e9 x 300e9 = 3.15e22 FLOP.\nThat is it.\n"
    assert ("false", "3.15e22 FLOP", "3.15e+23 FLOP") in _verdicts(text, "text")
    several = "In total:\n    (a) 8 x 192 GB = 1,536 GB\n    (b) 8 x 141 GB = 1,218 GB\n"
    assert ("false", "1,218 GB", "1128 GB") in _verdicts(several, "text")


def test_per_step_is_no_line_of_a_log() -> None:
    text = "It sends:\n\n    2 × 47 / 48 × 8.825 GB = 8.64 GB per GPU and step\n"
    assert ("false", "8.64 GB per GPU", "17.28 GB/GPU") in _verdicts(text)
    assert not _verdicts("It prints:\n\n    step 47: 2 × 8.825 GB = 8.64 GB\n")


def test_headings_of_plain_text_begin_sections() -> None:
    text = (
        "--- Q2. The ridge of an H100? ---\nPeak over bandwidth: 989 / 3.35 = 295 FLOP/byte.\n\n"
        "CHEAT SHEET (from above)\n\n  what                number\n  ------------------  -------------\n"
        "  H100 ridge, bf16    259 FLOP/byte\n  H100 memory         80 GB\n"
    )
    assert ("false", "259 FLOP/byte", "295 FLOP/byte") in _verdicts(text, "text")
