"""Calculations as LaTeX, lists and plain text write them: broken lines, upright units, brackets, logarithms, totals."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _false(text: str, kind: str = "markdown") -> list[tuple[str, str]]:
    return [(one.expected, one.cause) for one in check_text(text, kind).claims if one.verdict == "false"]


def _align(*lines: str) -> str:
    return (
        "The time is as follows.\n\\begin{align*}\n"
        + " \\\\\n".join(lines)
        + "\n\\end{align*}\nIt is long.\n"
    )


def test_a_formula_goes_on_behind_the_end_of_its_line() -> None:
    """An equality or a sign of multiplication at the start of a line belongs to the line above."""
    assert _false(_align(r"T &= 6 \times 70", r"&= 520"), "latex") == [
        ("420", "no known slip gives this number")
    ]
    assert not _false(_align(r"T &= 6 \times 70", r"&= 420"), "latex")
    wrong = _align(r"m &= 70 \times 10^9", r"&\quad \times 2\,\text{bytes}", r"&= 280\,\text{GB}")
    assert [expected for expected, _ in _false(wrong, "latex")] == ["140 GB"]
    spaced = _align(r"T &= 6 \times 70 \nonumber", r"  &\approx 520").replace("\\\\", "\\\\[2pt]")
    assert [expected for expected, _ in _false(spaced, "latex")] == ["420"]
    markdown = "Thus\n\n$$\n\\begin{aligned}\nT &= 8 \\times 80 \\\\\n&= 740\n\\end{aligned}\n$$\n"
    assert [expected for expected, _ in _false(markdown)] == ["640"]


def test_lines_that_stand_alone_are_not_joined() -> None:
    """A line that sets another name says nothing about the line above."""
    assert not _false(_align(r"a &= 6 \times 70", r"b &= 520"), "latex")
    assert not _false(_align(r"&6 \times 70", r"&520"), "latex")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"8 \times 700\,\mathrm{W} = 6.5\,\mathrm{kW}", "5.6 kW"),
        (r"5\,\mathrm{MW} \times 24\,\mathrm{h} = 12\,\mathrm{MWh}", "120 MWh"),
        (r"15\,\mu s \times 8 = 12\,\mu s", "120 µs"),
        (r"15\,\mathrm{\mu s} \times 8 = 12\,\mathrm{\mu s}", "120 µs"),
        (r"8\times 3.35\,{\rm TB} = 28.6\,{\rm TB}", "26.8 TB"),
        (r"\bigg(3 + 4\bigg)\cdot 8 = 65", "56"),
        (r"\log_2 4096 = 11", "12"),
        (r"\log_{10}(1000) = 4", "3"),
        (r"\lceil 100/8 \rceil = 12", "13"),
    ],
)
def test_formulas(formula: str, expected: str) -> None:
    """Upright units, large brackets and logarithms."""
    assert [right for right, _ in _false(f"Hence ${formula}$ in all.")] == [expected]


@pytest.mark.parametrize(
    "formula",
    [
        r"8 \times 700\,\mathrm{W} = 5.6\,\mathrm{kW}",
        r"\log_2 50000 = 15.6",
        r"\lceil 100/8 \rceil = 13",
        r"\mu s = 12",
        r"h = 4 \times \mathrm{W}",
        r"2 \times 7 \times 10^9 \times 10^3 = 1.4 \times 10^{13}",
    ],
)
def test_right_formulas(formula: str) -> None:
    """Formulas that are right or tell nothing."""
    assert not _false(f"Hence ${formula}$ in all.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There is room for (80 − 16) GB / 0.5 GB = 182 sequences.", "128 sequences"),
        ("It takes (5 + 2) ms × 10 = 90 ms.", "70 ms"),
        ("It is 2^13 = 8,182.", "8192"),
        ("It is 2^22 = 4,194,340.", "4194304"),
        ("It is 4096 × 4096 = 16,777,226.", "16777216"),
        ("It is 6 × 10^9 × 2 × 10^12 = 1.2 × 10^21 FLOP.", "1.2e+22 FLOP"),
        ("Each has 1.5M/128 = 1,172 tokens/s.", "11719 tokens/s"),
    ],
)
def test_calculations(text: str, expected: str) -> None:
    """A unit behind brackets, exact powers and products, ten times off in two digits."""
    assert [right for right, _ in _false(text)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "There is room for (80 − 16) GB / 0.5 GB = 128 sequences.",
        "It is 12 × 12288 = 147,500.",
        "It is 2^20 ≈ 1,050,000.",
        "It is 6 × 10^9 × 2 × 10^12 = 7.2 × 10^22 FLOP.",
        "From 8 to 16 it was 1.97.",
        "We pad (100 / 8) blocks to 16.",
    ],
)
def test_right_calculations(text: str) -> None:
    """Rounded, or with a factor that is left out."""
    assert not _false(text)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (("Weights: 14.2 GB", "Cache: 22.3 GB", "Buffers: 3.5 GB", "Total: 43.0 GB"), "40 GB"),
        (("Prefill: 120 ms", "Decode: 480 ms", "Network: 35 ms", "**Total**: 685 ms"), "635 ms"),
        (("GPUs: $240,000", "Network: $38,000", "Storage: $17,500", "Total: $259,500"), "$295500"),
        (("Weights: 70e9 × 2 B = 140 GB", "Cache: 22.3 GB", "Rest: 3.5 GB", "In total 175.8 GB"), "165.8 GB"),
        (("east: 3 nodes", "west: 5 nodes", "north: 6 nodes", "Sum: 15 nodes"), "14 nodes"),
    ],
)
def test_totals_that_end_a_list(items: tuple[str, ...], expected: str) -> None:
    """The last item of a list tells the sum of those above it, in Markdown and in HTML."""
    assert [right for right, _ in _false("\n".join(f"- {item}" for item in items))] == [expected]
    page = "<ul>" + "".join(f"<li>{item}</li>\n" for item in items if "*" not in item) + "</ul>"
    if not any("*" in item for item in items):
        assert [right for right, _ in _false(page, "html")] == [expected]


@pytest.mark.parametrize(
    "items",
    [
        ("Weights: 14.2 GB", "Cache: 22.3 GB", "Buffers: 3.5 GB", "Total: 40.0 GB"),
        ("Memory: 80 GB", "Weights: 14 GB", "Cache: 22 GB", "Total: 36 GB"),
        ("Before: 80 GB", "Weights: 14 GB", "Cache: 22 GB", "Total: 90 GB"),
        ("per GPU: 80 GB", "per node: 640 GB", "per rack: 2,560 GB", "Total: 2,560 GB"),
        ("Weights: 14 GB", "Cache: up to 22 GB", "Buffers: 3 GB", "Total: 30 GB"),
        ("Weights: 14 GB", "Cache: 22 GB and 4 GB", "Buffers: 3 GB", "Total: 60 GB"),
        ("Budget: 100 W", "Fans: 30 W", "Links: 20 W", "Total left: 60 W"),
        ("Weights: 14 GB", "Total: 30 GB"),
    ],
)
def test_totals_left_alone(items: tuple[str, ...]) -> None:
    """Right totals, and lists whose amounts are not added as they stand."""
    assert not _false("\n".join(f"- {item}" for item in items))


def test_what_is_saved_of_a_whole_is_no_pair() -> None:
    """A part and its whole are not held against each other; a yearly amount is told again for a month."""
    assert not _false("The fix shaves 6.3 s off a step of 21.0 s, a gain of 30 %.")
    assert not _false("The yearly bill of $1.2 million is $100,000 a month.")
