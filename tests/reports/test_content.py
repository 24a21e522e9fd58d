"""What a report says: every number from an evaluation, every verdict as it is."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

import reports
from derive import catalogue
from derive.errors import DeriveError

GIVEN = {"T": 4096, "d": 128}
INTENSITY = Fraction(4096 * 128, 2 * (4096 + 128))
RIDGE = Fraction(989 * 10**12, 3350 * 10**9)


def naive(format: str = "md", **options: object) -> str:
    return reports.render(
        "attention.naive_intensity", format, **{"on": "h100-sxm", "given": GIVEN, **options}
    )


@pytest.mark.parametrize("format", ["md", "tex"])
def test_naive_attention_on_an_h100(format: str) -> None:
    text = " ".join(naive(format).replace("~", " ").replace(r"\%", "%").replace(r"$\approx$", "≈").split())
    assert f"{float(INTENSITY):.4g}" == "62.06"
    assert f"{float(RIDGE):.4g}" == "295.2"
    assert f"{float(RIDGE / INTENSITY):.3g}" == "4.76"
    assert f"{float((64 - INTENSITY) / INTENSITY):.2g}" == f"{128 / 4096:.2g}" == "0.031"
    numbers = r"\frac{4096 \cdot 128}{2 \cdot \left(4096 + 128\right)}\ \mathrm{FLOP/byte}"
    assert numbers in text
    assert r"\approx 62.06\ \mathrm{FLOP/byte}" in text
    assert r"\frac{989\ \mathrm{TFLOP/s}}{3.35\ \mathrm{TB/s}} \approx 295.2\ \mathrm{FLOP/byte}" in text
    assert r"R / I \approx 4.76" in text
    assert "memory-bound" in text
    assert r"\frac{d}{2} = 64\ \mathrm{FLOP/byte}" in text
    assert "≈ 3.1 % above the value at this point" in text
    assert re.search(r"with an error of ≈ 3\.1 %; the bound .{0,40} is ≈ 3\.1 % \(proved\)", text)
    assert "NVIDIA H100 Tensor Core GPU datasheet" in text
    assert "2026-11-30" in text
    assert "Dao et al." in text


def test_the_byte_stays_a_byte() -> None:
    text = naive()
    for wrong in (INTENSITY * 8, INTENSITY / 8):
        assert f"{float(wrong):.4g}" not in text
    assert "bit" not in re.sub(r"16-bit|arbitrary", "", text)


def test_no_report_turns_a_byte_into_bits() -> None:
    """Only what is declared in bits, number formats and what is quantized to them, may print that unit."""
    for name in catalogue.chapters():
        if name in ("formats", "serving"):
            continue
        text = reports.render(name, "md", on="h100-sxm", model="llama-3-8b")
        assert not re.search(r"/bit|mathrm\{[kMGT]?b(it)?(/s)?\}", text), name
        assert "byte" in text or name in ("flops", "parameters", "utilization")


def test_tampering_with_a_constant_changes_every_number_that_depends_on_it(tmp_path: Path) -> None:
    machine = tmp_path / "machine.toml"
    machine.write_text(
        '[h100-sxm]\nsource = "a forger"\ndate = 2026-01-02\ntags = { basis = "measured" }\n'
        'peak = [{ value = "500 TFLOP/s", tags = { sparsity = "dense", precision = "bf16" } }]\n',
        "utf-8",
    )
    ridge = Fraction(500 * 10**12, 3350 * 10**9)
    for format in reports.FORMATS:
        # an HTML page's script lists the other machines, to choose from
        honest, forged = (
            text.partition("<script")[0] for text in (naive(format), naive(format, hardware=machine))
        )
        for number in ("295.2", "4.76", "989"):
            assert number in honest
            assert number not in forged
        for number in (
            f"{float(ridge):.4g}",
            f"{float(ridge / INTENSITY):.3g}",
            "500",
            "a forger",
            "2026-01-02",
        ):
            assert number in forged
            assert number not in honest


FALSE = '''
"""A slip."""
from derive import BYTE, FLOP, Approx, Derivation, Equal, Example, Limit, Use, count, oo, quantity
T = count("T", "length")
d = count("d", "width")
F = quantity("F", "operations", "FLOP")
slip = Derivation("F", "A slip", unit="FLOP", start=2 * T * d * FLOP + 2 * T * d * FLOP,
    steps=[Equal(5 * T * d * FLOP, because="a slip of the pen")],
    facts=[
        Limit(T, oo, 7 * FLOP, because="another slip"),
        Approx(6 * T * d * FLOP, error_at_most=d / d / 100, because="too tight a bound"),
    ],
    examples=[Example({"T": 10, "d": 10}, "777 FLOP")],
)
built = Derivation("t", "Built upon it", unit="FLOP", start=2 * F, steps=[Use(F, slip)])
'''


@pytest.mark.parametrize("format", ["md", "tex"])
def test_what_is_refuted_shows(format: str, tmp_path: Path) -> None:
    file = tmp_path / "slips.py"
    file.write_text(FALSE, "utf-8")
    catalogue.load_file(file)
    text = reports.render("slips.slip", format)
    assert "Not all of this holds" in text
    assert "4 statements below 0 are proved, 4 refuted and 0 undecided" in text
    assert len(re.findall("REFUTED", text)) == 4
    assert "a slip of the pen" in text
    assert "(refuted)" in text
    assert re.search(r"All \d+ statements", text) is None
    upon = reports.render("slips.built", format)
    assert "only 0 of 4 statements" in upon
    whole = reports.render("slips", format)
    assert "4 refuted" in whole


@pytest.mark.parametrize("format", ["md", "tex"])
def test_what_is_undecided_shows(format: str, tmp_path: Path) -> None:
    file = tmp_path / "unsure.py"
    file.write_text(
        "from derive import Derivation, Equal, count, floor\n"
        'n = count("n", "things")\n'
        'split = Derivation("h", "Halved twice", unit="dimensionless", start=floor(floor(n / 2) / 2),\n'
        '    steps=[Equal(floor(n / 4), because="true, and beyond these proofs")])\n',
        "utf-8",
    )
    (split,) = catalogue.load_file(file).values()
    assert [link.verdict.outcome for link in split.verify()] == ["undecided"]
    text = reports.render(split, format)
    assert text.count("UNDECIDED") == 1
    assert "1 statements below 0 are proved, 0 refuted and 1 undecided" in text


def test_missing_values_come_from_the_first_example() -> None:
    text = reports.render("attention.naive_intensity", "md", given={"T": 1024})
    value = Fraction(1024 * 128, 2 * (1024 + 128))
    assert "$d$ is not given: the calculation takes the first example's values." in text
    assert rf"\approx {float(value):.4g}\ \mathrm{{FLOP/byte}}" in text
    assert "| $d$ | head dimension |  | $128$ | first example |" in text


def test_a_machine_fills_its_own_letters_beside_the_examples() -> None:
    text = reports.render("matmul.time", "md", on="a100-80gb-sxm")
    assert "k, m, n" in text
    assert "$312\\ \\mathrm{TFLOP/s}$" in text
    assert "989" not in text[: text.index("## Examples")]


def test_no_solution_is_said() -> None:
    text = reports.render("matmul.critical_batch", "md", on="h100-sxm", given={"d": 512})
    assert "There is no value here: no batch reaches the ridge" in text
    assert "**memory-bound**" not in text


def test_both_branches_of_a_time_are_told() -> None:
    text = reports.render("roofline.time", "md", on="h100-sxm", given={"F": "1e9 FLOP", "Q": "1e9 byte"})
    compute, memory = Fraction(10**9, 989 * 10**12), Fraction(10**9, 3350 * 10**9)
    assert "**memory-bound**" in text
    assert rf"\approx {float(memory / compute):.3g}" in text
    assert rf"\frac{{F}}{{P}} \approx {float(compute * 10**6):.4g}\ \text{{µs}}" in text
    assert rf"\frac{{Q}}{{W}} \approx {float(memory * 10**6):.4g}\ \text{{µs}}" in text


def test_elementwise_work_is_held_against_the_ordinary_lanes() -> None:
    text = reports.render("elementwise.intensity", "md", on="h100-sxm", given={"c": 1})
    assert f"{float(Fraction(67 * 10**12, 3350 * 10**9)):.4g}" in text
    assert "295.2" not in text


def test_a_convention_picks_the_form() -> None:
    text = reports.render("attention.flops", "md", given=GIVEN, conventions={"mask": "causal"})
    assert "attention.flops stands here in the form attention.causal\\_flops, under mask = causal." in text
    assert "asked for" in text


def test_an_overridden_default_silences_the_facts_numbers() -> None:
    text = naive(conventions={"precision": "fp32"})
    value = Fraction(4096 * 128, 4 * (4096 + 128))
    assert rf"\approx {float(value):.4g}\ \mathrm{{FLOP/byte}}" in text
    assert "3.1 %" not in text


def test_what_was_given_for_nothing_is_refused() -> None:
    with pytest.raises(DeriveError, match=r"no letter 'Z' in what is reported.*there are T, d, e"):
        reports.render("attention.naive_intensity", "md", given={"Z": 1})
    with pytest.raises(DeriveError, match="convention 'capacity' bears on nothing that is reported"):
        reports.render("attention.naive_intensity", "md", conventions={"capacity": "binary"})
    with pytest.raises(DeriveError, match=r"T \(sequence length\) is a plain number"):
        reports.render("attention", "md", given={"T": "4096 GB"})
    with pytest.raises(DeriveError, match="unknown machine"):
        reports.render("attention", "md", on="h1000-xyz")


def test_a_chapter_holds_all_its_derivations_and_its_introduction() -> None:
    text = reports.render("roofline", "md")
    assert text.startswith(
        "# The roofline: a kernel takes at least its arithmetic time and at least its memory time\n"
    )
    assert "a kernel below it waits for memory" in text
    ids = list(catalogue.chapter("roofline"))
    assert [id for id in ids if f'<a id="{id}"></a>' in text] == ids


def test_a_single_derivation_of_a_users_file_is_introduced_by_its_docstring() -> None:
    catalogue.load_file(Path(__file__).parent / "triad.py")
    text = reports.render("triad.intensity", "md")
    assert "the kernel that memory bandwidth is measured with" in text
    assert "Write-allocate traffic is left out." in text


def test_a_model_of_another_family_gives_way_to_the_first_example() -> None:
    text = reports.render("parameters", "md", model="llama-3-8b")
    section = text[text.index('<a id="parameters.gpt2"></a>') :].split("<a id=", 2)[1]
    assert (
        "parameters.gpt2 counts models of gpt2, and llama-3-8b is of the family llama: "
        "the calculation is the first example's." in section
    )
    assert r"$$= 124{,}439{,}808\ \mathrm{parameter}$$" in section
    with pytest.raises(DeriveError, match="llama-3-8b is of the family llama: give another model"):
        reports.render("parameters.gpt2", "md", model="llama-3-8b")


def test_an_overridden_default_is_told_and_heads_the_report() -> None:
    text = reports.render(
        "attention.naive_intensity", "md", given={"T": 4096, "d": 128}, conventions={"precision": "fp8"}
    )
    head, _, rest = text.partition("## Symbols")
    assert r"$$I = \frac{T d}{e \left(T + d\right)}$$" in head
    assert "puts e = 2 byte by default" in head
    assert r"\approx 124.1" in head
    assert r"\approx 124.1" in rest
    plain = reports.render("attention.naive_intensity", "md", given={"T": 4096, "d": 128})
    assert "by default" not in plain.partition("## Symbols")[0]
